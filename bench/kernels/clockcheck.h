/* SPDX-License-Identifier: BSD-3-Clause
 * The core clock proven: read in two or three independent ways under each kind of load, and followed over time. */
#ifndef BENCH_KERNELS_CLOCKCHECK_H
#define BENCH_KERNELS_CLOCKCHECK_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "probe/clock.h"
#include "probe/error.h"
#include "probe/machine.h"

enum { CLOCKCHECK_MAX_LOADS = 8, CLOCKCHECK_MAX_STEPS = 6 };

struct clock_point {
    double at_s;       /* since the start */
    unsigned load;     /* index into the loads */
    double slices_hz;  /* straight after the load, as bench/timing does; 0 where the readings did not agree */
    double woven_hz;   /* during the load, by construction; 0 at rest */
    double counted_hz; /* by the PMU's cycles; 0 without one */
};

/* One kind of load, over the whole history. */
struct clock_load {
    const char *name;                       /* "at rest", "avx512 FMA" */
    unsigned count;                         /* points */
    double slices_hz, woven_hz, counted_hz; /* medians; 0: not known */
    double min_hz, max_hz;                  /* of the slices' inner 90 % */
    double disagreement;                    /* of woven and slices: the median ratio less 1 */
    bool throttled;                         /* its last quarter ran over 3 % slower than its first */
    unsigned step_count;
    double steps_hz[CLOCKCHECK_MAX_STEPS]; /* clocks at which it spent 5 % of the time or more, rising */
};

struct clock_history {
    size_t count, capacity;
    struct clock_point *points;
    unsigned load_count;
    struct clock_load loads[CLOCKCHECK_MAX_LOADS];
};

/* Follows the first usable core's clock for `seconds`, at rest and under each load in turns. Error: no clock, no pin.
 */
bool clockcheck_run(struct clock_history *out, const struct machine *machine, const struct clock *clock, double seconds,
                    const volatile sig_atomic_t *stop, struct error *err);
void clockcheck_free(struct clock_history *history);

/* The loads' figures from the points; their names are kept. Pure. */
void clockcheck_summarise(struct clock_history *history);

#endif
