/* SPDX-License-Identifier: BSD-3-Clause
 * Roofs of several numbers of threads in one roofline, each application among its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/chart/chart_groups.h"
#include "tests/support/series.h"

/* The parts of a picture that tests check; texts are copied, because a plot lives only for its call. */
struct picture {
    size_t line_count, point_count, note_count, mark_count, band_count;
    struct seen_line {
        char label[96], sublabel[64];
        double width, y_end;
    } lines[64];
    struct seen_point {
        char label[96], sublabel[96], legend[96];
        struct plot_color color;
        enum plot_shape shape;
        double y;
        bool ghost;
    } points[64];
    char notes[8][200], title[160], y_title[64];
    bool right;
};

static void take(const struct plot *plot, void *taker) {
    struct picture *out = taker;
    *out = (struct picture){.mark_count = plot->mark_count, .band_count = plot->band_count};
    for (size_t i = 0; i < plot->line_count && out->line_count < 64; i++) {
        const struct plot_line *line = &plot->lines[i];
        struct seen_line *seen = &out->lines[out->line_count++];
        seen->width = line->width, seen->y_end = line->y[line->count - 1];
        snprintf(seen->label, sizeof seen->label, "%s", line->label ? line->label : "");
        snprintf(seen->sublabel, sizeof seen->sublabel, "%s", line->sublabel ? line->sublabel : "");
    }
    for (size_t i = 0; i < plot->point_count && out->point_count < 64; i++) {
        const struct plot_point *point = &plot->points[i];
        struct seen_point *seen = &out->points[out->point_count++];
        seen->color = point->color, seen->shape = point->shape, seen->y = point->y, seen->ghost = point->ghost;
        snprintf(seen->label, sizeof seen->label, "%s", point->label ? point->label : "");
        snprintf(seen->sublabel, sizeof seen->sublabel, "%s", point->sublabel ? point->sublabel : "");
        snprintf(seen->legend, sizeof seen->legend, "%s", point->legend ? point->legend : "");
    }
    for (; out->note_count < plot->note_count && out->note_count < 8; out->note_count++)
        snprintf(out->notes[out->note_count], sizeof out->notes[0], "%s", plot->notes[out->note_count]);
    snprintf(out->title, sizeof out->title, "%s", plot->title);
    snprintf(out->y_title, sizeof out->y_title, "%s", plot->y.title);
    out->right = plot->right_title != NULL;
}

static struct picture *pictured(const struct result *r, const char *chart, struct chart_options options) {
    static struct picture picture;
    struct model model = model_build(r);
    struct error err = {""};
    options.take = take, options.taker = &picture;
    if (!chart_named(chart)->draw(&model, &options, NULL, &err))
        fail_msg("%s", err.text);
    model_free(&model);
    return &picture;
}

static const struct seen_line *line(const struct picture *picture, const char *label) {
    for (size_t i = 0; i < picture->line_count; i++)
        if (strcmp(picture->lines[i].label, label) == 0)
            return &picture->lines[i];
    return NULL;
}

static const struct seen_point *point(const struct picture *picture, const char *label) {
    for (size_t i = 0; i < picture->point_count; i++)
        if (strcmp(picture->points[i].label, label) == 0 && !picture->points[i].ghost)
            return &picture->points[i];
    fail_msg("there is no point %s", label);
    return NULL;
}

static const struct chart_options BOTH = {.threads = 4, .fewer = {1}, .fewer_count = 1};

static void roofs_of_fewer_are_thinner(void **state) {
    (void)state;
    struct result r = four_cores();
    const struct picture alone = *pictured(&r, "roofline", (struct chart_options){.threads = 4}),
                         both = *pictured(&r, "roofline", BOTH);
    const struct seen_line *one = line(&both, "L1, 1 thread"), *four = &both.lines[0];
    for (size_t i = 0; i < both.line_count; i++)
        four = strncmp(both.lines[i].label, "L1  ", 4) == 0 ? &both.lines[i] : four;
    assert_non_null(one);
    assert_true(one->width > 0 && one->width < four->width && one->y_end < four->y_end);
    assert_non_null(line(&both, "4 threads")); /* of the legend */
    assert_true(line(&both, "1 thread")->width < line(&both, "4 threads")->width);
    assert_null(line(&alone, "4 threads"));
    assert_int_equal(both.mark_count, alone.mark_count); /* ridges and bands are those of the highest number */
    assert_int_equal(both.band_count, alone.band_count);
    assert_contains(both.title, "1 and 4 cores");
    assert_contains(alone.title, "· 4 cores");
    assert_true(alone.right && !both.right); /* per core, one height would have two values */
    struct chart_options per_cycle = BOTH;
    per_cycle.per_cycle = true;
    assert_contains(pictured(&r, "roofline", per_cycle)->y_title, "of all cores together");
    assert_contains(pictured(&r, "dram", BOTH)->title, "1 and 4 cores");
    results_free(&r);
}

static size_t ceilings_of_one(const struct picture *picture) {
    size_t count = 0;
    for (size_t i = 0; i < picture->line_count; i++) {
        const char *label = picture->lines[i].label;
        count += strstr(label, ", 1 thread") && label[0] != 'L' && strncmp(label, "DRAM", 4) != 0;
    }
    return count;
}

/* A ceiling of one core may coincide with one of all; the highest ones stay. */
static void no_ceiling_lies_on_another(void **state) {
    (void)state;
    struct result r = four_cores();
    struct chart_options all = BOTH;
    all.all_ceilings = true;
    for (size_t i = 0; i < r.sample_count; i++)
        r.samples[i].value *= strncmp(r.samples[i].kernel, "sse.", 4) == 0 ? 0.4 : 1;
    assert_true(ceilings_of_one(pictured(&r, "roofline", all)) > 1);
    for (size_t i = 0; i < r.sample_count; i++)
        for (size_t k = 0; k < r.sample_count; k++)
            if (r.samples[i].kind == SAMPLE_COMPUTE && r.samples[i].threads == 4 && r.samples[k].threads == 1 &&
                strcmp(r.samples[i].kernel, r.samples[k].kernel) == 0)
                r.samples[i].value = r.samples[k].value;
    assert_int_equal(ceilings_of_one(pictured(&r, "roofline", all)), 1);
    results_free(&r);
}

static void points_stand_among_their_own(void **state) {
    (void)state;
    struct result r = four_cores();
    add_series(&r, "dgemm cold 1 thread", HUNDREDS, 3, 1e9);
    add_series(&r, "dgemm cold 4 threads", HUNDREDS, 3, 4e9);
    add_series(&r, "fft cold 4 threads", POWERS, 3, 2e9);
    for (size_t i = 3; i < 9; i++)
        r.points[i].threads = 4;
    *add_size(&r, "solve cold", 7, 1e-8)->series = '\0';
    add_size(&r, "march cold", 8, 1e-8)->threads = 4;
    *r.points[10].series = '\0';
    const struct picture both = *pictured(&r, "roofline", BOTH);
    const struct seen_point *one = NULL, *four = NULL, *fft = NULL;
    for (size_t i = 0; i < both.point_count; i++) {
        const struct seen_point *p = &both.points[i];
        one = strstr(p->legend, "dgemm cold 1 thread, ") ? p : one;
        four = strstr(p->legend, "dgemm cold 4 threads, ") ? p : four;
        fft = strstr(p->legend, "fft cold 4 threads, ") ? p : fft;
    }
    assert_true(one && four && fft);
    assert_true(one->color.r == four->color.r && one->color.b == four->color.b && one->shape != four->shape);
    assert_true(fft->color.r != four->color.r && fft->shape == four->shape);
    assert_contains(point(&both, "solve")->sublabel, " · 1 thread");
    assert_contains(point(&both, "march")->sublabel, " · 4 threads");
    for (size_t i = 0; i < both.note_count; i++)
        assert_null(strstr(both.notes[i], "not drawn"));
    char single[96]; /* its fraction of the roof equals that in the picture for its own threads */
    snprintf(single, sizeof single, "%s", point(&both, "solve")->sublabel);
    assert_memory_equal(single,
                        point(pictured(&r, "roofline", (struct chart_options){.threads = 1}), "solve")->sublabel,
                        strlen(single) - strlen(" · 1 thread"));
    results_free(&r);
}

static void three_numbers(void **state) {
    (void)state;
    const struct plan_options threads = {.threads = {1, 2, 4}, .thread_count = 3};
    struct result r = fixture_result(fixture_machine(4, FIXTURE_AVX2), &threads);
    const struct chart_options options = {.threads = 4, .fewer = {2, 1}, .fewer_count = 2};
    const struct picture all = *pictured(&r, "roofline", options);
    assert_contains(all.title, "1, 2 and 4 cores");
    const double one = line(&all, "L1, 1 thread")->width, two = line(&all, "L1, 2 threads")->width;
    assert_true(one > 0 && one < two && two < line(&all, "4 threads")->width);
    assert_near(one, line(&all, "1 thread")->width); /* as shown in the legend */
    free(drawn(&r, "dram", options));
    results_free(&r);
}

/* The type of the ceilings is that of the points, even if only those of one core have some. */
static void the_type_is_that_of_any_points(void **state) {
    (void)state;
    struct result r = four_cores();
    struct app_point *point = add_size(&r, "sgemm cold 1 thread", 100, 1e-7);
    point->count.flop[COUNT_F32][COUNT_256] = point->count.flop[COUNT_F64][COUNT_256];
    point->count.flop[COUNT_F64][COUNT_256] = 0;
    assert_contains(pictured(&r, "roofline", BOTH)->title, "· f32");
    results_free(&r);
}

static void what_is_not_there(void **state) {
    (void)state;
    struct result r = four_cores();
    refused(&r, "roofline", (struct chart_options){.threads = 4, .fewer = {3}, .fewer_count = 1}, "(of 3 threads)");
    refused(&r, "roofline", (struct chart_options){.threads = 5, .fewer = {1}, .fewer_count = 1}, "(of 5 threads)");
    free(drawn(&r, "roofline", BOTH));
    free(drawn(&r, "write", BOTH));
    results_free(&r);
}

static void groups_of_workloads(void **state) {
    static const char *const SERIES[] = {
        "a cold 1 thread",    "a cold 2 threads", "a warm 1 thread", "b cold 16 threads",
        "a cold 128 threads", "2 threads",        "thread"};
    static const size_t NUMBERS[] = {0, 0, 1, 2, 0, 3, 4};
    struct app_point points[7] = {0};
    size_t numbers[7];
    (void)state;
    for (size_t i = 0; i < 7; i++)
        snprintf(points[i].series, sizeof points[i].series, "%s", SERIES[i]);
    groups_number_workloads(points, 7, numbers);
    for (size_t i = 0; i < 7; i++)
        assert_int_equal(numbers[i], NUMBERS[i]);
    for (unsigned a = 0; a < 30; a++) /* of ten workloads by three numbers of threads no two look alike */
        for (unsigned b = 0; b < a; b++) {
            struct plot_color color_a, color_b;
            enum plot_shape shape_a, shape_b;
            group_look_by_threads(a / 3, a % 3, &color_a, &shape_a);
            group_look_by_threads(b / 3, b % 3, &color_b, &shape_b);
            assert_true(shape_a != shape_b || color_a.r != color_b.r || color_a.g != color_b.g);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roofs_of_fewer_are_thinner),
        cmocka_unit_test(no_ceiling_lies_on_another),
        cmocka_unit_test(points_stand_among_their_own),
        cmocka_unit_test(the_type_is_that_of_any_points),
        cmocka_unit_test(three_numbers),
        cmocka_unit_test(what_is_not_there),
        cmocka_unit_test(groups_of_workloads),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
