/* SPDX-License-Identifier: BSD-3-Clause
 * The thresholds of sessions, each with its reason (see session_thresholds.h). */
#include "session_thresholds.h"

const struct session_thresholds session_thresholds = {
    .budget_s = {60, "budget", "s, for a machine, at most",
                 "the last 20 of 60 s gain little on a busy virtual machine (repeatability.md)"},
    .quick_budget_s = {10, "quick budget", "likewise, of a quick run",
                       "no headline roof of compute and L1 was below 97 % of the full run's (repeatability.md)"},
    .sweeps = {0.5, "sweeps", "of the time without the core's, for all sweeps, at most",
               "no measurement: each sweep visits each size once, and roofs need the ends of the levels"},
    .core_s = {2, "core", "s, for the core's instructions, at most",
               "no measurement: twice `core, least`, so that disturbed values are measured again"},
    .core_share = {0.1, "core, share", "likewise, of the time", "no measurement: a quick run has time for its roofs"},
    .core_least_s = {0.9, "core, least", "s: with less time left the core is not measured",
                     "three rounds of its forms take as long"},
    .pairs = {0.125, "pairs", "of a core's time, for pairs of instructions", "no measurement: there are fewer pairs"},
    .memory_sweep = {0.2, "memory sweep", "of a memory system's time, for finding the levels, at most",
                     "no measurement: its sweep is coarse"},
    .save_s = {1, "save", "s between two saves of a partial result, at least",
               "no measurement: one second of work may be lost"},
    .save_rarely_s = {1.8, "save, rarely", "likewise, at most: slow saves are rarer",
                      "no measurement: with the current step two seconds may be lost"},
    .save_share = {0.01, "save, share", "of the time, for saving: slow saves are rarer",
                   "no measurement: saving uses memory and caches beside a measurement"},
};
