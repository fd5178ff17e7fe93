/* SPDX-License-Identifier: BSD-3-Clause
 * An axis' ticks and their labels: as many round values as there is room for. Pure. */
#pragma once

#include "render/page/page.h"

#define TICKS_MAX 64 /* of numbers */
#define NAMES_MAX 128

struct tick {
    double value; /* in base units */
    double at;    /* 0 at the axis' min, 1 at its max */
    char label[64];
};

struct ticks {
    size_t count;
    struct tick ticks[NAMES_MAX];
    double widest; /* of the labels, in points */
};

/* The place of a value on the axis: 0 at min, 1 at max; NaN if it has no logarithm. */
double axis_position(const struct plot_axis *axis, double value);

/* Why an axis cannot be drawn, or NULL. */
const char *axis_trouble(const struct plot_axis *axis);

/* Ticks for an axis of this length in points. Labels of a vertical axis need their height, others their width. */
void ticks_make(struct ticks *ticks, const struct plot_axis *axis, double length, bool vertical, struct page *page,
                const struct text_style *style);
