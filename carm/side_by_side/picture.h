/* SPDX-License-Identifier: BSD-3-Clause
 * What pictures of comparisons share: which roofs they show of the sides, colours, titles, and the plot with what it
 * borrows. */
#ifndef CARM_PICTURE_H
#define CARM_PICTURE_H

#include "carm/compare/compare.h"
#include "carm/marks/chart_parts.h"

struct picture_view {
    unsigned cores; /* roofs of one core, of all (ROOF_ALL_CORES), or of so many; 0: all, where the base has them, but
                       one where all applications that meet are of one thread */
    enum compare_per per;
    const char *type; /* of the ceilings; NULL: "f64" */
};

/* A picture as plain data. What the plot borrows beside the arguments lives in the blocks. */
struct picture {
    struct plot plot;
    void *blocks[3];
    double height; /* that it needs to be readable, in points; 0: any */
};
void picture_free(struct picture *picture);

/* Which of the comparison's headlines a view shows: their key's cores. */
unsigned picture_cores(const struct comparison *comparison, const struct picture_view *view);

/* The headline of this kind and type or level by so many cores; NULL: there is none. */
const struct compare_row *picture_headline(const struct comparison *comparison, enum sample_kind kind, const char *name,
                                           unsigned cores);

/* A colour per side, told apart by colour-blind readers. */
struct plot_color picture_color(size_t side);

/* "Granite Rapids against EPYC 9654 · all cores", with what the values are divided by. */
void picture_title(const struct comparison *comparison, const struct picture_view *view, const char *what, char *out,
                   size_t size);

/* Of the ceilings that the view shows: "f64". */
const char *picture_type(const struct picture_view *view);

#endif
