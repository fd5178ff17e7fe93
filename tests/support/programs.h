/* SPDX-License-Identifier: BSD-3-Clause
 * Made-up programs and loops, and a machine of round numbers whose roofs judge them. Include cmocka.h before it. */
#pragma once

#include "carm/model/loop_account.h"
#include "carm/model/verdict.h"
#include "fixtures.h"

/* One core: 100 Gflop/s, and 12 with scalar code; two cores twice that. */
static const struct row {
    const char *kernel, *level;
    double value; /* of one thread */
} ROWS[] = {
    {"avx512.f64.fma", "", 100e9},   {"avx512.f64.add", "", 50e9},     {"avx2.f64.fma", "", 50e9},
    {"avx2.f64.fmaadd", "", 65e9},   {"avx.f64.add", "", 25e9},        {"sse.f64.fma", "", 24e9},
    {"scalar.f64.fma", "", 12e9},    {"x87.f64.addmul", "", 7e9},      {"avx512.f32.fma", "", 200e9},
    {"avx512.i8.dot", "", 800e9},    {"avx512.load", "L1", 400e9},     {"avx512.store", "L1", 200e9},
    {"avx512.2ld1st", "L1", 600e9},  {"scalar.load", "L1", 80e9},      {"scalar.2ld1st", "L1", 120e9},
    {"avx512.axpy", "L1", 550e9},    {"avx512.update", "L1", 400e9},   {"avx512.load", "DRAM", 16e9},
    {"avx512.store", "DRAM", 10e9},  {"avx512.ntstore", "DRAM", 24e9}, {"avx512.2ld1st", "DRAM", 15e9},
    {"avx512.1ld1st", "DRAM", 14e9}, {"avx512.update", "DRAM", 30e9},  {"avx512.axpy", "DRAM", 24e9},
    {"scalar.2ld1st", "DRAM", 14e9}, {"scalar.load", "DRAM", 16e9},    {"avx512.random", "DRAM", 90e9},
    {"avx512.load", "L2", 180e9},    {"avx512.2ld1st", "L2", 140e9},   {"scalar.load", "L2", 60e9},
};
enum { ROW_COUNT = sizeof ROWS / sizeof ROWS[0], COUNT = 2 * ROW_COUNT };

static struct sample samples[COUNT];
static struct result result;
static struct model model;

static inline int build(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        const struct row *row = &ROWS[i % ROW_COUNT];
        unsigned threads = i < ROW_COUNT ? 1 : 4;
        samples[i] = (struct sample){.kind = row->level[0] ? SAMPLE_BANDWIDTH : SAMPLE_COMPUTE,
                                     .threads = threads,
                                     .value = row->value * threads};
        strcpy(samples[i].kernel, row->kernel);
        strcpy(samples[i].level, row->level);
    }
    result = (struct result){.sample_count = COUNT, .samples = samples, .kind_count = 1, .machine = {.core_count = 4}};
    result.levels[0].count = 3;
    for (unsigned i = 0; i < 3; i++)
        strcpy(result.levels[0].level[i].name, (const char *const[]){"L1", "L2", "DRAM"}[i]);
    result.levels[0].level[0].effective_bytes = 48 << 10;
    result.levels[0].level[1].effective_bytes = 2 << 20;
    result.machine.kind_count = 1;
    result.machine.kinds[0].cache_count = 2;
    result.machine.kinds[0].caches[0].sharing_core_count = result.machine.kinds[0].caches[1].sharing_core_count = 1;
    model = model_build(&result);
    return 0;
}

static inline int drop(void **state) {
    (void)state;
    model_free(&model);
    return 0;
}

/* A second of a program on one thread, of AVX-512 code, with these shares of loads and stores in its bytes. */
static inline struct app_point program(double flop, double load_bytes, double store_bytes) {
    struct app_point point = {.threads = 1,
                              .seconds = {.n = 1, .median = 1},
                              .seconds_source = SOURCE_CLOCK,
                              .flop = {.n = 1, .median = flop},
                              .flop_source = SOURCE_COUNTED,
                              .load_bytes = {.n = 1, .median = load_bytes},
                              .store_bytes = {.n = 1, .median = store_bytes},
                              .bytes_source = SOURCE_COUNTED,
                              .has_count = true};
    point.count.flop[COUNT_F64][COUNT_512] = point.count.fused_flop = (uint64_t)flop;
    return point;
}

static inline struct app_point of_width(struct app_point point, enum count_type type, enum count_width width) {
    memset(&point.count, 0, sizeof point.count);
    point.count.flop[type][width] = (uint64_t)point.flop.median;
    point.count.fused_flop = type == COUNT_X87 ? 0 : (uint64_t)point.flop.median;
    return point;
}

static inline struct app_point with_traffic(struct app_point point, double read_bytes) {
    point.dram_source = SOURCE_SIMULATED;
    point.dram_read_bytes = (struct statistics){.n = 1, .median = read_bytes};
    return point;
}

/* A second of a program with known traffic over each link. */
static inline struct app_point with_links(struct app_point point, double l2_bytes, double dram_bytes) {
    point.levels.links = 3;
    point.levels.link[0] =
        (struct point_link){.load_bytes = point.load_bytes.median, .write_back_bytes = point.store_bytes.median};
    point.levels.link[1] = (struct point_link){.level = 1, .load_bytes = l2_bytes};
    point.levels.link[2] = (struct point_link){.level = 2, .load_bytes = dram_bytes};
    return point;
}

/* A dot product: 1,000 iterations of `cycles` each at 1 GHz, by 100 entries of ten thousand. */
static inline struct app_point dot_product(double cycles) {
    struct app_point point = {.part = APP_LOOP,
                              .threads = 1,
                              .processes = 1,
                              .iterations = 1000000,
                              .entries = 100,
                              .time_share = 1,
                              .clock_hz = 1e9,
                              .has_count = true};
    point.count.instructions = 6 * point.iterations;
    point.seconds = point.cpu_seconds = app_once(cycles * 1e-3);
    point.in_core = (struct point_in_core){.known = true,
                                           .core = "golden-cove",
                                           .instructions = 6,
                                           .ports = 0.8,
                                           .busiest_ports = "0, 1, 5",
                                           .renaming = 0.5,
                                           .chain = 4,
                                           .chain_of = "addsd",
                                           .chain_instructions = 1,
                                           .accumulates = true,
                                           .fetch = 0.7,
                                           .mispredict = 17,
                                           .flight = 85};
    return point;
}

static const struct link_times NO_LINKS = {.longest = LINK_TIMES_NONE};

static inline struct loop_account find_loop(const struct app_point *point) {
    return loop_account_find(point, &NO_LINKS, NULL, &(struct loop_lines){0, 0, 0});
}
