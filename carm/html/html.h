/* SPDX-License-Identifier: BSD-3-Clause
 * Self-contained pages that open from disk: results, and a fleet. */
#pragma once

#include "carm/chart/chart.h"
#include "carm/fleet/fleet.h"

struct error;

/* Whether the name ends in ".html". */
bool report_html_wanted(const char *path);

/* Whether a report can be made of so many results with these options. Error: it cannot; says what can. */
bool report_html_takes(size_t count, const struct chart_options *options, struct error *err);

/* Writes the report of the results in these files. Error: cannot write. */
bool report_html_write(const struct model *models, char *const *files, size_t count,
                       const struct chart_options *options, const char *path, struct error *err);

/* Writes a fleet's page: the picture of chart_fleet(), if there is one, and the tables of fleet_tables_json(). Error:
 * cannot write. */
bool fleet_html_write(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report,
                      const char *path, struct error *err);

/* The filled template of carm/html/ with its style and script. */

enum html_template { HTML_REPORT, HTML_FLEET };

struct html_page {
    enum html_template of;
    const char *title;
    const char *sections; /* HTML of sections of a report that only some results have; NULL: none */
    const char *picture;  /* SVG by plot_svg(), shown without JavaScript; "": none */
    const char *data;     /* JSON for the script; may contain any text */
};

/* Error: the file cannot be written. */
bool html_write(const struct html_page *page, const char *path, struct error *err);
