/* SPDX-License-Identifier: BSD-3-Clause
 * The fields of a result file: a table for each struct, the whole file last. */
#include "result_fields.h"

#include "ranges.h"
#include "results.h"
#include "asm/instruction.h"
#include "bench/profile/profile.h"
#include "bench/programs/app_point.h"
#include "bench/programs/waits.h"
#include "probe/error.h"

/* Limits of lists. Larger files come from no real run: a damaged or hostile file must not fill the memory. Each list
 * fits RESULT_MOST_BYTES. */
enum { MAX_FORMS = 8000, MAX_SAMPLES = 20000, MAX_CURVES = 1000, MAX_POINTS = 10000, MAX_PAIRS = 20000 };

const char *const result_schema[] = {"carmine.result/1", NULL};
const char *const results_kind_names[] = {"compute", "bandwidth", "latency", NULL};

#define CYCLE "per cycle and core"
#define VALUE "flop/s, B/s or s"

static const struct field CPU_FIELDS[] = {
    FIELD(cpu_identity, vendor, FIELD_TEXT, NULL, "`GenuineIntel`, by CPUID; Arm's implementer, by MIDR_EL1: `Fujitsu`",
          .scanned = true),
    FIELD(cpu_identity, brand, FIELD_TEXT, NULL, "name of the CPU", .scanned = true),
    FIELD(cpu_identity, family, FIELD_COUNT, NULL, "of CPUID; of Arm's cores 8", .scanned = true),
    FIELD(cpu_identity, model, FIELD_COUNT, NULL, "of CPUID; Arm's part number", .scanned = true),
    FIELD(cpu_identity, stepping, FIELD_COUNT, NULL, "of CPUID; Arm's 16 * variant + revision", .scanned = true),
    FIELD(cpu_identity, features, FIELD_FEATURES, NULL,
          "features that kernels may need, if the operating system allows them", .scanned = true),
    FIELD(cpu_identity, hypervisor, FIELD_TEXT, NULL, "`KVMKVMKVM`; empty on bare metal", .scanned = true),
    FIELD(cpu_identity, base_clock_hz, FIELD_NUMBER, "Hz", "base clock, as CPUID or the firmware states it",
          .missing = "not stated, or an older file"),
    FIELD(cpu_identity, boost_clock_hz, FIELD_NUMBER, "Hz", "highest clock, likewise",
          .missing = "see `base_clock_hz`"),
    {0},
};
static const struct field SHAPE_FIELDS[] = {
    FIELD(cache_shape, size_bytes, FIELD_BYTES, "B", "of one instance"),
    FIELD(cache_shape, associativity, FIELD_WHOLE, NULL, "ways; -1: fully associative, 0: not known"),
    FIELD(cache_shape, sharing_core_count, FIELD_COUNT, NULL, "cores that share one; 0: only some PUs of a core"),
    FIELD(cache_shape, instance_count, FIELD_COUNT, NULL, "number of such instances"),
    {0},
};
static const struct field CACHE_FIELDS[] = {
    FIELD(cache, level, FIELD_COUNT, NULL, "1, 2, 3, …"),
    FIELD(cache, between, FIELD_BOOL, NULL, "a second one of this level, before the next: `L1.5`", .missing = "false"),
    FIELD(cache, size_bytes, FIELD_BYTES, "B", "of one instance, the smallest if they differ"),
    FIELD(cache, line_bytes, FIELD_COUNT, "B", "0: not known"),
    FIELD(cache, associativity, FIELD_WHOLE, NULL, "ways; -1: fully associative, 0: not known"),
    FIELD(cache, sharing_core_count, FIELD_COUNT, NULL,
          "cores that share one instance, allowed or not, the most if they differ; 0: only some PUs of a core"),
    FIELD(cache, instance_count, FIELD_COUNT, NULL, "on the whole machine, for cores of this kind"),
    FIELD_LIST_OF(cache, shapes, shape_count, SHAPE_FIELDS, "the instances, if they differ",
                  .missing = "all instances are alike, or an older file"),
    {0},
};
static const struct field KIND_FIELDS[] = {
    FIELD(core_kind, name, FIELD_TEXT, NULL, "`P`, `E`; empty if all cores are alike", .scanned = true),
    FIELD(core_kind, core_count, FIELD_COUNT, NULL, "allowed cores", .scanned = true),
    FIELD_LIST_OF(core_kind, caches, cache_count, CACHE_FIELDS, "data and unified caches, from the innermost"),
    {0},
};
static const struct field NODE_FIELDS[] = {
    FIELD(memory_node, os_index, FIELD_COUNT, NULL, "number in the operating system"),
    FIELD(memory_node, memory_bytes, FIELD_BYTES, "B", "from hwloc; a virtual machine may report less"),
    FIELD(memory_node, memory_side_cache_bytes, FIELD_BYTES, "B",
          "of the cache in front: DRAM for persistent memory, MCDRAM for DRAM",
          .missing = "no such cache, or an older file"),
    FIELD(memory_node, kind, FIELD_TEXT, NULL, "`DRAM`, `HBM`, `NVM`, `CXL`, `GPU`"),
    FIELD(memory_node, core_count, FIELD_COUNT, NULL, "allowed cores nearest to it"),
    {0},
};
static const struct field MODULES_FIELDS[] = {
    FIELD(memory_modules, source, FIELD_TEXT, NULL, "who names them: `SMBIOS`, `EDAC` or `dmidecode`", .scanned = true),
    FIELD(memory_modules, module_count, FIELD_COUNT, NULL, "slots with a module of DRAM", .scanned = true),
    FIELD(memory_modules, channel_count, FIELD_COUNT, NULL, "channels with a module; 0: not known", .scanned = true),
    FIELD(memory_modules, bus_bytes, FIELD_COUNT, "B", "of a channel, without ECC; 0: not known", .scanned = true),
    FIELD(memory_modules, transfers_per_s, FIELD_NUMBER, "Hz",
          "transfers per second as configured, of the slowest module; 0: not known", .scanned = true),
    {0},
};
static const struct field MACHINE_FIELDS[] = {
    FIELD(machine, host, FIELD_TEXT, NULL, "host name", .scanned = true),
    FIELD(machine, cache_source, FIELD_TEXT, NULL, "source of the caches: `hwloc`, `cpuid`, `documents` or `none`"),
    FIELD(machine, package_count, FIELD_COUNT, NULL, "sockets", .scanned = true),
    FIELD(machine, machine_core_count, FIELD_COUNT, NULL, "all cores, allowed or not", .scanned = true),
    FIELD(machine, core_count, FIELD_COUNT, NULL, "allowed cores", .scanned = true),
    FIELD(machine, pu_count, FIELD_COUNT, NULL, "hardware threads", .scanned = true),
    FIELD(machine, allowed_pu_count, FIELD_COUNT, NULL, "allowed hardware threads", .scanned = true),
    FIELD(machine, memory_total_bytes, FIELD_BYTES, "B", "of the operating system", .scanned = true),
    FIELD(machine, memory_available_bytes, FIELD_BYTES, "B", "MemAvailable, within the cgroup's limit"),
    FIELD(machine, page_bytes, FIELD_BYTES, "B", "of the system's small pages", .missing = "4096, or not known"),
    FIELD(machine, memory_modules, FIELD_RECORD, NULL, "the memory's modules, as the firmware or the kernel lists them",
          .of = MODULES_FIELDS, .missing = "not readable, a virtual machine, or an older file",
          .counter = FIELD_COUNTER(machine, memory_modules.module_count), .scanned = true),
    FIELD(machine, cpu, FIELD_RECORD, NULL, "for another tool's machine only the name (`brand`)", .of = CPU_FIELDS,
          .scanned = true),
    FIELD_LIST_OF(machine, kinds, kind_count, KIND_FIELDS,
                  "groups of equal cores; without kinds that have no allowed core", .scanned = true),
    FIELD_ALLOCATED_LIST(machine, nodes, node_count, NODE_FIELDS, MACHINE_MAX_NODES,
                         "memory nodes; for a GPU that another tool measured, one of the kind `GPU`", .scanned = true),
    {0},
};
static const struct field ENVIRONMENT_FIELDS[] = {
    FIELD(environment, version, FIELD_TEXT, NULL, "of carmine"),
    FIELD(environment, started_utc, FIELD_TEXT, NULL, "`2026-11-20T15:04:05Z`", .scanned = true),
    FIELD(environment, elapsed_s, FIELD_NUMBER, "s", "of the measurement", .scanned = true),
    FIELD(environment, command_line, FIELD_TEXT, NULL, "as typed"),
    FIELD(environment, kernel, FIELD_TEXT, NULL, "operating system: `Linux 6.1.0`"),
    FIELD(environment, governor, FIELD_TEXT, NULL, "of the clock; empty: not known", .scanned = true),
    FIELD(environment, huge_pages, FIELD_TEXT, NULL, "setting: `madvise`", .scanned = true),
    FIELD(environment, microcode, FIELD_TEXT, NULL, "revision", .scanned = true),
    FIELD(environment, load_average, FIELD_NUMBER, NULL, "over one minute, at the start"),
    FIELD(environment, cpu_quota_cpus, FIELD_NUMBER, "CPUs",
          "CPU time granted by a control group, if less than that of all allowed hardware threads",
          .missing = "no lower limit, or an older file", .scanned = true),
    FIELD(environment, others_cpus, FIELD_NUMBER, "CPUs",
          "average CPUs used by other programs on the whole system during the measurement",
          .missing = "none, or an older file", .digits = 3, .scanned = true),
    FIELD(environment, others_allowed_cpus, FIELD_NUMBER, "CPUs", "allowed CPUs among these",
          .missing = "see `others_cpus`", .digits = 3, .scanned = true),
    FIELD(environment, busiest_other, FIELD_TEXT, NULL, "the visible program that used the most of them",
          .missing = "see `others_cpus`", .scanned = true),
    FIELD(environment, busiest_other_cpus, FIELD_NUMBER, "CPUs", "CPUs used by its processes",
          .missing = "see `others_cpus`", .digits = 3, .scanned = true),
    FIELD(environment, apart_share, FIELD_NUMBER, NULL,
          "of the visits of several cores that share a cache by the topology: those in which the host ran them apart",
          .missing = "none, or an older file", .digits = 2),
    FIELD(environment, tick_hz, FIELD_NUMBER, "Hz",
          "of the clock used for times: the time stamp counter, else nanoseconds"),
    FIELD(environment, rest_clock_hz, FIELD_NUMBER, "Hz", "core clock with nothing else running; 0: not known",
          .scanned = true),
    FIELD(environment, clock_doubt, FIELD_TEXT, NULL, "why the clock is not trusted, with all readings; empty: it is"),
    FIELD(environment, statistic, FIELD_TEXT, NULL, "how repetitions are combined: `upper quartile`"),
    FIELD(environment, planned_samples, FIELD_COUNT, NULL, "samples of the largest plan of this file",
          .missing = "only a sweep, or an older file"),
    FIELD(environment, interrupted, FIELD_BOOL, NULL, "stopped before the plan's end, or still running",
          .scanned = true),
    FIELD(environment, ended, FIELD_TEXT, NULL, "why: `it was interrupted` (by a signal), or `its time was up`",
          .missing = "complete, still running, or an older file"),
    FIELD(environment, partial, FIELD_TEXT, NULL, "an incomplete command: `run: 34 of 302 samples`",
          .missing = "all are complete", .scanned = true),
    FIELD(environment, unknown_doubts, FIELD_TEXT, NULL,
          "names in `doubts` that an older carmine left out when it added to the file", .missing = "none"),
    {0},
};
static const struct field LEVEL_FIELDS[] = {
    FIELD(level, name, FIELD_TEXT, NULL, "`L1`, `L1.5`, `L2`, …, `DRAM` or `HBM`", .scanned = true),
    FIELD(level, detected_bytes, FIELD_BYTES, "B", "of one instance; 0 for memory", .scanned = true),
    FIELD(level, effective_bytes, FIELD_BYTES, "B", "size at the end of the sweep's plateau; as detected until judged",
          .scanned = true),
    FIELD(level, found_bytes, FIELD_BYTES, "B", "the sweep's largest size before the level's step",
          .missing = "not judged, or an older file", .scanned = true),
    FIELD(level, judged, FIELD_BOOL, NULL, "the sweep showed the level's step"),
    FIELD(level, disagrees, FIELD_BOOL, NULL, "effective and detected size differ"),
    {0},
};
static const struct field LEVELS_FIELDS[] = {
    FIELD_LIST_OF(levels, level, count, LEVEL_FIELDS, "caches and the memory", .bare = true, .scanned = true),
    {0},
};
static const struct field SAMPLE_FIELDS[] = {
    FIELD(sample, kernel, FIELD_TEXT, NULL,
          "`avx512.f64.fma`; other tools: `stream.triad`, `ert.f64.peak`, `nsight.traffic` ([import.md](import.md))",
          .scanned = true),
    FIELD(sample, variant, FIELD_TEXT, NULL, "unrolling: `12x2`"),
    FIELD(sample, kind, FIELD_NAME, NULL, "quantity of `value`: rate of flop, rate of bytes, or time of an access",
          .missing = "`compute`", .names = results_kind_names, .scanned = true),
    FIELD(sample, threads, FIELD_COUNT, NULL, "number of threads", .scanned = true),
    FIELD(sample, cpus, FIELD_TEXT, NULL, "numbers in the operating system: `0-1`"),
    FIELD(sample, cores, FIELD_COUNT, NULL, "cores of the threads, if fewer (SMT)", .missing = "one for each thread",
          .scanned = true),
    FIELD(sample, core_kind, FIELD_TEXT, NULL, "`name` of a kind", .missing = "all cores are alike", .scanned = true),
    FIELD(sample, package, FIELD_PLACE, NULL, "only cores of this package", .missing = "any", .scanned = true),
    FIELD(sample, node, FIELD_PLACE, NULL, "only cores nearest to this memory node", .missing = "any", .scanned = true),
    FIELD(sample, memory_node, FIELD_PLACE, NULL, "all buffers are on this node",
          .missing = "each thread's buffers on its nearest node", .scanned = true),
    FIELD(sample, level, FIELD_TEXT, NULL, "level of the data", .missing = "compute", .scanned = true),
    FIELD(sample, working_set_bytes, FIELD_BYTES, "B", "of one thread", .missing = "compute, or not known"),
    FIELD(sample, page_bytes, FIELD_BYTES, "B", "of its pages, from smaps", .missing = "compute, or not known"),
    FIELD(sample, small_pages, FIELD_BOOL, NULL,
          "small pages were requested, to measure the cost of address translation", .missing = "false",
          .scanned = true),
    FIELD(
        sample, rate, FIELD_STATISTICS, "flop/s (op/s of integer types, `….i8.…`), B/s or s",
        "of the visit nearest to the value: repetitions of each thread, number used, and rates of all threads in these",
        .digits = 4),
    FIELD(sample, value, FIELD_NUMBER, VALUE,
          "the result, all threads together; unit as in `rate`; 0: blank, `doubts` has the reason", .scanned = true),
    FIELD(sample, low, FIELD_NUMBER, VALUE,
          "lower end of the 90 % interval ([method.md](method.md#intervals-and-the-trust-grade))",
          .missing = "older files, and files of other tools", .digits = 5, .scanned = true),
    FIELD(sample, high, FIELD_NUMBER, VALUE, "upper end of the interval", .missing = "see `low`", .digits = 5,
          .scanned = true),
    FIELD(sample, per_cycle, FIELD_NUMBER, CYCLE, "flop (op) or bytes; for a latency, cycles per access",
          .missing = "the clock could not be read", .scanned = true),
    FIELD(sample, spread, FIELD_NUMBER, NULL, "(q3 − q1) / median of the repetitions of `value`", .digits = 3),
    /* Three consecutive members. */
    {.key = "clock_hz",
     .offset = offsetof(struct sample, clock_hz),
     .size = 3 * sizeof(double),
     .type = FIELD_NUMBERS,
     .unit = "Hz",
     .meaning = "`[median, min, max]`, read after the used repetitions, mean of the threads",
     .digits = 5,
     .scanned = true},
    FIELD(sample, handover_s, FIELD_NUMBER, "s",
          "the way of a line between two of its cores that share the outermost cache: the longest of them",
          .missing = "not timed: one core, its own caches, or an older file", .digits = 3),
    FIELD(sample, documented_per_cycle, FIELD_NUMBER, CYCLE, "documented limit of the microarchitecture",
          .missing = "not known"),
    FIELD(sample, doubts, FIELD_DOUBTS, NULL, "`carmine show` prints causes and remedies", .missing = "none",
          .scanned = true),
    {0},
};
/* Carmine computes one from the other, so they differ only in a damaged or edited file. */
static const char NOT_FOLLOWS[] = "value must be per_cycle × clock_hz × cores (a latency: per_cycle / clock_hz)";

/* What no measurement exceeds, however disturbed. */
enum { MOST_SPREAD = 10000, MOST_OF_DOCUMENTED = 1000 };

static const char *sample_fits(const void *record) {
    const struct sample *sample = record;
    const bool latency = sample->kind == SAMPLE_LATENCY;
    const struct unit_range *range = range_of(latency ? "s" : sample->kind == SAMPLE_COMPUTE ? "flop/s" : "B/s");
    if (sample->value > 0 && (sample->value < range->low || sample->value > range->high))
        return "value must be possible for its kind: a latency in s, a rate in flop/s or B/s";
    if (sample->high > 0 && !range_contains(sample->low, sample->high, sample->value))
        return "value must be from low to high";
    if (sample->value > 0 && (sample->high > MOST_SPREAD * sample->value || sample->spread > MOST_SPREAD))
        return "high and spread must not be more than 10000 times the value";
    if (sample->documented_per_cycle > 0 && sample->per_cycle > MOST_OF_DOCUMENTED * sample->documented_per_cycle)
        return "per_cycle must not be more than 1000 times documented_per_cycle";
    if (sample->clock_hz > 0 && sample->clock_max_hz > 0 &&
        !range_contains(sample->clock_min_hz, sample->clock_max_hz, sample->clock_hz))
        return "clock_hz must be [median, min, max]";
    return range_rate_fits(latency, sample->value, sample->per_cycle, sample->clock_hz, sample_cores(sample))
               ? NULL
               : NOT_FOLLOWS;
}

/* A core may have several of the threads. */
static bool rate_fits_some_cores(bool latency, const struct curve_point *point, unsigned threads) {
    for (unsigned cores = threads; cores > 0; cores--)
        if (range_rate_fits(latency, point->value, point->per_cycle, point->clock_hz, cores))
            return true;
    return threads == 0;
}

static const char *curve_fits(const void *record) {
    const struct curve *curve = record;
    for (size_t i = 0; i < curve->count; i++)
        if (!rate_fits_some_cores(curve->kind == SAMPLE_LATENCY, &curve->points[i], curve->threads))
            return "a point's value must be per_cycle × clock_hz × cores (a latency: per_cycle / clock_hz)";
    return NULL;
}

static const char *validation_fits(const void *record) {
    const struct validation_point *point = record;
    if (point->peak_flop_per_s > 0 && point->flop_per_s > MOST_OF_DOCUMENTED * point->peak_flop_per_s)
        return "flop_per_s must not be more than 1000 times peak_flop_per_s";
    return range_rate_fits(false, point->flop_per_s, point->per_cycle, point->clock_hz, point->threads)
               ? NULL
               : "flop_per_s must be per_cycle × clock_hz × threads";
}

static const char *link_fits(const void *record) {
    const struct point_link *link = record;
    return link->low_bytes <= link->high_bytes ? NULL : "low_bytes must not be above high_bytes";
}

static const struct field CURVE_POINT_FIELDS[] = {
    FIELD(curve_point, working_set_bytes, FIELD_BYTES, "B", "of one thread"),
    FIELD(curve_point, value, FIELD_NUMBER, "B/s or s", "of all threads; for a latency, per access", .digits = 5),
    FIELD(curve_point, per_cycle, FIELD_NUMBER, CYCLE, "bytes, or cycles per access; 0: not known", .digits = 5),
    FIELD(curve_point, clock_hz, FIELD_NUMBER, "Hz", "of the cores during it; 0: not known", .digits = 4),
    FIELD(curve_point, doubts, FIELD_DOUBTS, NULL, "as in a sample", .missing = "none"),
    {0},
};
static const struct field CURVE_FIELDS[] = {
    FIELD(curve, kernel, FIELD_TEXT, NULL, "as in a sample"),
    FIELD(curve, kind, FIELD_NAME, NULL, "as in a sample", .names = results_kind_names),
    FIELD(curve, threads, FIELD_COUNT, NULL, "number of threads"),
    FIELD(curve, core_kind, FIELD_TEXT, NULL, "as in a sample", .missing = "any"),
    FIELD(curve, small_pages, FIELD_BOOL, NULL, "as in a sample", .missing = "false"),
    FIELD(curve, partial, FIELD_BOOL, NULL, "larger sizes were not measured", .missing = "false"),
    FIELD_ALLOCATED_LIST(curve, points, count, CURVE_POINT_FIELDS, MAX_POINTS, "one for each size"),
    {0},
};
static const struct field VALIDATION_FIELDS[] = {
    FIELD(validation_point, kernel, FIELD_TEXT, NULL, "the mixed kernel"),
    FIELD(validation_point, variant, FIELD_TEXT, NULL, "as in a sample"),
    FIELD(validation_point, level, FIELD_TEXT, NULL, "level of its data"),
    FIELD(validation_point, threads, FIELD_COUNT, NULL, "number of threads"),
    FIELD(validation_point, core_kind, FIELD_TEXT, NULL, "as in a sample", .missing = "all cores are alike"),
    FIELD(validation_point, working_set_bytes, FIELD_BYTES, "B", "of one thread"),
    FIELD(validation_point, flop_per_byte, FIELD_NUMBER, "flop/B", "by bytes that the core loads and stores"),
    FIELD(validation_point, flop_per_s, FIELD_NUMBER, "flop/s", "measured, all threads"),
    FIELD(validation_point, per_cycle, FIELD_NUMBER, CYCLE, "flop, in L1 and L2",
          .missing = "outer levels, or the clock could not be read"),
    FIELD(validation_point, clock_hz, FIELD_NUMBER, "Hz", "of the cores during it, in L1 and L2",
          .missing = "see `per_cycle`"),
    FIELD(validation_point, spread, FIELD_NUMBER, NULL, "as in a sample", .digits = 3),
    FIELD(validation_point, peak_kernel, FIELD_TEXT, NULL, "of the compute roof to compare with"),
    FIELD(validation_point, peak_flop_per_s, FIELD_NUMBER, "flop/s", "π; in L1 and L2 at the point's clock"),
    FIELD(validation_point, bandwidth_kernel, FIELD_TEXT, NULL, "of the bandwidth roof to compare with"),
    FIELD(validation_point, bandwidth_bytes_per_s, FIELD_NUMBER, "B/s", "β; in L1 and L2 at the point's clock"),
    FIELD(validation_point, port_limit_per_cycle, FIELD_NUMBER, CYCLE,
          "flop: documented limit of this mix with its data in L1", .missing = "not known"),
    FIELD(validation_point, doubts, FIELD_DOUBTS, NULL, "of the kernel and its two roofs", .missing = "none"),
    {0},
};

#define MASKED "as if all masked lanes were active"
#define NONE   "0"

static const struct field COUNT_FIELDS[] = {
    FIELD(count, instructions, FIELD_BYTES, NULL, "executed", .missing = NONE),
    FIELD(count, load_instructions, FIELD_BYTES, NULL, "instructions with loads, without those of the implicit stack",
          .missing = NONE),
    FIELD(count, store_instructions, FIELD_BYTES, NULL, "instructions with stores, without those of the implicit stack",
          .missing = NONE),
    FIELD(count, full_flop, FIELD_BYTES, "flop", MASKED, .missing = NONE),
    FIELD(count, load_bytes, FIELD_BYTES, "B", "loaded by active lanes, without the implicit stack", .missing = NONE),
    FIELD(count, store_bytes, FIELD_BYTES, "B", "stored by active lanes, without the implicit stack", .missing = NONE),
    FIELD(count, full_load_bytes, FIELD_BYTES, "B", MASKED, .missing = NONE),
    FIELD(count, full_store_bytes, FIELD_BYTES, "B", MASKED, .missing = NONE),
    FIELD(count, stack_load_bytes, FIELD_BYTES, "B", "of the implicit stack: `pop`, `ret`", .missing = NONE),
    FIELD(count, stack_store_bytes, FIELD_BYTES, "B", "of the implicit stack: `push`, `call`", .missing = NONE),
    FIELD(count, bytes_unknown, FIELD_BYTES, NULL, "instructions with an unknown number of bytes", .missing = NONE),
    FIELD(count, unknown_instructions, FIELD_BYTES, NULL,
          "instructions newer than the decoder: no flop, and bytes by the length of their vectors", .missing = NONE),
    FIELD(count, waiting_instructions, FIELD_BYTES, NULL,
          "of loops that wait for another thread; not included in `instructions`, `mix` and `load_instructions`",
          .missing = "not distinguished"),
    FIELD(count, waiting_bytes, FIELD_BYTES, "B",
          "loaded and stored by such loops; not included in `load_bytes` and `store_bytes`",
          .missing = "not distinguished"),
    FIELD(count, fused_flop, FIELD_BYTES, "flop", "part of `flop` in fused multiply-adds", .missing = NONE),
    FIELD(count, unfused_flop, FIELD_BYTES, "flop",
          "part of `flop` in pairs of a multiplication and an addition that a fused multiply-add could replace: the "
          "product is used only by one addition, in the same block",
          .missing = "0, or not counted"),
    FIELD(count, flop, FIELD_TALLIES, "flop", "of active lanes, by type and width; operations for `i8` and `i16`",
          .missing = NONE, .types = count_type_names, .names = count_width_names),
    FIELD(count, mix, FIELD_TALLY, NULL, "instructions by kind", .missing = NONE, .names = effect_class_names),
    {0},
};

#define UNKNOWN "not known"

static const struct field LINK_FIELDS[] = {
    FIELD(point_link, level, FIELD_COUNT, NULL,
          "the level on the inner side; 0: between the core and L1; the last: to memory"),
    FIELD(point_link, load_bytes, FIELD_AMOUNT, "B", "fetched for loads", .missing = "none"),
    FIELD(point_link, allocate_bytes, FIELD_AMOUNT, "B", "fetched for stores (write-allocate)", .missing = "none"),
    FIELD(point_link, write_back_bytes, FIELD_AMOUNT, "B",
          "changed cache lines moved outwards; for the core its stores", .missing = "none"),
    FIELD(point_link, victim_bytes, FIELD_AMOUNT, "B", "unchanged cache lines moved outwards, to a victim cache",
          .missing = "none"),
    FIELD(point_link, nontemporal_bytes, FIELD_AMOUNT, "B", "stores past the caches, by the core and into memory",
          .missing = "none"),
    FIELD(point_link, low_bytes, FIELD_AMOUNT, "B", "lower end of the 95 % interval of the sum of these"),
    FIELD(point_link, high_bytes, FIELD_AMOUNT, "B",
          "upper end; equal to the lower end if all cache lines were simulated"),
    {0},
};
static const struct field POINT_LEVELS_FIELDS[] = {
    FIELD(point_levels, caches, FIELD_TEXT, NULL, "simulated caches: `L1 32 KiB 8 ways, L2 1 MiB 16 ways`"),
    FIELD(point_levels, one_of, FIELD_COUNT, NULL, "1: all cache lines were simulated; 64: one class of 64"),
    FIELD_LIST_OF(point_levels, link, links, LINK_FIELDS, "from the core outwards", .fits = link_fits),
    FIELD(point_levels, utilisation, FIELD_NUMBER, "share", "used share of each cache line from memory, 0 to 1",
          .missing = UNKNOWN),
    FIELD(point_levels, footprint_bytes, FIELD_AMOUNT, "B", "touched cache lines, each counted once; 0: not known"),
    FIELD(point_levels, pages, FIELD_AMOUNT, NULL, "touched pages of 4 KiB, each counted once; 0: not known"),
    FIELD(point_levels, tlb_misses, FIELD_NUMBERS, NULL, "in each level of simulated TLBs, with pages of 4 KiB"),
    FIELD(point_levels, tlb_entries, FIELD_NUMBERS, NULL, "of each of these TLBs", .missing = UNKNOWN),
    {0},
};

static const struct field IN_CORE_FIELDS[] = {
    FIELD(point_in_core, core, FIELD_TEXT, NULL,
          "the table of its core (asm/incore/x86/cores); `measured`: it has none, but was measured"),
    FIELD(point_in_core, instructions, FIELD_NUMBER, NULL, "of its own code, without inner loops, per iteration"),
    FIELD(point_in_core, unknown_instructions, FIELD_NUMBER, NULL, "of these, unknown to the table", .missing = NONE),
    FIELD(point_in_core, ports, FIELD_NUMBER, "cycles", "needed by the busiest ports", .missing = NONE),
    FIELD(point_in_core, busiest_ports, FIELD_TEXT, NULL, "`0, 1, 5`; of a core without a table `of addsd`",
          .missing = NONE),
    FIELD(point_in_core, renaming, FIELD_NUMBER, "cycles", "needed by renaming", .missing = UNKNOWN),
    FIELD(point_in_core, divider, FIELD_NUMBER, "cycles", "needed by units without a pipeline", .missing = NONE),
    FIELD(point_in_core, chain, FIELD_NUMBER, "cycles", "latency of the longest chain from one iteration to the next",
          .missing = "none, or not known"),
    FIELD(point_in_core, chain_of, FIELD_TEXT, NULL, "mnemonic of the instruction with the largest part of it",
          .missing = NONE),
    FIELD(point_in_core, chain_instructions, FIELD_COUNT, NULL, "of the chain", .missing = NONE),
    FIELD(point_in_core, chain_memory, FIELD_NUMBER, "cycles", "part of the chain in loads from L1, not from stores",
          .missing = NONE),
    FIELD(point_in_core, accumulates, FIELD_BOOL, NULL,
          "the chain is sums or products alone, which several accumulators would share"),
    FIELD(point_in_core, fetch, FIELD_NUMBER, "cycles",
          "to read its code, line by line, if no buffer of the core holds it", .missing = UNKNOWN),
    FIELD(point_in_core, calls, FIELD_NUMBER, NULL, "calls of functions per iteration, which end the chains",
          .missing = NONE),
    FIELD(point_in_core, branches, FIELD_NUMBER, "cycles", "needed by its taken branches", .missing = UNKNOWN),
    FIELD(point_in_core, strided, FIELD_NUMBER, "share",
          "of its accesses to memory: those whose address changes by the same at most 2 KiB in each iteration",
          .missing = "none, or not known"),
    FIELD(point_in_core, rarer_ways, FIELD_NUMBER, NULL, "executions of the rarer way of its branches, per iteration",
          .missing = NONE),
    FIELD(point_in_core, rarer_wait, FIELD_NUMBER, "cycles",
          "of these until their inputs are there, from the begin of their iteration", .missing = NONE),
    FIELD(point_in_core, mispredict, FIELD_NUMBER, "cycles", "of a branch that went the other way than expected",
          .missing = UNKNOWN),
    FIELD(point_in_core, flight, FIELD_NUMBER, NULL, "iterations that fit in the core's reorder buffer"),
    {0},
};

static const struct field WAITS_FIELDS[] = {
    FIELD(waits, samples, FIELD_COUNT, NULL, "how often all threads were looked at, in all native runs"),
    FIELD(waits, interval_s, FIELD_NUMBER, "s", "between two samples, on average"),
    FIELD(waits, ns, FIELD_TALLY, "ns",
          "time of all threads in one run, by what they do: running (in its own code), page faults and kernel (running "
          "there), ready (for a CPU), and kinds of waiting; the sum is threads × time",
          .missing = NONE, .names = wait_kind_names),
    {0},
};

static const struct field REPETITION_FIELDS[] = {
    FIELD(app_repetition, seconds, FIELD_NUMBER, "s", "of one run", .bare = true, .digits = 6),
    {0},
};

#define OTHER "no workload"
#define EXACT "no exact value is known"
#define SOURCE(member, of_what)                                                                                        \
    FIELD(app_point, member, FIELD_NAME, NULL, "source of " of_what " ([applications.md](applications.md))",           \
          .missing = UNKNOWN, .names = app_source_names)

static const struct field APP_FIELDS[] = {
    FIELD(app_point, name, FIELD_LABEL, NULL, "label, unique in the file"),
    FIELD(app_point, program, FIELD_TEXT, NULL, "equal for all points of one program"),
    FIELD(app_point, part, FIELD_NAME, NULL, "the part of the program", .names = app_part_names),
    FIELD(app_point, region, FIELD_TEXT, NULL, "name of the region; for a function, the region it was counted in",
          .missing = "the whole program"),
    FIELD(app_point, function, FIELD_TEXT, NULL,
          "name of the function; for a loop or a line, its function; for a phase, the one with most of its samples",
          .missing = "no function"),
    FIELD(app_point, inlined_in, FIELD_TEXT, NULL, "loop or line: the function that its function was inlined into",
          .missing = "none"),
    FIELD(app_point, file, FIELD_TEXT, NULL, "loop or line: source file in the debug information", .missing = UNKNOWN),
    FIELD(app_point, line, FIELD_COUNT, NULL, "loop or line: line in that file", .missing = UNKNOWN),
    FIELD(app_point, depth, FIELD_COUNT, NULL, "loop: nesting depth in its function, from 1", .missing = "not a loop"),
    FIELD(app_point, iterations, FIELD_BYTES, NULL, "loop: iterations in one run", .missing = "not a loop"),
    FIELD(app_point, entries, FIELD_BYTES, NULL, "loop: entries in one run", .missing = UNKNOWN),
    FIELD(app_point, command, FIELD_TEXT, NULL, "as typed"),
    FIELD(app_point, measured_utc, FIELD_TEXT, NULL, "date and time: `2026-11-20T15:04:05Z`"),
    FIELD(app_point, threads, FIELD_COUNT, NULL, "number of threads"),
    FIELD(app_point, cores, FIELD_COUNT, NULL, "cores of the threads, if several threads share one (SMT)",
          .missing = "one for each thread"),
    FIELD(app_point, cpus, FIELD_COUNT, NULL, "CPUs of the threads, if threads take turns",
          .missing = "one for each thread"),
    FIELD(app_point, processes, FIELD_COUNT, NULL, "number of processes"),
    FIELD(app_point, ranks, FIELD_COUNT, NULL, "number of ranks (MPI)", .missing = "not started as ranks"),
    FIELD(app_point, rank, FIELD_PLACE, NULL, "number of the rank, from 0", .missing = "all ranks together"),
    FIELD(app_point, from_s, FIELD_NUMBER, "s", "phase: its begin, since the program's", .missing = "0, or no phase"),
    FIELD(app_point, to_s, FIELD_NUMBER, "s", "phase: its end; of alike ones the last one's", .missing = "no phase"),
    FIELD(app_point, calls, FIELD_BYTES, NULL, "entries into the region in one run; alike phases", .missing = UNKNOWN),
    FIELD(app_point, seconds, FIELD_STATISTICS, "s", "over the native runs", .missing = UNKNOWN),
    FIELD_LIST_OF(app_point, repetitions, repetition_count, REPETITION_FIELDS,
                  "seconds of each repetition, in order; only the first 100 are stored, the statistics are of all",
                  .missing = "not stored: no workload, or an older file"),
    SOURCE(seconds_source, "`seconds`"),
    FIELD(app_point, time_share, FIELD_NUMBER, "share", "share of the program's time: 0 to 1", .missing = UNKNOWN),
    FIELD(app_point, cpu_seconds, FIELD_STATISTICS, "s",
          "CPU time of all processes of the program (for every part), without their start and end", .missing = UNKNOWN),
    FIELD(app_point, kernel_seconds, FIELD_STATISTICS, "s", "of `cpu_seconds`, in the kernel", .missing = UNKNOWN),
    FIELD(app_point, page_faults, FIELD_STATISTICS, NULL, "of its program's processes", .missing = UNKNOWN),
    FIELD(app_point, idle_seconds, FIELD_STATISTICS, "s",
          "of the program: its time less the CPU time of each thread, a lower bound", .missing = UNKNOWN),
    FIELD(app_point, delay_seconds, FIELD_STATISTICS, "s",
          "time that the program's first thread was ready to run and waited for a CPU", .missing = UNKNOWN),
    FIELD(app_point, waits, FIELD_RECORD, NULL,
          "of the program or phase: what its threads do ([applications.md](applications.md#what-a-program-waits-for))",
          .missing = UNKNOWN, .of = WAITS_FIELDS, .counter = FIELD_COUNTER(app_point, waits.samples)),
    FIELD(app_point, clock_hz, FIELD_NUMBER, "Hz", "of its cores during the run", .missing = UNKNOWN),
    FIELD(app_point, neighbour_share, FIELD_NUMBER, "share",
          "of that time, something else used the same core ([loops.md](loops.md#a-neighbour-on-the-core))",
          .missing = "nothing else did, or not known"),
    FIELD(app_point, flop, FIELD_STATISTICS, "flop", "of one run; n is 1 for an exact single count",
          .missing = UNKNOWN),
    SOURCE(flop_source, "`flop`"),
    FIELD(app_point, load_bytes, FIELD_STATISTICS, "B", "loaded by the core, without the implicit stack",
          .missing = UNKNOWN),
    FIELD(app_point, store_bytes, FIELD_STATISTICS, "B", "stored by the core, without the implicit stack",
          .missing = UNKNOWN),
    SOURCE(bytes_source, "bytes loaded and stored"),
    FIELD(app_point, dram_read_bytes, FIELD_STATISTICS, "B", "read from DRAM", .missing = UNKNOWN),
    FIELD(app_point, dram_write_bytes, FIELD_STATISTICS, "B", "written to DRAM", .missing = UNKNOWN),
    SOURCE(dram_source, "bytes of DRAM"),
    FIELD(app_point, cache_bytes, FIELD_AMOUNT, "B",
          "part of the bytes read from DRAM that remains in the simulated caches", .missing = UNKNOWN),
    FIELD(app_point, mpi_seconds, FIELD_STATISTICS, "s", "part of `seconds` in MPI calls, mean over ranks",
          .missing = UNKNOWN),
    FIELD(app_point, imbalance, FIELD_STATISTICS, NULL,
          "ratio of the slowest to the median rank, by time outside of MPI; for a thread, ratio of its flop (without "
          "any, its instructions) to the median thread's",
          .missing = UNKNOWN),
    FIELD(app_point, mpi_calls, FIELD_BYTES, NULL, "of all ranks", .missing = UNKNOWN),
    FIELD(app_point, mpi_instructions, FIELD_BYTES, NULL, "executed by MPI, in no other count", .missing = UNKNOWN),
    FIELD(app_point, mpi_bytes, FIELD_BYTES, "B", "loaded and stored by MPI, in no other count", .missing = UNKNOWN),
    FIELD(app_point, tlb_misses, FIELD_STATISTICS, NULL, "page walks of loads and stores, by the CPU's counters",
          .missing = "not counted"),
    FIELD(app_point, origin, FIELD_TEXT, NULL, "source tool of `carmine import`", .missing = "not imported"),
    FIELD(app_point, flop_type, FIELD_TEXT, NULL, "element type of most flop, if there is no `count`: `f32`",
          .missing = UNKNOWN),
    FIELD(app_point, doubts, FIELD_DOUBTS, NULL, "as in a sample", .missing = "none"),
    FIELD(app_point, series, FIELD_TEXT, NULL, "workload: points joined by a line", .missing = OTHER),
    FIELD(app_point, size, FIELD_BYTES, NULL, "workload: problem size", .missing = OTHER),
    FIELD(app_point, working_set_bytes, FIELD_BYTES, "B", "of a workload", .missing = OTHER),
    FIELD(app_point, data, FIELD_NAME, NULL, "workload: whether its data are in the caches before each run",
          .missing = UNKNOWN, .names = app_state_names),
    FIELD(app_point, code, FIELD_NAME, NULL, "workload: whether its code is in the caches before each run",
          .missing = UNKNOWN, .names = app_state_names),
    FIELD(app_point, tlb, FIELD_NAME, NULL,
          "workload: whether the TLB has the pages of its data before each run; cold: emptied", .missing = UNKNOWN,
          .names = app_state_names),
    FIELD(app_point, analytic_flop, FIELD_AMOUNT, "flop", "workload: flop of one run in theory", .missing = EXACT),
    FIELD(app_point, analytic_load_bytes, FIELD_AMOUNT, "B", "workload: bytes loaded by the core in theory",
          .missing = EXACT),
    FIELD(app_point, analytic_store_bytes, FIELD_AMOUNT, "B", "workload: bytes stored by the core in theory",
          .missing = EXACT),
    FIELD(app_point, compulsory_read_bytes, FIELD_AMOUNT, "B", "workload: least bytes read from DRAM, for cold data",
          .missing = EXACT),
    FIELD(app_point, compulsory_write_bytes, FIELD_AMOUNT, "B", "workload: least bytes written to DRAM",
          .missing = EXACT),
    FIELD(app_point, pseudo_flop, FIELD_AMOUNT, "flop",
          "flop for comparing implementations of one transform: 5 n log₂ n of an FFT", .missing = OTHER),
    FIELD(app_point, compiler, FIELD_TEXT, NULL, "the user's own workload: compiler, version and flags",
          .missing = OTHER),
    FIELD(app_point, levels, FIELD_RECORD, NULL, "traffic between simulated caches ([traffic.md](traffic.md))",
          .missing = "not simulated", .of = POINT_LEVELS_FIELDS, .counter = FIELD_COUNTER(app_point, levels.links)),
    FIELD(app_point, in_core, FIELD_RECORD, NULL,
          "loop: the time that a core needs if all its data is in L1, in cycles per iteration ([loops.md](loops.md))",
          .missing = "no loop, or a core without a table that was not measured", .of = IN_CORE_FIELDS,
          .counter = FIELD_COUNTER(app_point, in_core.known)),
    FIELD(app_point, count, FIELD_RECORD, NULL, "executed instructions and their work, without zeros",
          .missing = "not counted", .of = COUNT_FIELDS, .counter = FIELD_COUNTER(app_point, has_count)),
    {0},
};

static const struct field ANNOTATED_LINE_FIELDS[] = {
    FIELD(annotated_line, file, FIELD_TEXT, NULL, "from the debug information"),
    FIELD(annotated_line, line, FIELD_COUNT, NULL, "line in that file"),
    FIELD(annotated_line, inlined, FIELD_TEXT, NULL, "its function, if inlined",
          .missing = "part of the function itself"),
    FIELD(annotated_line, text, FIELD_TEXT, NULL, "text of the line, cut to 159 bytes",
          .missing = "an empty line, or a missing file"),
    {0},
};
static const struct field ANNOTATED_INSTRUCTION_FIELDS[] = {
    FIELD(annotated_instruction, offset, FIELD_BYTES, "B",
          "from the beginning of its function; without a symbol, of its file"),
    FIELD(annotated_instruction, code_bytes, FIELD_COUNT, "B", "length"),
    FIELD(annotated_instruction, text, FIELD_TEXT, NULL, "assembly, Intel syntax"),
    FIELD(annotated_instruction, line, FIELD_PLACE, NULL, "index in `lines`, from 0",
          .missing = "no debug information"),
    FIELD(annotated_instruction, executions, FIELD_BYTES, NULL, "in one run", .missing = NONE),
    FIELD(annotated_instruction, flop, FIELD_BYTES, "flop", "of all executions", .missing = NONE),
    FIELD(annotated_instruction, load_bytes, FIELD_BYTES, "B", "of all executions, without the implicit stack",
          .missing = NONE),
    FIELD(annotated_instruction, store_bytes, FIELD_BYTES, "B", "of all executions, without the implicit stack",
          .missing = NONE),
    FIELD(annotated_instruction, data_bits, FIELD_COUNT, "bit", "width of its operation, load or store",
          .missing = "no operation, load or store"),
    FIELD(annotated_instruction, chain_cycles, FIELD_NUMBER, "cycles",
          "per iteration of its innermost loop: its part of the longest chain from one iteration to the next",
          .missing = NONE),
    FIELD(annotated_instruction, ports_cycles, FIELD_NUMBER, "cycles",
          "per iteration: its part of the busiest ports' time", .missing = NONE),
    FIELD(annotated_instruction, time_share, FIELD_NUMBER, "share", "share of the program's sampled time: 0 to 1",
          .missing = "not sampled", .digits = 4),
    {0},
};
static const struct field ANNOTATION_FIELDS[] = {
    FIELD(annotation, name, FIELD_LABEL, NULL, "name of the loop's point; for a function `program/function`"),
    FIELD(annotation, program, FIELD_TEXT, NULL, "as in its points"),
    FIELD(annotation, function, FIELD_TEXT, NULL, "function of the code, the innermost inlined one"),
    FIELD(annotation, object, FIELD_TEXT, NULL, "file of the code"),
    FIELD(annotation, is_loop, FIELD_BOOL, NULL, "a loop, not a function", .missing = "false"),
    FIELD(annotation, iterations, FIELD_BYTES, NULL, "loop: as in its point", .missing = "not a loop"),
    FIELD(annotation, time_share, FIELD_NUMBER, "share",
          "share of the program's sampled time: 0 to 1; with inner loops and omitted instructions", .missing = UNKNOWN,
          .digits = 4),
    FIELD(annotation, samples, FIELD_BYTES, NULL, "samples of the program, the base of all shares of time",
          .missing = NONE),
    FIELD(annotation, left_out, FIELD_COUNT, NULL, "omitted instructions: those with the least time and executions",
          .missing = NONE),
    FIELD(annotation, source_newer, FIELD_BOOL, NULL, "a source file was written after the program was built",
          .missing = "false"),
    FIELD_ALLOCATED_LIST(annotation, lines, line_count, ANNOTATED_LINE_FIELDS, ANNOTATION_LINES,
                         "source lines, by file and line, those of inlined functions last",
                         .missing = "no debug information"),
    FIELD_ALLOCATED_LIST(annotation, instructions, instruction_count, ANNOTATED_INSTRUCTION_FIELDS,
                         ANNOTATION_INSTRUCTIONS, "executed instructions, by address"),
    {0},
};

static const struct field INTERVAL_FIELDS[] = {
    FIELD(app_course_interval, cpu_s, FIELD_NUMBER, "s", "CPU time of all threads", .missing = NONE),
    FIELD(app_course_interval, ready_s, FIELD_NUMBER, "s",
          "time that threads were ready to run while other programs had the CPU", .missing = NONE),
    FIELD(app_course_interval, instructions, FIELD_AMOUNT, NULL, "of all threads", .missing = NONE),
    FIELD(app_course_interval, flop, FIELD_AMOUNT, "flop", "of all threads", .missing = NONE),
    FIELD(app_course_interval, load_bytes, FIELD_AMOUNT, "B", "loaded, without the implicit stack", .missing = NONE),
    FIELD(app_course_interval, store_bytes, FIELD_AMOUNT, "B", "stored, without the implicit stack", .missing = NONE),
    {0},
};
static const struct field PHASE_FIELDS[] = {
    FIELD(app_course_phase, from_s, FIELD_NUMBER, "s", "its begin, since the program's", .missing = "0"),
    FIELD(app_course_phase, to_s, FIELD_NUMBER, "s", "its end"),
    FIELD(app_course_phase, point, FIELD_TEXT, NULL, "name of its point; alike phases may share one"),
    {0},
};
static const struct field COURSE_FIELDS[] = {
    FIELD(app_course, program, FIELD_TEXT, NULL, "as in its points"),
    FIELD(app_course, seconds, FIELD_NUMBER, "s", "of the native run that is shown, the one nearest to the median"),
    FIELD(app_course, every_s, FIELD_NUMBER, "s", "length of the intervals; the last one may be shorter"),
    FIELD(app_course, border_s, FIELD_NUMBER, "s", "estimated error of all times in it", .digits = 3),
    FIELD_ALLOCATED_LIST(app_course, intervals, interval_count, INTERVAL_FIELDS, COURSE_INTERVALS,
                         "in order; their sums are exact"),
    FIELD_ALLOCATED_LIST(app_course, phases, phase_count, PHASE_FIELDS, COURSE_PHASES, "in order, without gaps"),
    {0},
};

static const struct field DEATH_FIELDS[] = {
    FIELD(kernel_death, kernel, FIELD_TEXT, NULL, "`avx512.f64.fma`"),
    FIELD(kernel_death, variant, FIELD_TEXT, NULL, "as in a sample, at its first death"),
    FIELD(kernel_death, signal, FIELD_TEXT, NULL, "`SIGILL`, `SIGSEGV`, `SIGBUS` or `SIGFPE`"),
    FIELD(kernel_death, cpu, FIELD_COUNT, NULL, "number in the operating system of the CPU that ran it"),
    {0},
};

/* `count` consecutive numbers, each with the ends of its interval: value, low, high, value, … */
#define NUMBERS(record, member, of_unit, of_digits, ...)                                                               \
    {                                                                                                                  \
        .key = #member, FIELD_PLACED(record, member), .type = FIELD_NUMBERS, .unit = of_unit, .digits = of_digits,     \
        .intervals = true, .meaning = __VA_ARGS__                                                                      \
    }

static const struct field MEMORY_POINT_FIELDS[] = {
    FIELD(memory_point, setting, FIELD_AMOUNT, NULL,
          "`loaded`: no-ops of a loader for each burst of 32 lines, 1e9: no load; `mlp`: chases; `writes`: threads; "
          "`pages`: touched pages, 0: random lines",
          .scanned = true),
    NUMBERS(memory_point, latency_s, "s", 5, "of a load: median of the visits, and its 90 % interval",
            .missing = "`writes` and random lines", .scanned = true),
    NUMBERS(memory_point, bytes_per_s, "B/s", 5,
            "`loaded`: that memory must pass for loaders and chaser; otherwise requested: median and interval",
            .missing = "`pages`", .scanned = true),
    NUMBERS(memory_point, bus_bytes_per_s, "B/s", 5,
            "`writes`: counted by the memory controllers, also for other programs: median and interval",
            .missing = "their counters cannot be read", .scanned = true),
    FIELD(memory_point, visits, FIELD_COUNT, NULL, "number of visits"),
    FIELD(memory_point, doubts, FIELD_DOUBTS, NULL, "as in a sample", .missing = "none", .scanned = true),
    {0},
};
static const struct field MEMORY_SERIES_FIELDS[] = {
    FIELD(memory_series, part, FIELD_NAME, NULL, "part of `carmine memory`", .names = memory_part_names,
          .scanned = true),
    FIELD(memory_series, level, FIELD_TEXT, NULL, "level of the data", .scanned = true),
    FIELD(memory_series, kernel, FIELD_TEXT, NULL, "`loaded`: of the loaders; otherwise measured", .scanned = true),
    FIELD(memory_series, threads, FIELD_COUNT, NULL, "loaders; otherwise 1", .missing = "`writes`: see `setting`",
          .scanned = true),
    FIELD(memory_series, node, FIELD_PLACE, NULL, "memory node of the chasing core", .missing = "there is only one",
          .scanned = true),
    FIELD(memory_series, memory_node, FIELD_PLACE, NULL, "memory node of the data", .missing = "there is only one",
          .scanned = true),
    FIELD(memory_series, page_bytes, FIELD_BYTES, "B", "of the data's pages, as requested", .scanned = true),
    FIELD_ALLOCATED_LIST(memory_series, points, count, MEMORY_POINT_FIELDS, MAX_POINTS,
                         "`loaded`: from idle to full load; otherwise by rising `setting`", .scanned = true),
    {0},
};
static const struct field HANDOVER_FIELDS[] = {
    FIELD(handover, first, FIELD_COUNT, NULL, "CPU, the operating system's number", .scanned = true),
    FIELD(handover, second, FIELD_COUNT, NULL, "the other CPU", .scanned = true),
    FIELD(handover, shares, FIELD_TEXT, NULL,
          "nearest part that both have in common: `core`, `L2`, `L3`, `die`, `package`, `machine`", .scanned = true),
    NUMBERS(handover, swap_s, "s", 4,
            "by compare-and-swap: median and 90 % interval, in a page that the first CPU touched first; then of the "
            "second one's",
            .missing = "not measured", .scanned = true),
    NUMBERS(handover, store_s, "s", 4, "by a store that the other's load sees: likewise", .missing = "not measured",
            .scanned = true),
    FIELD(handover, doubts, FIELD_DOUBTS, NULL, "as in a sample", .missing = "none", .scanned = true),
    {0},
};
static const struct field CORE_FIELDS[] = {
    FIELD(core_value, form, FIELD_LABEL, NULL,
          "mnemonic and operands, `addsd xx` ([core.md](core.md)); or `mispredict`, `load indexed` and their like"),
    NUMBERS(core_value, latency_cycles, "cycles", 4,
            "of a chain of dependent ones: first quartile of the slices, first tenth, median",
            .missing = "not measured"),
    NUMBERS(core_value, throughput_cycles, "cycles", 4, "of one of many independent ones: likewise",
            .missing = "not measured"),
    FIELD(core_value, clock_hz, FIELD_NUMBER, "Hz", "of the core, read beside each slice: median", .digits = 5),
    FIELD(core_value, crosses, FIELD_BOOL, NULL,
          "its latency is a share of a way to another kind of register and back: true in such sums alone",
          .missing = "false"),
    FIELD(core_value, disturbed, FIELD_BOOL, NULL, "others used the core, or the clock changed: rather too high",
          .missing = "false"),
    {0},
};
static const char *pair_fits(const void *record) {
    const struct core_pair *pair = record;
    return pair->share <= 1 ? NULL : "share must not be above 1";
}

static const struct field CORE_PAIR_FIELDS[] = {
    FIELD(core_pair, form, FIELD_LABEL, NULL, "of one class of instructions"),
    FIELD(core_pair, other, FIELD_LABEL, NULL, "of another one"),
    FIELD(core_pair, share, FIELD_NUMBER, "share",
          "of the time of either that both together take longer: 0 they share no pipe, 1 all", .missing = "0",
          .digits = 4),
    {0},
};
bool result_sample_holds(const struct sample *sample, struct error *err) {
    const char *wrong = sample_fits(sample);
    return wrong ? error_set(err, "%s", wrong) : ranges_hold(SAMPLE_FIELDS, sample, err);
}

const struct field *const result_sample_fields = SAMPLE_FIELDS, *const result_point_fields = APP_FIELDS,
                          *const result_count_fields = COUNT_FIELDS,
                          *const result_annotation_fields = ANNOTATION_FIELDS,
                          *const result_course_fields = COURSE_FIELDS;

const struct field result_fields[] = {
    {.key = "schema",
     .type = FIELD_CONSTANT,
     .meaning = "schema of this file",
     .names = result_schema,
     .scanned = true},
    FIELD(result, uarch, FIELD_TEXT, NULL, "microarchitecture of the documented limits; empty: not known",
          .scanned = true),
    FIELD(result, uarch_doubt, FIELD_TEXT, NULL, "why that may be wrong", .missing = "no doubt"),
    FIELD(result, documented_sources, FIELD_TEXT, NULL, "source of the limits", .missing = "not known"),
    FIELD(result, machine, FIELD_RECORD, NULL, "the measured machine", .of = MACHINE_FIELDS, .scanned = true),
    FIELD(result, environment, FIELD_RECORD, NULL, "how it was measured", .of = ENVIRONMENT_FIELDS, .scanned = true),
    FIELD_LIST_OF(result, levels, kind_count, LEVELS_FIELDS, "a list of levels for each kind of core", .scanned = true),
    FIELD_ALLOCATED_LIST(result, samples, sample_count, SAMPLE_FIELDS, MAX_SAMPLES, "measured kernels, one per line",
                         .fits = sample_fits, .scanned = true),
    FIELD_ALLOCATED_LIST(result, curves, curve_count, CURVE_FIELDS, MAX_CURVES,
                         "bandwidth or latency against working-set size", .fits = curve_fits),
    FIELD_ALLOCATED_LIST(result, validation, validation_count, VALIDATION_FIELDS, MAX_POINTS,
                         "points of `carmine validate`; their model, min(`peak_flop_per_s`, `flop_per_byte` × "
                         "`bandwidth_bytes_per_s`), and the deviation are derived",
                         .missing = "not measured", .fits = validation_fits),
    FIELD_ALLOCATED_LIST(result, points, point_count, APP_FIELDS, MAX_POINTS,
                         "applications measured by `carmine app` (a file may hold points without samples); rates, "
                         "intensities and the verdict are derived",
                         .missing = "not measured"),
    FIELD_ALLOCATED_LIST(result, annotations, annotation_count, ANNOTATION_FIELDS, MAX_POINTS,
                         "code of hot loops with their source lines, from `carmine app --annotate`",
                         .missing = "not requested"),
    FIELD_ALLOCATED_LIST(result, courses, course_count, COURSE_FIELDS, MAX_POINTS,
                         "programs over time, from `carmine app --every`", .missing = "not requested"),
    FIELD_ALLOCATED_LIST(
        result, deaths, death_count, DEATH_FIELDS, MAX_POINTS,
        "kernels that died of a signal in the last measurement of samples or curves, so their values are missing",
        .missing = "no deaths"),
    FIELD_LIST_NAMED("memory_series", result, memory.series, memory.series_count, MEMORY_SERIES_FIELDS, MAX_CURVES,
                     "the memory system under load, from `carmine memory`: points under one condition",
                     .missing = "not measured", .scanned = true),
    FIELD_LIST_NAMED("memory_pairs", result, memory.pairs, memory.pair_count, HANDOVER_FIELDS, MAX_PAIRS,
                     "a cache line between two CPUs, one way: half of a round trip", .missing = "not measured",
                     .scanned = true),
    {.key = "memory_pairs_planned",
     FIELD_PLACED(result, memory.pairs_planned),
     .type = FIELD_COUNT,
     .meaning = "pairs of CPUs, measured or not",
     .missing = "none",
     .scanned = true},
    {.key = "memory_omitted",
     FIELD_PLACED(result, memory.omitted),
     .type = FIELD_TEXT,
     .meaning = "what `carmine memory` could not measure, and why",
     .missing = "nothing"},
    FIELD_LIST_NAMED("core", result, core.values, core.count, CORE_FIELDS, MAX_FORMS,
                     "what a core needs for instructions, from `carmine core`", .missing = "not measured"),
    FIELD_LIST_NAMED("core_pairs", result, core.pairs, core.pair_count, CORE_PAIR_FIELDS, MAX_FORMS,
                     "which of them share pipes", .missing = "not measured", .fits = pair_fits),
    {0},
};
