/* SPDX-License-Identifier: BSD-3-Clause
 * Validation points as small rings of a roofline. */
#ifndef CARM_CHART_VALIDATION_H
#define CARM_CHART_VALIDATION_H

#include "chart_roofs.h"

enum { CHART_MAX_RINGS = 512 };

/* The rings of the view's threads, core kind, ISA and type, in their level's colour; widens the axes to hold them.
 * Returns how many of the CHART_MAX_RINGS. */
size_t chart_validation(struct roofs *roofs, struct plot_point *rings);

#endif
