/* SPDX-License-Identifier: BSD-3-Clause
 * What pictures of comparisons share: which roofs of the sides they show, colours, titles, strips of dots, and the
 * plot with the memory that it borrows from. */
#pragma once

#include "chart_parts.h"

#include "carm/compare/compare.h"
#include "render/page/plot.h"

/* The choices of a picture of a comparison. */
struct picture_view {
    /* Roofs of one core (1), of all cores (ROOF_ALL_CORES), or of this number. 0: of all cores if the base has such
     * roofs, but of one core if all applications that several sides have use one thread. */
    unsigned cores;
    enum compare_per per;        /* the divisor of rates */
    const char *type;            /* element type of the ceilings; NULL: "f64" */
    const struct limits *limits; /* as far as lines lead at least; NULL: to the ends of their axes */
};

/* A picture as plain data. The plot borrows from its inputs and from the blocks. */
struct picture {
    struct plot plot;
    void *blocks[4]; /* allocated; NULL: none. strips_plot() sets the last one */
};

enum { PICTURE_STRIPS = 3 };

/* The width of the options' page, in points of a screen. */
double picture_width(const struct chart_options *options);

/* Draws it as chart_write() does, and frees the blocks. Errors: as of chart_write(). */
bool picture_write(struct picture *picture, const struct chart_options *options, const char *path, struct error *err);

/* Frees the blocks. */
void picture_free(struct picture *picture);

/* The number of cores (roof_key.cores) of the headlines in this view of the comparison. */
unsigned picture_cores(const struct comparison *comparison, const struct picture_view *view);

/* The headline of this kind and number of cores. `name` is the element type of a ceiling ("f64") or the level of a
 * bandwidth or latency ("L1"). NULL: none. */
const struct compare_row *picture_headline(const struct comparison *comparison, enum sample_kind kind, const char *name,
                                           unsigned cores);

/* The colour of a side. Colour-blind readers and readers of grey prints can distinguish the colours. */
struct plot_color picture_color(size_t side);

/* Writes a title: machines, subject, cores and divisor, such as "Granite Rapids and EPYC 9654 · rooflines · all
 * cores · per cycle and core". Cut to `size` bytes. */
void picture_title(const struct comparison *comparison, const struct picture_view *view, const char *what, char *out,
                   size_t size);

/* The element type of the view's ceilings: "f64". */
const char *picture_type(const struct picture_view *view);

/* Strips: a row per quantity with a dot per machine at its ratio; outliers have labels. */
enum { STRIPS_FEW = 12 };       /* at most so many machines have looks of their own */
enum { STRIPS_MAX_DOTS = 150 }; /* most dots per row; of more, every n-th by rank is drawn */

/* One machine in a row. */
struct strip_dot {
    double value;      /* a ratio to 1, or a difference from 0 (strips_text.difference) */
    bool apart;        /* an outlier: always drawn, in red */
    const char *label; /* name of an outlier, or of one of a few; NULL: none */
    unsigned number;   /* of one of a few: 1 for the first, with a look of its own and a row in the legend */
    bool several;      /* the label also counts others, and gets room after labels of single dots */
};

/* A row, with one dot per machine in any order. */
struct strip {
    const char *name; /* left of the row: "L1" */
    size_t count;
    const struct strip_dot *dots;
};

struct strips_text {
    const char *title, *subtitle, *axis, *footer; /* `axis` is the title of the x axis */
    unsigned few;                                 /* how many machines have looks of their own; 0: none */
    double page_width;                            /* of these few: picture_width() */
    double rule;            /* a line across the picture between rows: above the bottom row if 1; 0: none */
    double shown_per_value; /* the axis shows each value times this: 100 for percent */
    bool difference;        /* values are differences from 0, not ratios to 1 */
};

/* Makes the plot of `count` rows, from top to bottom, and of a few machines its height. The plot borrows from the
 * arguments and from its block. False: there is no dot. */
bool strips_plot(const struct strip *strips, size_t count, const struct strips_text *text, struct picture *out);
