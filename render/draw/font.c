/* SPDX-License-Identifier: BSD-3-Clause
 * Sets and measures the typeface. */
#include "font.h"

#include <cairo-ft.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

bool font_reserve_memory(void) {
    enum {
        HEAP_BYTES = 32 << 20,     /* glibc keeps no larger block */
        RESERVED_BYTES = 31 << 20, /* a PNG of the usual size takes 10 MiB */
        MAPPED_BYTES = 16 << 20, /* fonts for characters that the first font lacks, such as ▲, are mapped on demand */
    };
    mallopt(M_MMAP_THRESHOLD, HEAP_BYTES);
    mallopt(M_TRIM_THRESHOLD, 2 * HEAP_BYTES);
    void *volatile block = malloc(RESERVED_BYTES);
    void *fonts = mmap(NULL, MAPPED_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const bool done = block && fonts != MAP_FAILED;
    if (fonts != MAP_FAILED)
        munmap(fonts, MAPPED_BYTES);
    free(block);
    return done;
}

void font_prepare(cairo_t *cr, const char *family, struct metrics *out) {
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(cr, options);
    cairo_font_options_destroy(options);
    cairo_select_font_face(cr, family, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    *out = (struct metrics){.context = cr, .width = font_width};
}

void font_open(struct metrics *out, const char *family) {
    cairo_surface_t *surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR, NULL);
    cairo_t *cr = cairo_create(surface);
    cairo_surface_destroy(surface); /* the context has it */
    font_prepare(cr, family, out);
}

bool font_close(const struct metrics *metrics) {
    const bool done = cairo_status(metrics->context) == CAIRO_STATUS_SUCCESS;
    cairo_destroy(metrics->context);
    return done;
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
    struct metrics metrics;
    snprintf(out, size, "%s", "");
    if (!font_reserve_memory())
        return true;
    font_open(&metrics, family);
    cairo_scaled_font_t *scaled = cairo_get_scaled_font(metrics.context);
    const bool any = cairo_scaled_font_get_type(scaled) == CAIRO_FONT_TYPE_FT;
    if (any) {
        const FT_Face face = cairo_ft_scaled_font_lock_face(scaled);
        if (face && face->family_name)
            snprintf(out, size, "%s", face->family_name);
        cairo_ft_scaled_font_unlock_face(scaled);
    }
    font_close(&metrics);
    return any;
}
