/* SPDX-License-Identifier: BSD-3-Clause
 * Accesses at loaded places: many to all lines of an array, then as many to the lines of a single set of the first
 * level: traffic_crowded. A sample of the sets has all of these, or none. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MIB = 1 << 20, BYTES = 32 * MIB, LINE_BYTES = 64, PAGE_BYTES = 4096, COUNT = 1 << 20, PASSES = 4 };

static _Alignas(PAGE_BYTES) volatile unsigned char array[BYTES];
static uint32_t places[COUNT];

static void choose(uint32_t apart) { /* places so far from each other, at random */
    uint64_t random = 1;
    for (size_t i = 0; i < COUNT; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        places[i] = (uint32_t)((random >> 33) % (BYTES / apart)) * apart;
    }
}

static __attribute__((noinline)) uint64_t access_all(void) {
    uint64_t sum = 0;
    for (int pass = 0; pass < PASSES; pass++)
        for (size_t i = 0; i < COUNT; i++)
            sum += array[places[i]];
    return sum;
}

int main(void) {
    uint64_t sum = 0;
    choose(LINE_BYTES);
    sum += access_all();
    choose(PAGE_BYTES);
    sum += access_all();
    printf("%lu\n", sum);
    return 0;
}
