/* SPDX-License-Identifier: BSD-3-Clause
 * Styles: their rules for type and colours hold for every text and line of the demo charts. */
#include "render/layout/layout.h"
#include "render/page/style.h"
#include "tests/support/plot_demo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* As wide as usual letters. */
static double width_of(void *context, const char *text, double size, bool bold) {
    (void)context;
    return (bold ? 0.65 : 0.58) * size * (double)strlen(text);
}

static const struct metrics metrics = {.width = width_of};

/* Lays out a plot on the style's own page. */
static void lay_out(struct page *page, struct plot plot, const struct plot_style *style) {
    plot.style = style;
    layout_plot(page, &plot, style->width / style->scale, style->height / style->scale, &metrics);
    assert_false(page->out_of_memory);
}

static void they_have_names(void **state) {
    (void)state;
    assert_string_equal(plot_styles[0].name, "screen");
    for (const struct plot_style *style = plot_styles; style->name; style++)
        assert_ptr_equal(plot_style_named(style->name), style);
    assert_null(plot_style_named("poster"));
    struct plot plot = demo_staircase();
    assert_ptr_equal(plot_style_of(&plot), &plot_styles[0]);
}

/* No text is smaller than 7 points in a paper and 18 on a slide, except titles of axes that would not fit, and a
 * crowded legend of a slide. */
static void type_is_large_enough(void **state) {
    static const struct {
        const char *style;
        double points;
    } rows[] = {{"paper", 7}, {"slide", 18}};
    const struct plot plots[] = {demo_roofline(), demo_staircase()};
    (void)state;
    for (size_t i = 0; i < DEMO_COUNT(rows); i++)
        for (size_t k = 0; k < DEMO_COUNT(plots); k++) {
            const struct plot_style *style = plot_style_named(rows[i].style);
            struct page page;
            size_t texts = 0;
            lay_out(&page, plots[k], style);
            for (size_t p = 0; p < page.count; p++) {
                const struct primitive *text = &page.primitives[p];
                const bool of_axis = text->text && (strcmp(text->text, plots[k].x.title) == 0 ||
                                                    strcmp(text->text, plots[k].y.title) == 0);
                if (text->kind != PAGE_TEXT || of_axis)
                    continue;
                texts++;
                const bool crowded = text->part == PAGE_LEGEND && !style->captioned;
                assert_true(text->style.size * style->scale >= (crowded ? 0.8 : 1) * rows[i].points - 1e-9);
            }
            assert_true(texts > 10);
            page_free(&page);
        }
}

/* Texts of the caption are not in the picture; warnings are. */
static void sparse_styles_leave_the_rest_to_the_caption(void **state) {
    static const char *const notes[] = {"a doubt"};
    struct plot plot = demo_staircase();
    (void)state;
    plot.title = "named", plot.subtitle = "conditions", plot.footer = "method", plot.notes = notes, plot.note_count = 1;
    for (const struct plot_style *style = plot_styles; style->name; style++) {
        static const char *const TEXTS[] = {"conditions", "method", "named", "a doubt"};
        struct page page;
        lay_out(&page, plot, style);
        for (size_t t = 0; t < DEMO_COUNT(TEXTS); t++) {
            bool found = false;
            for (size_t i = 0; i < page.count; i++)
                found |= page.primitives[i].text && strcmp(page.primitives[i].text, TEXTS[t]) == 0;
            assert_int_equal(found, t >= 2 || !style->sparse);
        }
        page_free(&page);
    }
}

static size_t texts_with(struct page *page, const char *part) {
    size_t count = 0;
    for (size_t i = 0; i < page->count; i++)
        count += page->primitives[i].text && strstr(page->primitives[i].text, part);
    return count;
}

/* A row of the legend or a mark that explains is in the caption, if there is one; names of colours never are. */
static void colours_have_names_in_all_styles(void **state) {
    static const double x[] = {1, 4}, low[] = {1, 1}, high[] = {2, 2};
    struct plot_band bands[] = {
        {.count = 2, .x = x, .y_low = low, .y_high = high, .color = {0, 0, 1, 1}, .legend = "a name"},
        {.count = 2,
         .x = x,
         .y_low = low,
         .y_high = high,
         .color = {1, 0, 0, 1},
         .legend = "a remark",
         .remark = true}};
    struct plot plot = demo_staircase();
    (void)state;
    const struct plot_mark ridge = {
        .vertical = true, .at = sqrt(plot.x.min * plot.x.max), .label = "1.75", .remark = true};
    plot.bands = bands, plot.band_count = DEMO_COUNT(bands);
    plot.marks = &ridge, plot.mark_count = 1;
    for (const struct plot_style *style = plot_styles; style->name; style++) {
        struct page page;
        lay_out(&page, plot, style);
        assert_int_equal(texts_with(&page, "a name"), 1);
        assert_int_equal(texts_with(&page, "a remark"), !style->captioned);
        assert_int_equal(texts_with(&page, "1.75"), !style->captioned);
        page_free(&page);
    }
}

/* If "128 Gflop/s · 20 flop/cycle" does not fit, half of it does. */
static void a_line_has_its_short_number(void **state) {
    double x[] = {1, 4}, y[] = {2, 2};
    const struct plot_line line = {.count = 2,
                                   .x = x,
                                   .y = y,
                                   .label = "a ceiling",
                                   .sublabel = "short, and then so much more that it has no room beside any chart",
                                   .short_sublabel = "short",
                                   .label_place = PLOT_LABEL_END,
                                   .color = PALETTE_BLACK};
    const struct plot plot = {.lines = &line,
                              .line_count = 1,
                              .x = {.scale = PLOT_LINEAR, .min = 0, .max = 3},
                              .y = {.scale = PLOT_LINEAR, .min = 0, .max = 3}};
    (void)state;
    for (const struct plot_style *style = plot_styles; style->name; style++) {
        struct page page;
        lay_out(&page, plot, style);
        assert_int_equal(texts_with(&page, "a ceiling"), 1);
        assert_int_equal(texts_with(&page, "short"), 1);
        assert_int_equal(texts_with(&page, "more"), 0);
        page_free(&page);
    }
}

static void a_dark_page_can_be_read(void **state) {
    const struct plot plots[] = {demo_roofline(), demo_staircase()};
    (void)state;
    for (size_t k = 0; k < DEMO_COUNT(plots); k++) {
        struct page page;
        lay_out(&page, plots[k], plot_style_named("dark"));
        assert_true(style_contrast(page.ground, PALETTE_WHITE) > 15);
        for (size_t i = 0; i < page.count; i++)
            if (page.primitives[i].kind == PAGE_TEXT)
                assert_true(style_contrast(page.ground, page.primitives[i].style.color) >= 4.5);
        page_free(&page);
    }
}

static void colors_keep_their_hue(void **state) {
    const struct plot_color colors[] = {PALETTE_BLUE,   PALETTE_GREEN,   PALETTE_ORANGE, PALETTE_VERMILLION,
                                        PALETTE_PURPLE, PALETTE_MAGENTA, PALETTE_NAVY,   PALETTE_AZURE};
    (void)state;
    assert_true(style_contrast(PALETTE_RGB(0), PALETTE_WHITE) > 20.9);
    assert_true(style_contrast(PALETTE_BLUE, PALETTE_BLUE) == 1);
    for (size_t i = 0; i < DEMO_COUNT(colors); i++) {
        const struct plot_color was = colors[i], is = style_turned(was);
        assert_true((was.r > was.g) == (is.r > is.g) && (was.g > was.b) == (is.g > is.b));
        assert_true(is.r >= 0 && is.r <= 1 && is.g >= 0 && is.g <= 1 && is.b >= 0 && is.b <= 1);
    }
    const struct plot_color white = style_turned(PALETTE_WHITE), black = style_turned(PALETTE_RGB(0));
    assert_true(white.r < 0.2 && white.r == white.g && white.g == white.b);
    assert_true(black.r > 0.8 && black.r == black.g && black.g == black.b);
}

static void values_keep_their_colors(void **state) {
    const double values[] = {1, 2, 3, 4};
    const char *const names[] = {"a", "b"};
    const struct plot_heat heat = {
        .rows = 2, .columns = 2, .row_names = names, .column_names = names, .values = values, .low = 1, .high = 4};
    const struct plot plot = {.title = "t", .heat = &heat};
    struct page light, dark;
    size_t cells = 0;
    (void)state;
    lay_out(&light, plot, plot_style_named("screen"));
    lay_out(&dark, plot, plot_style_named("dark"));
    assert_int_equal(light.count, dark.count);
    for (size_t i = 0; i < light.count; i++)
        if (light.primitives[i].kind == PAGE_AREA) {
            cells++;
            assert_memory_equal(&light.primitives[i].fill, &dark.primitives[i].fill, sizeof(struct plot_color));
        }
    assert_true(cells > 4);
    page_free(&light);
    page_free(&dark);
}

static void nothing_shines_through_a_flat_page(void **state) {
    struct page page;
    (void)state;
    lay_out(&page, demo_roofline(), &plot_styles[0]);
    style_flatten_page(&page);
    for (size_t i = 0; i < page.count; i++) {
        const double a = page.primitives[i].fill.a, b = page.primitives[i].stroke.a;
        assert_true((a == 0 || a == 1) && (b == 0 || b == 1));
    }
    page_free(&page);
}

static bool has_text(const struct page *page, const char *text) {
    bool any = false;
    for (size_t i = 0; i < page->count; i++)
        any |= page->primitives[i].text && strcmp(page->primitives[i].text, text) == 0;
    return any;
}

/* On a slide one line without room for its long label does not make the others short. */
static void slides_have_long_labels_where_there_is_room(void **state) {
    const double x[2][2] = {{1 / 64.0, 16}, {12, 64}}, y[2][2] = {{2, 2048}, {1, 5.3}};
    struct plot_line lines[2];
    struct page page;
    (void)state;
    for (size_t i = 0; i < 2; i++)
        lines[i] = (struct plot_line){.count = 2,
                                      .x = x[i],
                                      .y = y[i],
                                      .width = 2,
                                      .label = i ? "L2  a pattern of a name too long" : "L1  update",
                                      .short_label = i ? "L2" : "L1",
                                      .sublabel = "9 B",
                                      .label_place = PLOT_LABEL_ALONG};
    const struct plot plot = {.x = {.title = "x", .scale = PLOT_LOG2, .min = 1 / 64.0, .max = 64},
                              .y = {.title = "y", .scale = PLOT_LOG10, .min = 1, .max = 1000},
                              .line_count = 2,
                              .lines = lines};
    lay_out(&page, plot, plot_style_named("slide"));
    assert_true(has_text(&page, "L1  update") && has_text(&page, "L2"));
    page_free(&page);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_have_names),
        cmocka_unit_test(type_is_large_enough),
        cmocka_unit_test(a_dark_page_can_be_read),
        cmocka_unit_test(sparse_styles_leave_the_rest_to_the_caption),
        cmocka_unit_test(colors_keep_their_hue),
        cmocka_unit_test(values_keep_their_colors),
        cmocka_unit_test(colours_have_names_in_all_styles),
        cmocka_unit_test(a_line_has_its_short_number),
        cmocka_unit_test(nothing_shines_through_a_flat_page),
        cmocka_unit_test(slides_have_long_labels_where_there_is_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
