/* SPDX-License-Identifier: BSD-3-Clause
 * Pictures of several results: rooflines over each other, ratios as bars or as strips of dots, a fleet as strips of
 * dots, and waterfalls. */
#pragma once

#include "picture.h"

#include "carm/compare/why.h"
#include "carm/fleet/fleet.h"

enum { OVERLAY_POINTS = 64 }; /* applications of each side that chart_overlay() draws */

/* Draws the rooflines of all sides over each other, into the file at `path` or where the options say (chart_write()).
 * Takes at most COMPARE_COLUMNS sides. Error: no side has a ceiling of the view, or the file cannot be written. */
bool chart_overlay(const struct comparison *comparison, const struct picture_view *view,
                   const struct chart_options *options, const char *path, struct error *err);

/* Draws the ratio of each headline roof to that of the base: as bars for up to COMPARE_COLUMNS sides, as strips of dots
 * for more. Takes two sides or more. Error: no roof can be compared, or the file cannot be written. */
bool chart_ratios(const struct comparison *comparison, const struct picture_view *view,
                  const struct chart_options *options, const char *path, struct error *err);

/* Makes the picture of chart_overlay() as plain data. After success the caller ends with picture_free().
 * Error: no side has a ceiling of the view, or out of memory. */
bool overlay_make(const struct comparison *comparison, const struct picture_view *view, struct picture *out,
                  struct error *err);

/* Makes the picture of chart_ratios() as plain data. After success the caller ends with picture_free().
 * Error: no roof can be compared, or out of memory. */
bool ratios_make(const struct comparison *comparison, const struct picture_view *view,
                 const struct chart_options *options, struct picture *out, struct error *err);

/* Whether chart_several() draws ratios: with more than three sides. */
bool several_are_ratios(const struct comparison *comparison);

/* Draws the default picture of several results: rooflines over each other if their lines can be followed, else the
 * ratios. Error: as of chart_overlay() and chart_ratios(). */
bool chart_several(const struct comparison *comparison, const struct picture_view *view,
                   const struct chart_options *options, const char *path, struct error *err);

/* A fleet as strips of dots. */

/* Makes the picture of how far each node is from the median of its group: a row per class of roofs, a dot per node.
 * A row names at most ten of the outliers in `report` and counts the others. The picture borrows from the fleet; the
 * caller ends with picture_free(). Error, with nothing to free: no group has enough nodes to be judged. */
bool chart_fleet_make(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report,
                      struct picture *out, struct error *err);

/* Draws it. Error: as of chart_fleet_make(), or the file cannot be written. */
bool chart_fleet(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report,
                 const struct chart_options *options, const char *path, struct error *err);

/* Waterfalls that explain the difference of two results: from one value to the other, factor by factor. */

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
