/* SPDX-License-Identifier: BSD-3-Clause
 * Draws title, notes, axes and footer. All lengths are in points at scale 1. */
#include "axes_and_notes.h"
#include "render/page/palette.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double tick_length = 4, tick_gap = 4, title_gap = 10, title_row = 1.2; /* of the type's size */

/* Gives all texts one size, as papers and slides require. */
static void make_even(struct theme *theme, const struct plot_style *style) {
    struct text_style *even[] = {&theme->note,        &theme->tick,   &theme->right_tick, &theme->axis_title,
                                 &theme->right_title, &theme->legend, &theme->line,       &theme->strong_line,
                                 &theme->line_sub,    &theme->point,  &theme->point_sub,  &theme->mark};
    for (size_t i = 0; i < sizeof even / sizeof *even; i++)
        even[i]->size = 12;
    theme->title.size = theme->low ? 12 : style->title_size;
}

void theme_make(struct theme *theme, const struct plot_style *style, double width, double height) {
    double scale = style->sparse ? 1 : fmin(1.1, fmax(0.85, sqrt(width * height / (960.0 * 640.0))));
    *theme = (struct theme){
        .sparse = style->sparse,
        .captioned = style->captioned,
        .low = height * style->scale < style->height / 2,
        .scale = scale,
        .margin = style->margin * scale,
        .title = {19 * scale, true, false, PALETTE_BLACK},
        .subtitle = {12.5 * scale, false, false, PALETTE_DARK_GREY},
        .note = {12 * scale, false, false, PALETTE_AMBER},
        .tick = {12 * scale, false, false, PALETTE_BLACK},
        .right_tick = {12 * scale, false, false, PALETTE_DARK_GREY},
        .axis_title = {13 * scale, false, false, PALETTE_BLACK},
        .right_title = {13 * scale, false, false, PALETTE_DARK_GREY},
        .legend = {11.5 * scale, false, false, PALETTE_BLACK},
        .footer = {9.5 * scale, false, false, PALETTE_GREY},
        .line = {12 * scale, false, false, PALETTE_BLACK},
        .strong_line = {12 * scale, true, false, PALETTE_BLACK},
        .line_sub = {11 * scale, false, false, PALETTE_DARK_GREY},
        .point = {12 * scale, false, false, PALETTE_BLACK},
        .point_sub = {10.5 * scale, false, false, PALETTE_DARK_GREY},
        .mark = {10.5 * scale, false, false, PALETTE_DARK_GREY},
        .title_rows = {1, 1, 1},
    };
    if (style->sparse)
        make_even(theme, style);
}

/* Writes a paragraph of at most `max` lines with its upper left corner at `from`; returns its bottom. */
static double paragraph(struct page *page, const char *text, const struct text_style *style, struct vec from,
                        double right, size_t max) {
    char *lines[4];
    double y = from.y;
    size_t count = page_text_wrap(page, text, style, right - from.x, lines, max);
    for (size_t i = 0; i < count; i++) {
        page_text(page, lines[i], style, PAGE_LEFT, (struct vec){from.x, y + PAGE_ASCENT * style->size}, 0);
        free(lines[i]);
        y += 1.3 * style->size;
    }
    return y;
}

/* Draws a triangle, since not every font has "▲". */
static void warning_sign(struct page *page, const struct text_style *style, double left, double top) {
    double base = top + PAGE_ASCENT * style->size, width = 0.78 * style->size, height = 0.72 * style->size;
    struct vec corners[3] = {{left, base}, {left + width, base}, {left + width / 2, base - height}};
    page_area(page, corners, 3, style->color, false);
}

/* A slightly too long title becomes smaller; a longer one takes two lines, and a still longer one two smaller ones. */
static struct text_style title_style(struct page *page, const char *title, const struct theme *theme, double width) {
    const double filled = 1.5; /* of two lines, which end between words */
    struct text_style smaller = theme->title;
    smaller.size = fmax(0.85 * theme->title.size, theme->note.size);
    if (page_text_width(page, title, &smaller) > width) {
        smaller.size = theme->title.size;
        while (smaller.size > theme->note.size && page_text_width(page, title, &smaller) > filled * width)
            smaller.size *= 0.95;
        return smaller;
    }
    smaller.size = fmin(theme->title.size, smaller.size * width / page_text_width(page, title, &smaller));
    return smaller;
}

double text_left(const struct page *page, const struct theme *theme, double left) {
    const double far_share = 0.2; /* of the page's width */
    return left > far_share * page->width ? theme->margin : left;
}

double header_draw(struct page *page, const struct plot *plot, const struct theme *theme, double left) {
    const bool slide = theme->sparse && !theme->captioned; /* has room for two rows of notes */
    const size_t max_notes = slide ? 2 : 4;
    double right = page->width - theme->margin, y = theme->margin, limit = 0.34 * page->height;
    if (plot->title && *plot->title && !plot->untitled) {
        const struct text_style style = title_style(page, plot->title, theme, right - left);
        y = paragraph(page, plot->title, &style, (struct vec){left, y}, right, 2) + 2 * theme->scale;
    }
    if (plot->subtitle && *plot->subtitle && !theme->sparse)
        y = paragraph(page, plot->subtitle, &theme->subtitle, (struct vec){left, y}, right, 2) + 1.5 * theme->scale;
    double indent = 1.15 * theme->note.size, line = 1.3 * theme->note.size;
    for (size_t i = 0; i < plot->note_count; i++) {
        size_t rest = plot->note_count - i;
        double lines = floor((limit - y) / line) - (rest > 1); /* the line with the rest needs one */
        if (i > 0 && (lines < 1 || (i == max_notes - 1 && rest > 1))) {
            char more[48];
            snprintf(more, sizeof more, "… and %zu more", rest);
            y = paragraph(page, more, &theme->note, (struct vec){left + indent, y}, right, 1);
            break;
        }
        warning_sign(page, &theme->note, left, y);
        y = paragraph(page, plot->notes[i], &theme->note, (struct vec){left + indent, y}, right,
                      lines < 2 || slide ? 1 : 2) +
            theme->scale;
    }
    return y;
}

double footer_draw(struct page *page, const struct plot *plot, const struct theme *theme, double left) {
    enum { FEW_LINES = 3, MOST_LINES = 6 };
    const double most_share = 0.12; /* of the page's height, beyond a few lines */
    char *lines[MOST_LINES];
    double bottom = page->height - fmin(10 * theme->scale, theme->margin), line = 1.3 * theme->footer.size,
           right = page->width - theme->margin;
    const size_t most = (size_t)fmin(MOST_LINES, fmax(FEW_LINES, most_share * page->height / line));
    size_t count = plot->footer && !theme->sparse
                       ? page_text_wrap(page, plot->footer, &theme->footer, right - left, lines, most)
                       : 0;
    for (size_t i = 0; i < count; i++) {
        double y = bottom - (double)(count - i) * line;
        page_text(page, lines[i], &theme->footer, PAGE_LEFT, (struct vec){left, y + PAGE_ASCENT * theme->footer.size},
                  0);
        free(lines[i]);
    }
    return bottom - (double)count * line - (count ? 0.3 * theme->footer.size : 0);
}

static bool has_title(const char *title) {
    return title && *title;
}

static double title_height(const struct text_style *style, unsigned rows) {
    return style->size * (PAGE_ASCENT + PAGE_DESCENT + title_row * (rows - 1));
}

double axis_left_room(const struct plot *plot, const struct theme *theme, double tick_width) {
    double title = has_title(plot->y.title) ? title_gap + title_height(&theme->axis_title, theme->title_rows.y) : 0;
    return theme->margin * 0.8 + title + tick_width + tick_gap + tick_length;
}

double axis_right_room(const struct plot *plot, const struct theme *theme, double tick_width) {
    if (!plot->right_title)
        return 0;
    double title =
        has_title(plot->right_title) ? title_gap + title_height(&theme->right_title, theme->title_rows.right) : 0;
    return tick_length + tick_gap + tick_width + title;
}

double axis_bottom_room(const struct plot *plot, const struct theme *theme) {
    double title = has_title(plot->x.title) ? 4 + title_height(&theme->axis_title, theme->title_rows.x) : 0;
    const bool unnamed = plot->x.name_count == 1 && !*plot->x.names[0]; /* another panel has the labels */
    const double labels = unnamed ? 0 : tick_gap + 1 + theme->tick.size * (PAGE_ASCENT + PAGE_DESCENT);
    return tick_length + labels + title;
}

static struct plot_axis right_axis(const struct plot *plot) {
    struct plot_axis axis = plot->y;
    axis.title = plot->right_title;
    axis.unit = plot->right_unit;
    axis.min *= plot->right_per_y;
    axis.max *= plot->right_per_y;
    axis.divisor = 1;
    return axis;
}

void axes_make(struct axes *axes, struct page *page, const struct plot *plot, const struct theme *theme) {
    double width = page->plot.right - page->plot.left, height = page->plot.bottom - page->plot.top;
    ticks_make(&axes->x, &plot->x, width, false, page, &theme->tick);
    ticks_make(&axes->y, &plot->y, height, true, page, &theme->tick);
    axes->right = (struct ticks){0};
    if (plot->right_title) {
        struct plot_axis right = right_axis(plot);
        ticks_make(&axes->right, &right, height, true, page, &theme->right_tick);
    }
}

static double x_of(struct page *page, const struct tick *tick) {
    return page->plot.left + tick->at * (page->plot.right - page->plot.left);
}

static double y_of(struct page *page, const struct tick *tick) {
    return page->plot.bottom - tick->at * (page->plot.bottom - page->plot.top);
}

double axes_right_end(const struct axes *axes, struct page *page, const struct theme *theme) {
    double end = 0;
    for (size_t i = 0; i < axes->x.count; i++)
        end =
            fmax(end, x_of(page, &axes->x.ticks[i]) + page_text_width(page, axes->x.ticks[i].label, &theme->tick) / 2);
    return end;
}

static void stroke(struct page *page, struct vec a, struct vec b, struct plot_color color, double width) {
    struct vec line[2] = {a, b};
    page_line(page, line, 2, color, width, PLOT_SOLID);
}

void axes_draw_grid(struct page *page, const struct axes *axes) {
    const struct frame *plot = &page->plot;
    for (size_t i = 0; i < axes->x.count; i++) {
        double x = x_of(page, &axes->x.ticks[i]);
        stroke(page, (struct vec){x, plot->top}, (struct vec){x, plot->bottom}, PALETTE_LIGHT_GREY, 0.8);
    }
    for (size_t i = 0; i < axes->y.count; i++) {
        double y = y_of(page, &axes->y.ticks[i]);
        if (*axes->y.ticks[i].label)
            stroke(page, (struct vec){plot->left, y}, (struct vec){plot->right, y}, PALETTE_LIGHT_GREY, 0.8);
    }
}

/* The place of an axis title: along x, or upwards along y. */
struct title_place {
    bool upwards;
    unsigned rows;
    double baseline;          /* of the first row, on the other axis */
    double center, low, high; /* the range of its axis, and the range that it must stay within */
};

/* Centres the title on its axis; without room moves it, and at last makes it smaller. */
static void title_draw(struct page *page, const char *text, const struct text_style *style,
                       const struct title_place *place) {
    const double room = place->high - place->low, filled = place->rows > 1 ? 1.8 : 1; /* rows, when text is wrapped */
    struct text_style fitting = *style;
    char *rows[2];
    if (!has_title(text))
        return;
    while (fitting.size > 0.75 * style->size && page_text_width(page, text, &fitting) > filled * room)
        fitting.size *= 0.95;
    const size_t count = page_text_wrap(page, text, &fitting, room, rows, place->rows);
    for (size_t i = 0; i < count; i++) {
        const double half = page_text_width(page, rows[i], &fitting) / 2,
                     at = fmax(place->low + half, fmin(place->high - half, place->center)),
                     baseline = place->baseline + (double)i * title_row * fitting.size;
        page_text(page, rows[i], &fitting, PAGE_MIDDLE,
                  place->upwards ? (struct vec){baseline, at} : (struct vec){at, baseline},
                  place->upwards ? -acos(0) : 0);
        free(rows[i]);
    }
}

static const double axis_width = 0.9;

/* The distance from the middle of a tick's label to its baseline, for labels beside their axis. */
static double tick_baseline(const struct theme *theme) {
    return (PAGE_ASCENT - PAGE_DESCENT) / 2 * theme->tick.size;
}

static double middle_of(double low, double high) {
    return (low + high) / 2;
}

/* The top of x's title; all titles end above it. */
static double title_top_of(const struct page *page, const struct theme *theme) {
    return page->plot.bottom + tick_length + tick_gap + 1 + (PAGE_ASCENT + PAGE_DESCENT) * theme->tick.size + 4;
}

/* The least y of y's title: beside the header, or below it if that begins at the margin. */
static double title_low_of(const struct page *page, const struct theme *theme) {
    return text_left(page, theme, page->plot.left) < page->plot.left ? page->plot.top : theme->margin;
}

static bool wrap_title(const struct page *page, const char *title, const struct text_style *style, double room,
                       unsigned *rows) {
    if (!has_title(title) || *rows > 1 ||
        page->metrics->width(page->metrics->context, title, style->size, style->bold) <= room)
        return false;
    *rows = 2;
    return true;
}

bool axes_wrap_titles(const struct page *page, const struct plot *plot, struct theme *theme) {
    const double end = title_top_of(page, theme);
    const bool x = wrap_title(page, plot->x.title, &theme->axis_title, page->width - 2 * theme->margin,
                              &theme->title_rows.x),
               y = wrap_title(page, plot->y.title, &theme->axis_title, end - title_low_of(page, theme),
                              &theme->title_rows.y),
               right = wrap_title(page, plot->right_title, &theme->right_title, end - page->plot.top,
                                  &theme->title_rows.right);
    return x || y || right;
}

static void draw_x(struct page *page, const struct ticks *ticks, const char *title, const struct theme *theme) {
    const struct frame *frame = &page->plot;
    double below = frame->bottom + tick_length + tick_gap + 1;
    for (size_t i = 0; i < ticks->count; i++) {
        double x = x_of(page, &ticks->ticks[i]);
        stroke(page, (struct vec){x, frame->bottom}, (struct vec){x, frame->bottom + tick_length}, PALETTE_BLACK,
               axis_width);
        page_text(page, ticks->ticks[i].label, &theme->tick, PAGE_MIDDLE,
                  (struct vec){x, below + PAGE_ASCENT * theme->tick.size}, 0);
    }
    title_draw(page, title, &theme->axis_title,
               &(struct title_place){.rows = theme->title_rows.x,
                                     .baseline = title_top_of(page, theme) + PAGE_ASCENT * theme->axis_title.size,
                                     .center = middle_of(frame->left, frame->right),
                                     .low = theme->margin,
                                     .high = page->width - theme->margin});
}

static void draw_y(struct page *page, const struct ticks *ticks, const char *title, const struct theme *theme) {
    const struct frame *frame = &page->plot;
    double beside = frame->left - tick_length - tick_gap;
    for (size_t i = 0; i < ticks->count; i++) {
        double y = y_of(page, &ticks->ticks[i]);
        if (!*ticks->ticks[i].label) /* a row without a name */
            continue;
        stroke(page, (struct vec){frame->left - tick_length, y}, (struct vec){frame->left, y}, PALETTE_BLACK,
               axis_width);
        page_text(page, ticks->ticks[i].label, &theme->tick, PAGE_RIGHT, (struct vec){beside, y + tick_baseline(theme)},
                  0);
    }
    title_draw(page, title, &theme->axis_title,
               &(struct title_place){.upwards = true,
                                     .rows = theme->title_rows.y,
                                     .baseline = beside - ticks->widest - title_gap -
                                                 (PAGE_DESCENT + title_row * (theme->title_rows.y - 1)) *
                                                     theme->axis_title.size,
                                     .center = middle_of(frame->top, frame->bottom),
                                     .low = title_low_of(page, theme),
                                     .high = title_top_of(page, theme)});
}

static void draw_right(struct page *page, const struct ticks *ticks, const char *title, const struct theme *theme,
                       double right) {
    const struct frame *frame = &page->plot;
    stroke(page, (struct vec){right, frame->top}, (struct vec){right, frame->bottom}, PALETTE_GREY, axis_width);
    for (size_t i = 0; i < ticks->count; i++) {
        double y = y_of(page, &ticks->ticks[i]);
        stroke(page, (struct vec){right, y}, (struct vec){right + tick_length, y}, PALETTE_GREY, axis_width);
        page_text(page, ticks->ticks[i].label, &theme->right_tick, PAGE_LEFT,
                  (struct vec){right + tick_length + tick_gap, y + tick_baseline(theme)}, 0);
    }
    double beside = right + tick_length + tick_gap + ticks->widest + title_gap;
    title_draw(page, title, &theme->right_title,
               &(struct title_place){.upwards = true,
                                     .rows = theme->title_rows.right,
                                     .baseline = beside + PAGE_ASCENT * theme->right_title.size,
                                     .center = middle_of(frame->top, frame->bottom),
                                     .low = frame->top,
                                     .high = title_top_of(page, theme)});
}

void axes_draw(struct page *page, const struct axes *axes, const struct plot *plot, const struct theme *theme,
               double right) {
    const struct frame *frame = &page->plot;
    struct vec corner[3] = {{frame->left, frame->top}, {frame->left, frame->bottom}, {frame->right, frame->bottom}};
    page_line(page, corner, 3, PALETTE_BLACK, axis_width, PLOT_SOLID);
    draw_x(page, &axes->x, plot->x.title, theme);
    draw_y(page, &axes->y, plot->y.title, theme);
    if (plot->right_title)
        draw_right(page, &axes->right, plot->right_title, theme, right);
}
