/* SPDX-License-Identifier: BSD-3-Clause
 * What the HTML report holds, schema "carmine.report/2": the records of each result; charts as layers of plots, made by
 * what makes pictures of them (report_plots.c); what can be chosen, and the choices at which a layer is shown
 * (report_plots.c); and what tables and cards say (report_lists.c, report_series.c). */
#ifndef CARM_REPORT_DATA_H
#define CARM_REPORT_DATA_H

#include <jansson.h>

#include "carm/chart/chart.h"

struct report_source {
    const char *path;  /* of the result's file */
    const char *label; /* what the machine is called beside others */
    const struct model *model;
};

/* Lists of alike objects are tables, {"columns": […], "rows": [[…], …]}, since most of a file would be their keys. The
 * options say what is shown at first. NULL without memory. */
json_t *report_data_json(const struct report_source *sources, size_t count, const struct chart_options *options);

#endif
