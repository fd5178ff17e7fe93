/* SPDX-License-Identifier: BSD-3-Clause
 * Series of points, and pictures of them as text. Include cmocka.h before it. */
#pragma once

#include "carm/chart/chart.h"
#include "carm/chart/chart_points.h"
#include "carm/model/applicable_roofs.h"
#include "probe/error.h"
#include "fixtures.h"

/* One size of a series of AVX2 code: two loads per store, one flop per 12 bytes, equal to the theory. */
static inline struct app_point *add_size(struct result *r, const char *series, uint64_t size, double seconds) {
    r->points = realloc(r->points, (r->point_count + 1) * sizeof *r->points);
    struct app_point *point = &r->points[r->point_count++];
    double flop = 2 * (double)size;
    *point = (struct app_point){.threads = 1,
                                .part = APP_REGION,
                                .time_share = 1,
                                .seconds = fixture_around(seconds),
                                .seconds_source = SOURCE_CLOCK,
                                .flop = app_once(flop),
                                .flop_source = SOURCE_COUNTED,
                                .load_bytes = app_once(8 * flop),
                                .store_bytes = app_once(4 * flop),
                                .bytes_source = SOURCE_COUNTED,
                                .has_count = true,
                                .size = size,
                                .working_set_bytes = 16 * size,
                                .analytic_flop = flop,
                                .analytic_load_bytes = 8 * flop,
                                .analytic_store_bytes = 4 * flop,
                                .compulsory_read_bytes = 8 * flop,
                                .compulsory_write_bytes = 4 * flop};
    snprintf(point->series, sizeof point->series, "%s", series);
    snprintf(point->name, sizeof point->name, "%.*s %llu", (int)strcspn(series, " "), series, (unsigned long long)size);
    snprintf(point->program, sizeof point->program, "%.*s", (int)strcspn(series, " "), series);
    snprintf(point->region, sizeof point->region, "%s", point->program);
    point->count.flop[COUNT_F64][COUNT_256] = (uint64_t)flop;
    return point;
}

static inline void add_series(struct result *r, const char *series, const uint64_t *sizes, size_t count,
                              double flop_per_s) {
    for (size_t i = 0; i < count; i++)
        add_size(r, series, sizes[i], 2 * (double)sizes[i] / (flop_per_s * (1 + (double)i)));
}

static const uint64_t HUNDREDS[] = {300, 100, 200, 500, 400}, POWERS[] = {64, 256, 1024, 4096};

static inline struct result four_cores(void) {
    return fixture_result(fixture_machine(4, FIXTURE_AVX2), NULL);
}

/* The chart as SVG text; free it. */
static inline char *drawn(const struct result *r, const char *name, struct chart_options options) {
    struct model model = model_build(r);
    struct error err = {""};
    char *text = NULL;
    options.svg = &text;
    if (!chart_named(name)->draw(&model, &options, NULL, &err))
        fail_msg("%s: %s", name, err.text);
    assert_null(strstr(text, "nan"));
    model_free(&model);
    return text;
}

static inline void refused(const struct result *r, const char *name, struct chart_options options, const char *part) {
    struct model model = model_build(r);
    struct error err = {""};
    char *text = NULL;
    options.svg = &text;
    assert_false(chart_named(name)->draw(&model, &options, NULL, &err));
    assert_null(text);
    assert_contains(err.text, part);
    model_free(&model);
}

/* The points of the roofline with these options. */
static inline void find(const struct model *model, const struct chart_options *options, enum chart_bytes bytes,
                        struct roofs *roofs, struct points *points) {
    static struct levels levels;
    *roofs = (struct roofs){.model = model, .bytes = bytes, .per_cycle = options->per_cycle, .all_levels = &levels};
    roofs->view = (struct model_view){.threads = 1, .type = "f64"};
    levels = model_levels(model, &roofs->view);
    roofs_find(roofs, options);
    points_find(roofs, options, points);
}
