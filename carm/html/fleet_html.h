/* SPDX-License-Identifier: BSD-3-Clause
 * A fleet as one self-contained HTML file that opens from disk. */
#pragma once

#include "carm/fleet/fleet.h"

/* Writes the picture of chart_fleet(), if there is one, and the tables of fleet_tables_json(). Error: cannot write. */
bool fleet_html_write(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report,
                      const char *path, struct error *err);
