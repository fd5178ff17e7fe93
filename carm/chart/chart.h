/* SPDX-License-Identifier: BSD-3-Clause
 * The charts of one result: each translates a model into plain plot data, and is a row in chart_table. */
#pragma once

#include "chart_parts.h"

#include "carm/compare/compare.h"

/* A kind of chart, as `carmine plot --chart` knows it. */
struct chart {
    const char *name;    /* "roofline" */
    const char *summary; /* what it shows, in one line */
    /* Draws it into the file at `path`, or where the options say (chart_write()). Error: the result lacks the data
     * (the message names the command that measures them), or the file cannot be written. */
    bool (*draw)(const struct model *model, const struct chart_options *options, const char *path, struct error *err);
    const char *of[4]; /* the values that options.of may have, up to a NULL; empty: none */
    bool takes_fewer;  /* it also shows options.fewer */
    /* Draws several results side by side; NULL: pictures of several are those of chart_compare.h. */
    bool (*beside)(const struct comparison *comparison, const struct chart_options *options, const char *path,
                   struct error *err);
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

/* The functions of the rows of chart_table, which has a summary of each. All are as chart.draw. */
bool chart_roofline(const struct model *model, const struct chart_options *options, const char *path,
                    struct error *err);
bool chart_dram(const struct model *model, const struct chart_options *options, const char *path, struct error *err);
bool chart_read(const struct model *model, const struct chart_options *options, const char *path, struct error *err);
bool chart_written(const struct model *model, const struct chart_options *options, const char *path, struct error *err);
bool chart_levels(const struct model *model, const struct chart_options *options, const char *path, struct error *err);
bool chart_instructions(const struct model *model, const struct chart_options *options, const char *path,
                        struct error *err);
bool chart_time(const struct model *model, const struct chart_options *options, const char *path, struct error *err);
bool chart_loops(const struct model *model, const struct chart_options *options, const char *path, struct error *err);
bool chart_phases(const struct model *model, const struct chart_options *options, const char *path, struct error *err);
bool chart_performance(const struct model *model, const struct chart_options *options, const char *path,
                       struct error *err);
bool chart_intensity(const struct model *model, const struct chart_options *options, const char *path,
                     struct error *err);
bool chart_tlb(const struct model *model, const struct chart_options *options, const char *path, struct error *err);
bool chart_ratio(const struct model *model, const struct chart_options *options, const char *path, struct error *err);
bool chart_distribution(const struct model *model, const struct chart_options *options, const char *path,
                        struct error *err);
bool chart_histogram(const struct model *model, const struct chart_options *options, const char *path,
                     struct error *err);
bool chart_sweep(const struct model *model, const struct chart_options *options, const char *path, struct error *err);
bool chart_latency(const struct model *model, const struct chart_options *options, const char *path, struct error *err);
bool chart_scaling(const struct model *model, const struct chart_options *options, const char *path, struct error *err);
bool chart_matrix(const struct model *model, const struct chart_options *options, const char *path, struct error *err);
bool chart_matrix_latency(const struct model *model, const struct chart_options *options, const char *path,
                          struct error *err);
bool chart_loaded(const struct model *model, const struct chart_options *options, const char *path, struct error *err);
bool chart_chases(const struct model *model, const struct chart_options *options, const char *path, struct error *err);
bool chart_handover(const struct model *model, const struct chart_options *options, const char *path,
                    struct error *err);
bool chart_pages(const struct model *model, const struct chart_options *options, const char *path, struct error *err);
bool chart_core(const struct model *model, const struct chart_options *options, const char *path, struct error *err);

/* As chart.beside; takes at most COMPARE_COLUMNS sides. */
bool chart_cores_beside(const struct comparison *comparison, const struct chart_options *options, const char *path,
                        struct error *err);

/* Finds the roofs that a roofline shows for these options: threads, part of the machine, element type. Error: the
 * result holds no such roofs. */
bool chart_view(const struct model *model, const struct chart_options *options, struct model_view *out,
                struct error *err);
