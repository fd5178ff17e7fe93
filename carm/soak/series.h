/* SPDX-License-Identifier: BSD-3-Clause
 * What changes in a quantity over time: steps, drift, periods. Robust against single values that lie far off, and
 * silent about noise: of 1,000 series of noise at most one is said to change (tests/unit/soak/test_series_changes.c
 * counts). Pure.
 *
 * Long series are halved, thirded, … to SERIES_MOST values by medians of neighbours. A period is sought first and taken
 * away, so that it makes no steps; then steps, then what drifts between them. */
#ifndef CARM_SERIES_H
#define CARM_SERIES_H

#include <stdbool.h>
#include <stddef.h>

enum {
    SERIES_LEAST = 12, /* values: of fewer nothing is told */
    SERIES_MOST = 2048,
    SERIES_MAX_STEPS = 16,
    SERIES_MAX_PERIODS = 3
};

/* Values in the order of time; NaN: none then. */
struct timeline {
    size_t count;
    const double *at_s, *values;
};

struct series_step {
    double at_s; /* between the last value before and the first one after */
    double from, to;
};

struct series_period {
    double period_s, amplitude; /* of the sine: half of what it moves */
};

struct series_changes {
    size_t count;                        /* values that were not NaN */
    double median, low, high;            /* 0 where there are none */
    double low_at_s, high_at_s;          /* when it was lowest, highest */
    double noise;                        /* standard deviation of what is left without steps, drift and periods */
    bool judged;                         /* there were SERIES_LEAST values */
    double per_s, per_s_low, per_s_high; /* Theil-Sen slope, with its interval of 90 % */
    bool drifts;                         /* the slope is not zero by chance */
    size_t step_count, period_count;
    struct series_step steps[SERIES_MAX_STEPS];       /* by time */
    struct series_period periods[SERIES_MAX_PERIODS]; /* the strongest first */
};

/* Steps and periods that move the value by less than `least` are passed over, and so is a drift that does in all. */
struct series_changes series_changes_find(const struct timeline *series, double least);

#endif
