/* SPDX-License-Identifier: BSD-3-Clause
 * Machines, results and files for several tests. Include cmocka.h before it. */
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/kernels/doubt.h"
#include "bench/kernels/plan.h"
#include "bench/programs/app_point.h"
#include "carm/store/results.h"
#include "probe/error.h"
#include "probe/isa.h"
#include "probe/machine.h"
#include "folder.h"

#define KIB(n) ((uint64_t)(n) << 10)
#define MIB(n) ((uint64_t)(n) << 20)
#define GIB(n) ((uint64_t)(n) << 30)

enum {
    FIXTURE_AVX2 = CPU_X87 | CPU_SSE2 | CPU_AVX | CPU_AVX2 | CPU_FMA3,
    FIXTURE_AVX512 = FIXTURE_AVX2 | CPU_AVX512,
};

/* cmocka compares floats only. */
#define assert_near(got, wanted)                                                                                       \
    do {                                                                                                               \
        double got_ = (got), wanted_ = (wanted);                                                                       \
        if (!(fabs(got_ - wanted_) <= 1e-9 * fabs(wanted_)))                                                           \
            fail_msg("%s is %.12g, not %.12g", #got, got_, wanted_);                                                   \
    } while (0)

#define assert_contains(text, part)                                                                                    \
    do {                                                                                                               \
        if (!strstr((text), (part)))                                                                                   \
            fail_msg("\"%s\" does not say \"%s\"", (text), (part));                                                    \
    } while (0)

/* Frees the text. */
static inline void fixture_says(char *text, const char *part) {
    assert_contains(text, part);
    free(text);
}

/* Repetitions around a median: 2 % to the quartiles, 4 % to the extremes. */
static inline struct statistics fixture_around(double median) {
    return (struct statistics){20, 20, median * 0.96, median * 0.98, median, median * 1.02, median * 1.04};
}

static inline struct cache fixture_cache(unsigned level, uint64_t bytes, int ways, unsigned sharing,
                                         unsigned instances) {
    return (struct cache){.level = level,
                          .size_bytes = bytes,
                          .line_bytes = 64,
                          .associativity = ways,
                          .sharing_core_count = sharing,
                          .instance_count = instances};
}

/* A server: 48 KiB of L1 and 2 MiB of L2 per core, 2 MiB of L3 per core in slices that 32 cores share, one node. */
static inline struct machine fixture_machine(unsigned cores, cpu_features features) {
    unsigned slices = (cores + 31) / 32, per_slice = cores < 32 ? cores : 32;
    struct machine m = {
        .cpu = {.vendor = "GenuineIntel", .brand = "Made-up CPU", .family = 6, .model = 143, .features = features},
        .host = "fixture",
        .isa_known = true,
        .topology_source = "a test",
        .cache_source = "hwloc",
        .package_count = 1,
        .pu_count = cores,
        .allowed_pu_count = cores,
        .machine_core_count = cores,
        .kind_count = 1,
        .core_count = cores,
        .node_count = 1,
        .memory_total_bytes = GIB(64),
        .memory_available_bytes = GIB(60)};
    m.kinds[0] =
        (struct core_kind){.core_count = cores,
                           .cache_count = 3,
                           .caches = {fixture_cache(1, KIB(48), 12, 1, cores), fixture_cache(2, MIB(2), 16, 1, cores),
                                      fixture_cache(3, MIB(2) * per_slice, 15, per_slice, slices)}};
    m.cores = calloc(cores, sizeof *m.cores);
    for (unsigned i = 0; i < cores; i++)
        m.cores[i] = (struct core){.pu_count = 1, .pus = {i}, .cache_instance = {{i, i, i / 32, MACHINE_NO_INSTANCE}}};
    m.nodes = calloc(1, sizeof *m.nodes);
    m.nodes[0] = (struct memory_node){.memory_bytes = GIB(64), .kind = "DRAM", .core_count = cores};
    return m;
}

/* P cores as above, then E cores in clusters of four that share an L2 and have a smaller L1. */
static inline struct machine fixture_hybrid(unsigned p_cores, unsigned e_cores) {
    struct machine m = fixture_machine(p_cores + e_cores, FIXTURE_AVX2);
    m.kind_count = 2;
    m.kinds[1] = m.kinds[0];
    snprintf(m.kinds[0].name, sizeof m.kinds[0].name, "P");
    snprintf(m.kinds[1].name, sizeof m.kinds[1].name, "E");
    m.kinds[0].core_count = p_cores;
    m.kinds[1].core_count = e_cores;
    m.kinds[1].caches[0].size_bytes = KIB(32);
    m.kinds[1].caches[1].sharing_core_count = 4;
    for (unsigned i = p_cores; i < p_cores + e_cores; i++) {
        m.cores[i].kind = 1;
        m.cores[i].cache_instance[0][1] = p_cores + (i - p_cores) / 4;
    }
    return m;
}

static inline void fixture_levels(const struct machine *machine, struct levels *out) {
    for (unsigned i = 0; i < machine->kind_count; i++)
        out[i] = levels_detected(&machine->kinds[i], "DRAM");
}

/* A plausible measurement of a step: inner levels are faster, later operations a little slower. */
static inline struct sample fixture_sample(const struct machine *machine, const struct levels *levels,
                                           const struct plan_step *step, size_t index) {
    static const double CLOCK_HZ = 3.0123e9;
    struct sample s = {.kind = step->kind,
                       .threads = step->threads,
                       .clock_hz = CLOCK_HZ,
                       .clock_min_hz = CLOCK_HZ * 0.987,
                       .clock_max_hz = CLOCK_HZ * 1.0123,
                       .spread = 0.00123 + 1e-5 * (double)(index % 7),
                       .repetition_s = 2.0123e-4,
                       .doubts = step->doubts};
    double faint = 1 - 0.003 * (double)(index % 11);
    plan_describe(step, machine, levels, &s);
    if (s.node && s.memory_node && s.node != s.memory_node) { /* farther from another package than within one */
        double nearness = (s.node - 1) / 2 == (s.memory_node - 1) / 2 ? (strcmp(s.level, "HBM") == 0 ? 3 : 0.7) : 0.4;
        faint *= s.kind == SAMPLE_LATENCY ? 1 / nearness : nearness;
    }
    if (s.kind == SAMPLE_COMPUTE)
        s.per_cycle = (step->kernel[3] == '5' ? 32 : 16) * faint;
    else
        s.per_cycle = (s.kind == SAMPLE_LATENCY ? 5 * pow(4, step->level) : 128 / pow(3, step->level)) * faint;
    s.value = s.kind == SAMPLE_LATENCY ? s.per_cycle / CLOCK_HZ : s.per_cycle * CLOCK_HZ * sample_cores(&s);
    s.rate = (struct statistics){100, 93, s.value * 0.9, s.value * 0.98, s.value * 0.99, s.value, s.value * 1.01};
    s.documented_per_cycle = s.kind == SAMPLE_COMPUTE ? 32 : 0;
    snprintf(s.kernel, sizeof s.kernel, "%s", step->kernel);
    snprintf(s.variant, sizeof s.variant, "%s", s.kind == SAMPLE_COMPUTE ? "12x2" : "64");
    snprintf(s.cpus, sizeof s.cpus, step->threads == 1 ? "0" : "0-%u", step->threads - 1);
    if (step->level >= 0) {
        s.working_set_bytes = step->size_bytes[0];
        s.page_bytes = MIB(2);
    }
    return s;
}

/* The result of a plan with these options (NULL: the defaults), including a sweep and a pointer chase curve. */
static inline struct result fixture_result(struct machine machine, const struct plan_options *options) {
    struct result r = {.machine = machine, .kind_count = machine.kind_count, .uarch = "Golden Cove", .curve_count = 2};
    struct plan plan;
    struct error err;
    fixture_levels(&machine, r.levels);
    if (!plan_roofs(&plan, &machine, r.levels, options ? options : &(struct plan_options){0}, &err))
        fail_msg("%s", err.text);
    r.samples = calloc(plan.count, sizeof *r.samples);
    for (size_t i = 0; i < plan.count; i++)
        r.samples[r.sample_count++] = fixture_sample(&machine, r.levels, &plan.steps[i], i);
    plan_free(&plan);
    r.curves = calloc(2, sizeof *r.curves);
    for (int c = 0; c < 2; c++) {
        r.curves[c] = (struct curve){.kind = c ? SAMPLE_LATENCY : SAMPLE_BANDWIDTH, .threads = 1, .count = 20};
        snprintf(r.curves[c].kernel, sizeof r.curves[c].kernel, "%s", c ? "chase" : "avx2.load");
        r.curves[c].points = calloc(20, sizeof *r.curves[c].points);
        for (unsigned i = 0; i < 20; i++)
            r.curves[c].points[i] = (struct curve_point){.working_set_bytes = KIB(4) << i,
                                                         .value = c ? 1e-9 * pow(1.3, i) : 3e11 / pow(1.2, i),
                                                         .per_cycle = c ? 3 * pow(1.3, i) : 100 / pow(1.2, i),
                                                         .clock_hz = 3e9,
                                                         .doubts = i == 5 ? DOUBTS(DOUBT_CLOCK_DRIFTED) : NO_DOUBTS};
    }
    r.environment = (struct environment){.version = "0.1.0",
                                         .started_utc = "2026-11-20T15:04:05Z",
                                         .elapsed_s = 31.25,
                                         .command_line = "carmine run -o x.json",
                                         .kernel = "Linux 6.1.0",
                                         .governor = "performance",
                                         .huge_pages = "madvise",
                                         .microcode = "0x2b000639",
                                         .load_average = 0.25,
                                         .tick_hz = 2e9,
                                         .rest_clock_hz = 3.0e9,
                                         .statistic = "upper-quartile"};
    return r;
}

/* Sets the relative uncertainty of all roofs, to either side. */
static inline void fixture_intervals(struct result *r, double below, double above) {
    for (size_t i = 0; i < r->sample_count; i++) {
        r->samples[i].low = r->samples[i].value * (1 - below);
        r->samples[i].high = r->samples[i].value * (1 + above);
    }
}

/* A region of an application with all fields set. */
static inline struct app_point fixture_point(const char *name) {
    struct app_point p = {.part = APP_REGION,
                          .region = "solve",
                          .program = "prog",
                          .command = "./prog -n 5",
                          .measured_utc = "2026-11-20T16:04:05Z",
                          .threads = 2,
                          .processes = 1,
                          .calls = 10,
                          .seconds = {20, 20, 0.0123, 0.0124, 0.0125, 0.0126, 0.0135},
                          .seconds_source = SOURCE_CLOCK,
                          .time_share = 0.75,
                          .flop = {1, 1, 20000012, 20000012, 20000012, 20000012, 20000012},
                          .flop_source = SOURCE_COUNTED,
                          .load_bytes = {1, 1, 160000001, 160000001, 160000001, 160000001, 160000001},
                          .store_bytes = {1, 1, 80000000, 80000000, 80000000, 80000000, 80000000},
                          .bytes_source = SOURCE_COUNTED,
                          .dram_read_bytes = {1, 1, 1.5e8, 1.5e8, 1.5e8, 1.5e8, 1.5e8},
                          .dram_write_bytes = {1, 1, 7e7, 7e7, 7e7, 7e7, 7e7},
                          .dram_source = SOURCE_SIMULATED,
                          .has_count = true,
                          .count = {.instructions = 5000000000,
                                    .load_instructions = 7,
                                    .store_instructions = 6,
                                    .full_flop = 20000014,
                                    .load_bytes = 160000001,
                                    .store_bytes = 80000000,
                                    .full_load_bytes = 160000002,
                                    .full_store_bytes = 80000001,
                                    .stack_load_bytes = 3000,
                                    .stack_store_bytes = 4000,
                                    .bytes_unknown = 2},
                          .doubts = DOUBTS(DOUBT_SIMULATED)};
    snprintf(p.name, sizeof p.name, "%s", name);
    p.count.flop[COUNT_F64][COUNT_512] = 20000000;
    p.count.flop[COUNT_F64][COUNT_SCALAR] = 10;
    p.count.flop[COUNT_F32][COUNT_128] = 2;
    p.count.flop[COUNT_I8][COUNT_TILE] = 99;
    p.count.mix[CLASS_MOVE] = 4000000000;
    p.count.mix[CLASS_FLOP_512] = 1000000000;
    return p;
}

/* The whole file, ending in NUL; free it. */
static inline char *fixture_read(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = malloc(1 << 22);
    *length = fread(text, 1, (1 << 22) - 1, file);
    text[*length] = '\0';
    fclose(file);
    return text;
}

static inline void fixture_write(const char *path, const char *text, size_t length) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    fclose(file);
}

/* Fails if there is none. */
static inline struct sample *fixture_sample_of(struct result *r, const char *kernel, const char *level,
                                               unsigned threads) {
    for (size_t i = 0; i < r->sample_count; i++)
        if (strcmp(r->samples[i].kernel, kernel) == 0 && strcmp(r->samples[i].level, level) == 0 &&
            r->samples[i].threads == threads && !r->samples[i].small_pages)
            return &r->samples[i];
    fail_msg("no %s %s of %u threads", level, kernel, threads);
    return NULL;
}
