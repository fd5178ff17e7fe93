/* SPDX-License-Identifier: BSD-3-Clause
 * What pictures of comparisons share: which roofs of the sides they show, colours, titles, strips of dots, and the
 * plot with the memory that it borrows from. */
#ifndef CARM_CHART_PICTURE_H
#define CARM_CHART_PICTURE_H

#include "chart_parts.h"

#include "carm/compare/compare.h"
#include "render/page/plot.h"

/* What a picture shows of a comparison. */
struct picture_view {
    /* Roofs of one core (1), of all cores (ROOF_ALL_CORES), or of this number. 0: of all cores where the base has such
     * roofs, but of one core where every application that several sides have is of one thread. */
    unsigned cores;
    enum compare_per per; /* what rates are divided by */
    const char *type;     /* element type of the ceilings; NULL: "f64" */
};

/* A picture as plain data. The plot borrows from what it was made of and from the blocks. */
struct picture {
    struct plot plot;
    void *blocks[3]; /* allocated; NULL: none */
    double height;   /* the height that it needs to be readable, in points of a screen; up to PLOT_HEIGHT any
                      * is enough */
};

/* The height that it needs in the style of the options, in points; 0: that of the style. */
double picture_height(const struct picture *picture, const struct chart_options *options);

/* Draws it into a file as chart_write() does, at this height unless the options say one (0: that of their style), and
 * frees the blocks. Errors: as of chart_write(). */
bool picture_write(struct picture *picture, double height, const struct chart_options *options, const char *path,
                   struct error *err);

/* Frees the blocks. */
void picture_free(struct picture *picture);

/* The number of cores (roof_key.cores) of the headlines that the view shows of this comparison. */
unsigned picture_cores(const struct comparison *comparison, const struct picture_view *view);

/* The headline of this kind by this number of cores; `name` is the element type of a ceiling ("f64"), the level of a
 * bandwidth or latency ("L1"). NULL: there is none. */
const struct compare_row *picture_headline(const struct comparison *comparison, enum sample_kind kind, const char *name,
                                           unsigned cores);

/* The colour of a side: colour-blind readers can tell it from the others, and so can readers on grey paper. */
struct plot_color picture_color(size_t side);

/* Writes a title: the machines, what is shown of them, the cores, and what the values are divided by, as in "Granite
 * Rapids and EPYC 9654 · rooflines · all cores · per cycle and core". Cut to `size` bytes. */
void picture_title(const struct comparison *comparison, const struct picture_view *view, const char *what, char *out,
                   size_t size);

/* The element type of the ceilings that the view shows: "f64". */
const char *picture_type(const struct picture_view *view);

/* Strips: a row per quantity, and on it a dot per machine at its ratio; what stands apart is named. */
enum { STRIPS_MAX_DOTS = 150 }; /* dots drawn of each row; where there are more, every n-th by rank */

/* One machine in a row. */
struct strip_dot {
    double value;      /* a ratio to 1, or a difference from 0 (strips_text.difference) */
    bool apart;        /* stands apart: always drawn, in red; else one of many */
    const char *label; /* names one that stands apart; NULL: it has no name */
    bool several;      /* the label is about others too, and finds room after those of single ones */
};

/* A row, with one dot per machine in any order. */
struct strip {
    const char *name; /* stands left of the row: "L1" */
    size_t count;
    const struct strip_dot *dots;
};

struct strips_text {
    const char *title, *subtitle, *axis, *footer; /* `axis` is the title of the x axis */
    double shown_per_value;                       /* the axis shows each value times this: 100 where it is in percent */
    bool difference;                              /* values are differences from 0 instead of ratios to 1 */
};

/* Makes the plot of `count` rows, the first of which is the uppermost. The plot borrows from the arguments and from
 * `*store`, which the caller frees afterwards. False, with nothing to free, when there is no memory or no dot. */
bool strips_plot(const struct strip *strips, size_t count, const struct strips_text *text, struct plot *plot,
                 void **store);

#endif
