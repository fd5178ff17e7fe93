/* SPDX-License-Identifier: BSD-3-Clause
 * Traffic between simulated caches as text and JSON: for each point the bytes of each link, the time that it would need
 * alone and its share; and the touched memory. */
#pragma once

#include <stdio.h>

#include "carm/model/verdict.h"
#include "carm/text/columns.h"

struct point_link;

/* "68.8 GB ±3 %"; without the interval if half of it is at most `wide` × the bytes. Returns `out`. */
enum { REPORT_LEVELS_BYTES = 64 };
const char *report_levels_bytes(const struct point_link *moved, double wide, char out[REPORT_LEVELS_BYTES]);

/* A table of links and one of footprints; nothing if no point has any. `verdicts`: one per point. */
void report_levels_print(const struct app_point *points, const struct verdict *verdicts, size_t count, FILE *out);

/* In JSON, at this place, the keys "links" (a list), "ceiling_seconds_alone" and "simulated" (caches, footprint, TLB
 * misses); null without a simulation. */
void report_levels_columns(struct column_walk *to, const struct link_times *times, const struct app_point *point,
                           unsigned char place);
