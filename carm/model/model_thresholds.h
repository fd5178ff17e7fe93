/* SPDX-License-Identifier: BSD-3-Clause
 * The thresholds of the model beside verdicts and shortfalls: the memory system under load, the clusters of its CPUs,
 * mixed kernels against the model, and numbers in words. */
#pragma once

#include "probe/threshold.h"

/* Thresholds only: the struct is also read as a list of MODEL_THRESHOLD_COUNT. */
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
