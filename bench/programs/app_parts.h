/* SPDX-License-Identifier: BSD-3-Clause
 * Points of a program's hot functions, loops and lines, and of its threads. Pure, except for the annotation. */
#pragma once

#include "app_points.h"

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
