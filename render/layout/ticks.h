/* SPDX-License-Identifier: BSD-3-Clause
 * Where an axis has ticks and how they read: as many round values as there is room for their labels. Pure. */
#ifndef RENDER_TICKS_H
#define RENDER_TICKS_H

#include "render/page/page.h"

#define TICKS_MAX 64

struct tick {
    double value; /* in base units */
    double at;    /* 0 at the axis' min to 1 at its max */
    char label[64];
};

struct ticks {
    size_t count;
    struct tick ticks[TICKS_MAX];
    double widest; /* of the labels, in points */
};

/* Where a value lies on the axis: 0 at min, 1 at max; NaN for what a logarithm cannot show. */
double axis_position(const struct plot_axis *axis, double value);

/* Why an axis cannot be drawn, or NULL. */
const char *axis_trouble(const struct plot_axis *axis);

/* Ticks for an axis that is so many points long. Across a vertical axis labels need their height, else their width. */
void ticks_make(struct ticks *ticks, const struct plot_axis *axis, double length, bool vertical, struct page *page,
                const struct text_style *style);

#endif
