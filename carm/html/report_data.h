/* SPDX-License-Identifier: BSD-3-Clause
 * The data of the HTML report, schema "carmine.report/2": the records of each result; charts as layers of plots,
 * from the functions that make pictures; the controls, and the choices at which a layer is shown (report_plots.c);
 * and the texts of tables and cards (report_lists.c, report_series.c). */
#ifndef CARM_REPORT_DATA_H
#define CARM_REPORT_DATA_H

#include <jansson.h>

#include "carm/chart/chart.h"
#include "carm/compare/compare.h"

/* A report of more results has only their best roofs, of one core and of all cores, and no applications but those of
 * options.points; one of more than REPORT_MOST is not made. */
enum { REPORT_WHOLE = 50, REPORT_MOST = 600 };

/* Lists of similar objects are tables, {"columns": […], "rows": [[…], …]}, since repeated keys would be most of the
 * file. The options set the first choices. NULL: no memory. */
json_t *report_data_json(const struct comparison *comparison, const struct chart_options *options);

/* The number of cores (roof_key.cores) shown at first: that of --threads or, if all results agree on it, of their
 * newest applications; else as in pictures of several machines. */
unsigned report_cores(const struct comparison *comparison, const struct chart_options *options);

#endif
