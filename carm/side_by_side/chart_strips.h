/* SPDX-License-Identifier: BSD-3-Clause
 * Strips: a row per quantity, and on it a dot per machine at its ratio; what stands apart is named. */
#ifndef CARM_CHART_STRIPS_H
#define CARM_CHART_STRIPS_H

#include "render/page/plot.h"

enum { STRIPS_MOST_DOTS = 150 }; /* of each row that are drawn; of more an even choice by rank */

struct strip_dot {
    double value;
    const char *label; /* of one that stands apart: always drawn, in red; NULL: one of many */
};

struct strip {
    const char *name;
    size_t count;
    const struct strip_dot *dots;
};

struct strips_text {
    const char *title, *subtitle, *axis, *footer;
    double shown_per_value; /* the axis shows value × this: 100 of percent */
    bool difference;        /* values are differences around 0, not ratios around 1 */
};

/* The first row is the uppermost. `*store` holds what the plot borrows beside the arguments: to be freed. False without
 * memory, or when there is no dot. */
bool strips_plot(const struct strip *strips, size_t count, const struct strips_text *text, struct plot *plot,
                 void **store);

#endif
