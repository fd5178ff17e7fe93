/* SPDX-License-Identifier: BSD-3-Clause
 * Comparisons as pictures: the rooflines of some machines over each other, and the ratios as bars or, of many machines,
 * as strips. */
#ifndef CARM_CHART_COMPARE_H
#define CARM_CHART_COMPARE_H

#include "chart.h"
#include "carm/tables/compare_report.h"

struct picture_view {
    unsigned cores; /* roofs of one core, of all (ROOF_ALL_CORES), or of so many; 0: all, where the base has them, but
                       one where all applications that meet are of one thread */
    enum compare_per per;
    const char *type; /* of the ceilings; NULL: "f64" */
};

/* At most COMPARE_COLUMNS sides. Error: none of them has a ceiling of the view, or the file cannot be written. */
bool chart_overlay(const struct comparison *comparison, const struct picture_view *view,
                   const struct chart_options *options, const char *path, struct error *err);

/* Any number of sides from two on. */
bool chart_ratios(const struct comparison *comparison, const struct picture_view *view,
                  const struct chart_options *options, const char *path, struct error *err);

/* The plain data behind them. What the plot borrows beside the arguments lives in the blocks. */
struct picture {
    struct plot plot;
    void *blocks[3];
    double height; /* that it needs to be readable, in points; 0: any */
};
void picture_free(struct picture *picture);
bool overlay_make(const struct comparison *comparison, const struct picture_view *view, struct picture *out,
                  struct error *err);
bool ratios_make(const struct comparison *comparison, const struct picture_view *view, struct picture *out,
                 struct error *err);

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

#endif
