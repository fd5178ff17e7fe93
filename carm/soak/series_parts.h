/* SPDX-License-Identifier: BSD-3-Clause
 * The parts of series_changes_find(), and what they hand to each other. Pure. */
#ifndef CARM_SERIES_PARTS_H
#define CARM_SERIES_PARTS_H

#include "series.h"
#include "track.h"

/* Finds where the level changes: the first index of each new level, rising, into `begins` of SERIES_MAX_STEPS; returns
 * how many. */
size_t series_steps_find(const struct track *track, double least, size_t *begins);

/* Fills the slope, its interval and whether it is one, of what lies between the steps. */
void series_drift_find(const struct track *track, const size_t *begins, size_t steps, double least,
                       struct series_changes *out);

/* Finds periods, takes them from the values, and adds those that are not a multiple of another's frequency. */
void series_periods_take(struct track *track, double least, struct series_changes *out);

#endif
