/* SPDX-License-Identifier: BSD-3-Clause
 * The runs of a program → points: of the program and its regions, of parts of its code, of phases, of ranks. Pure but
 * for names and source files, which are read. */
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

/* Points of a program's hot functions, loops and lines, and of its threads. */

/* Adds the requested kind of parts, if they were counted and have a good share of the program's time or flop. Loops
 * include inner loops, but no called functions. Threads: up to 256 with at least one percent of the busiest one's work.
 * Their time is unknown because the program's time covers all threads. */
void app_parts_add(const struct app_request *request, const struct app_runs *runs, struct app_points *out);

/* Annotates the loops of these points with annotate(). Reads source files. */
struct annotation;
bool app_parts_annotate(const struct app_request *request, const struct app_runs *runs, const struct app_points *points,
                        const char *wanted, struct annotation **out, size_t *count, struct error *err);

/* 0 to 1. */
double app_parts_share(double part, double whole);

/* Phases of a program as points, and its course in time. */

/* Adds the points and the course; nothing if a run has no samples. */
void app_phases_add(const struct app_request *request, const struct app_runs *runs, struct app_points *out);

/* Points of single ranks, from separate launches and nodes → points of each rank and of all together. */

/* A file of points; points without a rank are ignored. */
struct merge_source {
    const char *path, *cpu; /* cpu: its node's brand string */
    const struct app_point *points;
    size_t count;
};

/* For each rank: the counts of its newest counted launch, and statistics over its timed launches. For all together: the
 * sum of the counts, and the time of the slowest. Errors: no points of ranks; different programs, command lines,
 * numbers of ranks or kinds of CPU; a rank is missing, or has been timed more often than another. */
bool app_merge(const struct merge_source *sources, size_t count, struct app_points *out, struct error *err);
