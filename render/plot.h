/* SPDX-License-Identifier: BSD-3-Clause
 * A chart as plain data in data units, and its drawing. Knows nothing of CPUs: axes, lines, bands, points, labels. */
#ifndef RENDER_PLOT_H
#define RENDER_PLOT_H

#include <stdbool.h>
#include <stddef.h>

enum plot_scale { PLOT_LINEAR, PLOT_LOG10, PLOT_LOG2 };
enum plot_unit {       /* how tick labels read; the values are always in base units */
    PLOT_UNIT_NONE,    /* 1, 10, 0.1 */
    PLOT_UNIT_FRACTION,/* 1/4, 1/2, 1, 2: for log2 axes */
    PLOT_UNIT_SI,      /* 1 k, 1 M, 1 G are divided out by `divisor`; see plot_axis */
    PLOT_UNIT_BINARY,  /* 4 KiB, 2 MiB: bytes */
};

struct plot_axis {
    const char *title;        /* "Performance [Gflop/s]" */
    enum plot_scale scale;
    enum plot_unit unit;
    double min, max;          /* in base units */
    double divisor;           /* tick labels show value / divisor; 1 when unset (0) */
};

enum plot_dash { PLOT_SOLID, PLOT_DASHED, PLOT_DOTTED };

struct plot_color {
    double r, g, b, a;
};

struct plot_line {
    size_t count;             /* of points */
    const double *x, *y;      /* borrowed for the time of drawing; NaN breaks the line */
    struct plot_color color;
    double width;             /* in points */
    enum plot_dash dash;
    bool markers;             /* small rings at the points */
    const char *label;        /* NULL, or text written along the line (on a straight segment) or at its end */
    enum { PLOT_LABEL_ALONG, PLOT_LABEL_END, PLOT_LABEL_LEGEND } label_place;
    const char *detail;       /* NULL, or a longer text for hovering */
};

struct plot_band {            /* the area between two curves over the same x */
    size_t count;
    const double *x, *y_low, *y_high;
    struct plot_color color;
};

struct plot_mark {            /* a vertical or horizontal reference line with a short label */
    bool vertical;
    double at;
    double from, to;          /* its extent on the other axis; both 0: all of it */
    struct plot_color color;
    enum plot_dash dash;
    const char *label;
};

struct plot_point {
    double x, y;
    double x_q1, x_q3, y_q1, y_q3;     /* the error box; NaN: none */
    double x_min, x_max, y_min, y_max; /* the whiskers; NaN: none */
    double radius;                     /* in points; 0: the default */
    bool hollow;                       /* a small ring */
    struct plot_color color;
    const char *label, *sublabel;      /* NULL: none */
    const char *detail;
};

struct plot {
    const char *title, *subtitle;
    size_t note_count;
    const char *const *notes;          /* doubts, above the chart, one line each */
    struct plot_axis x, y;
    bool has_right_axis;
    struct plot_axis right;            /* a second reading of y: right = y / right_per_y */
    size_t band_count, line_count, mark_count, point_count;
    const struct plot_band *bands;
    const struct plot_line *lines;
    const struct plot_mark *marks;
    const struct plot_point *points;
    const char *footer;                /* small print: how it was made */
};

struct plot_error {
    char text[512];
};

/* Draws to a file by its ending: .svg, .pdf, .png; written beside it and renamed. Width and height in points (0: 960 ×
 * 640; PNG has two pixels a point). Errors: unknown ending (names the known ones), cannot write. */
bool plot_write(const struct plot *plot, const char *path, double width, double height, struct plot_error *err);

#endif
