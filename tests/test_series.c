/* SPDX-License-Identifier: BSD-3-Clause
 * Series in pictures: how they are named, joined and labelled in a roofline, drawn by size, and per cycle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/marks/chart_groups.h"
#include "carm/marks/chart_points.h"
#include "carm/chart/chart_series.h"
#include "carm/model/applicable_roofs.h"
#include "fixtures.h"
#include "carm/chart/chart.h"

/* Repetitions around a median: 2 % to the quartiles, 4 % to the extremes. */
static struct statistics around(double median) {
    return (struct statistics){20, 20, median * 0.96, median * 0.98, median, median * 1.02, median * 1.04};
}

/* One size of a series of AVX2 code: two loads to a store, with a flop per 12 bytes of them, and as theory says. */
static struct app_point *add_size(struct result *r, const char *series, uint64_t size, double seconds) {
    r->points = realloc(r->points, (r->point_count + 1) * sizeof *r->points);
    struct app_point *point = &r->points[r->point_count++];
    double flop = 2 * (double)size;
    *point = (struct app_point){.threads = 1,
                                .part = APP_REGION,
                                .time_share = 1,
                                .seconds = around(seconds),
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

static void add_series(struct result *r, const char *series, const uint64_t *sizes, size_t count, double flop_per_s) {
    for (size_t i = 0; i < count; i++)
        add_size(r, series, sizes[i], 2 * (double)sizes[i] / (flop_per_s * (1 + (double)i)));
}

static const uint64_t HUNDREDS[] = {300, 100, 200, 500, 400}, POWERS[] = {64, 256, 1024, 4096};

static struct result four_cores(void) {
    return fixture_result(fixture_machine(4, FIXTURE_AVX2), NULL);
}

/* The chart as SVG text, to be freed. */
static char *drawn(const struct result *r, const char *name, struct chart_options options) {
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

static void says(char *text, const char *part) {
    assert_contains(text, part);
    free(text);
}

static void refused(const struct result *r, const char *name, struct chart_options options, const char *part) {
    struct model model = model_build(r);
    struct error err = {""};
    char *text = NULL;
    options.svg = &text;
    assert_false(chart_named(name)->draw(&model, &options, NULL, &err));
    assert_null(text);
    assert_contains(err.text, part);
    model_free(&model);
}

static void names_are_shortened_by_what_they_share(void **state) {
    static const struct {
        const char *names[3];
        const char *shared;
    } rows[] = {{{"dgemm-blocked cold 1 thread", "daxpy cold 1 thread"}, " cold 1 thread"},
                {{"daxpy cold 1 thread", "daxpy warm 1 thread"}, " 1 thread"},
                {{"daxpy cold 2 threads", "daxpy cold 4 threads"}, ""}, /* not "2" and "4" */
                {{"daxpy cold 1 thread", "daxpy cold 2 threads"}, ""},
                {{"daxpy cold 1 thread"}, " cold 1 thread"},
                {{"a b", "ab"}, ""},
                {{"same", "same"}, ""},
                {{"xcold 1 thread", "cold 1 thread", "d cold 1 thread"}, " 1 thread"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t count = 0;
        while (count < 3 && rows[i].names[count])
            count++;
        size_t end = groups_shared_end(rows[i].names, count);
        assert_string_equal(rows[i].names[0] + strlen(rows[i].names[0]) - end, rows[i].shared);
    }
    assert_int_equal(groups_shared_end(NULL, 0), 0);
}

static void sizes_read_well(void **state) {
    static const double powers[] = {64, 256, 1}, small[] = {1, 2, 4}, others[] = {64, 100};
    char text[32];
    (void)state;
    assert_true(sizes_are_powers(powers, 3));
    assert_false(sizes_are_powers(small, 3)); /* numbers of threads, or so */
    assert_false(sizes_are_powers(others, 2));
    assert_string_equal(size_text(text, sizeof text, 1024, true), "2¹⁰");
    assert_string_equal(size_text(text, sizeof text, 1024, false), "1024");
    assert_string_equal(size_text(text, sizeof text, 3640000, false), "3.64 M");
}

static void groups_keep_their_numbers(void **state) {
    struct app_point points[4] = {
        {.program = "a"}, {.program = "a", .series = "a"}, {.program = "b"}, {.program = "a"}};
    size_t numbers[4];
    (void)state;
    groups_number(points, 4, numbers);
    assert_int_equal(numbers[0], 0);
    assert_int_equal(numbers[1], 1); /* a series is not the program of that name */
    assert_int_equal(numbers[2], 2);
    assert_int_equal(numbers[3], 0);
    struct plot_color a, b;
    enum plot_shape shape_a, shape_b;
    group_look(0, &a, &shape_a);
    group_look(5, &b, &shape_b);
    assert_true(a.r == b.r && shape_a != shape_b); /* of 30 no two look the same */
}

/* The points of the roofline that these options make. */
static void find(const struct model *model, const struct chart_options *options, enum chart_bytes bytes,
                 struct roofs *roofs, struct points *points) {
    static struct levels levels;
    struct error err;
    *roofs = (struct roofs){.model = model, .bytes = bytes, .per_cycle = options->per_cycle, .all_levels = &levels};
    roofs->view = (struct model_view){.threads = 1, .type = "f64"};
    levels = model_levels(model, &roofs->view);
    roofs_find(roofs, options);
    assert_true(points_find(roofs, options, points, &err));
}

static size_t lines_of(const struct points *points, enum plot_dash dash) {
    size_t count = 0;
    for (size_t i = 0; i < points->line_count; i++)
        count += points->lines[i].dash == dash;
    return count;
}

static void a_series_is_joined_by_size(void **state) {
    static struct roofs roofs;
    static struct points points;
    struct result r = four_cores();
    (void)state;
    add_series(&r, "daxpy cold 1 thread", HUNDREDS, 5, 1e8);
    add_size(&r, "", 0, 1);
    strcpy(r.points[5].program, "triad");
    r.points[5].flop = app_once(1e9), r.points[5].load_bytes = app_once(1e10);
    struct model model = model_build(&r);
    find(&model, &(struct chart_options){0}, BYTES_CORE, &roofs, &points);
    assert_int_equal(points.count, 6);
    assert_int_equal(points.line_count, 1);
    const struct plot_line *line = &points.lines[0];
    assert_int_equal(line->count, 5);
    assert_true(line->dash == PLOT_SOLID);
    static const double RISING[] = {2, 3, 1, 5, 4}; /* what the sizes 100, 200, … reach */
    for (size_t i = 0; i < 5; i++) {
        assert_near(line->x[i], 1.0 / 12);
        assert_near(line->y[i], 1e8 * RISING[i]);
    }
    size_t labelled = 0, rows = 0;
    for (size_t i = 0; i < points.count; i++) {
        const struct plot_point *point = &points.points[i];
        if (point->y == 1e9)
            continue; /* the application */
        assert_true(point->color.r == line->color.r && point->color.b == line->color.b);
        labelled += point->label != NULL;
        assert_true(!point->label || point->optional);
        if (point->legend) {
            assert_string_equal(point->legend, "daxpy cold, 100 … 500");
            rows++;
        }
        assert_true(point->y_q1 < point->y_q3 && point->y_min < point->y_q1); /* repeated */
        assert_true(point->x_q1 == point->x_q3);                              /* counted */
    }
    assert_int_equal(rows, 1);
    assert_in_range(labelled, 2, 4);
    for (size_t i = 0; i < 6; i++)
        r.points[i].seconds = app_once(r.points[i].seconds.median);
    find(&model, &(struct chart_options){0}, BYTES_CORE, &roofs, &points);
    for (size_t i = 0; i < points.count; i++)
        assert_true(points.points[i].y_min == points.points[i].y_max); /* measured once: neither box nor whiskers */
    static const char *const NAMES[] = {"daxpy cold 1 thread", NULL};
    find(&model, &(struct chart_options){.points = NAMES}, BYTES_CORE, &roofs, &points);
    assert_int_equal(points.count, 5);
    model_free(&model);
    results_free(&r);
}

/* Ends are labelled, and of what lies between only what stands clear. */
static void few_sizes_are_labelled(void **state) {
    static struct roofs roofs;
    static struct points points;
    struct result r = four_cores();
    (void)state;
    for (unsigned i = 0; i < 12; i++)
        add_size(&r, "fft cold 1 thread", UINT64_C(1) << (i + 5), 2 * exp2(i + 5) / (1e8 * (1 + 3 * i)));
    struct model model = model_build(&r);
    find(&model, &(struct chart_options){0}, BYTES_CORE, &roofs, &points);
    size_t labelled = 0, ends = 0;
    for (size_t i = 0; i < points.count; i++) {
        const struct plot_point *point = &points.points[i];
        labelled += point->label != NULL;
        ends += point->label && point->sublabel;
        assert_true(!point->label || point->sublabel || point->near);
        if (point->label && point->y == 1e8)
            assert_string_equal(point->label, "2⁵");
    }
    assert_int_equal(ends, 2);
    assert_in_range(labelled, 3, 6);
    for (unsigned i = 0; i < 12; i++) /* all in one place */
        r.points[i].seconds = around(2 * exp2(i + 5) / 1e9);
    r.points[11].doubts = DOUBT_UNSTABLE;
    find(&model, &(struct chart_options){0}, BYTES_CORE, &roofs, &points);
    labelled = 0;
    for (size_t i = 0; i < points.count; i++)
        if (points.points[i].label) {
            assert_string_equal(points.points[i].label, "2⁵ … 2¹⁶ ▲");
            labelled++;
        }
    assert_int_equal(labelled, 1);
    model_free(&model);
    results_free(&r);
}

static void one_size_is_named_like_its_series(void **state) {
    static struct roofs roofs;
    static struct points points;
    struct result r = four_cores();
    (void)state;
    add_size(&r, "daxpy cold 1 thread", 100000, 1e-5);
    add_size(&r, "dgemv cold 1 thread", 1000, 1e-5);
    struct model model = model_build(&r);
    find(&model, &(struct chart_options){0}, BYTES_CORE, &roofs, &points);
    assert_int_equal(points.line_count, 2); /* of one corner: nothing to be seen */
    assert_string_equal(points.points[0].label, "daxpy cold, 100 k");
    assert_string_equal(points.points[1].label, "dgemv cold, 1000");
    assert_true(!points.points[0].legend && !points.points[0].optional);
    model_free(&model);
    results_free(&r);
}

static void equal_sizes_of_one_workload_are_joined(void **state) {
    static struct roofs roofs;
    static struct points points;
    struct result r = four_cores();
    struct chart_options all = {.join = JOIN_ALL}, none = {.join = JOIN_NONE}, pairs = {.join = JOIN_PAIRS};
    (void)state;
    add_series(&r, "dgemm-triple cold 1 thread", HUNDREDS, 5, 1e8);
    add_series(&r, "dgemm-blocked cold 1 thread", HUNDREDS, 4, 3e8);
    add_series(&r, "daxpy cold 1 thread", HUNDREDS, 5, 2e8);
    struct model model = model_build(&r);
    find(&model, &pairs, BYTES_CORE, &roofs, &points);
    assert_int_equal(lines_of(&points, PLOT_SOLID), 3);
    assert_int_equal(lines_of(&points, PLOT_DASHED), 4);
    assert_string_equal(points.lines[0].label, "equal sizes");
    assert_null(points.lines[1].label);
    assert_int_equal(points.lines[0].count, 2);
    assert_near(points.lines[0].y[1] / points.lines[0].y[0], 3);
    find(&model, &none, BYTES_CORE, &roofs, &points);
    assert_int_equal(lines_of(&points, PLOT_DASHED), 0);
    for (size_t i = 5; i < 9; i++)
        r.points[i].analytic_flop *= 2; /* other work, whatever it is called */
    find(&model, &all, BYTES_CORE, &roofs, &points);
    assert_int_equal(lines_of(&points, PLOT_DASHED), 0);
    for (size_t i = 0; i < 9; i++)
        r.points[i].pseudo_flop = (double)r.points[i].size; /* two transforms, whose flop differ */
    find(&model, &all, BYTES_CORE, &roofs, &points);
    assert_int_equal(lines_of(&points, PLOT_DASHED), 4);
    for (size_t i = 0; i < 14; i++)
        r.points[i].pseudo_flop = 0, r.points[i].analytic_flop = 1;
    strcpy(r.points[0].series, "dgemm warm"); /* a third one: of one size */
    find(&model, &pairs, BYTES_CORE, &roofs, &points);
    assert_int_equal(lines_of(&points, PLOT_DASHED), 0);
    find(&model, &all, BYTES_CORE, &roofs, &points);
    assert_int_equal(lines_of(&points, PLOT_DASHED), 4);
    model_free(&model);
    results_free(&r);
}

static void notes_name_series_once(void **state) {
    static struct roofs roofs;
    static struct points points;
    struct result r = four_cores();
    (void)state;
    add_series(&r, "daxpy cold 1 thread", HUNDREDS, 5, 1e8);
    add_series(&r, "stream-copy cold 1 thread", HUNDREDS, 5, 1e8);
    add_series(&r, "dgemv cold 4 threads", HUNDREDS, 5, 1e8);
    for (size_t i = 5; i < 10; i++)
        r.points[i].flop = app_once(0);
    for (size_t i = 10; i < 15; i++)
        r.points[i].threads = 4;
    r.points[1].doubts = r.points[2].doubts = DOUBT_UNSTABLE;
    r.points[3].doubts = DOUBT_TOO_SHORT;
    struct model model = model_build(&r);
    find(&model, &(struct chart_options){0}, BYTES_CORE, &roofs, &points);
    assert_int_equal(points.notes.count, 3);
    assert_string_equal(points.notes.list[0],
                        "not drawn: stream-copy cold 1 thread (no flop, bytes or time), dgemv cold 4 "
                        "threads (--threads 4)");
    assert_string_equal(points.notes.list[1], "too short: daxpy 500");
    assert_string_equal(points.notes.list[2], "unstable: daxpy cold 1 thread (2 of 5 sizes)");
    model_free(&model);
    results_free(&r);
}

static void outlines_of_a_series_are_joined(void **state) {
    static struct roofs roofs;
    static struct points points;
    struct result r = four_cores();
    (void)state;
    add_series(&r, "daxpy cold 1 thread", HUNDREDS, 5, 1e8);
    for (size_t i = 0; i < 5; i++) {
        r.points[i].dram_read_bytes = app_once(r.points[i].flop.median * 16);
        r.points[i].dram_source = SOURCE_SIMULATED;
    }
    struct model model = model_build(&r);
    find(&model, &(struct chart_options){.dram = true}, BYTES_CORE, &roofs, &points);
    assert_int_equal(points.outline_count, 5);
    assert_int_equal(lines_of(&points, PLOT_DOTTED), 1); /* and not five links */
    assert_near(points.lines[points.line_count - 1].x[2], 1.0 / 16);
    model_free(&model);
    results_free(&r);
}

static double slope(const struct roofs *roofs, size_t i) {
    return roofs->lines[i].y[0] / roofs->lines[i].x[0];
}

/* Roofs by what is loaded or stored: the fastest pattern, or where that is as fast, the one that does nothing else. */
static void reads_and_writes_have_roofs_of_their_own(void **state) {
    static struct roofs roofs;
    static struct points points;
    static const struct {
        enum chart_bytes bytes;
        const char *label;
        double x; /* of the point */
    } rows[] = {{BYTES_LOADED, "DRAM  load", 1.0 / 8},
                {BYTES_STORED, "DRAM  non-temporal store", 1.0 / 4},
                {BYTES_DRAM_READ, "DRAM  load", 1.0 / 10},
                {BYTES_DRAM_WRITTEN, "DRAM  non-temporal store", 1.0 / 5}};
    struct result r = four_cores();
    (void)state;
    add_series(&r, "daxpy cold 1 thread", HUNDREDS, 5, 1e8);
    for (size_t i = 0; i < 5; i++) {
        r.points[i].dram_read_bytes = app_once(r.points[i].flop.median * 10);
        r.points[i].dram_write_bytes = app_once(r.points[i].flop.median * 5);
        r.points[i].dram_source = SOURCE_COUNTERS;
    }
    for (size_t i = 0; i < r.sample_count; i++) {
        struct sample *sample = &r.samples[i];
        if (sample->kind != SAMPLE_BANDWIDTH || strcmp(sample->level, "DRAM") != 0 || sample->threads != 1)
            continue;
        const char *op = strchr(sample->kernel, '.') + 1;
        sample->value = strcmp(op, "load") == 0      ? 10e9
                        : strcmp(op, "ntstore") == 0 ? 9e9
                        : strcmp(op, "store") == 0   ? 4e9
                        : strcmp(op, "axpy") == 0    ? 15.1e9 /* loads 10.07e9: no more than loads alone, really */
                                                     : 6e9;
    }
    struct model model = model_build(&r);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        find(&model, &(struct chart_options){0}, rows[i].bytes, &roofs, &points);
        roofs_draw(&roofs);
        const struct plot_line *line = &roofs.lines[roofs.line_count - 1];
        bool dram = chart_is_dram(rows[i].bytes);
        assert_int_equal(roofs.level_count, dram ? 1 : 4);
        assert_int_equal(points.count, 5);
        assert_near(points.points[0].x, rows[i].x);
        assert_string_equal(line->label, rows[i].label);
        if (rows[i].bytes == BYTES_LOADED)
            assert_near(slope(&roofs, roofs.line_count - 1), 10e9);
        if (rows[i].bytes == BYTES_STORED)
            assert_near(slope(&roofs, roofs.line_count - 1), 9e9);
        if (rows[i].bytes == BYTES_STORED)
            assert_near(roofs.band_low[roofs.band_count - 1][0] / roofs.band_x[roofs.band_count - 1][0], 4e9);
        assert_contains(roofs.x_title, rows[i].bytes == BYTES_LOADED   ? "Read intensity  [flop per byte loaded"
                                       : rows[i].bytes == BYTES_STORED ? "Write intensity  [flop per byte stored"
                                       : rows[i].bytes == BYTES_DRAM_READ
                                           ? "Read intensity  [flop per byte read from memory"
                                           : "Write intensity  [flop per byte written to memory");
    }
    says(drawn(&r, "read", (struct chart_options){0}),
         "read from memory, counters"); /* known, so it is what is drawn */
    says(drawn(&r, "read", (struct chart_options){.of = "core"}), "loaded by the core");
    says(drawn(&r, "write", (struct chart_options){.of = "dram"}), "written to memory");
    for (size_t i = 0; i < 5; i++)
        r.points[i].dram_source = SOURCE_UNKNOWN;
    says(drawn(&r, "write", (struct chart_options){0}), "stored by the core");
    for (size_t i = 0; i < 5; i++)
        r.points[i].store_bytes = app_once(0);
    says(drawn(&r, "write", (struct chart_options){0}), "(no such bytes)");
    model_free(&model);
    results_free(&r);
}

static void shares_of_patterns(void **state) {
    static const struct {
        const char *kernel;
        double load, store, read, written;
    } rows[] = {{"avx2.load", 1, 0, 1, 0},       {"avx2.store", 0, 1, 1, 1},
                {"avx2.ntstore", 0, 1, 0, 1},    {"avx2.2ld1st", 2. / 3, 1. / 3, 1, 1. / 3},
                {"avx2.update", .5, .5, .5, .5}, {"avx2.random", 0, 0, 0, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sample sample = {.kind = SAMPLE_BANDWIDTH, .value = 9e9};
        strcpy(sample.kernel, rows[i].kernel);
        struct model model = model_build(&(struct result){.sample_count = 1, .samples = &sample});
        const struct pattern_share share = pattern_share(&model.roofs[0]);
        assert_near(share.load, rows[i].load);
        assert_near(share.store, rows[i].store);
        assert_near(share.read, rows[i].read);
        assert_near(share.written, rows[i].written);
        model_free(&model);
    }
}

static void per_cycle_by_every_clock(void **state) {
    static struct roofs roofs;
    static struct points points;
    struct result r = four_cores();
    (void)state;
    add_series(&r, "daxpy cold 1 thread", HUNDREDS, 5, 1e8);
    struct app_point *own = &r.points[0];
    own->clock_hz = 2e9;
    for (size_t i = 0; i < r.sample_count; i++) { /* every roof at a clock of its own */
        r.samples[i].clock_hz = 1e9 + 1e6 * (double)i;
        r.samples[i].value = r.samples[i].kind == SAMPLE_LATENCY
                                 ? r.samples[i].per_cycle / r.samples[i].clock_hz
                                 : r.samples[i].per_cycle * r.samples[i].threads * r.samples[i].clock_hz;
    }
    struct model model = model_build(&r);
    find(&model, &(struct chart_options){.per_cycle = true}, BYTES_CORE, &roofs, &points);
    roofs_draw(&roofs);
    for (size_t i = 0; i < roofs.line_count; i++) {
        bool level = roofs.drawn[i]->kind == SAMPLE_BANDWIDTH;
        assert_near(level ? slope(&roofs, i) : roofs.lines[i].y[0], roofs.drawn[i]->per_cycle);
    }
    assert_string_equal(roofs.y.title, "Performance  [flop/cycle]");
    assert_true(points.clocks_assumed);
    for (size_t i = 0; i < 5; i++) {
        const struct app_point *point = &r.points[i];
        const struct verdict verdict = verdict_find(&model, point);
        const struct roof *binding = verdict.bandwidth ? verdict.bandwidth : verdict.ceiling;
        double clock_hz = i == 0 ? 2e9 : binding->sample->clock_hz, height = app_flop_per_s(point) / clock_hz;
        bool found = false;
        for (size_t k = 0; k < points.count; k++)
            found |= fabs(points.points[k].y - height) < 1e-9 * height;
        assert_true(found);
    }
    roofs = (struct roofs){0};
    r.points[0].threads = 4; /* all cores together */
    char *text = drawn(&r, "roofline", (struct chart_options){.per_cycle = true, .threads = 4});
    assert_contains(text, "flop/cycle of 4 cores together");
    says(text, "own clock");
    says(drawn(&r, "performance", (struct chart_options){.per_cycle = true}), "flop/cycle");
    says(drawn(&r, "sweep", (struct chart_options){.per_cycle = true}), "B/cycle");
    says(drawn(&r, "latency", (struct chart_options){.per_cycle = true}), "[cycles]");
    says(drawn(&r, "scaling", (struct chart_options){.per_cycle = true}), "ceiling  [flop/cycle]");
    for (size_t i = 0; i < 20; i++)
        r.curves[0].points[i].per_cycle = 0;
    refused(&r, "sweep", (struct chart_options){.per_cycle = true}, "clock");
    for (size_t i = 0; i < r.sample_count; i++)
        r.samples[i].per_cycle = r.samples[i].clock_hz = 0;
    refused(&r, "roofline", (struct chart_options){.per_cycle = true}, "clock");
    refused(&r, "scaling", (struct chart_options){.per_cycle = true}, "no kernel");
    model_free(&model);
    results_free(&r);
}

static void pseudo_flop_replace_flop(void **state) {
    static struct roofs roofs;
    static struct points points;
    struct result r = four_cores();
    (void)state;
    add_series(&r, "fft cold 1 thread", POWERS, 4, 1e8);
    add_series(&r, "daxpy cold 1 thread", POWERS, 4, 1e8);
    for (size_t i = 0; i < 4; i++)
        r.points[i].pseudo_flop = 3 * r.points[i].flop.median;
    struct model model = model_build(&r);
    find(&model, &(struct chart_options){.pseudo_flop = true}, BYTES_CORE, &roofs, &points);
    size_t pseudo = 0, own = 0;
    for (size_t i = 0; i < points.count; i++) {
        pseudo += fabs(points.points[i].x - 3.0 / 12) < 1e-9;
        own += fabs(points.points[i].x - 1.0 / 12) < 1e-9;
    }
    assert_int_equal(pseudo, 4);
    assert_int_equal(own, 4);
    says(drawn(&r, "roofline", (struct chart_options){.pseudo_flop = true}), "pseudo-flop");
    says(drawn(&r, "performance", (struct chart_options){.pseudo_flop = true}), "pseudo-flop");
    model_free(&model);
    results_free(&r);
}

/* ── by size ── */

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
    struct statistics values[5] = {app_once(1), app_once(4), {0}, app_once(2), around(3)};
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
    says(text, "not drawn: daxpy 300, dgemv cold 4 threads (not known)");
    model_free(&model);
    results_free(&r);
}

static void charts_by_size_say_what_they_are(void **state) {
    struct result r = four_cores();
    (void)state;
    refused(&r, "performance", (struct chart_options){0}, "carmine workload");
    add_series(&r, "daxpy cold 1 thread", HUNDREDS, 5, 1e8);
    refused(&r, "performance", (struct chart_options){.threads = 3}, "for these options");
    refused(&r, "intensity", (struct chart_options){.of = "dram"}, "nothing is known");
    says(drawn(&r, "performance", (struct chart_options){0}), "Performance  [Gflop/s]");
    r.points[3].working_set_bytes = KIB(100);
    says(drawn(&r, "performance", (struct chart_options){.working_set = true}), "L1 48 KiB");
    r.points[3].threads = 2; /* whose caches are not one */
    char *text = drawn(&r, "performance", (struct chart_options){.working_set = true});
    assert_null(strstr(text, "L1 48 KiB"));
    free(text);
    text = drawn(&r, "intensity", (struct chart_options){0});
    assert_null(strstr(text, "DRAM"));
    says(text, "by theory");
    for (size_t i = 0; i < 5; i++) {
        r.points[i].dram_read_bytes = app_once(r.points[i].flop.median * 16);
        r.points[i].dram_source = SOURCE_SIMULATED;
    }
    says(drawn(&r, "intensity", (struct chart_options){.dram = true}), "outlined: by DRAM bytes (simulated)");
    says(drawn(&r, "intensity", (struct chart_options){.of = "dram"}), "between caches and memory, simulated");
    text = drawn(&r, "ratio", (struct chart_options){0});
    assert_null(strstr(text, "DRAM bytes"));
    says(text, "bytes that the core asks for");
    says(drawn(&r, "ratio", (struct chart_options){.of = "dram"}), "DRAM bytes");
    for (size_t i = 0; i < 5; i++)
        r.points[i].analytic_flop = r.points[i].analytic_load_bytes = r.points[i].analytic_store_bytes = 0;
    text = drawn(&r, "intensity", (struct chart_options){0});
    assert_null(strstr(text, "by theory")); /* it says nothing of them */
    free(text);
    refused(&r, "ratio", (struct chart_options){0}, "nothing is known");
    for (size_t i = 0; i < 5; i++)
        r.points[i].flop = app_once(0);
    refused(&r, "performance", (struct chart_options){0}, "nothing is known");
    says(drawn(&r, "distribution", (struct chart_options){0}), "time by size");
    results_free(&r);
}

static void more_series_than_fit(void **state) {
    struct result r = four_cores();
    (void)state;
    for (unsigned i = 0; i < SERIES_MOST + 3; i++) {
        char name[64];
        snprintf(name, sizeof name, "workload-%u cold 1 thread", i);
        add_series(&r, name, HUNDREDS, 5, 1e8);
    }
    says(drawn(&r, "performance", (struct chart_options){0}),
         "not drawn: workload-60 cold 1 thread, workload-61 cold 1 thread, workload-62 cold 1 thread (too many)");
    free(drawn(&r, "distribution", (struct chart_options){0}));
    says(drawn(&r, "roofline", (struct chart_options){0}), "(too many)");
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
    struct statistics values[5] = {around(2), around(3), around(4), around(5), app_once(6)};
    series_add_boxes(&chart, &chart.series[1], values, 0.1, 0.04);
    assert_int_equal(chart.band_count, 5);
    const struct plot_band *box = &chart.bands[1];
    double axis = chart.x.max - chart.x.min;
    assert_near(box->x[1] - box->x[0], 0.04 * axis);
    assert_near((box->x[1] + box->x[0]) / 2, 200 + 0.1 * axis);
    assert_near(box->y_low[0], 3 * 0.98);
    assert_near(box->y_high[1], 3 * 1.02);
    assert_string_equal(box->legend, "daxpy warm");
    assert_int_equal(chart.line_count, 4 * 5 + 1 + 1); /* median, whiskers and caps; a median alone; what joins them */
    assert_near(chart.y.min, 2 * 0.96);
    assert_near(chart.y.max, 6);
    char *text = NULL;
    options.svg = &text;
    assert_true(series_end(&chart, &(struct series_words){.what = "x", .y_title = "y", .footer = ""}, NULL, &err));
    free(text);
    says(drawn(&r, "distribution", (struct chart_options){0}), "time by size");
    says(drawn(&r, "distribution", (struct chart_options){.of = "performance"}), "performance by size");
    says(drawn(&r, "distribution", (struct chart_options){.of = "spread"}), "Time / median of its size");
    says(drawn(&r, "distribution", (struct chart_options){.per_cycle = true}), "Time  [cycles]");
    model_free(&model);
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
                    point->dram_read_bytes = around(point->flop.median * (5 + i));
                    point->dram_source = SOURCE_COUNTERS;
                }
            for (size_t c = 0; c < sizeof CHARTS / sizeof CHARTS[0]; c++) {
                free(drawn(&r, CHARTS[c], (struct chart_options){.join = JOIN_ALL, .dram = true}));
                free(drawn(&r, CHARTS[c], (struct chart_options){.per_cycle = true, .width = 480, .height = 360}));
            }
            results_free(&r);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_shortened_by_what_they_share),
        cmocka_unit_test(sizes_read_well),
        cmocka_unit_test(groups_keep_their_numbers),
        cmocka_unit_test(a_series_is_joined_by_size),
        cmocka_unit_test(few_sizes_are_labelled),
        cmocka_unit_test(one_size_is_named_like_its_series),
        cmocka_unit_test(equal_sizes_of_one_workload_are_joined),
        cmocka_unit_test(notes_name_series_once),
        cmocka_unit_test(outlines_of_a_series_are_joined),
        cmocka_unit_test(reads_and_writes_have_roofs_of_their_own),
        cmocka_unit_test(shares_of_patterns),
        cmocka_unit_test(per_cycle_by_every_clock),
        cmocka_unit_test(pseudo_flop_replace_flop),
        cmocka_unit_test(axes_of_sizes),
        cmocka_unit_test(curves_by_size),
        cmocka_unit_test(charts_by_size_say_what_they_are),
        cmocka_unit_test(more_series_than_fit),
        cmocka_unit_test(distributions_are_boxes),
        cmocka_unit_test(any_number_of_series),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
