/* SPDX-License-Identifier: BSD-3-Clause
 * Which points of a result belong together, and how such a group looks and reads: the same in every chart. Pure. */
#ifndef CARM_CHART_CHART_GROUPS_H
#define CARM_CHART_CHART_GROUPS_H

#include "chart_parts.h"

#include "render/page/plot.h"

/* Sets out[i] to the number of the group of points[i]. Groups are numbered from 0 over all points of a result, drawn or
 * not, so that a group looks the same in as many pictures as possible. */
void groups_number(const struct app_point *points, size_t count, size_t *out);

/* The same, with the points of one workload or program in one group, whatever their number of threads. */
void groups_number_workloads(const struct app_point *points, size_t count, size_t *out);

/* The numbers by which groups look, of those that one picture shows: numbers[i] is that of entry i's group, looks[i]
 * becomes that of its look, the same unless an earlier group has the same colour and others are free. */
void groups_tell_apart(const size_t *numbers, size_t count, size_t *looks);

/* The colour and the shape of the markers of the group with this number. */
void group_look(size_t number, struct plot_color *color, enum plot_shape *shape);

/* Where several numbers of threads share a picture: the colour is that of the workload, the shape that of its number of
 * threads, `behind` of which are larger. For ten workloads no two are alike. */
void group_look_by_threads(size_t workload, unsigned behind, struct plot_color *color, enum plot_shape *shape);

/* The length in bytes of the end, in whole words, that all names share: that of " cold 1 thread" for "dgemm cold 1
 * thread" and "fft cold 1 thread". A picture says such an end once. The first word of a name is never part of it. 0
 * when the names share nothing. */
size_t groups_shared_end(const char *const *names, size_t count);

/* Whether all sizes are powers of two and at least one is 128 or more, so that they are best written as "2¹⁰". */
bool sizes_are_powers(const double *sizes, size_t count);

/* Writes a size to `out` (`n` bytes) and returns `out`: "2¹⁰" where `power` is set and the size is a power of two, else
 * "1000" or "2.44 M". */
char *size_text(char *out, size_t n, uint64_t size, bool power);

#endif
