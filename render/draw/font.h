/* SPDX-License-Identifier: BSD-3-Clause
 * The one typeface of all pictures, set and measured through cairo. */
#ifndef RENDER_FONT_H
#define RENDER_FONT_H

#include <cairo.h>
#include <stdbool.h>

#define FONT_FAMILY "DejaVu Sans"

/* Once for each cairo context: hinted widths depend on the resolution; without, all formats share one layout. */
void font_prepare(cairo_t *cr);

/* The advance width in points; for struct metrics, whose context is the cairo context. Sets the font. */
double font_width(void *context, const char *text, double size, bool bold);

#endif
