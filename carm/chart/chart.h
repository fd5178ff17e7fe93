/* SPDX-License-Identifier: BSD-3-Clause
 * The charts of one result: each translates a model into plain plot data, and is a row in chart_table. */
#pragma once

#include "chart_parts.h"

#include "carm/compare/compare.h"

/* Draws a chart into the file at `path`, or where the options say (chart_write()). Error: the result lacks the data
 * (the message names the command that measures them), or the file cannot be written. */
typedef bool chart_draws(const struct model *model, const struct chart_options *options, const char *path,
                         struct error *err);

/* The same for several results side by side. */
typedef bool chart_draws_beside(const struct comparison *comparison, const struct chart_options *options,
                                const char *path, struct error *err);

/* A kind of chart, as `carmine plot --chart` knows it. */
struct chart {
    const char *name;    /* "roofline" */
    const char *summary; /* what it shows, in one line */
    chart_draws *draw;
    const char *of[5];          /* the values that options.of may have, up to a NULL; empty: none */
    bool takes_fewer;           /* it also shows options.fewer */
    chart_draws_beside *beside; /* NULL: pictures of several results are those of chart_compare.h */
};

/* All charts, up to a row without a name. The first chart is the default. */
extern const struct chart chart_table[];

/* What `carmine plot --add` names: a bool of the options. Up to a row without a name. */
struct chart_extra {
    const char *name; /* "deviation" */
    size_t field;     /* its offset in struct chart_options */
};
extern const struct chart_extra chart_extras[];
const char *chart_extra_name(size_t index); /* NULL at the end */

/* The chart of this name; NULL: unknown name. */
const struct chart *chart_named(const char *name);

/* The functions of the rows of chart_table, which has a summary of each. */
chart_draws chart_roofline, chart_dram, chart_read, chart_written, chart_levels, chart_instructions, chart_time,
    chart_loops, chart_phases, chart_performance, chart_intensity, chart_tlb, chart_ratio, chart_distribution,
    chart_histogram, chart_sweep, chart_latency, chart_scaling, chart_matrix, chart_matrix_latency, chart_loaded,
    chart_chases, chart_handover, chart_pages, chart_core;

/* Takes at most COMPARE_COLUMNS sides. */
chart_draws_beside chart_cores_beside;

/* Finds the roofs that a roofline shows for these options: threads, part of the machine, element type. Error: the
 * result holds no such roofs. */
bool chart_view(const struct model *model, const struct chart_options *options, struct model_view *out,
                struct error *err);
