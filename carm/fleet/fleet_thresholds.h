/* SPDX-License-Identifier: BSD-3-Clause
 * Every threshold by which nodes are grouped, judged and diagnosed. */
#pragma once

#include "probe/threshold.h"

/* Thresholds only: the struct is also read as a list of FLEET_THRESHOLD_COUNT. */
struct fleet_thresholds {
    /* types of machines */
    struct threshold group_nodes, half_lost, small_class, memory_lost, same_size, of_one_name;
    /* usual values */
    struct threshold least_sigma, spread_nodes, dram_tolerance, clock_tolerance, ends_agree, end_octaves;
    /* who stands out */
    struct threshold class_sigmas, roof_sigmas, others_sigmas, have_it, clocks_low;
    /* why */
    struct threshold all_slow, low_clock, unit_lost, taken, quota_low, size_low, size_high;
};

enum { FLEET_THRESHOLD_COUNT = sizeof(struct fleet_thresholds) / sizeof(struct threshold) };

extern const struct fleet_thresholds fleet_thresholds;
