/* SPDX-License-Identifier: BSD-3-Clause
 * A fleet as strips of dots. */
#ifndef CARM_CHART_FLEET_H
#define CARM_CHART_FLEET_H

#include "carm/fleet/fleet.h"
#include "carm/marks/chart_parts.h"

/* Deviations from the group's medians, a dot per node; outliers are named. Error: no group has nodes enough, or the
 * file cannot be written. */
bool chart_fleet(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report,
                 const struct chart_options *options, const char *path, struct error *err);

#endif
