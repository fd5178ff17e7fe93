/* SPDX-License-Identifier: BSD-3-Clause
 * The lines of a roofline: each level a roof with its band, each ISA's ceilings, the ridge points. */
#ifndef CARM_CHART_ROOFS_H
#define CARM_CHART_ROOFS_H

#include "render/page/plot.h"
#include "chart_values.h"

enum {
    ROOFS_MOST_CEILINGS = 11,
    ROOFS_MOST_LEVELS = MACHINE_MAX_CACHES + 1,
    ROOFS_MOST_LINES = 2 * ROOFS_MOST_LEVELS + ROOFS_MOST_CEILINGS,
    ROOFS_MOST_BANDS = ROOFS_MOST_LEVELS + ROOFS_MOST_LINES,
    ROOFS_LABEL_BYTES = 160
};

/* The data behind one picture; what its lines, bands and marks borrow lives here, too. */
struct roofs {
    const struct model *model;
    struct model_view view;
    enum chart_bytes bytes; /* of the intensity: what the roofs are by; of DRAM bytes there are memory's roofs alone */
    bool per_cycle;
    unsigned shared_by;              /* all rates are of one of so many cores; 0: of all of them */
    const struct levels *all_levels; /* that the view has, with memory of other kinds */
    const struct roof *peak;
    size_t level_count, ceiling_count, random_count;
    struct model_level levels[ROOFS_MOST_LEVELS];
    unsigned level_index[ROOFS_MOST_LEVELS];
    const struct roof *ceilings[ROOFS_MOST_CEILINGS];
    struct model_level random[ROOFS_MOST_LEVELS]; /* independent random lines, where asked for */
    unsigned random_index[ROOFS_MOST_LEVELS];
    struct plot_axis x, y;

    size_t line_count, band_count;
    bool has_interval; /* among the bands */
    struct plot_line lines[ROOFS_MOST_LINES];
    struct plot_band bands[ROOFS_MOST_BANDS];     /* a level's from floor to roof, and around uncertain lines */
    struct plot_mark marks[ROOFS_MOST_LEVELS];    /* level_count of them */
    const struct sample *drawn[ROOFS_MOST_LINES]; /* line_count of them, in any order */
    double line_x[ROOFS_MOST_LINES][2], line_y[ROOFS_MOST_LINES][2];
    double band_x[ROOFS_MOST_BANDS][3], band_low[ROOFS_MOST_BANDS][3], band_high[ROOFS_MOST_BANDS][3];
    char labels[ROOFS_MOST_LINES][ROOFS_LABEL_BYTES], sublabels[ROOFS_MOST_LINES][ROOFS_LABEL_BYTES];
    char asides[ROOFS_MOST_LEVELS][2 * ROOFS_LABEL_BYTES], reading[64];
    char ridges[ROOFS_MOST_LEVELS][32], x_title[128], y_title[64];
};

/* What a sample's rate is in this picture: per second or cycle, of all cores or of one. */
double roofs_rate(const struct roofs *roofs, const struct sample *sample);

/* How the outermost roof rises: y over x; 0 where there is none. */
double roofs_edge(const struct roofs *roofs);

/* Finds what the view holds, and axes that show it. Model, view (of whose type there is a ceiling, of a known clock
 * where it is per cycle), bytes, per_cycle and all_levels are set. */
void roofs_find(struct roofs *roofs, const struct chart_options *options);

/* Says of DRAM bytes on the x axis how they are known ("simulated"); NULL: nothing. */
void roofs_write_titles(struct roofs *roofs, const char *traffic_source);

/* Makes the lines, for axes that may have been widened meanwhile. */
void roofs_draw(struct roofs *roofs);

#endif
