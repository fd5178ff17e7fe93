/* SPDX-License-Identifier: BSD-3-Clause
 * The doubts, one row each. */
#include "doubt.h"

#include <stdio.h>
#include <string.h>

const struct doubt doubt_table[] = {
    {DOUBT_TOO_SHORT, "too short", "a repetition took under 20 µs, so the cost of starting it shows",
     "choose a larger working set"},
    {DOUBT_UNSTABLE, "unstable",
     "its interval is wider than 1 % (L3 and memory 5 %): it was visited too seldom, or visits differ because others "
     "use "
     "this machine",
     "stop other programs and virtual machines on this host, then measure again: resuming keeps what is settled"},
    {DOUBT_CLOCK_DRIFTED, "clock drifted",
     "the core clock moved by more than 5 % between repetitions, or while it was read",
     "fix the frequency (governor `performance`, turbo off), or compare per cycle"},
    {DOUBT_CLOCK_UNKNOWN, "clock unknown", "the core clock could not be read, so nothing is known per cycle",
     "run on a quieter machine"},
    {DOUBT_CLOCK_UNCERTAIN, "clock uncertain",
     "two ways of reading the core clock did not agree within 1 % in 2 s, so what is known per cycle is that uncertain",
     "see `carmine clock`; stop other programs and virtual machines on this host, then `carmine run --resume FILE`"},
    {DOUBT_NO_HUGE_PAGES, "no huge pages",
     "the buffer lies in 4 KiB pages, so address translation is part of the number",
     "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"},
    {DOUBT_NOT_ONLY_THIS_LEVEL, "working set is not only this level",
     "no size fits this level without a good part of it fitting the level inside",
     "read it as a lower bound of what the inner level adds; see `carmine sweep`"},
    {DOUBT_SIZE_DISAGREES, "detected size disagrees",
     "the sweep's step is not where the detected cache size says: a shared or partitioned cache, or a virtual machine",
     "see `carmine sweep`; the roof is measured where the level was found"},
    {DOUBT_SMALL_BUFFER, "buffer under four times the last-level cache",
     "there is not enough free memory to read DRAM alone", "free memory or raise the memory limit"},
    {DOUBT_FP_ASSIST, "floating-point assist", "an operand became invalid, denormal or infinite, which is slow",
     "report this kernel as a defect"},
    {DOUBT_CORE_SHARED, "core shared",
     "the scheduler took the core away in most repetitions, or for so long that better code was not looked for: a quota "
     "of CPU time (control group), idle scheduling (SCHED_IDLE, nice), or other programs; or several cores did less per "
     "cycle than one does alone, as where two CPUs of a virtual machine run on one core",
     "lift the quota (docker: no --cpus; systemd: CPUQuota=), stop other programs, or run on reserved cores (taskset, "
     "cset, Slurm --exclusive; for a virtual machine a whole core for each CPU); a longer --budget helps, too"},
    {DOUBT_INTERRUPTED, "interrupted", "the run was stopped before all repetitions were done", "run again"},
    {DOUBT_ABOVE_DOCUMENTED, "above documented",
     "more than 1 % above the documented limit: the clock reading or the documented limit is wrong",
     "check `carmine machine` for the microarchitecture it assumes"},
    {DOUBT_MASKED_CPU, "masked CPU", "the CPU's model number contradicts its features",
     "ask for the host's CPU model; documented limits are judged by features"},
    {DOUBT_SHARED_CACHE, "cache shared with others",
     "this level is shared with cores outside this measurement, so their load shows in it",
     "use all cores of the cache, or keep the others idle"},
    {DOUBT_OTHERS_ACTIVE, "others active",
     "other programs kept CPUs busy meanwhile, and this level is shared with them",
     "stop other programs on this host, then run again"},
    {DOUBT_MEMORY_ELSEWHERE, "memory elsewhere",
     "pages of the buffers do not lie on the memory node meant for them, or the system does not tell where they lie",
     "free memory on that node (numactl -H), and allow mbind and move_pages (containers: --cap-add SYS_NICE)"},
    {DOUBT_MULTIPLEXED, "multiplexed",
     "the CPU has fewer counters than events were asked for, so each was counted part of the time",
     "count fewer metrics (--events), or exactly (--counters count)"},
    {DOUBT_OTHER_CODE, "other code counted",
     "valgrind hides AVX-512, so a library that chooses its code by the CPU runs other code when it is "
     "counted than when it is timed",
     "count with --counters count"},
    {DOUBT_OPEN_REGION, "region not closed",
     "begin and end of the region do not pair, or another began in it and ended behind it, so what it covers may not "
     "be what the source says",
     "give each begin its end on the same thread, the innermost first"},
    {DOUBT_ESTIMATED_BYTES, "bytes estimated",
     "counters count load and store instructions; their bytes are weighted by the vector width of the "
     "arithmetic",
     "count exactly (--counters count)"},
    {DOUBT_SIMULATED, "traffic simulated",
     "DRAM bytes are of a simulated cache without prefetchers, shared by no one else",
     "measure with uncore counters where they are permitted (root, or perf_event_paranoid <= 0)"},
    {DOUBT_OTHER_CACHE, "another cache simulated",
     "DRAM bytes are of a last-level cache of another size than this machine's, whose DRAM roof is not theirs",
     "leave --llc out"},
    {DOUBT_FEW_SAMPLES, "few samples", "fewer than 100 samples of CPU time fell into this function",
     "run it longer or more often (--repeat)"},
    {DOUBT_NOT_CALIBRATED, "not calibrated",
     "these counters were not checked against kernels of known counts on this machine",
     "run `carmine doctor --counters`"},
    {DOUBT_BYTES_UNKNOWN, "some bytes unknown",
     "it executes instructions whose bytes are not known: saves of the CPU's state",
     "--by function tells which functions save it; mark what matters without them, or state the bytes (--bytes)"},
    {DOUBT_OTHER_MACHINE, "other machine", "it was measured on another machine than the roofs of this file",
     "measure both on one machine"},
    {DOUBT_RUNS_DIFFER, "runs differ",
     "what it does depends on time or chance: its runs did not do the same, so what was counted is not what was timed, "
     "and is not told",
     "let the program do a fixed amount of work, not work for a fixed time; or mark what it does again and again, the "
     "same each time: counts are then taken per call"},
    {DOUBT_KILLED, "processes killed",
     "processes that it started were killed before they could leave their counts, so what they did is missing",
     "let them end by themselves, or by a signal that a process can handle (SIGTERM, not SIGKILL)"},
    {DOUBT_ABOVE_ROOF, "above its roof",
     "it is faster than the roof of its pattern, by more than roofs spread: the roofs are of another time, clock or "
     "pattern, or its data are in a faster level than they are said to be",
     "measure roofs and point one after the other on a quiet machine (carmine run, then this); with cold data choose a "
     "larger size"},
    {DOUBT_IMPORTED, "imported",
     "another tool measured it, by its own rules; carmine took the number as it is (docs/import.md says what each "
     "means)",
     "measure it with `carmine run` or `carmine app` where that is possible"},
};
const size_t doubt_count = sizeof doubt_table / sizeof doubt_table[0];

const struct doubt *doubt_find(const char *name) {
    for (size_t i = 0; i < doubt_count; i++)
        if (strcmp(doubt_table[i].name, name) == 0)
            return &doubt_table[i];
    return NULL;
}

char *doubt_names(uint32_t doubts, char *out, size_t size) {
    size_t length = 0;
    out[0] = '\0';
    for (size_t i = 0; i < doubt_count && length < size; i++)
        if (doubts & doubt_table[i].bit)
            length += (size_t)snprintf(out + length, size - length, "%s%s", length ? ", " : "", doubt_table[i].name);
    return out;
}
