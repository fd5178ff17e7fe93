/* SPDX-License-Identifier: BSD-3-Clause
 * Programs of several ranks as text and JSON: how even they are, and what they spend in MPI. */
#ifndef CARM_REPORT_RANKS_H
#define CARM_REPORT_RANKS_H

#include <jansson.h>
#include <stdio.h>

#include "bench/app/app_point.h"

/* A table of the points of programs that have ranks or call MPI; nothing where none is. */
void report_ranks_print(const struct app_point *points, size_t count, FILE *out);

/* "4: the slowest takes 1.54 times as long as the median one outside of MPI, …"; "" where nothing is known of them. */
enum { REPORT_RANKS_BYTES = 256 };
const char *report_ranks_words(const struct app_point *point, char out[REPORT_RANKS_BYTES]);

/* Adds to the point's object; null where a thing is not known. */
void report_ranks_json(json_t *object, const struct app_point *point);

#endif
