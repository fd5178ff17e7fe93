/* SPDX-License-Identifier: BSD-3-Clause
 * The picture of `carmine sweep --prefetch`: bandwidth over distance, a curve for each instruction. */
#ifndef CARM_CHART_DISTANCES_H
#define CARM_CHART_DISTANCES_H

#include "report_distances.h"

/* Draws into the file at `path`, whose ending says the format. Error: the file cannot be written. */
bool chart_distances(const struct distances_view *view, const char *path, struct error *err);

#endif
