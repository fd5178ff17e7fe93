/* SPDX-License-Identifier: BSD-3-Clause
 * Printed comparisons: labels, applications, warnings, the best result, CSV and JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/model/describe.h"
#include "tests/support/compared.h"

static struct result machine_at(unsigned cores, const char *uarch, const char *host) {
    struct result r = machine(cores, FIXTURE_AVX2);
    snprintf(r.uarch, sizeof r.uarch, "%s", uarch);
    snprintf(r.machine.host, sizeof r.machine.host, "%s", host);
    return r;
}

static void labels_say_what_differs(void **state) {
    static const struct {
        const char *uarch[3], *hosts[3], *labels[3];
    } rows[] = {
        {{"Zen 4", "Golden Cove (Sapphire Rapids)"}, {"a", "a"}, {"Zen 4", "Golden Cove"}},
        {{"Zen 4", "Zen 4"}, {"a", "b"}, {"a", "b"}},
        {{"Zen 4", "Zen 4"}, {"a", "a"}, {"file0", "file1"}},
        {{"Zen 4", "Zen 4", "Zen 5"}, {"a", "b", "c"}, {"Zen 4 a", "Zen 4 b", "Zen 5"}},
        {{"Zen 4", "", "Zen 5"}, {"a", "b", "c"}, {"Zen 4", "Made-up CPU", "Zen 5"}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bench b = {0};
        for (size_t k = 0; k < 3 && rows[i].uarch[k]; k++)
            bench_add(&b, machine_at(2, rows[i].uarch[k], rows[i].hosts[k]));
        compare_label(b.sides, b.count);
        for (size_t k = 0; k < b.count; k++)
            assert_string_equal(b.sides[k].label, rows[i].labels[k]);
        bench_free(&b);
    }
    struct bench b = {0}; /* files of the same name in two folders */
    bench_add(&b, machine_at(2, "Zen 4", "a"));
    bench_add(&b, machine_at(2, "Zen 4", "a"));
    b.sides[0].path = "old/a.json", b.sides[1].path = "new/a.json";
    compare_label(b.sides, 2);
    assert_string_equal(b.sides[0].label, "old/a.json");
    assert_string_equal(b.sides[1].label, "new/a.json");
    bench_free(&b);
}

static void add_point(struct result *r, const char *name, double seconds) {
    r->points = realloc(r->points, (r->point_count + 1) * sizeof *r->points);
    r->points[r->point_count] = fixture_point(name);
    r->points[r->point_count++].seconds = app_once(seconds);
}

static void applications_meet_by_name(void **state) {
    struct bench b = {0};
    (void)state;
    for (size_t i = 0; i < 3; i++)
        bench_add(&b, machine_at(2, "Zen 4", i == 0 ? "a" : i == 1 ? "b" : "c"));
    add_point(&b.results[0], "solve", 0.02);
    add_point(&b.results[0], "alone", 0.02);
    add_point(&b.results[1], "other", 0.02);
    add_point(&b.results[1], "solve", 0.01);
    add_point(&b.results[2], "other", 0.04);
    struct comparison c = compare_make(b.sides, 3, 0);
    assert_int_equal(c.application_count, 2);
    assert_int_equal(c.lone_points, 1);
    assert_string_equal(c.applications[0].name, "solve");
    assert_int_equal(c.applications[0].first, 0);
    assert_null(c.applications[0].points[2]);
    assert_string_equal(c.applications[1].name, "other");
    assert_int_equal(c.applications[1].first, 1); /* missing in the base */
    compare_free(&c);
    c = compare_make(b.sides, 3, 2);
    assert_int_equal(c.applications[1].first, 2);
    compare_label(b.sides, 3);
    char *text = printed(&c, PER_MACHINE);
    assert_contains(text, "-50.0 %");  /* the second one's time, relative to the base */
    assert_contains(text, "+100.0 %"); /* and its flop/s */
    fixture_says(text, "1 application was measured on one side alone");
    compare_free(&c);
    bench_free(&b);
}

static void doubts_of_both_are_told(void **state) {
    struct bench b = {0};
    (void)state;
    bench_add(&b, machine_at(2, "Zen 4", "a"));
    bench_add(&b, machine_at(2, "Zen 5", "b"));
    compare_label(b.sides, 2);
    for (size_t i = 0; i < 2; i++)
        fixture_sample_of(&b.results[i], "avx2.f64.fma", "", 1)->doubts = DOUBTS(DOUBT_UNSTABLE);
    doubts_add(&fixture_sample_of(&b.results[1], "avx2.f64.fma", "", 1)->doubts, DOUBT_OTHERS_ACTIVE);
    struct comparison c = compare_make(b.sides, 2, 0);
    char *text = printed(&c, PER_MACHINE);
    assert_contains(text, "unstable; B: others active");
    assert_contains(text, "▲ others active:"); /* including its remedy */
    fixture_says(text, "ratios against Zen 4");
    compare_free(&c);
    bench_free(&b);
}

static void the_best_are_named_where_they_differ(void **state) {
    struct bench b = {0};
    (void)state;
    bench_add(&b, machine(4, FIXTURE_AVX512));
    bench_add(&b, machine(4, FIXTURE_AVX512));
    bench_add(&b, machine(4, FIXTURE_AVX2));
    compare_label(b.sides, 3);
    struct comparison c = compare_make(b.sides, 3, 1);
    char *text = printed(&c, PER_MACHINE);
    assert_contains(text, "avx512.f64.fma; C: avx2.f64.fma ");
    assert_contains(text, "file1, the base");
    assert_contains(text, "▲ C lacks ");
    assert_contains(text, " that B has, and has ");
    fixture_says(text, " B             A   A/B             C    C/B  warnings\n");
    compare_free(&c);
    bench_free(&b);
}

/* With many machines, the range is shown, with the machines at its ends. */
static void of_many_the_ends_are_named(void **state) {
    struct bench b = {0};
    (void)state;
    for (size_t i = 0; i < MAX_SIDES; i++) {
        char host[16];
        snprintf(host, sizeof host, "node%zu", i);
        bench_add(&b, machine_at(2, "Zen 4", host));
        fixture_sample_of(&b.results[i], "avx2.f64.fma", "", 2)->value *= i == 3 ? 0.5 : i == 7 ? 1.5 : 1;
    }
    b.results[5].sample_count = 3;
    fixture_sample_of(&b.results[2], "avx2.f64.fma", "", 2)->doubts = DOUBTS(DOUBT_UNSTABLE);
    model_free(&b.models[5]);
    b.models[5] = model_build(&b.results[5]);
    compare_label(b.sides, b.count);
    struct comparison c = compare_make(b.sides, b.count, 0);
    char *text = printed(&c, PER_MACHINE);
    const char *fma = strstr(strstr(text, "── all cores ──"), "avx2.f64.fma ");
    assert_non_null(fma);
    char line[256];
    snprintf(line, sizeof line, "%.*s", (int)strcspn(fma, "\n"), fma);
    assert_contains(line, "11 of 12   0.500  node3    1.00     1.50  node7         1");
    fma = strstr(fma, "avx2.f64.mul ");
    snprintf(line, sizeof line, "%.*s", (int)strcspn(fma, "\n"), fma);
    assert_null(strstr(line, "node")); /* all equal */
    fixture_says(text, "▲ node5 lacks ");
    for (size_t i = 0; i < MAX_SIDES; i++)
        fixture_intervals(&b.results[i], 0.2, 0.2);
    text = printed(&c, PER_MACHINE);
    assert_contains(strstr(strstr(text, "── all cores ──"), "avx2.f64.fma "), "0.500  node3    1.00     1.50  node7  ");
    free(text);
    for (size_t i = 0; i < MAX_SIDES; i++)
        fixture_intervals(&b.results[i], 0.5, 0.5); /* unknown which machines are the lowest and highest */
    text = printed(&c, PER_MACHINE);
    fma = strstr(strstr(text, "── all cores ──"), "avx2.f64.fma ");
    snprintf(line, sizeof line, "%.*s", (int)strcspn(fma, "\n"), fma);
    assert_contains(line, "1.50");
    assert_null(strstr(line, "node"));
    free(text);
    compare_free(&c);
    bench_free(&b);
}

/* If two intervals overlap, both values may be equal: then the ratio is no difference. */
static void what_overlaps_is_no_difference(void **state) {
    static const struct {
        double factor; /* the second value's interval is 1 % below to 3 % above */
        bool alike;
    } rows[] = {{1, true}, {1.039, true}, {1.042, false}, {0.962, true}, {0.960, false}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bench b = {0};
        bench_add(&b, machine_at(2, "Zen 4", "a"));
        bench_add(&b, machine_at(2, "Zen 5", "b"));
        struct sample *base = fixture_sample_of(&b.results[0], "avx2.f64.fma", "", 2),
                      *own = fixture_sample_of(&b.results[1], "avx2.f64.fma", "", 2);
        fixture_intervals(&b.results[0], 0.01, 0.03);
        own->value *= rows[i].factor;
        own->per_cycle *= 2;
        fixture_intervals(&b.results[1], 0.01, 0.03);
        compare_label(b.sides, 2);
        struct comparison c = compare_make(b.sides, 2, 0);
        const struct compare_row *row = row_of(&c, SAMPLE_COMPUTE, "avx2.f64.fma", "", ROOF_ALL_CORES);
        assert_int_equal(compare_alike(row->roofs[0], row->roofs[1], PER_MACHINE), rows[i].alike);
        assert_int_equal(compare_alike(row->roofs[1], row->roofs[0], PER_CORE), rows[i].alike);
        assert_false(compare_alike(row->roofs[0], row->roofs[1], PER_CYCLE));
        assert_near(compare_interval(row->roofs[1], PER_CORE).high, own->value * 1.03 / 2);
        assert_near(compare_interval(row->roofs[1], PER_CYCLE).low, own->per_cycle * 0.99);
        assert_near(compare_ratio_interval(&c, row, 1, PER_MACHINE).low, rows[i].factor * 0.99 / 1.03);
        assert_near(compare_ratio_interval(&c, row, 1, PER_MACHINE).high, rows[i].factor * 1.03 / 0.99);
        char *text = printed(&c, PER_MACHINE), *line = strstr(strstr(text, "── all cores ──"), "avx2.f64.fma ");
        line[strcspn(line, "\n")] = '\0';
        assert_contains(text, "ratios against Zen 4 (≈: ");
        assert_int_equal(strstr(line, "≈") != NULL, rows[i].alike);
        free(text);
        base->low = base->high = 0; /* an older file */
        assert_false(compare_alike(row->roofs[0], row->roofs[1], PER_MACHINE));
        assert_true(isnan(compare_ratio_interval(&c, row, 1, PER_MACHINE).low));
        for (size_t k = 0; k < b.results[1].sample_count; k++)
            b.results[1].samples[k].low = b.results[1].samples[k].high = 0;
        text = printed(&c, PER_MACHINE);
        assert_null(strstr(text, "≈"));
        free(text);
        compare_free(&c);
        bench_free(&b);
    }
}

static void csv_has_a_row_per_roof_and_side(void **state) {
    struct bench b = {0};
    char *text = NULL;
    size_t length, lines = 0, commas = 0;
    (void)state;
    bench_add(&b, machine_at(2, "Zen \"4\"", "a"));
    bench_add(&b, machine_at(2, "Zen 5", "b"));
    add_point(&b.results[0], "solve, fast", 0.02);
    add_point(&b.results[1], "solve, fast", 0.01);
    b.results[1].sample_count -= 2;
    model_free(&b.models[1]);
    b.models[1] = model_build(&b.results[1]);
    compare_label(b.sides, 2);
    struct comparison c = compare_make(b.sides, 2, 0);
    FILE *out = open_memstream(&text, &length);
    compare_csv(&c, out);
    fclose(out);
    for (const char *line = text; *line; line = strchr(line, '\n') + 1, lines++) {
        size_t own = 0;
        bool quoted = false;
        for (const char *at = line; *at != '\n'; at++) {
            quoted ^= *at == '"';
            own += *at == ',' && !quoted;
        }
        commas = lines ? commas : own;
        assert_int_equal(own, commas);
    }
    assert_int_equal(lines, 1 + 2 * c.row_count + 2);
    assert_contains(
        text,
        "\"Zen \"\"4\"\"\",\"results/file0.json\",\"compute\",\"avx2.f64.fma\",\"\",\"1\",\"\",0,0,,,,\"flop_per_s\",");
    assert_contains(text, ",\"missing\",,,\n");
    assert_contains(text, "\"application\",\"solve, fast\",,2,");
    assert_null(strstr(text, "nan"));
    free(text);
    compare_free(&c);
    bench_free(&b);
}

static double number_at(const json_t *row, const char *name, size_t side) {
    const json_t *value = json_array_get(json_object_get(row, name), side);
    return json_is_null(value) ? NAN : json_number_value(value);
}

static void json_has_all_ratios(void **state) {
    struct bench b = {0};
    (void)state;
    bench_add(&b, machine(4, FIXTURE_AVX2));
    bench_add(&b, machine(8, FIXTURE_AVX512));
    add_point(&b.results[0], "solve", 0.02);
    add_point(&b.results[1], "solve", 0.01);
    fixture_sample_of(&b.results[1], "avx2.load", "L1", 8)->doubts = DOUBTS(DOUBT_UNSTABLE);
    fixture_intervals(&b.results[0], 0.1, 0.1);
    fixture_intervals(&b.results[1], 0.1, 0.1);
    fixture_sample_of(&b.results[0], "avx2.2ld1st", "L1", 4)->high = 0;
    compare_label(b.sides, 2);
    struct comparison c = compare_make(b.sides, 2, 0);
    json_t *json = compare_json(&c), *roofs = json_object_get(json, "roofs"), *row = NULL;
    assert_string_equal(json_string_value(json_object_get(json, "schema")), "carmine.compare/1");
    assert_int_equal(json_array_size(json_object_get(json, "machines")), 2);
    assert_int_equal(json_array_size(json_object_get(json, "best")), c.headline_count);
    assert_int_equal(json_array_size(roofs), c.row_count);
    bool found = false;
    for (size_t i = 0; i < c.row_count && !found; i++) {
        row = json_array_get(roofs, i);
        found = &c.rows[i] == row_of(&c, SAMPLE_BANDWIDTH, "avx2.load", "L1", ROOF_ALL_CORES);
    }
    const double value = number_at(row, "values", 0), other = number_at(row, "values", 1);
    assert_string_equal(json_string_value(json_object_get(row, "cores")), "all");
    assert_string_equal(json_string_value(json_object_get(row, "unit")), "bytes_per_s");
    assert_near(number_at(row, "ratios", 1), other / value);
    assert_near(number_at(row, "ratios_per_core", 1), other / value / 2);
    assert_near(number_at(row, "values_per_core", 1), other / 8);
    assert_near(number_at(row, "ratios_per_cycle", 1),
                number_at(row, "values_per_cycle", 1) / number_at(row, "values_per_cycle", 0));
    assert_string_equal(json_string_value(json_array_get(json_array_get(json_object_get(row, "doubts"), 1), 0)),
                        "unstable");
    assert_near(number_at(row, "lows", 1), other * 0.9);
    assert_near(number_at(row, "highs", 0), value * 1.1);
    assert_true(json_is_true(json_array_get(json_object_get(row, "alike"), 0)));
    assert_true(json_is_false(json_array_get(json_object_get(row, "alike"), 1))); /* twice the cores */
    assert_true(json_is_true(json_array_get(json_object_get(row, "alike_per_core"), 1)));
    assert_true(json_is_true(json_array_get(json_object_get(row, "alike_per_cycle"), 1)));
    for (size_t i = 0; i < c.row_count; i++)
        if (&c.rows[i] == row_of(&c, SAMPLE_BANDWIDTH, "avx2.2ld1st", "L1", ROOF_ALL_CORES)) {
            const json_t *bare = json_array_get(roofs, i);
            assert_true(isnan(number_at(bare, "lows", 0)) && isfinite(number_at(bare, "lows", 1)));
            assert_true(json_is_null(json_array_get(json_object_get(bare, "alike"), 1)));
        }
    for (size_t i = 0; i < c.row_count; i++)
        if (strcmp(c.rows[i].key.kernel, "avx512.f64.fma") == 0)
            assert_true(isnan(number_at(json_array_get(roofs, i), "values", 0)) &&
                        isnan(number_at(json_array_get(roofs, i), "ratios", 1)));
    const json_t *solve =
        json_array_get(json_object_get(json_array_get(json_object_get(json, "applications"), 0), "measured"), 1);
    assert_near(json_number_value(json_object_get(solve, "seconds_ratio")), 0.5);
    assert_near(json_number_value(json_object_get(solve, "flop_per_s_ratio")), 2);
    json_decref(json);
    compare_free(&c);
    bench_free(&b);
}

/* A number stands alone, with ±, or is missing, depending on its uncertainty. */
static void vague_values_are_intervals(void **state) {
    static const struct {
        double value, low, high;
        const char *unit, *text;
    } rows[] = {
        {13.5e-9, 13.4e-9, 13.7e-9, "s", "13.5 ns"},
        {13.5e-9, 12.5e-9, 14e-9, "s", "13.5 ns ±7 %"},
        {40e9, 31e9, 41e9, "B/s", "40.0 GB/s ±22 %"},
        {105e-9, 12.3e-9, 120e-9, "s", "12.3–120 ns"},
        {20e-9, 18e-9, 31e-9, "s", "18.0–31.0 ns"},
        {105e-9, 81e-9, 1.2e-6, "s", "81.0 ns–1.20 µs"},
        {0.8e12, 0.781e12, 1.06e12, "B/s", "0.78–1.06 TB/s"},
        {13.5e-9, 0, 0, "s", "13.5 ns"}, /* a file without intervals */
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct sample sample = {.value = rows[i].value, .low = rows[i].low, .high = rows[i].high};
        char text[DESCRIBE_VALUE_BYTES];
        assert_string_equal(describe_value(&sample, rows[i].unit, text, sizeof text), rows[i].text);
    }
}

/* If one side's latency is uncertain, its row shows the interval, and a mark before the ratio. */
static void vague_values_are_marked_in_their_row(void **state) {
    struct bench b = {0};
    (void)state;
    bench_add(&b, machine_at(2, "Zen 4", "a"));
    bench_add(&b, machine_at(2, "Zen 4", "b"));
    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < b.results[side].sample_count; i++) {
            struct sample *s = &b.results[side].samples[i];
            if (s->kind != SAMPLE_LATENCY || strcmp(s->level, "L3") != 0 || s->small_pages)
                continue;
            s->value = side ? 105e-9 : 10e-9;
            s->low = side ? 62e-9 : 9.9e-9, s->high = side ? 120e-9 : 10.1e-9;
        }
    compare_label(b.sides, 2);
    struct comparison c = compare_make(b.sides, 2, 0);
    char *text = printed(&c, PER_MACHINE);
    assert_contains(text, "62.0–120 ns");
    assert_contains(text, "▲10.5");
    free(text);
    compare_free(&c);
    bench_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_say_what_differs),         cmocka_unit_test(applications_meet_by_name),
        cmocka_unit_test(doubts_of_both_are_told),         cmocka_unit_test(the_best_are_named_where_they_differ),
        cmocka_unit_test(of_many_the_ends_are_named),      cmocka_unit_test(what_overlaps_is_no_difference),
        cmocka_unit_test(vague_values_are_intervals),      cmocka_unit_test(vague_values_are_marked_in_their_row),
        cmocka_unit_test(csv_has_a_row_per_roof_and_side), cmocka_unit_test(json_has_all_ratios),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
