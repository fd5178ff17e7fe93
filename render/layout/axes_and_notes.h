/* SPDX-License-Identifier: BSD-3-Clause
 * The surroundings of the data: type sizes, title, notes, axes with grid and ticks, footer. Pure. */
#pragma once

#include "render/page/style.h"
#include "ticks.h"

struct theme {
    bool sparse; /* without subtitle and small print */
    bool captioned;
    bool low;      /* as one of several charts on a page: its title is no larger than the rest */
    double scale;  /* small pages have slightly smaller type */
    double margin; /* to the page's edges, in points */
    struct text_style title, subtitle, note, tick, right_tick, axis_title, right_title, legend, footer;
    struct text_style line, strong_line, line_sub, point, point_sub, mark;
    struct title_rows {
        unsigned x, y, right; /* 1 or 2: of the axes' titles */
    } title_rows;
};

/* Chooses type sizes for a page of this style and size, in points of the layout. */
void theme_make(struct theme *theme, const struct plot_style *style, double width, double height);

/* Where texts around a chart begin whose axis begins at x = `left`: there, or beside the margin if long names are left
 * of the axis. */
double text_left(const struct page *page, const struct theme *theme, double left);

/* Draws title, subtitle and notes from x = `left` to the right margin; returns the y of their end, in points. */
double header_draw(struct page *page, const struct plot *plot, const struct theme *theme, double left);

/* Draws the small print at the bottom of the page; returns the y of its top, in points. */
double footer_draw(struct page *page, const struct plot *plot, const struct theme *theme, double left);

/* The room that the axes need on each side of the plot area, for this width of tick labels: all in points. */
double axis_left_room(const struct plot *plot, const struct theme *theme, double tick_width);
double axis_right_room(const struct plot *plot, const struct theme *theme, double tick_width);
double axis_bottom_room(const struct plot *plot, const struct theme *theme);

struct axes {
    struct ticks x, y, right;
};

/* Gives titles that are too long for page->plot a second row, for which the axis needs more room. Returns whether it
 * did. */
bool axes_wrap_titles(const struct page *page, const struct plot *plot, struct theme *theme);

/* Chooses the ticks for page->plot. */
void axes_make(struct axes *axes, struct page *page, const struct plot *plot, const struct theme *theme);

/* Where the labels of the x axis end, in points; it may be beside the page. */
double axes_right_end(const struct axes *axes, struct page *page, const struct theme *theme);

/* The grid is drawn before the data and lies below them; ticks, lines and titles of the axes lie above. The right
 * axis, if any, is at x = `right`. */
void axes_draw_grid(struct page *page, const struct axes *axes);
void axes_draw(struct page *page, const struct axes *axes, const struct plot *plot, const struct theme *theme,
               double right);
