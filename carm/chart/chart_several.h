/* SPDX-License-Identifier: BSD-3-Clause
 * The picture of several results where nobody names one: rooflines over each other as long as their lines can be
 * followed, and of more machines the ratios. */
#ifndef CARM_CHART_CHART_SEVERAL_H
#define CARM_CHART_CHART_SEVERAL_H

#include "chart_compare.h"

/* Whether that is the picture of ratios: of more than three sides. */
bool several_are_ratios(const struct comparison *comparison);

/* Draws it, into the file at `path` or where the options say (chart_write()). Error: that of the picture. */
bool chart_several(const struct comparison *comparison, const struct picture_view *view,
                   const struct chart_options *options, const char *path, struct error *err);

#endif
