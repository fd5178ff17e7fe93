/* SPDX-License-Identifier: BSD-3-Clause
 * A chart as plain data in data units, and its drawing: axes, lines, bands, points, labels. It knows nothing of
 * CPUs. A member that is zero means its default or "none". Everything is borrowed during the call. Bytes that are
 * not UTF-8 are drawn as "?". */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum plot_scale { PLOT_LINEAR, PLOT_LOG10, PLOT_LOG2 };
enum plot_unit {                     /* format of tick labels; values are always in base units */
                 PLOT_UNIT_NONE,     /* 1, 10, 0.1 */
                 PLOT_UNIT_FRACTION, /* 1/4, 1/2, 1, 2, for log2 axes */
                 PLOT_UNIT_SI,       /* 1 k, 20 M, 3 G */
                 PLOT_UNIT_BINARY,   /* bytes: 4 KiB, 2 MiB */
                 PLOT_UNIT_SECONDS,  /* 5 ns, 2 µs */
                 PLOT_UNIT_COUNT,    /* 1, 2, 1024: whole numbers only */
                 PLOT_UNIT_POWER,    /* powers of two, for log2 axes: 2⁵, 2¹⁰ */
};

struct plot_axis {
    const char *title; /* "Performance [Gflop/s]" */
    enum plot_scale scale;
    enum plot_unit unit;
    double min, max;   /* in base units; min < max; above 0 on logarithmic axes */
    double divisor;    /* tick labels show value / divisor: 1e9 if the title says "Gflop/s" */
    size_t name_count; /* for a linear axis: name i replaces the number i. Names have less than 64 bytes; some are left
                          out without room */
    const char *const *names;
};

struct plot_color {
    double r, g, b, a;
};

enum plot_dash { PLOT_SOLID, PLOT_DASHED, PLOT_DOTTED, PLOT_DASH_DOTTED };

enum plot_label_place {
    PLOT_LABEL_ALONG,  /* along a straight piece of the line */
    PLOT_LABEL_END,    /* beside the line's right end */
    PLOT_LABEL_LEGEND, /* in the legend below the chart */
};

/* A label without room moves to the legend: the lowest `priority` first, of equal ones the later. */
struct plot_line {
    size_t count;        /* of vertices */
    const double *x, *y; /* NaN breaks the line */
    struct plot_color color;
    double width; /* in points; 0: 1.2. From 2 on the label is bold */
    enum plot_dash dash;
    bool markers;               /* small rings at the vertices */
    bool arrow;                 /* an arrowhead near its last vertex, clear of a point there */
    bool clear;                 /* no label covers it */
    const char *label;          /* "L1  2LD1ST" */
    const char *short_label;    /* "L1": replaces the label without room; NULL: none */
    const char *sublabel;       /* "652 GB/s · 193 B/cycle": follows the label */
    const char *short_sublabel; /* "652 GB/s": replaces the sublabel without room; NULL: none */
    enum plot_label_place label_place;
    int priority;
    const char *detail; /* longer text for hovering, if the format has that */
    const char *group;  /* name of the group that it is shown and hidden with, if the format can: "L1"; NULL: none */
    const char *aside;  /* more text for a page, as a name, a tab and a value: "weakest\tstore, 90 GB/s" */
    const void *source; /* the data behind it, for the plot's maker */
};

struct plot_band { /* the area between two curves with the same x */
    size_t count;
    const double *x, *y_low, *y_high;
    struct plot_color color; /* with a low alpha */
    const char *legend;      /* its row in the legend; bands with equal text and colour share one */
    bool remark;             /* its legend explains, and names nothing: a caption holds it, if there is one */
    const char *label;       /* the number of a bar, beside its end at the last x */
    const char *group;
};

struct plot_mark { /* a vertical or horizontal reference line with a short label */
    bool vertical;
    double at;
    double from, to; /* its extent on the other axis; both 0: the whole axis */
    struct plot_color color;
    double width; /* in points; 0: 0.9 */
    enum plot_dash dash;
    const char *label;
    bool remark; /* a caption holds it, if there is one */
    const char *group;
};

/* Shapes have equal area at one radius, and are distinct without colour. */
enum plot_shape { PLOT_CIRCLE, PLOT_SQUARE, PLOT_DIAMOND, PLOT_TRIANGLE, PLOT_PENTAGON, PLOT_STAR, PLOT_SHAPES };

struct plot_point {
    double x, y;
    double x_q1, x_q3, y_q1, y_q3;     /* the error box, drawn if q1 < q3 */
    double x_min, x_max, y_min, y_max; /* the whiskers, drawn if min < max */
    double radius;                     /* in points; 0: 4.5, or 2.6 when hollow */
    enum plot_shape shape;
    bool hollow; /* drawn as an outline */
    bool ghost;  /* a possible place of another point: its label is small, and it has no row in a terminal */
    struct plot_color color;
    const char *label, *sublabel; /* the sublabel is below, smaller and grey */
    bool optional;                /* a label without room is left out instead of moving to the legend */
    bool numbered; /* one of many: the label is in the legend, or in a caption, by the number beside the point */
    bool near;     /* the label is beside its point or left out: no leader, no column of a crowd */
    int priority;
    const char *legend;           /* its group's row in the legend: "mixed kernels (validation)" */
    const char *legend_of_labels; /* of a ghost: that row if some ghosts have labels: "…, and the time" */
    const char *detail;
    const char *group; /* as in lines */
    const void *source;
};

/* A table of cells coloured by their values, instead of axes, lines and points. The axes' titles name its sides. */
struct plot_heat {
    size_t rows, columns;
    const char *const *row_names, *const *column_names; /* the first row is at the bottom */
    const double *values; /* row after row; NaN: unknown, drawn hatched; infinite: no such cell, left empty */
    double low, high;     /* of the colour scale */
    int decimals;         /* decimals of values, fewer or none without room; without room no values are written */
    const char *title;    /* of the scale: "flop/cycle" */
    bool marked;          /* one cell is outlined */
    size_t marked_row, marked_column;
};

struct plot_style;

struct plot {
    const char *title, *subtitle;
    bool untitled; /* the title is in an SVG's description only */
    size_t note_count;
    const char *const *notes; /* warnings above the chart, each with a sign; the first ones are shown */
    struct plot_axis x, y;
    const char *right_title; /* NULL: no right axis. Drawn if half of the page's width remains for the plot */
    double right_per_y;      /* the right axis shows y × this: another unit for the same positions */
    enum plot_unit right_unit;
    size_t band_count, line_count, mark_count, point_count;
    const struct plot_band *bands;
    const struct plot_line *lines;
    const struct plot_mark *marks;
    const struct plot_point *points; /* points outside the axes are not drawn */
    bool *numbered; /* receives for each point whether a number replaces its label, 1 for the first; NULL: unused */
    const struct plot_heat *heat; /* drawn instead of a chart, with title, notes and footer; NULL: a chart */
    size_t panel_count;
    const struct plot *panels; /* charts below each other, drawn instead of a chart, with title, notes and footer, in
                                  this plot's style; x axes are aligned if they have the same limits */
    double least_left; /* of a panel: least distance of its chart from the left edge, in points; 0: as its axis needs */
    const char *footer;             /* small print: how the picture was made */
    const char *caption;            /* more text for the description of an SVG: clock and spread; NULL: none */
    const char *reading;            /* text for a place on a line of a group: "{x} flop/B allows {y}flop/s" */
    double lid;                     /* for plots over each other: lines of groups end at this height */
    const struct plot_style *style; /* its style (style.h); NULL: for a screen */
    double rows_height;             /* for the plot's maker: of all rows of names, in points of a screen; 0: any */
    double edge; /* for plots over each other: a line without group begins where y is x times this; 0: anywhere */
};

#define PLOT_WIDTH           960.0 /* in points, of which there are 72 to an inch */
#define PLOT_HEIGHT          640.0
#define PLOT_POINTS_PER_INCH 72.0

struct plot_error {
    char text[512];
    bool out_of_memory;
};

/* The endings that plot_write() accepts, as shown to users. */
#define PLOT_FORMATS ".svg, .pdf, .eps or .png"

/* Draws to a file in the format of its ending (PLOT_FORMATS). Writes beside it and renames, so on an error the old
 * file remains; writes directly to a device or pipe. Width and height in points; 0: those of the plot's style.
 * Errors: unknown ending, unusable axis or size, cannot write; each message has a remedy. */
bool plot_write(const struct plot *plot, const char *path, double width, double height, struct plot_error *err);

/* Whether plot_write() can draw the format of the path's ending. */
bool plot_format_known(const char *path);

/* Why this build cannot draw this format; NULL: it can. */
const char *plot_refusal(const char *path);

/* The same as SVG with text as text, small enough for an HTML page; to be freed. Errors: unusable axis or size, out
 * of memory. */
bool plot_svg(const struct plot *plot, double width, double height, char **svg, struct plot_error *err);
