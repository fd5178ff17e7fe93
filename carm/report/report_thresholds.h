/* SPDX-License-Identifier: BSD-3-Clause
 * Every threshold by which an answer chooses its words. */
#pragma once

#include "probe/threshold.h"

/* Thresholds only: the struct is also read as a list of REPORT_THRESHOLD_COUNT. */
struct report_thresholds {
    /* memory */
    struct threshold evasion_known, evades, some_evaded, walk_range;
    /* several results */
    struct threshold same_clock, explained, many_alike;
    /* a ratio as a product */
    struct threshold factor, shared_out;
    /* an application */
    struct threshold subject_least, subject_most, subject_waits, interval, interval_first;
    /* curves, pipes of a core */
    struct threshold curve_inside, curve_outside, pipes_none, pipes_all;
    /* against theory */
    struct threshold model_agrees, work_agrees, openblas_agrees;
};

enum { REPORT_THRESHOLD_COUNT = sizeof(struct report_thresholds) / sizeof(struct threshold) };

extern const struct report_thresholds report_thresholds;
