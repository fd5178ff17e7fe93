/* SPDX-License-Identifier: BSD-3-Clause
 * The runs of a program → points. Pure. */
#pragma once

#include "app.h"
#include "course.h"

struct app_points {
    struct app_point program;
    size_t count;
    struct app_point *points;  /* at least one: the requested ones; of functions the hot ones */
    struct app_course *course; /* of phases; else NULL */
    uint32_t *parts;           /* if points are loops or lines: their numbers in the profile; else NULL */
};

/* Functions need a profile. Without a profile and regions, the only point is the program. */
void app_points_make(const struct app_request *request, const struct app_runs *runs, struct app_points *out);
void app_points_free(struct app_points *points);

/* The number of regions that were counted and not timed, because they are SSC marks of the program. They become points
 * if regions are requested, or if there are other regions. */
size_t app_regions_untimed(const struct app_runs *runs);

/* The threads with a good part of the busiest one's work; waiting threads of a pool do not count. */
unsigned app_threads_at_work(const struct count *threads, size_t count);

/* The prefix of the points' names. */
const char *app_points_program(const struct app_request *request, const struct app_runs *runs);
