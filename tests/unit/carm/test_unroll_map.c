/* SPDX-License-Identifier: BSD-3-Clause
 * A surface measured on this machine, at any speed, and the text about a made-up surface. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/kernels/doubt.h"
#include "carm/search/search.h"
#include "render/page/plot.h"
#include "tests/support/bench_here.h"

static bool measure(struct plan_step step, double budget_s, struct unroll_map *out, struct error *err) {
    const struct plan plan = {.count = 1, .steps = &step};
    return unroll_map_measure(&bench, &plan, budget_s, out, err);
}

static void arithmetic(void **state) {
    (void)state;
    struct error err = {""};
    struct unroll_map map;
    if (!measure(step_of("sse.f64.mul", SAMPLE_COMPUTE, PLAN_REGISTERS, 0), 5, &map, &err))
        fail_msg("%s", err.text);
    assert_true(map.search.known > 0 && map.search.rows == 15 && map.search.columns == 19);
    assert_string_equal(map.winner.kernel, "sse.f64.mul");
    assert_true(map.winner.per_cycle > 0.05 && map.winner.per_cycle < 64);
    assert_true(map.winner.rate.n >= 8); /* of a visit that was interrupted; else 32 */
    assert_true(map.search.values[map.row][map.column] == map.winner.per_cycle);
    assert_true(map.search.values[map.enough_row][map.enough_column] >= 0.99 * map.winner.per_cycle);
    assert_true(map.enough_row <= map.row);
    assert_string_equal(map.reference.kernel, "sse.f64.mul");
    assert_true(map.reference.per_cycle > 0);
    assert_false(doubts_has(map.winner.doubts, DOUBT_FP_ASSIST));
    double latency, starts;
    assert_true(unroll_map_latency(&map, &latency, &starts));
    assert_true(latency > 0.3 && starts > 0.02 && starts < 32);
}

static void an_access_pattern(void **state) {
    (void)state;
    struct error err = {""};
    struct unroll_map map;
    if (!measure(step_of("sse.2ld1st", SAMPLE_BANDWIDTH, 0, 8192), 5, &map, &err))
        fail_msg("%s", err.text);
    assert_true(map.winner.working_set_bytes >= 7168 && map.winner.working_set_bytes <= 8192);
    assert_string_equal(map.reference.kernel, "sse.2ld1st");
    /* Among the blocks that fill seven eighths of 8 KiB the longest streams have eight lines: 5 × 8 × 3 lines. */
    assert_int_equal(map.unrolls[map.search.columns - 1], 8);
    assert_true(map.search.possible[4][5]);
    assert_false(map.search.possible[3][4]); /* 4 × 6 × 3 lines, once */
    assert_false(unroll_map_latency(&map, &(double){0}, &(double){0}));
}

static void what_cannot_be_measured(void **state) {
    (void)state;
    struct error err = {""};
    struct unroll_map map;
    assert_false(measure(step_of("scalar.random", SAMPLE_BANDWIDTH, 0, 8192), 1, &map, &err));
    assert_non_null(strstr(err.text, "random"));
    if (!measure(step_of("sse.f64.mul", SAMPLE_COMPUTE, PLAN_REGISTERS, 0), 1e-3, &map,
                 &err)) /* however small the budget */
        fail_msg("%s", err.text);
    assert_true(map.search.known > 0 && map.winner.per_cycle > 0 && !map.complete);
}

/* 4 × 5 cells of a core with a latency of four cycles that starts two instructions of 16 flop per cycle; a corner is
 * not measured, one cell is impossible. */
static struct unroll_map made_up(void) {
    struct unroll_map map = {.kind = KERNEL_COMPUTE, .settled = true, .row = 3, .column = 2, .enough_row = 2};
    unroll_search_begin(&map.search, 4, 5);
    for (unsigned r = 0; r < 4; r++) {
        map.widths[r] = 3 * r + 1;
        for (unsigned c = 0; c < 5; c++) {
            map.unrolls[c] = c + 1;
            if (r > 0 || c < 4)
                unroll_search_put(&map.search, r, c, r == 0 ? 4 : 10.0 * r + (r == 3 && c == 2));
        }
    }
    map.search.possible[0][4] = false;
    map.winner = (struct sample){.kernel = "avx512.f64.fma",
                                 .variant = "10x3",
                                 .threads = 1,
                                 .per_cycle = 31,
                                 .value = 93e9,
                                 .clock_hz = 3e9,
                                 .doubts = DOUBTS(DOUBT_UNSTABLE)};
    map.winner_cost = (struct cost){.flop = 480, .mix = {.vector_bytes = 64, .fma = 30}};
    map.reference = (struct sample){.variant = "12x4", .per_cycle = 32};
    return map;
}

static void what_is_said(void **state) {
    (void)state;
    struct unroll_map map = made_up();
    struct result *result = calloc(1, sizeof *result);
    const struct unroll_map_view view = {
        .result = result, .map = &map, .name = "avx512.f64.fma", .level = "", .documented_per_cycle = 32};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    unroll_map_print(&view, out);
    fclose(out);
    const char *const said[] = {"*31.0",
                                "10x3: 31.00 flop/cycle at 3 GHz, 96.9 % of the documented 32",
                                "7x1 is within",
                                "latency of 4.00 cycles, the best starts 1.94 instructions a cycle: 7.8",
                                "has 12x4: 32.00 flop/cycle; the best is -3.1 %",
                                "use that",
                                "unstable: ",
                                "neighbours of the best are measured"};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (strstr(text, said[i]) == NULL)
            fail_msg("'%s' is not in\n%s", said[i], text);
    free(text);

    json_t *json = unroll_map_json(&view), *values = json_object_get(json, "values");
    assert_string_equal(json_string_value(json_object_get(json, "schema")), "carmine.surface/1");
    assert_int_equal(json_array_size(values), 4);
    assert_true(json_is_null(json_array_get(json_array_get(values, 0), 4)));
    assert_true(json_real_value(json_array_get(json_array_get(values, 3), 2)) == 31);
    assert_true(json_integer_value(json_object_get(json_object_get(json, "winner"), "width")) == 10);
    assert_true(json_real_value(json_object_get(json_object_get(json, "run"), "winner_over_run")) == 31.0 / 32);
    json_decref(json);
    free(result);
}

/* Every word and number about made-up searches, as tests/golden/search.txt has them (`make golden` writes it). */

static void print_json(json_t *json, FILE *out) {
    json_dumpf(json, out, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    fputc('\n', out);
    json_decref(json);
}

/* The texts in a picture, joined: fonts decide where its lines end. */
static void print_texts(const char *path, FILE *out) {
    size_t length;
    char *svg = fixture_read(path, &length);
    for (const char *at = svg; (at = strstr(at, "<text ")); at++) {
        const char *text = strchr(at, '>') + 1;
        fprintf(out, "%.*s ", (int)strcspn(text, "<"), text);
    }
    fputc('\n', out);
    free(svg);
}

static void print_maps(const struct result *result, FILE *out) {
    struct unroll_map maps[3] = {made_up(), made_up(), made_up()};
    maps[1].kind = KERNEL_MEMORY, maps[1].complete = true, maps[1].working_set_bytes = KIB(32);
    maps[1].winner_cost = (struct cost){.flop = 0}, maps[1].winner.threads = 2, maps[1].reference.per_cycle = 30;
    maps[2].settled = false, maps[2].winner.per_cycle = 120, maps[2].reference.per_cycle = 0;
    maps[2].winner.doubts = NO_DOUBTS;
    const struct unroll_map_view views[] = {{result, &maps[0], "avx512.f64.fma", "", 32, 1.5},
                                            {result, &maps[1], "avx512.load", "L1", 0, 2.5},
                                            {result, &maps[2], "avx512.f64.fmaadd", "", 0, 3.5}};
    for (size_t i = 0; i < 3; i++)
        unroll_map_print(&views[i], out);
    unroll_map_list_print(views, 3, out);
    unroll_map_csv(views, 2, out);
    print_json(unroll_map_list_json(views, 2), out);
}

static struct distances made_up_distances(void) {
    struct distances d = {.rounds = 5, .without = 20, .best = {1, 512}};
    for (unsigned hint = 1; hint < PREFETCH_HINTS; hint++)
        for (unsigned i = 0; i < DISTANCES_COUNT; i++) {
            const double gain = hint == 1 && distances_bytes[i] == 512 ? 1.25 : 1 - 0.01 * hint * i;
            d.values[hint][i] = 20 * gain;
            d.gains[hint][i] = (struct statistics){5, 5, gain, 0.98 * gain, gain, 1.03 * gain, 1.1 * gain};
        }
    d.pairs = (struct statistics){21, 21, 1.0, 1.1, 1.2, 1.3, 1.4};
    for (unsigned i = 0; i < 2; i++)
        d.proper[i] = (struct sample){.kind = SAMPLE_BANDWIDTH,
                                      .threads = i + 1,
                                      .value = 60e9,
                                      .per_cycle = 20,
                                      .clock_hz = 3e9,
                                      .doubts = DOUBTS(i ? DOUBT_OTHERS_ACTIVE : DOUBT_UNSTABLE)};
    return d;
}

static void print_distances(const struct result *result, FILE *out) {
    struct distances made[2] = {made_up_distances(), made_up_distances()};
    made[1].pairs.q1 = 0.9, made[1].proper[0].per_cycle = 0, made[1].without = 2e9;
    made[1].proper[0].doubts = made[1].proper[1].doubts = NO_DOUBTS;
    struct error err = {""};
    for (size_t i = 0; i < 2; i++) {
        const struct distances_view view = {result, &made[i], "avx512.load", i ? "DRAM" : "L2", 4, 8, i == 0, KIB(512),
                                            i == 0, 2.5};
        distances_print(&view, out);
        distances_csv(&view, out);
        print_json(distances_json(&view), out);
        assert_true(chart_distances(&view, fixture_path("d.svg"), &err));
        print_texts(fixture_path("d.svg"), out);
    }
}

static void every_text_of_a_search(void **state) {
    (void)state;
    const char *golden = "tests/golden/search.txt";
    struct result result = fixture_result(fixture_machine(2, FIXTURE_AVX512), NULL);
    char *text = NULL, *wanted;
    size_t length = 0, wanted_length;
    FILE *out = open_memstream(&text, &length);
    print_maps(&result, out);
    print_distances(&result, out);
    fclose(out);
    if (getenv("GOLDEN"))
        fixture_write(golden, text, length);
    wanted = fixture_read(golden, &wanted_length);
    size_t same = 0;
    while (wanted[same] && wanted[same] == text[same])
        same++;
    if (!plot_refusal("d.png") && wanted[same] != text[same])
        fail_msg("not as %s: %.60s", golden, text + same);
    free(wanted);
    free(text);
    results_free(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic),
        cmocka_unit_test(an_access_pattern),
        cmocka_unit_test(what_cannot_be_measured),
        cmocka_unit_test(what_is_said),
        cmocka_unit_test(every_text_of_a_search),
    };
    return cmocka_run_group_tests(tests, open_bench, close_bench);
}
