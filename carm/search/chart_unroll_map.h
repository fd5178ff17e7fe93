/* SPDX-License-Identifier: BSD-3-Clause
 * The picture of `carmine sweep --dlp`: a table of cells, one for each number of accumulators (or streams) and unroll.
 */
#ifndef CARM_CHART_UNROLL_MAP_H
#define CARM_CHART_UNROLL_MAP_H

#include "report_unroll_map.h"

/* Draws the map into the file at `path`, whose ending says the format. Error: the file cannot be written. */
bool chart_unroll_map(const struct unroll_map_view *view, const char *path, struct error *err);

#endif
