/* SPDX-License-Identifier: BSD-3-Clause
 * What the HTML report knows: schema "carmine.report/1". Of each result all that `carmine show --json` says, its
 * conditions and curves, and which roofs belong to which place of the machine. */
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
 * options say what is shown at first. */
json_t *report_data_json(const struct report_source *sources, size_t count, const struct chart_options *options);

#endif
