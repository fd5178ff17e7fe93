/* SPDX-License-Identifier: BSD-3-Clause
 * Models as charts: translation into plain plot data. A chart is a row in chart_table. */
#ifndef CARM_CHART_H
#define CARM_CHART_H

#include "carm/marks/chart_parts.h"

struct chart {
    const char *name; /* "roofline" */
    const char *summary;
    bool (*draw)(const struct model *model, const struct chart_options *options, const char *path, struct error *err);
    const char *of[4]; /* what options.of may be; NULL at the end */
};

extern const struct chart chart_table[]; /* name NULL ends it; the first is the default */

/* NULL: there is none of this name. */
const struct chart *chart_named(const char *name);

/* Error: the result holds nothing for these options, or the file cannot be written. */
bool chart_roofline(const struct model *model, const struct chart_options *options, const char *path,
                    struct error *err);
bool chart_dram(const struct model *model, const struct chart_options *options, const char *path, struct error *err);
bool chart_read(const struct model *model, const struct chart_options *options, const char *path, struct error *err);
bool chart_written(const struct model *model, const struct chart_options *options, const char *path, struct error *err);
bool chart_performance(const struct model *model, const struct chart_options *options, const char *path,
                       struct error *err);
bool chart_intensity(const struct model *model, const struct chart_options *options, const char *path,
                     struct error *err);
bool chart_ratio(const struct model *model, const struct chart_options *options, const char *path, struct error *err);
bool chart_distribution(const struct model *model, const struct chart_options *options, const char *path,
                        struct error *err);
bool chart_sweep(const struct model *model, const struct chart_options *options, const char *path, struct error *err);
bool chart_latency(const struct model *model, const struct chart_options *options, const char *path, struct error *err);
bool chart_scaling(const struct model *model, const struct chart_options *options, const char *path, struct error *err);
bool chart_matrix(const struct model *model, const struct chart_options *options, const char *path, struct error *err);
bool chart_matrix_latency(const struct model *model, const struct chart_options *options, const char *path,
                          struct error *err);

/* What the roofline shows of the model: threads, part, type. Error: the result holds nothing for these options. */
bool chart_view(const struct model *model, const struct chart_options *options, struct model_view *out,
                struct error *err);

#endif
