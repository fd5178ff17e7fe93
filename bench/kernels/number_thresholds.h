/* SPDX-License-Identifier: BSD-3-Clause
 * Every threshold by which measurements become a number with its interval, and by which numbers are doubted and graded.
 * The choice of the next measurement has its own in campaign_thresholds.h. */
#pragma once

#include "probe/threshold.h"

/* Thresholds only: the struct is also read as a list of NUMBER_THRESHOLD_COUNT. */
struct number_thresholds {
    /* repetitions of a visit */
    struct threshold late_s, too_short_s, tick_steps, clock_drifts, together, core_alone, cores_apart, cache_apart,
        undisturbed, filtered;
    /* visits that agree: per cycle if the core clock paces the work, else per second */
    struct threshold paced_agree, paced_agree_most, unpaced_agree, refuted, above_documented;
    /* intervals; a roof is settled within its bound, else `unstable` */
    struct threshold paced_bound, unpaced_bound, unpaced_within, paced_alone, unpaced_alone;
    /* this machine's habit, from differences between visits */
    struct threshold few_differences, usual, paced_deviation, unpaced_deviation, paced_alone_least, unpaced_alone_least,
        alone_most;
    struct threshold taken, unsearched, others_take, sibling_takes;
    /* headline roofs */
    struct threshold same_height;
    /* levels */
    struct threshold levels_agree, level_step, on_plateau, window_low, window_high;
    /* other programs, in CPUs and s */
    struct threshold others_matter, others_work, others_ticks_s, others_watch_s, others_forget_s;
    /* counters, the clock, maps of shapes */
    struct threshold counter_low, counter_high, clock_step_hz, clock_step_share, throttled, shape_enough;
};

enum { NUMBER_THRESHOLD_COUNT = sizeof(struct number_thresholds) / sizeof(struct threshold) };

extern const struct number_thresholds number_thresholds;
