/* SPDX-License-Identifier: BSD-3-Clause
 * Plots as JSON: equal to the pictures' decisions, and without duplicates. */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <setjmp.h>
#include <cmocka.h>

#include "carm/html/plot_json.h"
#include "render/layout/series.h"
#include "render/page/palette.h"

static const double X[] = {1, 2, NAN, 8}, Y[] = {10, 20.00004, 30, 80};
static const int HERE = 7, ELSEWHERE = 8;

static struct plot_origin find(const void *source, const void *context) {
    return source == context ? (struct plot_origin){"rows", 3} : (struct plot_origin){0};
}

static struct plot plot_of(const struct plot_line *line, const struct plot_point *point) {
    return (struct plot){.x = {.title = "x", .scale = PLOT_LOG2, .min = 1, .max = 16},
                         .y = {.title = "y", .scale = PLOT_LOG10, .min = 1, .max = 100, .divisor = 1e9},
                         .line_count = line ? 1 : 0,
                         .lines = line,
                         .point_count = point ? 1 : 0,
                         .points = point};
}

/* The value of a column of a plot's only row. */
static json_t *cell(json_t *all, size_t plot, const char *kind, const char *name) {
    size_t at;
    json_t *column,
        *row = json_array_get(json_object_get(json_array_get(json_object_get(all, "plots"), plot), kind), 0);
    json_array_foreach(json_object_get(json_object_get(all, "columns"), kind), at, column) {
        if (strcmp(json_string_value(column), name) == 0)
            return json_array_get(row, at);
    }
    return NULL;
}

static json_t *look(json_t *all, size_t plot, const char *kind) {
    return json_array_get(json_object_get(all, "looks"), (size_t)json_integer_value(cell(all, plot, kind, "look")));
}

static const char *text(json_t *all, json_t *number) {
    return json_string_value(json_array_get(json_object_get(all, "texts"), (size_t)json_integer_value(number)));
}

static void lines(void **state) {
    (void)state;
    struct plot_pool pool;
    assert_true(plot_pool_begin(&pool, find));
    pool.context = &HERE;
    const struct plot_line line = {.count = 4,
                                   .x = X,
                                   .y = Y,
                                   .color = PALETTE_BLUE,
                                   .dash = PLOT_DOTTED,
                                   .markers = true,
                                   .label = "a \xff",
                                   .group = "L1",
                                   .source = &HERE};
    const struct plot plot = plot_of(&line, NULL);
    assert_int_equal(plot_pool_add(&pool, &plot), 0);
    assert_int_equal(plot_pool_add(&pool, &plot), 0);
    json_t *all = plot_pool_end(&pool), *style = look(all, 0, "lines"), *x = cell(all, 0, "lines", "x");
    assert_int_equal(json_array_size(json_object_get(all, "plots")), 1);
    assert_string_equal(json_string_value(json_object_get(style, "color")), "blue");
    assert_string_equal(json_string_value(json_object_get(style, "dash")), "dotted");
    assert_string_equal(json_string_value(json_object_get(style, "group")), "L1");
    assert_string_equal(json_string_value(json_object_get(style, "list")), "rows");
    assert_true(json_real_value(json_object_get(style, "width")) == 1.2);
    assert_true(json_real_value(json_object_get(style, "rings")) == 2.4);
    assert_true(json_is_true(json_object_get(style, "begins")));
    assert_null(json_object_get(style, "goes"));
    assert_int_equal(json_integer_value(cell(all, 0, "lines", "row")), 3);
    assert_string_equal(text(all, cell(all, 0, "lines", "label")), "a ?");
    assert_true(json_is_null(cell(all, 0, "lines", "sublabel")));
    assert_int_equal(json_array_size(x), 4);
    assert_true(json_is_null(json_array_get(x, 2)));
    assert_true(json_real_value(json_array_get(cell(all, 0, "lines", "y"), 1)) == 20);
    json_decref(all);
}

static void points(void **state) {
    static const double RADII[] = {0, 0, 9};
    static const bool HOLLOW[] = {false, true, false};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct plot_pool pool;
        assert_true(plot_pool_begin(&pool, find));
        pool.context = &HERE;
        const struct plot_point point = {.x = 2,
                                         .y = 3,
                                         .y_min = 2,
                                         .y_q1 = 2.5,
                                         .y_q3 = 3.5,
                                         .y_max = 4,
                                         .radius = RADII[i],
                                         .hollow = HOLLOW[i],
                                         .shape = PLOT_STAR,
                                         .color = {0, 0.5, 1, 1},
                                         .source = &ELSEWHERE};
        const struct plot plot = plot_of(NULL, &point);
        plot_pool_add(&pool, &plot);
        json_t *all = plot_pool_end(&pool), *style = look(all, 0, "points");
        assert_true(json_real_value(json_object_get(style, "radius")) == marker_radius(RADII[i], HOLLOW[i]));
        assert_string_equal(json_string_value(json_object_get(style, "color")), "#0080ff");
        assert_true(json_is_null(cell(all, 0, "points", "row")));
        assert_true(json_is_null(cell(all, 0, "points", "xSpread")));
        assert_int_equal(json_array_size(cell(all, 0, "points", "ySpread")), 4);
        json_decref(all);
    }
}

/* One of the circle's area has corners where pictures have them. */
static void shapes(void **state) {
    (void)state;
    struct plot_pool pool;
    assert_true(plot_pool_begin(&pool, NULL));
    json_t *all = plot_pool_end(&pool), *list = json_object_get(all, "shapes");
    assert_int_equal(json_array_size(list), PLOT_SHAPES);
    for (size_t shape = 0; shape < PLOT_SHAPES; shape++) {
        struct vec corners[MARKER_MAX_CORNERS];
        const size_t count = marker_corners((enum plot_shape)shape, (struct vec){0, 0}, 1, corners);
        json_t *outline = json_array_get(list, shape);
        assert_int_equal(json_array_size(outline), count);
        for (size_t i = 0; i < count; i++)
            assert_true(fabs(json_real_value(json_array_get(json_array_get(outline, i), 1)) - corners[i].y) < 1e-4);
    }
    json_decref(all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines),
        cmocka_unit_test(points),
        cmocka_unit_test(shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
