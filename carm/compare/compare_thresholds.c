/* SPDX-License-Identifier: BSD-3-Clause
 * The thresholds of comparisons, each with its reason (see compare_thresholds.h). */
#include "compare_thresholds.h"

const struct compare_thresholds compare_thresholds = {
    .tolerances = {{0.03, "compute", "from the baseline: a roof of arithmetic fails, or is better",
                    "the usual difference of two runs on one quiet machine (docs/repeatability.md), with some margin: "
                    "sharing grows with the distance from the core"},
                   {0.03, "L1", "likewise, a roof of L1", "likewise"},
                   {0.05, "L2", "likewise, a roof of L2", "likewise"},
                   {0.10, "L3", "likewise, a roof of L3", "likewise"},
                   {0.10, "DRAM", "likewise, a roof of memory", "likewise"},
                   {0.10, "latency", "likewise, a latency", "likewise"}},
    .alone = {2, "alone", "times the tolerance, for a roof that is slow while others of its kind are not",
              "there are hundreds of roofs, and chance finds one"},
    .core_differs = {1.15, "core differs", "times the cycles of the base: an instruction differs",
                     "no measurement: whole cycles up to 6 differ by more, and those of one core by less"},
    .same = {5e-4, "same", "from the base: less is shown as equal", "a percentage with one decimal would be 0.0"},
};
