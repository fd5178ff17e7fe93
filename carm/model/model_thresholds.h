/* SPDX-License-Identifier: BSD-3-Clause
 * The thresholds of the model: of memory and mixed kernels, of shortfalls, of verdicts. */
#pragma once

#include "probe/threshold.h"

/* Of the memory system under load, the clusters of its CPUs, mixed kernels against the model, and numbers in words.
 * Thresholds only: the struct is also read as a list of MODEL_THRESHOLD_COUNT. */
struct model_thresholds {
    /* loaded latency */
    struct threshold usable, knee_rise, knee_depth, end_near_roof, end_queues;
    /* parallel chases */
    struct threshold saturates, still_rises;
    /* clusters of CPUs */
    struct threshold clusters_differ, slow_pairs, slow_mode, asymmetric, hidden;
    /* TLBs */
    struct threshold step_s, tlb_hit_s;
    /* how far numbers can be trusted */
    struct threshold few_uncertain, half_uncertain, vague, far_below;
    /* levels by their sizes, mixed kernels */
    struct threshold sizes, limits_differ, ridge;
};

enum { MODEL_THRESHOLD_COUNT = sizeof(struct model_thresholds) / sizeof(struct threshold) };

extern const struct model_thresholds model_thresholds;

/* Every threshold by which a shortfall is found and named. docs/spec.md shows this table; a test compares the two. */

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

/* Every threshold for a verdict and for the roofs that judge it. docs/applications.md shows this table; a test compares
 * the two. */

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
