/* SPDX-License-Identifier: BSD-3-Clause
 * Made-up memory systems in words, tables, CSV and JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/report/memory_report.h"
#include "tests/support/answered.h"
#include "tests/support/fixtures.h"
#include "tests/support/memories.h"

static struct result result;

static int begin(void **state) {
    (void)state;
    chance_seed = 3;
    result = fixture_result(fixture_machine(8, FIXTURE_AVX512), NULL);
    return 0;
}

static int end(void **state) {
    (void)state;
    results_free(&result);
    return 0;
}

static void set_roofs(double bytes_per_s) {
    for (size_t i = 0; i < result.sample_count; i++)
        if (strcmp(result.samples[i].level, "DRAM") == 0 && result.samples[i].kind == SAMPLE_BANDWIDTH)
            result.samples[i].value = bytes_per_s;
}

static struct memory_series *add_writes(const char *kernel, double bytes_per_s) {
    struct memory_series *series = memories_series(&result.memory, MEMORY_WRITES, "DRAM", kernel, 0);
    memories_point(series, 1, 0, bytes_per_s / 4);
    memories_point(series, 8, 0, bytes_per_s);
    return series;
}

static void add_all(void) {
    static const struct memories_shared PARTS[] = {{"L3", 4, 50e-9, 0, 0}, {"package", 8, 110e-9, 0, 0}};
    set_roofs(90e9);
    memories_loaded(&result.memory, "avx512.load", 7, 100e-9, 20e-9, 90e9, 0.98);
    memories_loaded(&result.memory, "avx512.axpy", 7, 100e-9, 20e-9, 90e9, 0.95);
    memories_loaded(&result.memory, "avx512.ntstore", 7, 100e-9, 20e-9, 90e9, 0.9);
    memories_parallel(&result.memory, "L3", 20e-9, 30);
    memories_parallel(&result.memory, "DRAM", 100e-9, 22);
    memories_pairs(&result.memory, 8, PARTS, 0.01, 0);
    add_writes("avx512.store", 45e9);
    add_writes("avx512.ntstore", 80e9);
    add_writes("avx512.ntzero", 160e9);
    memories_pages(&result.memory, 4096, 64, 1536, 2e-9, 13e-9);
    memories_pages(&result.memory, 2 << 20, 32, 1024, 2e-9, 9e-9);
    for (unsigned i = 0; i < 2; i++) {
        struct memory_series *random = memories_series(&result.memory, MEMORY_PAGES, "DRAM", "avx512.random", 1);
        random->page_bytes = i ? 4096 : 2 << 20;
        memories_point(random, 0, 0, i ? 1e9 : 3e9);
    }
}

static char *answer(unsigned parts) {
    struct screen_text text = screen_text_begin();
    memory_answer_print(&result, parts, &text.screen);
    return screen_text_end(&text);
}

static const char *words(enum memory_part part) {
    static char text[MEMORY_WORDS_BYTES];
    return memory_words(&result, part, false, text);
}

static void one_screen(void **state) {
    (void)state;
    add_all();
    snprintf(result.memory.omitted, sizeof result.memory.omitted, "Pages of 1 GiB: the system has none.");
    char *text = answer(MEMORY_ALL_PARTS);
    assert_contains(text, "\nCores   A line goes from core to core in ");
    assert_contains(text, "\nLacks   Pages of 1 GiB: the system has none.\n");
    assert_contains(text, "\nbeside               in      idle    50 %    80 %    90 %       knee        end");
    assert_contains(text, "\nGrade   A: all 267 points are known to 5 %\n");
    assert_contains(text, "\nRows    of ");
    answer_is(text, "A load from DRAM takes 100 ns idle and 140 ns beside 72 GB/s of loads; that is\n80 % of the roof");
    text = answer(1U << MEMORY_WRITES);
    assert_contains(text, "avx512.ntzero, zeros        8   160 GB/s");
    assert_null(strstr(text, "Rows"));
    free(text);
    text = answer(1U << MEMORY_PAGES);
    assert_contains(text, "\n   4 KiB         64        1536  2.00 ns  13.0 ns     1.00 GB/s\n");
    answer_is(text, "TLBs reach 1536 pages of 4 KiB");
    text = answer(1U << MEMORY_WRITES);
    answer_is(text, "A store to memory passes ");
}

/* Columns are left out where places need room. */
static void places_need_room(void **state) {
    (void)state;
    set_roofs(90e9);
    for (unsigned i = 0; i < 2; i++) {
        struct memory_series *series = memories_loaded(&result.memory, "avx512.ntstore", 7, 100e-9, 20e-9, 90e9, 0.98);
        series->node = 1, series->memory_node = 1 + i;
    }
    char *text = answer(1U << MEMORY_LOADED);
    assert_contains(text, "\nnon-temporal stores  DRAM  node 0 → node 1  100 ns  137 ns  178 ns  88.2 GB/s\n");
    answer_is(text, "A load from DRAM takes 100 ns");
}

/* Each part alone has its table, whatever the number of rows. */
static void many_rows(void **state) {
    (void)state;
    for (int i = 0; i < 30; i++)
        add_writes("avx512.store", 45e9);
    char *text = answer(1U << MEMORY_WRITES);
    size_t lines = 0;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    assert_true(lines > 60);
    free(text);
}

static void what_loaded_says(void **state) {
    (void)state;
    set_roofs(300e9);
    assert_string_equal(words(MEMORY_LOADED), "");
    struct memory_series *idle = memories_series(&result.memory, MEMORY_LOADED, "DRAM", "avx512.load", 7);
    memories_point(idle, MEMORY_IDLE, 100e-9, 640e6);
    assert_string_equal(words(MEMORY_LOADED), "A load from DRAM takes 100 ns idle"); /* interrupted */
    memory_system_free(&result.memory);
    memories_loaded(&result.memory, "avx512.ntstore", 1, 155e-9, 2e-9, 300e9, 0.4);
    assert_contains(words(MEMORY_LOADED),
                    "155 ns idle and 156 ns beside 120 GB/s of non-temporal stores; the curve ends");
    assert_contains(words(MEMORY_LOADED), "its loaders' limit, 120 GB/s: 1 core cannot load this memory further");
    struct memory_series *local = memories_loaded(&result.memory, "avx512.load", 7, 100e-9, 20e-9, 300e9, 0.98);
    memories_point(local, 0, 700e-9, 250e9);
    assert_contains(words(MEMORY_LOADED), "A load from DRAM takes 100 ns idle"); /* loads lead */
    assert_contains(words(MEMORY_LOADED), "; that is 80 % of the roof, 300 GB/s; it doubles at 27");
    assert_contains(words(MEMORY_LOADED), "; at the most load the bandwidth falls");
    assert_null(strstr(words(MEMORY_LOADED), "below the idle one"));
    result.memory.series[1].points[2].latency_s = memories_number(90e-9, 0.02);
    assert_contains(words(MEMORY_LOADED), "; beside some load the latency is below the idle one");
    result.sample_count = 0;
    assert_contains(words(MEMORY_LOADED), "; that is 80 % of the most seen, 294 GB/s");
    struct memory_series *small = memories_loaded(&result.memory, "avx512.load", 7, 150e-9, 20e-9, 300e9, 0.98);
    small->page_bytes = 4096;
    assert_contains(words(MEMORY_LOADED), "A load from DRAM takes 100 ns idle"); /* huge pages lead */
    char *text = answer(1U << MEMORY_LOADED);
    assert_contains(text, "4 KiB pages");
    free(text);
}

/* Whether a store's lines were read first shows only if the bus is known to be as slow. */
static void what_stores_pass(void **state) {
    (void)state;
    set_roofs(90e9);
    add_writes("avx512.store", 45e9);
    assert_contains(words(MEMORY_WRITES), "passes its bytes once or twice; ");
    assert_null(strstr(words(MEMORY_WRITES), "STREAM"));
    set_roofs(60e9);
    result.memory.series[0].points[1].bytes_per_s = memories_number(60e9, 0.02);
    assert_contains(words(MEMORY_WRITES),
                    "passes its own bytes only: the core evades write-allocates; STREAM's copy counts 60 GB/s of 60");
    add_writes("avx512.ntzero", 60e9);
    assert_null(strstr(words(MEMORY_WRITES), "zeros")); /* no faster than other data */
    add_writes("clzero", 160e9)->points[1].setting = 16;
    assert_contains(words(MEMORY_WRITES), "; zeros are written at 160 GB/s, which is no roof");
}

static void what_others_say(void **state) {
    (void)state;
    add_all();
    assert_contains(words(MEMORY_PARALLEL),
                    "One core has up to 22 lines from DRAM in flight, 14.1 GB/s; that needs 21");
    assert_contains(words(MEMORY_CORES), "(same L3), 110 ns (same package)");
    assert_contains(words(MEMORY_PAGES), "TLBs reach 1536 pages of 4 KiB (6 MiB), a walk adds 13 ns; TLBs reach 1024");
    for (int i = 0; i < 3; i++)
        result.memory.pairs[i].swap_s[1] = memories_number(90e-9, 0.02);
    result.memory.pairs_planned = 100;
    assert_contains(words(MEMORY_CORES), "; 3 of 28 pairs depend on who touched the page first; 28 of 100 pairs are");
}

static void as_csv(void **state) {
    (void)state;
    char *text = NULL;
    size_t length, lines = 0, points = 0;
    add_all();
    FILE *out = open_memstream(&text, &length);
    memory_csv(&result, MEMORY_ALL_PARTS, out);
    fclose(out);
    for (size_t i = 0; i < result.memory.series_count; i++)
        points += result.memory.series[i].count;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    assert_int_equal(lines, 1 + points + 4 * result.memory.pair_count);
    assert_contains(text, "part,level,name,threads,node,memory_node,page_bytes,setting,first_cpu,second_cpu,touched_by,"
                          "shares,latency_s,latency_low_s,latency_high_s,bytes_per_s,bytes_per_s_low,bytes_per_s_high,"
                          "visits,doubts\n\"loaded\",\"DRAM\",\"avx512.load\",7,,,2097152,,,,,\"\",1e-07,9.8e-08,");
    assert_contains(text, "\n\"cores\",\"\",\"swap\",,,,,,0,7,7,\"package\",1.");
    free(text);
}

static void as_json(void **state) {
    (void)state;
    add_all();
    json_t *all = memory_json(&result, MEMORY_ALL_PARTS), *first = json_array_get(json_object_get(all, "loaded"), 0);
    assert_int_equal(json_array_size(json_object_get(all, "loaded")), 3);
    assert_int_equal(json_array_size(json_object_get(all, "clusters")), 2);
    assert_int_equal(json_array_size(json_object_get(all, "pairs")), 28);
    assert_int_equal(json_array_size(json_object_get(all, "writes")), 6);
    assert_int_equal(json_array_size(json_object_get(all, "pages")), 2);
    assert_near(json_real_value(json_object_get(first, "idle_s")), 100e-9);
    assert_int_equal(json_array_size(json_object_get(first, "points")), result.memory.series[0].count);
    json_decref(all);
    all = memory_json(&result, 1U << MEMORY_PARALLEL);
    assert_null(json_object_get(all, "loaded"));
    assert_null(json_object_get(all, "pairs"));
    assert_int_equal(json_array_size(json_object_get(all, "mlp")), 2);
    json_decref(all);
}

static void nothing(void **state) {
    (void)state;
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_int_equal(memory_parts(&result), 0);
    memory_print(&result, MEMORY_ALL_PARTS, NO_DOUBTS, out);
    fclose(out);
    assert_string_equal(text, "");
    free(text);
    text = answer(MEMORY_ALL_PARTS);
    assert_string_equal(text, "");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_screen, begin, end),
        cmocka_unit_test_setup_teardown(places_need_room, begin, end),
        cmocka_unit_test_setup_teardown(many_rows, begin, end),
        cmocka_unit_test_setup_teardown(what_loaded_says, begin, end),
        cmocka_unit_test_setup_teardown(what_stores_pass, begin, end),
        cmocka_unit_test_setup_teardown(what_others_say, begin, end),
        cmocka_unit_test_setup_teardown(as_csv, begin, end),
        cmocka_unit_test_setup_teardown(as_json, begin, end),
        cmocka_unit_test_setup_teardown(nothing, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
