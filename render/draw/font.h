/* SPDX-License-Identifier: BSD-3-Clause
 * The one typeface of a picture, set and measured through cairo. */
#ifndef RENDER_FONT_H
#define RENDER_FONT_H

#include <cairo.h>
#include <stdbool.h>
#include <stddef.h>

/* Once for each cairo context; of a family that is not there fontconfig chooses another. Hinted widths depend on the
 * resolution; without, all formats share one layout. */
void font_prepare(cairo_t *cr, const char *family);

/* The family that texts of this one are drawn in: itself, or what fontconfig chooses where it is not there; "": not
 * known. Cut to `size` bytes. */
void font_found(const char *family, char *out, size_t size);

/* The advance width in points; for struct metrics, whose context is the cairo context. Sets the font. */
double font_width(void *context, const char *text, double size, bool bold);

#endif
