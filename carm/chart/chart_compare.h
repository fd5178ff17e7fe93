/* SPDX-License-Identifier: BSD-3-Clause
 * Pictures of comparisons: the rooflines of several machines over each other, and their ratios as bars or, for many
 * machines, as strips of dots. */
#pragma once

#include "picture.h"

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
