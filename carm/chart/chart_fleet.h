/* SPDX-License-Identifier: BSD-3-Clause
 * A fleet as strips of dots. */
#ifndef CARM_CHART_CHART_FLEET_H
#define CARM_CHART_CHART_FLEET_H

#include "picture.h"

#include "carm/fleet/fleet.h"

/* How far each node is from the median of its group: a row per class of roofs, in it a dot per node. Of the outliers in
 * `report` a row names ten at most, and counts the others. The picture borrows from the fleet; the caller ends with
 * picture_free(). Error, with nothing to free: no group has as many nodes as a judgement needs. */
bool chart_fleet_make(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report,
                      struct picture *out, struct error *err);

/* Draws it. Error: that of chart_fleet_make(), or the file cannot be written. */
bool chart_fleet(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report,
                 const struct chart_options *options, const char *path, struct error *err);

#endif
