/* SPDX-License-Identifier: BSD-3-Clause
 * What changes in a quantity over time: steps, and drift between them. One rule for both: a change counts if it is
 * large against the quantity's own scatter, so noise of any size, and noise that wanders, has none. Robust against
 * single values that lie far off. Pure. */
#ifndef CARM_SERIES_H
#define CARM_SERIES_H

#include <stdbool.h>
#include <stddef.h>

enum {
    SERIES_LEAST = 16, /* values: fewer are not judged */
    SERIES_MAX_STEPS = 16
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

struct series_changes {
    size_t count;                        /* values that were not NaN */
    double median, low, high;            /* 0 where there are none */
    bool judged;                         /* there were SERIES_LEAST values */
    double per_s, per_s_low, per_s_high; /* Theil-Sen slope, with its interval of 90 % */
    bool drifts;                         /* the slope is not zero by chance */
    size_t step_count;
    struct series_step steps[SERIES_MAX_STEPS]; /* by time */
};

/* Ignores steps of less than `least`, and a drift that makes less in all. */
struct series_changes series_changes_find(const struct timeline *series, double least);

#endif
