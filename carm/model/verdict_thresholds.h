/* SPDX-License-Identifier: BSD-3-Clause
 * Every threshold for a verdict and for the roofs that judge it. docs/applications.md shows this table; a test compares
 * the two. */
#pragma once

#include "probe/threshold.h"

/* Thresholds only: the struct is also read as a list of VERDICT_THRESHOLD_COUNT. */
struct verdict_thresholds {
    /* the verdict */
    struct threshold near, near_home, far, memory_binds, higher, reaches, own_traffic, one_by_one, kernel, scarce,
        many_per_cycle, crowd_threads, existing, ticks_s;
    /* the accounts of loops */
    struct threshold own_code, loads, refuted, side_by_side, mispredicted_cycles, registers, way_back;
    /* advice */
    struct threshold again, written_back, unused;
    /* the roofs that fit */
    struct threshold narrow, streams, fills, exceeds, few, traffic_weight, traffic_tie;
};

enum { VERDICT_THRESHOLD_COUNT = sizeof(struct verdict_thresholds) / sizeof(struct threshold) };

extern const struct verdict_thresholds verdict_thresholds;
