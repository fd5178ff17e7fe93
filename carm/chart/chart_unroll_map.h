/* SPDX-License-Identifier: BSD-3-Clause
 * A measured map as a picture: a cell per accumulators and unroll. */
#ifndef CARM_CHART_UNROLL_MAP_H
#define CARM_CHART_UNROLL_MAP_H

#include "carm/tables/report_unroll_map.h"

bool chart_unroll_map(const struct unroll_map_view *view, const char *path, struct error *err);

#endif
