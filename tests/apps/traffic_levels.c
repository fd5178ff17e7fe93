/* SPDX-License-Identifier: BSD-3-Clause
 * Work of which theory tells what passes between caches of L1=48K:12, L2=256K:8 and L3=1M:16 that each forget for
 * themselves: traffic_levels [THREADS [SIGNALS_US]]. Each kernel runs once without marks, so that the caches hold what
 * they hold ever after; then in a region of its own; signals come, SIGNALS_US after the last. Prints how many bytes
 * that region must fetch over each link, how many go back to memory, and how many go past the caches. */
#include <emmintrin.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "carmine.h"

enum { MIB = 1 << 20, COUNT = 4 * MIB / 8, WIDTH = 4096, SIDE = 1032, SMALL = 200, BLOCK = 8, RANDOM = 200000 };
static _Alignas(4096) double a[COUNT], b[COUNT], c[COUNT], x[SIDE * SIDE], y[SIDE * SIDE];
static _Alignas(4096) double many[64 * MIB / 8];
static unsigned threads = 1;
static volatile double sink;

/* The part of a thread of 0 … COUNT - 1. */
struct part {
    size_t from, to;
};
static void triad(struct part part) {
    for (size_t i = part.from; i < part.to; i++)
        a[i] = b[i] + 3 * c[i];
}
static void copy(struct part part) {
    for (size_t i = part.from; i < part.to; i++)
        a[i] = b[i];
}
static void store(struct part part) {
    for (size_t i = part.from; i < part.to; i++)
        a[i] = 1;
}
static void past(struct part part) {
    for (size_t i = part.from; i < part.to; i += 2)
        _mm_stream_pd(&a[i], _mm_set1_pd(2));
    _mm_sfence();
}
static void copy_backwards(struct part part) {
    double *to = &a[part.to - 1], *from = &b[part.to - 1];
    size_t count = part.to - part.from;
    __asm__ volatile("std\n\trep movsq\n\tcld" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
}
static void search(struct part part) { /* for what stands at the end of b; nothing else says where to end */
    const char *at = (const char *)&b[part.from];
    size_t count = SIZE_MAX;
    __asm__ volatile("repe scasb" : "+D"(at), "+c"(count) : "a"(0) : "memory", "cc");
}
static void translate(struct part part) { /* what xlat reads is not recorded; all else is */
    const char *at = (const char *)&b[part.from];
    size_t count = (part.to - part.from) / 8;
    __asm__ volatile("1: movzbl (%0), %%eax\n\txlatb\n\tadd $64, %0\n\tdec %1\n\tjne 1b"
                     : "+r"(at), "+r"(count)
                     : "b"(c)
                     : "rax", "memory", "cc");
}
static void load_random(struct part part) {
    uint64_t state = part.from + 1;
    double sum = 0;
    for (size_t i = 0; i < RANDOM / threads; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        sum += many[(state >> 40) % (sizeof many / sizeof *many)];
    }
    sink = sum;
}
static void stencil(struct part part) { /* three rows of 32 KiB: too many for L1, and not for L2 */
    for (size_t row = part.from / WIDTH + (part.from == 0); row < part.to / WIDTH - (part.to == COUNT); row++)
        for (size_t i = 1; i < WIDTH - 1; i++) {
            const double *at = &b[row * WIDTH + i];
            a[row * WIDTH + i] = at[0] + at[-1] + at[1] + at[-WIDTH] + at[WIDTH];
        }
}
static void transpose(struct part part) { /* a column of lines, 65 KiB, stays in L2 for eight rows */
    for (size_t i = part.from * SIDE / COUNT; i < part.to * SIDE / COUNT; i++)
        for (size_t j = 0; j < SIDE; j++)
            y[j * SIDE + i] = x[i * SIDE + j];
}
static void multiply(struct part part) { /* all of b, 312 KiB, comes again for each row: from L3 */
    for (size_t i = part.from * SMALL / COUNT; i < part.to * SMALL / COUNT; i++)
        for (size_t k = 0; k < SMALL; k++)
            for (size_t j = 0; j < SMALL; j++)
                a[i * SMALL + j] += b[i * SMALL + k] * c[k * SMALL + j];
}
static void multiply_block(size_t i, size_t k, size_t j) {
    for (size_t row = i; row < i + BLOCK; row++)
        for (size_t inner = k; inner < k + BLOCK; inner++)
            for (size_t column = j; column < j + BLOCK; column++)
                a[row * SMALL + column] += b[row * SMALL + inner] * c[inner * SMALL + column];
}
static void multiply_blocks(struct part part) { /* rows of blocks of a and b stay in L1; c, 312 KiB, comes for each */
    for (size_t i = part.from * SMALL / COUNT; i < part.to * SMALL / COUNT; i += BLOCK)
        for (size_t j = 0; j < SMALL; j += BLOCK)
            for (size_t k = 0; k < SMALL; k += BLOCK)
                multiply_block(i, k, j);
}

static const double A = sizeof a, INNER = sizeof a - 2.0 * WIDTH * 8, X = sizeof x, M = 8.0 * SMALL * SMALL;
static const double RANDOM_BYTES = 64.0 * RANDOM, FAR = 63.0 / 64;
struct kernel {
    const char *name;
    void (*run)(struct part part);
    double fetched[3], written, past; /* bytes over the links outside of L1, L2, L3; to memory */
    int alone;                        /* several threads make other traffic */
};

static const struct kernel *running;
static void *run_part(void *number) {
    const size_t n = (size_t)(uintptr_t)number;
    running->run((struct part){COUNT / threads * n, COUNT / threads * (n + 1)});
    return NULL;
}
static void run(const struct kernel *kernel) {
    pthread_t others[64];
    running = kernel;
    for (unsigned n = 1; n < threads; n++)
        pthread_create(&others[n], NULL, run_part, (void *)(uintptr_t)n);
    run_part(NULL);
    for (unsigned n = 1; n < threads; n++)
        pthread_join(others[n], NULL);
}

static volatile sig_atomic_t signals;
static long signals_us;
static pthread_t interrupted;
static void count_signal(int number) {
    (void)number;
    signals++;
}
/* The next one comes so long after the last was handled: on a slow machine, too, the program goes on in between. */
static void *send_signals(void *unused) {
    for (;;) {
        const sig_atomic_t before = signals;
        usleep((useconds_t)signals_us);
        pthread_kill(interrupted, SIGUSR1);
        while (signals == before)
            usleep((useconds_t)signals_us);
    }
    return unused;
}
static void signal_every(long us) {
    pthread_t sender;
    signals_us = us;
    interrupted = pthread_self();
    signal(SIGUSR1, count_signal);
    pthread_create(&sender, NULL, send_signals, NULL);
}

int main(int argc, char **argv) {
    const double blocks = (double)SMALL / BLOCK;
    const struct kernel kernels[] = {
        {"triad", triad, {3 * A, 3 * A, 3 * A}, A, 0, 0},
        {"copy", copy, {2 * A, 2 * A, 2 * A}, A, 0, 0},
        {"store", store, {A, A, A}, A, 0, 0},
        {"past", past, {0, 0, 0}, 0, A, 0},
        {"backwards", copy_backwards, {2 * A, 2 * A, 2 * A}, A, 0, 0},
        {"search", search, {A, A, A}, 0, 0, 1},
        {"table", translate, {A, A, A}, 0, 0, 0},
        {"random", load_random, {RANDOM_BYTES, RANDOM_BYTES, RANDOM_BYTES * FAR}, 0, 0, 0},
        {"stencil", stencil, {4 * INNER, A + INNER, A + INNER}, INNER, 0, 1},
        {"transposition", transpose, {9 * X, 2 * X, 2 * X}, X, 0, 1},
        {"matrices", multiply, {SMALL * M, SMALL * M, 0}, 0, 0, 1},
        {"blocks", multiply_blocks, {(blocks + 2) * M, (blocks + 2) * M, 0}, 0, 0, 1},
    };
    threads = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    memset(b, 0, sizeof b);
    ((char *)b)[sizeof b - 1] = 1;
    memset(c, 0, sizeof c);
    memset(many, 0, sizeof many);
    memset(x, 0, sizeof x);
    if (argc > 2)
        signal_every(atol(argv[2]));
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        const struct kernel *k = &kernels[i];
        if (k->alone && threads > 1)
            continue;
        run(k);
        carmine_region_begin(k->name);
        run(k);
        carmine_region_end(k->name);
        printf("region \"%s\" L1 %.0f L2 %.0f L3 %.0f written %.0f past %.0f\n", k->name, k->fetched[0], k->fetched[1],
               k->fetched[2], k->written, k->past);
    }
    sink = y[threads];
    return 0;
}
