/* SPDX-License-Identifier: BSD-3-Clause
 * A kernel of known intensity as it was measured, with the two roofs beside it. What the model makes of them, and how
 * far it is off, is carm/model/validate.h. */
#ifndef BENCH_KERNELS_VALIDATION_POINT_H
#define BENCH_KERNELS_VALIDATION_POINT_H

#include <stdint.h>

#include "doubt.h"

/* A mixed kernel in one level, with the two roofs measured just before and after it. In L1 and L2, which the core's
 * clock paces, the roofs are taken per cycle and multiplied by the mixed kernel's clock: that of heavy vector code is
 * another than that of loads, and both wander. Per cycle the higher of the two measurements of a roof counts. Further
 * out all three are taken per second, and the mean of the two. */
struct validation_point {
    char kernel[48], variant[16];
    unsigned threads;
    char core_kind[32]; /* "" unless the machine is hybrid */
    char level[8];
    uint64_t working_set_bytes; /* of one thread */
    double flop_per_byte;       /* of bytes that the core asks for */
    double flop_per_s;          /* of all threads */
    double per_cycle;           /* flop per cycle and core; 0 where the core's clock does not pace it, or is unknown */
    double clock_hz;            /* the core clock during the kernel; 0 where it does not pace it, or is not known */
    double spread;
    char peak_kernel[48], bandwidth_kernel[48];
    double peak_flop_per_s, bandwidth_bytes_per_s; /* π and β */
    double port_limit_per_cycle; /* documented: what ports and issue width allow this mix with its data in L1; 0: not
                                    known */
    struct doubts doubts;        /* of the three samples together */
};

#endif
