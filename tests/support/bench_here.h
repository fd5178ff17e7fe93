/* SPDX-License-Identifier: BSD-3-Clause
 * A bench on this machine, for a group of tests: cmocka_run_group_tests(tests, open_bench, close_bench). Include
 * cmocka.h before it. */
#pragma once

#include "bench/kernels/run.h"
#include "probe/error.h"
#include "fixtures.h"

static struct machine here;
static struct levels levels[MACHINE_MAX_KINDS];
static struct bench bench;

static inline int open_bench(void **state) {
    (void)state;
    struct error err = {""};
    if (!machine_load(&here, NULL, &err))
        return -1;
    fixture_levels(&here, levels);
    if (!bench_open(&bench, &here, MIB(8), true, &err))
        return -1;
    bench.levels = levels;
    return 0;
}

static inline int close_bench(void **state) {
    (void)state;
    bench_close(&bench);
    machine_free(&here);
    return 0;
}

/* One thread, a few short repetitions; `bytes` 0: in registers. */
static inline struct plan_step step_of(const char *kernel, enum sample_kind kind, int level, uint64_t bytes) {
    struct plan_step step = {.kind = kind,
                             .level = level,
                             .paced = level < 2,
                             .core_kind = TEAM_ANY_KIND,
                             .threads = 1,
                             .size_count = bytes ? 1 : 0,
                             .size_bytes = {bytes},
                             .repetitions = 32,
                             .repetition_s = 50e-6};
    snprintf(step.kernel, sizeof step.kernel, "%s", kernel);
    return step;
}
