/* SPDX-License-Identifier: BSD-3-Clause
 * Limits of axes: their text, their units, and what they leave of a plot. */
#include "carm/chart/limits.h"
#include "probe/error.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(table) (sizeof table / sizeof *table)

static const struct plot_axis
    INTENSITY = {.title = "Arithmetic intensity  [flop per byte requested by the core]",
                 .scale = PLOT_LOG2,
                 .unit = PLOT_UNIT_FRACTION,
                 .min = 0.125,
                 .max = 8},
    RATE = {.title = "Performance  [Gflop/s]", .scale = PLOT_LOG10, .min = 1e9, .max = 100e9, .divisor = 1e9},
    BYTES = {.title = "Working set", .scale = PLOT_LOG2, .unit = PLOT_UNIT_BINARY, .min = 1024, .max = 1 << 30},
    SECONDS = {.title = "Latency", .unit = PLOT_UNIT_SECONDS, .min = 0, .max = 1e-6},
    NANOSECONDS = {.title = "Latency  [ns]", .min = 0, .max = 1e-6, .divisor = 1e-9},
    CYCLES = {.title = "Performance  [flop/cycle of all cores]", .min = 0, .max = 64},
    PERCENT = {.title = "Share of the measured time  [%]", .min = 0, .max = 150},
    THREADS = {.title = "Threads", .unit = PLOT_UNIT_COUNT, .min = 1, .max = 64};

static void forms(void **state) {
    static const char *const WRONG[] = {"",     ":",   "1",   "1-2",   "1:2:3", "a:2",  "1:b",  "0x1:2", "inf:",
                                        "nan:", "2:1", "1:1", "4G:1G", "1/:2",  "+1:2", " 1:2", "1/0:2"};
    static const char *const RIGHT[] = {"1:2",  "1:",       ":2",        "1/8:16", ".5:1e3",
                                        "-1:1", "1G:1000G", "2KiB:1MiB", "5M:1G"};
    (void)state;
    for (size_t i = 0; i < COUNT(WRONG); i++) {
        struct limits_side side = {.text = NULL};
        struct error err;
        assert_false(limits_read("xlim", WRONG[i], &side, &err));
        assert_non_null(strstr(err.text, "--xlim"));
    }
    for (size_t i = 0; i < COUNT(RIGHT); i++) {
        struct limits_side side = {.text = NULL};
        struct error err;
        assert_true(limits_read("xlim", RIGHT[i], &side, &err));
    }
}

/* Reads a text and sets it as the x axis. */
static bool set(const char *text, struct plot_axis *axis, struct error *err) {
    struct limits limits = {.x = {.text = NULL}};
    struct plot_axis other = THREADS;
    assert_true(limits_read("xlim", text, &limits.x, err));
    return limits_set(&limits, axis, &other, err);
}

/* A number alone is one of the axis, else its unit counts. */
static void units(void **state) {
    static const struct {
        const char *text;
        const struct plot_axis *axis;
        double min, max;
    } ROWS[] = {
        {"1/4:2", &INTENSITY, 0.25, 2},
        {"1/4flop/B:", &INTENSITY, 0.25, 8},
        {"10:20", &RATE, 10e9, 20e9},
        {"500M:1T", &RATE, 500e6, 1e12},
        {"10Gflop/s:", &RATE, 10e9, 100e9},
        {":2e10flop/s", &RATE, 1e9, 20e9},
        {"4KiB:2MiB", &BYTES, 4096, 2 << 20},
        {"4096:2M", &BYTES, 4096, 2e6},
        {"5ns:2us", &SECONDS, 5e-9, 2e-6},
        {"50:100ns", &NANOSECONDS, 50e-9, 100e-9},
        {"0:16flop/cycle", &CYCLES, 0, 16},
        {"20:80%", &PERCENT, 20, 80},
        {"2:8", &THREADS, 2, 8},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(ROWS); i++) {
        struct plot_axis axis = *ROWS[i].axis;
        struct error err = {.text = ""};
        if (!set(ROWS[i].text, &axis, &err))
            fail_msg("%s: %s", ROWS[i].text, err.text);
        if (fabs(axis.min - ROWS[i].min) > 1e-9 * fabs(ROWS[i].min) || fabs(axis.max / ROWS[i].max - 1) > 1e-9)
            fail_msg("%s is %g to %g", ROWS[i].text, axis.min, axis.max);
    }
}

static void refusals(void **state) {
    static const char *const NAMES[] = {"a", "b"};
    static const struct plot_axis NAMED = {.max = 1, .names = NAMES, .name_count = 2};
    static const struct {
        const char *text;
        const struct plot_axis *axis;
        const char *why;
    } ROWS[] = {
        {"0:1", &RATE, "logarithmic"},
        {"-1:", &RATE, "logarithmic"},
        {"1GB/s:", &RATE, "has the unit flop/s, not 'GB/s'"},
        {"1s:", &THREADS, "has no unit, not 's'"},
        {"1T:1", &RATE, "LOW must be below HIGH"},
        {"1000:", &RATE, "axis ends at 100 Gflop/s; name both"},
        {":0.5", &RATE, "axis begins at 1 Gflop/s; name both"},
        {"0:1", &NAMED, "names on that axis"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(ROWS); i++) {
        struct plot_axis axis = *ROWS[i].axis;
        struct error err = {.text = ""};
        assert_false(set(ROWS[i].text, &axis, &err));
        if (!strstr(err.text, ROWS[i].why))
            fail_msg("%s: %s", ROWS[i].text, err.text);
        assert_true(axis.min == ROWS[i].axis->min && axis.max == ROWS[i].axis->max);
    }
}

static struct limits limits_of(const char *x, const char *y) {
    struct limits limits = {.x = {.text = NULL}};
    struct error err;
    assert_true((!x || limits_read("xlim", x, &limits.x, &err)) && (!y || limits_read("ylim", y, &limits.y, &err)));
    return limits;
}

/* A default of the user is no error where it does not fit. */
static void defaults_that_do_not_fit(void **state) {
    struct limits limits = limits_of("1GB/s:", NULL);
    struct plot_axis x = RATE, y = THREADS;
    struct error err;
    (void)state;
    limits.x.by_default = true;
    assert_true(limits_set(&limits, &x, &y, &err));
    assert_true(x.min == RATE.min && x.max == RATE.max);
}

/* Three points and their ghosts, lines within, across, outside and of the legend alone, bars, and a band. */
static struct plot example(void) {
    static const double x[] = {0.25, 8}, low[] = {2e9, 2e9}, high[] = {64e9, 64e9}, none[] = {NAN, NAN};
    static const double bar_x[] = {0.125, 0.2}, bar_low[] = {1e9, 1e9}, bar_high[] = {2e9, 2e9};
    static const struct plot_point points[] = {{.x = 0.25, .y = 2e9, .label = "left", .legend = "all"},
                                               {.x = 1, .y = 2e9, .label = "within"},
                                               {.x = 1, .y = 200e9, .label = "far above"},
                                               {.x = 4, .y = 64e9, .label = "right", .optional = true},
                                               {.x = 0.25, .y = 8e9, .ghost = true},
                                               {.x = 1, .y = 8e9, .ghost = true},
                                               {.x = 4, .y = 8e9, .ghost = true}};
    static const struct plot_line lines[] = {{.count = 2, .x = x, .y = low, .label = "low"},
                                             {.count = 2, .x = x, .y = high, .label = "high"},
                                             {.count = 2, .x = none, .y = none, .label = "legend"}};
    static const struct plot_band bands[] = {
        {.count = 2, .x = bar_x, .y_low = bar_low, .y_high = bar_high, .label = "bar"},
        {.count = 2, .x = x, .y_low = low, .y_high = high, .legend = "band"}};
    static const char *const NOTES[] = {"a note"};
    return (struct plot){.x = INTENSITY,
                         .y = RATE,
                         .points = points,
                         .point_count = COUNT(points),
                         .lines = lines,
                         .line_count = COUNT(lines),
                         .bands = bands,
                         .band_count = COUNT(bands),
                         .notes = NOTES,
                         .note_count = 1};
}

static void what_is_left(void **state) {
    const struct plot plot = example();
    const struct limits limits = limits_of("1/2:2", "1:10"), none = {.x = {.text = NULL}};
    struct limited limited;
    struct error err;
    (void)state;
    assert_true(limits_apply(&limits, &plot, &limited, &err));
    const struct plot *left = &limited.plot;
    assert_true(left->x.min == 0.5 && left->x.max == 2 && left->y.min == 1e9 && left->y.max == 10e9);
    assert_int_equal(left->point_count, 3);
    assert_string_equal(left->points[0].legend, "all"); /* the left point keeps its place in the legend, and no more */
    assert_true(!left->points[0].label && left->points[0].x == 0.25);
    assert_string_equal(left->points[1].label, "within");
    assert_true(left->points[2].ghost && left->points[2].x == 1);
    assert_int_equal(left->line_count, 2);
    assert_string_equal(left->lines[0].label, "low");
    assert_string_equal(left->lines[1].label, "legend");
    assert_int_equal(left->band_count, 1);
    assert_int_equal(left->note_count, 2);
    /* "far above" was no part of the picture before */
    assert_string_equal(left->notes[0], "outside of the chosen limits: 2 points, 1 line, 1 bar");
    limits_free(&limited);
    assert_true(limits_apply(&none, &plot, &limited, &err));
    assert_ptr_equal(limited.plot.points, plot.points);
    assert_int_equal(limited.plot.note_count, 1);
    limits_free(&limited);
}

/* Limits beyond all data are refused, with the ranges of these; a default of the user is ignored. */
static void nothing_is_left(void **state) {
    static const struct {
        const char *x, *y, *why;
    } ROWS[] = {
        {"16:32", NULL, "--xlim '16:32': nothing of the chart is there; its data: x from 0.125 flop/B to 8 flop/B, y "},
        {NULL, "1T:2T", "--ylim '1T:2T': nothing of the chart is there; its data: x from 0.125 flop/B"},
        {NULL, "1T:2T", "y from 1 Gflop/s to 200 Gflop/s"}};
    const struct plot plot = example();
    struct plot panels[] = {{.x = {.title = "Time  [s]", .max = 10}}};
    const struct plot strip = {.panels = panels, .panel_count = 1};
    struct limited limited;
    struct error err;
    (void)state;
    for (size_t i = 0; i < COUNT(ROWS); i++) {
        struct limits limits = limits_of(ROWS[i].x, ROWS[i].y);
        assert_false(limits_apply(&limits, &plot, &limited, &err));
        if (!strstr(err.text, ROWS[i].why))
            fail_msg("%s", err.text);
        limits_free(&limited);
        limits.x.by_default = limits.y.by_default = true;
        assert_true(limits_apply(&limits, &plot, &limited, &err));
        assert_ptr_equal(limited.plot.points, plot.points);
        limits_free(&limited);
    }
    const struct limits late = limits_of("11:12", NULL);
    assert_false(limits_apply(&late, &strip, &limited, &err));
    assert_non_null(strstr(err.text, "its data: x from 0 s to 10 s"));
    limits_free(&limited);
}

static void panels_and_cells(void **state) {
    struct plot panels[] = {{.x = {.max = 10}}, {.x = {.title = "Time  [s]", .max = 10}}};
    const struct plot strip = {.panels = panels, .panel_count = 2};
    const struct plot_heat heat = {.rows = 1};
    const struct plot cells = {.heat = &heat};
    struct limits limits = limits_of("2s:3", NULL);
    struct limited limited;
    struct error err;
    (void)state;
    assert_true(limits_apply(&limits, &strip, &limited, &err));
    for (size_t i = 0; i < 2; i++)
        assert_true(limited.plot.panels[i].x.min == 2 && limited.plot.panels[i].x.max == 3);
    limits_free(&limited);
    assert_false(limits_apply(&limits, &cells, &limited, &err));
    assert_non_null(strstr(err.text, "--xlim: this chart is a table"));
    limits_free(&limited);
    limits.y = limits_of(NULL, "1:2").y;
    assert_false(limits_apply(&limits, &strip, &limited, &err));
    assert_non_null(strstr(err.text, "--ylim: this picture has several charts"));
    limits_free(&limited);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms),           cmocka_unit_test(units),
        cmocka_unit_test(refusals),        cmocka_unit_test(defaults_that_do_not_fit),
        cmocka_unit_test(what_is_left),    cmocka_unit_test(panels_and_cells),
        cmocka_unit_test(nothing_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
