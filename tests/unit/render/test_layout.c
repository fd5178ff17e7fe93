/* SPDX-License-Identifier: BSD-3-Clause
 * The layout without a graphics library: readable ticks on any axis, and no text that overlaps another or leaves the
 * page, in hundreds of random charts. */
#include "render/layout/layout.h"
#include "render/layout/series.h"
#include "render/layout/ticks.h"
#include "render/layout/trace.h"
#include "render/page/palette.h"
#include "render/page/style.h"
#include "tests/support/plot_demo.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tests/support/chance.h"
#include "tests/support/readable.h"

static size_t below(size_t n) {
    return (size_t)chance_uniform(0, (double)n) % n;
}

static size_t count_text(const struct page *page, const char *part) {
    size_t count = 0;
    for (size_t i = 0; i < page->count; i++)
        count += page->primitives[i].kind == PAGE_TEXT && strstr(page->primitives[i].text, part) != NULL;
    return count;
}

static double height_of_text(const struct page *page, const char *text) {
    for (size_t i = 0; i < page->count; i++)
        if (page->primitives[i].kind == PAGE_TEXT && strcmp(page->primitives[i].text, text) == 0)
            return page->primitives[i].at.y;
    fail_msg("no \"%s\"", text);
    return 0;
}

static void boxes_overlap_by_separating_axes(void **state) {
    (void)state;
    const struct box flat = {.half_width = 10, .half_height = 2};
    struct box other = {.center = {0, 5}, .half_width = 10, .half_height = 2};
    assert_false(box_overlaps(&flat, &other));
    other.center.y = 3.9;
    assert_true(box_overlaps(&flat, &other));
    /* A turned box whose upright outline overlaps although the box does not. */
    other = (struct box){.center = {14, 8}, .half_width = 10, .half_height = 1, .angle = acos(-1) / 4};
    assert_true(box_overlaps(&flat, &other));
    other = (struct box){.center = {14, -8}, .half_width = 10, .half_height = 1, .angle = acos(-1) / 4};
    other.center.x = 17;
    assert_false(box_overlaps(&flat, &other));
    assert_true(fabs(box_covers(&flat, (struct vec){-20, 0}, (struct vec){20, 0}) - 20) < 1e-9);
    assert_true(box_covers(&flat, (struct vec){-20, 3}, (struct vec){20, 3}) == 0);
}

static void ticks_are_readable(void **state) {
    (void)state;
    struct page page;
    const struct text_style style = {.size = 12};
    page_init(&page, 960, 640, &metrics);
    chance_seed = 7;
    for (int i = 0; i < 3000; i++) {
        enum plot_scale scale = (enum plot_scale)below(3);
        double low = pow(10, chance_uniform(-12, 12)), ratio = pow(10, pow(10, chance_uniform(-2.5, 1.2)));
        struct plot_axis axis = {.scale = scale, .unit = (enum plot_unit)below(5), .min = low, .max = low * ratio};
        if (scale == PLOT_LINEAR && below(2))
            axis.min = -axis.max * chance_uniform(0, 1);
        bool fraction = axis.unit == PLOT_UNIT_FRACTION, binary = axis.unit == PLOT_UNIT_BINARY;
        if ((fraction && axis.min < 1e-4) || (binary && axis.max < 1e3)) /* fractions of a byte make no sense */
            continue;
        axis.divisor = low > 1 && below(2) ? pow(10, (double)below(4) * 3) : 0;
        double length = chance_uniform(180, 1200);
        bool vertical = below(2);
        struct ticks ticks;
        assert_null(axis_trouble(&axis));
        ticks_make(&ticks, &axis, length, vertical, &page, &style);
        size_t least = vertical || (ratio > 1.1 && length > 250) ? 2 : 1; /* adjacent long numbers need room */
        if (ticks.count < least)
            fail_msg("%zu ticks from %g to %g, scale %d, unit %d, length %g, vertical %d", ticks.count, axis.min,
                     axis.max, scale, axis.unit, length, vertical);
        for (size_t k = 0; k < ticks.count; k++) {
            assert_true(ticks.ticks[k].at >= 0 && ticks.ticks[k].at <= 1);
            assert_true(*ticks.ticks[k].label && !strstr(ticks.ticks[k].label, "e+"));
            if (k == 0)
                continue;
            if (strcmp(ticks.ticks[k].label, ticks.ticks[k - 1].label) == 0)
                fail_msg("\"%s\" twice from %g to %g, scale %d, unit %d", ticks.ticks[k].label, axis.min, axis.max,
                         scale, axis.unit);
            double apart = (ticks.ticks[k].at - ticks.ticks[k - 1].at) * length;
            double needed = vertical ? 12
                                     : (width_of(NULL, ticks.ticks[k].label, 12, false) +
                                        width_of(NULL, ticks.ticks[k - 1].label, 12, false)) /
                                           2;
            assert_true(apart > needed);
        }
    }
    page_free(&page);
}

static void usual_ticks(void **state) {
    static const struct {
        struct plot_axis axis;
        double length;
        bool vertical;
        const char *labels;
    } rows[] = {
        {{.scale = PLOT_LOG10, .min = 0.3e9, .max = 160e9, .divisor = 1e9}, 450, true, "0.5 1 2 5 10 20 50 100"},
        {{.scale = PLOT_LOG10, .min = 0.3e9, .max = 160e9, .divisor = 1e9}, 170, true, "0.3 1 3 10 30 100"},
        {{.scale = PLOT_LOG2, .unit = PLOT_UNIT_FRACTION, .min = 1. / 128, .max = 64},
         700,
         false,
         "1/64 1/16 1/4 1 4 16 64"},
        {{.scale = PLOT_LOG2, .unit = PLOT_UNIT_BINARY, .min = 4096, .max = 2147483648.},
         500,
         false,
         "4 KiB 32 KiB 256 KiB 2 MiB 16 MiB 128 MiB 1 GiB"},
        {{.scale = PLOT_LINEAR, .min = 0, .max = 1}, 200, true, "0 0.2 0.4 0.6 0.8 1"},
        {{.scale = PLOT_LINEAR, .unit = PLOT_UNIT_FRACTION, .min = 0, .max = 0.1},
         200,
         true,
         "0 0.02 0.04 0.06 0.08 0.1"},
        {{.scale = PLOT_LINEAR, .unit = PLOT_UNIT_SI, .min = 0, .max = 4e6}, 150, true, "0 1 M 2 M 3 M 4 M"},
        {{.scale = PLOT_LOG10, .unit = PLOT_UNIT_SECONDS, .min = 1e-9, .max = 1e-6},
         100,
         true,
         "1 ns 10 ns 100 ns 1 µs"},
        {{.scale = PLOT_LOG2, .unit = PLOT_UNIT_POWER, .min = 28, .max = 4.1e6},
         600,
         false,
         "2⁶ 2⁸ 2¹⁰ 2¹² 2¹⁴ 2¹⁶ 2¹⁸ 2²⁰"},
        {{.scale = PLOT_LOG2, .unit = PLOT_UNIT_COUNT, .min = 1, .max = 4096}, 500, false, "1 4 16 64 256 1024 4096"},
        {{.scale = PLOT_LOG10, .min = 42, .max = 68}, 170, true, "45 50 55 60 65"},
    };
    (void)state;
    struct page page;
    const struct text_style style = {.size = 12};
    page_init(&page, 960, 640, &metrics);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ticks ticks;
        char all[512] = "";
        ticks_make(&ticks, &rows[i].axis, rows[i].length, rows[i].vertical, &page, &style);
        for (size_t k = 0; k < ticks.count; k++) {
            strcat(all, k ? " " : "");
            strcat(all, ticks.ticks[k].label);
        }
        assert_string_equal(all, rows[i].labels);
    }
    page_free(&page);
}

enum { ROOFS = 8, CEILINGS = 14, POINTS = 12, MARKS = 5 };

struct random_plot {
    struct plot plot;
    struct plot_line lines[ROOFS + CEILINGS];
    struct plot_mark marks[MARKS];
    struct plot_point points[POINTS];
    double x[ROOFS + CEILINGS][2], y[ROOFS + CEILINGS][2];
    char texts[ROOFS + CEILINGS + POINTS + MARKS][48];
    double width, height;
};

static void make_random(struct random_plot *r) {
    static const char *const notes[] = {
        "a doubt that is quite long, so that it has to be wrapped on narrow pages and shows that",
        "short",
        "third",
        "fourth",
        "fifth",
        "sixth"};
    size_t roofs = 1 + below(ROOFS), ceilings = below(CEILINGS + 1), text = 0;
    double peak = 1e11;
    *r = (struct random_plot){.width = chance_uniform(480, 1500), .height = chance_uniform(360, 1000)};
    for (size_t i = 0; i < roofs + ceilings; i++) {
        bool roof = i < roofs;
        double value = roof                     ? pow(10, chance_uniform(9.5, 12))
                       : i == roofs || below(2) ? pow(10, chance_uniform(8.6, 11))
                                                : peak * chance_uniform(1, 1.01);
        if (!roof)
            peak = value;
        r->x[i][0] = roof ? 1.0 / 128 : 1.0 / 16, r->x[i][1] = roof ? 1e11 / value : 64;
        r->y[i][0] = roof ? value / 128 : value, r->y[i][1] = roof ? 1e11 : value;
        snprintf(r->texts[text], 48, "%s number %zu", roof ? "roof" : "ceiling", i);
        r->lines[i] = (struct plot_line){.count = 2,
                                         .x = r->x[i],
                                         .y = r->y[i],
                                         .color = PALETTE_BLUE,
                                         .dash = (enum plot_dash)(i % 4),
                                         .arrow = i % 3 == 0,
                                         .width = roof ? 2.5 : 1.2,
                                         .label = r->texts[text++],
                                         .sublabel = below(2) ? "123 GB/s · 45 B/cycle" : NULL,
                                         .label_place = roof       ? PLOT_LABEL_ALONG
                                                        : below(9) ? PLOT_LABEL_END
                                                                   : PLOT_LABEL_LEGEND,
                                         .priority = (int)below(3)};
    }
    size_t points = below(POINTS + 1), marks = below(MARKS + 1);
    for (size_t i = 0; i < points; i++) {
        snprintf(r->texts[text], 48, "point %c", (int)('a' + i));
        double x = exp2(chance_uniform(-6, 6)), y = pow(10, chance_uniform(8.7, 10.9));
        r->points[i] = (struct plot_point){.x = x,
                                           .y = y,
                                           .x_min = x / chance_uniform(1, 1.5),
                                           .x_max = x * chance_uniform(1, 1.5),
                                           .y_q1 = y / chance_uniform(1, 1.2),
                                           .y_q3 = y * chance_uniform(1, 1.2),
                                           .color = PALETTE_PURPLE,
                                           .label = r->texts[text++],
                                           .sublabel = below(2) ? "DRAM · 97 % of axpy" : NULL};
    }
    for (size_t i = 0; i < marks; i++) {
        snprintf(r->texts[text], 48, "mark %zu", i);
        r->marks[i] = (struct plot_mark){.vertical = below(2), .color = PALETTE_GREY, .label = r->texts[text++]};
        r->marks[i].at = r->marks[i].vertical ? exp2(chance_uniform(-7, 6)) : pow(10, chance_uniform(8.6, 11));
    }
    r->plot = (struct plot){
        .title = "A title",
        .subtitle = "a subtitle",
        .note_count = below(7),
        .notes = notes,
        .x = {.title = "Arithmetic intensity [flop/byte]",
              .scale = PLOT_LOG2,
              .unit = PLOT_UNIT_FRACTION,
              .min = 1.0 / 128,
              .max = 64},
        .y = {.title = "Performance [Gflop/s]", .scale = PLOT_LOG10, .min = 0.3e9, .max = 160e9, .divisor = 1e9},
        .right_title = below(3) ? NULL : "flop per cycle",
        .right_per_y = 1 / 2.8e9,
        .line_count = roofs + ceilings,
        .lines = r->lines,
        .mark_count = marks,
        .marks = r->marks,
        .point_count = points,
        .points = r->points,
        .footer = below(2) ? "small print" : NULL,
    };
}

/* As many names as fit, each at its number. */
static void an_axis_of_names(void **state) {
    (void)state;
    const char *const names[] = {"f64 peak", "L1 bandwidth", "DRAM latency, all cores, of a node", "the last"};
    const struct plot_axis axis = {.min = -0.5, .max = 3.5, .name_count = 4, .names = names};
    const struct text_style style = {.size = 12};
    struct page page;
    struct ticks ticks;
    page_init(&page, 960, 640, &metrics);
    ticks_make(&ticks, &axis, 100, true, &page, &style);
    assert_int_equal(ticks.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(ticks.ticks[i].label, names[i]);
        assert_true(fabs(ticks.ticks[i].at - (0.5 + (double)i) / 4) < 1e-12);
    }
    assert_true(fabs(ticks.widest - width_of(NULL, names[2], 12, false)) < 1e-12);
    ticks_make(&ticks, &axis, 40, true, &page, &style); /* lower than four lines */
    assert_int_equal(ticks.count, 2);
    assert_string_equal(ticks.ticks[1].label, names[2]);
    const char *many[NAMES_MAX + 1];
    for (size_t i = 0; i < NAMES_MAX + 1; i++)
        many[i] = names[i % 2];
    for (size_t count = NAMES_MAX - 1; count <= NAMES_MAX + 1; count++) { /* too many: not the first ones alone */
        const struct plot_axis long_axis = {
            .min = -0.5, .max = (double)count - 0.5, .name_count = count, .names = many};
        ticks_make(&ticks, &long_axis, 40.0 * (double)count, true, &page, &style);
        assert_int_equal(ticks.count, count <= NAMES_MAX ? count : (count + 1) / 2);
    }
    ticks_make(&ticks, &axis, 1e4, false, &page, &style);
    assert_int_equal(ticks.count, 4);
    page_free(&page);
}

/* Filled triangles of three corners: heads point along the line, and short lines have none. */
static void arrows_have_heads(void **state) {
    (void)state;
    const double x[] = {1, 3}, y[] = {2, 8}, near[] = {2, 2.05};
    struct plot_line lines[] = {{.count = 2, .x = x, .y = y, .arrow = true, .color = PALETTE_BLUE},
                                {.count = 2, .x = x, .y = y, .color = PALETTE_GREEN},
                                {.count = 2, .x = near, .y = near, .arrow = true, .color = PALETTE_ORANGE}};
    const struct plot plot = {.x = {.min = 0, .max = 4}, .y = {.min = 0, .max = 10}, .line_count = 3, .lines = lines};
    struct page page;
    size_t heads = 0;
    layout_plot(&page, &plot, 960, 640, &metrics);
    for (size_t i = 0; i < page.count; i++) {
        const struct primitive *p = &page.primitives[i];
        if (p->kind != PAGE_AREA || p->count != 3 || p->fill.b != PALETTE_BLUE.b)
            continue;
        const struct vec *head = &page.vertices[p->first], end = trace_point(&plot, &page.plot, 3, 8);
        heads++;
        assert_true(head[0].x > head[1].x && head[0].y < head[2].y); /* up and to the right */
        const double clear = hypot(end.x - head[0].x, end.y - head[0].y);
        assert_true(clear > 5 && clear < 10);
    }
    assert_int_equal(heads, 1);
    page_free(&page);
}

/* Their numbers are at their ends, inside the page, and no other text is on a bar. */
static void bars_have_numbers(void **state) {
    (void)state;
    const double ends[3][2] = {{0, 10}, {0, 0.01}, {0, 3}}, lows[3][2] = {{1.6, 1.6}, {0.6, 0.6}, {-0.4, -0.4}},
                 highs[3][2] = {{2.4, 2.4}, {1.4, 1.4}, {0.4, 0.4}};
    const char *const numbers[] = {"a long number 10.0", "0.01", "3.00"}, *const names[] = {"third", "second", "first"};
    const struct plot_point point = {.x = 1.2, .y = 0, .label = "a point on the last bar", .color = PALETTE_BLUE};
    struct plot_band bars[3];
    for (size_t i = 0; i < 3; i++)
        bars[i] = (struct plot_band){.count = 2,
                                     .x = ends[i],
                                     .y_low = lows[i],
                                     .y_high = highs[i],
                                     .color = PALETTE_GREEN,
                                     .label = numbers[i]};
    const struct plot plot = {.x = {.min = 0, .max = 10},
                              .y = {.min = -0.6, .max = 2.6, .name_count = 3, .names = names},
                              .band_count = 3,
                              .bands = bars,
                              .point_count = 1,
                              .points = &point};
    struct page page;
    layout_plot(&page, &plot, 960, 400, &metrics);
    assert_readable(&page);
    for (size_t i = 0; i < 3; i++) {
        const struct primitive *text = NULL;
        for (size_t k = 0; k < page.count; k++)
            if (page.primitives[k].kind == PAGE_TEXT && strcmp(page.primitives[k].text, numbers[i]) == 0)
                text = &page.primitives[k];
        assert_non_null(text);
        const struct vec end = trace_point(&plot, &page.plot, ends[i][1], lows[i][0] + 0.4);
        assert_true(fabs(text->box.center.y - end.y) < 1);
        if (i > 0)
            assert_true(text->box.center.x - text->box.half_width > end.x);
    }
    for (size_t k = 0; k < page.count; k++)
        if (page.primitives[k].kind == PAGE_TEXT && strcmp(page.primitives[k].text, point.label) == 0) {
            const struct vec low = trace_point(&plot, &page.plot, 0, -0.4),
                             high = trace_point(&plot, &page.plot, 3, 0.4);
            const struct box bar = box_of_frame((struct frame){low.x, high.y, high.x, low.y});
            assert_false(box_overlaps(&bar, &page.primitives[k].box));
        }
    page_free(&page);
}

static void random_plots_are_readable(void **state) {
    (void)state;
    for (unsigned i = 0; i < 300; i++) {
        struct random_plot r;
        struct page page;
        chance_seed = i;
        make_random(&r);
        layout_plot(&page, &r.plot, r.width, r.height, &metrics);
        assert_readable(&page);
        page_free(&page);
    }
}

/* On a page of the default size nothing is lost: each label appears once, inside or in the legend. */
static void every_label_appears_once(void **state) {
    (void)state;
    for (unsigned i = 1000; i < 1100; i++) {
        struct random_plot r;
        struct page page;
        chance_seed = i;
        make_random(&r);
        layout_plot(&page, &r.plot, 960, 640, &metrics);
        for (size_t k = 0; k < r.plot.line_count; k++) {
            const struct plot_line *line = &r.plot.lines[k];
            double last = line->y[1] / line->x[1] * line->x[0]; /* a roof below the chart has no label */
            if (line->label_place == PLOT_LABEL_ALONG && last > 160e9)
                continue;
            char exact[40];
            snprintf(exact, sizeof exact, "%s", line->label);
            size_t seen = 0;
            for (size_t p = 0; p < page.count; p++) {
                const char *text = page.primitives[p].kind == PAGE_TEXT ? page.primitives[p].text : "";
                size_t length = strlen(exact);
                seen += strncmp(text, exact, length) == 0 && (text[length] == 0 || text[length] == ' ');
            }
            if (seen != 1 && count_text(&page, " more") == (r.plot.note_count > 4))
                fail_msg("plot %u: \"%s\" appears %zu times", i, exact, seen);
        }
        for (size_t k = 0; k < r.plot.point_count; k++)
            if (count_text(&page, r.points[k].label) != 1 && count_text(&page, " more") == (r.plot.note_count > 4))
                fail_msg("plot %u: \"%s\" is not there once", i, r.points[k].label);
        page_free(&page);
    }
}

static bool is_line_of(const struct primitive *p, struct plot_color color) {
    return p->kind == PAGE_LINE && p->count == 2 && p->stroke.r == color.r && p->stroke.g == color.g;
}

static size_t leaders_crossed;

/* Leaders are the only thin lines of the points' colour: none crosses a text other than a number, hardly one another.
 */
static void assert_leaders_are_clear(const struct page *page, struct plot_color color) {
    for (size_t i = 0; i < page->count; i++) {
        const struct primitive *a = &page->primitives[i];
        if (!is_line_of(a, color) || a->width > 0.9)
            continue;
        const struct vec *line = &page->vertices[a->first];
        for (size_t k = 0; k < page->count; k++) {
            const struct primitive *b = &page->primitives[k];
            struct box inner = b->box;
            inner.half_width -= 1;
            inner.half_height -= 1;
            if (b->kind == PAGE_TEXT && strlen(b->text) > 2 && frame_contains(&page->plot, b->at) &&
                box_covers(&inner, line[0], line[1]) > 0)
                fail_msg("a leader crosses \"%s\"", b->text);
            const struct vec *other = &page->vertices[b->first];
            if (k != i && is_line_of(b, color) && b->width <= 0.9 &&
                segments_cross(line[0], line[1], other[0], other[1]))
                leaders_crossed++;
        }
    }
}

/* A dozen points, at first all in one place, then spread more and more: each name appears once, at first most of them
 * in the plot: the others would cover lines. */
static void crowds_are_readable(void **state) {
    (void)state;
    const struct plot_color color = PALETTE_NAVY;
    for (unsigned i = 0; i < 120; i++) {
        struct plot_point points[12];
        char names[12][40];
        chance_seed = i;
        double middle_x = exp2(chance_uniform(-4, 3)), middle_y = pow(10, chance_uniform(9.5, 10)), spread = 0.02 * i;
        for (size_t k = 0; k < 12; k++) {
            snprintf(names[k], sizeof names[k], "kernel %c, n = %u", (int)('a' + k), 1u << k);
            points[k] = (struct plot_point){.x = middle_x * exp2(chance_uniform(-spread, spread)),
                                            .y = middle_y * exp2(chance_uniform(-spread, spread)),
                                            .shape = (enum plot_shape)(k % PLOT_SHAPES),
                                            .color = color,
                                            .label = names[k],
                                            .sublabel = "DRAM 82 %",
                                            .priority = (int)below(3)};
        }
        struct plot plot = demo_roofline();
        plot.points = points;
        plot.point_count = 12;
        struct page page;
        layout_plot(&page, &plot, 960, 640, &metrics);
        assert_readable(&page);
        assert_leaders_are_clear(&page, color);
        for (size_t k = 0; k < 12; k++)
            if (count_text(&page, names[k]) != 1)
                fail_msg("plot %u: \"%s\" is not there once", i, names[k]);
        size_t numbered = count_text(&page, ": kernel");
        if (i < 40 && numbered > 8)
            fail_msg("plot %u: %zu names appear only in the legend", i, numbered);
        for (size_t number = 1; number <= numbered; number++)
            if (!has_number(&page, number))
                fail_msg("plot %u: nothing shows which point is number %zu", i, number);
        page_free(&page);
    }
    print_message("%zu leaders cross another\n", leaders_crossed);
    assert_true(leaders_crossed <= 8); /* each is counted twice; a number on a line would be worse */
}

/* Shapes differ in outline, not in size. */
static void markers_have_one_area(void **state) {
    (void)state;
    const double radius = 5, pi = acos(-1);
    for (enum plot_shape shape = PLOT_CIRCLE; shape < PLOT_SHAPES; shape++) {
        struct page page;
        page_init(&page, 100, 100, &metrics);
        marker_draw(&page, shape, (struct vec){50, 50}, radius, shape % 2, PALETTE_NAVY);
        assert_int_equal(page.count, 1);
        const struct primitive *p = &page.primitives[0];
        assert_true((p->fill.r == 1) == (shape % 2)); /* the inside of an outline is white */
        double area = 0, reach = 0;
        for (size_t i = 0; p->kind == PAGE_AREA && i < p->count; i++) {
            struct vec a = page.vertices[p->first + i], b = page.vertices[p->first + (i + 1) % p->count];
            area += (a.x * b.y - b.x * a.y) / 2;
            reach = fmax(reach, hypot(a.x - 50, a.y - 50));
        }
        if (p->kind == PAGE_AREA) {
            assert_true(fabs(area - pi * radius * radius) < 1e-9);
            assert_true(fabs(reach - marker_reach(shape, radius)) < 1e-9);
        }
        page_free(&page);
    }
}

static void segments(void **state) {
    (void)state;
    assert_true(segments_cross((struct vec){0, 0}, (struct vec){2, 2}, (struct vec){0, 2}, (struct vec){2, 0}));
    assert_false(segments_cross((struct vec){0, 0}, (struct vec){2, 2}, (struct vec){3, 2}, (struct vec){2, 0}));
    assert_false(segments_cross((struct vec){0, 0}, (struct vec){2, 2}, (struct vec){0, 0}, (struct vec){2, 0}));
}

/* Labels without room can still be found: in the legend, points by a number. */
static void labels_without_room_move_to_the_legend(void **state) {
    const double x[] = {1, 1.1}, y[] = {1, 1.1};
    struct plot_line lines[30];
    enum { CROWD = 40 };
    struct plot_point points[CROWD];
    char texts[30][24];
    for (size_t i = 0; i < 30; i++) {
        snprintf(texts[i], sizeof texts[i], "end %c", (int)(i < 26 ? 'a' + i : 'A' + i));
        lines[i] = (struct plot_line){.count = 2, .x = x, .y = y, .label = texts[i], .label_place = PLOT_LABEL_END};
    }
    lines[0].label = "a line that is too short for this label";
    lines[0].label_place = PLOT_LABEL_ALONG;
    for (size_t i = 0; i < CROWD; i++)
        points[i] = (struct plot_point){
            .x = 1.05, .y = 1.05, .label = "a crowd", .sublabel = "in one place", .priority = (int)i};
    const struct plot plot = {.x = {.min = 0.5, .max = 1.1},
                              .y = {.min = 0.5, .max = 1.5},
                              .lines = lines,
                              .line_count = 30,
                              .points = points,
                              .point_count = CROWD};
    struct page page;
    (void)state;
    layout_plot(&page, &plot, 640, 480, &metrics);
    assert_readable(&page);
    assert_int_equal(count_text(&page, "too short"), 1);
    assert_int_equal(count_text(&page, "end "), 29);
    size_t inside = count_text(&page, "a crowd") - count_text(&page, ": a crowd");
    assert_true(inside >= 8 && inside < CROWD); /* as many as fit the plot's height */
    assert_true(has_number(&page, 1) && has_number(&page, 2));
    assert_int_equal(count_text(&page, "a crowd"), CROWD);
    page_free(&page);
}

/* A line without room for its label, and points of its name and colour, share a row of the legend. */
static void lines_and_points_share_a_row(void **state) {
    const double x[] = {1, 1.1}, y[] = {1, 1.1};
    const struct plot_line line = {
        .count = 2, .x = x, .y = y, .color = PALETTE_BLUE, .label = "a link with a name too long for its short line"};
    struct plot_point point = {.x = 1.5, .y = 1, .color = PALETTE_BLUE, .legend = line.label};
    const struct plot plot = {
        .x = {.max = 2}, .y = {.max = 2}, .lines = &line, .line_count = 1, .points = &point, .point_count = 1};
    (void)state;
    for (size_t rows = 1; rows <= 2; rows++) {
        struct page page;
        layout_plot(&page, &plot, 640, 480, &metrics);
        assert_int_equal(count_text(&page, "a link"), rows);
        page_free(&page);
        point.color = PALETTE_GREEN;
    }
}

/* The dashes of a line without room for its label are explained once, in a style that leaves its number to a caption.
 */
static void dashes_are_explained_once(void **state) {
    const double x[] = {1, 1.1}, y[] = {1, 1.1};
    struct plot_line lines[] = {
        {.count = 2, .x = x, .y = y, .dash = PLOT_DOTTED, .label = "a machine's L1", .short_label = "L1"},
        {.dash = PLOT_DOTTED, .label = "L1", .label_place = PLOT_LABEL_LEGEND}};
    const struct plot plot = {
        .x = {.max = 2}, .y = {.max = 2}, .lines = lines, .line_count = 2, .style = plot_style_named("paper")};
    (void)state;
    for (size_t rows = 1; rows <= 2; rows++) {
        struct page page;
        layout_plot(&page, &plot, 413, 310, &metrics);
        assert_int_equal(count_text(&page, "L1"), rows);
        page_free(&page);
        lines[0].dash = PLOT_SOLID;
    }
}

/* Beside a chart, a label rather has a shorter number than a second row. */
static void labels_at_ends_keep_one_row(void **state) {
    const double x[] = {1, 2}, y[] = {1, 1};
    const struct plot_line line = {.count = 2,
                                   .x = x,
                                   .y = y,
                                   .label = "peak",
                                   .sublabel = "1.13 Tflop/s · 16.0 flop/cycle",
                                   .short_sublabel = "1.13 Tflop/s",
                                   .label_place = PLOT_LABEL_END};
    const struct plot plot = {.x = {.min = 1, .max = 2}, .y = {.max = 2}, .lines = &line, .line_count = 1};
    struct page page;
    (void)state;
    layout_plot(&page, &plot, 480, 360, &metrics); /* its column has room for 21 letters, or 36 on 960 */
    assert_int_equal(count_text(&page, "flop/cycle"), 0);
    assert_true(height_of_text(&page, "peak") == height_of_text(&page, "1.13 Tflop/s"));
    page_free(&page);
    layout_plot(&page, &plot, 960, 640, &metrics);
    assert_int_equal(count_text(&page, "flop/cycle"), 1);
    page_free(&page);
}

/* Labels of low importance are near their points or nowhere. */
static void optional_labels(void **state) {
    enum { CROWD = 40 };
    struct plot_point points[CROWD];
    for (size_t i = 0; i < CROWD; i++)
        points[i] = (struct plot_point){.x = 1.05, .y = 1.05, .label = "optional", .optional = true, .near = true};
    points[CROWD - 1].x = 0.6;
    const struct plot plot = {
        .x = {.min = 0.5, .max = 1.1}, .y = {.min = 0.5, .max = 1.5}, .points = points, .point_count = CROWD};
    struct page page;
    (void)state;
    layout_plot(&page, &plot, 960, 640, &metrics);
    assert_readable(&page);
    size_t inside = count_text(&page, "optional");
    assert_true(inside >= 2 && inside < CROWD / 2);
    assert_false(has_number(&page, 1));
    for (size_t i = 0; i < page.count; i++)
        if (page.primitives[i].kind == PAGE_TEXT && strcmp(page.primitives[i].text, "optional") == 0) {
            double distance = INFINITY;
            for (size_t k = 0; k < CROWD; k++) {
                struct vec at = trace_point(&plot, &page.plot, points[k].x, points[k].y);
                const struct box *box = &page.primitives[i].box;
                distance = fmin(distance, fmax(fabs(at.x - box->center.x) - box->half_width,
                                               fabs(at.y - box->center.y) - box->half_height));
            }
            assert_true(distance < 18);
        }
    page_free(&page);
    for (size_t i = 0; i < CROWD; i++)
        points[i].near = false;
    layout_plot(&page, &plot, 960, 640, &metrics);
    assert_readable(&page);
    assert_true(count_text(&page, "optional") > inside && count_text(&page, "optional") < CROWD); /* in columns */
    assert_false(has_number(&page, 1));
    page_free(&page);
}

static void demos_are_readable(void **state) {
    static const double sizes[][2] = {{960, 640}, {700, 500}, {1400, 900}, {480, 360}};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int which = 0; which < 2; which++) {
            struct plot plot = which ? demo_staircase() : demo_roofline();
            struct page page;
            layout_plot(&page, &plot, sizes[i][0], sizes[i][1], &metrics);
            assert_readable(&page);
            if (sizes[i][0] >= 700 && !which)
                assert_int_equal(count_text(&page, "x87 MUL"), 1);
            page_free(&page);
        }
}

static void hostile_text_is_tamed(void **state) {
    static char long_text[5000];
    const char *notes[] = {
        "bad \xff\xfe bytes \xc3", "also tab\tand\nnewline", long_text, long_text, long_text, long_text};
    double x[] = {1, NAN, 2, 3, INFINITY, 10}, y[] = {1, 2, -1, 0, 5, 10};
    const struct plot_line lines[] = {{.count = 6, .x = x, .y = y, .label = long_text, .label_place = PLOT_LABEL_END},
                                      {.count = 0, .label = "nothing"},
                                      {.count = 6, .x = x, .y = y, .label = "\xf0\x28", .sublabel = ""}};
    const struct plot_point points[] = {{.x = NAN, .y = 1, .label = "nowhere"},
                                        {.x = 2, .y = 2, .label = long_text},
                                        {.x = 3, .y = 3, .x_min = -1, .x_max = INFINITY, .label = ""}};
    const struct plot_mark marks[] = {{.vertical = true, .at = 0, .label = "at 0"}, {.at = 3, .label = long_text}};
    const struct plot_band bands[] = {
        {.count = 6, .x = x, .y_low = y, .y_high = x, .color = PALETTE_AZURE, .legend = long_text}};
    const struct plot plot = {
        .title = long_text,
        .subtitle = "\xed\xa0\x80",
        .notes = notes,
        .note_count = 6,
        .x = {.title = long_text, .scale = PLOT_LOG10, .min = 0.1, .max = 10},
        .y = {.title = long_text, .scale = PLOT_LOG2, .unit = PLOT_UNIT_SI, .min = 0.1, .max = 10},
        .lines = lines,
        .line_count = 3,
        .points = points,
        .point_count = 3,
        .marks = marks,
        .mark_count = 2,
        .bands = bands,
        .band_count = 1,
        .footer = long_text};
    (void)state;
    memset(long_text, 'x', sizeof long_text - 1);
    for (size_t i = 90; i < sizeof long_text; i += 700)
        memcpy(long_text + i, " \xc3\xa4", 3);
    struct page page;
    layout_plot(&page, &plot, 480, 400, &metrics);
    assert_readable(&page);
    assert_int_equal(count_text(&page, "bad ?? bytes ?"), 1);
    assert_int_equal(count_text(&page, "also tab and newline"), 1);
    page_free(&page);
}

static void unusable_plots_are_named(void **state) {
    char text[256];
    struct plot plot = demo_roofline();
    (void)state;
    assert_null(plot_trouble(&plot, 960, 640, text, sizeof text));
    assert_non_null(strstr(plot_trouble(&plot, 10, 640, text, sizeof text), "480"));
    assert_non_null(plot_trouble(&plot, NAN, 640, text, sizeof text));
    plot.x.min = 0;
    assert_non_null(strstr(plot_trouble(&plot, 960, 640, text, sizeof text), "x axis"));
    plot.x.min = 1, plot.x.max = 1;
    assert_non_null(plot_trouble(&plot, 960, 640, text, sizeof text));
    plot.x.max = INFINITY;
    assert_non_null(plot_trouble(&plot, 960, 640, text, sizeof text));
    plot.x.max = 2, plot.right_title = "right";
    assert_non_null(strstr(plot_trouble(&plot, 960, 640, text, sizeof text), "right axis"));
}

/* Charts below each other begin at the same x, however wide their tick labels are, and none leaves the page. */
static void panels_begin_at_the_same_x(void **state) {
    (void)state;
    const double x[] = {0, 10}, small[] = {1, 2}, large[] = {1e9, 2e9};
    const struct plot_line lines[] = {{.count = 2, .x = x, .y = small}, {.count = 2, .x = x, .y = large}};
    const struct plot panels[] = {
        {.subtitle = "narrow",
         .x = {.min = 0, .max = 10},
         .y = {.min = 0, .max = 3},
         .lines = &lines[0],
         .line_count = 1},
        {.subtitle = "wide",
         .x = {.min = 0, .max = 10},
         .y = {.min = 0, .max = 3e9},
         .lines = &lines[1],
         .line_count = 1},
    };
    const struct plot plot = {.title = "two", .panel_count = 2, .panels = panels};
    char text[256];
    struct page page;
    double left[2] = {0, 0}, at_y[2] = {0, 0};
    size_t found = 0;
    assert_null(plot_trouble(&plot, 600, 400, text, sizeof text));
    layout_plot(&page, &plot, 600, 400, &metrics);
    assert_int_equal(count_text(&page, "narrow") + count_text(&page, "wide") + count_text(&page, "two"), 3);
    for (size_t i = 0; i < page.count; i++) {
        const struct primitive *p = &page.primitives[i];
        if (p->kind == PAGE_TEXT && found < 2 && (strstr(p->text, "narrow") || strstr(p->text, "wide"))) {
            left[found] = p->at.x;
            at_y[found++] = p->at.y;
        }
        for (size_t v = 0; v < p->count && (p->kind == PAGE_LINE || p->kind == PAGE_AREA); v++)
            assert_true(page.vertices[p->first + v].y >= 0 && page.vertices[p->first + v].y <= 400);
    }
    assert_true(found == 2 && left[0] == left[1] && at_y[1] > at_y[0] + 100);
    page_free(&page);
    struct plot bad = plot;
    struct plot broken[] = {panels[0], panels[1]};
    broken[1].y.max = -1;
    bad.panels = broken;
    assert_non_null(plot_trouble(&bad, 600, 400, text, sizeof text));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(panels_begin_at_the_same_x),
        cmocka_unit_test(boxes_overlap_by_separating_axes),
        cmocka_unit_test(ticks_are_readable),
        cmocka_unit_test(usual_ticks),
        cmocka_unit_test(an_axis_of_names),
        cmocka_unit_test(arrows_have_heads),
        cmocka_unit_test(bars_have_numbers),
        cmocka_unit_test(random_plots_are_readable),
        cmocka_unit_test(every_label_appears_once),
        cmocka_unit_test(crowds_are_readable),
        cmocka_unit_test(markers_have_one_area),
        cmocka_unit_test(segments),
        cmocka_unit_test(labels_without_room_move_to_the_legend),
        cmocka_unit_test(lines_and_points_share_a_row),
        cmocka_unit_test(dashes_are_explained_once),
        cmocka_unit_test(labels_at_ends_keep_one_row),
        cmocka_unit_test(optional_labels),
        cmocka_unit_test(demos_are_readable),
        cmocka_unit_test(hostile_text_is_tamed),
        cmocka_unit_test(unusable_plots_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
