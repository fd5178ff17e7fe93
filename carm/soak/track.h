/* SPDX-License-Identifier: BSD-3-Clause
 * Values over time as they are searched for changes, and what robust statistics say of them. Pure. */
#ifndef CARM_TRACK_H
#define CARM_TRACK_H

#include <stddef.h>

/* Values that are all there, by time, at most SERIES_MOST. */
struct track {
    size_t count;
    double *at_s, *values;
};

/* The middle of them; 0 of none. */
double track_median(const double *values, size_t count);

/* How far they are from it, as a standard deviation: of the absolute differences the median. Sorts the values. */
double track_deviation(double *values, size_t count);

/* What single values are off by, as a standard deviation: of differences between values that are 1, 2, 4, … apart the
 * greatest, so that what wanders counts as noise, while a step or a steady drift does not. Above 0. */
double track_noise(const struct track *track);

/* By how much values that hang together widen an interval, against as many that do not: `rest` is what is left of them
 * without levels and slope. 1 or more. */
double track_wider(const double *rest, size_t count);

/* The line through the medians of the first and the last third: of values[i] at at_s[i]. */
struct track_line {
    double at_s, value, per_s;
};
struct track_line track_line(const struct track *track, size_t first, size_t end);
double track_line_at(const struct track_line *line, double at_s);

#endif
