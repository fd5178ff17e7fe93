/* SPDX-License-Identifier: BSD-3-Clause
 * What the runs of a program left → points. Pure. */
#ifndef BENCH_PROGRAMS_APP_POINTS_H
#define BENCH_PROGRAMS_APP_POINTS_H

#include "app.h"

struct app_points {
    struct app_point program;
    size_t count;
    struct app_point *points; /* at least one: those that were asked for; of functions the hot ones */
    uint32_t *parts;          /* of each, where they are loops or lines: its number in the profile; else NULL */
};

/* Functions need a profile; without one, and without regions, the point is the program. */
void app_points_make(const struct app_request *request, const struct app_runs *runs, struct app_points *out);
void app_points_free(struct app_points *points);

/* Regions that were counted and not timed, since they are SSC marks of the program's own: they are points where regions
 * are asked for, or where others are. */
size_t app_regions_untimed(const struct app_runs *runs);

/* Threads that do a good part of what the busiest one does; those of a pool that only wait are none. */
unsigned app_threads_at_work(const struct profile_region *region);

/* The points' names begin with it. */
const char *app_points_program(const struct app_request *request, const struct app_runs *runs);

#endif
