/* SPDX-License-Identifier: BSD-3-Clause
 * How far the repetitions of each roof lie apart, as bars on its line. */
#ifndef CARM_CHART_CHART_DEVIATION_H
#define CARM_CHART_CHART_DEVIATION_H

#include "chart_roofs.h"

enum { CHART_MAX_DEVIATIONS = 2 * ROOFS_MAX_LEVELS + ROOFS_MAX_CEILINGS, CHART_DEVIATION_BYTES = 160 };

/* Makes a bar for each level, ceiling and random bandwidth of which several repetitions are known: median, quartiles
 * and extremes, as of points. `details` holds what hovering tells. Returns how many. Call after roofs_draw(). */
size_t chart_deviation(const struct roofs *roofs, struct plot_point bars[CHART_MAX_DEVIATIONS],
                       char details[CHART_MAX_DEVIATIONS][CHART_DEVIATION_BYTES]);

#endif
