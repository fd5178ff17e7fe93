/* SPDX-License-Identifier: BSD-3-Clause
 * The waterfall from one result to another: it begins and ends at their values, and is readable. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/chart/chart_compare.h"
#include "render/page/style.h"
#include "render/page/units.h"
#include "tests/support/compared.h"
#include "tests/support/readable.h"

/* The second of two machines: more cores, another clock, other values. */
static void make_bench(struct bench *b, double factor, double clock_hz) {
    bench_add(b, machine(2, FIXTURE_AVX512));
    bench_add(b, machine(16, FIXTURE_AVX2));
    strcpy(b->results[1].uarch, "Zen 5");
    b->results[1].levels[0].level[2].effective_bytes = MIB(96);
    for (size_t i = 0; i < b->results[1].sample_count; i++) {
        b->results[1].samples[i].value *= factor;
        b->results[1].samples[i].clock_hz = clock_hz;
    }
    compare_label(b->sides, 2);
}

static void is_readable(const struct plot *plot, double width, double height) {
    struct page page;
    char text[160];
    const char *trouble = plot_trouble(plot, width, height, text, sizeof text);
    if (trouble)
        fail_msg("%s", trouble);
    layout_plot(&page, plot, width, height, &metrics);
    assert_readable(&page);
    page_free(&page);
}

static const struct plot_point *labelled(const struct plot *plot, const char *label) {
    for (size_t i = 0; i < plot->point_count; i++)
        if (plot->points[i].label && strcmp(plot->points[i].label, label) == 0)
            return &plot->points[i];
    fail_msg("no point is labelled %s", label);
    return NULL;
}

static void bars_lead_from_value_to_value(void **state) {
    static struct bench b;
    struct picture picture;
    (void)state;
    make_bench(&b, 0.8, 2e9);
    struct comparison c = compare_make(b.sides, 2, 0);
    const struct why_list list = why_headlines(&c, ROOF_ALL_CORES, "f64");
    for (size_t i = 0; i < list.count; i++) {
        const struct why *why = &list.list[i];
        waterfall_make(&c, why, PLOT_WIDTH, &picture);
        const struct plot *plot = &picture.plot;
        double at = why->from.value, row = (double)plot->y.name_count - 1;
        assert_true(plot->x.scale == PLOT_LOG10 && plot->x.min < at && plot->x.max > why->to.value);
        for (size_t k = 0; k < plot->line_count; k++) { /* down a thread, along a bar, down a thread */
            const struct plot_line *line = &plot->lines[k];
            assert_near(line->x[0], at);
            assert_near(line->y[0], row);
            at = line->x[1], row = line->y[1];
        }
        assert_near(at, why->to.value);
        assert_true(row == 0);
        picture_free(&picture);
    }
    assert_true(list.count >= 5);
    free(list.list);
    compare_free(&c);
    bench_free(&b);
}

/* In each row the lines lead from 1 to its ratio, at the diamond. */
static void all_ratios_begin_at_one(void **state) {
    static struct bench b;
    struct picture picture;
    (void)state;
    make_bench(&b, 0.8, 2e9);
    struct comparison c = compare_make(b.sides, 2, 0);
    const struct why_list list = why_headlines(&c, ROOF_ALL_CORES, "f64");
    waterfalls_make(&c, &list, &picture);
    const struct plot *plot = &picture.plot;
    size_t row = 0, diamonds = 0;
    double at = 1;
    assert_int_equal(plot->y.name_count, list.count);
    for (size_t i = 0; i < plot->line_count; i++) {
        const double *x = plot->lines[i].x;
        if (lround(plot->lines[i].y[0]) != (long)(list.count - 1 - row)) {
            assert_near(at, list.list[row++].ratio);
            at = 1;
        }
        assert_near(x[0], at);
        assert_true(x[0] > plot->x.min && x[1] < plot->x.max);
        at = x[1];
    }
    assert_int_equal(row, list.count - 1);
    assert_near(at, list.list[row].ratio);
    for (size_t i = 0; i < plot->point_count; i++)
        if (plot->points[i].shape == PLOT_DIAMOND)
            assert_near(plot->points[i].x, list.list[diamonds++].ratio);
    assert_int_equal(diamonds, list.count);
    assert_contains(plot->y.names[list.count - 1], "f64 peak, all cores   ");
    is_readable(plot, PLOT_WIDTH, chart_rows_page(&picture.plot, &plot_styles[0]));
    is_readable(plot, 640, 480);
    picture_free(&picture);
    free(list.list);
    compare_free(&c);
    bench_free(&b);
}

static void labels_tell_factor_and_cause(void **state) {
    static struct bench b;
    struct picture picture;
    struct why why;
    (void)state;
    make_bench(&b, 1, 1.5e9);
    struct comparison c = compare_make(b.sides, 2, 0);
    assert_true(why_find(&c, ROOF_ALL_CORES, "L1", &why));
    const double clock_hz = why.from.clock_hz;
    char words[64], number[UNITS_BYTES];
    waterfall_make(&c, &why, PLOT_WIDTH, &picture);
    snprintf(words, sizeof words, "1.5 GHz, not %s", units_si(number, sizeof number, clock_hz, "Hz"));
    snprintf(number, sizeof number, "× %.3f", 1.5e9 / clock_hz);
    const struct plot_point *point = labelled(&picture.plot, number);
    assert_string_equal(point->sublabel, words);
    assert_near(point->x, why.from.value); /* right of a bar that points to the left */
    assert_string_equal(picture.plot.y.names[0], "Zen 5 (16 cores)");
    picture_free(&picture);
    compare_free(&c);
    bench_free(&b);
}

/* Small differences and large ones. */
static void no_labels_overlap(void **state) {
    static const double FACTORS[] = {1e-3, 0.5, 1, 1.01, 40};
    (void)state;
    for (size_t f = 0; f < sizeof FACTORS / sizeof FACTORS[0]; f++) {
        static struct bench b;
        make_bench(&b, FACTORS[f], 2.2e9);
        struct comparison c = compare_make(b.sides, 2, f % 2);
        const struct why_list list = why_headlines(&c, ROOF_ALL_CORES, "f64");
        for (size_t i = 0; i < list.count; i++) {
            struct picture picture;
            waterfall_make(&c, &list.list[i], PLOT_WIDTH, &picture);
            is_readable(&picture.plot, PLOT_WIDTH, chart_rows_page(&picture.plot, &plot_styles[0]));
            is_readable(&picture.plot, 640, 480);
            picture_free(&picture);
        }
        free(list.list);
        compare_free(&c);
        bench_free(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars_lead_from_value_to_value),
        cmocka_unit_test(all_ratios_begin_at_one),
        cmocka_unit_test(labels_tell_factor_and_cause),
        cmocka_unit_test(no_labels_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
