/* SPDX-License-Identifier: BSD-3-Clause
 * Loops whose in-core time is known, each in a function of its name. Prints cycles per iteration of each, by the time
 * of a chain of multiplications of three cycles each.  loops [NAME,… [MILLISECONDS]],
 * or `loops NAME,… 0 ROUNDS` for work that does not depend on the time */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N = 1024, SIDE = 24 };
double a[N + 64] __attribute__((aligned(4096))), b[N + 64] __attribute__((aligned(4096))), c[N + 64];
long next[N];
double m1[SIDE * SIDE], m2[SIDE * SIDE], m3[SIDE * SIDE];
int keys[N], sorted[N];
static volatile double sink;

#define KERNEL __attribute__((noinline, noclone, optimize("no-tree-vectorize", "no-unroll-loops"))) static double

KERNEL daxpy(void) {
    for (long i = 0; i < N; i++)
        a[i] += 1e-9 * b[i];
    return N;
}
KERNEL dot1(void) {
    double s = 0;
    for (long i = 0; i < N; i++)
        s += a[i] * b[i];
    sink = s;
    return N;
}
KERNEL dot2(void) {
    double s = 0, t = 0;
    for (long i = 0; i < N; i += 2)
        s += a[i] * b[i], t += a[i + 1] * b[i + 1];
    sink = s + t;
    return N / 2;
}
KERNEL dot4(void) {
    double s = 0, t = 0, u = 0, v = 0;
    for (long i = 0; i < N; i += 4)
        s += a[i] * b[i], t += a[i + 1] * b[i + 1], u += a[i + 2] * b[i + 2], v += a[i + 3] * b[i + 3];
    sink = s + t + u + v;
    return N / 4;
}
KERNEL dot8(void) {
    double s[8] = {0};
    for (long i = 0; i < N; i += 8) {
        s[0] += a[i] * b[i], s[1] += a[i + 1] * b[i + 1], s[2] += a[i + 2] * b[i + 2], s[3] += a[i + 3] * b[i + 3];
        s[4] += a[i + 4] * b[i + 4], s[5] += a[i + 5] * b[i + 5], s[6] += a[i + 6] * b[i + 6],
            s[7] += a[i + 7] * b[i + 7];
    }
    sink = s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7];
    return N / 8;
}
KERNEL horner(void) {
    double s = 0;
    for (long i = 0; i < N; i++)
        s = s * 0.5 + a[i];
    sink = s;
    return N;
}
KERNEL horner_divided(void) { /* a division added */
    double s = 1;
    for (long i = 0; i < N; i++)
        s = s / 1.5 + a[i];
    sink = s;
    return N;
}
KERNEL newton(void) {
    double s = 1.5;
    for (long i = 0; i < N; i++)
        s = 0.5 * (s + 2 / s);
    sink = s;
    return N;
}
KERNEL divide(void) { /* independent divisions */
    for (long i = 0; i < N; i++)
        c[i] = 1 / b[i];
    return N;
}
KERNEL daxpy_chained(void) { /* a chain added */
    double s = 0;
    for (long i = 0; i < N; i++) {
        s = s * 0.5 + b[i];
        a[i] = s;
    }
    return N;
}
KERNEL chase(void) {
    long at = 0;
    for (long i = 0; i < N; i++)
        at = next[at];
    sink = (double)at;
    return N;
}
KERNEL gather(void) {
    double s = 0, t = 0, u = 0, v = 0;
    for (long i = 0; i < N; i += 4)
        s += a[next[i]], t += a[next[i + 1]], u += a[next[i + 2]], v += a[next[i + 3]];
    sink = s + t + u + v;
    return N / 4;
}
KERNEL stencil(void) {
    for (long i = 1; i < N - 1; i++)
        c[i] = 0.25 * (a[i - 1] + a[i + 1]) + 0.5 * a[i];
    return N - 2;
}
KERNEL prefix(void) {
    double s = 0;
    for (long i = 0; i < N; i++)
        c[i] = s += b[i];
    return N;
}
KERNEL prefix_integer(void) {
    long s = 0;
    for (long i = 0; i < N; i++)
        s += keys[i], sorted[i] = (int)s;
    sink = (double)s;
    return N;
}
KERNEL matmul(void) { /* naive: the innermost loop is a dot product with a stride */
    for (long i = 0; i < SIDE; i++)
        for (long j = 0; j < SIDE; j++) {
            double s = 0;
            for (long k = 0; k < SIDE; k++)
                s += m1[i * SIDE + k] * m2[k * SIDE + j];
            m3[i * SIDE + j] = s;
        }
    return SIDE * SIDE * SIDE;
}
KERNEL matmul_blocked(void) { /* 2 × 4 accumulators */
    for (long i = 0; i < SIDE; i += 2)
        for (long j = 0; j < SIDE; j += 4) {
            double s[2][4] = {{0}};
            for (long k = 0; k < SIDE; k++) {
                const double x = m1[i * SIDE + k], y = m1[(i + 1) * SIDE + k], *z = &m2[k * SIDE + j];
                s[0][0] += x * z[0], s[0][1] += x * z[1], s[0][2] += x * z[2], s[0][3] += x * z[3];
                s[1][0] += y * z[0], s[1][1] += y * z[1], s[1][2] += y * z[2], s[1][3] += y * z[3];
            }
            for (long x = 0; x < 2; x++)
                for (long y = 0; y < 4; y++)
                    m3[(i + x) * SIDE + j + y] = s[x][y];
        }
    return SIDE * SIDE * SIDE / 8.;
}
KERNEL insertion_sort(void) { /* mispredicted branches */
    unsigned seed = 12345;
    for (long i = 0; i < 64; i++)
        sorted[i] = (int)((seed = seed * 1664525u + 1013904223u) >> 16);
    for (long i = 1; i < 64; i++) {
        const int key = sorted[i];
        long j = i;
        for (; j > 0 && sorted[j - 1] > key; j--)
            sorted[j] = sorted[j - 1];
        sorted[j] = key;
    }
    return 64 * 64 / 4.;
}
KERNEL hash(void) { /* no flop: a chain of an exclusive or and a multiplication */
    unsigned long h = 14695981039346656037u;
    for (long i = 0; i < N; i++)
        h = (h ^ (unsigned long)keys[i]) * 1099511628211u;
    sink = (double)h;
    return N;
}

#define ROW(name)                                                                                                      \
    { #name, name }
static const struct {
    const char *name;
    double (*run)(void); /* returns its iterations */
} kernels[] = {ROW(daxpy),          ROW(dot1),   ROW(dot2),           ROW(dot4),          ROW(dot8),
               ROW(horner),         ROW(newton), ROW(divide),         ROW(chase),         ROW(horner_divided),
               ROW(daxpy_chained),  ROW(gather), ROW(stencil),        ROW(prefix),        ROW(hash),
               ROW(prefix_integer), ROW(matmul), ROW(matmul_blocked), ROW(insertion_sort)};

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int is_named(const char *names, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = names; (at = strstr(at, name)); at += length)
        if ((at == names || at[-1] == ',') && (at[length] == '\0' || at[length] == ','))
            return 1;
    return strcmp(names, "all") == 0;
}

/* Of one cycle, now: by 10,000 multiplications. */
static double cycle_s(void) {
    unsigned long x = 3;
    const double start = seconds();
    for (long i = 0; i < 10000; i++)
        __asm__ volatile("imul %0, %0" : "+r"(x));
    return (seconds() - start) / 30000;
}

int main(int argc, char **argv) {
    const double wanted_s = argc > 2 ? atof(argv[2]) / 1000 : 0.05;
    for (long i = 0; i < N; i++) {
        a[i] = 1e-3 * (double)i, b[i] = 1, next[i] = (i * 7 + 13) % N;
        keys[i] = (int)(i % 7);
    }
    for (long i = 0; i < SIDE * SIDE; i++)
        m1[i] = m2[i] = 1e-3 * (double)i;
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        double best_s = 1, best_cycle_s = 1, iterations = 0;
        if (argc > 1 && !is_named(argv[1], kernels[k].name))
            continue;
        for (long rounds = argc > 3 ? atol(argv[3]) : 0; rounds > 0; rounds--)
            iterations = kernels[k].run();
        for (const double begin = seconds(); wanted_s > 0 && seconds() - begin < wanted_s;) {
            const double cycle = cycle_s(), start = seconds();
            for (int i = 0; i < 16; i++)
                iterations = kernels[k].run();
            const double each_s = (seconds() - start) / (16 * iterations);
            best_s = each_s < best_s ? each_s : best_s;
            best_cycle_s = cycle < best_cycle_s ? cycle : best_cycle_s;
        }
        printf("%s %.2f\n", kernels[k].name, best_s / best_cycle_s);
    }
    return 0;
}
