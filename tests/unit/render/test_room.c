/* SPDX-License-Identifier: BSD-3-Clause
 * Texts and axes of a picture without enough room: where text is cut and broken, what the legend then contains, and
 * when there is a right axis. */
#include "render/layout/layout.h"
#include "render/page/palette.h"
#include "render/page/style.h"
#include "tests/support/plot_demo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tests/support/readable.h"

static size_t count_text(const struct page *page, const char *part) {
    size_t count = 0;
    for (size_t i = 0; i < page->count; i++)
        count += page->primitives[i].kind == PAGE_TEXT && strstr(page->primitives[i].text, part) != NULL;
    return count;
}

static char *fitted(struct page *page, const char *text, const char *as_wide_as) {
    const struct text_style style = {.size = 10};
    return page_text_fit(page, text, &style, page_text_width(page, as_wide_as, &style) + 0.1);
}

static void assert_fitted(const char *text, const char *as_wide_as, const char *expected) {
    struct page page;
    page_init(&page, 960, 640, &metrics);
    char *cut = fitted(&page, text, as_wide_as);
    assert_string_equal(cut, expected);
    free(cut);
    page_free(&page);
}

/* Text without room ends after a clause, or at least after a word; only a single word as long as the line is cut. */
static void text_is_cut_between_words(void **state) {
    static const char NOTE[] = "L3 detected as 480 MiB, but the sweep leaves its plateau near 128 MiB; measured there";
    (void)state;
    assert_fitted(NOTE, NOTE, NOTE);
    assert_fitted(NOTE, "L3 detected as 480 MiB, but the sweep le", "L3 detected as 480 MiB …");
    assert_fitted(NOTE, "L3 detected as 48", "L3 detected as …");
    assert_fitted("dgemm (blocked) · 2 cores", "dgemm (blocked) · 2 co", "dgemm (blocked) · …");
    assert_fitted("x /a_path_that_is_very_long", "x /a_path_that_is…", "x /a_path_that_i…");
    struct page page;
    page_init(&page, 960, 640, &metrics);
    for (size_t length = 16; length < strlen(NOTE); length++) {
        char prefix[sizeof NOTE];
        snprintf(prefix, sizeof prefix, "%.*s", (int)length, NOTE);
        char *cut = fitted(&page, NOTE, prefix);
        const size_t kept = strlen(cut) - strlen(" …");
        assert_string_equal(cut + kept, " …");
        assert_memory_equal(cut, NOTE, kept);
        assert_non_null(strchr(" ,;", NOTE[kept]));
        free(cut);
    }
    page_free(&page);
}

/* A list is broken between its members: "2 cores" stays together. */
static void lists_break_between_members(void **state) {
    static const char LIST[] = "Xeon · Granite Rapids (Redwood Cove) · 2 cores · f64";
    const struct text_style style = {.size = 10};
    char *lines[3];
    struct page page;
    (void)state;
    page_init(&page, 960, 640, &metrics);
    const double room = page_text_width(&page, "Xeon · Granite Rapids (Redwood Cove) · 2 co", &style);
    assert_int_equal(page_text_wrap(&page, LIST, &style, room, lines, 3), 2);
    assert_string_equal(lines[0], "Xeon · Granite Rapids (Redwood Cove) ·");
    assert_string_equal(lines[1], "2 cores · f64");
    free(lines[0]);
    free(lines[1]);
    page_free(&page);
}

/* The only text that begins so; "": none. */
static const char *text_beginning(const struct page *page, const char *beginning) {
    for (size_t i = 0; i < page->count; i++)
        if (page->primitives[i].text && strncmp(page->primitives[i].text, beginning, strlen(beginning)) == 0)
            return page->primitives[i].text;
    return "";
}

/* The legend explains ghosts' labels only if there is a ghost. */
static void the_legend_tells_of_labels_that_stand(void **state) {
    static const char WITH[] = "possible, and the time", WITHOUT[] = "possible";
    (void)state;
    for (int room = 0; room < 2; room++) {
        enum { POINTS = 60 };
        struct plot_point points[POINTS];
        for (size_t i = 0; i < POINTS; i++)
            points[i] = (struct plot_point){.x = 0.95 + 0.002 * (double)i, .y = 1, .color = PALETTE_BLACK};
        points[0] = (struct plot_point){.x = room ? 0.2 : 1.01,
                                        .y = room ? 0.3 : 1,
                                        .ghost = true,
                                        .hollow = true,
                                        .near = true,
                                        .optional = true,
                                        .label = "0.4 of 1.1 s",
                                        .legend = WITHOUT,
                                        .legend_of_labels = WITH};
        const struct plot plot = {
            .x = {.min = 0, .max = 2}, .y = {.min = 0, .max = 2}, .point_count = POINTS, .points = points};
        struct page page;
        layout_plot(&page, &plot, 960, 640, &metrics);
        assert_int_equal(count_text(&page, "0.4 of 1.1 s"), room);
        assert_string_equal(text_beginning(&page, "possible"), room ? WITH : WITHOUT);
        page_free(&page);
    }
}

/* A row of the legend without room shows its whole number or none. */
static void rows_of_the_legend_keep_their_numbers_whole(void **state) {
    const double x[] = {0, 1}, y[] = {0, 1};
    const struct plot_line line = {.count = 2,
                                   .x = x,
                                   .y = y,
                                   .label = "a machine whose name takes nearly all of the width of this small page",
                                   .sublabel = "118 Gflop/s",
                                   .label_place = PLOT_LABEL_LEGEND};
    const struct plot plot = {.x = {.min = 0, .max = 2}, .y = {.min = 0, .max = 2}, .line_count = 1, .lines = &line};
    size_t with = 0, without = 0;
    (void)state;
    for (double width = 480; width < 960; width += 10) {
        struct page page;
        layout_plot(&page, &plot, width, 400, &metrics);
        with += count_text(&page, "118 Gflop/s");
        without += count_text(&page, "118") == 0;
        assert_int_equal(count_text(&page, "118"), count_text(&page, "118 Gflop/s"));
        page_free(&page);
    }
    assert_true(with > 0 && without > 0);
}

/* There is a right axis if half of the page's width remains for the plot; it never takes more. */
static void right_axes_need_room(void **state) {
    size_t with = 0, without = 0;
    (void)state;
    for (const struct plot_style *style = plot_styles; style->name; style++)
        for (double width = style->least_width; width < 1300; width += 10) {
            struct plot plot = demo_roofline();
            struct page page;
            plot.right_title = "flop/cycle at 2.80 GHz", plot.right_per_y = 1 / 2.8e9, plot.style = style;
            layout_plot(&page, &plot, width / style->scale, 0.75 * width / style->scale, &metrics);
            const bool stands = count_text(&page, "flop/cycle at") > 0;
            const double plot_width = page.plot.right - page.plot.left;
            assert_readable(&page);
            assert_true(!stands || plot_width >= 0.5 * page.width);
            stands ? with++ : without++;
            page_free(&page);
        }
    assert_true(with > 20 && without > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_cut_between_words),
        cmocka_unit_test(lists_break_between_members),
        cmocka_unit_test(the_legend_tells_of_labels_that_stand),
        cmocka_unit_test(rows_of_the_legend_keep_their_numbers_whole),
        cmocka_unit_test(right_axes_need_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
