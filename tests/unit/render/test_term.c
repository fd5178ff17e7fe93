/* SPDX-License-Identifier: BSD-3-Clause
 * Charts in a terminal: small pictures as expected text; for larger ones, nothing is wider than the terminal, every
 * label is there, and colours and Unicode appear only if wanted. */
#include "render/page/plot.h"
#include "render/draw/term_canvas.h"
#include "tests/support/plot_demo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static char *drawn(const struct plot *plot, struct plot_terminal terminal) {
    char *text = NULL;
    struct plot_error err;
    if (!plot_text(plot, &terminal, &text, &err))
        fail_msg("%s", err.text);
    return text;
}

static void assert_text(const struct plot *plot, struct plot_terminal terminal, const char *wanted) {
    char *text = drawn(plot, terminal);
    if (strcmp(text, wanted) != 0)
        fail_msg("\n%s\nis not\n%s", text, wanted);
    free(text);
}

static void assert_has(const char *text, const char *part, bool wanted) {
    if ((strstr(text, part) != NULL) != wanted)
        fail_msg("\"%s\" is%s in\n%s", part, wanted ? " not" : "", text);
}

/* One roof, one ceiling, one point, one ridge. */
struct small {
    double roof_x[2], roof_y[2], peak_x[2], peak_y[2];
    struct plot_line lines[2];
    struct plot_mark ridge;
    struct plot_point point;
    const char *notes[1];
    struct plot plot;
};

static void make_small(struct small *s) {
    *s = (struct small){.roof_x = {0.125, 4}, .roof_y = {1e9, 32e9}, .peak_x = {4, 16}, .peak_y = {32e9, 32e9}};
    s->lines[0] = (struct plot_line){.count = 2,
                                     .x = s->peak_x,
                                     .y = s->peak_y,
                                     .color = PALETTE_BLACK,
                                     .width = 2.4,
                                     .label = "FMA",
                                     .sublabel = "32 Gflop/s",
                                     .label_place = PLOT_LABEL_END,
                                     .priority = 1};
    s->lines[1] = (struct plot_line){.count = 2,
                                     .x = s->roof_x,
                                     .y = s->roof_y,
                                     .color = PALETTE_BLUE,
                                     .width = 2.4,
                                     .label = "DRAM  load",
                                     .sublabel = "8 GB/s · 3 B/cycle",
                                     .label_place = PLOT_LABEL_ALONG};
    s->ridge =
        (struct plot_mark){.vertical = true, .at = 4, .from = 1e9, .to = 32e9, .color = PALETTE_BLUE, .label = "4"};
    s->point =
        (struct plot_point){.x = 1, .y = 4e9, .color = PALETTE_MAGENTA, .label = "work ▲", .sublabel = "DRAM 50 %"};
    s->notes[0] = "unstable: load";
    s->plot = (struct plot){
        .title = "A machine · f64",
        .subtitle = "3 GHz",
        .note_count = 1,
        .notes = s->notes,
        .x = {.title = "Intensity  [flop per byte]",
              .scale = PLOT_LOG2,
              .unit = PLOT_UNIT_FRACTION,
              .min = 0.125,
              .max = 16},
        .y = {.title = "Performance  [Gflop/s]", .scale = PLOT_LOG10, .min = 1e9, .max = 64e9, .divisor = 1e9},
        .line_count = 2,
        .lines = s->lines,
        .mark_count = 1,
        .marks = &s->ridge,
        .point_count = 1,
        .points = &s->point};
}

static void a_roofline_in_ascii(void **state) {
    (void)state;
    struct small s;
    make_small(&s);
    assert_text(&s.plot, (struct plot_terminal){.columns = 60, .rows = 12},
                "A machine | f64\n"
                "3 GHz\n"
                "! unstable: load\n"
                "\n"
                "Performance  [Gflop/s]\n"
                "   |                                        FMA  32 Gflop/s\n"
                "   |                                       _---------------\n"
                "30 +                                   _--':\n"
                "   |                               _--'    :\n"
                "   |                           _--'        :\n"
                "10 +                       _--'            :\n"
                "   |                   _--'                :\n"
                "   |               _--'    o work !        :\n"
                " 3 +           _--'                        :\n"
                "   |       _--DRAM  load  8 GB/s | 3 B/cycle\n"
                "   |   _--'                                :\n"
                " 1 +--'                                    :4\n"
                "   ++------+-------+-------+-------+-------+-------+------+\n"
                "   1/8    1/4     1/2      1       2       4       8     16\n"
                "                  Intensity  [flop per byte]\n"
                "\n"
                "  o work !: 4 Gflop/s at 1 | DRAM 50 %\n");
}

/* A ghost has its label, and no row; no label is on a line that must stay clear. */
static void a_ghost_and_the_way_to_it(void **state) {
    (void)state;
    struct small s;
    double x[2] = {0.2, 0.2}, y[2] = {10e9, 11e9};
    make_small(&s);
    struct plot_line lines[3] = {s.lines[0], s.lines[1], {.count = 2, .x = x, .y = y}};
    struct plot_point points[2] = {
        {.x = 1, .y = 8e9, .hollow = true, .ghost = true, .label = "0.5 of 1 s", .optional = true, .near = true},
        s.point};
    points[1].x = 0.13, points[1].y = 10.5e9;
    s.plot.lines = lines, s.plot.line_count = 3, s.plot.points = points, s.plot.point_count = 2;
    for (int clear = 0; clear < 2; clear++) {
        lines[2].clear = clear;
        char *text = drawn(&s.plot, (struct plot_terminal){.columns = 60, .rows = 12});
        assert_has(text, "0.5 of 1 s x", true);
        assert_has(text, "1 s:", false);
        assert_has(text, "  o work !: 10.5 Gflop/s at 0.13 | DRAM 50 %\n", true);
        assert_has(text, "+o work !", !clear); /* from the axis on */
        assert_has(text, "+o    |", clear);
        free(text);
    }
}

/* Above its line; below it if the next free place above is more than a twelfth of the line away. */
static void a_label_is_above_or_below_its_line(void **state) {
    static const struct {
        double point; /* above the line */
        const char *row;
    } ROWS[] = {{12, "10 +                                         o p       roof\n"},
                {14.75, "   |                                                   roof\n"},
                {15.5, "10 +                                               roof  o\n"}};
    static const double X[] = {0, 16}, Y[] = {8, 8};
    (void)state;
    for (size_t i = 0; i < DEMO_COUNT(ROWS); i++) {
        const struct plot_line line = {
            .count = 2, .x = X, .y = Y, .width = 2, .label = "roof", .label_place = PLOT_LABEL_END};
        const struct plot_point point = {.x = ROWS[i].point, .y = 10.4, .label = "p", .optional = true};
        const struct plot plot = {.title = "T",
                                  .x = {.title = "x", .scale = PLOT_LINEAR, .min = 0, .max = 16},
                                  .y = {.title = "y", .scale = PLOT_LINEAR, .min = 0, .max = 16},
                                  .line_count = 1,
                                  .lines = &line,
                                  .point_count = 1,
                                  .points = &point};
        char *text = drawn(&plot, (struct plot_terminal){.columns = 60, .rows = 10});
        assert_has(text, ROWS[i].row, true);
        free(text);
    }
}

static void the_same_in_unicode(void **state) {
    (void)state;
    struct small s;
    make_small(&s);
    assert_text(&s.plot, (struct plot_terminal){.columns = 60, .rows = 12, .unicode = true},
                "A machine · f64\n"
                "3 GHz\n"
                "▲ unstable: load\n"
                "\n"
                "Performance  [Gflop/s]\n"
                "   │                                        FMA  32 Gflop/s\n"
                "   │                                       ⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤\n"
                "30 ┤                                   ⢀⣠⡴⠞⠁\n"
                "   │                               ⢀⣠⡴⠞⠋⠁  ┊\n"
                "   │                           ⢀⣠⡴⠞⠋⠁      ┊\n"
                "10 ┤                       ⢀⣠⡴⠞⠋⠁          ┊\n"
                "   │                   ⢀⣠⡴⠞⠋⠁              ┊\n"
                "   │               ⢀⣠⡴⠞⠋⠁  ● work ▲        ┊\n"
                " 3 ┤           ⢀⣠⡴⠞⠋⠁                      ┊\n"
                "   │       ⢀⣠⡴⠞⠋⠁                          ┊\n"
                "   │   ⢀⣠⡴⠞⠋⠁DRAM  load  8 GB/s · 3 B/cycle┊\n"
                " 1 ┤⣠⡴⠞⠋⠁                                  ┊4\n"
                "   └┬──────┬───────┬───────┬───────┬───────┬───────┬──────┬\n"
                "   1/8    1/4     1/2      1       2       4       8     16\n"
                "                  Intensity  [flop per byte]\n"
                "\n"
                "  ● work ▲: 4 Gflop/s at 1 · DRAM 50 %\n");
}

/* The number of characters in the widest line, without escape sequences. */
static size_t widest(const char *text) {
    size_t most = 0, now = 0;
    for (; *text; text++) {
        if (*text == '\033')
            text += strcspn(text, "m");
        else if (*text == '\n')
            now = 0;
        else
            now += ((unsigned char)*text & 0xC0) != 0x80;
        most = now > most ? now : most;
    }
    return most;
}

static size_t count_of(const char *text, const char *part) {
    size_t count = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        count++;
    return count;
}

static void nothing_is_wider_than_the_terminal(void **state) {
    (void)state;
    const struct plot plots[] = {demo_roofline(), demo_staircase()};
    for (size_t p = 0; p < 2; p++)
        for (size_t columns = PLOT_TERMINAL_LEAST; columns <= 300; columns += 7)
            for (int unicode = 0; unicode < 2; unicode++) {
                char *text =
                    drawn(&plots[p],
                          (struct plot_terminal){.columns = columns, .unicode = unicode, .colors = PLOT_COLORS_256});
                if (widest(text) > columns)
                    fail_msg("%zu columns of %zu:\n%s", widest(text), columns, text);
                free(text);
            }
}

/* In the chart or in a row, the label of each line and point is there, and its sublabel. */
static void every_label_is_there(void **state) {
    (void)state;
    const struct plot plot = demo_roofline();
    for (size_t columns = 80; columns <= 200; columns += 40) {
        char *text = drawn(&plot, (struct plot_terminal){.columns = columns, .unicode = true});
        for (size_t i = 0; i < plot.line_count; i++) {
            assert_has(text, plot.lines[i].label, true);
            assert_has(text, plot.lines[i].sublabel, true);
        }
        for (size_t i = 0; i < plot.point_count; i++)
            if (plot.points[i].label)
                assert_has(text, plot.points[i].label, true);
        free(text);
    }
}

/* Twenty lines so close that only letters fit. */
static void crowded_lines_have_letters(void **state) {
    (void)state;
    enum { LINES = 30 };
    static double x[2] = {1, 10}, y[LINES][2];
    static char labels[LINES][80];
    static struct plot_line lines[LINES];
    for (size_t i = 0; i < LINES; i++) {
        y[i][0] = y[i][1] = 5 + 0.01 * (double)i;
        snprintf(labels[i], sizeof labels[i], "line number %zu of a label that is rather long", i);
        lines[i] = (struct plot_line){
            .count = 2, .x = x, .y = y[i], .color = PALETTE_GREEN, .label = labels[i], .label_place = PLOT_LABEL_END};
    }
    const struct plot plot = {
        .x = {.min = 1, .max = 10}, .y = {.min = 0, .max = 10}, .line_count = LINES, .lines = lines};
    char *text = drawn(&plot, (struct plot_terminal){.columns = 80});
    assert_has(text, "-- B line number ", true);
    for (size_t i = 0; i < LINES; i++)
        assert_has(text, labels[i], true);
    free(text);
}

static void assert_in_order(const char *text, const char *const *parts, size_t count) {
    const char *at = text;
    for (size_t i = 0; i < count; i++)
        if (!(at = strstr(at, parts[i])))
            fail_msg("%s is out of order:\n%s", parts[i], text);
}

/* Level lines one to three rows apart: in the chart as in the rows below, the highest label is the first. */
static void level_lines_keep_their_order(void **state) {
    (void)state;
    static const char *const LABELS[] = {"peak", "additions", "vectors", "scalars"};
    static const double x[2] = {1, 10};
    for (int gap = 1; gap <= 3; gap++)
        for (int rise = 0; rise < 4; rise++) {
            double y[4][2];
            struct plot_line lines[4];
            for (size_t i = 0; i < 4; i++) {
                y[i][0] = y[i][1] = 8 - 0.5 * gap * (double)i + 0.125 * rise;
                lines[i] = (struct plot_line){.count = 2,
                                              .x = x,
                                              .y = y[i],
                                              .color = PALETTE_GREEN,
                                              .label = LABELS[i],
                                              .priority = -(int)i,
                                              .label_place = PLOT_LABEL_END};
            }
            const struct plot plot = {
                .x = {.min = 1, .max = 10}, .y = {.min = 0, .max = 10}, .line_count = 4, .lines = lines};
            char *text = drawn(&plot, (struct plot_terminal){.columns = 80, .rows = 20});
            assert_in_order(text, LABELS, 4);
            free(text);
        }
}

/* A steep line crosses the rows above and below a level one: its label leaves the steep one whole. */
static void a_label_hides_no_other_line(void **state) {
    (void)state;
    static const double x[2] = {1, 10}, y[2] = {5, 5}, steep_x[2] = {8, 8.3}, steep_y[2] = {0, 10};
    size_t bars[2] = {0};
    for (int labelled = 0; labelled < 2; labelled++) {
        const struct plot_line lines[2] = {{.count = 2,
                                            .x = x,
                                            .y = y,
                                            .label = labelled ? "a level line with a label of half the width" : NULL,
                                            .label_place = PLOT_LABEL_END},
                                           {.count = 2, .x = steep_x, .y = steep_y}};
        const struct plot plot = {
            .x = {.min = 1, .max = 10}, .y = {.min = 0, .max = 10}, .line_count = 2, .lines = lines};
        char *text = drawn(&plot, (struct plot_terminal){.columns = 80, .rows = 20});
        for (const char *at = text; *at; at++)
            bars[labelled] += *at == '|';
        assert_has(text, "a level line", labelled);
        free(text);
    }
    assert_int_equal(bars[0], bars[1]);
}

/* A hundred points in one place: their names do not fit, and each has a row. */
/* The label of a bar stands behind it, or on its end. */
static void bars_have_whole_labels(void **state) {
    (void)state;
    for (int end = 2; end <= 10; end += 4) {
        const double x[2] = {0, end}, low[2] = {4, 4}, high[2] = {6, 6};
        const struct plot_band band = {
            .count = 2, .x = x, .y_low = low, .y_high = high, .color = {0, 0, 0, 1}, .label = "a bar to its end"};
        const struct plot plot = {
            .x = {.min = 0, .max = 10}, .y = {.min = 0, .max = 10}, .band_count = 1, .bands = &band};
        char *text = drawn(&plot, (struct plot_terminal){.columns = 60, .rows = 16});
        assert_has(text, "# a bar to its end", true);
        free(text);
    }
}

static void crowded_points_have_rows(void **state) {
    (void)state;
    enum { POINTS = 100 };
    static struct plot_point points[POINTS];
    static char labels[POINTS][32];
    for (size_t i = 0; i < POINTS; i++) {
        snprintf(labels[i], sizeof labels[i], "program %zu!", i);
        points[i] = (struct plot_point){.x = 5 + 0.01 * (double)(i % 10),
                                        .y = 5 + 0.01 * (double)(i / 10),
                                        .shape = (enum plot_shape)(i % PLOT_SHAPES),
                                        .color = PALETTE_NAVY,
                                        .label = labels[i],
                                        .sublabel = "DRAM 50 %"};
    }
    const struct plot plot = {
        .x = {.min = 1, .max = 10}, .y = {.min = 0, .max = 10}, .point_count = POINTS, .points = points};
    char *text = drawn(&plot, (struct plot_terminal){.columns = 80, .unicode = true});
    for (size_t i = 0; i < POINTS; i++)
        assert_has(text, labels[i], true);
    assert_int_equal(count_of(text, "DRAM 50 %"), POINTS);
    free(text);
    points[0].x = 50; /* outside: not drawn, not listed */
    text = drawn(&plot, (struct plot_terminal){.columns = 80, .unicode = true});
    assert_has(text, "program 0!", false);
    free(text);
}

static void colours_only_where_they_are_wanted(void **state) {
    (void)state;
    struct small s;
    make_small(&s);
    char *none = drawn(&s.plot, (struct plot_terminal){.columns = 80, .unicode = true}),
         *eight = drawn(&s.plot, (struct plot_terminal){.columns = 80, .unicode = true, .colors = PLOT_COLORS_8}),
         *many = drawn(&s.plot, (struct plot_terminal){.columns = 80, .unicode = true, .colors = PLOT_COLORS_256});
    assert_has(none, "\033", false);
    assert_has(eight, "\033[34m", true); /* the blue roof */
    assert_has(eight, "38;5;", false);
    assert_has(many, "38;5;", true);
    assert_int_equal(count_of(many, "\033[0m") > 10, true);
    /* Without the escape sequences the three are one picture. */
    char *texts[] = {eight, many};
    for (size_t t = 0; t < 2; t++) {
        char *to = texts[t];
        for (const char *from = texts[t]; *from;)
            if (*from == '\033')
                from += strcspn(from, "m") + 1;
            else
                *to++ = *from++;
        *to = '\0';
        assert_string_equal(texts[t], none);
    }
    free(none), free(eight), free(many);
}

static void colours_that_read_on_black_and_on_white(void **state) {
    (void)state;
    const struct plot_terminal none = {.colors = PLOT_COLORS_NONE}, eight = {.colors = PLOT_COLORS_8},
                               many = {.colors = PLOT_COLORS_256};
    assert_int_equal(term_color(&none, PALETTE_BLUE), TERM_DEFAULT);
    assert_int_equal(term_color(&many, PALETTE_BLACK), TERM_DEFAULT);
    assert_int_equal(term_color(&many, PALETTE_GREY), TERM_DIM);
    const struct plot_color levels[] = {PALETTE_BLUE, PALETTE_GREEN, PALETTE_ORANGE, PALETTE_VERMILLION};
    const int of_eight[] = {4, 2, 3, 1};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(term_color(&eight, levels[i]), of_eight[i]);
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(term_color(&many, levels[i]), term_color(&many, levels[k]));
    }
    assert_int_not_equal(term_color(&many, PALETTE_NAVY), 17); /* invisible on black */
}

static void texts_in_ascii(void **state) {
    (void)state;
    const struct plot_terminal ascii = {.unicode = false}, unicode = {.unicode = true};
    static const char *const CASES[][2] = {
        {"a · b", "a | b"}, {"3×10⁹", "3x10^9"},          {"5 µs ▲", "5 us !"},         {"12–13 …", "12-13 ..."},
        {"漢字", "??"},     {"2⁵ … 2¹⁰", "2^5 ... 2^10"}, {"tab\tbell\a", "tab bell "}, {"bad \xff\xfe", "bad ??"}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char *text = term_clean(&ascii, CASES[i][0]);
        assert_string_equal(text, CASES[i][1]);
        free(text);
    }
    char *text = term_clean(&unicode, "3×10⁹");
    assert_string_equal(text, "3×10⁹");
    assert_int_equal(term_columns(text), 5);
    free(text);
    /* Only ASCII comes out, for any input. */
    struct plot plot = demo_roofline();
    plot.title = "µ · ▲ ⬟ 漢";
    text = drawn(&plot, ascii);
    for (const char *c = text; *c; c++)
        assert_true((*c >= ' ' && *c <= '~') || *c == '\n');
    free(text);
}

static void a_heat_map_is_a_table(void **state) {
    (void)state;
    static const char *const rows[] = {"node 0", "node 1"}, *const columns[] = {"DRAM 0", "DRAM 1", "HBM 2"};
    static const double values[] = {200.5, 100, NAN, 90, INFINITY, 400};
    const struct plot_heat heat = {.rows = 2,
                                   .columns = 3,
                                   .row_names = rows,
                                   .column_names = columns,
                                   .values = values,
                                   .low = 0,
                                   .high = 400,
                                   .decimals = 1,
                                   .title = "GB/s",
                                   .marked = true,
                                   .marked_row = 1,
                                   .marked_column = 2};
    const struct plot plot = {.title = "Matrix", .x = {.title = "memory"}, .y = {.title = "threads"}, .heat = &heat};
    assert_text(&plot, (struct plot_terminal){.columns = 80},
                "Matrix\n"
                "\n"
                "threads   [GB/s]\n"
                "node 1     90.0          [400.0]\n"
                "node 0    200.5   100.0       ? \n"
                "         DRAM 0  DRAM 1   HBM 2 \n"
                "        memory\n");
    char *text = drawn(&plot, (struct plot_terminal){.columns = 80, .colors = PLOT_COLORS_256});
    assert_has(text, "\033[48;5;", true);
    free(text);
}

/* A row of an axis of names has its name, not its number. */
static void points_in_named_rows_tell_the_row(void **state) {
    const char *const names[] = {"DRAM", "L1"};
    const struct plot_point points[] = {
        {.x = 2e9, .y = 1.2, .color = PALETTE_BLUE, .label = "node7", .sublabel = "slow"},
        {.x = 3e9, .y = -0.3, .color = PALETTE_BLUE, .label = "node8"}};
    const struct plot plot = {.x = {.title = "Bandwidth  [GB/s]", .min = 1e9, .max = 4e9, .divisor = 1e9},
                              .y = {.min = -0.5, .max = 1.5, .name_count = 2, .names = names},
                              .point_count = 2,
                              .points = points};
    (void)state;
    char *text = drawn(&plot, (struct plot_terminal){.columns = 80, .unicode = true});
    assert_has(text, "L1: node7 at 2 GB/s · slow\n", true);
    assert_has(text, "DRAM: node8 at 3 GB/s\n", true);
    free(text);
}

/* Bars have a row each, and their label behind them; those that do not bind are paler. */
static void bars_have_rows(void **state) {
    (void)state;
    static const double x[2][2] = {{0, 50}, {0, 100}}, low[2][2] = {{0.1, 0.1}, {-0.4, -0.4}},
                        high[2][2] = {{0.4, 0.4}, {-0.1, -0.1}};
    static const char *const names[] = {"a loop"};
    const struct plot_band bands[] = {
        {2, x[0], low[0], high[0], {0, 0, 1, 0.4}, NULL, false, "ports  2", NULL},
        {2, x[1], low[1], high[1], {1, 0, 0, 1}, NULL, false, "chain  4", NULL},
    };
    const struct plot plot = {.title = "Loops",
                              .x = {.title = "Share  [%]", .min = 0, .max = 150},
                              .y = {.min = -0.5, .max = 0.5, .name_count = 1, .names = names},
                              .band_count = 2,
                              .bands = bands};
    char *text = drawn(&plot, (struct plot_terminal){.columns = 60, .unicode = true});
    assert_has(text, "│░░░░░░░░░░░░░░░░░ ports  2\n", true);
    assert_has(text, "█ chain  4\n", true);
    assert_has(text, "░ chain", false);
    free(text);
    text = drawn(&plot, (struct plot_terminal){.columns = 60});
    assert_has(text, "|----------------- ports  2\n", true);
    assert_has(text, "# chain  4\n", true);
    free(text);
}

static void what_cannot_be_drawn_is_refused(void **state) {
    (void)state;
    struct small s;
    struct plot_error err;
    char *text;
    make_small(&s);
    assert_false(plot_text(&s.plot, &(struct plot_terminal){.columns = 20}, &text, &err));
    assert_has(err.text, "60 to 500 columns", true);
    assert_null(text);
    assert_false(plot_text(&s.plot, &(struct plot_terminal){.columns = 501}, &text, &err));
    s.plot.x.min = 0;
    assert_false(plot_text(&s.plot, &(struct plot_terminal){.columns = 80}, &text, &err));
    assert_has(err.text, "the x axis cannot be drawn", true);
}

/* Lines outside, broken or vertical; points without names; no lines at all. */
static void odd_charts_do_no_harm(void **state) {
    (void)state;
    const double x[] = {-5, 2, 2, NAN, 3, 4, INFINITY}, y[] = {1, -50, 50, 2, NAN, 4, 4};
    const struct plot_line lines[] = {
        {.count = 7, .x = x, .y = y, .color = PALETTE_GREEN, .label = "odd", .label_place = PLOT_LABEL_ALONG},
        {.count = 1, .x = x, .y = y, .label = "a single vertex", .label_place = PLOT_LABEL_END},
        {.count = 0, .label = "nothing", .label_place = PLOT_LABEL_LEGEND, .dash = PLOT_DOTTED},
        {.count = 2, .x = x + 1, .y = y + 1, .dash = PLOT_DASH_DOTTED}};
    const struct plot_point points[] = {{.x = 3, .y = 3}, {.x = NAN, .y = 3, .label = "nowhere"}};
    struct plot plot = {.x = {.min = 0, .max = 5},
                        .y = {.min = 0, .max = 5},
                        .line_count = 4,
                        .lines = lines,
                        .point_count = 2,
                        .points = points};
    for (int unicode = 0; unicode < 2; unicode++) {
        char *text = drawn(&plot, (struct plot_terminal){.columns = 60, .unicode = unicode});
        assert_has(text, "odd", true);
        assert_has(text, "nothing", true);
        assert_has(text, "nowhere", false);
        free(text);
    }
    plot.line_count = plot.point_count = 0;
    free(drawn(&plot, (struct plot_terminal){.columns = 60}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_roofline_in_ascii),
        cmocka_unit_test(a_ghost_and_the_way_to_it),
        cmocka_unit_test(a_label_is_above_or_below_its_line),
        cmocka_unit_test(the_same_in_unicode),
        cmocka_unit_test(nothing_is_wider_than_the_terminal),
        cmocka_unit_test(every_label_is_there),
        cmocka_unit_test(crowded_lines_have_letters),
        cmocka_unit_test(level_lines_keep_their_order),
        cmocka_unit_test(a_label_hides_no_other_line),
        cmocka_unit_test(bars_have_whole_labels),
        cmocka_unit_test(crowded_points_have_rows),
        cmocka_unit_test(colours_only_where_they_are_wanted),
        cmocka_unit_test(colours_that_read_on_black_and_on_white),
        cmocka_unit_test(texts_in_ascii),
        cmocka_unit_test(a_heat_map_is_a_table),
        cmocka_unit_test(points_in_named_rows_tell_the_row),
        cmocka_unit_test(bars_have_rows),
        cmocka_unit_test(what_cannot_be_drawn_is_refused),
        cmocka_unit_test(odd_charts_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
