/* SPDX-License-Identifier: BSD-3-Clause
 * A fleet as strips of dots. */
#pragma once

#include "picture.h"

#include "carm/fleet/fleet.h"

/* Makes the picture of how far each node is from the median of its group: a row per class of roofs, a dot per node.
 * A row names at most ten of the outliers in `report` and counts the others. The picture borrows from the fleet; the
 * caller ends with picture_free(). Error, with nothing to free: no group has enough nodes to be judged. */
bool chart_fleet_make(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report,
                      struct picture *out, struct error *err);

/* Draws it. Error: as of chart_fleet_make(), or the file cannot be written. */
bool chart_fleet(const struct fleet *fleet, const struct fleet_groups *groups, const struct fleet_report *report,
                 const struct chart_options *options, const char *path, struct error *err);
