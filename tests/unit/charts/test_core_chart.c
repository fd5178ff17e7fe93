/* SPDX-License-Identifier: BSD-3-Clause
 * The chart of measured cores: its rows and points are the values, variants with the same values share a row, and it is
 * readable for one to six results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm/incore/core_overlay.h"
#include "bench/programs/loop_time.h"
#include "carm/chart/chart.h"
#include "tests/support/chance.h"
#include "tests/support/compared.h"
#include "tests/support/cores.h"
#include "tests/support/readable.h"

static struct bench sides;

static void sides_begin(size_t count, double part) {
    sides = (struct bench){0};
    for (size_t i = 0; i < count; i++) {
        bench_add(&sides, machine(2, FIXTURE_AVX512));
        if (part >= 0)
            cores_fill(&sides.results[i], part);
    }
}

static char shown[1 << 16]; /* its rows, labels, legend and notes, a line for each */
static struct {
    size_t points[2], spread, empty; /* measured, of the table */
    double x[4096];
} drawn;

static void add(const char *kind, const char *text) {
    if (text)
        snprintf(shown + strlen(shown), sizeof shown - strlen(shown), "%s %s\n", kind, text);
}

static void take(const struct plot *plot, void *taker) {
    struct page page;
    (void)taker;
    shown[0] = '\0';
    memset(&drawn, 0, sizeof drawn);
    add("title", plot->title);
    for (size_t i = plot->y.name_count; i-- > 0;) {
        add("row", plot->y.names[i]);
        drawn.empty += plot->y.names[i][0] == '\0';
        assert_true(strlen(plot->y.names[i]) < 63);
    }
    for (size_t i = 0; i < plot->point_count; i++) {
        const struct plot_point *point = &plot->points[i];
        assert_true(point->x > plot->x.min && point->x < plot->x.max);
        add("legend", point->legend);
        drawn.spread += point->x_min < point->x && point->x < point->x_max;
        if (!point->hollow)
            drawn.x[drawn.points[0]] = point->x;
        drawn.points[point->hollow]++;
    }
    for (size_t i = 0; i < plot->band_count; i++) {
        add("number", plot->bands[i].label);
        for (size_t k = 0; k < plot->point_count; k++) /* hollow marks are larger */
            assert_false(plot->points[k].hollow && plot->points[k].y == plot->bands[i].y_low[0] &&
                         fabs(log(plot->bands[i].x[1] / plot->points[k].x)) < log(1.1));
    }
    for (size_t i = 0; i < plot->note_count; i++)
        add("note", plot->notes[i]);
    assert_string_equal(plot->x.title, "Cycles of one instruction");
    layout_plot(&page, plot, PLOT_WIDTH, 190 + 17.5 * (double)plot->y.name_count, &metrics);
    assert_readable(&page);
    page_free(&page);
}

static void draw(void) {
    struct error err;
    const struct chart_options options = {.take = take};
    if (sides.count == 1) {
        if (!chart_core(&sides.models[0], &options, NULL, &err) ||
            !chart_named("core")->draw(&sides.models[0], &(struct chart_options){0}, fixture_path("x.svg"), &err))
            fail_msg("%s", err.text);
        return;
    }
    compare_label(sides.sides, sides.count);
    struct comparison comparison = compare_make(sides.sides, sides.count, 0);
    if (!chart_named("core")->beside(&comparison, &options, NULL, &err) ||
        !chart_named("core")->beside(&comparison, &(struct chart_options){0}, fixture_path("x.svg"), &err))
        fail_msg("%s", err.text);
    compare_free(&comparison);
}

static void without_a_core(void **state) {
    struct error err;
    (void)state;
    sides_begin(1, -1);
    assert_false(chart_core(&sides.models[0], &(struct chart_options){0}, fixture_path("none.svg"), &err));
    assert_contains(err.text, "`carmine core -o FILE` measures it");
    bench_free(&sides);
}

/* Random values: each is in the picture, and so is each figure of the core's table. */
static void values_are_points(void **state) {
    (void)state;
    chance_seed = 3;
    sides_begin(1, -1);
    struct result *result = &sides.results[0];
    for (const struct core_class *class = core_classes; class->name; class ++)
        if (chance_between() < 0.7)
            cores_add(result, class->forms[0], 0.2 + 30 * chance_between(), 0.1 + 5 * chance_between());
    draw();
    assert_int_equal(drawn.points[0], 2 * result->core.count);
    assert_int_equal(drawn.spread, 2 * result->core.count);
    struct loop_core typed = loop_core_find(&result->machine, NULL);
    assert_non_null(typed.table);
    size_t of_table = 0;
    for (size_t i = 0; i < result->core.count; i++) {
        const struct core_value *value = &result->core.values[i];
        const struct core_typed figure = core_overlay_typed(typed.table, typed.issue_width, value);
        assert_true(drawn.x[2 * i] == value->latency_cycles[CORE_MEASURED]);
        assert_true(drawn.x[2 * i + 1] == value->throughput_cycles[CORE_MEASURED]);
        of_table += (figure.latency_cycles > 0) + (size_t)(figure.throughput_cycles > 0);
    }
    assert_int_equal(drawn.points[1], of_table);
    assert_true(of_table > 10);
    assert_contains(shown, "legend latency\n");
    assert_contains(shown, "legend table of golden-cove (hollow)\n");
    loop_core_free(&typed);
    bench_free(&sides);
}

static void equal_widths_share_a_row(void **state) {
    (void)state;
    sides_begin(1, -1);
    struct result *result = &sides.results[0];
    cores_add(result, "vaddsd xxx", 4, 0.5);
    cores_add(result, "vaddpd yyy", 4.01, 0.501);
    cores_add(result, "vaddpd zzz", 4, 0.5);
    cores_add(result, "vdivsd xxx", 13, 4);
    cores_add(result, "vdivpd yyy", 13, 8);
    cores_add(result, "vdivpd zzz", 13, 0);
    cores_add(result, "move q", 0.2, 0);
    cores_add(result, "move x", 0.2, 0);
    cores_add(result, "load q", 5, 0);
    cores_add(result, "load indexed", 5, 0);
    cores_add(result, "mov qm", 0, 0.33)->disturbed = true;
    draw();
    assert_contains(shown,
                    "row f64 addition, scalar to 512 bits\nrow f64 division, scalar\nrow f64 division, 256 bits\n"
                    "row f64 division, 512 bits\nrow \nrow load from L1\nrow load from L1, at an index\nrow \n"
                    "row copy, general register\nrow copy, vector register\n");
    assert_int_equal(drawn.points[0], 12);
    assert_contains(shown, "number ▲ 0.33\n");
    assert_contains(shown, "note 1 of 11 forms were disturbed");
    bench_free(&sides);
}

static void it_is_readable(void **state) {
    (void)state;
    for (size_t count = 1; count <= COMPARE_COLUMNS; count++) {
        sides_begin(count, 0.07);
        if (count == 3)
            core_measured_free(&sides.results[1].core); /* one without */
        draw();
        assert_int_equal(drawn.empty, 3);
        if (count == 2)
            assert_contains(shown, "title Golden Cove · file0 and file1 · instructions · one core\n");
        if (count == 2)
            assert_contains(shown, "legend file1: throughput\n");
        assert_null(strstr(shown, "note"));
        bench_free(&sides);
    }
}

static void a_neighbour_is_noted(void **state) {
    (void)state;
    sides_begin(2, 0.07);
    for (size_t i = 0; i < sides.results[1].core.count; i++)
        if (strcmp(sides.results[1].core.values[i].form, "nop") == 0)
            cores_set(sides.results[1].core.values[i].throughput_cycles, 0.4);
    draw();
    assert_contains(shown, "note file1: renaming was slower than documented");
    assert_null(strstr(shown, "note file0"));
    bench_free(&sides);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_core),           cmocka_unit_test(values_are_points),
        cmocka_unit_test(equal_widths_share_a_row), cmocka_unit_test(it_is_readable),
        cmocka_unit_test(a_neighbour_is_noted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
