/* SPDX-License-Identifier: BSD-3-Clause
 * Points of a program's code: its hot functions, loops and lines; and of its threads. Pure, but for their annotation.
 */
#ifndef BENCH_PROGRAMS_APP_PARTS_H
#define BENCH_PROGRAMS_APP_PARTS_H

#include "app_points.h"

/* As the request wants them, of what was counted; those that have a good part of the program's time or flop. Of a loop:
 * with the loops within it, without what they call. Of threads, up to 256 of those that did at least one part in 100 of
 * what the busiest did; their time is not known, since that of the program is of all of them together. */
void app_parts_add(const struct app_request *request, const struct app_runs *runs, struct app_points *out);

/* The code of its loops, whose points these are, as annotate() has it. Reads the sources. */
struct annotation;
bool app_parts_annotate(const struct app_runs *runs, const struct app_points *points, const char *wanted,
                        struct annotation **out, size_t *count, struct error *err);

/* 0 to 1. */
double app_parts_share(double part, double whole);

#endif
