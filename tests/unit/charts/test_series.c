/* SPDX-License-Identifier: BSD-3-Clause
 * Series in a roofline: their names, connections and labels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/chart/chart_groups.h"
#include "tests/support/series.h"

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
    assert_false(sizes_are_powers(small, 3)); /* such as numbers of threads */
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

static void groups_of_a_picture_are_told_apart(void **state) {
    (void)state;
    const size_t numbers[] = {7, 1, 7, 5, 0, 6, 3};
    size_t looks[7];
    groups_tell_apart(numbers, 7, looks);
    assert_int_equal(looks[4], 0); /* 0, 1, 3 and 7 have colours of their own */
    assert_int_equal(looks[1], 1);
    assert_int_equal(looks[6], 3);
    assert_true(looks[0] == 7 && looks[2] == 7);
    assert_int_equal(looks[3] % 5, 4); /* 5 has the colour of 0, and one colour is left */
    assert_int_equal(looks[5], 6);     /* no colour is left: 6 has the colour of 1 and its own shape */
    size_t all[40], of_all[40];
    for (size_t i = 0; i < 40; i++)
        all[i] = 3 * i;
    groups_tell_apart(all, 30, of_all);
    for (size_t i = 0; i < 30; i++)
        for (size_t k = 0; k < i; k++)
            assert_true(of_all[i] % 30 != of_all[k] % 30);
    groups_tell_apart(all, 40, of_all); /* more than there are looks: some are equal */
}

/* Lines that join points: those to roofs avoid labels, and come after the others. */
static size_t joining_lines(const struct points *points) {
    size_t count = 0;
    for (size_t i = 0; i < points->line_count; i++)
        count += !points->lines[i].clear;
    return count;
}

static size_t lines_of(const struct points *points, enum plot_dash dash) {
    size_t count = 0;
    for (size_t i = 0; i < joining_lines(points); i++)
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
    assert_int_equal(joining_lines(&points), 1);
    const struct plot_line *line = &points.lines[0];
    assert_int_equal(line->count, 5);
    assert_true(line->dash == PLOT_SOLID);
    static const double RISING[] = {2, 3, 1, 5, 4}; /* rates of the sizes 100, 200, … */
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

/* Ends are labelled; between them only isolated points. */
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
    for (unsigned i = 0; i < 12; i++) /* all at one place */
        r.points[i].seconds = fixture_around(2 * exp2(i + 5) / 1e9);
    r.points[11].doubts = DOUBTS(DOUBT_UNSTABLE);
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
    assert_int_equal(joining_lines(&points), 2); /* of one corner: invisible */
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
    struct chart_options all = {.joined = true}, none = {.unjoined = true}, pairs = {.joined = false};
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
        r.points[i].analytic_flop *= 2; /* other work, under any name */
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

/* At any distance from all others. */
static void a_series_of_one_size_keeps_its_name(void **state) {
    static struct roofs roofs;
    static struct points points;
    struct result r = four_cores();
    (void)state;
    add_series(&r, "daxpy warm 1 thread", HUNDREDS, 5, 1e8);
    add_size(&r, "dgemv warm 1 thread", 700, 1e-6);
    r.points[5].load_bytes = r.points[5].store_bytes = app_once(100);
    struct model model = model_build(&r);
    find(&model, &(struct chart_options){0}, BYTES_CORE, &roofs, &points);
    size_t named = 0;
    for (size_t i = 0; i < points.count; i++)
        named += points.points[i].label && strstr(points.points[i].label, "dgemv warm, 700") != NULL;
    assert_int_equal(named, 1);
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
    r.points[1].doubts = r.points[2].doubts = DOUBTS(DOUBT_UNSTABLE);
    r.points[3].doubts = DOUBTS(DOUBT_TOO_SHORT);
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
    assert_near(points.lines[joining_lines(&points) - 1].x[2], 1.0 / 16);
    model_free(&model);
    results_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_shortened_by_what_they_share),
        cmocka_unit_test(sizes_read_well),
        cmocka_unit_test(groups_keep_their_numbers),
        cmocka_unit_test(groups_of_a_picture_are_told_apart),
        cmocka_unit_test(a_series_is_joined_by_size),
        cmocka_unit_test(few_sizes_are_labelled),
        cmocka_unit_test(one_size_is_named_like_its_series),
        cmocka_unit_test(equal_sizes_of_one_workload_are_joined),
        cmocka_unit_test(a_series_of_one_size_keeps_its_name),
        cmocka_unit_test(notes_name_series_once),
        cmocka_unit_test(outlines_of_a_series_are_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
