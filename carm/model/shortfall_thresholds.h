/* SPDX-License-Identifier: BSD-3-Clause
 * Every threshold by which a shortfall is found and named. docs/spec.md shows this table; a test compares the two. */
#pragma once

#include "probe/threshold.h"

/* Thresholds only: the struct is also read as a list of SHORTFALL_THRESHOLD_COUNT. */
struct shortfall_thresholds {
    struct threshold tolerance, clock_wanders, clearly_more;
    struct threshold half_from, half_to, sustained, link_from, link_to;
    struct threshold l1_256_from, l1_256_to, l1_512_from, l1_512_to; /* seen before, not explained */
    struct threshold l2_from, l2_to, l3_from, l3_to;                 /* likewise */
    struct threshold memory_from;
    struct threshold guests;
};

enum { SHORTFALL_THRESHOLD_COUNT = sizeof(struct shortfall_thresholds) / sizeof(struct threshold) };

extern const struct shortfall_thresholds shortfall_thresholds;
