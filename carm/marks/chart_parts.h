/* SPDX-License-Identifier: BSD-3-Clause
 * What all charts have in common: the options of a chart, where the picture goes, the colours of levels, the names of
 * roofs, the marks of caches, the notes above. */
#ifndef CARM_CHART_PARTS_H
#define CARM_CHART_PARTS_H

#include <stdbool.h>

#include "probe/error.h"
#include "render/page/plot.h"
#include "render/term/term.h"
#include "carm/model/model.h"

/* Of which implementations of one workload: where there are two, of all, of none. */
enum chart_join { JOIN_PAIRS, JOIN_ALL, JOIN_NONE };

struct chart_options {
    unsigned threads;               /* 0: those of the newest application, else the most that were measured */
    unsigned package, node;         /* roofs of a part of the machine: 1 + its number; 0: of no part */
    const struct model_view *place; /* exactly this one, in place of threads, package and node; NULL: by those */
    const char *type;               /* of the ceilings; NULL: likewise, else "f64" */
    const char *isa;                /* NULL: the best of all */
    const char *op;                 /* the pattern of the levels' roofs; NULL: the best */
    bool random;                    /* in the roofline: the bandwidth of independent random lines too */
    const char *const
        *points; /* of these names, or of programs or series of these names; NULL at the end, or for all */
    bool no_points;
    bool dram;            /* in the roofline, and of intensity against size: at flop per DRAM byte too */
    const char *of;       /* of charts that can show several things: "core", "dram", "time"; NULL: what fits */
    bool page;            /* to be looked into: more points, and nothing of those that other options show */
    bool per_cycle;       /* rates are per cycle, by each roof's and point's clock */
    bool per_core;        /* and then, of one core of those that work together */
    bool pseudo_flop;     /* in place of flop, where a workload has them */
    bool working_set;     /* against the size of the data in bytes, instead of that of the problem */
    enum chart_join join; /* dashed lines between equal sizes */
    double width, height; /* in points; 0: the default */
    char **svg;           /* where set, the picture goes there as SVG text, to be freed, and into no file */
    const struct plot_terminal *terminal; /* where set, it goes to `*text`, to be freed, as a terminal shows it */
    char **text;
    void (*take)(const struct plot *plot, void *taker); /* where set, it is given the chart's data; nothing is drawn */
    void *taker;
};

/* Into the file, or where the options say. */
bool chart_write(const struct plot *plot, const struct chart_options *options, const char *path, struct error *err);

/* The colour of a memory level by its place from the core: L1 0, L2 1, … the memory last. */
struct plot_color chart_level_color(const struct levels *levels, unsigned index);

/* "AVX-512 FMA" of a compute roof, "2LD1ST" of a memory roof: as people write it, not as files do. */
void chart_label(const struct roof *roof, char *out, size_t size);

/* Where caches end, on an axis of bytes: as detected, and where a sweep found something else. Returns how many. */
enum { CHART_MOST_MARKS = 2 * MACHINE_MAX_CACHES, CHART_MARK_BYTES = 64 };
size_t chart_cache_marks(const struct levels *levels, struct plot_mark *marks, char (*labels)[CHART_MARK_BYTES]);

/* The notes above every chart: levels that are not where detected, a masked CPU, the doubts of `samples`. `store` holds
 * the texts; returns how many. */
enum { CHART_MAX_NOTES = 8, CHART_NOTE_BYTES = 320 };
size_t chart_notes(const struct result *result, const struct sample *const *samples, size_t count,
                   char (*store)[CHART_NOTE_BYTES], const char **notes);

#endif
