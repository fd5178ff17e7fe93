/* SPDX-License-Identifier: BSD-3-Clause
 * The fields of a result file (see result_fields.h): a table for each struct, the whole last. */
#include "result_fields.h"

#include "results.h"

/* What more than this belongs to no run that was ever made: a damaged or hostile file is not to fill the memory. */
enum { MAX_SAMPLES = 100000, MAX_CURVES = 1000, MAX_POINTS = 10000 };

const char *const result_schema[] = {"carmine.result/1", NULL};
const char *const results_kind_names[] = {"compute", "bandwidth", "latency", NULL};

#define CYCLE "per cycle and core"
#define VALUE "flop/s, B/s or s"

static const struct field CPU_FIELDS[] = {
    FIELD(cpu_identity, vendor, FIELD_TEXT, NULL, "as CPUID says it: `GenuineIntel`", .scanned = true),
    FIELD(cpu_identity, brand, FIELD_TEXT, NULL, "its name", .scanned = true),
    FIELD(cpu_identity, family, FIELD_COUNT, NULL, "of CPUID", .scanned = true),
    FIELD(cpu_identity, model, FIELD_COUNT, NULL, "of CPUID", .scanned = true),
    FIELD(cpu_identity, stepping, FIELD_COUNT, NULL, "of CPUID", .scanned = true),
    FIELD(cpu_identity, features, FIELD_FEATURES, NULL,
          "that kernels may need, where the operating system lets them be used", .scanned = true),
    FIELD(cpu_identity, hypervisor, FIELD_TEXT, NULL, "`KVMKVMKVM`; empty on bare metal"),
    {0},
};
static const struct field SHAPE_FIELDS[] = {
    FIELD(cache_shape, size_bytes, FIELD_BYTES, "B", "of one instance"),
    FIELD(cache_shape, associativity, FIELD_WHOLE, NULL, "ways; -1: fully associative, 0: not known"),
    FIELD(cache_shape, sharing_core_count, FIELD_COUNT, NULL, "cores that share one; 0: it is for some PUs of a core"),
    FIELD(cache_shape, instance_count, FIELD_COUNT, NULL, "such instances"),
    {0},
};
static const struct field CACHE_FIELDS[] = {
    FIELD(cache, level, FIELD_COUNT, NULL, "1, 2, 3, …"),
    FIELD(cache, size_bytes, FIELD_BYTES, "B", "of one instance, the smallest where they differ"),
    FIELD(cache, line_bytes, FIELD_COUNT, "B", "0: not known"),
    FIELD(cache, associativity, FIELD_WHOLE, NULL, "ways; -1: fully associative, 0: not known"),
    FIELD(cache, sharing_core_count, FIELD_COUNT, NULL,
          "cores that share one instance, allowed or not, the most where they differ; 0: it is for some PUs of a core"),
    FIELD(cache, instance_count, FIELD_COUNT, NULL, "on the whole machine, of this kind's cores"),
    FIELD_LIST_OF(cache, shapes, shape_count, SHAPE_FIELDS, "what the instances are like where they differ",
                  .missing = "all are alike, or an older file"),
    {0},
};
static const struct field KIND_FIELDS[] = {
    FIELD(core_kind, name, FIELD_TEXT, NULL, "`P`, `E`; empty where all cores are alike", .scanned = true),
    FIELD(core_kind, core_count, FIELD_COUNT, NULL, "allowed cores", .scanned = true),
    FIELD_LIST_OF(core_kind, caches, cache_count, CACHE_FIELDS, "data and unified caches, from the innermost"),
    {0},
};
static const struct field NODE_FIELDS[] = {
    FIELD(memory_node, os_index, FIELD_COUNT, NULL, "the operating system's number"),
    FIELD(memory_node, memory_bytes, FIELD_BYTES, "B", "as hwloc tells it; a virtual machine may tell less"),
    FIELD(memory_node, memory_side_cache_bytes, FIELD_BYTES, "B",
          "of the cache before it: DRAM before persistent memory, MCDRAM before DRAM",
          .missing = "there is none, or an older file"),
    FIELD(memory_node, kind, FIELD_TEXT, NULL, "`DRAM`, `HBM`, `NVM`, `CXL`, `GPU`"),
    FIELD(memory_node, core_count, FIELD_COUNT, NULL, "allowed cores nearest to it"),
    {0},
};
static const struct field MACHINE_FIELDS[] = {
    FIELD(machine, host, FIELD_TEXT, NULL, "its name in the network", .scanned = true),
    FIELD(machine, cache_source, FIELD_TEXT, NULL, "who told of the caches: `hwloc`, `cpuid` or `none`"),
    FIELD(machine, package_count, FIELD_COUNT, NULL, "sockets", .scanned = true),
    FIELD(machine, machine_core_count, FIELD_COUNT, NULL, "all cores, allowed or not", .scanned = true),
    FIELD(machine, core_count, FIELD_COUNT, NULL, "allowed cores", .scanned = true),
    FIELD(machine, pu_count, FIELD_COUNT, NULL, "hardware threads"),
    FIELD(machine, allowed_pu_count, FIELD_COUNT, NULL, "hardware threads that may be used"),
    FIELD(machine, memory_total_bytes, FIELD_BYTES, "B", "of the operating system", .scanned = true),
    FIELD(machine, memory_available_bytes, FIELD_BYTES, "B", "MemAvailable, within the cgroup's limit"),
    FIELD(machine, cpu, FIELD_RECORD, NULL, "of another tool's machine the name alone (`brand`)", .of = CPU_FIELDS,
          .scanned = true),
    FIELD_LIST_OF(machine, kinds, kind_count, KIND_FIELDS,
                  "cores that are alike; kinds without an allowed core are left out", .scanned = true),
    FIELD_ALLOCATED_LIST(machine, nodes, node_count, NODE_FIELDS, MACHINE_MAX_NODES,
                         "its memory; of a GPU, as another tool measured it, one of the kind `GPU`"),
    {0},
};
static const struct field ENVIRONMENT_FIELDS[] = {
    FIELD(environment, version, FIELD_TEXT, NULL, "of carmine"),
    FIELD(environment, started_utc, FIELD_TEXT, NULL, "`2026-11-20T15:04:05Z`", .scanned = true),
    FIELD(environment, elapsed_s, FIELD_NUMBER, "s", "that measuring took", .scanned = true),
    FIELD(environment, command_line, FIELD_TEXT, NULL, "as it was typed"),
    FIELD(environment, kernel, FIELD_TEXT, NULL, "the operating system's: `Linux 6.1.0`"),
    FIELD(environment, governor, FIELD_TEXT, NULL, "of the clock; empty where the system does not tell"),
    FIELD(environment, huge_pages, FIELD_TEXT, NULL, "the system's setting: `madvise`"),
    FIELD(environment, microcode, FIELD_TEXT, NULL, "its revision"),
    FIELD(environment, load_average, FIELD_NUMBER, NULL, "over one minute, at the start"),
    FIELD(environment, tick_hz, FIELD_NUMBER, "Hz",
          "of what times are read from: the time stamp counter, else nanoseconds"),
    FIELD(environment, rest_clock_hz, FIELD_NUMBER, "Hz", "the core's clock with nothing else running; 0: not known",
          .scanned = true),
    FIELD(environment, clock_doubt, FIELD_TEXT, NULL,
          "why the clock is not to be believed, with all readings; empty: it is"),
    FIELD(environment, statistic, FIELD_TEXT, NULL, "how repetitions became a value: `upper quartile`"),
    FIELD(environment, planned_samples, FIELD_COUNT, NULL, "of the largest plan that the file was made by",
          .missing = "a sweep alone, or an older file"),
    FIELD(environment, interrupted, FIELD_BOOL, NULL, "stopped before the plan's end, or not there yet",
          .scanned = true),
    FIELD(environment, partial, FIELD_TEXT, NULL, "which command has not come to its end: `run: 34 of 302 samples`",
          .missing = "all have ended", .scanned = true),
    {0},
};
static const struct field LEVEL_FIELDS[] = {
    FIELD(level, name, FIELD_TEXT, NULL, "`L1`, `L2`, …, `DRAM` or `HBM`", .scanned = true),
    FIELD(level, detected_bytes, FIELD_BYTES, "B", "of one instance; 0 for memory", .scanned = true),
    FIELD(level, effective_bytes, FIELD_BYTES, "B", "up to here a sweep stays on its plateau; as detected until judged",
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
          "`avx512.f64.fma`; of another tool `stream.triad`, `ert.f64.peak`, `nsight.traffic` ([import.md](import.md))",
          .scanned = true),
    FIELD(sample, variant, FIELD_TEXT, NULL, "how it is unrolled: `12x2`"),
    FIELD(sample, kind, FIELD_NAME, NULL, "what `value` is: a rate of flop, a rate of bytes, or the time of an access",
          .missing = "`compute`", .names = results_kind_names, .scanned = true),
    FIELD(sample, threads, FIELD_COUNT, NULL, "that ran it", .scanned = true),
    FIELD(sample, cpus, FIELD_TEXT, NULL, "the operating system's numbers: `0-1`"),
    FIELD(sample, cores, FIELD_COUNT, NULL, "that the threads run on, where those are fewer (SMT)",
          .missing = "one for each thread", .scanned = true),
    FIELD(sample, core_kind, FIELD_TEXT, NULL, "`name` of a kind", .missing = "all cores are alike", .scanned = true),
    FIELD(sample, package, FIELD_PLACE, NULL, "only cores of this package", .missing = "any", .scanned = true),
    FIELD(sample, node, FIELD_PLACE, NULL, "only cores nearest to this memory node", .missing = "any", .scanned = true),
    FIELD(sample, memory_node, FIELD_PLACE, NULL, "all buffers lie on this node",
          .missing = "each thread's on the node nearest to it", .scanned = true),
    FIELD(sample, level, FIELD_TEXT, NULL, "that the data lie in", .missing = "compute", .scanned = true),
    FIELD(sample, working_set_bytes, FIELD_BYTES, "B", "of one thread", .missing = "compute, or not known"),
    FIELD(sample, page_bytes, FIELD_BYTES, "B", "of the pages that back it, from smaps",
          .missing = "compute, or not known"),
    FIELD(sample, small_pages, FIELD_BOOL, NULL,
          "4 KiB pages were asked for, to measure what address translation costs", .missing = "false", .scanned = true),
    FIELD(sample, rate, FIELD_STATISTICS, "flop/s (op/s of integer types, `….i8.…`), B/s or s",
          "of the visit that is nearest to the value: repetitions of each thread, those kept, and rates of all threads "
          "by these",
          .digits = 4),
    FIELD(sample, value, FIELD_NUMBER, VALUE, "the number, all threads together; as `rate`", .scanned = true),
    FIELD(sample, low, FIELD_NUMBER, VALUE,
          "where it lies in nine of ten cases ([method.md](method.md#intervals-and-the-trust-grade)): from here",
          .missing = "older files, and those of other tools", .digits = 5, .scanned = true),
    FIELD(sample, high, FIELD_NUMBER, VALUE, "where it lies: up to here", .missing = "as of `low`", .digits = 5,
          .scanned = true),
    FIELD(sample, per_cycle, FIELD_NUMBER, CYCLE, "flop (op) or bytes; of a latency cycles per access",
          .missing = "the clock could not be read", .scanned = true),
    FIELD(sample, spread, FIELD_NUMBER, NULL, "(q3 − q1) / median of what `value` rests on", .digits = 3),
    /* Three members, which stand one after the other. */
    {.key = "clock_hz",
     .offset = offsetof(struct sample, clock_hz),
     .size = 3 * sizeof(double),
     .type = FIELD_NUMBERS,
     .unit = "Hz",
     .meaning = "`[median, min, max]`, read after the kept repetitions, mean of the threads",
     .digits = 5,
     .scanned = true},
    FIELD(sample, documented_per_cycle, FIELD_NUMBER, CYCLE, "what the microarchitecture's documents allow",
          .missing = "not known"),
    FIELD(sample, doubts, FIELD_DOUBTS, NULL, "`carmine show` prints causes and remedies", .missing = "none",
          .scanned = true),
    {0},
};
static const struct field CURVE_POINT_FIELDS[] = {
    FIELD(curve_point, working_set_bytes, FIELD_BYTES, "B", "of one thread"),
    FIELD(curve_point, value, FIELD_NUMBER, "B/s or s", "of all threads; or per access", .digits = 5),
    FIELD(curve_point, per_cycle, FIELD_NUMBER, CYCLE, "bytes, or cycles per access; 0: not known", .digits = 5),
    FIELD(curve_point, clock_hz, FIELD_NUMBER, "Hz", "of the cores meanwhile; 0: not known", .digits = 4),
    FIELD(curve_point, doubts, FIELD_DOUBTS, NULL, "as of a sample", .missing = "none"),
    {0},
};
static const struct field CURVE_FIELDS[] = {
    FIELD(curve, kernel, FIELD_TEXT, NULL, "as of a sample"),
    FIELD(curve, kind, FIELD_NAME, NULL, "as of a sample", .names = results_kind_names),
    FIELD(curve, threads, FIELD_COUNT, NULL, "that ran it"),
    FIELD(curve, core_kind, FIELD_TEXT, NULL, "as of a sample", .missing = "any"),
    FIELD(curve, small_pages, FIELD_BOOL, NULL, "as of a sample", .missing = "false"),
    FIELD(curve, partial, FIELD_BOOL, NULL, "larger sizes were not measured any more", .missing = "false"),
    FIELD_ALLOCATED_LIST(curve, points, count, CURVE_POINT_FIELDS, MAX_POINTS, "one for each size"),
    {0},
};
static const struct field VALIDATION_FIELDS[] = {
    FIELD(validation_point, kernel, FIELD_TEXT, NULL, "the mixed kernel"),
    FIELD(validation_point, variant, FIELD_TEXT, NULL, "as of a sample"),
    FIELD(validation_point, level, FIELD_TEXT, NULL, "that its data lie in"),
    FIELD(validation_point, threads, FIELD_COUNT, NULL, "that ran it"),
    FIELD(validation_point, core_kind, FIELD_TEXT, NULL, "as of a sample", .missing = "all cores are alike"),
    FIELD(validation_point, working_set_bytes, FIELD_BYTES, "B", "of one thread"),
    FIELD(validation_point, flop_per_byte, FIELD_NUMBER, "flop/B", "of bytes that the core asks for"),
    FIELD(validation_point, flop_per_s, FIELD_NUMBER, "flop/s", "as measured, all threads"),
    FIELD(validation_point, per_cycle, FIELD_NUMBER, CYCLE, "flop, in L1 and L2",
          .missing = "further out, or the clock could not be read"),
    FIELD(validation_point, clock_hz, FIELD_NUMBER, "Hz", "of the cores meanwhile, in L1 and L2",
          .missing = "as of `per_cycle`"),
    FIELD(validation_point, spread, FIELD_NUMBER, NULL, "as of a sample", .digits = 3),
    FIELD(validation_point, peak_kernel, FIELD_TEXT, NULL, "of the compute roof beside it"),
    FIELD(validation_point, peak_flop_per_s, FIELD_NUMBER, "flop/s", "π; in L1 and L2 at the point's clock"),
    FIELD(validation_point, bandwidth_kernel, FIELD_TEXT, NULL, "of the bandwidth roof beside it"),
    FIELD(validation_point, bandwidth_bytes_per_s, FIELD_NUMBER, "B/s", "β; in L1 and L2 at the point's clock"),
    FIELD(validation_point, port_limit_per_cycle, FIELD_NUMBER, CYCLE,
          "flop: documented for this mix with its data in L1", .missing = "not known"),
    FIELD(validation_point, doubts, FIELD_DOUBTS, NULL, "of the kernel and of its two roofs", .missing = "none"),
    {0},
};

#define MASKED "if all masked lanes were active"
#define NONE   "0"

static const struct field COUNT_FIELDS[] = {
    FIELD(count, instructions, FIELD_BYTES, NULL, "that were executed", .missing = NONE),
    FIELD(count, load_instructions, FIELD_BYTES, NULL, "those that load otherwise than as the implicit stack",
          .missing = NONE),
    FIELD(count, store_instructions, FIELD_BYTES, NULL, "those that store otherwise than as the implicit stack",
          .missing = NONE),
    FIELD(count, full_flop, FIELD_BYTES, "flop", MASKED, .missing = NONE),
    FIELD(count, load_bytes, FIELD_BYTES, "B", "that active lanes load, without the implicit stack", .missing = NONE),
    FIELD(count, store_bytes, FIELD_BYTES, "B", "that active lanes store, without the implicit stack", .missing = NONE),
    FIELD(count, full_load_bytes, FIELD_BYTES, "B", MASKED, .missing = NONE),
    FIELD(count, full_store_bytes, FIELD_BYTES, "B", MASKED, .missing = NONE),
    FIELD(count, stack_load_bytes, FIELD_BYTES, "B", "of the implicit stack: `pop`, `ret`", .missing = NONE),
    FIELD(count, stack_store_bytes, FIELD_BYTES, "B", "of the implicit stack: `push`, `call`", .missing = NONE),
    FIELD(count, bytes_unknown, FIELD_BYTES, NULL, "instructions whose bytes are not known", .missing = NONE),
    FIELD(count, waiting_instructions, FIELD_BYTES, NULL,
          "of loops that wait for another thread; not among `instructions`, `mix` and `load_instructions`",
          .missing = "not told apart"),
    FIELD(count, waiting_bytes, FIELD_BYTES, "B",
          "that such loops load and store; not among `load_bytes` and `store_bytes`", .missing = "not told apart"),
    FIELD(count, fused_flop, FIELD_BYTES, "flop", "of `flop`, by fused multiply-adds", .missing = NONE),
    FIELD(count, flop, FIELD_TALLIES, "flop", "of active lanes, by type and width; of `i8` operations", .missing = NONE,
          .types = count_type_names, .names = count_width_names),
    FIELD(count, mix, FIELD_TALLY, NULL, "instructions by their sort", .missing = NONE, .names = effect_class_names),
    {0},
};

#define UNKNOWN "not known"
#define OTHER   "not of a workload"
#define EXACT   "nothing exact is known"
#define SOURCE(member, of_what)                                                                                        \
    FIELD(app_point, member, FIELD_NAME, NULL, "how " of_what " known ([applications.md](applications.md))",           \
          .missing = UNKNOWN, .names = app_source_names)

static const struct field APP_FIELDS[] = {
    FIELD(app_point, name, FIELD_LABEL, NULL, "its label, one of a kind in the file"),
    FIELD(app_point, program, FIELD_TEXT, NULL, "points of one program share it"),
    FIELD(app_point, part, FIELD_NAME, NULL, "what of the program it is", .names = app_part_names),
    FIELD(app_point, region, FIELD_TEXT, NULL, "its region; of a function the one that it was counted in",
          .missing = "the whole program"),
    FIELD(app_point, function, FIELD_TEXT, NULL, "its name", .missing = "no function"),
    FIELD(app_point, command, FIELD_TEXT, NULL, "as it was typed"),
    FIELD(app_point, measured_utc, FIELD_TEXT, NULL, "when: `2026-11-20T15:04:05Z`"),
    FIELD(app_point, threads, FIELD_COUNT, NULL, "that took part"),
    FIELD(app_point, processes, FIELD_COUNT, NULL, "that took part"),
    FIELD(app_point, calls, FIELD_BYTES, NULL, "how often the region was entered in one run", .missing = UNKNOWN),
    FIELD(app_point, seconds, FIELD_STATISTICS, "s", "over the native runs", .missing = UNKNOWN),
    SOURCE(seconds_source, "`seconds` are"),
    FIELD(app_point, time_share, FIELD_NUMBER, NULL, "of the program's time: 0 to 1", .missing = UNKNOWN),
    FIELD(app_point, clock_hz, FIELD_NUMBER, "Hz", "of its cores while it ran", .missing = UNKNOWN),
    FIELD(app_point, flop, FIELD_STATISTICS, "flop", "of one run; n is 1 for what was counted once, exactly",
          .missing = UNKNOWN),
    SOURCE(flop_source, "`flop` are"),
    FIELD(app_point, load_bytes, FIELD_STATISTICS, "B", "that the core loads, without the implicit stack",
          .missing = UNKNOWN),
    FIELD(app_point, store_bytes, FIELD_STATISTICS, "B", "that the core stores, without the implicit stack",
          .missing = UNKNOWN),
    SOURCE(bytes_source, "bytes loaded and stored are"),
    FIELD(app_point, dram_read_bytes, FIELD_STATISTICS, "B", "that DRAM delivers", .missing = UNKNOWN),
    FIELD(app_point, dram_write_bytes, FIELD_STATISTICS, "B", "that DRAM takes", .missing = UNKNOWN),
    SOURCE(dram_source, "bytes of DRAM are"),
    FIELD(app_point, tlb_misses, FIELD_STATISTICS, NULL, "page walks of loads and stores, by the CPU's counters",
          .missing = "not counted"),
    FIELD(app_point, origin, FIELD_TEXT, NULL, "of what `carmine import` took from other tools: which",
          .missing = "not imported"),
    FIELD(app_point, flop_type, FIELD_TEXT, NULL, "the element type of most flop, where no `count` tells: `f32`",
          .missing = UNKNOWN),
    FIELD(app_point, doubts, FIELD_DOUBTS, NULL, "as of a sample", .missing = "none"),
    FIELD(app_point, series, FIELD_TEXT, NULL, "of a workload: points that a line joins", .missing = OTHER),
    FIELD(app_point, size, FIELD_BYTES, NULL, "of a workload: where on that line", .missing = OTHER),
    FIELD(app_point, working_set_bytes, FIELD_BYTES, "B", "of a workload", .missing = OTHER),
    FIELD(app_point, data, FIELD_NAME, NULL, "of a workload: where its data are before each run", .missing = UNKNOWN,
          .names = app_state_names),
    FIELD(app_point, code, FIELD_NAME, NULL, "of a workload: where its code is before each run", .missing = UNKNOWN,
          .names = app_state_names),
    FIELD(app_point, analytic_flop, FIELD_AMOUNT, "flop", "of a workload: what one run does in theory",
          .missing = EXACT),
    FIELD(app_point, analytic_load_bytes, FIELD_AMOUNT, "B", "of a workload: what the core loads in theory",
          .missing = EXACT),
    FIELD(app_point, analytic_store_bytes, FIELD_AMOUNT, "B", "of a workload: what the core stores in theory",
          .missing = EXACT),
    FIELD(app_point, compulsory_read_bytes, FIELD_AMOUNT, "B",
          "of a workload: what DRAM delivers at least, of cold data", .missing = EXACT),
    FIELD(app_point, compulsory_write_bytes, FIELD_AMOUNT, "B", "of a workload: what DRAM takes at least",
          .missing = EXACT),
    FIELD(app_point, pseudo_flop, FIELD_AMOUNT, "flop",
          "by which implementations of one transform are compared: 5 n log₂ n of an FFT", .missing = OTHER),
    FIELD(app_point, count, FIELD_RECORD, NULL, "what was executed; only what is not zero", .missing = "not counted",
          .of = COUNT_FIELDS, .counter = FIELD_COUNTER(app_point, has_count)),
    {0},
};

static const struct field DEATH_FIELDS[] = {
    FIELD(kernel_death, kernel, FIELD_TEXT, NULL, "`avx512.f64.fma`"),
    FIELD(kernel_death, variant, FIELD_TEXT, NULL, "as of a sample, of the first time that it died"),
    FIELD(kernel_death, signal, FIELD_TEXT, NULL, "`SIGILL`, `SIGSEGV`, `SIGBUS` or `SIGFPE`"),
    FIELD(kernel_death, cpu, FIELD_COUNT, NULL, "the operating system's number of the CPU that ran it then"),
    {0},
};

const struct field *const result_sample_fields = SAMPLE_FIELDS, *const result_point_fields = APP_FIELDS,
                          *const result_count_fields = COUNT_FIELDS;

const struct field result_fields[] = {
    {.key = "schema", .type = FIELD_CONSTANT, .meaning = "of this file", .names = result_schema, .scanned = true},
    FIELD(result, uarch, FIELD_TEXT, NULL,
          "the microarchitecture that documented limits are taken from; empty: not known", .scanned = true),
    FIELD(result, uarch_doubt, FIELD_TEXT, NULL, "why that may be wrong", .missing = "nothing speaks against it"),
    FIELD(result, documented_sources, FIELD_TEXT, NULL, "who documents the limits", .missing = "not known"),
    FIELD(result, machine, FIELD_RECORD, NULL, "what was measured", .of = MACHINE_FIELDS, .scanned = true),
    FIELD(result, environment, FIELD_RECORD, NULL, "how it was measured", .of = ENVIRONMENT_FIELDS, .scanned = true),
    FIELD_LIST_OF(result, levels, kind_count, LEVELS_FIELDS, "a list for each kind of core: the levels that it sees",
                  .scanned = true),
    FIELD_ALLOCATED_LIST(result, samples, sample_count, SAMPLE_FIELDS, MAX_SAMPLES,
                         "kernels as they were measured, one per line", .scanned = true),
    FIELD_ALLOCATED_LIST(result, curves, curve_count, CURVE_FIELDS, MAX_CURVES,
                         "bandwidth or latency against working-set size"),
    FIELD_ALLOCATED_LIST(result, validation, validation_count, VALIDATION_FIELDS, MAX_POINTS,
                         "points of `carmine validate`; their model, min(`peak_flop_per_s`, `flop_per_byte` × "
                         "`bandwidth_bytes_per_s`), and the deviation are derived",
                         .missing = "none were measured"),
    FIELD_ALLOCATED_LIST(result, points, point_count, APP_FIELDS, MAX_POINTS,
                         "applications, as `carmine app` measured them (a file may hold points and no samples); rates, "
                         "intensities and the verdict are derived",
                         .missing = "none were measured"),
    FIELD_ALLOCATED_LIST(result, deaths, death_count, DEATH_FIELDS, MAX_POINTS,
                         "kernels that died of a signal when samples or curves were measured last, and so are lacking",
                         .missing = "none did"),
    {0},
};
