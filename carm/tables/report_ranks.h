/* SPDX-License-Identifier: BSD-3-Clause
 * Programs of several ranks or threads: how even these are, what they spend in MPI, and what passed over each thread's
 * links. */
#ifndef CARM_REPORT_RANKS_H
#define CARM_REPORT_RANKS_H

#include <jansson.h>
#include <stdio.h>

#include "carm/model/model.h"
#include "carm/text/table.h"

/* A table of the points of programs that have ranks or call MPI; nothing where none is. */
void report_ranks_print(const struct app_point *points, size_t count, FILE *out);

/* "4: the slowest takes 1.54 times as long as the median one outside of MPI, …"; "" where nothing is known of them. */
enum { REPORT_RANKS_BYTES = 256 };
const char *report_ranks_words(const struct app_point *point, char out[REPORT_RANKS_BYTES]);

/* Adds to the point's object; null where a thing is not known. */
void report_ranks_json(json_t *object, const struct app_point *point);

/* Of the table's columns: a name, flop, that against the median thread, instructions, then a column per link. */
#define REPORT_THREADS_ALIGNMENT "lrrrrrrrr"
#define REPORT_THREADS_ORDER     "010543211"

/* How many of the points are threads. */
size_t report_threads_count(const struct app_point *points, size_t count);

/* Adds the heading and a row for each thread; those that are chosen where that is no NULL. */
void report_threads_fill(struct table *table, const struct model *model, const struct app_point *points, size_t count,
                         const bool *chosen);

/* The same as a table; nothing where there are no threads. */
void report_threads_print(const struct model *model, const struct app_point *points, size_t count, FILE *out);

/* "4; prog/thread 2 does 1.31 times the flop of the median one"; "" where there are less than two. Returns `out`. */
enum { REPORT_THREADS_BYTES = 192 };
const char *report_threads_words(const struct app_point *points, size_t count, char out[REPORT_THREADS_BYTES]);

#endif
