/* SPDX-License-Identifier: BSD-3-Clause
 * The data of the HTML report, schema "carmine.report/2": the records of each result; charts as layers of plots,
 * from the functions that make pictures; the controls, and the choices at which a layer is shown (report_plots.c);
 * and the texts of tables and cards (report_lists.c, report_series.c). */
#ifndef CARM_REPORT_DATA_H
#define CARM_REPORT_DATA_H

#include <jansson.h>

#include "carm/chart/chart.h"

struct report_source {
    const char *path;  /* path of the result's file */
    const char *label; /* name of the machine beside others */
    const struct model *model;
};

/* Lists of similar objects are tables, {"columns": […], "rows": [[…], …]}, since repeated keys would be most of the
 * file. The options set the first choices. NULL: no memory. */
json_t *report_data_json(const struct report_source *sources, size_t count, const struct chart_options *options);

#endif
