/* SPDX-License-Identifier: BSD-3-Clause
 * Applications in a roofline of links: each is a row of marks at what it does per second, one for each link between the
 * core, caches and memory, at the work per byte of that link. The link that binds it is filled, and joined to its own
 * roof. What counts as work, flop or instructions, is the chart's choice. */
#ifndef CARM_CHART_CHART_LINK_ROWS_H
#define CARM_CHART_CHART_LINK_ROWS_H

#include "chart_points.h"

#include "carm/model/link_times.h"

enum {
    LINK_ROWS_MAX = 12,
    LINK_ROWS_CEILINGS = 2,
    LINK_ROWS_LABEL_BYTES = 128,
    LINK_ROWS_MAX_MARKS = LINK_ROWS_MAX * POINT_LINKS_MAX,
    LINK_ROWS_MAX_LINES = 2 * LINK_ROWS_MAX + POINT_LINKS_MAX + LINK_ROWS_CEILINGS,
};

/* One application, and what is known of its links. The chart fills it. */
struct link_row {
    const struct app_point *point;
    struct link_times times; /* where nothing was simulated, of one link: what the core asks for */
    double work, per_s;      /* of one run, and per second */
    int longest;             /* what binds it: a link, LINK_TIMES_CEILING or LINK_TIMES_NONE */
    double ratio;            /* of what it does to what that allows; 0: not known */
    char sublabel[LINK_ROWS_LABEL_BYTES], detail[POINTS_DETAIL_BYTES];
};

/* What a link was measured to move of such traffic as the applications have; without any, its level's best pattern. */
struct link_band {
    char name[24], label[LINK_ROWS_LABEL_BYTES];
    double low, high; /* bytes/s; 0: not known */
    struct plot_color color;
    double x[3], y[3], y_low[3];
};

/* A horizontal line. */
struct link_ceiling {
    double value; /* work per second */
    enum plot_dash dash;
    char label[LINK_ROWS_LABEL_BYTES];
    double x[2], y[2];
};

struct link_rows_text {
    const char *x_title, *y_title;
    const char *footer;
    double divisor; /* of the y axis */
};

/* The chart sets what stands above the line, the rest is made by link_rows_write(). */
struct link_rows {
    const struct model *model;
    struct model_view view;
    size_t row_count, left_out, ceiling_count; /* left_out: rows that had no room */
    struct link_row rows[LINK_ROWS_MAX];
    struct link_ceiling ceilings[LINK_ROWS_CEILINGS]; /* roofs end at the first one */
    struct cycle_axis right;                          /* no title: none */
    char title[256];
    /* ---- */
    struct levels levels;
    unsigned links;
    bool told[POINT_LINKS_MAX]; /* in the legend */
    struct link_band bands[POINT_LINKS_MAX];
    struct plot_axis x, y;
    size_t line_count, point_count, band_count;
    struct plot_line lines[LINK_ROWS_MAX_LINES];
    struct plot_band plot_bands[POINT_LINKS_MAX];
    struct plot_point points[LINK_ROWS_MAX_MARKS];
    double row_x[LINK_ROWS_MAX][2], row_y[LINK_ROWS_MAX][2], stem_x[LINK_ROWS_MAX][2], stem_y[LINK_ROWS_MAX][2];
    char subtitle[512], note[128];
};

/* An empty row at the end; NULL where there is no room, which is counted. */
struct link_row *link_rows_add(struct link_rows *rows);

/* Draws what the chart has set: at least one row and one ceiling. Error: as chart_write(). */
bool link_rows_write(struct link_rows *rows, const struct link_rows_text *text, const struct chart_options *options,
                     const char *path, struct error *err);

#endif
