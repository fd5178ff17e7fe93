/* SPDX-License-Identifier: BSD-3-Clause
 * Every number that a verdict, and the choice of the roofs that it is judged by, depends on. docs/applications.md shows
 * this table; a test compares the two. */
#ifndef CARM_VERDICT_THRESHOLDS_H
#define CARM_VERDICT_THRESHOLDS_H

#include "threshold.h"

/* Thresholds alone, so that it can be read as a list of VERDICT_THRESHOLD_COUNT. */
struct verdict_thresholds {
    /* the verdict */
    struct threshold near, near_home, far, memory_binds, higher, reaches, own_traffic, one_by_one, kernel, scarce;
    /* the roofs that fit */
    struct threshold narrow, streams, fills, exceeds, few, traffic_weight, traffic_tie;
};

enum { VERDICT_THRESHOLD_COUNT = sizeof(struct verdict_thresholds) / sizeof(struct threshold) };

extern const struct verdict_thresholds verdict_thresholds;

#endif
