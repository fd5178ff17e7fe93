/* SPDX-License-Identifier: BSD-3-Clause
 * Loops in pairs of equal traffic and other arithmetic: `pairs NAME`, each in a function of its name. Those up to
 * `strided` access memory at constant strides alone. Without a name it lists them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1 << 19, MASK = N - 1, PASSES = 20, BLOCK = 8 };
static double a[N], b[N];
static uint64_t keys[N], next[N], counts[N];
static uint64_t seed = 88172645463325252u;
static volatile uint64_t divisor = N;
static volatile double sink;

#define LOOP __attribute__((noinline, noclone, optimize("no-tree-vectorize", "no-unroll-loops"))) static void

static uint64_t chance(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
}

LOOP sum_chained(void) {
    double s = 0;
    for (long i = 0; i < N; i++)
        s += a[i];
    sink = s;
}
LOOP sum_apart(void) {
    double s = 0, t = 0, u = 0, v = 0;
    for (long i = 0; i < N; i += 4)
        s += a[i], t += a[i + 1], u += a[i + 2], v += a[i + 3];
    sink = s + t + u + v;
}
LOOP lines_chained(void) {
    double s = 1;
    for (long i = 0; i < N; i += BLOCK)
        s = s * 0.5 + a[i];
    sink = s;
}
LOOP lines_apart(void) {
    double s = 0, t = 0;
    for (long i = 0; i < N; i += 2 * BLOCK)
        s += a[i], t += a[i + BLOCK];
    sink = s + t;
}
LOOP multiplied(void) {
    for (long i = 0; i < N; i++)
        a[i] = 0.5 * a[i] + 1;
}
LOOP divided(void) {
    for (long i = 0; i < N; i++)
        a[i] = 1 / (a[i] + 2);
}
LOOP masked(void) {
    uint64_t x = 1;
    for (long i = 0; i < N; i++) {
        x = x * 6364136223846793005u + 1;
        keys[i] = x & MASK;
    }
}
LOOP modulo(void) {
    uint64_t x = 1, n = divisor;
    for (long i = 0; i < N; i++) {
        x = x * 6364136223846793005u + 1;
        keys[i] = x % n;
    }
}
LOOP branch_constant(void) {
    uint64_t s = 1;
    for (long i = 0; i < N; i++) {
        if (keys[i] > N)
            __asm__ volatile("imul %0, %0" : "+r"(s));
        s += keys[i];
    }
    sink = (double)s;
}
LOOP branch_random(void) {
    uint64_t s = 1;
    for (long i = 0; i < N; i++) {
        if (keys[i] > N / 2)
            __asm__ volatile("imul %0, %0" : "+r"(s));
        s += keys[i];
    }
    sink = (double)s;
}
LOOP added(void) {
    for (long i = 0; i < N; i++)
        b[i] += a[i];
}
LOOP polynomial(void) {
    for (long i = 0; i < N; i++) {
        const double x = a[i];
        b[i] = ((((x + 0.5) * x + 0.5) * x + 0.5) * x + 0.5) * x + 0.5;
    }
}
LOOP gathered_chained(void) {
    double s = 0;
    for (long i = 0; i < N; i++)
        s = s * 0.5 + a[keys[i]];
    sink = s;
}
LOOP gathered_apart(void) {
    double s = 0, t = 0;
    for (long i = 0; i < N; i += 2)
        s += a[keys[i]], t += a[keys[i + 1]];
    sink = s + t;
}
LOOP chased(void) {
    uint64_t at = 0;
    for (long i = 0; i < N; i++)
        at = next[at];
    sink = (double)at;
}
LOOP chased_divided(void) {
    uint64_t at = 0, n = divisor;
    for (long i = 0; i < N; i++)
        at = (next[at] + N) % n;
    sink = (double)at;
}
LOOP histogram_masked(void) {
    for (long i = 0; i < N; i++)
        counts[keys[i] & MASK]++;
}
LOOP histogram_divided(void) {
    const uint64_t n = divisor;
    for (long i = 0; i < N; i++)
        counts[keys[i] % n]++;
}
LOOP searched_random(void) {
    uint64_t s = 0;
    for (long i = 0; i < N; i++)
        if (next[keys[i]] & 1)
            __asm__ volatile("add $3, %0" : "+r"(s));
    sink = (double)s;
}
LOOP searched_constant(void) {
    uint64_t s = 0;
    for (long i = 0; i < N; i++)
        if (next[keys[i]] > N)
            __asm__ volatile("add $3, %0" : "+r"(s));
    sink = (double)s;
}

static const struct {
    const char *name;
    void (*run)(void);
} LOOPS[] = {
#define ROW(name)                                                                                                      \
    { #name, name }
    ROW(sum_chained),
    ROW(sum_apart),
    ROW(lines_chained),
    ROW(lines_apart),
    ROW(multiplied),
    ROW(divided),
    ROW(masked),
    ROW(modulo),
    ROW(branch_constant),
    ROW(branch_random),
    ROW(added),
    ROW(polynomial),
    {"strided", NULL},
    ROW(gathered_chained),
    ROW(gathered_apart),
    ROW(chased),
    ROW(chased_divided),
    ROW(histogram_masked),
    ROW(histogram_divided),
    ROW(searched_random),
    ROW(searched_constant)};
enum { COUNT = sizeof LOOPS / sizeof *LOOPS };

/* To chase, one cycle over all elements (Sattolo). */
static void fill(int chase) {
    for (long i = 0; i < N; i++)
        a[i] = 1, next[i] = (uint64_t)i, keys[i] = chance() & MASK;
    for (uint64_t i = N - 1; chase && i > 0; i--) {
        const uint64_t k = chance() % i, kept = next[i];
        next[i] = next[k], next[k] = kept;
    }
}

int main(int argc, char **argv) {
    for (size_t i = 0; i < COUNT; i++)
        if (argc < 2)
            puts(LOOPS[i].name);
        else if (LOOPS[i].run && strcmp(argv[1], LOOPS[i].name) == 0) {
            fill(strncmp(argv[1], "chase", 5) == 0);
            for (int pass = 0; pass < PASSES; pass++)
                LOOPS[i].run();
            return 0;
        }
    return argc < 2 ? 0 : 2;
}
