/* SPDX-License-Identifier: BSD-3-Clause
 * What theory says of series (carm/model), as dashed lines beside what was measured of them. */
#ifndef CARM_CHART_THEORY_H
#define CARM_CHART_THEORY_H

#include "chart_series.h"

#include "carm/model/theory.h"

/* One size of a series. */
struct theory_point {
    const struct theory *theory;
    struct theory_case at;
    const struct app_point *origin; /* the measured point of this size, or the first of the series */
    bool warm;
    double flop; /* by theory, or where that says nothing what was measured; 0: not known */
};

/* A quantity of which theory says something. */
struct theory_quantity {
    double (*value)(const struct theory_point *point); /* in units of the y axis; NaN: nothing is said */
    void (*write_place)(const struct theory_point *point, char out[64]); /* what it depends on: "1 MiB of caches" */
    const char *bound;  /* what the legend says of a bound of the bytes: "at most, by theory"; NULL: none has one */
    bool measured_flop; /* flop as measured, and no sizes but these */
};

/* Adds a line for each series that theory knows, from its first size to its last, and the rows of the legend that tell
 * where these lines are from. */
void theory_add(struct series_chart *chart, const struct theory_quantity *quantity);

#endif
