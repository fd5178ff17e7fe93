/* SPDX-License-Identifier: BSD-3-Clause
 * A surface measured on this machine, at any speed, and the text about a made-up surface. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/kernels/doubt.h"
#include "carm/search/report_unroll_map.h"
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
    assert_true(map.winner.rate.n >= 32);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic),
        cmocka_unit_test(an_access_pattern),
        cmocka_unit_test(what_cannot_be_measured),
        cmocka_unit_test(what_is_said),
    };
    return cmocka_run_group_tests(tests, open_bench, close_bench);
}
