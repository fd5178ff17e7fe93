/* SPDX-License-Identifier: BSD-3-Clause
 * Time that only goes forward, for whatever is not measured by the tick (clock.h). */
#ifndef PROBE_NOW_H
#define PROBE_NOW_H

#include <time.h>

/* Seconds since some moment before the program began, by CLOCK_MONOTONIC. */
static inline double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
