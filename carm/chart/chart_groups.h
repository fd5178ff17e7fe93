/* SPDX-License-Identifier: BSD-3-Clause
 * Groups of a result's points: which points belong together, their look and their names, the same in every chart.
 * Pure. */
#pragma once

#include "chart_parts.h"

#include "render/page/plot.h"

/* Sets out[i] to the number of the group of points[i]. Numbers begin at 0 and count all points of a result, drawn or
 * not, so that a group looks the same in as many pictures as possible. */
void groups_number(const struct app_point *points, size_t count, size_t *out);

/* The same with one group per workload or program, whatever the number of threads. */
void groups_number_workloads(const struct app_point *points, size_t count, size_t *out);

/* Chooses the looks of one picture's groups. numbers[i] is the group of entry i; looks[i] becomes the number of its
 * look. It is the same number unless an earlier group has that colour and another colour is free. */
void groups_tell_apart(const size_t *numbers, size_t count, size_t *looks);

/* The colour and marker shape of the group with this number. */
void group_look(size_t number, struct plot_color *color, enum plot_shape *shape);

/* The look if several numbers of threads share a picture: the workload sets the colour, the number of threads the
 * shape. `behind` is how many of these numbers are larger. Ten workloads all look different. */
void group_look_by_threads(size_t workload, unsigned behind, struct plot_color *color, enum plot_shape *shape);

/* The length in bytes of the end, in whole words, that all names share: that of " cold 1 thread" for "dgemm cold 1
 * thread" and "fft cold 1 thread". A picture shows this end once. It never includes the first word of a name. 0:
 * nothing is shared. */
size_t groups_shared_end(const char *const *names, size_t count);

/* Whether all sizes are powers of two and one is at least 128: then they are written as "2¹⁰". */
bool sizes_are_powers(const double *sizes, size_t count);

/* Writes a size to `out` (`n` bytes) and returns `out`: "2¹⁰" where `power` is set and the size is a power of two, else
 * "1000" or "2.44 M". */
char *size_text(char *out, size_t n, uint64_t size, bool power);
