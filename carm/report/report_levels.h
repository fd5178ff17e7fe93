/* SPDX-License-Identifier: BSD-3-Clause
 * What passed between caches, as text and JSON: for each point of which that was simulated, each link with its bytes,
 * the time that it would need alone and that time's share; and what was touched of memory. */
#ifndef CARM_REPORT_REPORT_LEVELS_H
#define CARM_REPORT_REPORT_LEVELS_H

#include <stdio.h>

#include "carm/model/verdict.h"
#include "carm/text/columns.h"

/* A table of links and one of footprints; nothing where no point has any. `verdicts`: of each point. */
void report_levels_print(const struct app_point *points, const struct verdict *verdicts, size_t count, FILE *out);

/* In JSON, at this place, the keys "links" (a list), "ceiling_seconds_alone" and "simulated" (which caches, footprint,
 * TLB misses), null where nothing was simulated. */
void report_levels_columns(struct column_walk *to, const struct link_times *times, const struct app_point *point,
                           unsigned char place);

#endif
