/* SPDX-License-Identifier: BSD-3-Clause
 * A measured surface as a picture: a cell per accumulators and unroll. */
#ifndef CARM_CHART_SURFACE_H
#define CARM_CHART_SURFACE_H

#include "carm/tables/report_surface.h"

bool chart_surface(const struct surface_view *view, const char *path, struct error *err);

#endif
