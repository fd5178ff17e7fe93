/* SPDX-License-Identifier: BSD-3-Clause
 * The typeface (see font.h). */
#include "font.h"

void font_prepare(cairo_t *cr, const char *family) {
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(cr, options);
    cairo_font_options_destroy(options);
    cairo_select_font_face(cr, family, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
}

static void set_font(cairo_t *cr, double size, bool bold) {
    const char *family = cairo_toy_font_face_get_family(cairo_get_font_face(cr)); /* that was prepared */
    cairo_select_font_face(cr, family, CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, size);
}

double font_width(void *context, const char *text, double size, bool bold) {
    cairo_t *cr = context;
    cairo_text_extents_t extents;
    set_font(cr, size, bold);
    cairo_text_extents(cr, text, &extents);
    return extents.x_advance;
}
