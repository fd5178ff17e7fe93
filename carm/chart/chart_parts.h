/* SPDX-License-Identifier: BSD-3-Clause
 * What charts share: their options, where the picture is written, the colours of levels, the names of roofs, the
 * marks of caches, the notes above, and the values of points and roofs: rates, intensities, spread, per cycle. */
#pragma once

#include <stdbool.h>

#include "limits.h"

#include "carm/model/model.h"
#include "probe/machine_limits.h"
#include "render/draw/term.h"
#include "render/page/plot.h"

struct error;

enum { CHART_MAX_FEWER = 2 };

struct chart_options {
    unsigned threads; /* roofs of this number of threads; 0: of the newest application, else the most measured */
    size_t fewer_count;
    unsigned fewer[CHART_MAX_FEWER]; /* rooflines: also the roofs of these numbers of threads, falling */
    unsigned package, node;          /* the part of the machine to draw: 1 + its number; 0: the whole machine */
    const struct model_view *place;  /* exactly this view, whatever threads, package and node; NULL: by these */
    const char *type;  /* element type of the ceilings; NULL: that of the newest application, else "f64" */
    const char *isa;   /* roofs of this instruction set only; NULL: the best of all */
    const char *op;    /* access pattern of the levels' roofs, "2ld1st"; NULL: the best of each level */
    bool random;       /* the roofline also shows the bandwidth of independent accesses to random lines */
    bool intensities;  /* the roofline also has a vertical line at each point's flop per byte */
    bool deviation;    /* the roofline also has bars on its roofs: the spread of their repetitions */
    bool documented;   /* the roofline also shows documented limits of its levels and its highest ceiling */
    bool all_ceilings; /* rooflines draw all ceilings instead of the three that decide */
    /* Names of points, programs or series to draw, up to a NULL. NULL: all points. */
    const char *const *points;
    bool no_points;   /* draws no points at all */
    bool dram;        /* rooflines and charts of intensity also show each point at its flop per DRAM byte */
    const char *of;   /* which of its quantities a chart shows: "core", "dram", "time"; NULL: the default */
    bool page;        /* for an interactive page: more points, and no notes on points of other choices */
    bool per_cycle;   /* rates per cycle, by the clock of each roof and point, instead of per second */
    bool per_core;    /* with per_cycle: rates are divided by the number of cores */
    bool pseudo_flop; /* pseudo-flop instead of flop, for workloads that have them */
    bool working_set; /* the x axis of charts by size is the bytes of the data instead of the problem size */
    /* A roofline joins points of equal size by dashed lines: of all workloads, of none; neither: of workloads with
     * exactly two implementations. */
    bool joined, unjoined;
    struct limits limits;           /* of the axes, if the user chooses them */
    double width, height;           /* of the picture, in points; 0: the style's */
    const struct plot_style *style; /* how the picture looks; NULL: as on a screen */
    const char *title;              /* instead of the chart's own title; "": none; NULL: its own */
    bool no_notes;                  /* leaves out the notes above the chart */
    /* Output: to `take` if it is set, else to `terminal`, else to `svg`, else to the file. */
    char **svg;                           /* receives it as SVG text, which the caller frees */
    const struct plot_terminal *terminal; /* draws it for this terminal, into `*text` */
    char **text;                          /* receives the text for `terminal`, which the caller frees */
    /* Receives the chart's data together with `taker`; nothing is drawn. The data lives during the call only. */
    void (*take)(const struct plot *plot, void *taker);
    void *taker; /* passed to `take` */
};

/* Draws the plot into the file at `path`, and says so if its font is missing. Width and height in points; 0: those of
 * the plot's style. Error: see chart_write(). */
bool chart_draw(const struct plot *plot, const char *path, double width, double height, struct error *err);

/* Draws the plot, as high as it needs, into the file at `path`, whose ending sets the format, or passes it to the
 * output of the options. Error: the file cannot be written, its ending is unknown, or memory is short. */
bool chart_write(const struct plot *plot, const struct chart_options *options, const char *path, struct error *err);

/* The same with the title "CPU · what", and the conditions of the measurement below it. */
bool chart_write_titled(const struct plot *plot, const struct result *result, const char *what,
                        const struct chart_options *options, const char *path, struct error *err);

/* The same for charts below each other: the panels of `plot`, each with a subtitle, and the title of their x axis,
 * which the lowest has. A terminal shows one after the other, the first with the plot's title, if it has one. */
bool chart_write_panels(const struct plot *plot, const char *x_title, const struct chart_options *options,
                        const char *path, struct error *err);

/* The height of a page on which the plot's rows have their height, in points. */
double chart_rows_page(const struct plot *plot, const struct plot_style *style);

/* That height if a page of this width (0: the style's) with the style's proportions has no room for the rows; else 0.
 */
double chart_height(const struct plot *plot, const struct plot_style *style, double width);

/* About how wide a text beside a mark is, in points of a screen; rather too wide. */
double chart_text_width(const char *text);

/* The colour of a memory level. `index` is its place in `levels`, counted from the core: 0 for L1, the last for memory.
 */
struct plot_color chart_level_color(const struct levels *levels, unsigned index);

/* The dash pattern of its line: solid, but not for a fourth level before memory, whose colour repeats on grey paper. */
enum plot_dash chart_level_dash(const struct levels *levels, unsigned index);

/* Writes the readable name of a roof: "AVX-512 FMA" for a compute roof, "2LD1ST" for a memory roof. Cut to `size`
 * bytes. */
void chart_label(const struct roof *roof, char *out, size_t size);

/* Writes a title, "CPU · what"; a slide's has the processor's brand only if it is short. Returns `out`. */
char *chart_title(const struct chart_options *options, const struct result *result, const char *what, char *out,
                  size_t size);

/* Makes reference lines at the sizes of caches, for an x axis of bytes: one at the detected size of each cache, and
 * a second one if a sweep found another size. Writes up to CHART_MAX_MARKS marks and the labels that they borrow;
 * returns the number of marks. */
enum { CHART_MAX_MARKS = 2 * MACHINE_MAX_CACHES, CHART_MARK_BYTES = 64 };
size_t chart_cache_marks(const struct levels *levels, struct plot_mark *marks, char (*labels)[CHART_MARK_BYTES]);

/* Writes a caption about these samples: core clock, number of repetitions, and their spread. Cut to `size` bytes; ""
 * if nothing is known. */
void chart_caption(const struct sample *const *samples, size_t count, char *out, size_t size);

/* Writes the notes above a chart: levels that end elsewhere than detected, a masked CPU, and the doubts of the
 * `count` samples that the chart shows. `notes` has room for CHART_MAX_NOTES pointers into `store`, which holds the
 * texts. Returns the number of notes. */
enum { CHART_MAX_NOTES = 8, CHART_NOTE_BYTES = 320 };
size_t chart_notes(const struct result *result, const struct sample *const *samples, size_t count,
                   char (*store)[CHART_NOTE_BYTES], const char **notes);

/* The functions below are pure: rates, intensities and spreads of points and roofs. */

/* The bytes of an intensity: requested by the core (all, loaded, stored), or between caches and memory (all, read,
 * written). */
enum chart_bytes { BYTES_CORE, BYTES_LOADED, BYTES_STORED, BYTES_DRAM, BYTES_DRAM_READ, BYTES_DRAM_WRITTEN };

/* Whether these are bytes between caches and memory. */
bool chart_is_dram(enum chart_bytes bytes);

/* A copy of the point. Its flop are its pseudo-flop if the options want them and the workload has them. */
struct app_point chart_point(const struct app_point *point, const struct chart_options *options);

/* The point's bytes of this kind over its repetitions; n is 0 if unknown. */
struct statistics chart_point_bytes(const struct app_point *point, enum chart_bytes bytes);

/* The source of the DRAM bytes of several points, such as "simulated": the common source of the points so far (NULL:
 * none) and this one. */
const char *chart_dram_source(const char *so_far, const struct app_point *point);

/* a / b: the quotient of the medians; quartiles and extremes are as far apart as those of `a` and `b` allow. n is 0
 * if either is unknown. */
struct statistics chart_quotient(struct statistics a, struct statistics b);

/* All values of `s` times `factor`. */
struct statistics chart_scaled(struct statistics s, double factor);

/* How many bytes of this kind the roof's access pattern moves per byte requested by the core. 0: the roof has no
 * access pattern. */
double chart_roof_share(const struct roof *roof, enum chart_bytes bytes);

/* The value of a sample in flop/s, bytes/s or s. With `per_cycle`: flop, bytes or cycles per cycle of its own clock,
 * of all its cores together; 0 if that clock is unknown. */
double chart_rate(const struct sample *sample, bool per_cycle);

/* The number of cores that reach the sample's rate together. */
unsigned chart_cores(const struct sample *sample);

/* A second axis at the right, for rates in flop/s: per cycle and core. */
struct cycle_axis {
    double per_rate; /* flop/cycle of one core = flop/s × this */
    char title[64];  /* "flop/cycle at 3.24 GHz" */
};

/* Fills `out` if all samples have the same number of cores and the same clock within 1 %, so that the axis is right
 * for all. Else false. `unit` is "flop" or "op". */
bool chart_cycle_axis(const struct sample *const *samples, size_t count, const char *unit, struct cycle_axis *out);

/* The clock in Hz that turns the point's rates into rates per cycle: its own; if unknown, that of the roof that
 * binds it, so that the distance to that roof is the same as per second; else that of the ceiling of its code. 0:
 * unknown. */
double chart_clock_hz(const struct model *model, const struct app_point *point);

/* Widens a logarithmic axis so that `value` is a factor of `margin` away from both ends. */
void chart_widen(struct plot_axis *axis, double value, double margin);
