/* SPDX-License-Identifier: BSD-3-Clause
 * Which points of a result belong together, and how such a group looks and reads: the same in every chart. Pure. */
#ifndef CARM_CHART_GROUPS_H
#define CARM_CHART_GROUPS_H

#include "render/page/plot.h"
#include "chart_parts.h"

/* Points of one series belong together, else those of one program. */
const char *group_name(const struct app_point *point);
bool group_is_same(const struct app_point *a, const struct app_point *b);

/* Numbers the groups of all points from 0, so that a group looks the same whichever others are drawn. */
void groups_number(const struct app_point *points, size_t count, size_t *out);
void group_look(size_t number, struct plot_color *color, enum plot_shape *shape);

/* How many bytes at their end all names share, in whole words: " cold 1 thread" of "dgemm cold 1 thread" and "fft cold
 * 1 thread". A picture says it once. Their first words always stay. */
size_t groups_shared_end(const char *const *names, size_t count);

/* Whether all are powers of two, and at least one of them is more than a small number: then they read "2¹⁰". */
bool sizes_are_powers(const double *sizes, size_t count);

/* "2¹⁰", "1000", "2.44 M" */
char *size_text(char *out, size_t n, uint64_t size, bool power);

#endif
