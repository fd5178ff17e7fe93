/* SPDX-License-Identifier: BSD-3-Clause
 * Charts of series against size: which series there are, and all that such charts have in common. A chart adds curves
 * or boxes of its values, and its words. */
#ifndef CARM_CHART_SERIES_H
#define CARM_CHART_SERIES_H

#include "render/page/plot.h"
#include "carm/marks/chart_points_entry.h"

enum { SERIES_MOST = 60, SERIES_MOST_CEILINGS = 8, SERIES_LABEL_BYTES = 160 };

struct series {
    char label[96]; /* its name without what all series of the picture share */
    size_t count;
    struct entry *entries; /* its points by rising size, with pseudo-flop where the options ask for them */
    double *x;             /* of each: its size, or the bytes of its data */
    struct plot_color color;
    enum plot_shape shape;
};

struct series_chart {
    const struct model *model;
    const struct chart_options *options;
    size_t count, point_count; /* that are drawn */
    struct series series[SERIES_MOST];
    size_t entry_count;
    struct entry *entries; /* of all series, one after the other */
    struct plot_axis x, y;
    char x_title[128];   /* with what the names of all series end with */
    bool clocks_assumed; /* per cycle: of roofs, where points do not know their own */
    size_t ceiling_count;
    const struct roof *ceilings[SERIES_MOST_CEILINGS]; /* one for each number of threads and each type */

    size_t line_count, marker_count, band_count, number_count, text_count;
    struct plot_line *lines;
    struct plot_point *markers;
    struct plot_band *bands;
    double *numbers;
    char (*texts)[SERIES_LABEL_BYTES];
};

/* Finds the series that the options choose. Error: there are none. */
bool series_begin(struct series_chart *chart, const struct model *model, const struct chart_options *options,
                  struct error *err);

/* What a point's rates are divided by: its clock where the chart is per cycle, else 1; 0 where it is not known. */
double series_clock_hz(struct series_chart *chart, const struct app_point *point);

/* How a curve is told from the others of its series. */
struct series_look {
    enum plot_dash dash;
    bool hollow;
    bool theory; /* pale and wide, without markers */
    bool named;  /* it carries the name of its series */
};
/* `values[i]` belongs to point i of the series; n is 0 where there is none. Draws nothing when there are none at all.
 */
void series_add_curve(struct series_chart *chart, const struct series *series, const struct statistics *values,
                      struct series_look look);

/* A row of the legend: what such curves are. */
void series_add_key(struct series_chart *chart, struct series_look look, const char *text);

/* The highest ceiling for each number of threads and each type among the series. */
void series_add_ceilings(struct series_chart *chart);

/* Room at both ends of the x axis, for boxes instead of curves. */
void series_make_room(struct series_chart *chart);

/* Boxes from quartile to quartile, with whiskers and a line at the median, `width` wide (in parts of the x axis) and
 * moved aside by `offset`; and a thin line that joins the medians. */
void series_add_boxes(struct series_chart *chart, const struct series *series, const struct statistics *values,
                      double offset, double width);

struct series_words {
    const char *what; /* "performance": of the title */
    const char *y_title, *footer;
    double y_divisor;
    enum plot_unit y_unit;
    bool ratio; /* of what is 1 as a rule: never from 0, with a line at 1 */
};
/* Chooses the y axis, writes the picture, and frees what series_begin made. */
bool series_end(struct series_chart *chart, const struct series_words *words, const char *path, struct error *err);

#endif
