/* SPDX-License-Identifier: BSD-3-Clause
 * The core clock verified: read in two or three independent ways under each kind of load, and followed over time. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "probe/clock.h"

struct error;
struct machine;

enum { CLOCKCHECK_MAX_LOADS = 8, CLOCKCHECK_MAX_STEPS = 6 };

struct clock_point {
    double at_s;       /* since the start */
    unsigned load;     /* index into the loads */
    double slices_hz;  /* read right after the load, as bench/kernels/timing.c does; 0 if the readings disagreed */
    double woven_hz;   /* during the load, derived from its known cycles; 0 at rest */
    double counted_hz; /* from the PMU's cycle counter; 0 without one */
};

/* One kind of load over the whole history. */
struct clock_load {
    const char *name;                       /* "at rest", "avx512 FMA" */
    unsigned count;                         /* points */
    double slices_hz, woven_hz, counted_hz; /* medians; 0: unknown */
    double min_hz, max_hz;                  /* inner 90 % of the slices */
    double disagreement;                    /* between woven and slices: the median ratio less 1 */
    bool throttled;                         /* the last quarter ran over 3 % slower than the first */
    unsigned step_count;
    double steps_hz[CLOCKCHECK_MAX_STEPS]; /* clocks held for 5 % of the time or more, rising */
};

struct clock_history {
    size_t count, capacity;
    struct clock_point *points;
    unsigned load_count;
    struct clock_load loads[CLOCKCHECK_MAX_LOADS];
};

/* Follows the first usable core's clock, at rest and under each load in turn, for `seconds` each. Error: no clock, or
 * the thread cannot be pinned. */
bool clockcheck_run(struct clock_history *out, const struct machine *machine, const struct clock *clock, double seconds,
                    const atomic_int *stop, struct error *err);
void clockcheck_free(struct clock_history *history);

/* Computes the loads' figures from the points; keeps their names. Pure. */
void clockcheck_summarise(struct clock_history *history);
