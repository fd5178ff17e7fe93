/* SPDX-License-Identifier: BSD-3-Clause
 * Monotonic time, for everything that the tick (clock.h) does not measure. */
#pragma once

#include <time.h>

/* Seconds by CLOCK_MONOTONIC, which starts some time before the program. */
static inline double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
