/* SPDX-License-Identifier: BSD-3-Clause
 * A program at a fixed address, or anywhere, whose heap grows by so many MiB at a time: heap MIB [fixed]. With `fixed`
 * the kernel places nothing at random. What it did shows in its output alone: it ends with 0 either way. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <unistd.h>

#include "carmine.h"
#include "work.h"

static volatile uint64_t sum; /* reached relative to the instruction */

static void grow(uint64_t bytes) {
    enum { APART = 1 << 20 };
    char *heap = sbrk((intptr_t)bytes);
    if (heap == (void *)-1) {
        puts("the heap cannot grow");
        return;
    }
    for (uint64_t at = 0; at < bytes; at += APART)
        heap[at] = 1;
    for (uint64_t at = 0; at < bytes; at += APART)
        sum += (uint64_t)heap[at];
    printf("%lu MiB of heap\n", sum);
}

int main(int argc, char **argv) {
    const uint64_t mib = strtoul(argc > 1 ? argv[1] : "40", NULL, 10);
    const int was = personality(0xffffffff);
    if (argc > 2 && strcmp(argv[2], "fixed") == 0 && !(was & ADDR_NO_RANDOMIZE) &&
        personality((unsigned long)was | ADDR_NO_RANDOMIZE) >= 0)
        execv("/proc/self/exe", argv);
    grow(mib << 20);
    carmine_region_begin("work");
    work(1000);
    carmine_region_end("work");
    printf("region \"work\" flop 1000\n");
    return 0;
}
