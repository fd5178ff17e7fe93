/* SPDX-License-Identifier: BSD-3-Clause
 * Every number by which a session divides its time: between sweeps, roofs and the core, and saving. */
#pragma once

#include "probe/threshold.h"

/* Thresholds only: the struct is also read as a list of SESSION_THRESHOLD_COUNT. */
struct session_thresholds {
    /* a machine */
    struct threshold budget_s, quick_budget_s, sweeps, core_s, core_share, core_least_s;
    /* a core, a memory system */
    struct threshold pairs, memory_sweep;
    /* saving */
    struct threshold save_s, save_rarely_s, save_share;
};

enum { SESSION_THRESHOLD_COUNT = sizeof(struct session_thresholds) / sizeof(struct threshold) };

extern const struct session_thresholds session_thresholds;
