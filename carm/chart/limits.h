/* SPDX-License-Identifier: BSD-3-Clause
 * Limits of axes that the user chooses (--xlim, --ylim): their text, their units, and the part of a plot within. */
#pragma once

#include <stdbool.h>

#include "render/page/plot.h"

struct error;

enum { LIMITS_UNIT_BYTES = 24 };

struct limit {
    bool set; /* else the chart's own */
    double number;
    char unit[LIMITS_UNIT_BYTES]; /* "", "G" or "Gflop/s": known when there is an axis */
};

struct limits_side {
    const char *text; /* as given: "1/8:16"; NULL: the chart's own limits */
    bool by_default;  /* by a default of the user: ignored where it does not fit the axis */
    struct limit low, high;
};

struct limits {
    struct limits_side x, y;
};

/* Reads LOW:HIGH, of which one may be left out. Error: another form. `option` is "xlim" or "ylim". */
bool limits_read(const char *option, const char *text, struct limits_side *out, struct error *err);

/* Sets the limits of axes, which have their titles. Error: a unit that is not the axis's; a limit of 0 or less on a
 * logarithmic axis; LOW is not below HIGH; an axis of names. */
bool limits_set(const struct limits *limits, struct plot_axis *x, struct plot_axis *y, struct error *err);

/* Widens them only, so that lines from end to end reach the limits. */
bool limits_widen(const struct limits *limits, struct plot_axis *x, struct plot_axis *y, struct error *err);

/* Whether the place at_x, at_y on these axes is beyond the limits. */
bool limits_exclude(const struct limits *limits, const struct plot_axis *x, const struct plot_axis *y, double at_x,
                    double at_y);

/* Error: --ylim is given, and the picture has charts with axes of their own below each other. */
bool limits_take_no_y(const struct limits *limits, struct error *err);

/* A plot within the limits, with a note of the points and lines that are outside. */
struct limited {
    struct plot plot;
    struct plot *panels;
    struct plot_point *points;
    struct plot_line *lines;
    struct plot_band *bands;
    const char **notes;
    char note[96];
    bool shows_any; /* a point, a placed line or a bar */
};

/* Sets the limits and leaves out what is outside of them. The plot borrows from `of` and from `out`. Call
 * limits_free() in any case. Error: as of limits_set(); no chart with axes; nothing is within. */
bool limits_apply(const struct limits *limits, const struct plot *of, struct limited *out, struct error *err);
void limits_free(struct limited *limited);
