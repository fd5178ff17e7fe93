/* SPDX-License-Identifier: BSD-3-Clause
 * Strips: a row per quantity, and on it a dot per machine at its ratio; what stands apart is named. */
#ifndef CARM_CHART_CHART_STRIPS_H
#define CARM_CHART_CHART_STRIPS_H

#include "render/page/plot.h"

enum { STRIPS_MAX_DOTS = 150 }; /* dots drawn of each row; where there are more, every n-th by rank */

/* One machine in a row. */
struct strip_dot {
    double value;      /* a ratio to 1, or a difference from 0 (strips_text.difference) */
    bool apart;        /* stands apart: always drawn, in red; else one of many */
    const char *label; /* names one that stands apart; NULL: it has no name */
    bool several;      /* the label is about others too, and finds room after those of single ones */
};

/* A row, with one dot per machine in any order. */
struct strip {
    const char *name; /* stands left of the row: "L1" */
    size_t count;
    const struct strip_dot *dots;
};

struct strips_text {
    const char *title, *subtitle, *axis, *footer; /* `axis` is the title of the x axis */
    double shown_per_value;                       /* the axis shows each value times this: 100 where it is in percent */
    bool difference;                              /* values are differences from 0 instead of ratios to 1 */
};

/* Makes the plot of `count` rows, the first of which is the uppermost. The plot borrows from the arguments and from
 * `*store`, which the caller frees afterwards. False, with nothing to free, when there is no memory or no dot. */
bool strips_plot(const struct strip *strips, size_t count, const struct strips_text *text, struct plot *plot,
                 void **store);

#endif
