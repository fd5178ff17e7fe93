/* SPDX-License-Identifier: BSD-3-Clause
 * The table of styles, and colours for a dark page. */
#include "style.h"
#include "palette.h"

#include <math.h>
#include <string.h>

/* A column of a paper has type of 7 points, the least that IEEE and ACM require, and 300 pixels per inch. A slide is
 * 16:9 with type of 18 points. */
const struct plot_style plot_styles[] = {
    {.name = "screen",
     .width = PLOT_WIDTH,
     .height = PLOT_HEIGHT,
     .least_width = 480,
     .least_height = 360,
     .scale = 1,
     .margin = 18,
     .pixels_per_point = 2},
    {.name = "paper",
     .width = 8.5 / 2.54 * PLOT_POINTS_PER_INCH,
     .height = 8.5 / 2.54 * PLOT_POINTS_PER_INCH * 0.75,
     .least_width = 160,
     .least_height = 120,
     .scale = 7.0 / 12,
     .margin = 5,
     .title_size = 13,
     .sparse = true,
     .captioned = true,
     .pixels_per_point = 300 / PLOT_POINTS_PER_INCH},
    {.name = "slide",
     .width = 960,
     .height = 540,
     .least_width = 480,
     .least_height = 360,
     .scale = 1.5,
     .margin = 18,
     .title_size = 17,
     .sparse = true,
     .pixels_per_point = 2},
    {.name = "dark",
     .width = PLOT_WIDTH,
     .height = PLOT_HEIGHT,
     .least_width = 480,
     .least_height = 360,
     .scale = 1,
     .margin = 18,
     .dark = true,
     .pixels_per_point = 2},
    {0},
};

static const double DARKEST = 0.09, LIGHTEST = 0.94;        /* lightness of former white and black: neither glares */
static const double TEXT_CONTRAST = 4.5, LINE_CONTRAST = 3; /* WCAG 2.1, 1.4.3 and 1.4.11 */

const struct plot_style *plot_style_named(const char *name) {
    for (const struct plot_style *style = plot_styles; style->name; style++)
        if (strcmp(style->name, name) == 0)
            return style;
    return NULL;
}

const struct plot_style *plot_style_of(const struct plot *plot) {
    return plot->style ? plot->style : &plot_styles[0];
}

/* Keeps hue and saturation and inverts lightness (HSL). All three parts keep their order and proportions, so the
 * colour between black and white of its hue is stretched or squeezed, without computing the hue's angle. */
struct plot_color style_turned(struct plot_color color) {
    const double high = fmax(color.r, fmax(color.g, color.b)), low = fmin(color.r, fmin(color.g, color.b));
    const double lightness = (high + low) / 2, turned = DARKEST + (1 - lightness) * (LIGHTEST - DARKEST);
    const double room = 1 - fabs(2 * lightness - 1), turned_room = 1 - fabs(2 * turned - 1);
    const double stretch = room > 0 ? turned_room / room : 0;
    return (struct plot_color){turned + (color.r - lightness) * stretch, turned + (color.g - lightness) * stretch,
                               turned + (color.b - lightness) * stretch, color.a};
}

static double linear(double part) {
    return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
}

static double luminance(struct plot_color color) {
    return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b);
}

double style_contrast(struct plot_color a, struct plot_color b) {
    const double one = luminance(a) + 0.05, other = luminance(b) + 0.05;
    return fmax(one, other) / fmin(one, other);
}

/* Makes the colour lighter until it has this contrast. */
static struct plot_color lightened(struct plot_color color, struct plot_color ground, double contrast) {
    const double step = 0.04;
    while (style_contrast(color, ground) < contrast) {
        color.r += step * (1 - color.r);
        color.g += step * (1 - color.g);
        color.b += step * (1 - color.b);
    }
    return color;
}

static bool is_grey(struct plot_color color) {
    return color.r == color.g && color.g == color.b;
}

/* Colours get enough contrast; greys, of grids and rims, stay faint. */
static struct plot_color drawn(struct plot_color color, struct plot_color ground) {
    const struct plot_color turned = style_turned(color);
    return is_grey(color) ? turned : lightened(turned, ground, LINE_CONTRAST);
}

void style_color_page(struct page *page, const struct plot_style *style) {
    if (!style->dark)
        return;
    page->ground = style_turned(PALETTE_WHITE);
    for (size_t i = 0; i < page->count; i++) {
        struct primitive *p = &page->primitives[i];
        if (p->keeps_colors)
            continue;
        p->fill = drawn(p->fill, page->ground);
        p->stroke = drawn(p->stroke, page->ground);
        p->style.color = lightened(style_turned(p->style.color), page->ground, TEXT_CONTRAST);
    }
}

static void flatten(struct plot_color *color, struct plot_color ground) {
    if (!(color->a > 0))
        return;
    color->r = ground.r + color->a * (color->r - ground.r);
    color->g = ground.g + color->a * (color->g - ground.g);
    color->b = ground.b + color->a * (color->b - ground.b);
    color->a = 1;
}

void style_flatten_page(struct page *page) {
    page->flat = true;
    for (size_t i = 0; i < page->count; i++) {
        flatten(&page->primitives[i].fill, page->ground);
        flatten(&page->primitives[i].stroke, page->ground);
        flatten(&page->primitives[i].style.color, page->ground);
    }
}
