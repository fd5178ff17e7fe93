/* SPDX-License-Identifier: BSD-3-Clause
 * Applications as points of a roofline: which of a result's points belong below the roofs that are drawn, where they
 * are, what their verdict is in short, the lines that join series, and what there is to note about them. */
#ifndef CARM_CHART_POINTS_H
#define CARM_CHART_POINTS_H

#include "chart_roofs.h"

enum {
    POINTS_MOST = 512,       /* on a page that is looked into */
    POINTS_MOST_DRAWN = 256, /* in a picture */
    POINTS_MOST_ALONE = 64,  /* of no series: each has a label */
    POINTS_MOST_NOTES = 12,
    POINTS_LABEL_BYTES = 144,
    POINTS_DETAIL_BYTES = 1024,
    POINTS_MOST_LINES = 3 * POINTS_MOST,   /* to outlines, of series, and between equal sizes */
    POINTS_MOST_CORNERS = 4 * POINTS_MOST, /* of those */
};

/* Above the picture, each one line about several points. */
struct notes {
    size_t count;
    const char *list[POINTS_MOST_NOTES];
    char text[POINTS_MOST_NOTES][CHART_NOTE_BYTES];
};

struct points {
    size_t count, outline_count, line_count, corner_count;
    struct plot_point points[POINTS_MOST];
    struct plot_point outlines[POINTS_MOST]; /* at the flop per DRAM byte, where asked for */
    struct plot_line lines[POINTS_MOST_LINES];
    const char *traffic_source; /* of DRAM bytes that are drawn: "simulated"; NULL: there are none */
    bool clocks_assumed;        /* per cycle: of roofs, where points do not know their own */
    struct notes notes;
    double corner_x[POINTS_MOST_CORNERS], corner_y[POINTS_MOST_CORNERS];
    char labels[POINTS_MOST][POINTS_LABEL_BYTES], sublabels[POINTS_MOST][104], legends[POINTS_MOST][POINTS_LABEL_BYTES];
    char details[POINTS_MOST][POINTS_DETAIL_BYTES]; /* the verdict in words, and the command line */
    char outline_legend[96];
};

/* The view that the points belong to: that of the newest measurement, of its points the one with most threads, and of
 * those the one with the largest share of time. False when there are none that the options choose. */
bool points_view(const struct model *model, const struct chart_options *options, struct model_view *out);

/* Whether the options choose it, by its name or its program's or series'. */
bool points_chosen(const struct app_point *point, const struct chart_options *options);

/* Fills `out` for roofs that were found, and widens their axes to hold the points. */
void points_find(struct roofs *roofs, const struct chart_options *options, struct points *out);

/* Begins a line; and adds a corner to the line that was begun last. */
void points_line(struct points *out, const struct plot_line *look);
void points_corner(struct points *out, double x, double y);

#endif
