/* SPDX-License-Identifier: BSD-3-Clause
 * Measured cores side by side: which values differ, and what the note, the table, JSON and CSV say of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/compare/compare_core.h"
#include "carm/report/compare_report.h"
#include "tests/support/answered.h"
#include "tests/support/chance.h"
#include "tests/support/compared.h"
#include "tests/support/cores.h"

static struct bench sides;
static struct comparison comparison;

static void sides_begin(size_t count) {
    sides = (struct bench){0};
    for (size_t i = 0; i < count; i++)
        bench_add(&sides, machine(2, FIXTURE_AVX512));
    for (size_t i = 0; i < count; i++)
        cores_add(&sides.results[i], "nop", 0, 1 / 6.0);
}

static struct core_comparison compared(size_t base) {
    compare_label(sides.sides, sides.count);
    comparison = compare_make(sides.sides, sides.count, base);
    return core_compare(&comparison);
}

static void sides_end(struct core_comparison *core) {
    core_comparison_free(core);
    compare_free(&comparison);
    bench_free(&sides);
}

static char *note_of(size_t base) {
    struct screen_text text = screen_text_begin();
    struct core_comparison core = compared(base);
    compare_core_note(&comparison, &text.screen);
    core_comparison_free(&core);
    compare_free(&comparison);
    return screen_text_end(&text);
}

static const struct compared_form *row_named(const struct core_comparison *core, const char *form,
                                             enum core_quantity quantity) {
    for (size_t i = 0; i < core->count; i++)
        if (strcmp(core->rows[i].form, form) == 0 && core->rows[i].quantity == quantity)
            return &core->rows[i];
    fail_msg("no row %s", form);
    return NULL;
}

/* Of two random values with random intervals, by the rule as it is documented. */
static void differences_are_beyond_intervals_and_threshold(void **state) {
    (void)state;
    chance_seed = 11;
    for (int i = 0; i < 200; i++) {
        double cycles[2][CORE_ENDS];
        sides_begin(2);
        for (size_t side = 0; side < 2; side++) {
            struct core_value *value = cores_add(&sides.results[side], "vaddpd yyy", 1, 0);
            double *to = value->latency_cycles;
            to[CORE_MEASURED] = 3 + 1.5 * chance_between();
            to[CORE_LOW] = to[CORE_MEASURED] * (1 - 0.2 * chance_between());
            to[CORE_HIGH] = to[CORE_MEASURED] * (1 + 0.2 * chance_between());
            memcpy(cycles[side], to, sizeof cycles[side]);
        }
        const double ratio = cycles[1][CORE_MEASURED] / cycles[0][CORE_MEASURED];
        const bool apart = cycles[0][CORE_HIGH] < cycles[1][CORE_LOW] || cycles[1][CORE_HIGH] < cycles[0][CORE_LOW];
        const bool differs = apart && (ratio > 1.15 || 1 / ratio > 1.15);
        for (size_t base = 0; base < 2; base++) {
            struct core_comparison core = compared(base);
            const struct compared_form *row = row_named(&core, "vaddpd yyy", CORE_LATENCY);
            assert_int_equal(core_difference(&core, row, !base), differs ? CORE_DIFFERS : CORE_SAME);
            assert_int_equal(core_difference(&core, row, base), CORE_SAME);
            core_comparison_free(&core);
            compare_free(&comparison);
        }
        bench_free(&sides);
    }
}

static void what_proves_nothing_is_unsure(void **state) {
    (void)state;
    sides_begin(2);
    for (size_t side = 0; side < 2; side++) {
        struct result *result = &sides.results[side];
        cores_add(result, "vaddpd yyy", 3 + (double)side, 1)->disturbed = side == 0;
        cores_add(result, "vmovq xq", 2 + (double)side, 1 + (double)side)->crosses = true;
        cores_add(result, "mulx qqq", 3, 1 + (double)side);
        cores_add(result, "rorx qqi", 3, 2 - (double)side);
        cores_add(result, side ? "only here" : "only there", 3, 1);
    }
    struct core_comparison core = compared(0);
    assert_int_equal(core_difference(&core, row_named(&core, "vaddpd yyy", CORE_LATENCY), 1), CORE_UNSURE);
    assert_int_equal(core_difference(&core, row_named(&core, "vmovq xq", CORE_LATENCY), 1), CORE_UNSURE);
    assert_int_equal(core_difference(&core, row_named(&core, "vmovq xq", CORE_THROUGHPUT), 1), CORE_DIFFERS);
    assert_int_equal(core_difference(&core, row_named(&core, "mulx qqq", CORE_THROUGHPUT), 1), CORE_DIFFERS);
    for (size_t i = 0; i < core.count; i++)
        assert_null(strstr(core.rows[i].form, "only"));
    core_comparison_free(&core);
    compare_free(&comparison);
    cores_set(sides.results[1].core.values[0].throughput_cycles, 1 / 3.0); /* a neighbour takes half of all no-ops */
    core = compared(0);
    assert_int_equal(core_difference(&core, row_named(&core, "mulx qqq", CORE_THROUGHPUT), 1), CORE_UNSURE);
    assert_int_equal(core_difference(&core, row_named(&core, "rorx qqi", CORE_THROUGHPUT), 1), CORE_DIFFERS);
    sides_end(&core);
}

static void nothing_without_two_cores(void **state) {
    (void)state;
    sides_begin(2);
    core_measured_free(&sides.results[1].core);
    for (size_t base = 0; base < 2; base++) {
        answer_is(note_of(base), "");
        char *text = note_of(base);
        assert_string_equal(text, "");
        free(text);
    }
    compare_label(sides.sides, 2);
    comparison = compare_make(sides.sides, 2, 0);
    char *all = printed(&comparison, PER_MACHINE);
    assert_null(strstr(all, "The core"));
    free(all);
    json_t *json = compare_core_json(&comparison);
    assert_int_equal(json_array_size(json), 0);
    json_decref(json);
    compare_free(&comparison);
    bench_free(&sides);
}

/* Widths of one operation are named once; what readers ask for first comes first. */
static void the_note_names_classes(void **state) {
    (void)state;
    sides_begin(2);
    for (size_t side = 0; side < 2; side++) {
        struct result *result = &sides.results[side];
        cores_add(result, "zero q", 0, side ? 0.5 : 0.125);
        cores_add(result, "vpabsb xx", 1 + (double)side, 0.25);
        cores_add(result, "mispredict", side ? 18.99 : 14, 0);
        cores_add(result, "vaddsd xxx", 4 - (double)side, 0.5);
        cores_add(result, "vaddpd yyy", 4 - (double)side, 0.5);
        cores_add(result, "vdivsd xxx", 13.02 - 7 * (double)side, 4);
        cores_add(result, "vfmadd231pd yyy", 4, 0.5);
        cores_add(result, "vfmadd231pd zzz", 4, 1 - 0.5 * (double)side);
    }
    char *text = note_of(0);
    is_one_screen(text);
    for (char *end; (end = strstr(text, "\n        "));)
        memmove(end + 1, end + 9, strlen(end + 9) + 1), *end = ' ';
    assert_contains(text, "Core    A → B, cycles: latency of f64 addition 4 → 3, f64 division 13 → 6, ");
    assert_contains(text, "mispredicted branch 14 → 19; ");
    assert_contains(text, "throughput of f64 FMA (512 bits) 1 → 0.5, zeroed register 0.12 → 0.5; 2 more of ");
    free(text);
    text = note_of(1);
    assert_contains(text, "B → A, cycles: latency of f64 addition 3 → 4");
    struct core_comparison core = compared(0);
    char *all = printed(&comparison, PER_MACHINE);
    assert_contains(all, "── The core ──");
    assert_contains(all, "vpabsb xx");
    assert_contains(all, "f64 division, scalar");
    fixture_says(all, "\n7 of ");
    free(text);
    sides_end(&core);
}

static void equal_cores_are_told_in_a_line(void **state) {
    (void)state;
    sides_begin(2);
    for (size_t side = 0; side < 2; side++)
        cores_fill(&sides.results[side], 0.1);
    answer_is(note_of(0), "Core    none of ");
    bench_free(&sides);
}

static void many_sides_have_ranges(void **state) {
    (void)state;
    for (size_t count = 3; count <= 9; count += 6) {
        sides_begin(count);
        for (size_t side = 0; side < count; side++)
            cores_add(&sides.results[side], "vdivsd xxx", side == 1 ? 8 : side == 2 ? 20 : 13, 0);
        answer_is(note_of(0), count == 3 ? "Core    cycles: latency of f64 division 8 (B) to 20 (C)\n"
                                         : "Core    cycles: latency of f64 division 8 to 20\n");
        struct core_comparison core = compared(0);
        char *all = printed(&comparison, PER_MACHINE);
        assert_contains(all, count == 3 ? "C/A" : "highest");
        assert_contains(all, "20.00");
        free(all);
        sides_end(&core);
    }
}

static void files_have_every_form(void **state) {
    size_t length;
    (void)state;
    sides_begin(2);
    for (size_t side = 0; side < 2; side++)
        cores_add(&sides.results[side], "vdivsd xxx", 13 - 7 * (double)side, 4)->disturbed = side == 1;
    struct core_comparison core = compared(0);
    json_t *json = compare_json(&comparison), *rows = json_object_get(json, "core"), *row = json_array_get(rows, 0);
    assert_int_equal(json_array_size(rows), 3);
    assert_string_equal(json_string_value(json_object_get(row, "form")), "vdivsd xxx");
    assert_string_equal(json_string_value(json_object_get(row, "quantity")), "latency");
    assert_string_equal(json_string_value(json_object_get(row, "class")), "f64 division, scalar");
    assert_true(json_number_value(json_array_get(json_object_get(row, "values"), 1)) == 6);
    assert_true(json_number_value(json_array_get(json_object_get(row, "lows"), 0)) == 0.99 * 13);
    assert_true(json_number_value(json_array_get(json_object_get(row, "ratios"), 1)) == 6 / 13.0);
    assert_true(json_is_null(json_array_get(json_object_get(row, "differs"), 1)));
    json_decref(json);
    FILE *out = fopen(fixture_path("compare.csv"), "w");
    compare_csv(&comparison, out);
    fclose(out);
    char *text = fixture_read(fixture_path("compare.csv"), &length);
    assert_contains(text, ",\"core latency\",\"vdivsd xxx\",,,,,,,,,\"cycles\",6,0.4615385,,,,,,,\"disturbed\",");
    size_t commas[2] = {0}; /* of the first line, and of the last */
    for (const char *c = text; *c != '\n'; c++)
        commas[0] += *c == ',';
    for (const char *c = text + strlen(text) - 2; *c != '\n'; c--)
        commas[1] += *c == ',';
    assert_int_equal(commas[0], commas[1]);
    free(text);
    sides_end(&core);
}

/* Of another architecture: by class, once for each class of the base; without a class not at all. */
static void architectures_compare_by_class(void **state) {
    (void)state;
    sides_begin(2);
    cores_add(&sides.results[0], "vaddsd xxx", 4, 0.5);
    cores_add(&sides.results[0], "addsd xx", 4, 0.5); /* of the same class, the second */
    cores_add(&sides.results[0], "vpaddb yyy", 1, 0.25);
    cores_add(&sides.results[1], "fadd d", 2, 0.25);
    cores_add(&sides.results[1], "add 16b", 2, 0.25);
    for (size_t base = 0; base < 2; base++) {
        struct core_comparison core = compared(base);
        assert_int_equal(core.count, 2 + 1); /* and the no-op's throughput */
        const struct compared_form *row = row_named(&core, base == 0 ? "vaddsd xxx" : "fadd d", CORE_LATENCY);
        assert_string_equal(row->values[!base]->form, base == 0 ? "fadd d" : "vaddsd xxx");
        assert_true(core_ratio(&core, row, !base) == (base == 0 ? 0.5 : 2));
        core_comparison_free(&core);
        compare_free(&comparison);
    }
    bench_free(&sides);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_are_beyond_intervals_and_threshold),
        cmocka_unit_test(what_proves_nothing_is_unsure),
        cmocka_unit_test(nothing_without_two_cores),
        cmocka_unit_test(the_note_names_classes),
        cmocka_unit_test(equal_cores_are_told_in_a_line),
        cmocka_unit_test(many_sides_have_ranges),
        cmocka_unit_test(files_have_every_form),
        cmocka_unit_test(architectures_compare_by_class),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
