/* SPDX-License-Identifier: BSD-3-Clause
 * Waterfalls that explain the difference of two results: from one value to the other, factor by factor. */
#pragma once

#include "picture.h"

#include "carm/compare/why.h"

/* Makes the waterfall of one ratio as plain data: a row for each factor. The axis of values is logarithmic, so that
 * equal factors are equally long, and ends where words have room on a page of this width, in points. Borrows from the
 * comparison and the ratio. The caller ends with picture_free(). */
void waterfall_make(const struct comparison *comparison, const struct why *why, double page_width, struct picture *out);

/* Draws it into the file at `path` or where the options say (chart_write()). Error: the file cannot be written. */
bool chart_waterfall(const struct comparison *comparison, const struct why *why, const struct chart_options *options,
                     const char *path, struct error *err);

/* The colour of a factor. Colour-blind readers can distinguish the palette. */
struct plot_color waterfall_color(enum why_factor factor);

enum { WATERFALLS_MOST = 32 }; /* most ratios of a list that are drawn */

/* Makes a small waterfall for every ratio of a list, from 1 to the ratio: a row per roof, a bar per factor. Borrows
 * from the comparison and the list, which is not empty. */
void waterfalls_make(const struct comparison *comparison, const struct why_list *list, struct picture *out);
bool chart_waterfalls(const struct comparison *comparison, const struct why_list *list,
                      const struct chart_options *options, const char *path, struct error *err);
