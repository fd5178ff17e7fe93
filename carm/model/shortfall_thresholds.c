/* SPDX-License-Identifier: BSD-3-Clause
 * The thresholds of shortfalls, each with its reason (see model_thresholds.h). */
#include "model_thresholds.h"

const struct shortfall_thresholds shortfall_thresholds = {
    .tolerance = {0.02, "tolerance", "of the documented limit or a stated clock: a closer roof is at its limit",
                  "the 298 ceilings with a limit on Granite Rapids and Zen 3 reach 98.9 to 100.9 % of it (results/)"},
    .clock_wanders = {0.03, "clock wanders",
                      "below the median clock of narrower arithmetic: a lower clock is `AVX-512 clock`",
                      "within one result the clock of narrower arithmetic falls up to 2.8 % below its own median "
                      "(`results/granite-rapids-*.json`)"},
    .clearly_more = {1.05, "clearly more",
                     "times as much on fewer or more threads: the cause is sharing, or too few threads",
                     "visits to one roof of L3 or memory agree within 5 % (method.md)"},
    .half_from = {0.47, "half, from", "of a 512-bit limit: `one FMA unit`",
                  "no such machine was measured: other ceilings reach their limit within 1 % (`tolerance`), the rest "
                  "is for doubtful ones"},
    .half_to = {0.53, "half, to", "likewise", "likewise"},
    .sustained = {0.9, "sustained", "of the sustained figure that the vendor states: from here on it is reached",
                  "no machine with a stated figure was measured; L1 loads lose a tenth between sizes of the level "
                  "(curves in `results/granite-rapids-*.json`)"},
    .link_from = {0.4, "link, from", "of an Intel L2's peak, if no sustained figure is stated: `link peak`",
                  "a tenth below the lowest figure that Intel states for related cores, 29 of 64 B/cycle "
                  "(documented-limits.md)"},
    .link_to = {0.9, "link, to", "likewise",
                "a tenth above the highest such figure, 52 of 64 B/cycle (documented-limits.md)"},
    .l1_256_from = {0.87, "L1 256, from", "of the limit of 256-bit loads with stores: `known, not explained`",
                    "128 of 144 B/cycle: 88.9 to 89.0 % by one core and by two (`results/granite-rapids-*.json`)"},
    .l1_256_to = {0.91, "L1 256, to", "likewise", "likewise"},
    .l1_512_from = {0.92, "L1 512, from", "of the limit of 512-bit loads with stores: `known, not explained`",
                    "181 of 192 B/cycle: 94.4 to 94.5 % by one core and by two (`results/granite-rapids-*.json`)"},
    .l1_512_to = {0.96, "L1 512, to", "likewise", "likewise"},
    .l2_from = {0.45, "L2, from", "of the limit of patterns with stores in L2: `known, not explained`",
                "16.0 of 32 B/cycle of stores, 32.8 to 34.0 of 48 of two loads and a store: 50 to 71 % "
                "(`results/granite-rapids-*.json`, by the limits of Sapphire Rapids)"},
    .l2_to = {0.75, "L2, to", "likewise", "likewise"},
    .l3_from = {0.55, "L3, from", "of the limit of loads from L3 of Zen 3 and Zen 4: `known, not explained`",
                "13.8 to 27 of 24 and 32 B/cycle: 58 to 85 % (`results/zen3-2-cores-vm.json`, "
                "`results/zen4-2-cores-vm.json`)"},
    .l3_to = {0.9, "L3, to", "likewise", "likewise"},
    .memory_from = {0.75, "memory, from",
                    "of the channels' peak: from here on memory is as specified, and `memory overhead`",
                    "STREAM's best kernel reaches 78 and 79 % of the peak of DDR4-1600 (TI, SPRAD45A and SPRACV1B); no "
                    "machine with known modules was measured"},
    .guests = {0.5, "guests", "of the shortfall: repetitions that differ by more indicate other guests",
               "no measurement: intermittent guests cause spread, not a steady shortfall"},
};
