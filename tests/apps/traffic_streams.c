/* SPDX-License-Identifier: BSD-3-Clause
 * Streams whose DRAM traffic is known: traffic_streams. Arrays are four times as large as the last-level cache of 1 MiB
 * that the tests simulate. Each kernel runs once without marks, so that the caches hold what they hold ever after; then
 * in a region of its own. Prints how many bytes that region must read past L3, and write to DRAM. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "carmine.h"

enum { MIB = 1 << 20, COUNT = 4 * MIB / sizeof(double), PASSES = 2, SMALL_COUNT = COUNT / 32, WIDTH = 512 };

static _Alignas(4096) double a[COUNT], b[COUNT], c[COUNT];
static volatile double sink;

static void load(void) {
    double sum = 0;
    for (size_t i = 0; i < COUNT; i++)
        sum += a[i];
    sink = sum;
}
static void load_lines(void) { /* one element of each line */
    double sum = 0;
    for (size_t i = 0; i < COUNT; i += 8)
        sum += a[i];
    sink = sum;
}
static void store(void) {
    for (size_t i = 0; i < COUNT; i++)
        a[i] = 1;
}
static void copy(void) {
    for (size_t i = 0; i < COUNT; i++)
        a[i] = b[i];
}
static void triad(void) {
    for (size_t i = 0; i < COUNT; i++)
        a[i] = b[i] + 3 * c[i];
}
static void update(void) {
    for (size_t i = 0; i < COUNT; i++)
        a[i] = 0.5 * a[i];
}
static void stay(void) { /* 128 KiB, many times */
    for (int pass = 0; pass < 8; pass++)
        for (size_t i = 0; i < SMALL_COUNT; i++)
            b[i] = 0.5 * b[i];
}
static void stencil(void) { /* three rows of 4 KiB stay in the cache */
    for (size_t y = 1; y < COUNT / WIDTH - 1; y++)
        for (size_t x = 1; x < WIDTH - 1; x++) {
            const double *at = &b[y * WIDTH + x];
            a[y * WIDTH + x] = at[0] + at[-1] + at[1] + at[-WIDTH] + at[WIDTH];
        }
}
static void clear(void) { /* glibc may use string instructions */
    memset(c, 0, sizeof c);
}

int main(void) {
    static const struct {
        const char *name;
        void (*run)(void);
        unsigned arrays_read, arrays_written; /* in one pass; what is written is read before */
    } kernels[] = {
        {"load", load, 1, 0},       {"load-lines", load_lines, 1, 0}, {"store", store, 1, 1},
        {"copy", copy, 2, 1},       {"triad", triad, 3, 1},           {"update", update, 1, 1},
        {"stencil", stencil, 2, 1}, {"clear", clear, 1, 1},           {"stay", stay, 0, 0},
    };
    memset(b, 1, sizeof b);
    memset(c, 1, sizeof c);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        kernels[i].run();
        carmine_region_begin(kernels[i].name);
        for (int pass = 0; pass < PASSES; pass++)
            kernels[i].run();
        carmine_region_end(kernels[i].name);
        printf("region \"%s\" L3 %lu written %lu\n", kernels[i].name, kernels[i].arrays_read * PASSES * sizeof a,
               kernels[i].arrays_written * PASSES * sizeof a);
    }
    return 0;
}
