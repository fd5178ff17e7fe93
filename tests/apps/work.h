/* SPDX-License-Identifier: BSD-3-Clause
 * What the programs to be measured share: work whose flop is known, and time. */
#pragma once

#include <time.h>

static __attribute__((noinline, unused)) void work(long flop) {
#ifdef __aarch64__
    __asm__ volatile("1:\n\tfadd d0, d0, d0\n\tsubs %0, %0, #1\n\tb.ne 1b" : "+r"(flop) : : "v0", "cc");
#else
    __asm__ volatile("1:\n\taddsd %%xmm0, %%xmm0\n\tdec %0\n\tjnz 1b" : "+r"(flop) : : "xmm0", "cc");
#endif
}

/* Not inlined, or its arithmetic may be moved into the region that begins behind it. */
static __attribute__((noinline, unused)) double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
