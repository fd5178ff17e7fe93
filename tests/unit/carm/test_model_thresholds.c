/* SPDX-License-Identifier: BSD-3-Clause
 * Each threshold of the model beside verdicts and shortfalls, just above and just below. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/model/describe.h"
#include "carm/model/memory_model.h"
#include "carm/model/model.h"
#include "carm/model/model_thresholds.h"
#include "carm/model/validate.h"
#include "tests/support/fixtures.h"
#include "tests/support/memories.h"
#include "tests/support/thresholds.h"

/* Loaded latency: from 100 ns without load to `end_s` at 100 GB/s, by way of a point. The roof of all eight cores; 0:
 * not measured. */
static struct loaded_curve loaded(double way_bytes_per_s, double way_s, double end_s, double roof_bytes_per_s) {
    struct sample roof = {.kind = SAMPLE_BANDWIDTH, .threads = 8, .value = roof_bytes_per_s, .level = "DRAM"};
    strcpy(roof.kernel, "avx512.load");
    struct result result = {
        .machine = {.core_count = 8}, .sample_count = roof_bytes_per_s > 0 ? 1 : 0, .samples = &roof};
    struct memory_series *series = memories_series(&result.memory, MEMORY_LOADED, "DRAM", "avx512.load", 7);
    struct loaded_curve curve;
    memories_point(series, MEMORY_IDLE, 100e-9, 0.64e9);
    memories_point(series, 10, way_s, way_bytes_per_s);
    memories_point(series, 0, end_s, 100e9);
    assert_true(memory_loaded(&result, series, &curve));
    memory_system_free(&result.memory);
    return curve;
}

static bool is_usable(double times) {
    return loaded(50e9, 100e-9, 100e-9 * times, 0).usable_is_end;
}

static bool has_knee(double rise) {
    return isfinite(loaded(90e9, 100e-9, 100e-9 * rise, 0).knee_bytes_per_s);
}

/* Halfway between both ends. */
static bool has_deep_knee(double depth) {
    return isfinite(loaded(50.32e9, 100e-9 + 900e-9 * (0.5 - depth), 1000e-9, 0).knee_bytes_per_s);
}

static bool ends_below_roof(double share) {
    return loaded(50e9, 110e-9, 300e-9, 100e9 / share).ends_at_loaders;
}

static bool ends_without_queue(double times) {
    return loaded(50e9, 100e-9, 100e-9 * times, 0).ends_at_loaders;
}

/* One chase, then two more numbers of them with these bandwidths. */
static struct parallel_curve parallel(double some, double some_bytes_per_s, double most) {
    struct memory_system memory = {0};
    struct memory_series *series = memories_series(&memory, MEMORY_PARALLEL, "DRAM", "chase", 1);
    struct parallel_curve curve;
    memories_point(series, 1, 100e-9, 0.64e9);
    memories_point(series, some, 100e-9, some_bytes_per_s);
    memories_point(series, most, 100e-9, 10e9);
    assert_true(memory_parallel(series, 64, &curve));
    memory_system_free(&memory);
    return curve;
}

static bool is_saturated(double share) {
    return parallel(10, 10e9 * share, 20).saturates_at == 10;
}

static bool still_rises(double share) {
    return parallel(900, 10e9, 900 / share).is_end;
}

/* The clusters of pairs within an L3, and of so many slower ones: in the same L3, or of another one. */
static struct memory_cluster clusters[MEMORY_MOST_CLUSTERS];
static size_t cluster(size_t fast, size_t slow, double slow_s, const char *shares) {
    struct memory_system memory = {.pair_count = fast + slow, .pairs = calloc(fast + slow, sizeof *memory.pairs)};
    for (size_t i = 0; i < fast + slow; i++) {
        const struct memory_number s = memories_number(i < fast ? 50e-9 : slow_s, 1e-6);
        memory.pairs[i] = (struct handover){.first = 0, .second = (unsigned)i + 1, .swap_s = {s, s}};
        strcpy(memory.pairs[i].shares, i < fast ? "L3" : shares);
    }
    const size_t count = memory_clusters(&memory, clusters);
    memory_system_free(&memory);
    return count;
}

static bool clusters_differ(double times) {
    return cluster(8, 8, 50e-9 * times, "package") == 2;
}

static bool modes_differ(double times) {
    return cluster(8, 8, 50e-9 * times, "L3") == 2;
}

static bool few_are_a_mode(double pairs) {
    return cluster(4, (size_t)round(pairs), 62.5e-9, "L3") == 2; /* so near that no fast pair can be one of them */
}

/* Beside 40 fast pairs. With eight, a quarter of 38 is ten: two of the fast ones count as slow, and quartiles ignore
 * them. */
static bool share_is_a_mode(double pairs) {
    return cluster(40, (size_t)round(pairs), 150e-9, "L3") == 2;
}

static bool is_asymmetric(double times) {
    struct handover pair = {.second = 1,
                            .swap_s = {memories_number(50e-9, 1e-6), memories_number(50e-9 * times, 1e-6)}};
    assert_int_equal(memory_clusters(&(struct memory_system){.pair_count = 1, .pairs = &pair}, clusters), 1);
    return clusters[0].asymmetric;
}

static bool is_hidden_core(double share) {
    struct memory_system memory = {0};
    struct handover pair = {.second = 1, .shares = "L3"};
    pair.swap_s[0] = pair.swap_s[1] = memories_number(40e-9 * share, 1e-6);
    memories_point(memories_series(&memory, MEMORY_LOADED, "L3", "avx512.load", 1), MEMORY_IDLE, 40e-9, 1e9);
    memory.pair_count = 1, memory.pairs = &pair;
    memory_clusters(&memory, clusters);
    memory.pair_count = 0, memory.pairs = NULL;
    memory_system_free(&memory);
    return strstr(clusters[0].name, "hidden");
}

/* A chase whose loads take so much longer from 32 pages on, without any scatter. */
static struct memory_reach reach(double added_s) {
    struct memory_system memory = {0};
    struct memory_reach out;
    memories_pages(&memory, 4096, 24, 1e6, added_s, 0);
    for (size_t i = 0; i < memory.series_count; i++)
        for (size_t k = 0; k < memory.series[i].count; k++) {
            struct memory_number *latency_s = &memory.series[i].points[k].latency_s;
            latency_s->low = latency_s->high = latency_s->value;
        }
    assert_true(memory_reach(&memory.series[1], &memory.series[0], &out));
    memory_system_free(&memory);
    return out;
}

static bool is_step(double added_s) {
    return !reach(added_s).reach_is_end[0];
}

static bool is_walk(double added_s) {
    return isfinite(reach(added_s).walk_s);
}

static char grade(double uncertain) {
    enum { POINTS = 1000 };
    struct memory_system memory = {0};
    struct memory_series *series = memories_series(&memory, MEMORY_LOADED, "DRAM", "avx512.load", 1);
    for (int i = 0; i < POINTS; i++)
        memories_point(series, i + 1, 100e-9, 1e9);
    for (int i = 0; i < (int)round(POINTS * uncertain); i++)
        series->points[i].doubts = DOUBTS(DOUBT_UNSTABLE);
    const char found = memory_trust(&memory, 1U << MEMORY_LOADED).grade;
    memory_system_free(&memory);
    return found;
}

static bool is_b(double uncertain) {
    return grade(uncertain) == 'B';
}

static bool is_c(double uncertain) {
    return grade(uncertain) == 'C';
}

static bool is_vague(double uncertainty) {
    return describe_is_vague(&(struct sample){.value = 1, .low = 1 - uncertainty, .high = 1 + uncertainty});
}

static bool has_one_unit(double share) {
    char text[DESCRIBE_VALUE_BYTES];
    const struct sample sample = {.value = 3e9, .low = 5e9 * share, .high = 5e9};
    return !strstr(describe_value(&sample, "B/s", text, sizeof text), "MB/s");
}

static bool level_has_median(double sizes) {
    struct curve_point points[8] = {0};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        points[i] = (struct curve_point){.working_set_bytes = 4096 * (i + 1), .value = 100};
    struct curve curve = {.kernel = "avx2.load", .kind = SAMPLE_BANDWIDTH, .threads = 1, .points = points};
    curve.count = (size_t)round(sizes);
    const struct result swept = {
        .kind_count = 1,
        .levels = {{.count = 2, .level = {{.name = "L1", .effective_bytes = 65536}, {.name = "DRAM"}}}},
        .curve_count = 1,
        .curves = &curve};
    struct model model = model_build(&swept);
    struct model_level level;
    const bool found = model_level(&model, &(struct model_view){.threads = 1, .op = MODEL_MEDIAN}, "L1", &level);
    model_free(&model);
    return found;
}

static bool is_port_limited(double below) {
    return validation_is_port_limited(&(struct validation_point){.flop_per_byte = 1,
                                                                 .flop_per_s = 1e9,
                                                                 .peak_flop_per_s = 1e9,
                                                                 .bandwidth_bytes_per_s = 1e12,
                                                                 .per_cycle = 10,
                                                                 .port_limit_per_cycle = 10 * (1 - below)});
}

static enum validation_side side_of(double over_ridge) {
    return validation_side_of(
        &(struct validation_point){.flop_per_byte = over_ridge, .peak_flop_per_s = 1e9, .bandwidth_bytes_per_s = 1e9});
}

static bool is_compute_side(double over_ridge) {
    return side_of(over_ridge) == VALIDATION_COMPUTE_SIDE;
}

static bool is_memory_side(double below_ridge) {
    return side_of(1 / below_ridge) == VALIDATION_MEMORY_SIDE;
}

static void each_threshold_decides(void **state) {
    (void)state;
    static const struct threshold_case CASES[] = {
        {"usable", 2, is_usable, false},
        {"knee rise", 1.15, has_knee, true},
        {"knee depth", 0.05, has_deep_knee, true},
        {"end near roof", 0.9, ends_below_roof, false},
        {"end queues", 1.5, ends_without_queue, false},
        {"saturates", 0.95, is_saturated, true},
        {"still rises", 0.9, still_rises, true},
        {"clusters differ", 1.2, clusters_differ, true},
        {"clusters differ", 1.2, modes_differ, true},
        {"slow pairs", 2.5, few_are_a_mode, true},
        {"slow mode", 7.5, share_is_a_mode, true},
        {"asymmetric", 1.1, is_asymmetric, true},
        {"hidden", 0.5, is_hidden_core, false},
        {"step", 1e-9, is_step, true},
        {"TLB hit", 5e-9, is_walk, true},
        {"few uncertain", 0.1005, is_b, false},
        {"half uncertain", 0.5005, is_c, false},
        {"vague", 0.25, is_vague, true},
        {"far below", 0.1, has_one_unit, true},
        {"sizes", 2.5, level_has_median, true},
        {"limits differ", 0.01, is_port_limited, true},
        {"ridge", 2, is_compute_side, true},
        {"ridge", 2, is_memory_side, true},
    };
    thresholds_decide((const struct threshold *)&model_thresholds, MODEL_THRESHOLD_COUNT, CASES,
                      sizeof CASES / sizeof *CASES);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_threshold_decides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
