/* SPDX-License-Identifier: BSD-3-Clause
 * A chart as plain data in data units, and its drawing. Knows nothing of CPUs: axes, lines, bands, points, labels.
 * A member left zero means its default or "none", so designated initialisers stay short. Everything is borrowed for the
 * time of the call. Bytes that are not UTF-8 are drawn as "?". */
#ifndef RENDER_PLOT_H
#define RENDER_PLOT_H

#include <stdbool.h>
#include <stddef.h>

enum plot_scale { PLOT_LINEAR, PLOT_LOG10, PLOT_LOG2 };
enum plot_unit {                     /* how tick labels read; the values are always in base units */
                 PLOT_UNIT_NONE,     /* 1, 10, 0.1 */
                 PLOT_UNIT_FRACTION, /* 1/4, 1/2, 1, 2: for log2 axes */
                 PLOT_UNIT_SI,       /* 1 k, 20 M, 3 G */
                 PLOT_UNIT_BINARY,   /* 4 KiB, 2 MiB: bytes */
                 PLOT_UNIT_SECONDS,  /* 5 ns, 2 µs */
                 PLOT_UNIT_COUNT,    /* 1, 2, 1024: whole numbers only */
                 PLOT_UNIT_POWER,    /* 2⁵, 2¹⁰: powers of two, for log2 axes */
};

struct plot_axis {
    const char *title; /* "Performance [Gflop/s]" */
    enum plot_scale scale;
    enum plot_unit unit;
    double min, max;   /* in base units; min < max, and above 0 on logarithmic scales */
    double divisor;    /* tick labels show value / divisor: 1e9 when the title says "Gflop/s" */
    size_t name_count; /* of a linear axis that counts things: name i stands at i, in place of numbers; those of
                          under 64 bytes, and where there is room */
    const char *const *names;
};

struct plot_color {
    double r, g, b, a;
};

enum plot_dash { PLOT_SOLID, PLOT_DASHED, PLOT_DOTTED, PLOT_DASH_DOTTED };

enum plot_label_place {
    PLOT_LABEL_ALONG,  /* written along the line, on a straight piece of it */
    PLOT_LABEL_END,    /* beside its right end */
    PLOT_LABEL_LEGEND, /* in the legend below the chart */
};

/* A label with no room at its place moves to the legend, the lowest `priority` first; among equals the later one. */
struct plot_line {
    size_t count;        /* of vertices */
    const double *x, *y; /* NaN breaks the line */
    struct plot_color color;
    double width; /* in points; 0: 1.2. From 2 on the label is bold */
    enum plot_dash dash;
    bool markers;         /* small rings at the vertices */
    bool arrow;           /* a head near its last vertex, clear of a point there */
    bool clear;           /* no label stands on it */
    const char *label;    /* "AVX2 FMA" */
    const char *sublabel; /* "47.9 Gflop/s · 16 flop/cycle": follows the label, left out where there is no room */
    const char
        *short_sublabel; /* "47.9 Gflop/s": before it is left out, in styles for small pages; NULL: there is none */
    enum plot_label_place label_place;
    int priority;
    const char *detail; /* a longer text for hovering, in formats that can */
    const char *group;  /* what it is shown and hidden with, in formats that can: "L1"; NULL: with nothing */
    const char *aside;  /* more to tell there, after its name and a tab: "weakest\tstore, 90 GB/s" */
    const void *source; /* what it shows, for whoever made the plot */
};

struct plot_band { /* the area between two curves over the same x */
    size_t count;
    const double *x, *y_low, *y_high;
    struct plot_color color; /* faint: its alpha counts */
    const char *legend;      /* its row in the legend; bands with the same text and colour share one */
    const char *label;       /* beside its right end, as bars have their numbers */
    const char *group;
};

struct plot_mark { /* a vertical or horizontal reference line with a short label */
    bool vertical;
    double at;
    double from, to; /* its extent on the other axis; both 0: all of it */
    struct plot_color color;
    double width; /* in points; 0: 0.9 */
    enum plot_dash dash;
    const char *label;
    const char *group;
};

/* Of equal area at one radius, and told apart without colour. */
enum plot_shape { PLOT_CIRCLE, PLOT_SQUARE, PLOT_DIAMOND, PLOT_TRIANGLE, PLOT_PENTAGON, PLOT_STAR, PLOT_SHAPES };

struct plot_point {
    double x, y;
    double x_q1, x_q3, y_q1, y_q3;     /* the error box, drawn where q1 < q3 */
    double x_min, x_max, y_min, y_max; /* the whiskers, drawn where min < max */
    double radius;                     /* in points; 0: 4.5, or 2.6 when hollow */
    enum plot_shape shape;
    bool hollow; /* an outline */
    bool ghost;  /* where another point could be: its label is small, and it has no row of its own in a terminal */
    struct plot_color color;
    const char *label, *sublabel; /* the sublabel goes below, smaller and grey */
    bool optional;                /* a label without room is left out, instead of moving to the legend */
    bool near;                    /* it stands beside its point or nowhere: no leader, no column of a crowd */
    int priority;
    const char *legend;           /* the row of its group in the legend: "mixed kernels (validation)" */
    const char *legend_of_labels; /* of a ghost: the same where ghosts have room for their labels, "…, and the time" */
    const char *detail;
    const char *group; /* as of lines */
    const void *source;
};

/* A table of cells coloured by their values, in place of axes, lines and points; the axes' titles name its sides. */
struct plot_heat {
    size_t rows, columns;
    const char *const *row_names, *const *column_names; /* the first row is at the bottom */
    const double *values; /* row after row; NaN: not known, drawn hatched; infinite: no such cell, left empty */
    double low, high;     /* of the colour scale */
    int decimals;         /* of values, written where they fit */
    const char *title;    /* of the scale: "flop/cycle" */
    bool marked;          /* one cell is outlined */
    size_t marked_row, marked_column;
};

struct plot_style;

struct plot {
    const char *title, *subtitle;
    size_t note_count;
    const char *const *notes; /* doubts, above the chart, each with a warning sign; the first ones are shown */
    struct plot_axis x, y;
    const char *right_title; /* NULL: no right axis. In pictures, where half of the page's width remains for the plot */
    double right_per_y;      /* the right axis reads y × this: a second reading of the same positions */
    enum plot_unit right_unit;
    size_t band_count, line_count, mark_count, point_count;
    const struct plot_band *bands;
    const struct plot_line *lines;
    const struct plot_mark *marks;
    const struct plot_point *points; /* one outside the axes is not drawn */
    const struct plot_heat *heat;    /* then only this is drawn, with title, notes and footer; NULL: a chart */
    size_t panel_count;
    const struct plot
        *panels;                    /* charts below each other, then only these are drawn, with title, notes and footer;
                                       their      x axes are one where they have the same limits. They are of this plot's style */
    double least_left;              /* of a panel: where its chart begins at least, in points; 0: as its axis needs */
    const char *footer;             /* small print: how it was made */
    const char *caption;            /* more to tell in the description of an SVG: clock and spread; NULL: none */
    const char *reading;            /* what a place on a line of a group says: "{x} flop/B allows {y}flop/s" */
    double lid;                     /* where plots are laid over each other: what is of a group ends at this height */
    const struct plot_style *style; /* how it looks (style.h); NULL: as on a screen */
    double edge; /* of plots laid over each other: a line without group begins where y is x times this; 0: anywhere */
};

#define PLOT_WIDTH  960.0
#define PLOT_HEIGHT 640.0

struct plot_error {
    char text[512];
    bool out_of_memory;
};

/* The endings that plot_write() knows, as people are told. */
#define PLOT_FORMATS ".svg, .pdf, .eps or .png"

/* Draws to a file by its ending (PLOT_FORMATS); written beside it and renamed, so on an error the old
 * file stays. A device or pipe is written to directly. Width and height in points (0: those of the plot's style).
 * Errors: unknown ending, unusable axis or size, cannot write; each says what to do. */
bool plot_write(const struct plot *plot, const char *path, double width, double height, struct plot_error *err);

/* Whether the path's ending is of a format that plot_write() draws. */
bool plot_format_known(const char *path);

/* The same as SVG with real letters, small enough to stand inside of an HTML page; to be freed. Errors: unusable axis
 * or size, out of memory. */
bool plot_svg(const struct plot *plot, double width, double height, char **svg, struct plot_error *err);

#endif
