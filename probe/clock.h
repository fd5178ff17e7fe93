/* SPDX-License-Identifier: BSD-3-Clause
 * Time and the core clock without a performance monitoring unit. A chain of n dependent register adds takes n cycles,
 * so its time tells the clock; read within microseconds of a kernel's end, it tells the clock that the kernel ran at.
 */
#ifndef PROBE_CLOCK_H
#define PROBE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"

enum { CLOCK_SLICES = 3 };

struct clock {
    double tick_hz;        /* of clock_tick() */
    bool uses_tsc;         /* false: CLOCK_MONOTONIC_RAW in nanoseconds, where the TSC is not invariant or disagrees */
    double overhead_ticks; /* of reading the tick around a slice; subtracted by clock_slice_hz() */
    double rest_hz;        /* core clock with nothing else running, median of many slices */
    double multiply_hz;    /* the same by a chain of 3-cycle multiplies: the cross-check */
    char doubt[160];       /* "" or why the clock is not to be believed */
};

/* Validates the tick against CLOCK_MONOTONIC_RAW, and the core clock by two chains of different latency. Takes about
 * 30 ms. Error: the chains disagree by more than 3 % even in the best of several rounds. */
bool clock_open(struct clock *out, struct error *err);

/* The tick, ordered against earlier and later instructions. */
uint64_t clock_tick(const struct clock *clock);

/* The core clock over the next microsecond. Call it CLOCK_SLICES times straight after a kernel: a core that ran heavy
 * vector code keeps the lower clock for only about 3 µs. */
double clock_slice_hz(const struct clock *clock);

double clock_seconds(const struct clock *clock, uint64_t from_tick, uint64_t to_tick);

#endif
