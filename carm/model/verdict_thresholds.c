/* SPDX-License-Identifier: BSD-3-Clause
 * The thresholds of verdicts, and why each is what it is (see verdict_thresholds.h). */
#include "verdict_thresholds.h"

const struct verdict_thresholds verdict_thresholds = {
    .near = {1.1, "near",
             "of a roof: what exceeds it by less may be bound by it all the same; by more, it does not bind",
             "mixed kernels exceed the lower of their two roofs by up to 9.6 % (DRAM at 4 flop/B, validation.md)"},
    .near_home = {1.05, "near home", "of the roof of where the data of what streams are: above it, `above its roof`",
                  "20 of 22 DRAM roofs of two virtual machines of one kind agree within 5.5 % "
                  "(`results/granite-rapids-*.json`); cold daxpy is at 104 % of its own (experiments/blas.md)"},
    .far = {0.4, "far",
            "of its roof: below, it waits for something else. Of memory's bandwidth: below, that does not bind",
            "what roofs explain reaches more: mixed kernels 68 % and more (validation.md), on a Granite "
            "Rapids blocked dgemm 47 % and FFTW 41 %; what waits reaches less: of one core's DRAM loads random lines "
            "10 to 36 %, of L1's and L2's a chain of whole lines 8 to 25 % (results/)"},
    .memory_binds =
        {0.8, "memory binds", "of what memory moves in such a mix of reads and writes: from there on it binds",
         "up to their ridge mixed kernels reach 84 % and more of DRAM's bandwidth (validation.md), STREAM 89 "
         "to 98 % (experiments/stream.md)"},
    .higher = {1.05, "higher", "times its own roof: one that allows more is another, the next one",
               "as `near home`: what differs by less may be the same roof, measured again"},
    .reaches = {0.7, "reaches", "of a roof of bandwidth: from there on it is told what the next one would allow",
                "who is bound by a roof is there: mixed kernels reach 68 % and more (validation.md)"},
    .own_traffic =
        {0.02, "own traffic",
         "between what a level allows by the program's own traffic and by its pattern's: both are told",
         "no measurement: as wide as a line in pictures (method.md). dgemv, for which it is, differs by 11 %: "
         "9n² bytes asked for, 8n² moved (workloads.md)"},
    .one_by_one =
        {0.5, "one by one",
         "of its time, by the latencies of its lines one after the other: below, it does not wait for them. Without a "
         "CPU: from there on it mostly did not run",
         "no measurement: what explains less than half of the time, even if nothing overlapped, is not the reason"},
    .kernel = {0.1, "kernel", "of its time, the kernel's, or without a CPU: from there on the verdict begins with it",
               "no measurement: what takes less is not why it is far from a roof"},
    .scarce = {0.01, "scarce", "flop per instruction: a program with fewer has `hardly any flop`",
               "a loop in Python that adds up floating-point numbers has 0.0014, a triad of scalar code 0.3"},
    .narrow = {0.8, "narrow", "of the widest code's bandwidth: narrower code that gets less has roofs of its own",
               "of what 512-bit code gets 256-bit code has 65 to 75 % in L1, whose ports make the difference, and 84 % "
               "and more behind it (`results/granite-rapids-*.json`)"},
    .streams =
        {2.02, "streams", "bytes asked for per byte of data: who asks for more uses some again",
         "reading and writing each byte once is 2, the other workloads that stream have 1 to 1.5 (workloads.md); "
         "1 % for the some hundred bytes that a run asks for besides its loop"},
    .fills = {0.6, "fills", "of a level, at most: data that are in it",
              "at half its size L2 has all of its bandwidth, at 0.7 72 % (Granite Rapids) or all (Zen 3) (curves in "
              "results/)"},
    .exceeds =
        {2, "exceeds", "times the level inside, at least: data that are not in that",
         "at twice the size of L2 and L3 bandwidth is within 10 % of the next level's, at 1.4 times 12 to 25 % "
         "above (curves in `results/granite-rapids-*.json`); on a busy Zen 3 L3 shows up to four times its size"},
    .few =
        {0.05, "few", "of its flop with FMA, or without: no matter for its ceiling",
         "by the ports: 5 % of additions beside FMA raise a Golden Cove's 256-bit ceiling from 16 to 16.8 flop/cycle, "
         "by as much as `higher`"},
    .traffic_weight = {0.75, "traffic weight",
                       "of a difference in traffic against one in stores, for what streams behind the first level",
                       "no measurement: over 0.5, or a copy would be judged by `update` where no copy was measured; "
                       "under 1, since stores are counted and traffic is theory"},
    .traffic_tie =
        {0.001, "traffic tie", "the same everywhere else",
         "no measurement: so small that traffic decides only between patterns with the same share of stores, "
         "the nearest of which are 1/12 apart"},
};
