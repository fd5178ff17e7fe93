/* SPDX-License-Identifier: BSD-3-Clause
 * The frame of charts of series against size. A chart calls series_begin(), adds curves or boxes of its values, and
 * ends with series_end(). */
#pragma once

#include "chart_points_entry.h"

#include "bench/kernels/sample.h"
#include "render/page/plot.h"

enum { SERIES_MAX = 60, SERIES_MAX_CEILINGS = 8, SERIES_LABEL_BYTES = 160, SERIES_MODEL_SIZES = 256 };

/* One series: the points of one workload at several sizes. */
struct series {
    char label[96];        /* its name without the end that all series of the picture share */
    size_t count;          /* points */
    struct entry *entries; /* its points by rising size, with pseudo-flop if the options want them */
    double *x;             /* of each point: the problem size, or with options.working_set the bytes of its data */
    struct plot_color color;
    enum plot_shape shape; /* of the markers */
};

/* A chart of series while it is made. */
struct series_chart {
    const struct model *model;           /* borrowed */
    const struct chart_options *options; /* borrowed */
    size_t count, point_count;           /* series, and points of all series, that are drawn */
    struct series series[SERIES_MAX];
    size_t entry_count;
    struct entry *entries; /* all points that the options choose, by series */
    struct plot_axis x, y;
    char x_title[128];   /* includes the end that all names of series share */
    bool clocks_assumed; /* some rates per cycle use the clock of a roof, since the point's clock is unknown */
    size_t ceiling_count;
    const struct roof *ceilings[SERIES_MAX_CEILINGS]; /* one per number of threads and type */

    /* The drawn parts, with their counts. `lines` and `bands` borrow from `numbers`, labels from `texts`. */
    size_t line_count, marker_count, band_count, number_count, text_count;
    struct plot_line *lines;
    struct plot_point *markers;
    struct plot_band *bands;
    double *numbers;
    char (*texts)[SERIES_LABEL_BYTES];
};

/* Finds the series that the options choose, and the x axis. After success the caller ends with series_end(). Error,
 * with nothing to free: the options choose no series. */
bool series_begin(struct series_chart *chart, const struct model *model, const struct chart_options *options,
                  struct error *err);

/* The divisor of the point's rates: its clock in Hz (chart_clock_hz()) if the chart is per cycle, else 1; 0: the
 * clock is unknown. Notes in `chart` if the clock is that of a roof. */
double series_clock_hz(struct series_chart *chart, const struct app_point *point);

/* The look of a curve, which distinguishes it from other curves of its series. */
struct series_look {
    enum plot_dash dash;
    bool hollow; /* its markers are outlines */
    bool theory; /* a pale, wide line without markers */
    bool named;  /* the curve shows the name of its series */
    bool model;  /* a thin line without markers */
};

/* Adds a curve through the medians of `values`, in units of the y axis, with error bars at the quartiles. values[i]
 * belongs to point i of the series; the curve breaks where its n is 0. Adds nothing if no value is known. */
void series_add_curve(struct series_chart *chart, const struct series *series, const struct statistics *values,
                      struct series_look look);

/* Adds a line through `count` places, which are copied; NaN breaks it. Adds nothing if all are NaN. */
void series_add_line(struct series_chart *chart, const struct series *series, const double *x, const double *y,
                     size_t count, struct series_look look);

/* Adds a row to the legend for curves of this look. */
void series_add_key(struct series_chart *chart, struct series_look look, const char *text);

/* Adds a horizontal line at the highest ceiling of each number of threads and element type of the series. */
void series_add_ceilings(struct series_chart *chart);

/* Widens the x axis at both ends, so that the boxes of the first and the last size have room. */
void series_make_room(struct series_chart *chart);

/* A value's box, and the range of its median in 95 of 100 cases; 0, 0: unknown. */
struct boxed {
    struct statistics value;
    struct median_interval median;
};

/* Adds a box for each value, from quartile to quartile, with whiskers to the extremes and a line at the median, and
 * joins the medians by a thin line. The median's interval is a bar across its line. `width` is that of a box,
 * `offset` its distance to the right of its size, both as shares of the length of the x axis. values[i] belongs to
 * point i of the series; n is 0 if unknown. */
void series_add_boxes(struct series_chart *chart, const struct series *series, const struct boxed *values,
                      double offset, double width);

/* The words and units of a chart. */
struct series_words {
    const char *what;             /* the subject in the title: "performance" */
    const char *y_title, *footer; /* title of the y axis, and the small print below the picture */
    double y_divisor;             /* tick labels show value / divisor: 1e9 for Gflop/s */
    enum plot_unit y_unit;
    bool flop_per_s; /* the values are flop/s, so that a right axis can show flop/cycle */
    bool ratio;      /* the values are ratios around 1: the axis may begin above 0, and a line marks 1 */
};

/* Chooses the y axis, writes the picture into the file at `path` or where the options say, and frees the memory of
 * series_begin(), also on failure. Error: no value is known, or the file cannot be written. */
bool series_end(struct series_chart *chart, const struct series_words *words, const char *path, struct error *err);
