/* SPDX-License-Identifier: BSD-3-Clause
 * Every threshold by which roofs count as changed during a soak. */
#pragma once

#include "probe/threshold.h"

/* Thresholds only: the struct is also read as a list of SOAK_THRESHOLD_COUNT. */
struct soak_thresholds {
    struct threshold least[5]; /* by enum quantity_kind */
    /* a series */
    struct threshold judged_values, window_values, step_sigmas, rank_sigmas, drift_sigmas;
    /* the verdict and its sentence */
    struct threshold better_weighs, same_time_rounds, same_time_share, idle_cpus, hidden_drift, drift_s, larger_step;
};

enum { SOAK_THRESHOLD_COUNT = sizeof(struct soak_thresholds) / sizeof(struct threshold) };

extern const struct soak_thresholds soak_thresholds;
