/* SPDX-License-Identifier: BSD-3-Clause
 * Comparisons as pictures: the rooflines of some machines over each other, and the ratios as bars or, of many machines,
 * as strips. */
#ifndef CARM_CHART_COMPARE_H
#define CARM_CHART_COMPARE_H

#include "picture.h"

/* At most COMPARE_COLUMNS sides. Error: none of them has a ceiling of the view, or the file cannot be written. */
bool chart_overlay(const struct comparison *comparison, const struct picture_view *view,
                   const struct chart_options *options, const char *path, struct error *err);

/* Any number of sides from two on. */
bool chart_ratios(const struct comparison *comparison, const struct picture_view *view,
                  const struct chart_options *options, const char *path, struct error *err);

bool overlay_make(const struct comparison *comparison, const struct picture_view *view, struct picture *out,
                  struct error *err);
bool ratios_make(const struct comparison *comparison, const struct picture_view *view, struct picture *out,
                 struct error *err);

#endif
