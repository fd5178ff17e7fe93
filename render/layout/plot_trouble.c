/* SPDX-License-Identifier: BSD-3-Clause
 * Reasons why a plot cannot be drawn, in words. */
#include "layout.h"
#include "render/page/style.h"
#include "ticks.h"

#include <math.h>
#include <stdio.h>

/* The trouble of the first panel that cannot be drawn. */
static const char *panels_trouble(const struct plot *plot, char *text, size_t n) {
    for (size_t i = 0; i < plot->panel_count; i++)
        if (axis_trouble(&plot->panels[i].x) || axis_trouble(&plot->panels[i].y)) {
            snprintf(text, n, "panel %zu has an axis that cannot be drawn", i + 1);
            return text;
        }
    return NULL;
}

static bool has_room(const struct plot_style *style, double width, double height) {
    return width >= style->least_width && width <= 8000 && height >= style->least_height && height <= 8000;
}

/* The style whose pages may have this size; NULL: none. */
static const struct plot_style *style_with_room(double width, double height) {
    for (const struct plot_style *style = plot_styles; style->name; style++)
        if (has_room(style, width, height))
            return style;
    return NULL;
}

static void describe_size(const struct plot_style *style, double width, double height, char *text, size_t n) {
    const struct plot_style *other = style_with_room(width, height);
    snprintf(text, n, "the size must be between %g × %g and 8000 × 8000 points, not %g × %g%s%s%s", style->least_width,
             style->least_height, width, height, other ? "; style " : "", other ? other->name : "",
             other ? " takes it" : "");
}

const char *plot_trouble(const struct plot *plot, double width, double height, char *text, size_t n) {
    const char *trouble;
    const struct plot_style *style = plot_style_of(plot);
    if (!has_room(style, width, height))
        describe_size(style, width, height, text, n);
    else if (plot->heat)
        return heat_trouble(plot->heat);
    else if (plot->panel_count > 0)
        return panels_trouble(plot, text, n);
    else if ((trouble = axis_trouble(&plot->x)))
        snprintf(text, n, "the x axis cannot be drawn from %g to %g: %s", plot->x.min, plot->x.max, trouble);
    else if ((trouble = axis_trouble(&plot->y)))
        snprintf(text, n, "the y axis cannot be drawn from %g to %g: %s", plot->y.min, plot->y.max, trouble);
    else if (plot->right_title && !(plot->right_per_y > 0 && isfinite(plot->right_per_y)))
        snprintf(text, n, "the right axis needs a positive factor, not %g", plot->right_per_y);
    else
        return NULL;
    return text;
}
