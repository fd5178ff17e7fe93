/* SPDX-License-Identifier: BSD-3-Clause
 * Every threshold by which results are compared. */
#pragma once

#include "probe/threshold.h"

/* Thresholds only: the struct is also read as a list of COMPARE_THRESHOLD_COUNT. */
struct compare_thresholds {
    struct threshold tolerances[6]; /* by enum check_class */
    struct threshold alone, core_differs, same;
};

enum { COMPARE_THRESHOLD_COUNT = sizeof(struct compare_thresholds) / sizeof(struct threshold) };

extern const struct compare_thresholds compare_thresholds;
