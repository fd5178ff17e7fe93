/* SPDX-License-Identifier: BSD-3-Clause
 * A fleet as strips of dots. */
#ifndef CARM_CHART_FLEET_H
#define CARM_CHART_FLEET_H

#include "carm/fleet/fleet.h"
#include "carm/marks/chart_parts.h"

/* Draws how far each node is from the median of its group: a row per class of roofs, in it a dot per node, with the
 * names of the outliers in `report`. Error: no group has as many nodes as a judgement needs, or the file cannot be
 * written. */
bool chart_fleet(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report,
                 const struct chart_options *options, const char *path, struct error *err);

#endif
