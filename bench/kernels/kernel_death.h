/* SPDX-License-Identifier: BSD-3-Clause
 * A kernel that died of a signal while it was measured. What is said of it is carm/model/describe.h's. */
#ifndef BENCH_KERNELS_KERNEL_DEATH_H
#define BENCH_KERNELS_KERNEL_DEATH_H

/* One entry for a kernel and a signal, however often, in whatever variant and level. */
struct kernel_death {
    char kernel[48], variant[16]; /* "avx512.f64.fma", "12x2": of the first time */
    char signal[16];              /* "SIGILL" */
    unsigned cpu;                 /* the operating system's number, of the first time */
};

#endif
