/* SPDX-License-Identifier: BSD-3-Clause
 * Heat maps without a graphics library: the text is readable, unknown cells have no colour, and the palette rises in
 * lightness. */
#include "render/layout/layout.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "tests/support/readable.h"

enum { SIDE = 40 };
static char names[SIDE][8];
static const char *name_list[SIDE];
static double values[SIDE * SIDE];

/* Values rise with row and column from 10.0 on, by 0.1 a step. */
static struct plot_heat heat_of(size_t rows, size_t columns) {
    for (size_t i = 0; i < SIDE; i++) {
        snprintf(names[i], sizeof names[i], "%zu", i + 1);
        name_list[i] = names[i];
    }
    for (size_t i = 0; i < rows * columns; i++)
        values[i] = 10 + (double)i * 0.1;
    return (struct plot_heat){.rows = rows,
                              .columns = columns,
                              .row_names = name_list,
                              .column_names = name_list,
                              .values = values,
                              .low = 10,
                              .high = 10 + (double)(rows * columns) * 0.1,
                              .decimals = 1,
                              .title = "flop/cycle"};
}

static struct plot plot_of(const struct plot_heat *heat) {
    return (struct plot){.title = "A surface of some core",
                         .subtitle = "the best, and what it says",
                         .footer = "how it was made",
                         .x = {.title = "Unroll"},
                         .y = {.title = "Accumulators"},
                         .heat = heat};
}

static size_t count_text(const struct page *page, const char *text) {
    size_t count = 0;
    for (size_t i = 0; i < page->count; i++)
        count += page->primitives[i].kind == PAGE_TEXT && strcmp(page->primitives[i].text, text) == 0;
    return count;
}

static void texts_can_be_read_at_any_size(void **state) {
    (void)state;
    const double sizes[][2] = {{960, 640}, {480, 360}, {2000, 900}, {500, 1400}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t rows = 1; rows <= SIDE; rows += 13)
            for (size_t columns = 1; columns <= SIDE; columns += 6) {
                struct plot_heat heat = heat_of(rows, columns);
                struct plot plot = plot_of(&heat);
                struct page page;
                char text[64];
                assert_null(plot_trouble(&plot, sizes[s][0], sizes[s][1], text, sizeof text));
                layout_plot(&page, &plot, sizes[s][0], sizes[s][1], &metrics);
                assert_readable(&page);
                page_free(&page);
            }
}

static void values_are_written_where_they_fit(void **state) {
    (void)state;
    struct plot_heat heat = heat_of(5, 6);
    struct plot plot = plot_of(&heat);
    struct page page;
    values[7] = NAN;
    layout_plot(&page, &plot, 960, 640, &metrics);
    assert_int_equal(count_text(&page, "12.9"), 1);
    assert_int_equal(count_text(&page, "10.7"), 0); /* unknown, and shown by neither number nor colour */
    assert_int_equal(count_text(&page, "flop/cycle"), 1);
    assert_int_equal(count_text(&page, "nan"), 0);
    page_free(&page);
    heat = heat_of(SIDE, SIDE);
    layout_plot(&page, &plot, 480, 360, &metrics);
    assert_int_equal(count_text(&page, "10.7"), 0);
    page_free(&page);
}

/* Without room for all, the top row and the left column have their names. */
static void names_begin_at_the_top(void **state) {
    (void)state;
    struct plot_heat heat = heat_of(SIDE, 1);
    struct plot plot = plot_of(&heat);
    struct page page;
    layout_plot(&page, &plot, 480, 360, &metrics);
    assert_int_equal(count_text(&page, "40"), 1);
    assert_int_equal(count_text(&page, "39"), 0);
    page_free(&page);
}

/* Areas as large as a cell: one for each value. */
static size_t count_cells(const struct page *page, const struct plot_heat *heat) {
    double width = (page->plot.right - page->plot.left) / (double)heat->columns;
    size_t count = 0;
    for (size_t i = 0; i < page->count; i++) {
        const struct primitive *p = &page->primitives[i];
        if (p->kind == PAGE_AREA && p->count == 4)
            count += fabs(page->vertices[p->first + 1].x - page->vertices[p->first].x - width) < 1;
    }
    return count;
}

static void what_is_not_known_is_hatched(void **state) {
    (void)state;
    struct plot_heat heat = heat_of(4, 4);
    struct plot plot = plot_of(&heat);
    struct page page;
    layout_plot(&page, &plot, 960, 640, &metrics);
    size_t lines = 0, more = 0;
    for (size_t i = 0; i < page.count; i++)
        lines += page.primitives[i].kind == PAGE_LINE;
    assert_int_equal(count_cells(&page, &heat), 16);
    page_free(&page);
    values[3] = values[9] = NAN;
    layout_plot(&page, &plot, 960, 640, &metrics);
    for (size_t i = 0; i < page.count; i++)
        more += page.primitives[i].kind == PAGE_LINE;
    assert_int_equal(count_cells(&page, &heat), 14);
    assert_true(more > lines + 20);
    page_free(&page);
    values[3] = values[9] = INFINITY; /* no such cells: neither colour nor hatching */
    more = 0;
    layout_plot(&page, &plot, 960, 640, &metrics);
    for (size_t i = 0; i < page.count; i++)
        more += page.primitives[i].kind == PAGE_LINE;
    assert_int_equal(count_cells(&page, &heat), 14);
    assert_int_equal(more, lines);
    assert_int_equal(count_text(&page, "inf"), 0);
    page_free(&page);
}

static void the_marked_cell_is_outlined(void **state) {
    (void)state;
    struct plot_heat heat = heat_of(4, 8);
    struct plot plot = plot_of(&heat);
    struct page page;
    heat.marked = true;
    heat.marked_row = 1;
    heat.marked_column = 6;
    layout_plot(&page, &plot, 960, 640, &metrics);
    /* The last outline, white on black: row 1 is the second from the bottom. */
    const struct primitive *found = NULL;
    for (size_t i = 0; i < page.count; i++)
        if (page.primitives[i].kind == PAGE_LINE && page.primitives[i].count == 5 && page.primitives[i].stroke.r == 1)
            found = &page.primitives[i];
    assert_non_null(found);
    const struct frame *plot_area = &page.plot;
    const struct vec *corner = &page.vertices[found->first];
    double width = (plot_area->right - plot_area->left) / 8, height = (plot_area->bottom - plot_area->top) / 4;
    assert_true(fabs(corner->x - (plot_area->left + 6 * width)) < 0.01);
    assert_true(fabs(corner->y - (plot_area->bottom - 2 * height)) < 0.01);
    page_free(&page);
}

static void lightness_rises(void **state) {
    (void)state;
    double before = -1;
    for (int i = 0; i <= 100; i++) {
        struct plot_color c = heat_color(i / 100.0);
        double luminance = 0.2126 * pow(c.r, 2.2) + 0.7152 * pow(c.g, 2.2) + 0.0722 * pow(c.b, 2.2);
        assert_true(luminance > before);
        before = luminance;
    }
    assert_true(heat_color(-5).b == heat_color(0).b && heat_color(7).r == heat_color(1).r);
}

static void what_cannot_be_drawn(void **state) {
    (void)state;
    struct plot_heat heat = heat_of(2, 2);
    struct plot plot = plot_of(&heat);
    char text[64];
    assert_null(heat_trouble(&heat));
    heat.high = heat.low;
    assert_non_null(plot_trouble(&plot, 960, 640, text, sizeof text));
    heat.high = NAN;
    assert_non_null(heat_trouble(&heat));
    heat = heat_of(2, 2);
    heat.rows = 0;
    assert_non_null(heat_trouble(&heat));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_can_be_read_at_any_size), cmocka_unit_test(values_are_written_where_they_fit),
        cmocka_unit_test(names_begin_at_the_top),        cmocka_unit_test(what_is_not_known_is_hatched),
        cmocka_unit_test(the_marked_cell_is_outlined),   cmocka_unit_test(lightness_rises),
        cmocka_unit_test(what_cannot_be_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
