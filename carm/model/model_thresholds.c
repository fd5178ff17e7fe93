/* SPDX-License-Identifier: BSD-3-Clause
 * The thresholds of the model, each with its reason (see model_thresholds.h). */
#include "model_thresholds.h"

const struct model_thresholds model_thresholds = {
    .usable = {2, "usable", "times the idle latency, at most: bandwidth is usable",
               "no measurement: by definition of the figure `usable`"},
    .knee_rise = {1.15, "knee rise", "times the first latency, at full load: a flatter curve has no knee",
                  "latencies are known to 5 % (`unstable`), so both ends differ by more than their intervals"},
    .knee_depth = {0.05, "knee depth", "below the chord, in a square of side 1: a shallower point is no knee",
                   "no measurement: less is rounding"},
    .end_near_roof = {0.9, "end near roof",
                      "of a measured roof: if the highest bandwidth is lower, the curve ends at its loaders",
                      "no measurement: visits to one roof of memory agree within 5 % (method.md), on each side"},
    .end_queues = {1.5, "end queues", "times the idle latency: if full load has less, the curve ends at its loaders",
                   "no measurement: a memory at its limit queues, and a queue of half a latency is a short one"},
    .saturates = {0.95, "saturates", "of the highest bandwidth: the fewest chases that reach it saturate the level",
                  "visits to one roof of memory agree within 5 % (method.md)"},
    .still_rises = {0.9, "still rises", "of the most chases: if so many saturate it, the bandwidth still rises",
                    "in proportion, the first `saturates` is at 95 % of the chases"},
    .clusters_differ = {1.2, "clusters differ",
                        "times as long, by medians and between the quartiles that face each other: another cluster",
                        "no measurement: parts of a machine differ by more, pairs of one part by less"},
    .slow_pairs = {3, "slow pairs", "pairs, at least: a slower mode",
                   "disturbed pairs are slow: one or two are chance"},
    .slow_mode = {0.25, "slow mode", "of the faster pairs beside it, at least: a slower mode",
                  "no measurement: disturbed pairs are slow, but fewer"},
    .asymmetric = {1.1, "asymmetric", "times as long, if the other CPU touched the page first: the pair is asymmetric",
                   "pairs are known to 5 %, on each side"},
    .hidden = {0.5, "hidden", "of the last cache's latency, at most: both CPUs are in one core",
               "a line from another core passes the last cache, so it takes no less than that"},
    .step_s = {1e-9, "step", "s, of a latency, at least: a TLB ends there, whatever the intervals",
               "no measurement: 1 ns is 2 to 5 cycles, and a hit in a second TLB adds 7 (`TLB hit`)"},
    .tlb_hit_s = {5e-9, "TLB hit", "s, added to a load, at most: a hit in another TLB; more is a page walk",
                  "a hit in a second TLB adds 7 to 9 cycles (Intel 64 and IA-32 Architectures Optimization Reference "
                  "Manual, DTLB misses that hit the STLB), 4.5 ns at 2 GHz"},
    .few_uncertain = {0.1, "few uncertain", "of a part's points, at most: grade B", "by definition of the grade"},
    .half_uncertain = {0.5, "half uncertain", "of a part's points, at most: grade C", "by definition of the grade"},
    .vague = {0.25, "vague", "uncertainty of a roof: a larger one is shown as a range",
              "no measurement: a number with a wider interval has no second digit"},
    .far_below = {0.1, "far below", "of a range's upper end: a lower end below that has a unit of its own",
                  "no measurement: it would have a digit less"},
    .sizes = {3, "sizes", "of a curve within a level, at least: the level has a median", "fewer have no middle"},
    .limits_differ = {0.01, "limits differ", "below the model's limit: the ports limit a mixed kernel first",
                      "ceilings with a limit reach 98.9 to 100.9 % of it (results/)"},
    .ridge = {2, "ridge", "times the ridge's intensity, to both sides: a mixed kernel is at the ridge",
              "no measurement: nearer, both roofs bind; mixed kernels away from the ridge reach 68 % and more "
              "(validation.md)"},
};

/* The thresholds of shortfalls, each with its reason (see model_thresholds.h). */

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

/* The thresholds of verdicts, each with its reason (see model_thresholds.h). */

const struct verdict_thresholds verdict_thresholds = {
    .near = {1.1, "near", "of a roof: a program up to this far above it may still be bound by it",
             "mixed kernels exceed the lower of their two roofs by up to 9.6 % (DRAM at 4 flop/B, validation.md)"},
    .near_home = {1.05, "near home",
                  "of the roof of the level that holds a streaming program's data: higher is `above its roof`",
                  "20 of 22 DRAM roofs of two virtual machines of one kind agree within 5.5 % "
                  "(`results/granite-rapids-*.json`); cold daxpy is at 104 % of its own (experiments/blas.md)"},
    .far = {0.4, "far",
            "of its roof: below, it waits for something else. Of memory's bandwidth: below, memory does not bind",
            "programs bound by a roof reach more: mixed kernels away from the ridge 68 % and more (validation.md), on "
            "a Granite Rapids "
            "blocked dgemm 47 % and FFTW 41 %; waiting programs reach less: random lines 10 to 36 % of one core's DRAM "
            "loads, a chain of whole lines 8 to 25 % of L1's and L2's (results/)"},
    .memory_binds = {0.8, "memory binds",
                     "of memory's rate for such a mix of reads and writes: from here on memory binds",
                     "up to the ridge point mixed kernels reach 84 % and more of DRAM's bandwidth (validation.md), "
                     "STREAM 89 to 98 % (experiments/stream.md)"},
    .higher = {1.05, "higher", "times its own roof: a roof that allows more is the next one",
               "as `near home`: roofs that differ by less may be the same one, measured again"},
    .reaches = {0.7, "reaches", "of a bandwidth roof: from here on the verdict names the next one",
                "programs bound by a roof reach it: mixed kernels away from the ridge 68 % and more (validation.md)"},
    .own_traffic = {0.02, "own traffic",
                    "difference between a level's rate for the program's own traffic and for its pattern's: from here "
                    "on both are reported",
                    "no measurement: the width of a line in pictures (method.md). dgemv, the reason for it, differs by "
                    "11 %: 9n² bytes requested, 8n² moved (workloads.md)"},
    .one_by_one =
        {0.5, "one by one",
         "of its time, the latencies of its lines one after the other: below, it does not wait for them. Without a "
         "CPU: from here on it mostly did not run",
         "no measurement: latencies that explain less than half of the time, even without overlap, are not the reason"},
    .kernel = {0.1, "kernel", "of its time, in the kernel or without a CPU: from here on the verdict begins with it",
               "no measurement: a smaller share does not explain a large distance from a roof"},
    .scarce = {0.01, "scarce", "flop per instruction: a program with fewer has `hardly any flop`",
               "a loop in Python that adds up floating-point numbers has 0.0014, a triad of scalar code 0.3"},
    .many_per_cycle =
        {5, "many", "instructions per cycle: from here on the verdict begins with it",
         "no measurement: no core with a table here renames more than 8, and whatever waits for a chain or for cache "
         "lines executes fewer; sha256sum executes 6.1 on a Zen 5"},
    .crowd_threads =
        {0.33, "crowd",
         "threads at a time that wait for something else than the cause: from here on that is named, too",
         "no measurement: a thread that waits for a lock for a third of the time is worth a look, whoever holds it "
         "and sleeps"},
    .existing = {0.85, "existing", "of a program's threads, on average: if fewer existed, the verdict says how many",
                 "no measurement: threads that begin after the input is read, and end before the output, exist for "
                 "most of the time"},
    .ticks_s = {0.02, "ticks", "s, in the kernel or without a CPU: less is not reported",
                "five ticks of 4 ms, the unit of the kernel's time: fewer are chance"},
    .own_code = {0.9, "own code",
                 "of a loop's instructions, its own, without inner loops: a loop with fewer has no account",
                 "no measurement: an inner loop's share of 10 % hardly moves the time of an iteration"},
    .loads = {0.5, "loads", "of a loop's chain, in loads: a chain with more is a pointer chase",
              "no measurement: the larger part names it"},
    .refuted = {1.1, "refuted",
                "times the measured cycles, and more than the longest run took: a part that needs more is not true of "
                "this loop, so it neither binds nor promises anything",
                "right tables ask for up to 6 % more than measured (dot1, loops.md), and short loops whose passes "
                "overlap for 9 % (matmul); wrong ones for 15 % and more (a division on Zen 5: 13 cycles, and it takes "
                "6.1)"},
    .side_by_side = {4, "side by side",
                     "power: the parts of a loop side by side take as long as the root of the sum of these "
                     "powers, which is what a remedy for the longest one promises",
                     "of 727 random loops with 1 to 5 accumulators (load, own operations, sum) on a Zen 3 "
                     "while nobody else used its core, 97 % took within 25 % of this, the median 1 % less; "
                     "within 25 % of the longest part alone 84 %"},
    .mispredicted_cycles =
        {30, "mispredicted",
         "cycles of a mispredicted branch, at most, where the core's table has none: branches that could "
         "be `one by one` of what is unexplained are named",
         "22 measured on an Emerald Rapids behind a chain of 5 (golden-cove.core); on a busy Zen 5 a branch "
         "at random takes 15 cycles more than a constant one, and half of them are mispredicted"},
    .registers =
        {12, "registers", "accumulators, at most: more are not advised",
         "most code has 16 vector registers, and operands need some of them: with 12 accumulators of a sum all stay in "
         "registers (gcc 12, SSE and AVX2)"},
    .way_back = {2, "way back", "operations, at least, of one way back to a loop's begin: accumulators share it",
                 "no measurement: a counter, and a comparison that is one operation with its jump"},
    .again = {2, "again",
              "times a program's distinct lines, fetched over the link that binds it: from here on blocking "
              "is advised",
              "no measurement: with less, blocking gains less than half of that link's time"},
    .written_back = {0.8, "written back",
                     "of the lines that stores fetch: if so many are written back to memory, "
                     "non-temporal stores are advised",
                     "no measurement: non-temporal stores would write the rest to memory, too"},
    .unused = {0.75, "unused", "of each line from memory, used: with less, another layout is advised",
               "no measurement: a quarter of a line may be padding, or the ends of rows"},
    .narrow = {0.8, "narrow", "of the widest code's bandwidth: narrower code below this has roofs of its own",
               "256-bit code gets 65 to 75 % of the bandwidth of 512-bit code in L1, because of its ports, and 84 % "
               "and more beyond it (`results/granite-rapids-*.json`)"},
    .streams = {2.02, "streams", "bytes requested per byte of data: a program that requests more reuses data",
                "reading and writing each byte once is 2, the other streaming workloads have 1 to 1.5 (workloads.md); "
                "1 % for a few hundred bytes that a run requests outside its loop"},
    .fills = {0.6, "fills", "of a level, at most: the level holds the data",
              "at half its size L2 has all of its bandwidth, at 0.7 of it 72 % (Granite Rapids) or all (Zen 3) (curves "
              "in results/)"},
    .exceeds =
        {2, "exceeds", "times the next inner level, at least: that level does not hold the data",
         "at twice the size of L2 and L3 the bandwidth is within 10 % of the next level's, at 1.4 times 12 to 25 % "
         "above it (curves in `results/granite-rapids-*.json`); on a busy Zen 3, L3 appears up to four times its size"},
    .few = {0.05, "few", "of its flop with FMA, or without: a smaller share does not change its ceiling",
            "from the ports: 5 % additions beside FMA raise a Golden Cove's 256-bit ceiling from 16 to 16.8 "
            "flop/cycle, as much as `higher`"},
    .traffic_weight =
        {0.75, "traffic weight",
         "weight of a difference in traffic against one in stores, for streaming programs beyond the first level",
         "no measurement: over 0.5, or `update` would judge a copy if no copy was measured; under 1, because stores "
         "are counted and traffic is theory"},
    .traffic_tie = {0.001, "traffic tie", "the same weight everywhere else",
                    "no measurement: so small that traffic decides only between patterns with the same share of "
                    "stores; other shares differ by 1/12 or more"},
};
