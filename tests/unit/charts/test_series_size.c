/* SPDX-License-Identifier: BSD-3-Clause
 * Series drawn by size: axes, curves, distributions, and any number of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/chart/chart_series.h"
#include "tests/support/series.h"

static void axes_of_sizes(void **state) {
    static const uint64_t SQUARES[] = {10000, 40000, 130000, 280000, 490000, 2440000}, ONE[] = {700};
    static const struct {
        const uint64_t *sizes;
        size_t count;
        enum plot_scale scale;
        enum plot_unit unit;
    } rows[] = {{HUNDREDS, 5, PLOT_LINEAR, PLOT_UNIT_COUNT},
                {POWERS, 4, PLOT_LOG2, PLOT_UNIT_POWER},
                {SQUARES, 6, PLOT_LOG10, PLOT_UNIT_SI},
                {ONE, 1, PLOT_LINEAR, PLOT_UNIT_COUNT}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int working_set = 0; working_set < 2; working_set++) {
            struct result r = four_cores();
            struct series_chart chart;
            struct error err;
            struct chart_options options = {.working_set = working_set};
            add_series(&r, "daxpy cold 1 thread", rows[i].sizes, rows[i].count, 1e8);
            struct model model = model_build(&r);
            assert_true(series_begin(&chart, &model, &options, &err));
            assert_int_equal(chart.count, 1);
            assert_int_equal(chart.x.scale, working_set ? PLOT_LOG2 : rows[i].scale);
            assert_int_equal(chart.x.unit, working_set ? PLOT_UNIT_BINARY : rows[i].unit);
            assert_string_equal(chart.series[0].label, "daxpy");
            assert_string_equal(chart.x_title,
                                working_set ? "Working set  [cold 1 thread]" : "Size n  [cold 1 thread]");
            for (size_t k = 0; k < rows[i].count; k++) {
                assert_true(chart.series[0].x[k] >= chart.x.min && chart.series[0].x[k] <= chart.x.max);
                assert_true(k == 0 || chart.series[0].x[k] > chart.series[0].x[k - 1]);
                series_add_curve(&chart, &chart.series[0], (struct statistics[6]){app_once(1), app_once(2)},
                                 (struct series_look){.named = true});
                break;
            }
            char *text = NULL;
            options.svg = &text;
            assert_true(
                series_end(&chart, &(struct series_words){.what = "x", .y_title = "y", .footer = ""}, NULL, &err));
            free(text);
            model_free(&model);
            results_free(&r);
        }
}

static void curves_by_size(void **state) {
    struct result r = four_cores();
    struct series_chart chart;
    struct error err;
    struct chart_options options = {0};
    (void)state;
    add_series(&r, "daxpy cold 1 thread", HUNDREDS, 5, 1e8);
    add_series(&r, "dgemv cold 4 threads", HUNDREDS, 4, 1e8);
    for (size_t i = 5; i < 9; i++)
        r.points[i].threads = 4;
    struct model model = model_build(&r);
    assert_true(series_begin(&chart, &model, &options, &err));
    assert_int_equal(chart.count, 2);
    assert_string_equal(chart.series[1].label, "dgemv cold 4 threads");
    struct statistics values[5] = {app_once(1), app_once(4), {0}, app_once(2), fixture_around(3)};
    series_add_curve(&chart, &chart.series[0], values, (struct series_look){.named = true});
    assert_int_equal(chart.line_count, 1);
    assert_int_equal(chart.marker_count, 4);
    assert_true(isnan(chart.lines[0].y[2])); /* a gap */
    assert_true(chart.markers[0].y_min == chart.markers[0].y_max);
    assert_true(chart.markers[3].y_q1 < 3 && chart.markers[3].y_max > 3);
    series_add_curve(&chart, &chart.series[0], (struct statistics[5]){{0}}, (struct series_look){.named = true});
    assert_int_equal(chart.line_count, 1); /* nothing known, nothing drawn */
    for (size_t i = 0; i < 2; i++)         /* two series with one theory */
        series_add_curve(&chart, &chart.series[0], values, (struct series_look){.theory = true});
    assert_int_equal(chart.line_count, 2);
    assert_int_equal(chart.marker_count, 4);
    series_add_ceilings(&chart);
    assert_int_equal(chart.ceiling_count, 2); /* of one thread and of four */
    assert_true(chart.y.max >= chart.ceilings[1]->sample->value);
    char *text = NULL;
    options.svg = &text;
    assert_true(series_end(&chart, &(struct series_words){.what = "x", .y_title = "y", .footer = ""}, NULL, &err));
    assert_contains(text, "f64, 1 thread");
    assert_contains(text, "f64, 4 threads");
    fixture_says(text, "not drawn: daxpy 300, dgemv cold 4 threads (not known)");
    model_free(&model);
    results_free(&r);
}

static void charts_by_size_say_what_they_are(void **state) {
    struct result r = four_cores();
    (void)state;
    refused(&r, "performance", (struct chart_options){0}, "carmine workload");
    add_series(&r, "daxpy cold 1 thread", HUNDREDS, 5, 1e8);
    refused(&r, "performance", (struct chart_options){.threads = 3}, "for these options");
    refused(&r, "intensity", (struct chart_options){.of = "dram"}, "have no values for this chart");
    fixture_says(drawn(&r, "performance", (struct chart_options){0}), "Performance  [Gflop/s]");
    r.points[3].working_set_bytes = KIB(100);
    fixture_says(drawn(&r, "performance", (struct chart_options){.working_set = true}), "L1 48 KiB");
    r.points[3].threads = 2; /* whose caches differ */
    char *text = drawn(&r, "performance", (struct chart_options){.working_set = true});
    assert_null(strstr(text, "L1 48 KiB"));
    free(text);
    text = drawn(&r, "intensity", (struct chart_options){0});
    assert_null(strstr(text, "DRAM"));
    fixture_says(text, "by theory");
    for (size_t i = 0; i < 5; i++) {
        r.points[i].dram_read_bytes = app_once(r.points[i].flop.median * 16);
        r.points[i].dram_source = SOURCE_SIMULATED;
    }
    fixture_says(drawn(&r, "intensity", (struct chart_options){.dram = true}), "outlined: by DRAM bytes (simulated)");
    fixture_says(drawn(&r, "intensity", (struct chart_options){.of = "dram"}), "between caches and memory, simulated");
    text = drawn(&r, "ratio", (struct chart_options){0});
    assert_null(strstr(text, "DRAM bytes"));
    fixture_says(text, "bytes loaded and stored");
    fixture_says(drawn(&r, "ratio", (struct chart_options){.of = "dram"}), "DRAM bytes");
    for (size_t i = 0; i < 5; i++)
        r.points[i].analytic_flop = r.points[i].analytic_load_bytes = r.points[i].analytic_store_bytes = 0;
    text = drawn(&r, "intensity", (struct chart_options){0});
    assert_null(strstr(text, "by theory")); /* it does not contain them */
    free(text);
    refused(&r, "ratio", (struct chart_options){0}, "have no values for this chart");
    for (size_t i = 0; i < 5; i++)
        r.points[i].flop = app_once(0);
    refused(&r, "performance", (struct chart_options){0}, "have no values for this chart");
    fixture_says(drawn(&r, "distribution", (struct chart_options){0}), "time by size");
    results_free(&r);
}

static void more_series_than_fit(void **state) {
    struct result r = four_cores();
    (void)state;
    for (unsigned i = 0; i < SERIES_MAX + 3; i++) {
        char name[64];
        snprintf(name, sizeof name, "workload-%u cold 1 thread", i);
        add_series(&r, name, HUNDREDS, 5, 1e8);
    }
    fixture_says(
        drawn(&r, "performance", (struct chart_options){0}),
        "not drawn: workload-60 cold 1 thread, workload-61 cold 1 thread, workload-62 cold 1 thread (too many)");
    free(drawn(&r, "distribution", (struct chart_options){0}));
    fixture_says(drawn(&r, "roofline", (struct chart_options){0}), "(too many)");
    results_free(&r);
}

static void distributions_are_boxes(void **state) {
    struct result r = four_cores();
    struct series_chart chart;
    struct error err;
    struct chart_options options = {0};
    (void)state;
    add_series(&r, "daxpy cold 1 thread", HUNDREDS, 5, 1e8);
    add_series(&r, "daxpy warm 1 thread", HUNDREDS, 5, 1e8);
    struct model model = model_build(&r);
    assert_true(series_begin(&chart, &model, &options, &err));
    series_make_room(&chart);
    assert_true(chart.x.min < 100 && chart.x.max > 500);
    struct boxed values[5] = {{.value = fixture_around(2)},
                              {.value = fixture_around(3), .median = {2.99, 3.01}},
                              {.value = fixture_around(4)},
                              {.value = fixture_around(5)},
                              {.value = app_once(6)}};
    series_add_boxes(&chart, &chart.series[1], values, 0.1, 0.04);
    assert_int_equal(chart.band_count, 5);
    const struct plot_band *box = &chart.bands[1];
    double axis = chart.x.max - chart.x.min;
    assert_near(box->x[1] - box->x[0], 0.04 * axis);
    assert_near((box->x[1] + box->x[0]) / 2, 200 + 0.1 * axis);
    assert_near(box->y_low[0], 3 * 0.98);
    assert_near(box->y_high[1], 3 * 1.02);
    assert_string_equal(box->legend, "daxpy warm");
    assert_int_equal(chart.line_count, 4 * 5 + 1 + 1 + 1); /* median, whiskers, caps; one median; connections; its
                                                              place */
    size_t bars = 0;
    for (size_t i = 0; i < chart.line_count; i++)
        if (chart.lines[i].width == 4) {
            bars++;
            assert_true(chart.lines[i].x[0] == chart.lines[i].x[1]);
            assert_near(chart.lines[i].y[0], 2.99);
            assert_near(chart.lines[i].y[1], 3.01);
        }
    assert_int_equal(bars, 1);
    assert_near(chart.y.min, 2 * 0.96);
    assert_near(chart.y.max, 6);
    char *text = NULL;
    options.svg = &text;
    assert_true(series_end(&chart, &(struct series_words){.what = "x", .y_title = "y", .footer = ""}, NULL, &err));
    free(text);
    fixture_says(drawn(&r, "distribution", (struct chart_options){0}), "time by size");
    fixture_says(drawn(&r, "distribution", (struct chart_options){.of = "performance"}), "performance by size");
    fixture_says(drawn(&r, "distribution", (struct chart_options){.of = "spread"}), "Time / median of its size");
    fixture_says(drawn(&r, "distribution", (struct chart_options){.per_cycle = true}), "Time  [cycles]");
    model_free(&model);
    results_free(&r);
}

/* Twenty repetitions, the slowest five times the median: it is mentioned, and the axis ends at twice the median. */
static void histograms_count_repetitions(void **state) {
    struct result r = four_cores();
    (void)state;
    add_series(&r, "daxpy cold 1 thread", HUNDREDS, 5, 1e8);
    refused(&r, "histogram", (struct chart_options){0}, "--repeat 100");
    for (size_t p = 0; p < 2; p++) {
        r.points[p].repetition_count = 20;
        for (unsigned i = 0; i < 20; i++)
            r.points[p].repetitions[i].seconds = r.points[p].seconds.median * (i == 7 ? 5 : 1 + i * 0.001);
    }
    char *text = drawn(&r, "histogram", (struct chart_options){0});
    assert_non_null(strstr(text, "Time / median"));
    assert_non_null(strstr(text, "Repetitions"));
    assert_non_null(strstr(text, "20 times, 1 above 2 times"));
    free(text);
    for (size_t p = 2; p < 5; p++)
        r.points[p] = r.points[0];
    add_series(&r, "daxpy warm 1 thread", HUNDREDS, 5, 1e8);
    for (size_t p = 5; p < 10; p++) {
        memcpy(r.points[p].repetitions, r.points[0].repetitions, sizeof r.points[p].repetitions);
        r.points[p].repetition_count = 20;
    }
    fixture_says(drawn(&r, "histogram", (struct chart_options){0}), "no room for 4 more points");
    results_free(&r);
}

/* 1, 2, 4, 8 series of 1, 5 and 12 sizes, in every chart and on small pages. */
static void any_number_of_series(void **state) {
    static const char *const CHARTS[] = {"roofline",    "dram",      "read",  "write",
                                         "performance", "intensity", "ratio", "distribution"};
    (void)state;
    for (unsigned series = 1; series <= 8; series *= 2)
        for (unsigned sizes = 1; sizes <= 12; sizes += sizes == 1 ? 4 : 7) {
            struct result r = four_cores();
            for (unsigned s = 0; s < series; s++)
                for (unsigned i = 0; i < sizes; i++) {
                    char name[64];
                    snprintf(name, sizeof name, "workload-%u cold 1 thread", s);
                    struct app_point *point = add_size(&r, name, 100 + 300 * i, 1e-7 * (1 + i * i) * (1 + s));
                    point->dram_read_bytes = fixture_around(point->flop.median * (5 + i));
                    point->dram_source = SOURCE_COUNTERS;
                }
            for (size_t c = 0; c < sizeof CHARTS / sizeof CHARTS[0]; c++) {
                free(drawn(&r, CHARTS[c], (struct chart_options){.joined = true, .dram = true}));
                free(drawn(&r, CHARTS[c], (struct chart_options){.per_cycle = true, .width = 480, .height = 360}));
            }
            results_free(&r);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_of_sizes),
        cmocka_unit_test(curves_by_size),
        cmocka_unit_test(charts_by_size_say_what_they_are),
        cmocka_unit_test(more_series_than_fit),
        cmocka_unit_test(distributions_are_boxes),
        cmocka_unit_test(histograms_count_repetitions),
        cmocka_unit_test(any_number_of_series),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
