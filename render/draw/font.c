/* SPDX-License-Identifier: BSD-3-Clause
 * Sets and measures the typeface. */
#include "font.h"
#include "reserve.h"

#include <cairo-ft.h>
#include <stdio.h>

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
    const char *family = cairo_toy_font_face_get_family(cairo_get_font_face(cr)); /* name of the prepared family */
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

bool font_found(const char *family, char *out, size_t size) {
    snprintf(out, size, "%s", "");
    if (!reserve_memory())
        return true;
    cairo_surface_t *surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR, NULL);
    cairo_t *cr = cairo_create(surface);
    font_prepare(cr, family);
    cairo_scaled_font_t *scaled = cairo_get_scaled_font(cr);
    const bool any = cairo_scaled_font_get_type(scaled) == CAIRO_FONT_TYPE_FT;
    if (any) {
        const FT_Face face = cairo_ft_scaled_font_lock_face(scaled);
        if (face && face->family_name)
            snprintf(out, size, "%s", face->family_name);
        cairo_ft_scaled_font_unlock_face(scaled);
    }
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
    return any;
}
