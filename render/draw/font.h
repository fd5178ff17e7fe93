/* SPDX-License-Identifier: BSD-3-Clause
 * The typeface of a picture, measured by cairo; without cairo by a table (font_table.c). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "render/page/page.h"

struct _cairo;

/* Measures texts in this family, on no page. The caller ends with font_close(), whose false says that memory ran out.
 */
void font_open(struct metrics *out, const char *family);
bool font_close(const struct metrics *metrics);

/* The advance width in points by the table of DejaVu Sans, which has no other family; for struct metrics. */
double font_table_width(void *context, const char *text, double size, bool bold);

/* Prepares a cairo context, once, and measures by it. If the family is missing, fontconfig chooses another. Hinting is
 * off: hinted widths depend on the resolution, and all formats share one layout. */
void font_prepare(struct _cairo *cr, const char *family, struct metrics *out);

/* The family that replaces this one: itself, or the choice of fontconfig if it is missing; "": unknown. Cut to
 * `size` bytes. False: there is no font, and cairo draws text in strokes, without most signs. */
bool font_found(const char *family, char *out, size_t size);

/* Sets the font and returns the advance width in points; for struct metrics, whose context is the cairo context. */
double font_width(void *context, const char *text, double size, bool bold);

/* Takes memory and gives it back to the heap, which keeps it for the drawing libraries: if an allocation fails,
 * fontconfig (seen with 2.14) crashes or searches forever, and pixman (0.42) crashes. Call it before theirs. False:
 * there is too little memory to draw. */
bool font_reserve_memory(void);
