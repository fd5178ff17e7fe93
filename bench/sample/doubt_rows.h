/* SPDX-License-Identifier: BSD-3-Clause
 * The doubts, one row each: DOUBT(NAME, KIND, name, cause, remedy). doubt.h makes enum doubt_id of the rows, doubt.c
 * doubt_table. A new doubt is a new row here and nothing else; names stand in result files and are never changed. */

DOUBT(TOO_SHORT, MEASUREMENT, "too short", "a repetition took under 20 µs, so the cost of starting it shows",
      "choose a larger working set")
DOUBT(UNSTABLE, MEASUREMENT, "unstable",
      "its interval is wider than 1 % (L3 and memory 5 %): it was visited too seldom, or visits differ because others "
      "use this machine",
      "stop other programs and virtual machines on this host, then measure again: resuming keeps what is settled")
DOUBT(CLOCK_DRIFTED, PASSING, "clock drifted",
      "the core clock moved by more than 5 % between repetitions, or while it was read",
      "fix the frequency (governor `performance`, turbo off), or compare per cycle")
DOUBT(CLOCK_UNKNOWN, CONDITION, "clock unknown", "the core clock could not be read, so nothing is known per cycle",
      "run on a quieter machine")
DOUBT(NO_HUGE_PAGES, CONDITION, "no huge pages",
      "the buffer lies in 4 KiB pages, so address translation is part of the number",
      "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled")
DOUBT(NOT_ONLY_THIS_LEVEL, CONDITION, "working set is not only this level",
      "no size fits this level without a good part of it fitting the level inside",
      "read it as a lower bound of what the inner level adds; see `carmine sweep`")
DOUBT(SIZE_DISAGREES, CONDITION, "detected size disagrees",
      "the sweep's step is not where the detected cache size says: a shared or partitioned cache, or a virtual machine",
      "see `carmine sweep`; the roof is measured where the level was found")
DOUBT(SMALL_BUFFER, CONDITION, "buffer under four times the last-level cache",
      "there is not enough free memory to read DRAM alone", "free memory or raise the memory limit")
DOUBT(FP_ASSIST, MEASUREMENT, "floating-point assist", "an operand became invalid, denormal or infinite, which is slow",
      "report this kernel as a defect")
DOUBT(CORE_SHARED, PASSING, "core shared",
      "the scheduler took the core away in most repetitions, or for so long that better code was not looked for: a "
      "quota of CPU time (control group), idle scheduling (SCHED_IDLE, nice), or other programs; or several cores did "
      "less per cycle than one does alone, as where two CPUs of a virtual machine run on one core",
      "lift the quota (docker: no --cpus; systemd: CPUQuota=), stop other programs, or run on reserved cores (taskset, "
      "cset, Slurm --exclusive; for a virtual machine a whole core for each CPU); a longer --budget helps, too")
DOUBT(INTERRUPTED, MEASUREMENT, "interrupted", "the run was stopped before all repetitions were done", "run again")
DOUBT(ABOVE_DOCUMENTED, CONDITION, "above documented",
      "more than 1 % above the documented limit: the clock reading or the documented limit is wrong",
      "check `carmine machine` for the microarchitecture it assumes")
DOUBT(MASKED_CPU, CONDITION, "masked CPU", "the CPU's model number contradicts its features",
      "ask for the host's CPU model; documented limits are judged by features")
DOUBT(SHARED_CACHE, CONDITION, "cache shared with others",
      "this level is shared with cores outside this measurement, so their load shows in it",
      "use all cores of the cache, or keep the others idle")
DOUBT(OTHERS_ACTIVE, PASSING, "others active",
      "other programs kept CPUs busy meanwhile, and this level is shared with them",
      "stop other programs on this host, then run again")
DOUBT(MEMORY_ELSEWHERE, CONDITION, "memory elsewhere",
      "pages of the buffers do not lie on the memory node meant for them, or the system does not tell where they lie",
      "free memory on that node (numactl -H), and allow mbind and move_pages (containers: --cap-add SYS_NICE)")
DOUBT(MULTIPLEXED, PROGRAM, "multiplexed",
      "the CPU has fewer counters than events were asked for, so each was counted part of the time",
      "count fewer metrics (--events), or exactly (--counters count)")
DOUBT(OTHER_CODE, PROGRAM, "other code counted",
      "version 0.2 could count under valgrind, which hides AVX-512: a library that chooses its code by the CPU then "
      "ran other code than when it was timed",
      "measure it again")
DOUBT(OPEN_REGION, PROGRAM, "region not closed",
      "begin and end of the region do not pair, or another began in it and ended behind it, so what it covers may not "
      "be what the source says",
      "give each begin its end on the same thread, the innermost first")
DOUBT(ESTIMATED_BYTES, PROGRAM, "bytes estimated",
      "counters count load and store instructions; their bytes are weighted by the vector width of the arithmetic",
      "count exactly (--counters count)")
DOUBT(SIMULATED, PROGRAM, "traffic simulated",
      "DRAM bytes are of a simulated cache without prefetchers, shared by no one else",
      "measure with uncore counters where they are permitted (root, or perf_event_paranoid <= 0)")
DOUBT(FEW_SAMPLES, PROGRAM, "few samples", "fewer than 100 samples of CPU time fell into this function",
      "run it longer or more often (--repeat)")
DOUBT(NOT_CALIBRATED, PROGRAM, "not calibrated",
      "these counters were not checked against kernels of known counts on this machine",
      "run `carmine doctor --counters`")
DOUBT(BYTES_UNKNOWN, PROGRAM, "some bytes unknown",
      "it executes instructions whose bytes are not known: saves of the CPU's state",
      "--by function tells which functions save it; mark what matters without them, or state the bytes (--bytes)")
DOUBT(OTHER_MACHINE, PROGRAM, "other machine", "it was measured on another machine than the roofs of this file",
      "measure both on one machine")
DOUBT(RUNS_DIFFER, PROGRAM, "runs differ",
      "what it does depends on time or chance: its runs did not do the same, so what was counted is not what was "
      "timed, and is not told",
      "let the program do a fixed amount of work, not work for a fixed time; or mark what it does again and again, the "
      "same each time: counts are then taken per call")
DOUBT(ABOVE_ROOF, PROGRAM, "above its roof",
      "it is faster than the roof of its pattern, by more than roofs spread: the roofs are of another time, clock or "
      "pattern, or its data are in a faster level than they are said to be",
      "measure roofs and point one after the other on a quiet machine (carmine run, then this); with cold data choose "
      "a larger size")
DOUBT(IMPORTED, MEASUREMENT, "imported",
      "another tool measured it, by its own rules; carmine took the number as it is (docs/import.md says what each "
      "means)",
      "measure it with `carmine run` or `carmine app` where that is possible")
DOUBT(OTHER_CACHE, PROGRAM, "another cache simulated",
      "DRAM bytes are of a last-level cache of another size than this machine's, whose DRAM roof is not theirs",
      "leave --cache out")
DOUBT(
    CLOCK_UNCERTAIN, MEASUREMENT, "clock uncertain",
    "two ways of reading the core clock did not agree within 1 % in 2 s, so what is known per cycle is that uncertain",
    "see `carmine clock`; stop other programs and virtual machines on this host, then `carmine run --resume FILE`")
DOUBT(KILLED, PROGRAM, "processes killed",
      "processes that it started were killed before they could leave their counts, so what they did is missing",
      "let them end by themselves, or by a signal that a process can handle (SIGTERM, not SIGKILL)")
DOUBT(OTHER_OUTPUT, PROGRAM, "other output",
      "the run that was counted wrote more or fewer bytes than the runs that were timed, so it may have done something "
      "else",
      "find what it does otherwise when it is slow, or when a library is preloaded (LD_PRELOAD); where it prints its "
      "progress every few seconds, "
      "switch that off")
