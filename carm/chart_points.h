/* SPDX-License-Identifier: BSD-3-Clause
 * Applications as points of a roofline: which of a result's points belong below the roofs that are drawn, where they
 * are, what their verdict is in short, and what there is to note about them. */
#ifndef CARM_CHART_POINTS_H
#define CARM_CHART_POINTS_H

#include "chart_roofs.h"

enum { POINTS_MOST = 64, POINTS_MOST_NOTES = 12, POINTS_LABEL_BYTES = 144 };

struct points {
    size_t count, outline_count, note_count;
    struct plot_point points[POINTS_MOST];
    struct plot_point outlines[POINTS_MOST]; /* at the flop per DRAM byte, where asked for */
    struct plot_line links[POINTS_MOST];     /* from a point to its outline */
    const char *traffic_source;              /* of DRAM bytes that are drawn: "simulated"; NULL: there are none */
    const char *notes[POINTS_MOST_NOTES];
    double link_x[POINTS_MOST][2], link_y[POINTS_MOST][2];
    char labels[POINTS_MOST][POINTS_LABEL_BYTES], sublabels[POINTS_MOST][48], legends[POINTS_MOST][96];
    char outline_legend[96];
    char note_text[POINTS_MOST_NOTES][CHART_NOTE_BYTES];
};

/* The view that the points belong to: that of the newest measurement, of its points the one with most threads, and of
 * those the one with the largest share of time. False when there are none that the options choose. */
bool points_view(const struct model *model, const struct chart_options *options, struct model_view *out);

/* The point's error box and whiskers: over flop per byte of the core, or of the memory. */
void points_spread(struct plot_point *out, const struct app_point *point, bool traffic);

/* Fills `out` for roofs that were found, and widens their axes to hold the points. Error: out of memory. */
bool points_find(struct roofs *roofs, const struct chart_options *options, struct points *out, struct error *err);

#endif
