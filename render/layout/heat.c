/* SPDX-License-Identifier: BSD-3-Clause
 * Draws cells, their values if there is room, the marked cell, and the colour bar. */
#include "axes_and_notes.h"
#include "layout.h"
#include "render/page/palette.h"

#include <math.h>
#include <stdio.h>

/* Viridis (Smith, van der Walt and Firing, CC0) at ten places. */
static const unsigned viridis[] = {0x440154, 0x482878, 0x3E4989, 0x31688E, 0x26828E,
                                   0x1F9E89, 0x35B779, 0x6DCD59, 0xB4DE2C, 0xFDE725};
enum { STOPS = sizeof viridis / sizeof *viridis, BAR_STEPS = 64 };

static const double bar_width = 16, bar_gap = 22, tick_gap = 5, smallest_value = 6.5;

struct plot_color heat_color(double share) {
    double at = fmin(fmax(share, 0), 1) * (STOPS - 1);
    unsigned below = (unsigned)fmin(floor(at), STOPS - 2);
    struct plot_color a = PALETTE_RGB(viridis[below]), b = PALETTE_RGB(viridis[below + 1]);
    double t = at - below;
    return (struct plot_color){a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b), 1};
}

const char *heat_trouble(const struct plot_heat *heat) {
    if (heat->rows == 0 || heat->columns == 0)
        return "a heat map needs rows and columns";
    if (!(heat->low < heat->high) || !isfinite(heat->low) || !isfinite(heat->high))
        return "the colour scale of a heat map needs a low and a higher end";
    return NULL;
}

static double share_of(const struct plot_heat *heat, double value) {
    return (value - heat->low) / (heat->high - heat->low);
}

/* Black or white, whichever has more contrast to the colour (relative luminance, WCAG 2.1). */
static struct plot_color text_on(struct plot_color fill) {
    double luminance = 0.2126 * pow(fill.r, 2.2) + 0.7152 * pow(fill.g, 2.2) + 0.0722 * pow(fill.b, 2.2);
    return luminance > 0.18 ? PALETTE_BLACK : PALETTE_WHITE;
}

static void rectangle(struct page *page, struct frame at, struct plot_color fill) {
    const struct vec corners[4] = {{at.left, at.top}, {at.right, at.top}, {at.right, at.bottom}, {at.left, at.bottom}};
    page_area(page, corners, 4, fill, false);
}

static void outline(struct page *page, struct frame at, struct plot_color color, double width) {
    const struct vec corners[5] = {
        {at.left, at.top}, {at.right, at.top}, {at.right, at.bottom}, {at.left, at.bottom}, {at.left, at.top}};
    page_line(page, corners, 5, color, width, PLOT_SOLID);
}

/* Hatches a cell without value. */
static void hatch(struct page *page, struct frame at) {
    const double apart = 6;
    for (double k = apart; k < at.right - at.left + at.bottom - at.top; k += apart) {
        struct vec line[2] = {{at.left + k, at.top}, {at.left + k - (at.bottom - at.top), at.bottom}};
        if (frame_clip(&at, &line[0], &line[1]))
            page_line(page, line, 2, PALETTE_LIGHT_GREY, 0.8, PLOT_SOLID);
    }
}

/* The first row is at the bottom, as on an axis. */
static struct frame cell_frame(const struct page *page, const struct plot_heat *heat, size_t row, size_t column) {
    const struct frame *plot = &page->plot;
    double width = (plot->right - plot->left) / (double)heat->columns;
    double height = (plot->bottom - plot->top) / (double)heat->rows;
    return (struct frame){plot->left + width * (double)column, plot->bottom - height * (double)(row + 1),
                          plot->left + width * (double)(column + 1), plot->bottom - height * (double)row};
}

static double center_below(const struct text_style *style) {
    return (PAGE_ASCENT - PAGE_DESCENT) / 2 * style->size;
}

/* The largest type in which every value with these decimals fits its cell. */
static double size_with(struct page *page, const struct plot_heat *heat, const struct theme *theme, int decimals) {
    const double filled = theme->sparse && decimals > 0 ? 0.78 : 0.88; /* large type has decimals only with much room */
    struct frame cell = cell_frame(page, heat, 0, 0);
    double size = fmin(theme->tick.size, 0.85 * (cell.bottom - cell.top));
    for (size_t i = 0; i < heat->rows * heat->columns; i++) {
        char text[32];
        snprintf(text, sizeof text, "%.*f", decimals, heat->values[i]);
        const struct text_style widest = {.size = size, .bold = heat->marked};
        double width = isfinite(heat->values[i]) ? page_text_width(page, text, &widest) : 0;
        double room = filled * (cell.right - cell.left);
        size = width > room ? size * room / width : size;
    }
    return size;
}

/* The type of values: rather fewer decimals than small type, and none too small to read. 0: no values. Papers and
 * slides have one size. */
static double value_size(struct page *page, const struct plot_heat *heat, const struct theme *theme, int *decimals) {
    const double least = theme->sparse ? theme->tick.size : smallest_value;
    for (*decimals = heat->decimals; *decimals >= 0; --*decimals) {
        const double size = size_with(page, heat, theme, *decimals);
        if (size >= least)
            return size;
    }
    return 0;
}

static void cells_draw(struct page *page, const struct plot_heat *heat, const struct theme *theme) {
    int decimals;
    double size = value_size(page, heat, theme, &decimals);
    for (size_t row = 0; row < heat->rows; row++)
        for (size_t column = 0; column < heat->columns; column++) {
            double value = heat->values[row * heat->columns + column];
            struct frame cell = cell_frame(page, heat, row, column);
            bool marked = heat->marked && row == heat->marked_row && column == heat->marked_column;
            if (isnan(value))
                hatch(page, cell);
            if (!isfinite(value))
                continue;
            struct plot_color fill = heat_color(share_of(heat, value));
            page->keeps_colors = true;
            rectangle(page, (struct frame){cell.left, cell.top, cell.right + 0.3, cell.bottom + 0.3}, fill);
            if (size > 0) {
                char text[32];
                struct text_style style = {.size = size, .bold = marked, .color = text_on(fill)};
                snprintf(text, sizeof text, "%.*f", decimals, value);
                page_text(
                    page, text, &style, PAGE_MIDDLE,
                    (struct vec){(cell.left + cell.right) / 2, (cell.top + cell.bottom) / 2 + center_below(&style)}, 0);
            }
            page->keeps_colors = false;
        }
    outline(page, page->plot, PALETTE_BLACK, 0.9);
    if (heat->marked) { /* white within black has contrast on every colour */
        struct frame cell = cell_frame(page, heat, heat->marked_row, heat->marked_column);
        page->keeps_colors = true;
        outline(page, cell, PALETTE_BLACK, 3.6);
        outline(page, cell, PALETTE_WHITE, 1.6);
        page->keeps_colors = false;
    }
}

/* Writes names of rows and columns: all of them, or if they would touch, every second, fourth, … from the left and from
 * the top. */
static void names_draw(struct page *page, const struct plot_heat *heat, const struct theme *theme, bool columns) {
    struct frame cell = cell_frame(page, heat, 0, 0);
    size_t count = columns ? heat->columns : heat->rows, every = 1;
    const char *const *names = columns ? heat->column_names : heat->row_names;
    double widest = 0;
    for (size_t i = 0; i < count; i++)
        widest = fmax(widest, page_text_width(page, names[i], &theme->tick));
    double needed = columns ? widest + 4 : 1.05 * theme->tick.size * (PAGE_ASCENT + PAGE_DESCENT);
    while ((columns ? cell.right - cell.left : cell.bottom - cell.top) * (double)every < needed && every < count)
        every *= 2;
    for (size_t i = columns ? 0 : (count - 1) % every; i < count; i += every) {
        struct frame at = cell_frame(page, heat, columns ? 0 : i, columns ? i : 0);
        if (columns)
            page_text(
                page, names[i], &theme->tick, PAGE_MIDDLE,
                (struct vec){(at.left + at.right) / 2, page->plot.bottom + tick_gap + PAGE_ASCENT * theme->tick.size},
                0);
        else
            page_text(page, names[i], &theme->tick, PAGE_RIGHT,
                      (struct vec){page->plot.left - tick_gap, (at.top + at.bottom) / 2 + center_below(&theme->tick)},
                      0);
    }
}

/* Draws the scale: steps of colour, round values beside them, its title on top. */
static void bar_draw(struct page *page, const struct plot_heat *heat, const struct theme *theme,
                     const struct ticks *ticks) {
    struct frame bar = page->plot;
    bar.left = page->plot.right + bar_gap;
    bar.right = bar.left + bar_width;
    double step = (bar.bottom - bar.top) / BAR_STEPS;
    page->keeps_colors = true;
    for (int i = 0; i < BAR_STEPS; i++) {
        double bottom = bar.bottom - step * i;
        rectangle(page, (struct frame){bar.left, bottom - step, bar.right, bottom + (i > 0 ? 0.3 : 0)},
                  heat_color((i + 0.5) / BAR_STEPS));
    }
    page->keeps_colors = false;
    outline(page, bar, PALETTE_BLACK, 0.9);
    for (size_t i = 0; i < ticks->count; i++) {
        double y = bar.bottom - ticks->ticks[i].at * (bar.bottom - bar.top);
        const struct vec line[2] = {{bar.right, y}, {bar.right + 4, y}};
        page_line(page, line, 2, PALETTE_BLACK, 0.9, PLOT_SOLID);
        page_text(page, ticks->ticks[i].label, &theme->tick, PAGE_LEFT,
                  (struct vec){bar.right + 4 + tick_gap, y + center_below(&theme->tick)}, 0);
    }
    if (heat->title != NULL)
        page_text(page, heat->title, &theme->axis_title, PAGE_RIGHT,
                  (struct vec){page->width - theme->margin, bar.top - 12 * theme->scale}, 0);
}

static double widest_name(struct page *page, const struct plot_heat *heat, const struct theme *theme) {
    double widest = 0;
    for (size_t i = 0; i < heat->rows; i++)
        widest = fmax(widest, page_text_width(page, heat->row_names[i], &theme->tick));
    return widest;
}

void heat_layout(struct page *page, const struct plot *plot) {
    const struct plot_heat *heat = plot->heat;
    struct theme theme;
    struct ticks ticks;
    theme_make(&theme, plot_style_of(plot), page->width, page->height);
    const struct plot_axis scale = {.min = heat->low, .max = heat->high};
    const double title_height = (PAGE_ASCENT + PAGE_DESCENT) * theme.axis_title.size;
    double names = widest_name(page, heat, &theme), left = theme.margin + title_height + 6 + names + tick_gap;
    const double beside = text_left(page, &theme, left);
    double top = header_draw(page, plot, &theme, beside) + 26 * theme.scale,
           bottom = footer_draw(page, plot, &theme, beside);
    bottom -= 6 * theme.scale + 2 * title_height + tick_gap + 4;
    ticks_make(&ticks, &scale, bottom - top, true, page, &theme.tick);
    double right = page->width - theme.margin - ticks.widest - tick_gap - 4 - bar_width - bar_gap;
    page->plot = (struct frame){left, top, right, bottom};
    cells_draw(page, heat, &theme);
    names_draw(page, heat, &theme, true);
    names_draw(page, heat, &theme, false);
    bar_draw(page, heat, &theme, &ticks);
    if (plot->x.title != NULL)
        page_text(page, plot->x.title, &theme.axis_title, PAGE_MIDDLE,
                  (struct vec){(left + right) / 2,
                               bottom + tick_gap + title_height + 4 + PAGE_ASCENT * theme.axis_title.size},
                  0);
    if (plot->y.title != NULL)
        page_text(page, plot->y.title, &theme.axis_title, PAGE_MIDDLE,
                  (struct vec){theme.margin + PAGE_ASCENT * theme.axis_title.size, (top + bottom) / 2}, -acos(0));
}
