/* SPDX-License-Identifier: BSD-3-Clause
 * The thresholds of shortfalls, and why each is what it is (see shortfall_thresholds.h). */
#include "shortfall_thresholds.h"

const struct shortfall_thresholds shortfall_thresholds = {
    .tolerance = {0.02, "tolerance", "of the documented limit, or of a stated clock: what is closer is at it",
                  "the 298 ceilings with a limit on Granite Rapids and Zen 3 reach 98.9 to 100.9 % of it (results/)"},
    .clock_wanders = {0.03, "clock wanders", "under the median clock of narrower arithmetic: lower is `AVX-512 clock`",
                      "within one result the clock of narrower arithmetic falls up to 2.8 % under its own median "
                      "(`results/granite-rapids-*.json`)"},
    .clearly_more = {1.05, "clearly more",
                     "times as much on fewer or more threads: then sharing, or too few, is the cause",
                     "visits to one roof of L3 or memory agree within 5 % (method.md)"},
    .half_from =
        {0.47, "half, from", "of a 512-bit limit: `one FMA unit`",
         "no such machine was measured: other ceilings reach their limit to 1 % (`tolerance`), the rest is for "
         "doubtful ones"},
    .half_to = {0.53, "half, to", "likewise", "likewise"},
    .sustained = {0.9, "sustained", "of what the vendor says is sustained: from there on it is reached",
                  "no machine whose vendor states it was measured; a tenth is what L1 loads lose between sizes of the "
                  "level (curves in `results/granite-rapids-*.json`)"},
    .link_from = {0.4, "link, from", "of an Intel L2's peak, where none states what is sustained: `link peak`",
                  "a tenth under the lowest that Intel states of relatives, 29 of 64 B/cycle (documented-limits.md)"},
    .link_to = {0.9, "link, to", "likewise",
                "a tenth over the highest that it states, 52 of 64 B/cycle (documented-limits.md)"},
    .l1_256_from = {0.87, "L1 256, from", "of the limit of 256-bit loads with stores: `known, not explained`",
                    "128 of 144 B/cycle: 88.9 to 89.0 % by one core and by two (`results/granite-rapids-*.json`)"},
    .l1_256_to = {0.91, "L1 256, to", "likewise", "likewise"},
    .l1_512_from = {0.92, "L1 512, from", "the same of 512 bits",
                    "181 of 192 B/cycle: 94.4 to 94.5 % by one core and by two (`results/granite-rapids-*.json`)"},
    .l1_512_to = {0.96, "L1 512, to", "likewise", "likewise"},
    .l2_from = {0.45, "L2, from", "of the limit of patterns with stores in L2: the same",
                "16.0 of 32 B/cycle of stores, 32.8 to 34.0 of 48 of two loads and a store: 50 to 71 % "
                "(`results/granite-rapids-*.json`, by the limits of Sapphire Rapids)"},
    .l2_to = {0.75, "L2, to", "likewise", "likewise"},
    .guests = {0.5, "guests", "of the shortfall: repetitions that differ by more are a sign of other guests",
               "no measurement: who takes time now and then shows as spread; a steady shortfall is not theirs"},
};
