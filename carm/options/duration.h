/* SPDX-License-Identifier: BSD-3-Clause
 * Durations as people write them: 30s, 10m, 6h, 2d. */
#ifndef CARM_DURATION_H
#define CARM_DURATION_H

#include <stdbool.h>

#include "probe/error.h"

/* A number above 0 with its unit, up to a year. Error: it is none; `what` names the option. */
bool duration_read(const char *text, const char *what, double *seconds, struct error *err);

#endif
