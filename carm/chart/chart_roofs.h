/* SPDX-License-Identifier: BSD-3-Clause
 * The lines of a roofline: a roof with its band for each level, the ceilings of each ISA, the ridge points, and
 * validation points as small rings. */
#pragma once

#include "chart_parts.h"

#include "render/page/plot.h"

enum {
    ROOFS_MAX_CEILINGS = 11, /* most compute roofs drawn */
    ROOFS_MAX_LEVELS = MACHINE_MAX_LEVELS,
    ROOFS_MAX_LINES = 3 * ROOFS_MAX_LEVELS + 1 + ROOFS_MAX_CEILINGS,
    ROOFS_MAX_BANDS = ROOFS_MAX_LEVELS + ROOFS_MAX_LINES,
    ROOFS_LABEL_BYTES = 160
};

/* The roofs of one roofline, with the texts and numbers that its lines, bands and marks borrow. The caller sets the
 * members up to all_levels, the functions below set the others. Roofs of several numbers of threads in one picture
 * are a list, the most threads first; the first roofs have the axes. */
struct roofs {
    const struct model *model;
    struct model_view view;          /* threads, type and part of the machine whose roofs are drawn */
    enum chart_bytes bytes;          /* bytes of the intensity; by DRAM bytes only memory has roofs */
    bool documented;                 /* also draws documented limits */
    bool all_ceilings;               /* draws all ceilings instead of the three that decide */
    bool per_cycle;                  /* rates are per cycle instead of per second */
    unsigned shared_by;              /* rates are divided by this number of cores; 0: rates of all cores together */
    struct roofs *fewer;             /* roofs of fewer threads in the same picture; NULL: none */
    unsigned behind;                 /* number of roofs with more threads: thinner lines, no bands and ridges */
    bool several;                    /* the picture has several numbers of threads, so labels show them */
    const struct levels *all_levels; /* the levels that the view's cores use, with all kinds of memory */

    const struct roof *peak, *highest;               /* the bold ceiling, as vendors count; and the highest one */
    size_t level_count, ceiling_count, random_count; /* entries used of levels, ceilings and random */
    struct model_level levels[ROOFS_MAX_LEVELS];     /* the roof and the floor of each level */
    unsigned level_index[ROOFS_MAX_LEVELS];          /* the place of levels[i] in all_levels */
    const struct roof *ceilings[ROOFS_MAX_CEILINGS]; /* the compute roofs, the highest first */
    struct model_level random[ROOFS_MAX_LEVELS]; /* bandwidths of independent accesses to random lines, if requested */
    unsigned random_index[ROOFS_MAX_LEVELS];     /* the place of random[i] in all_levels */
    char untried[80]; /* "update, axpy": best patterns of some levels with another ISA that were not measured with the
                         view's */
    struct plot_axis x, y; /* flop/byte, and flop/s or flop/cycle */

    size_t line_count, band_count;               /* entries used of lines and bands */
    bool has_interval, has_floor;                /* some bands show the interval of a line, or reach to its floor */
    struct plot_line lines[ROOFS_MAX_LINES];     /* roofs, ceilings and random lines */
    struct plot_band bands[ROOFS_MAX_BANDS];     /* from each level's floor to its roof, and around uncertain lines */
    struct plot_mark marks[ROOFS_MAX_LEVELS];    /* the ridge points, level_count of them */
    const struct sample *drawn[ROOFS_MAX_LINES]; /* the samples behind the lines, line_count of them, in any order */
    double line_x[ROOFS_MAX_LINES][2], line_y[ROOFS_MAX_LINES][2];
    double band_x[ROOFS_MAX_BANDS][3], band_low[ROOFS_MAX_BANDS][3], band_high[ROOFS_MAX_BANDS][3];
    char labels[ROOFS_MAX_LINES][ROOFS_LABEL_BYTES], sublabels[ROOFS_MAX_LINES][ROOFS_LABEL_BYTES],
        short_sublabels[ROOFS_MAX_LINES][ROOFS_LABEL_BYTES];
    char asides[ROOFS_MAX_LEVELS][2 * ROOFS_LABEL_BYTES], reading[64];
    char ridges[ROOFS_MAX_LEVELS][32], x_title[128], y_title[64];
};

/* The rate of a sample in this picture, in bytes or flop: per second or per cycle, of all cores or divided by
 * shared_by. 0: per cycle, but the clock is unknown. */
double roofs_rate(const struct roofs *roofs, const struct sample *sample);

/* The slope of a memory roof, y / x in the units of the axes: its rate in bytes of the picture's kind. */
double roofs_slope(const struct roofs *roofs, const struct roof *roof);

/* The slope of the roof of the outermost level, y / x in the units of the axes; 0: no level is drawn. */
double roofs_edge(const struct roofs *roofs);

/* Finds the view's roofs and chooses axes that show them. Before, the caller sets the members up to all_levels and
 * checks that the view has a ceiling of its type, with a known clock if rates are per cycle. */
void roofs_find(struct roofs *roofs, const struct chart_options *options);

/* Writes the titles of the axes. `traffic_source`, such as "simulated", is the source of the DRAM bytes in the x
 * axis' title; NULL: not shown. */
void roofs_write_titles(struct roofs *roofs, const char *traffic_source);

/* Joins roofs of several numbers of threads, after roofs_find() of each: the first axes then hold them all. Removes
 * ceilings of fewer threads that lie on those of more, except the peak. */
void roofs_join(struct roofs *first);

/* Makes the lines, bands and marks, from edge to edge of the axes, which the caller may have widened after
 * roofs_find(). */
void roofs_draw(struct roofs *roofs);

/* The width of a line, in points: roofs of fewer threads are thinner. */
#define ROOFS_BOLD 2.4
double roofs_width(const struct roofs *roofs, double usual);

/* "2 threads" */
enum { ROOFS_THREADS_BYTES = 24 };
const char *roofs_threads(const struct roofs *roofs, char out[ROOFS_THREADS_BYTES]);

enum { CHART_MAX_RINGS = 512 };

/* Writes a small ring, in the colour of its level, for each validation point with the threads, core kind, ISA and
 * type of the view. Widens the roofs' axes so that they hold the rings. `rings` has room for CHART_MAX_RINGS;
 * further rings are left out. Returns the number of rings. */
size_t chart_validation(struct roofs *roofs, struct plot_point *rings);
