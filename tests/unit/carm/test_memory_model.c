/* SPDX-License-Identifier: BSD-3-Clause
 * What the measurements of a memory system mean: made-up systems whose answers are known, and their troubles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/model/memory_model.h"
#include "tests/support/fixtures.h"
#include "tests/support/memories.h"

static struct result result;

static struct memory_system *memory_of(void) {
    return &result.memory;
}

/* Eight cores. */
static int begin(void **state) {
    (void)state;
    result = (struct result){.machine = {.core_count = 8, .kind_count = 1}};
    return 0;
}

static int end(void **state) {
    (void)state;
    memory_system_free(&result.memory);
    free(result.samples);
    return 0;
}

static struct sample *add_sample(const char *kernel, const char *level, unsigned threads, double value) {
    result.samples = realloc(result.samples, (result.sample_count + 1) * sizeof *result.samples);
    struct sample *sample = &result.samples[result.sample_count++];
    *sample = (struct sample){.kind = SAMPLE_BANDWIDTH, .threads = threads, .value = value};
    strcpy(sample->kernel, kernel);
    strcpy(sample->level, level);
    return sample;
}

static struct loaded_curve loaded(const struct memory_series *series) {
    struct loaded_curve curve;
    assert_true(memory_loaded(&result, series, &curve));
    return curve;
}

#define assert_within(got, wanted, share)                                                                              \
    do {                                                                                                               \
        if (!(fabs((got) / (wanted)-1) <= (share)))                                                                    \
            fail_msg("%s is %g, not %g", #got, (got), (wanted));                                                       \
    } while (0)
#define assert_nan(got) assert_true(isnan(got))

/* Latencies at shares of the roof by the queue's formula; twice the idle latency at u = 10/11; the deepest point below
 * the chord from u = 0 to 0.98 at 1 - sqrt(0.02) = 0.859. */
static void a_queue(void **state) {
    (void)state;
    add_sample("avx512.load", "DRAM", 8, 100e9);
    const struct loaded_curve curve =
        loaded(memories_loaded(memory_of(), "avx512.load", 7, 100e-9, 20e-9, 100e9, 0.98));
    assert_near(curve.idle_s.value, 100e-9);
    assert_true(curve.roof_is_measured);
    assert_near(curve.roof_bytes_per_s, 100e9);
    for (int i = 0; i < LOADED_SHARES; i++)
        assert_near(curve.latency_s[i], 100e-9 + 20e-9 * loaded_shares[i] / (2 * (1 - loaded_shares[i])));
    assert_near(curve.knee_bytes_per_s, 85e9);
    assert_near(curve.knee_latency_s, 100e-9 + 20e-9 * 0.85 / 0.3);
    assert_within(curve.usable_bytes_per_s, 100e9 / 1.1, 0.01);
    assert_false(curve.usable_is_end || curve.ends_at_loaders || curve.falls || curve.latency_falls);
    assert_near(curve.end_bytes_per_s, 98e9);
    assert_near(memory_latency_at(curve.series, 65e9), (115e-9 + (100e-9 + 70e-9 / 3)) / 2);
    assert_nan(memory_latency_at(curve.series, 98.1e9));
    assert_nan(memory_latency_at(curve.series, 0.5e9)); /* less than the chaser's own */
    assert_near(memory_latency_at(curve.series, 98e9), curve.end_latency_s);
    assert_nan(memory_latency_at(curve.series, NAN));
}

/* One loader cannot load a memory of twelve channels. */
static void the_loaders_end_first(void **state) {
    (void)state;
    add_sample("avx512.load", "DRAM", 8, 300e9);
    const struct loaded_curve curve = loaded(memories_loaded(memory_of(), "avx512.load", 1, 155e-9, 2e-9, 300e9, 0.4));
    assert_true(curve.ends_at_loaders);
    assert_true(curve.usable_is_end);
    assert_near(curve.usable_bytes_per_s, 120e9);
    assert_nan(curve.latency_s[0]); /* half of the roof: never reached */
    assert_nan(curve.knee_bytes_per_s);
    result.sample_count = 0; /* without a roof the flat end still shows it */
    const struct loaded_curve alone = loaded(curve.series);
    assert_true(alone.ends_at_loaders);
    assert_false(alone.roof_is_measured);
    assert_near(alone.roof_bytes_per_s, 120e9);
    assert_near(alone.latency_s[2], 155e-9 + 2e-9 * (0.4 * 0.3 / 1.4 + 0.6 * 0.4 / 1.2));
}

/* The roof of a curve: the same pattern, all cores, ordered lines, huge pages, this memory; as the bus counts it. */
static void the_roof_of_a_curve(void **state) {
    (void)state;
    struct memory_series *series = memories_loaded(memory_of(), "avx512.2ld1st", 7, 100e-9, 20e-9, 90e9, 0.9);
    add_sample("avx512.load", "DRAM", 8, 500e9);
    add_sample("avx512.random", "DRAM", 8, 500e9);
    add_sample("avx512.2ld1st", "L3", 8, 500e9);
    add_sample("avx512.2ld1st", "DRAM", 7, 500e9); /* not all cores */
    add_sample("avx512.2ld1st", "DRAM", 8, 500e9)->small_pages = true;
    add_sample("avx512.2ld1st", "DRAM", 8, 500e9)->node = 1;
    assert_false(loaded(series).roof_is_measured);
    add_sample("avx2.2ld1st", "DRAM", 8, 75e9);
    add_sample("avx512.2ld1st", "DRAM", 8, 72e9);
    assert_near(loaded(series).roof_bytes_per_s, 100e9); /* 75 × 4/3: its stores read their lines first */
    assert_true(loaded(series).roof_is_measured);
    result.samples[result.sample_count - 2].value = 57e9; /* then 96 by avx512 */
    assert_near(loaded(series).roof_bytes_per_s, 96e9);
    for (size_t i = 0; i < series->count; i++) /* the curve itself passed more */
        series->points[i].bytes_per_s.value *= 2;
    assert_near(loaded(series).roof_bytes_per_s, 162e9);
}

static void roofs_of_other_kernels(void **state) {
    (void)state;
    static const struct {
        const char *kernel;
        double factor;
    } KERNELS[] = {{"avx512.load", 1}, {"avx2.update", 1}, {"avx2.axpy", 1}, {"avx512.ntstore", 1}, {"sse.store", 2}};
    for (size_t i = 0; i < sizeof KERNELS / sizeof *KERNELS; i++) {
        add_sample(KERNELS[i].kernel, "DRAM", 8, 100e9 + 1e9 * (double)i);
        const struct loaded_curve curve =
            loaded(memories_loaded(memory_of(), KERNELS[i].kernel, 7, 100e-9, 20e-9, 80e9, 0.9));
        assert_near(curve.roof_bytes_per_s, KERNELS[i].factor * (100e9 + 1e9 * (double)i));
    }
}

/* Node 1's memory: measured by its own cores, or by the cores of node 0. */
static void the_roof_of_a_node(void **state) {
    (void)state;
    struct memory_node nodes[2] = {{.os_index = 0, .core_count = 4}, {.os_index = 1, .core_count = 4}};
    result.machine.nodes = nodes;
    result.machine.node_count = 2;
    struct memory_series *series = memories_loaded(memory_of(), "avx512.load", 3, 100e-9, 20e-9, 50e9, 0.9);
    series->node = 1, series->memory_node = 2;
    add_sample("avx512.load", "DRAM", 8, 400e9);
    add_sample("avx512.load", "DRAM", 4, 200e9)->node = 1;
    add_sample("avx512.load", "DRAM", 3, 200e9)->node = 2;
    assert_false(loaded(series).roof_is_measured);
    add_sample("avx512.load", "DRAM", 4, 100e9)->node = 2;
    assert_near(loaded(series).roof_bytes_per_s, 100e9);
    struct sample *remote = add_sample("avx512.load", "DRAM", 4, 110e9);
    remote->node = 1, remote->memory_node = 2;
    assert_near(loaded(series).roof_bytes_per_s, 110e9);
    struct memory_series *cache = memories_loaded(memory_of(), "avx512.load", 3, 20e-9, 20e-9, 50e9, 0.9);
    strcpy(cache->level, "L3");
    cache->node = cache->memory_node = 1;
    add_sample("avx512.load", "L3", 8, 800e9); /* eight cores: two caches of four */
    assert_near(loaded(cache).roof_bytes_per_s, 400e9);
}

/* A curve that its memory cannot have: NaN where nothing is known, and it says what is odd. */
static void odd_curves(void **state) {
    (void)state;
    struct memory_series *series = memories_series(memory_of(), MEMORY_LOADED, "DRAM", "avx2.load", 7);
    struct loaded_curve curve;
    assert_false(memory_loaded(&result, series, &curve)); /* no point */
    memories_point(series, 100, 0, 50e9);
    memories_point(series, 50, 100e-9, 0);
    assert_false(memory_loaded(&result, series, &curve)); /* nothing but zeros */
    series->points[0] = series->points[1] = (struct memory_point){.setting = MEMORY_IDLE,
                                                                  .latency_s = memories_number(100e-9, 0.02),
                                                                  .bytes_per_s = memories_number(1e9, 0.02),
                                                                  .visits = 9};
    series->count = 1;
    curve = loaded(series); /* idle alone */
    assert_near(curve.idle_s.value, 100e-9);
    assert_nan(curve.knee_bytes_per_s);
    assert_near(curve.usable_bytes_per_s, 1e9);
    assert_false(curve.ends_at_loaders); /* full load was not measured */
    series->count = 2;                   /* twice the same point */
    assert_nan(loaded(series).knee_bytes_per_s);
    assert_near(memory_latency_at(series, 1e9), 100e-9);
    series->count = 1;
    for (int i = 1; i <= 10; i++) /* flat: 4 % up and down, within the intervals */
        memories_point(series, 10 - i, 100e-9 * (i % 2 ? 1.02 : 0.98), 10e9 * i);
    curve = loaded(series);
    assert_nan(curve.knee_bytes_per_s);
    assert_true(curve.usable_is_end && curve.ends_at_loaders);
    assert_false(curve.falls || curve.latency_falls);
    series->points[0].latency_s = memories_number(120e-9, 0.02); /* a slower clock when idle */
    assert_true(loaded(series).latency_falls);
    memories_point(series, 0, 100e-9, 90e9);
    assert_true(loaded(series).falls);
    for (size_t i = 0; i < series->count; i++)
        series->points[i].visits = 4; /* too few for an interval */
    assert_false(loaded(series).falls || loaded(series).latency_falls);
    series->points[0].setting = 5000; /* no idle point */
    curve = loaded(series);
    assert_nan(curve.idle_s.value);
    assert_nan(curve.usable_bytes_per_s);
    assert_false(curve.latency_falls);
}

/* A straight rise has no knee, however exact it is; nor has one within the intervals, or to an uncertain end. */
static void no_knee(void **state) {
    (void)state;
    struct memory_series *series = memories_series(memory_of(), MEMORY_LOADED, "DRAM", "avx2.load", 7);
    memories_point(series, MEMORY_IDLE, 100e-9, 1e9);
    for (int i = 1; i <= 10; i++)
        memories_point(series, 10 - i, (100 + 10 * i) * 1e-9, (1 + 9.9 * i) * 1e9);
    for (size_t i = 0; i < series->count; i++)
        series->points[i].latency_s = memories_number(series->points[i].latency_s.value, 0);
    assert_nan(loaded(series).knee_bytes_per_s);
    series->points[5].latency_s = memories_number(120e-9, 0.0);
    assert_near(loaded(series).knee_bytes_per_s, series->points[5].bytes_per_s.value);
    doubts_add(&series->points[series->count - 1].doubts, DOUBT_UNSTABLE); /* the end is not known */
    assert_nan(loaded(series).knee_bytes_per_s);
    series->points[series->count - 1].doubts = NO_DOUBTS;
    series->points[5].latency_s = memories_number(120e-9, 0.3);
    assert_nan(loaded(series).knee_bytes_per_s);
    series->points[5].latency_s = memories_number(120e-9, 0);
    series->points[10].latency_s = memories_number(200e-9, 0.6); /* whether it rises at all is not known */
    assert_nan(loaded(series).knee_bytes_per_s);
}

/* The queue with 5 % noise: interpolation skips what goes back, and nothing becomes NaN. */
static void a_noisy_queue(void **state) {
    (void)state;
    add_sample("avx512.load", "DRAM", 8, 100e9);
    for (chance_seed = 1; chance_seed < 50; chance_seed++) {
        const uint64_t seed = chance_seed;
        struct memory_series *series = memories_loaded(memory_of(), "avx512.load", 7, 100e-9, 20e-9, 100e9, 0.98);
        for (size_t i = 0; i < series->count; i++) {
            series->points[i].latency_s.value *= 1 + 0.05 * chance_normal();
            series->points[i].bytes_per_s.value *= 1 + 0.03 * chance_normal();
        }
        const struct loaded_curve curve = loaded(series);
        assert_within(curve.latency_s[0], 110e-9, 0.25);
        assert_within(curve.latency_s[1], 140e-9, 0.35);
        assert_true(curve.knee_bytes_per_s > 60e9 && curve.usable_bytes_per_s > 80e9);
        chance_seed = seed;
    }
}

static void lines_in_flight(void **state) {
    (void)state;
    struct parallel_curve curve;
    assert_true(memory_parallel(memories_parallel(memory_of(), "DRAM", 160e-9, 22), 64, &curve));
    assert_near(curve.lines, 22);
    assert_near(curve.lines_low, 22 * 0.98 * 0.98);
    assert_near(curve.lines_high, 22 * 1.02 * 1.02);
    assert_near(curve.latency_s.value, 160e-9);
    assert_near(curve.bytes_per_s.value, 22 * 64 / 160e-9);
    assert_int_equal(curve.saturates_at, 21);
    assert_false(curve.is_end);
    assert_true(memory_parallel(memories_parallel(memory_of(), "DRAM", 160e-9, 48), 64, &curve));
    assert_true(curve.is_end); /* 40 chases are too few to find 48 lines */
    assert_near(curve.lines, 40);
    assert_true(memory_parallel(memories_parallel(memory_of(), "DRAM", 160e-9, 22), 256, &curve));
    assert_near(curve.lines, 22.0 / 4); /* of longer lines */
    struct memory_series *series = memories_series(memory_of(), MEMORY_PARALLEL, "L3", "chase", 1);
    assert_false(memory_parallel(series, 64, &curve));
    memories_point(series, 1, 20e-9, 3.2e9);
    memories_point(series, 2, 0, 0);
    assert_true(memory_parallel(series, 64, &curve)); /* one chase */
    assert_near(curve.lines, 1);
    assert_true(curve.is_end);
    memories_point(series, 1e308, 20e-9, 9e9);
    assert_true(memory_parallel(series, 64, &curve)); /* a file may hold anything */
    assert_int_equal(curve.saturates_at, 1000000000);
    series->points[0].setting = 4;
    assert_false(memory_parallel(series, 64, &curve)); /* without the latency of one chase */
}

static void chases_of_the_own_node(void **state) {
    (void)state;
    memories_parallel(memory_of(), "DRAM", 250e-9, 20);
    memories_parallel(memory_of(), "DRAM", 150e-9, 20);
    memories_parallel(memory_of(), "L3", 20e-9, 16)->page_bytes = 4096;
    memories_parallel(memory_of(), "L3", 20e-9, 16);
    struct memory_series *series = result.memory.series;
    series[0].node = series[1].node = 1, series[0].memory_node = 2, series[1].memory_node = 1;
    assert_ptr_equal(memory_parallel_series(&result, "DRAM"), &series[1]);
    assert_ptr_equal(memory_parallel_series(&result, "L3"), &series[3]); /* huge pages */
    assert_null(memory_parallel_series(&result, "L2"));
    series[1].part = MEMORY_WRITES;
    assert_ptr_equal(memory_parallel_series(&result, "DRAM"), &series[0]);
}

/* The clusters that a machine must have: name, pairs and time of each. */
struct wanted_cluster {
    const char *name;
    size_t pairs;
    double swap_s;
};
static const struct cluster_machine {
    unsigned cpus;
    struct memories_shared parts[4];
    struct wanted_cluster clusters[5];
} MACHINES[] = {
    {2, {{"L3", 2, 50e-9, 0, 0}}, {{"same L3", 1, 50e-9}}},
    {2, {{"core", 2, 10e-9, 0, 0}}, {{"same core", 1, 10e-9}}},
    /* one core with SMT, seven without */
    {9, {{"core", 2, 9e-9, 0, 2}, {"L3", 9, 24e-9, 0, 0}}, {{"same core", 1, 9e-9}, {"same L3", 35, 24e-9}}},
    {16, {{"core", 2, 9e-9, 0, 0}, {"L3", 16, 24e-9, 0, 0}}, {{"same core", 8, 9e-9}, {"same L3", 112, 24e-9}}},
    /* two packages with four CCX of eight cores */
    {64,
     {{"L3", 8, 25e-9, 0, 0}, {"package", 32, 100e-9, 0, 0}, {"machine", 64, 210e-9, 0, 0}},
     {{"same L3", 224, 25e-9}, {"same package", 768, 100e-9}, {"other package", 1024, 210e-9}}},
    /* four P cores, and two clusters of four E cores */
    {12, {{"L2", 4, 30e-9, 4, 0}, {"L3", 12, 60e-9, 0, 0}}, {{"same L2", 12, 30e-9}, {"same L3", 54, 60e-9}}},
    /* a guest that believes in one L3: the times show two CCX */
    {16, {{"L3", 8, 25e-9, 0, 0}, {"L3", 16, 100e-9, 0, 0}}, {{"same L3 1", 56, 25e-9}, {"same L3 2", 64, 100e-9}}},
    /* or eight pairs of cores: 8 of 120 pairs */
    {16,
     {{"machine", 2, 25e-9, 0, 0}, {"machine", 16, 100e-9, 0, 0}},
     {{"other package 1", 8, 25e-9}, {"other package 2", 112, 100e-9}}},
    /* parts that make no difference */
    {16, {{"L2", 4, 60e-9, 0, 0}, {"L3", 16, 64e-9, 0, 0}}, {{"same L3", 120, 64e-9}}},
};

static void check_clusters(const struct cluster_machine *machine, double noise, unsigned outlier_every) {
    struct memory_cluster clusters[MEMORY_MOST_CLUSTERS];
    memories_pairs(memory_of(), machine->cpus, machine->parts, noise, outlier_every);
    const size_t count = memory_clusters(memory_of(), clusters);
    unsigned *of = calloc(result.memory.pair_count, sizeof *of);
    memory_cluster_of_pairs(memory_of(), of);
    for (size_t i = 0; i < count; i++) {
        const struct wanted_cluster *wanted = &machine->clusters[i];
        size_t pairs = 0;
        for (size_t k = 0; k < result.memory.pair_count; k++)
            pairs += of[k] == i;
        assert_non_null(wanted->name);
        assert_string_equal(clusters[i].name, wanted->name);
        assert_int_equal(clusters[i].pair_count, pairs);
        if (outlier_every == 0 || count == 1)
            assert_int_equal(pairs, wanted->pairs);
        assert_within(clusters[i].median_swap_s.value, wanted->swap_s, 0.001 + 2 * noise);
        assert_within(clusters[i].median_store_s.value, 0.8 * wanted->swap_s, 0.001 + 2 * noise);
        assert_int_equal(clusters[i].swap_s.n, pairs);
        assert_true(clusters[i].median_swap_s.low <= clusters[i].median_swap_s.value);
        assert_true(clusters[i].median_swap_s.high >= clusters[i].median_swap_s.value);
    }
    assert_null(machine->clusters[count].name);
    free(of);
    memory_system_free(memory_of());
}

/* Two of four CPUs are one core, as a load from L3 takes longer than a line between them; the system shows four. */
static void a_hidden_core(void **state) {
    static const struct memories_shared PARTS[] = {{"L3", 2, 9e-9, 0, 2}, {"L3", 4, 84e-9, 0, 0}, {"", 0, 0, 0, 0}};
    struct memory_cluster clusters[MEMORY_MOST_CLUSTERS];
    (void)state;
    for (unsigned slow = 0; slow < 2; slow++) {
        memories_pairs(memory_of(), 4, PARTS, 0, 0);
        memories_parallel(memory_of(), "DRAM", 150e-9, 20);
        memories_parallel(memory_of(), "L3", slow ? 40e-9 : 15e-9, 16);
        assert_int_equal(memory_clusters(memory_of(), clusters), 2);
        assert_string_equal(clusters[0].name, slow ? "same core, hidden" : "same L3 1");
        assert_string_equal(clusters[0].shares, slow ? "core" : "L3");
        assert_string_equal(clusters[1].name, slow ? "same L3" : "same L3 2");
        memory_system_free(memory_of());
    }
}

static void clusters(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof MACHINES / sizeof *MACHINES; i++)
        check_clusters(&MACHINES[i], 0, 0);
}

/* 5 % of noise; and then one pair in 40 takes three times as long. The first machines have too few pairs to tell. */
static void noisy_clusters(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++)
        for (size_t i = 0; i < sizeof MACHINES / sizeof *MACHINES; i++) {
            chance_seed = seed;
            check_clusters(&MACHINES[i], 0.05, 0);
            if (i > 2)
                check_clusters(&MACHINES[i], 0.05, 40);
        }
}

/* No pair, no time, no name, only stores; and who touched the page first. */
static void odd_pairs(void **state) {
    (void)state;
    struct memory_cluster clusters[MEMORY_MOST_CLUSTERS];
    unsigned of[10];
    assert_int_equal(memory_clusters(memory_of(), clusters), 0);
    memories_pairs(memory_of(), 4, (struct memories_shared[]){{"L3", 4, 50e-9, 0, 0}}, 0, 0);
    struct handover *pairs = result.memory.pairs;
    assert_int_equal(memory_clusters(memory_of(), clusters), 1);
    assert_int_equal(clusters[0].asymmetric, 0);
    memset(pairs[0].swap_s, 0, sizeof pairs[0].swap_s);
    memset(pairs[0].store_s, 0, sizeof pairs[0].store_s);
    pairs[1].swap_s[1] = (struct memory_number){0};
    pairs[2].swap_s[0] = memories_number(60e-9, 0.02);
    pairs[3].swap_s[0] = memories_number(60e-9, 0.2);
    assert_int_equal(memory_clusters(memory_of(), clusters), 1);
    assert_int_equal(clusters[0].pair_count, 5);
    assert_int_equal(clusters[0].asymmetric, 1);
    memory_cluster_of_pairs(memory_of(), of);
    assert_int_equal(of[0], MEMORY_NO_CLUSTER);
    for (int i = 0; i < 6; i++) {
        memset(pairs[i].swap_s, 0, sizeof pairs[i].swap_s);
        strcpy(pairs[i].shares, "");
    }
    assert_int_equal(memory_clusters(memory_of(), clusters), 1);
    assert_string_equal(clusters[0].name, "cluster");
    assert_near(clusters[0].median_store_s.value, 40e-9);
    assert_near(clusters[0].median_swap_s.value, 0);
}

/* 128 modes within modes, as no machine has: there is room for fewer. */
static void too_many_modes(void **state) {
    (void)state;
    struct memory_cluster clusters[MEMORY_MOST_CLUSTERS];
    unsigned of[33 * 32 / 2];
    memories_pairs(memory_of(), 33, (struct memories_shared[]){{"L3", 33, 1e-120, 0, 0}}, 0, 0);
    result.memory.pair_count = 128 * 4;
    for (size_t i = 0; i < result.memory.pair_count; i++)
        for (unsigned bit = 0; bit < 7; bit++)
            if (i / 4 >> bit & 1)
                result.memory.pairs[i].swap_s[0].value = result.memory.pairs[i].swap_s[1].value *=
                    exp(0.35 * pow(3.2, bit));
    memory_cluster_of_pairs(memory_of(), of);
    assert_int_equal(of[0], 0);
    assert_int_equal(memory_clusters(memory_of(), clusters), MEMORY_MOST_CLUSTERS);
}

static struct memory_series *add_writes(const char *kernel, double asked_one, double asked_eight) {
    struct memory_series *series = memories_series(memory_of(), MEMORY_WRITES, "DRAM", kernel, 0);
    memories_point(series, 1, 0, asked_one);
    memories_point(series, 8, 0, asked_eight);
    return series;
}

/* One core: all stores read their lines first, or the bus would pass less than it can. Eight: at least 60 % do not. */
static void stores_on_the_bus(void **state) {
    (void)state;
    struct memory_write writes[16];
    add_writes("avx512.store", 12e9, 100e9);
    add_writes("avx512.update", 26e9, 140e9);
    add_writes("avx512.ntstore", 20e9, 120e9);
    add_writes("avx512.ntzero", 50e9, 400e9);
    add_writes("clzero", 0, 300e9);
    add_writes("avx512.demote", 13e9, 160e9);
    add_writes("avx512.load", 25e9, 130e9);
    add_writes("avx512.unheard", 25e9, 999e9);
    assert_int_equal(memory_writes(&result, writes, 3), 3);
    assert_int_equal(memory_writes(&result, writes, 16), 11);
    assert_near(writes[0].bus_least_bytes_per_s, 12e9);
    assert_near(writes[0].bus_most_bytes_per_s, 24e9);
    assert_near(writes[0].evaded_least, 0);
    assert_near(writes[0].evaded_most, 1);
    assert_near(writes[1].bus_most_bytes_per_s, 160e9); /* the demoting stores passed that much at least */
    assert_near(writes[1].evaded_least, 0.4);
    for (int i = 2; i < 9; i++) {
        assert_near(writes[i].bus_least_bytes_per_s, writes[i].point->bytes_per_s.value);
        assert_near(writes[i].bus_most_bytes_per_s, writes[i].point->bytes_per_s.value);
        assert_nan(writes[i].evaded_least);
        assert_int_equal(writes[i].zeros, i >= 6);
    }
    assert_string_equal(writes[8].series->kernel, "clzero");
    assert_near(writes[10].evaded_least, 1); /* nothing passes more */
    add_sample("avx2.load", "DRAM", 8, 170e9);
    add_sample("avx2.load", "L3", 8, 900e9);
    add_sample("avx2.load", "DRAM", 4, 900e9);
    memory_writes(&result, writes, 16);
    assert_near(writes[1].evaded_least, 0.3);
}

/* The memory controllers' counters tell what the requests alone leave open. */
static void counted_stores(void **state) {
    (void)state;
    struct memory_write writes[4];
    struct memory_series *series = add_writes("avx512.store", 12e9, 100e9);
    series->points[0].bus_bytes_per_s = memories_number(24e9, 0.01);
    series->points[1].bus_bytes_per_s = memories_number(130e9, 0.01);
    assert_int_equal(memory_writes(&result, writes, 4), 2);
    assert_near(writes[0].bus_least_bytes_per_s, 24e9);
    assert_near(writes[0].evaded_most, 0);
    assert_near(writes[1].bus_most_bytes_per_s, 130e9);
    assert_near(writes[1].evaded_least, 0.7);
    assert_near(writes[1].evaded_most, 0.7);
    series->points[0].bus_bytes_per_s = memories_number(30e9, 0.01); /* with other programs' traffic */
    memory_writes(&result, writes, 4);
    assert_near(writes[0].evaded_most, 0);
}

static struct memory_reach reach(double first, double second, double hit_s, double walk_s) {
    struct memory_reach out;
    memory_system_free(memory_of());
    memories_pages(memory_of(), 4096, first, second, hit_s, walk_s);
    assert_true(memory_reach(&result.memory.series[1], &result.memory.series[0], &out));
    return out;
}

static void reach_of_tlbs(void **state) {
    (void)state;
    struct memory_reach out = reach(64, 2048, 2e-9, 9e-9);
    assert_int_equal(out.level_count, 2);
    assert_near(out.reach_pages[0], 64);
    assert_near(out.reach_pages[1], 2048);
    assert_false(out.reach_is_end[0] || out.reach_is_end[1]);
    assert_near(out.cost_s[0], 0);
    assert_within(out.cost_s[1], 2e-9, 1e-6);
    assert_within(out.walk_s, 9e-9, 1e-6);
    out = reach(64, 2048, 1.5e-9, 4e-9); /* a fast walk: a third TLB is less likely */
    assert_int_equal(out.level_count, 2);
    assert_within(out.walk_s, 4e-9, 1e-6);
    out = reach(64, 2048, 2e-9, 0); /* the second one holds all */
    assert_int_equal(out.level_count, 2);
    assert_true(out.reach_is_end[1]);
    assert_near(out.reach_pages[1], 98304);
    assert_nan(out.walk_s);
    out = reach(64, 64, 0, 20e-9); /* there is no second one */
    assert_int_equal(out.level_count, 1);
    assert_near(out.reach_pages[0], 64);
    assert_within(out.walk_s, 20e-9, 1e-6);
    out = reach(1e9, 0, 0, 0); /* large pages: no end */
    assert_int_equal(out.level_count, 1);
    assert_true(out.reach_is_end[0]);
    assert_nan(out.walk_s);
}

/* Walks that become slower as their tables leave the caches; single outliers; noise below 1 ns. */
static void odd_pages(void **state) {
    (void)state;
    struct memory_reach out = reach(64, 2048, 2e-9, 9e-9);
    struct memory_series *series = &result.memory.series[1], *lines = &result.memory.series[0];
    for (size_t i = 0; i < series->count; i++) {
        if (series->points[i].setting > 8192)
            series->points[i].latency_s.value += 2e-9 * log2(series->points[i].setting / 8192);
        series->points[i].latency_s.value += 0.4e-9 * (i % 2 ? 1 : -1);
    }
    series->points[2].latency_s.value += 30e-9;
    assert_true(memory_reach(series, lines, &out));
    assert_int_equal(out.level_count, 2);
    assert_near(out.reach_pages[0], 64);
    assert_near(out.reach_pages[1], 2048);
    assert_true(out.walk_s > 8e-9 && out.walk_s < 10e-9);
    assert_true(out.walk_most_s > 13e-9 && out.walk_most_s < 16e-9);
    series->count = 1; /* one point */
    assert_true(memory_reach(series, lines, &out));
    assert_int_equal(out.level_count, 1);
    assert_true(out.reach_is_end[0]);
    assert_false(memory_reach(series, NULL, &out));
    lines->points[0].latency_s.value = 0;
    lines->count = 1;
    assert_false(memory_reach(series, lines, &out)); /* no line to compare with */
    assert_nan(out.walk_s);
    series->part = MEMORY_WRITES;
    assert_false(memory_reach(series, lines, &out));
}

/* Golden Cove in a virtual machine, 4 KiB pages: documented are 96 entries for loads and 2048 in the second TLB. The
 * last points also leave the L2. */
static void reach_as_measured(void **state) {
    (void)state;
    static const double POINTS[][3] = {
        {8, 1.675e-9, 1.675e-9},     {64, 1.677e-9, 1.675e-9},   {91, 1.722e-9, 1.676e-9},
        {128, 4.01e-9, 1.675e-9},    {181, 4e-9, 1.675e-9},      {512, 4.012e-9, 1.678e-9},
        {724, 4.365e-9, 1.988e-9},   {1024, 7.689e-9, 5.321e-9}, {1448, 8.483e-9, 5.346e-9},
        {2048, 14.72e-9, 5.348e-9},  {2896, 24.47e-9, 5.346e-9}, {4096, 25.48e-9, 5.349e-9},
        {5793, 25.78e-9, 5.386e-9},  {8192, 26.47e-9, 5.933e-9}, {11585, 29.61e-9, 6.465e-9},
        {16384, 38.07e-9, 6.822e-9}, {23170, 54.96e-9, 12.2e-9}, {32768, 62.84e-9, 18.66e-9}};
    struct memory_series *series = memories_series(memory_of(), MEMORY_PAGES, "pages", "chase", 1);
    for (size_t i = 0; i < sizeof POINTS / sizeof *POINTS; i++)
        memories_point(series, POINTS[i][0], POINTS[i][1], 0);
    struct memory_series *lines = memories_series(memory_of(), MEMORY_PAGES, "lines", "chase", 1);
    for (size_t i = 0; i < sizeof POINTS / sizeof *POINTS; i++)
        memories_point(lines, POINTS[i][0], POINTS[i][2], 0);
    struct memory_reach out;
    assert_true(memory_reach(&result.memory.series[0], lines, &out));
    assert_int_equal(out.level_count, 2);
    assert_near(out.reach_pages[0], 91);
    assert_near(out.reach_pages[1], 1448);
    assert_within(out.cost_s[1], 2.33e-9, 0.02);
    assert_within(out.walk_s, 20e-9, 0.05);
    assert_within(out.walk_most_s, 44e-9, 0.05);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, end)

/* The grade falls with the share of uncertain points, and names their reasons alone. */
static void grades(void **state) {
    (void)state;
    struct memory_system memory = {0};
    struct memory_series *series = memories_series(&memory, MEMORY_PARALLEL, "DRAM", "chase", 1);
    assert_int_equal(memory_trust(&memory, ~0u).grade, 0);
    for (unsigned i = 1; i <= 20; i++)
        memories_point(series, i, 100e-9, 1e9);
    doubts_add(&series->points[19].doubts, DOUBT_SMALL_BUFFER);
    assert_int_equal(memory_trust(&memory, ~0u).grade, 'A');
    static const struct {
        unsigned uncertain;
        char grade;
    } ROWS[] = {{2, 'B'}, {3, 'C'}, {10, 'C'}, {11, 'D'}};
    for (size_t r = 0; r < sizeof ROWS / sizeof *ROWS; r++) {
        for (unsigned i = 0; i < ROWS[r].uncertain; i++)
            series->points[i].doubts = DOUBTS(DOUBT_UNSTABLE, DOUBT_OTHERS_ACTIVE);
        const struct memory_trust trust = memory_trust(&memory, ~0u);
        assert_int_equal(trust.grade, ROWS[r].grade);
        assert_int_equal(trust.uncertain, ROWS[r].uncertain);
        assert_true(doubts_equal(trust.doubts, DOUBTS(DOUBT_OTHERS_ACTIVE)));
    }
    assert_int_equal(memory_trust(&memory, 1u << MEMORY_LOADED).grade, 0);
    memory_system_free(&memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(a_queue),
        CASE(the_loaders_end_first),
        CASE(the_roof_of_a_curve),
        CASE(roofs_of_other_kernels),
        CASE(the_roof_of_a_node),
        CASE(odd_curves),
        CASE(no_knee),
        CASE(a_noisy_queue),
        CASE(lines_in_flight),
        CASE(clusters),
        CASE(chases_of_the_own_node),
        CASE(a_hidden_core),
        CASE(noisy_clusters),
        CASE(odd_pairs),
        CASE(too_many_modes),
        CASE(stores_on_the_bus),
        CASE(counted_stores),
        CASE(reach_of_tlbs),
        CASE(reach_as_measured),
        CASE(odd_pages),
        cmocka_unit_test(grades),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
