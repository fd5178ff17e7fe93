/* SPDX-License-Identifier: BSD-3-Clause
 * Charts of one machine with any number of points: no text overlaps another, leaves the page, or covers the way from a
 * point to its roof, except the number of a point in a crowd. For several machines see test_compare_chart.c. The
 * report's picture is the first of these. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "carm/chart/chart.h"
#include "render/layout/trace.h"
#include "tests/support/fixtures.h"
#include "tests/support/readable.h"

static size_t plots_seen;

static void assert_clear(const struct page *page, const struct plot *plot) {
    for (size_t i = 0; i < plot->line_count; i++) {
        const struct plot_line *line = &plot->lines[i];
        struct trace trace;
        if (!line->clear)
            continue;
        assert_true(trace_make(&trace, plot, &page->plot, line->count, line->x, line->y));
        for (size_t k = 0; k < page->count && trace.count == 2; k++) {
            const struct primitive *text = &page->primitives[k];
            const bool number = text->text && strspn(text->text, "0123456789, –") == strlen(text->text);
            if (text->kind == PAGE_TEXT && !number && box_covers(&text->box, trace.stops[0].at, trace.stops[1].at) > 0)
                fail_msg("\"%s\" covers a way to a roof", text->text);
        }
        trace_free(&trace);
    }
}

/* Crowds are laid out once, because that takes time. */
static void take(const struct plot *plot, void *taker) {
    (void)taker;
    static const double SIZES[][2] = {{PLOT_WIDTH, PLOT_HEIGHT}, {640, 480}};
    for (size_t i = 0; i < (plot->point_count > 20 ? 1 : 2); i++) {
        struct page page;
        char text[160];
        const char *trouble = plot_trouble(plot, SIZES[i][0], SIZES[i][1], text, sizeof text);
        if (trouble)
            fail_msg("%s", trouble);
        layout_plot(&page, plot, SIZES[i][0], SIZES[i][1], &metrics);
        assert_readable(&page);
        assert_clear(&page, plot);
        page_free(&page);
    }
    plots_seen++;
}

static struct statistics around(double median) {
    return (struct statistics){20, 20, median * 0.9, median * 0.97, median, median * 1.02, median * 1.2};
}

/* Below the roofs and above them, close together and apart. */
static struct app_point *add_point(struct result *r, const char *name, uint64_t *seed) {
    const double far = (double)(*seed = *seed * 6364136223846793005U + 1442695040888963407U) / (double)UINT64_MAX;
    struct app_point *point = &r->points[r->point_count++];
    const double flop = 1e9, bytes = flop * 4 / (1 + 40 * far);
    *point = (struct app_point){.threads = 4,
                                .time_share = 1,
                                .seconds = around(1e-2 + far * far),
                                .seconds_source = SOURCE_CLOCK,
                                .flop = around(flop),
                                .flop_source = SOURCE_COUNTED,
                                .load_bytes = around(bytes * 2 / 3),
                                .store_bytes = around(bytes / 3),
                                .bytes_source = SOURCE_COUNTED,
                                .dram_read_bytes = around(bytes / 4),
                                .dram_write_bytes = around(bytes / 8),
                                .dram_source = SOURCE_COUNTERS,
                                .has_count = true};
    snprintf(point->name, sizeof point->name, "%s", name);
    snprintf(point->program, sizeof point->program, "%s", name);
    point->count.flop[COUNT_F64][COUNT_256] = 1000;
    return point;
}

static struct result with_room(size_t points) {
    struct result r = fixture_result(fixture_machine(4, FIXTURE_AVX2), NULL);
    r.points = calloc(points + 1, sizeof *r.points);
    return r;
}

static void look(const struct result *r, const char *name, struct chart_options options) {
    struct model model = model_build(r);
    struct error err = {""};
    options.take = take;
    if (!chart_named(name)->draw(&model, &options, NULL, &err))
        fail_msg("%s: %s", name, err.text);
    model_free(&model);
}

static const size_t COUNTS[] = {0, 1, 50, 500};

static void points_alone(void **state) {
    static const char *const CHARTS[] = {"roofline", "dram", "read", "write"};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        struct result r = with_room(COUNTS[i]);
        uint64_t seed = 3;
        for (size_t k = 0; k < COUNTS[i]; k++) {
            char name[96];
            snprintf(name, sizeof name, k % 5 ? "solver/region %zu" : "program %zu", k);
            add_point(&r, name, &seed);
        }
        for (size_t c = 0; c < 4; c++)
            look(&r, CHARTS[c], (struct chart_options){0});
        look(&r, "roofline", (struct chart_options){.dram = true, .per_cycle = true});
        results_free(&r);
    }
    assert_int_equal(plots_seen, 4 * 5);
}

/* Of ten sizes each, or of fifty. */
static void points_of_series(void **state) {
    static const char *const CHARTS[] = {"roofline",    "dram",      "read",  "write",
                                         "performance", "intensity", "ratio", "distribution"};
    (void)state;
    plots_seen = 0;
    for (size_t i = 1; i < 4; i++) {
        struct result r = with_room(COUNTS[i]);
        uint64_t seed = 5;
        for (size_t k = 0; k < COUNTS[i]; k++) {
            const size_t series = COUNTS[i] > 50 ? k / 50 : k / 10;
            char name[96];
            snprintf(name, sizeof name, "workload-%zu cold 4 threads %zu", series, k);
            struct app_point *point = add_point(&r, name, &seed);
            snprintf(point->series, sizeof point->series, "workload-%zu cold 4 threads", series);
            point->size = 100 * (1 + k % (COUNTS[i] > 50 ? 50 : 10));
            point->working_set_bytes = 8 * point->size;
            point->analytic_flop = point->flop.median * 0.98;
        }
        for (size_t c = 0; c < sizeof CHARTS / sizeof CHARTS[0]; c++)
            look(&r, CHARTS[c], (struct chart_options){.unjoined = true});
        look(&r, "roofline", (struct chart_options){.dram = true});
        results_free(&r);
    }
    assert_int_equal(plots_seen, 3 * 9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_alone),
        cmocka_unit_test(points_of_series),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
