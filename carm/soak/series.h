/* SPDX-License-Identifier: BSD-3-Clause
 * Changes of a quantity over time: steps, and drift between them. One rule for both: a change counts if it is large
 * against the quantity's own scatter, so noise of any size, and slowly varying noise, does not count. Robust against
 * outliers. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { SERIES_MAX_STEPS = 16 };

/* Values by time; NaN: no value then. */
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
    double median, low, high;            /* 0: no values */
    bool judged;                         /* there were enough values (soak_thresholds.h) */
    double per_s, per_s_low, per_s_high; /* Theil-Sen slope, with its interval of 90 % */
    bool drifts;                         /* the slope is not zero by chance */
    size_t step_count;
    struct series_step steps[SERIES_MAX_STEPS]; /* by time */
};

/* Ignores steps smaller than `least`, and a drift whose total is smaller. */
struct series_changes series_changes_find(const struct timeline *series, double least);
