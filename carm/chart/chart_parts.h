/* SPDX-License-Identifier: BSD-3-Clause
 * What charts share: their options, where the picture is written, the colours of levels, the names of roofs, the
 * marks of caches, the notes above, and the values of points and roofs: rates, intensities, spread, per cycle. */
#ifndef CARM_CHART_CHART_PARTS_H
#define CARM_CHART_CHART_PARTS_H

#include <stdbool.h>

#include "carm/model/model.h"
#include "probe/error.h"
#include "render/draw/term.h"
#include "render/page/plot.h"

/* Which points of equal size a roofline joins by dashed lines: those of workloads with just two implementations, those
 * of all workloads, or none. */
enum chart_join { JOIN_PAIRS, JOIN_ALL, JOIN_NONE };

enum { CHART_MAX_FEWER = 2 };

struct chart_options {
    unsigned threads; /* roofs of so many threads; 0: as the newest application has, else the most measured */
    size_t fewer_count;
    unsigned fewer[CHART_MAX_FEWER]; /* rooflines: those of these fewer threads too, falling */
    unsigned package, node;          /* the part of the machine to draw: 1 + its number; 0: not limited to a part */
    const struct model_view *place;  /* draws exactly this view and ignores threads, package and node; NULL: by those */
    const char *type; /* element type of the ceilings; NULL: that of the newest application, else "f64" */
    const char *isa;  /* roofs of this instruction set alone; NULL: the best of all */
    const char *op;   /* access pattern of the levels' roofs, "2ld1st"; NULL: the best of each level */
    bool random;      /* the roofline also shows the bandwidth of independent random lines */
    bool intensities; /* the roofline also has a vertical line at each point's flop per byte */
    bool deviation;   /* the roofline also has bars on its roofs: how far their repetitions lie apart */
    bool documented;  /* the roofline also shows what is documented of its levels and its highest ceiling */
    /* Names of the points to draw, or of their programs or series; a NULL ends the list. NULL: all points. */
    const char *const *points;
    bool no_points;       /* draws no points at all */
    bool dram;            /* rooflines and charts of intensity also show each point at its flop per DRAM byte */
    const char *of;       /* what a chart shows that can show several things: "core", "dram", "time"; NULL: what fits */
    bool page;            /* for a page to look into: more points, and no notes on points that other options show */
    bool per_cycle;       /* shows rates per cycle, by the clock of each roof and point, instead of per second */
    bool per_core;        /* with per_cycle: divides rates by the cores that worked together */
    bool pseudo_flop;     /* counts pseudo-flop instead of flop for workloads that have them */
    bool working_set;     /* the x axis of charts by size shows the bytes of the data instead of the problem's size */
    enum chart_join join; /* which points of equal size are joined */
    double width, height; /* of the picture, in points; 0: the style's */
    const struct plot_style *style; /* how the picture looks; NULL: as on a screen */
    const char *title;              /* in place of the chart's own, "": none; NULL: its own */
    bool no_notes;                  /* leaves out the doubts above the chart */
    /* Where the picture goes: to `take` where that is set, else to `terminal`, else to `svg`, else into the file. */
    char **svg;                           /* receives it as SVG text, which the caller frees */
    const struct plot_terminal *terminal; /* draws it for this terminal, into `*text` */
    char **text;                          /* receives the text for `terminal`, which the caller frees */
    /* Receives the chart's data, which lives for the time of the call only, together with `taker`; nothing is drawn. */
    void (*take)(const struct plot *plot, void *taker);
    void *taker; /* handed to `take` */
};

/* Draws the plot into the file at `path`, whose ending says the format, or hands it to where the options say. Error:
 * the file cannot be written, its ending is of no known format, or there is no memory. */
bool chart_write(const struct plot *plot, const struct chart_options *options, const char *path, struct error *err);

/* The colour of a memory level. `index` is its place in `levels`, counted from the core: 0 for L1, the last for memory.
 */
struct plot_color chart_level_color(const struct levels *levels, unsigned index);

/* How its line is dashed: solid, but for a fourth one before memory, whose colour is on grey paper that of others. */
enum plot_dash chart_level_dash(const struct levels *levels, unsigned index);

/* Writes the name of a roof as people write it, not as files do: "AVX-512 FMA" for a compute roof, "2LD1ST" for a
 * memory roof. Cut to `size` bytes. */
void chart_label(const struct roof *roof, char *out, size_t size);

/* Reference lines at the sizes where caches end, for an x axis of bytes: one at the detected size of each cache, and a
 * second one where a sweep found another size. Writes up to CHART_MAX_MARKS marks and the labels that they borrow;
 * returns the number of marks. */
enum { CHART_MAX_MARKS = 2 * MACHINE_MAX_CACHES, CHART_MARK_BYTES = 64 };
size_t chart_cache_marks(const struct levels *levels, struct plot_mark *marks, char (*labels)[CHART_MARK_BYTES]);

/* What a caption tells of these samples: the clock of their cores, how often each was measured, and how far the
 * repetitions lie apart. Cut to `size` bytes; "" where nothing is known. */
void chart_caption(const struct sample *const *samples, size_t count, char *out, size_t size);

/* The notes above every chart: levels that do not end where detected, a masked CPU, and the doubts of the `count`
 * samples that the chart shows. `notes` has room for CHART_MAX_NOTES pointers into `store`, which holds the texts.
 * Returns the number of notes. */
enum { CHART_MAX_NOTES = 8, CHART_NOTE_BYTES = 320 };
size_t chart_notes(const struct result *result, const struct sample *const *samples, size_t count,
                   char (*store)[CHART_NOTE_BYTES], const char **notes);

/* What charts draw of a point and of a roof: rates, intensities by one kind of bytes, their spread, and what they are
 * per cycle. Pure. */

/* Which bytes an intensity counts: those that the core asks for (all, loaded, stored), or those that pass between
 * caches and memory (all, read, written). */
enum chart_bytes { BYTES_CORE, BYTES_LOADED, BYTES_STORED, BYTES_DRAM, BYTES_DRAM_READ, BYTES_DRAM_WRITTEN };

/* Whether these are bytes that pass between caches and memory. */
bool chart_is_dram(enum chart_bytes bytes);

/* A copy of the point; its flop are replaced by its pseudo-flop where the options ask for these and the workload has
 * them. */
struct app_point chart_point(const struct app_point *point, const struct chart_options *options);

/* The point's bytes of this kind over its repetitions; n is 0 where they are not known. */
struct statistics chart_point_bytes(const struct app_point *point, enum chart_bytes bytes);

/* The source of the DRAM bytes of several points, such as "simulated": that of the points so far (NULL: none) and of
 * this one. */
const char *chart_dram_source(const char *so_far, const struct app_point *point);

/* a / b: the quotient of the medians, and quartiles and extremes as far apart as those of `a` and `b` allow. n is 0
 * where either is not known. */
struct statistics chart_quotient(struct statistics a, struct statistics b);

/* All values of `s` times `factor`. */
struct statistics chart_scaled(struct statistics s, double factor);

/* How many bytes of this kind the roof's access pattern moves for each byte that the core asks for. 0 for a roof that
 * is of no access pattern. */
double chart_roof_share(const struct roof *roof, enum chart_bytes bytes);

/* The value of a sample in flop/s, bytes/s or s. With `per_cycle` in flop, bytes or cycles per cycle of its own clock,
 * of all its cores together; 0 where that clock is not known. */
double chart_rate(const struct sample *sample, bool per_cycle);

/* How many cores the sample's rate is of, all together. */
unsigned chart_cores(const struct sample *sample);

/* A second reading of rates in flop/s, at the right of a picture: per cycle and core. */
struct cycle_axis {
    double per_rate; /* flop/cycle of one core = flop/s × this */
    char title[64];  /* "flop/cycle at 3.24 GHz" */
};

/* Fills `out` where there is one clock and one number of cores that makes it true of all these samples: their clocks
 * are known, and no further apart than 1 %. `unit` is "flop" or "op". Else false. */
bool chart_cycle_axis(const struct sample *const *samples, size_t count, const char *unit, struct cycle_axis *out);

/* The clock, in Hz, by which rates of the point are divided to become rates per cycle: its own where it is known;
 * otherwise that of the roof that binds it, so that it stands as far below that roof as it does per second; otherwise
 * that of the ceiling of its code. 0 where none is known. */
double chart_clock_hz(const struct model *model, const struct app_point *point);

/* Widens a logarithmic axis so that `value` is a factor of `margin` away from both ends. */
void chart_widen(struct plot_axis *axis, double value, double margin);

#endif
