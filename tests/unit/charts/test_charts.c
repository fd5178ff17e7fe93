/* SPDX-License-Identifier: BSD-3-Clause
 * Charts of results of many shapes: a valid file, or an error with the remedy; never a crash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/kernels/doubt.h"
#include "carm/chart/chart.h"
#include "carm/chart/chart_points.h"
#include "carm/chart/chart_roofs.h"
#include "tests/support/fixtures.h"
#include "carm/chart/chart_parts.h"

/* Each line has a colour; an area without one carries a label. */
static void assert_lines_are_seen(const char *svg) {
    static const char NO_AREA[] = "\" fill=\"none\"", STROKE[] = " stroke=\"#";
    for (const char *at = svg; (at = strstr(at, NO_AREA)); at++)
        if (at[-1] != 'Z' && strncmp(at + strlen(NO_AREA), STROKE, strlen(STROKE)) != 0)
            fail_msg("a line without a colour: %.60s", at - 20);
}

/* Draws and checks the output; returns the SVG's size. Differences between formats do not depend on the result, and
 * pixels take time: each chart is drawn in all formats once. */
static size_t drawn(const struct result *result, const struct chart *chart, const struct chart_options *options) {
    static const struct {
        const char *name, *begins, *ends; /* "": anything */
    } files[] = {{"x.svg", "<?xml", "</svg>\n"}, {"x.pdf", "%PDF-", "%%EOF\n"}, {"x.png", "\x89PNG\r\n", ""}};
    struct model model = model_build(result);
    size_t svg_length = 0;
    static bool seen[32];
    bool *in_all_formats = &seen[chart - chart_table];
    for (size_t i = 0; i < (*in_all_formats ? 1 : 3); i++) {
        struct error err = {""};
        if (!chart->draw(&model, options, fixture_path(files[i].name), &err))
            fail_msg("%s, %s: %s", chart->name, files[i].name, err.text);
        size_t length;
        char *text = fixture_read(fixture_path(files[i].name), &length);
        assert_true(length > 1000);
        assert_memory_equal(text, files[i].begins, strlen(files[i].begins));
        size_t end = strlen(files[i].ends);
        assert_memory_equal(text + length - end, files[i].ends, end);
        assert_null(strstr(text, "nan"));
        if (i == 0)
            assert_lines_are_seen(text);
        svg_length = i == 0 ? length : svg_length;
        free(text);
    }
    *in_all_formats = true;
    model_free(&model);
    return svg_length;
}

/* The charts that every run can be drawn as come first; others need several threads or nodes: test_places.c. */
enum { OF_EVERY_RUN = 3 };

static void draw_all(const struct result *result, const struct chart_options *options) {
    for (size_t i = 0; i < OF_EVERY_RUN; i++)
        drawn(result, &chart_table[i], options);
}

static void refused(const struct result *result, const struct chart *chart, const struct chart_options *options,
                    const char *says, const char *remedy) {
    struct model model = model_build(result);
    struct error err = {""};
    unsigned files = fixture_folder_count(false);
    assert_false(chart->draw(&model, options, fixture_path("none.svg"), &err));
    assert_contains(err.text, says);
    assert_contains(err.text, remedy);
    assert_int_equal(fixture_folder_count(false), files); /* no half picture */
    model_free(&model);
}

static void one_thread_and_many(void **state) {
    (void)state;
    static const unsigned cores[] = {1, 2, 512};
    static const char *const BY_OTHER_BYTES[] = {"dram", "read", "write"};
    for (size_t i = 0; i < 3; i++) {
        struct result r = fixture_result(fixture_machine(cores[i], FIXTURE_AVX512), NULL);
        r.curves[0].threads = r.curves[1].threads = cores[i];
        draw_all(&r, &(struct chart_options){0});
        draw_all(&r, &(struct chart_options){.threads = cores[i], .width = 480, .height = 360});
        drawn(&r, &chart_table[0], &(struct chart_options){.threads = 1, .type = "f32", .isa = "avx2", .op = "2ld1st"});
        drawn(&r, &chart_table[0], &(struct chart_options){.isa = "x87"});
        for (size_t k = 0; k < sizeof BY_OTHER_BYTES / sizeof *BY_OTHER_BYTES; k++)
            drawn(&r, chart_named(BY_OTHER_BYTES[k]), &(struct chart_options){.isa = "sse"});
        results_free(&r);
    }
}

static char *svg_of(const struct result *result, const struct chart_options *options) {
    size_t length;
    drawn(result, &chart_table[0], options);
    return fixture_read(fixture_path("x.svg"), &length);
}

/* Roofs of an ISA whose best pattern was not tried are not called its best. */
static void roofs_of_a_narrower_isa(void **state) {
    (void)state;
    struct result r = fixture_result(fixture_machine(2, FIXTURE_AVX512), NULL);
    char *all = svg_of(&r, &(struct chart_options){.isa = "avx2"});
    assert_contains(all, "is its best access pattern");
    assert_null(strstr(all, "not measured"));
    free(all);
    for (size_t i = 0; i < r.sample_count; i++) /* as in earlier versions, and in quick runs with fewer patterns */
        if (strcmp(r.samples[i].kernel, "avx2.update") == 0 || strcmp(r.samples[i].kernel, "avx2.axpy") == 0)
            r.samples[i--] = r.samples[--r.sample_count];
        else if (strcmp(r.samples[i].kernel, "avx512.update") == 0)
            r.samples[i].value *= 100;
    char *some = svg_of(&r, &(struct chart_options){.isa = "avx2"});
    assert_null(strstr(some, "best access pattern"));
    assert_contains(some, "AVX2: update not measured: its roofs may be higher"); /* note */
    assert_contains(some, "Cache-aware roofline. AVX2: update not measured. ");  /* caption */
    assert_contains(some, "best measured access pattern (AVX2: update not ");    /* small print */
    free(some);
    char *widest = svg_of(&r, &(struct chart_options){.isa = "avx512"});
    assert_null(strstr(widest, "not measured"));
    free(widest);
    results_free(&r);
}

static void machines_of_other_shapes(void **state) {
    (void)state;
    struct result r = fixture_result(fixture_hybrid(2, 4), NULL);
    draw_all(&r, &(struct chart_options){0});
    drawn(&r, &chart_table[0], &(struct chart_options){.threads = 4}); /* the E cores */
    results_free(&r);
    for (unsigned caches = 0; caches < 3; caches++) { /* none, L1 only, no L3 */
        struct machine m = fixture_machine(4, FIXTURE_AVX2);
        m.kinds[0].cache_count = caches;
        r = fixture_result(m, NULL);
        assert_int_equal(r.levels[0].count, caches + 1);
        draw_all(&r, &(struct chart_options){0});
        results_free(&r);
    }
    r = fixture_result(fixture_machine(4, FIXTURE_AVX2), &(struct plan_options){.isas = {"sse"}, .isa_count = 1});
    draw_all(&r, &(struct chart_options){0});
    results_free(&r);
}

static void parts_of_a_result(void **state) {
    (void)state;
    struct result r = fixture_result(fixture_machine(4, FIXTURE_AVX2), NULL), part = r;
    size_t compute = 0;
    while (compute < r.sample_count && r.samples[compute].kind == SAMPLE_COMPUTE)
        compute++;
    part.sample_count = compute; /* no memory: ceilings alone */
    drawn(&part, &chart_table[0], &(struct chart_options){0});
    part.sample_count = 1;
    drawn(&part, &chart_table[0], &(struct chart_options){.type = "f64"});
    part.samples = r.samples + compute; /* no ceilings */
    part.sample_count = 20;
    refused(&part, &chart_table[0], &(struct chart_options){0}, "no compute ceiling", "--peak");
    part.sample_count = 0;
    refused(&part, &chart_table[0], &(struct chart_options){0}, "ceiling", "carmine run");
    part = r;
    part.curve_count = 0;
    refused(&part, &chart_table[1], &(struct chart_options){0}, "no bandwidth", "carmine sweep");
    refused(&part, &chart_table[2], &(struct chart_options){0}, "no latency", "--mix chase");
    results_free(&r);
}

/* A picture says where a blank roof may be above the drawn ones. */
static void blank_roofs_have_a_note(void **state) {
    (void)state;
    struct result r = fixture_result(fixture_machine(4, FIXTURE_AVX2), NULL);
    for (size_t i = 0; i < 2; i++) {
        struct model model = model_build(&r);
        struct error err;
        size_t length;
        assert_true(chart_table[0].draw(&model, &(struct chart_options){0}, fixture_path("blank.svg"), &err));
        char *text = fixture_read(fixture_path("blank.svg"), &length);
        assert_true((i > 0) == (strstr(text, "blank roofs may be higher: the peak, DRAM") != NULL));
        free(text);
        model_free(&model);
        sample_blank(fixture_sample_of(&r, "avx2.f64.fma", "", 4));
        sample_blank(fixture_sample_of(&r, "avx2.load", "DRAM", 4));
    }
    for (size_t i = 0; i < r.sample_count; i++)
        sample_blank(&r.samples[i]);
    refused(&r, &chart_table[0], &(struct chart_options){0}, "compute ceilings of the result are blank", "--resume");
    results_free(&r);
}

static void choices_that_the_result_lacks(void **state) {
    (void)state;
    struct result r = fixture_result(fixture_machine(4, FIXTURE_AVX2), NULL);
    refused(&r, &chart_table[0], &(struct chart_options){.threads = 3}, "3 threads", "carmine show");
    refused(&r, &chart_table[0], &(struct chart_options){.isa = "avx512"}, "avx512", "carmine show");
    refused(&r, &chart_table[0], &(struct chart_options){.type = "f16"}, "f16", "carmine show");
    refused(&r, &chart_table[0], &(struct chart_options){.op = "ntload"}, "ntload", "carmine show");
    refused(&r, &chart_table[1], &(struct chart_options){.threads = 3}, "no bandwidth", "carmine sweep");
    struct model model = model_build(&r);
    struct error err;
    for (const struct chart *chart = chart_table; chart < chart_table + OF_EVERY_RUN; chart++) {
        assert_false(chart->draw(&model, &(struct chart_options){0}, fixture_path("x.jpeg"), &err));
        assert_contains(err.text, "jpeg");
        assert_false(chart->draw(&model, &(struct chart_options){0}, "/no/such/folder/x.svg", &err));
        assert_contains(err.text, "/no/such/folder/x.svg");
        assert_false(
            chart->draw(&model, &(struct chart_options){.width = 1, .height = 1}, fixture_path("y.svg"), &err));
    }
    model_free(&model);
    results_free(&r);
}

static void doubts_are_drawn(void **state) {
    (void)state;
    struct result r = fixture_result(fixture_machine(4, FIXTURE_AVX512), NULL);
    size_t plain = drawn(&r, &chart_table[0], &(struct chart_options){0});
    for (size_t i = 0; i < r.sample_count; i++)
        r.samples[i].doubts = doubts_without(doubts_all(), DOUBTS(DOUBT_TOO_SHORT)); /* those are blank */
    for (unsigned i = 0; i < r.levels[0].count; i++)
        r.levels[0].level[i].disagrees = true, r.levels[0].level[i].effective_bytes /= 3;
    memset(r.uarch_doubt, 'd', sizeof r.uarch_doubt - 1);
    r.environment.interrupted = true;
    draw_all(&r, &(struct chart_options){0});
    assert_true(drawn(&r, &chart_table[0], &(struct chart_options){0}) > plain);

    char store[CHART_MAX_NOTES][CHART_NOTE_BYTES];
    const char *notes[CHART_MAX_NOTES];
    const struct sample *samples[16];
    for (size_t i = 0; i < 16; i++)
        samples[i] = &r.samples[i];
    size_t count = chart_notes(&r, samples, 16, store, notes);
    assert_int_equal(count, CHART_MAX_NOTES); /* more than fit; the levels come first */
    assert_contains(notes[0], "L1 detected as");
    r.uarch_doubt[0] = '\0';
    r.environment.interrupted = false;
    for (unsigned i = 0; i < r.levels[0].count; i++)
        r.levels[0].level[i].disagrees = false;
    for (size_t i = 0; i < r.sample_count; i++)
        r.samples[i].doubts = i == 3 ? DOUBTS(DOUBT_UNSTABLE) : NO_DOUBTS;
    assert_int_equal(chart_notes(&r, samples, 16, store, notes), 1);
    assert_contains(notes[0], "unstable");
    assert_contains(notes[0], r.samples[3].kernel); /* the note names the kernel */
    results_free(&r);
}

static struct statistics exactly(double value) {
    return (struct statistics){1, 1, value, value, value, value, value};
}

/* One second of AVX2 code, two loads to a store. */
static void add_point(struct result *r, const char *name, const char *program, unsigned threads, double flop,
                      double flop_per_byte) {
    r->points = realloc(r->points, (r->point_count + 1) * sizeof *r->points);
    struct app_point *point = &r->points[r->point_count++];
    *point = (struct app_point){.threads = threads,
                                .time_share = 1,
                                .seconds = fixture_around(1),
                                .seconds_source = SOURCE_CLOCK,
                                .flop = exactly(flop),
                                .flop_source = SOURCE_COUNTED,
                                .load_bytes = exactly(flop / flop_per_byte * 2 / 3),
                                .store_bytes = exactly(flop / flop_per_byte / 3),
                                .bytes_source = SOURCE_COUNTED,
                                .has_count = true};
    snprintf(point->name, sizeof point->name, "%s", name);
    snprintf(point->program, sizeof point->program, "%s", program);
    point->count.flop[COUNT_F64][COUNT_256] = 1000;
}

/* A file may contain any finite number that is not negative: a picture or an error, but no crash and no NaN. */
static void extreme_values(void **state) {
    (void)state;
    static const double values[] = {0, 1e-300, 1e-9, 1, 1e30, 1e300};
    for (size_t v = 0; v < 36; v++) {
        struct result r = fixture_result(fixture_machine(2, FIXTURE_AVX2), NULL);
        for (size_t i = 0; i < r.sample_count; i++)
            r.samples[i].value = values[r.samples[i].kind == SAMPLE_COMPUTE ? v % 6 : v / 6];
        for (size_t i = 0; i < 40; i++)
            r.curves[i / 20].points[i % 20].value = values[(v + i) % 6];
        r.curves[0].points[3].working_set_bytes = 0;
        r.curves[0].points[4].working_set_bytes = UINT64_C(1) << 62;
        add_point(&r, "a", "a", v % 2 ? 1 : 2, values[v % 6], values[v / 6]);
        add_point(&r, "b", "b", 2, values[v / 6], values[(v + 1) % 6]);
        for (size_t i = 0; i < 2; i++) {
            r.points[i].seconds = fixture_around(values[(v + i) % 6]);
            r.points[i].dram_read_bytes = fixture_around(values[(v + 2) % 6]);
            r.points[i].dram_source = SOURCE_COUNTERS;
            r.points[i].time_share = values[v % 6];
            strcpy(r.points[i].series, i && v % 4 == 0 ? "b cold" : "a cold");
            r.points[i].size = v % 5 ? UINT64_MAX >> 3 * (v % 5) * i : 7;
            r.points[i].working_set_bytes = r.points[i].size / 3;
            r.points[i].clock_hz = values[(v + 3) % 6];
            r.points[i].analytic_flop = r.points[i].compulsory_read_bytes = values[(v + i) % 6];
            r.points[i].analytic_load_bytes = r.points[i].pseudo_flop = values[(v + 4) % 6];
        }
        struct model model = model_build(&r);
        for (const struct chart *chart = chart_table; chart->name; chart++) {
            struct error err = {""};
            const struct chart_options options = {
                .dram = v % 2, .per_cycle = v % 3 == 0, .pseudo_flop = v % 5 == 0, .working_set = v % 4 == 1};
            if (chart->draw(&model, &options, fixture_path("odd.svg"), &err)) {
                size_t length;
                char *text = fixture_read(fixture_path("odd.svg"), &length);
                assert_null(strstr(text, "nan"));
                assert_null(strstr(text, "inf"));
                free(text);
            } else {
                assert_true(strlen(err.text) > 10);
            }
        }
        model_free(&model);
        results_free(&r);
    }
}

/* The points of the picture with these options, and its roofs. */
static void find(const struct model *model, const struct chart_options *options, enum chart_bytes bytes,
                 struct roofs *roofs, struct points *points) {
    static struct levels levels;
    struct model_view view = {.threads = options->threads ? options->threads : 4, .type = "f64"};
    points_view(model, options, points_has_intensity, &view);
    *roofs = (struct roofs){.model = model, .bytes = bytes, .all_levels = &levels};
    roofs->view.threads = view.threads;
    roofs->view.type = options->type ? options->type : view.type;
    levels = model_levels(model, &roofs->view);
    roofs_find(roofs, options);
    points_find(roofs, options, points);
}

static const struct plot_point *find_label(const struct points *points, const char *label) {
    for (size_t i = 0; i < points->count; i++)
        if (strcmp(points->points[i].label, label) == 0)
            return &points->points[i];
    fail_msg("no point is called \"%s\"", label);
    return NULL;
}

static void applications_of_one_view(void **state) {
    (void)state;
    static struct roofs roofs;
    static struct points points;
    struct result r = fixture_result(fixture_machine(4, FIXTURE_AVX2), NULL);
    add_point(&r, "triad", "triad", 1, 1e9, 1.0 / 12);
    add_point(&r, "dgemm", "dgemm", 1, 40e9, 8);
    struct model model = model_build(&r);
    find(&model, &(struct chart_options){0}, BYTES_CORE, &roofs, &points);
    assert_int_equal(roofs.view.threads, 1); /* the threads of the points, not the highest number */
    assert_int_equal(points.count, 2);
    assert_int_equal(points.notes.count, 0);
    assert_int_equal(points.outline_count, 0);
    const struct plot_point *triad = find_label(&points, "triad"), *dgemm = find_label(&points, "dgemm");
    assert_near(triad->x, 1.0 / 12);
    assert_near(triad->y, 1e9);
    assert_near(triad->y_min, 1e9 / 1.04);
    assert_near(triad->y_q1, 1e9 / 1.02);
    assert_near(triad->y_q3, 1e9 / 0.98);
    assert_near(triad->y_max, 1e9 / 0.96);
    assert_true(triad->x_min == triad->x_max); /* exact */
    assert_contains(triad->sublabel, "≤ ");    /* from DRAM or nearer: undetermined */
    assert_contains(triad->sublabel, " % of DRAM");
    assert_contains(dgemm->sublabel, "compute ");
    assert_true(triad->shape != dgemm->shape && triad->color.r != dgemm->color.r);
    assert_null(triad->legend);
    r.points[1].flop.q1 *= 0.9; /* counters are not exact */
    r.points[1].load_bytes.q3 *= 1.1;
    find(&model, &(struct chart_options){0}, BYTES_CORE, &roofs, &points);
    dgemm = find_label(&points, "dgemm");
    assert_near(dgemm->x_q1, 0.9 * 40e9 / (5e9 * (1.1 * 2 + 1) / 3));
    assert_near(dgemm->y_q1, 0.9 * 40e9 / 1.02);
    enum plot_shape shape = dgemm->shape;

    find(&model, &(struct chart_options){.no_points = true}, BYTES_CORE, &roofs, &points);
    assert_int_equal(points.count + points.notes.count, 0);
    assert_int_equal(roofs.view.threads, 4);
    static const char *const NAMES[] = {"dgemm", NULL};
    find(&model, &(struct chart_options){.points = NAMES}, BYTES_CORE, &roofs, &points);
    assert_int_equal(points.count, 1);
    assert_true(points.points[0].shape == shape); /* the program keeps its look */
    for (size_t i = 0; i < 2; i++) {
        draw_all(&r, &(struct chart_options){.dram = i == 1});
        drawn(&r, &chart_table[0], &(struct chart_options){.no_points = true, .width = 480, .height = 360});
    }
    model_free(&model);
    results_free(&r);
}

static void take_strip(const struct plot *plot, void *taker) {
    size_t *counts = taker;
    counts[0] = plot->panels[0].mark_count;
    counts[1] = 0;
    for (size_t i = 0; i < counts[0]; i++)
        counts[1] += plot->panels[0].marks[i].label != NULL;
}

/* All borders of many phases are drawn, or none; some of them have names. */
static void assert_borders(struct result *result, size_t phases, double seconds, size_t borders, size_t names) {
    size_t counts[2];
    struct app_course *course = &result->courses[0];
    struct error err;
    course->phase_count = phases, course->seconds = seconds;
    course->phases = realloc(course->phases, phases * sizeof *course->phases);
    for (size_t i = 0; i < phases; i++)
        course->phases[i] = (struct app_course_phase){(double)i, (double)i + 1, "p/phase 1"};
    struct model model = model_build(result);
    const struct chart_options options = {.take = take_strip, .taker = counts};
    assert_true(chart_phases(&model, &options, "", &err));
    model_free(&model);
    assert_int_equal(counts[0], borders);
    assert_int_equal(counts[1], names);
}

/* A program over time; a file may hold anything. */
static void a_program_over_time(void **state) {
    (void)state;
    struct result r = fixture_result(fixture_machine(4, FIXTURE_AVX2), NULL);
    refused(&r, chart_named("phases"), &(struct chart_options){0}, "no program over time", "carmine app --every");
    add_point(&r, "p/phase 1", "p", 4, 1e9, 0.1);
    add_point(&r, "p/phase 2", "p", 4, 1e6, 0.01);
    struct app_course course = {.program = "p", .seconds = 0.35, .every_s = 0.1, .interval_count = 4, .phase_count = 2};
    course.intervals = calloc(4, sizeof *course.intervals);
    course.phases = calloc(2, sizeof *course.phases);
    r.courses = calloc(1, sizeof *r.courses);
    course.intervals[1] = (struct app_course_interval){.cpu_s = 0.4, .flop = 1e9, .load_bytes = 1e10};
    course.phases[0] = (struct app_course_phase){0, 0.2, "p/phase 1"};
    course.phases[1] = (struct app_course_phase){0.2, 0.35, "p/phase 2"};
    r.courses[r.course_count++] = course;
    drawn(&r, chart_named("phases"), &(struct chart_options){0});
    size_t length;
    char *text = fixture_read(fixture_path("x.svg"), &length);
    assert_non_null(strstr(text, "p over time"));
    assert_non_null(strstr(text, "phase 2"));
    assert_non_null(strstr(text, "mean of each 100 ms"));
    free(text);
    static const char *const OTHER[] = {"q", NULL};
    refused(&r, chart_named("phases"), &(struct chart_options){.points = OTHER}, "no program over time", "--every");
    r.courses[0].phases[1].from_s = 7, r.courses[0].intervals[2].flop = -5;
    drawn(&r, chart_named("phases"), &(struct chart_options){0});
    assert_borders(&r, 28, 28, 28, 12);
    assert_borders(&r, 28, 2800, 28, 0); /* short ones */
    assert_borders(&r, 12, 2800, 12, 12);
    assert_borders(&r, 101, 101, 0, 0);
    results_free(&r);
}

/* A loop whose work is that of its inner loop is not drawn on it, unless requested alone. */
static void loops_in_each_other(void **state) {
    (void)state;
    static struct roofs roofs;
    static struct points points;
    static const char *const OUTER[] = {"outer", NULL};
    struct result r = fixture_result(fixture_machine(4, FIXTURE_AVX2), NULL);
    add_point(&r, "outer", "p", 4, 1e9, 0.11);
    add_point(&r, "inner", "p", 4, 0.96e9, 0.1);
    add_point(&r, "beside", "p", 4, 0.94e9, 0.1);
    add_point(&r, "elsewhere", "p", 4, 0.99e9, 0.1);
    for (unsigned i = 0; i < 4; i++) {
        struct app_point *point = &r.points[i];
        point->part = APP_LOOP;
        point->depth = i == 1 || i == 3 ? 2 : 1;
        point->load_bytes = point->flop;
        point->store_bytes = (struct statistics){0};
        snprintf(point->function, sizeof point->function, "%s", i == 3 ? "other" : "solve");
    }
    struct model model = model_build(&r);
    find(&model, &(struct chart_options){0}, BYTES_CORE, &roofs, &points);
    assert_int_equal(points.count, 3);
    assert_contains(points.notes.list[0], "not drawn: outer (as the loop within it)");
    find(&model, &(struct chart_options){.points = OUTER}, BYTES_CORE, &roofs, &points);
    assert_int_equal(points.count, 1);
    model_free(&model);
    results_free(&r);
}

/* Points that belong to other roofs are named with the option that draws them. */
static void applications_of_other_views(void **state) {
    (void)state;
    static struct roofs roofs;
    static struct points points;
    struct result r = fixture_result(fixture_machine(4, FIXTURE_AVX2), NULL);
    add_point(&r, "one", "p", 1, 1e9, 0.1);
    add_point(&r, "four", "p", 4, 1e9, 0.1);
    add_point(&r, "three", "p", 3, 1e9, 0.1);
    add_point(&r, "copy", "p", 4, 0, 0.1);
    add_point(&r, "copy 2", "p", 4, 0, 0.1);
    add_point(&r, "f32", "p", 4, 1e9, 0.1);
    add_point(&r, "off", "p", 4, 1e9, 1e9);
    add_point(&r, "above", "p", 4, 1e15, 100);
    r.points[5].count.flop[COUNT_F64][COUNT_256] = 0;
    r.points[5].count.flop[COUNT_F32][COUNT_256] = 1000;
    struct model model = model_build(&r);
    find(&model, &(struct chart_options){0}, BYTES_CORE, &roofs, &points);
    assert_int_equal(roofs.view.threads, 4);
    assert_int_equal(points.count, 3);
    find_label(&points, "four");
    assert_contains(find_label(&points, "three")->sublabel, " · 3 threads");
    assert_contains(find_label(&points, "above ▲")->sublabel, " %");
    assert_int_equal(points.notes.count, 2);
    assert_contains(points.notes.list[0], "not drawn: ");
    assert_contains(points.notes.list[0], "one (--threads 1)");
    assert_contains(points.notes.list[0], "f32 (--type f32)");
    assert_contains(points.notes.list[0], "copy, copy 2 (no flop");
    assert_contains(points.notes.list[0], "off (far beyond");
    assert_contains(points.notes.list[1], "above its roof: above");
    assert_true(roofs.y.max > 1e15 && roofs.x.max >= 100);
    find(&model, &(struct chart_options){.threads = 1}, BYTES_CORE, &roofs, &points);
    assert_int_equal(points.count, 1);
    for (size_t i = 0; i < points.notes.count; i++) /* with chosen threads the others need no mention */
        assert_null(strstr(points.notes.list[i], "--threads"));
    find(&model, &(struct chart_options){.type = "f32"}, BYTES_CORE, &roofs, &points);
    assert_int_equal(points.count, 1);
    find_label(&points, "f32");
    static const char *const NAMES[] = {"f32", NULL};
    find(&model, &(struct chart_options){.points = NAMES}, BYTES_CORE, &roofs, &points);
    assert_string_equal(roofs.view.type, "f32");
    strcpy(r.points[0].measured_utc, "2026-11-20T15:04:05Z"); /* the newest counts */
    find(&model, &(struct chart_options){0}, BYTES_CORE, &roofs, &points);
    assert_int_equal(roofs.view.threads, 1);
    find(&model, &(struct chart_options){.threads = 4}, BYTES_CORE, &roofs, &points);
    assert_int_equal(roofs.view.threads, 4);
    strcpy(r.points[5].measured_utc, r.points[0].measured_utc); /* then the most threads */
    find(&model, &(struct chart_options){0}, BYTES_CORE, &roofs, &points);
    assert_string_equal(roofs.view.type, "f32");
    r.points[0].threads = 4;
    r.points[5].time_share = 0.9; /* then the larger share of time */
    find(&model, &(struct chart_options){0}, BYTES_CORE, &roofs, &points);
    assert_string_equal(roofs.view.type, "f64");
    roofs.view.node = 1;
    points_find(&roofs, &(struct chart_options){0}, &points);
    assert_int_equal(points.count, 0);
    assert_contains(points.notes.list[0], "roofs of a part");
    draw_all(&r, &(struct chart_options){0});
    model_free(&model);
    results_free(&r);
}

static void regions_have_sizes_and_one_look(void **state) {
    (void)state;
    static struct roofs roofs;
    static struct points points;
    struct result r = fixture_result(fixture_machine(4, FIXTURE_AVX2), NULL);
    static const double SHARES[] = {0.6, 0.3, 0.01};
    for (size_t i = 0; i < 3; i++) {
        char name[] = "cg:a";
        name[3] = (char)('a' + i);
        add_point(&r, name, "cg", 1, 1e9 * (double)(i + 1), 0.1);
        r.points[i].part = APP_REGION;
        r.points[i].time_share = SHARES[i];
    }
    add_point(&r, "triad", "triad", 1, 1e9, 1.0 / 12);
    r.points[1].doubts = DOUBTS(DOUBT_OPEN_REGION, DOUBT_SIMULATED);
    struct model model = model_build(&r);
    find(&model, &(struct chart_options){0}, BYTES_CORE, &roofs, &points);
    const struct plot_point *a = find_label(&points, "cg:a"), *b = find_label(&points, "cg:b ▲"),
                            *c = find_label(&points, "cg:c"), *triad = find_label(&points, "triad");
    assert_near(a->radius * a->radius / 0.6, b->radius * b->radius / 0.3);
    assert_true(c->radius > 2 && c->radius < b->radius); /* never too small to be seen */
    assert_true(a->shape == b->shape && a->shape != triad->shape);
    assert_true(a < b && b < c); /* small ones lie above large ones */
    assert_contains(a->legend, "cg (size: share of its time)");
    assert_true(!b->legend && !c->legend && !triad->legend);
    assert_int_equal(points.notes.count, 1); /* the roofline does not show traffic */
    assert_string_equal(points.notes.list[0], "region not closed: cg:b");
    static const char *const NAMES[] = {"cg", NULL};
    find(&model, &(struct chart_options){.points = NAMES}, BYTES_CORE, &roofs, &points);
    assert_int_equal(points.count, 3);
    draw_all(&r, &(struct chart_options){0});
    model_free(&model);
    results_free(&r);
}

/* DRAM bytes never appear on the axis of the core's bytes except as outlines. */
static void traffic_is_told_apart(void **state) {
    (void)state;
    static struct roofs roofs;
    static struct points points;
    struct result r = fixture_result(fixture_machine(4, FIXTURE_AVX2), NULL);
    add_point(&r, "triad", "triad", 1, 1e9, 1.0 / 12);
    add_point(&r, "unknown", "unknown", 1, 2e9, 0.2);
    r.points[0].dram_read_bytes = exactly(12e9);
    r.points[0].dram_write_bytes = exactly(4e9);
    r.points[0].dram_source = SOURCE_SIMULATED;
    r.points[0].doubts = DOUBTS(DOUBT_SIMULATED);
    struct model model = model_build(&r);
    find(&model, &(struct chart_options){.dram = true}, BYTES_CORE, &roofs, &points);
    assert_int_equal(points.count, 2);
    assert_int_equal(points.outline_count, 1);
    const struct plot_point *outline = &points.outlines[0], *triad = find_label(&points, "triad");
    assert_near(outline->x, 1.0 / 16);
    assert_near(triad->x, 1.0 / 12);
    assert_true(outline->hollow && !triad->hollow && outline->shape == triad->shape && !outline->label);
    assert_contains(outline->legend, "DRAM byte");
    const struct plot_line *link = &points.lines[0];
    assert_true(link->dash == PLOT_DOTTED && link->count == 2 && link->x[0] == triad->x && link->x[1] == outline->x &&
                link->y[0] == triad->y && link->y[1] == triad->y);
    assert_contains(outline->legend, "(simulated)");
    assert_int_equal(points.notes.count, 1);
    assert_string_equal(points.notes.list[0], "DRAM traffic not known: unknown");

    find(&model, &(struct chart_options){0}, BYTES_DRAM, &roofs, &points);
    assert_int_equal(points.count, 1);
    assert_int_equal(points.outline_count, 0);
    assert_near(points.points[0].x, 1.0 / 16);
    assert_contains(points.points[0].sublabel, "DRAM ");
    assert_contains(points.notes.list[0], "unknown (DRAM traffic not known)");
    r.points[1].dram_source = SOURCE_SIMULATED; /* and none: warm data */
    find(&model, &(struct chart_options){0}, BYTES_DRAM, &roofs, &points);
    assert_contains(points.notes.list[0], "unknown (no such bytes)");
    assert_string_equal(points.traffic_source, "simulated");
    assert_contains(roofs.x.title, "between caches and memory");
    assert_int_equal(roofs.level_count, 1);
    roofs_draw(&roofs);
    for (size_t i = 0; i < model.count; i++) { /* its roof is the memory's transfer rate, including write-allocate */
        const struct sample *sample = model.roofs[i].sample;
        if (sample->threads == 1 && strcmp(sample->level, "DRAM") == 0 && strcmp(sample->kernel, "avx2.store") == 0)
            assert_true(roofs.lines[roofs.line_count - 1].y[0] >= 2 * sample->value * roofs.x.min);
    }
    drawn(&r, chart_named("dram"), &(struct chart_options){0});
    drawn(&r, chart_named("dram"), &(struct chart_options){.no_points = true});
    drawn(&r, &chart_table[0], &(struct chart_options){.dram = true});
    model_free(&model);
    results_free(&r);
}

static void more_applications_than_fit(void **state) {
    (void)state;
    static struct roofs roofs;
    static struct points points;
    struct result r = fixture_result(fixture_machine(4, FIXTURE_AVX2), NULL);
    for (unsigned i = 0; i < POINTS_MAX_ALONE + 10; i++) {
        char name[96];
        snprintf(name, sizeof name, "%080u", i);
        add_point(&r, name, name, 1, 1e9 * (1 + i % 7), 0.1 * (1 + i % 3));
        r.points[i].doubts = doubts_all();
        r.points[i].dram_read_bytes = exactly(1e9);
        r.points[i].dram_source = SOURCE_COUNTERS;
    }
    struct model model = model_build(&r);
    find(&model, &(struct chart_options){.dram = true}, BYTES_CORE, &roofs, &points);
    assert_int_equal(points.count, POINTS_MAX_ALONE);
    assert_int_equal(points.outline_count, POINTS_MAX_ALONE);
    assert_true(points.notes.count <= POINTS_MAX_NOTES);
    assert_contains(points.notes.list[0], "(too many)");
    assert_contains(points.notes.list[0], " … 5 more");
    assert_contains(points.notes.list[1], ": all points");
    draw_all(&r, &(struct chart_options){.dram = true});
    model_free(&model);
    results_free(&r);
}

/* A shade around lines whose interval is wider than they are; on a quiet machine there is none. */
static void uncertain_roofs_have_a_shade(void **state) {
    (void)state;
    struct result r = fixture_result(fixture_machine(4, FIXTURE_AVX512), NULL);
    struct sample *ceiling = NULL, *l3 = NULL;
    for (int uncertain = 0; uncertain < 2; uncertain++) {
        static struct roofs roofs;
        struct model model = model_build(&r);
        roofs = (struct roofs){
            .model = &model, .view = {.threads = 4, .type = "f64"}, .all_levels = &r.levels[0], .peak = NULL};
        roofs_find(&roofs, &(struct chart_options){0});
        roofs_draw(&roofs);
        const size_t level_bands = roofs.level_count;
        assert_int_equal(roofs.band_count, level_bands + 2 * (size_t)uncertain);
        assert_int_equal(roofs.has_interval, uncertain);
        const struct plot_band *peak = &roofs.bands[0], *level = &roofs.bands[level_bands];
        for (size_t i = 0; uncertain && i < 3; i++) { /* ceilings are drawn first */
            assert_near(peak->y_low[i], ceiling->value);
            assert_near(peak->y_high[i], ceiling->value * 1.1);
            assert_near(level->y_low[i], level->x[i] * l3->value * 0.9);
            assert_near(level->y_high[i], fmin(level->x[i] * l3->value * 1.02, roofs.highest->sample->value));
        }
        if (uncertain) {
            assert_contains(peak->legend, "90 % interval");
            assert_null(level->legend); /* once is enough */
        }
        /* For the second round: L3's best pattern, and the peak. */
        for (size_t i = 0; i < roofs.level_count; i++)
            if (strcmp(roofs.levels[i].roof->sample->level, "L3") == 0)
                l3 = fixture_sample_of(&r, roofs.levels[i].roof->sample->kernel, "L3", 4);
        ceiling = fixture_sample_of(&r, roofs.peak->sample->kernel, "", 4);
        fixture_intervals(&r, 0.019, 0.019);
        ceiling->low = ceiling->value;
        ceiling->high = ceiling->value * 1.1;
        l3->low = l3->value * 0.9;
        l3->high = l3->value * 1.02;
        model_free(&model);
    }
    drawn(&r, &chart_table[0], &(struct chart_options){0});
    fixture_intervals(&r, 1, 1e6); /* from zero on: nothing is known */
    drawn(&r, &chart_table[0], &(struct chart_options){.random = true});
    results_free(&r);
}

/* Beside the ridges, which all have a label. */
static void take_intensities(const struct plot *plot, void *taker) {
    for (size_t i = 0; i < plot->mark_count; i++)
        *(unsigned *)taker += plot->marks[i].vertical && !plot->marks[i].label;
}

static void a_line_at_each_intensity(void **state) {
    (void)state;
    struct error err;
    struct result r = fixture_result(fixture_machine(4, FIXTURE_AVX512), NULL);
    add_point(&r, "triad", "triad", 1, 1e9, 1.0 / 12);
    struct model model = model_build(&r);
    unsigned lines = 0, none = 0;
    struct chart_options options = {.intensities = true, .take = take_intensities, .taker = &lines};
    assert_true(chart_roofline(&model, &options, "", &err));
    options = (struct chart_options){.take = take_intensities, .taker = &none};
    assert_true(chart_roofline(&model, &options, "", &err));
    assert_int_equal(lines, 1);
    assert_int_equal(none, 0);
    model_free(&model);
    results_free(&r);
}

struct documented_seen {
    const char *unit;
    unsigned dashed, levels;
    double l1_ratio, peak_ratio;
};

/* A dashed line beside each roof with a documented value, higher by the missing part. */
static void take_documented(const struct plot *plot, void *taker) {
    struct documented_seen *seen = taker;
    double l1 = 0, peak = 0;
    for (size_t i = 0; i < plot->line_count; i++) {
        const struct plot_line *line = &plot->lines[i];
        const bool documented = line->label && strstr(line->label, "documented");
        seen->dashed += documented && line->dash == PLOT_DASHED;
        seen->levels += documented && line->group;
        l1 = line->group && strcmp(line->group, "L1") == 0 && !documented ? line->y[0] : l1;
        peak = line->width > 2 && line->y[0] == line->y[1] ? line->y[0] : peak;
        if (documented && line->group && strcmp(line->group, "L1") == 0)
            seen->l1_ratio = l1 / line->y[0];
        if (documented && !line->group)
            seen->peak_ratio = peak / line->y[0];
        assert_true(!documented || line->y[1] < plot->y.max);
        if (line->group && strcmp(line->group, "L1") == 0) /* vague, but documented exactly; in the axes' unit */
            assert_true(documented == !strstr(line->short_sublabel, "–") && strstr(line->short_sublabel, seen->unit));
    }
}

struct deviation_seen {
    unsigned bars;
    double slopes[8]; /* of lines of levels */
    unsigned slope_count;
};

/* The fixture's repetitions have 0.9, 0.98, 0.99, 1 and 1.01 of the roof. */
static void take_deviation(const struct plot *plot, void *taker) {
    struct deviation_seen *seen = taker;
    for (size_t i = 0; i < plot->line_count; i++)
        if (plot->lines[i].group && seen->slope_count < 8)
            seen->slopes[seen->slope_count++] = plot->lines[i].y[0] / plot->lines[i].x[0];
    for (size_t i = 0; i < plot->point_count; i++) {
        const struct plot_point *bar = &plot->points[i];
        bool on_line = false;
        for (size_t k = 0; k < plot->line_count; k++)
            on_line |= plot->lines[k].source == bar->source && !plot->lines[k].group &&
                       fabs(bar->y / 0.99 / plot->lines[k].y[0] - 1) < 1e-9;
        for (size_t k = 0; k < seen->slope_count; k++)
            on_line |= fabs(bar->y / 0.99 / bar->x / seen->slopes[k] - 1) < 1e-9;
        assert_true(on_line && bar->x > plot->x.min && bar->x < plot->x.max);
        assert_near(bar->y_min / bar->y, 0.9 / 0.99);
        assert_near(bar->y_q1 / bar->y, 0.98 / 0.99);
        assert_near(bar->y_q3 / bar->y, 1 / 0.99);
        assert_near(bar->y_max / bar->y, 1.01 / 0.99);
        assert_non_null(strstr(bar->detail, "93 repetitions"));
        assert_true((seen->bars == 0) == (bar->legend != NULL));
        seen->bars++;
    }
}

static void bars_tell_how_far_repetitions_lie_apart(void **state) {
    (void)state;
    struct error err;
    struct result r = fixture_result(fixture_machine(4, FIXTURE_AVX512), NULL);
    const struct chart_options deviation = {.deviation = true};
    struct model model = model_build(&r);
    for (unsigned per_cycle = 0; per_cycle < 2; per_cycle++) {
        struct deviation_seen seen = {0};
        const struct chart_options options = {
            .deviation = true, .per_cycle = per_cycle, .take = take_deviation, .taker = &seen};
        assert_true(chart_roofline(&model, &options, "", &err));
        assert_true(seen.bars > seen.slope_count && seen.slope_count >= 4);
    }
    model_free(&model);
    drawn(&r, &chart_table[0], &deviation);
    for (size_t i = 0; i < r.sample_count; i++)
        r.samples[i].rate = (struct statistics){0};
    refused(&r, &chart_table[0], &deviation, "repetitions of these roofs", "carmine run");
    results_free(&r);
}

static void documented_limits(void **state) {
    (void)state;
    struct error err;
    struct result r = fixture_result(fixture_machine(4, FIXTURE_AVX512), NULL);
    struct documented_seen seen = {.unit = "B/s"};
    for (size_t i = 0; i < r.sample_count; i++) {
        const bool l1 = strcmp(r.samples[i].level, "L1") == 0, compute = r.samples[i].kind == SAMPLE_COMPUTE;
        if (l1)
            r.samples[i].low = 0.6 * r.samples[i].value, r.samples[i].high = 1.5 * r.samples[i].value;
        r.samples[i].documented_per_cycle = r.samples[i].per_cycle / (compute ? 0.5 : l1 ? 0.8 : INFINITY);
    }
    struct model model = model_build(&r);
    const struct chart_options options = {.documented = true, .take = take_documented, .taker = &seen};
    assert_true(chart_roofline(&model, &options, "", &err));
    assert_int_equal(seen.dashed, 2);
    assert_int_equal(seen.levels, 1);
    assert_near(seen.l1_ratio, 0.8);
    assert_near(seen.peak_ratio, 0.5);
    drawn(&r, &chart_table[0], &(struct chart_options){.documented = true});
    struct documented_seen per_cycle = {.unit = "B/cycle"};
    const struct chart_options cycles = {
        .documented = true, .per_cycle = true, .take = take_documented, .taker = &per_cycle};
    assert_true(chart_roofline(&model, &cycles, "", &err));
    model_free(&model);
    for (size_t i = 0; i < r.sample_count; i++)
        r.samples[i].documented_per_cycle = 0;
    refused(&r, &chart_table[0], &(struct chart_options){.documented = true}, "have no documented limits",
            "carmine spec");
    results_free(&r);
}

/* Three ceilings decide: the peak, additions of its instruction set, and scalar code. */
static void ceilings_that_decide(void **state) {
    static const char *const DECIDE[] = {"AVX-512 FMA", "AVX-512 ADD", "scalar FMA"};
    (void)state;
    struct result r = fixture_result(fixture_machine(4, FIXTURE_AVX512), NULL);
    struct roofs *roofs = calloc(2, sizeof *roofs);
    struct points *points = calloc(1, sizeof *points);
    for (size_t i = 0; i < r.sample_count; i++) {
        const char *kernel = r.samples[i].kernel, *op = strrchr(kernel, '.');
        if (r.samples[i].kind == SAMPLE_COMPUTE)
            r.samples[i].value *= (strcmp(op, ".fma") == 0   ? 1
                                   : strcmp(op, ".add") == 0 ? 0.5
                                                             : 0.4) *
                                  (kernel[0] == 'a'   ? 1
                                   : kernel[1] == 's' ? 0.6
                                                      : 0.3);
    }
    struct model model = model_build(&r);
    for (int all = 0; all < 2; all++)
        find(&model, &(struct chart_options){.all_ceilings = all}, BYTES_CORE, &roofs[all], points);
    assert_int_equal(roofs[0].ceiling_count, 3);
    for (size_t i = 0; i < 3; i++) {
        char text[64];
        chart_label(roofs[0].ceilings[i], text, sizeof text);
        assert_string_equal(text, DECIDE[i]);
    }
    assert_true(roofs[1].ceiling_count > 4);
    model_free(&model);
    results_free(&r);
    free(points);
    free(roofs);
}

/* The highest ceiling is drawn, whichever instruction set the peak has: roofs end there. */
static void the_highest_ceiling_is_drawn(void **state) {
    (void)state;
    struct result r = fixture_result(fixture_machine(4, FIXTURE_AVX512), NULL);
    struct roofs *roofs = calloc(1, sizeof *roofs);
    struct points *points = calloc(1, sizeof *points);
    for (size_t i = 0; i < r.sample_count; i++) {
        if (strcmp(r.samples[i].kernel, "avx512.f64.fma") == 0)
            sample_blank(&r.samples[i]);
        else if (strcmp(r.samples[i].kernel, "avx512.f64.add") == 0)
            r.samples[i].value *= 4;
    }
    struct model model = model_build(&r);
    find(&model, &(struct chart_options){0}, BYTES_CORE, roofs, points);
    assert_string_equal(roofs->highest->sample->kernel, "avx512.f64.add");
    assert_string_not_equal(roofs->peak->isa, "avx512");
    model_free(&model);
    results_free(&r);
    free(points);
    free(roofs);
}

static void labels(void **state) {
    (void)state;
    static const struct {
        const char *kernel, *label;
        enum sample_kind kind;
    } rows[] = {
        {"avx512.f64.fma", "AVX-512 FMA", SAMPLE_COMPUTE},
        {"avx512.2ld1st", "2LD1ST", SAMPLE_BANDWIDTH},
        {"sse.load", "load", SAMPLE_BANDWIDTH},
        {"chase", "pointer chase", SAMPLE_LATENCY},
        {"nonsense", "NONSENSE", SAMPLE_COMPUTE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sample s = {.kind = rows[i].kind, .value = 1};
        strcpy(s.kernel, rows[i].kernel);
        struct model model = model_build(&(struct result){.sample_count = 1, .samples = &s});
        char text[64];
        chart_label(&model.roofs[0], text, sizeof text);
        assert_string_equal(text, rows[i].label);
        model_free(&model);
    }
}

/* The output of chart_levels(), as far as the tests need it. */
struct levels_seen {
    size_t filled, hollow, names, arrows, bands;
    double naive_x;
    char naive[64];
};

static void take_levels(const struct plot *plot, void *taker) {
    struct levels_seen *seen = taker;
    seen->bands = plot->band_count;
    for (size_t i = 0; i < plot->line_count; i++)
        seen->arrows += plot->lines[i].arrow;
    for (size_t i = 0; i < plot->point_count; i++) {
        const struct plot_point *point = &plot->points[i];
        seen->filled += !point->hollow;
        seen->hollow += point->hollow;
        seen->names += point->label != NULL;
        if (point->label && strcmp(point->label, "dgemm naive") == 0) {
            seen->naive_x = point->x;
            snprintf(seen->naive, sizeof seen->naive, "%s%s", point->sublabel, point->hollow ? ", hollow" : "");
        }
    }
}

static void take_frame(const struct plot *plot, void *taker) {
    size_t *roofs = taker;
    for (size_t i = 0; i < plot->line_count; i++) {
        const struct plot_line *line = &plot->lines[i];
        if (!line->label)
            continue;
        ++*roofs;
        assert_true(line->x[1] > 2 * plot->x.min && line->x[1] <= plot->x.max);
        assert_true(line->y[1] > 10 * plot->y.min && line->y[1] < plot->y.max);
    }
}

/* The picture of a single application, wherever it is, shows every roof. */
static void levels_frame_their_roofs(void **state) {
    static const char *const ONE[][2] = {
        {"forms/dgemm blocked"}, {"forms/triad"}, {"forms/random"}, {"forms/sum in L1"}};
    (void)state;
    struct result r;
    struct error err;
    assert_true(results_read("tests/golden/files/levels.json", &r, &err));
    struct model model = model_build(&r);
    for (size_t i = 0; i < sizeof ONE / sizeof *ONE; i++) {
        size_t roofs = 0;
        if (!chart_levels(&model, &(struct chart_options){.points = ONE[i], .take = take_frame, .taker = &roofs}, "",
                          &err))
            fail_msg("%s", err.text);
        assert_int_equal(roofs, 5);
    }
    model_free(&model);
    results_free(&r);
}

static void take_time(const struct plot *plot, void *taker) {
    const struct plot_band **naive = taker;
    for (size_t i = 0; i < plot->band_count; i++)
        if (plot->bands[i].label && strcmp(plot->bands[i].label, "L2 ⇄ L3  904 ms") == 0) {
            assert_true(plot->bands[i].color.a == 1); /* it needs the longest */
            assert_true(fabs(plot->bands[i].x[1] - 71.2) < 0.1);
            *naive = &plot->bands[i];
        }
    assert_int_equal(plot->band_count, 7 * 5);
    assert_string_equal(plot->y.names[plot->y.name_count - 1], "forms · 2.4 s");
}

/* A bar for each link and the ceiling, against the measured time. */
static void time_of_each_link(void **state) {
    (void)state;
    struct result r;
    struct error err;
    const struct plot_band *naive = NULL;
    assert_true(results_read("tests/golden/files/levels.json", &r, &err));
    struct model model = model_build(&r);
    assert_true(chart_time(&model, &(struct chart_options){.take = take_time, .taker = &naive}, "", &err));
    assert_non_null(naive);
    drawn(&r, chart_named("time"), &(struct chart_options){0});
    for (size_t i = 0; i < r.point_count; i++)
        r.points[i].levels.links = 0;
    refused(&r, chart_named("time"), &(struct chart_options){0}, "no application with known traffic", "app --levels");
    model_free(&model);
    results_free(&r);
}

static void take_path(const struct plot *plot, void *taker) {
    size_t *lines = taker;
    *lines = 0;
    for (size_t i = 0; i < plot->line_count; i++) {
        const struct plot_line *line = &plot->lines[i];
        *lines += line->count == 2 && line->width < 0.75 && line->width > 0.65;
    }
}

/* A thin line leads from phase to phase, of the same program alone. */
static void phases_are_joined(void **state) {
    (void)state;
    struct result r;
    struct error err;
    size_t lines = 0;
    assert_true(results_read("tests/golden/files/levels.json", &r, &err));
    struct model model = model_build(&r);
    const struct chart_options options = {.take = take_path, .taker = &lines};
    assert_true(chart_roofline(&model, &options, "", &err));
    assert_int_equal(lines, 0);
    for (size_t i = 1; i < 4; i++)
        r.points[i].part = APP_PHASE;
    assert_true(chart_roofline(&model, &options, "", &err));
    assert_int_equal(lines, 2);
    strcpy(r.points[3].program, "another");
    assert_true(chart_roofline(&model, &options, "", &err));
    assert_int_equal(lines, 1);
    model_free(&model);
    results_free(&r);
}

static void take_loop(const struct plot *plot, void *taker) {
    size_t *bars = taker;
    *bars = plot->band_count;
    assert_string_equal(plot->y.names[0], "a loop · 4.1 cycles");
    assert_string_equal(plot->bands[0].label, "chain of addsd  4");
    assert_true(plot->bands[0].color.a == 1 && plot->bands[1].color.a < 1);
    assert_true(fabs(plot->bands[0].x[1] - 100 * 4 / 4.1) < 0.1);
}

static void take_refuted(const struct plot *plot, void *taker) {
    (void)taker;
    assert_string_equal(plot->bands[1].label, "port 5  13, refuted");
    assert_true(plot->bands[0].color.a == 1 && plot->bands[1].color.a < 1);
}

static void take_name(const struct plot *plot, void *taker) {
    snprintf(taker, 64, "%s", plot->y.names[0]);
}

/* A bar for each part of a loop's account, against the measured cycles. */
static void time_of_each_part_of_a_loop(void **state) {
    (void)state;
    struct result r;
    struct error err;
    size_t bars = 0;
    assert_true(results_read("tests/golden/files/levels.json", &r, &err));
    refused(&r, chart_named("loops"), &(struct chart_options){0}, "no loop with known time", "app --by loop");
    struct app_point *point = &r.points[0];
    *point = (struct app_point){.part = APP_LOOP,
                                .threads = 1,
                                .processes = 1,
                                .iterations = 1000000,
                                .time_share = 1,
                                .clock_hz = 1e9,
                                .has_count = true,
                                .name = "a loop"};
    point->count.instructions = 6000000;
    point->seconds = app_once(4.1e-3);
    point->in_core = (struct point_in_core){.known = true,
                                            .instructions = 6,
                                            .ports = 1,
                                            .busiest_ports = "5",
                                            .renaming = 0.8,
                                            .chain = 4,
                                            .chain_of = "addsd",
                                            .flight = 80};
    struct model model = model_build(&r);
    assert_true(chart_loops(&model, &(struct chart_options){.take = take_loop, .taker = &bars}, "", &err));
    assert_int_equal(bars, 3);
    drawn(&r, chart_named("loops"), &(struct chart_options){0});
    point->in_core.ports = 13;
    assert_true(chart_loops(&model, &(struct chart_options){.take = take_refuted}, "", &err));
    point->in_core.ports = 1;
    char name[64];
    strcpy(point->name, "program/größte_Funktion_mit_sehr_langem_Namen… (0x30)");
    assert_true(chart_loops(&model, &(struct chart_options){.take = take_name, .taker = name}, "", &err));
    assert_string_equal(name, "größte_Funktion_mit_seh…amen… (0x30) · 4.1 cycles");
    model_free(&model);
    results_free(&r);
}

/* A row of marks for each application; the binding one is filled, at its own intensity. */
static void levels_of_each_application(void **state) {
    (void)state;
    struct result r;
    struct error err;
    struct levels_seen seen = {0};
    assert_true(results_read("tests/golden/files/levels.json", &r, &err));
    struct model model = model_build(&r);
    assert_true(chart_levels(&model, &(struct chart_options){.take = take_levels, .taker = &seen}, "", &err));
    assert_int_equal(seen.names, 7);
    assert_int_equal(seen.filled, 6);                /* a ceiling binds the seventh */
    assert_int_equal(seen.filled + seen.hollow, 25); /* a sum in L1 has a ceiling that is not far off */
    assert_int_equal(seen.arrows, 1);
    assert_int_equal(seen.bands, 4);
    assert_string_equal(seen.naive, "L3 71 %");
    assert_near(seen.naive_x, r.points[2].flop.median / point_link_bytes(&r.points[2].levels.link[2]));
    drawn(&r, chart_named("levels"), &(struct chart_options){0});
    for (size_t i = 0; i < r.point_count; i++)
        r.points[i].levels.links = 0;
    refused(&r, chart_named("levels"), &(struct chart_options){0}, "no application of 1 thread with known traffic",
            "app --levels");
    model_free(&model);
    results_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_thread_and_many),
        cmocka_unit_test(roofs_of_a_narrower_isa),
        cmocka_unit_test(machines_of_other_shapes),
        cmocka_unit_test(parts_of_a_result),
        cmocka_unit_test(blank_roofs_have_a_note),
        cmocka_unit_test(choices_that_the_result_lacks),
        cmocka_unit_test(doubts_are_drawn),
        cmocka_unit_test(extreme_values),
        cmocka_unit_test(applications_of_one_view),
        cmocka_unit_test(a_program_over_time),
        cmocka_unit_test(loops_in_each_other),
        cmocka_unit_test(applications_of_other_views),
        cmocka_unit_test(regions_have_sizes_and_one_look),
        cmocka_unit_test(traffic_is_told_apart),
        cmocka_unit_test(more_applications_than_fit),
        cmocka_unit_test(uncertain_roofs_have_a_shade),
        cmocka_unit_test(bars_tell_how_far_repetitions_lie_apart),
        cmocka_unit_test(documented_limits),
        cmocka_unit_test(the_highest_ceiling_is_drawn),
        cmocka_unit_test(a_line_at_each_intensity),
        cmocka_unit_test(ceilings_that_decide),
        cmocka_unit_test(labels),
        cmocka_unit_test(levels_of_each_application),
        cmocka_unit_test(levels_frame_their_roofs),
        cmocka_unit_test(time_of_each_link),
        cmocka_unit_test(phases_are_joined),
        cmocka_unit_test(time_of_each_part_of_a_loop),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
