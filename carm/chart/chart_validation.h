/* SPDX-License-Identifier: BSD-3-Clause
 * Validation points as small rings of a roofline. */
#ifndef CARM_CHART_CHART_VALIDATION_H
#define CARM_CHART_CHART_VALIDATION_H

#include "chart_roofs.h"

enum { CHART_MAX_RINGS = 512 };

/* Writes one small ring, in the colour of its level, for each validation point that has the threads, core kind, ISA and
 * type of the view, and widens the roofs' axes so that they hold the rings. `rings` has room for CHART_MAX_RINGS; what
 * goes beyond is left out. Returns the number of rings. */
size_t chart_validation(struct roofs *roofs, struct plot_point *rings);

#endif
