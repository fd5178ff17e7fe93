/* SPDX-License-Identifier: BSD-3-Clause
 * Results as one self-contained HTML file that opens from disk. */
#pragma once

#include "carm/chart/chart.h"

/* Whether the name ends in ".html". */
bool report_html_wanted(const char *path);

/* Whether a report can be made of so many results with these options. Error: it cannot; says what can. */
bool report_html_takes(size_t count, const struct chart_options *options, struct error *err);

/* Writes the report of the results in these files. Error: cannot write. */
bool report_html_write(const struct model *models, char *const *files, size_t count,
                       const struct chart_options *options, const char *path, struct error *err);
