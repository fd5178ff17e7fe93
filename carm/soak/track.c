/* SPDX-License-Identifier: BSD-3-Clause
 * Robust statistics of values over time (see track.h). */
#include "track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sample/sample.h"
#include "probe/need.h"

static const double MAD_TO_SIGMA = 1.4826; /* 1 / the 75 % quantile of the normal distribution */
static const double LEAST_NOISE = 1e-6;    /* of the median: values that are all alike have some, too */
static const double MOST_ALIKE = 0.97;     /* neighbours */
enum { NOISE_PARTS = 8 };                  /* differences reach over so much of the series at most */

double track_median(const double *values, size_t count) {
    double *sorted = need_calloc(count + 1, sizeof *sorted);
    if (count > 0)
        memcpy(sorted, values, count * sizeof *sorted);
    const double median = sample_statistics(sorted, count).median;
    free(sorted);
    return median;
}

double track_deviation(double *values, size_t count) {
    const double median = sample_statistics(values, count).median;
    for (size_t i = 0; i < count; i++)
        values[i] = fabs(values[i] - median);
    return MAD_TO_SIGMA * sample_statistics(values, count).median;
}

double track_noise(const struct track *track) {
    double *differences = need_calloc(track->count + 1, sizeof *differences);
    double noise = LEAST_NOISE * fabs(track_median(track->values, track->count));
    for (size_t lag = 1; lag == 1 || lag * NOISE_PARTS <= track->count; lag *= 2) {
        size_t count = 0;
        for (size_t i = lag; i < track->count; i++)
            differences[count++] = track->values[i] - track->values[i - lag];
        noise = fmax(noise, track_deviation(differences, count) / sqrt(2));
    }
    free(differences);
    return noise > 0 ? noise : 1e-300;
}

double track_wider(const double *rest, size_t count) {
    double both = 0, own = 0;
    for (size_t i = 1; i < count; i++) {
        both += rest[i] * rest[i - 1];
        own += rest[i] * rest[i];
    }
    const double common = own > 0 ? fmin(fmax(both / own, 0), MOST_ALIKE) : 0;
    return sqrt((1 + common) / (1 - common));
}

struct track_line track_line(const struct track *track, size_t first, size_t end) {
    const size_t third = (end - first) / 3 ? (end - first) / 3 : 1;
    const double *at_s = track->at_s, *values = track->values;
    const struct track_line from = {track_median(at_s + first, third), track_median(values + first, third), 0};
    const double to_s = track_median(at_s + end - third, third), to = track_median(values + end - third, third);
    struct track_line line = from;
    line.per_s = to_s > from.at_s ? (to - from.value) / (to_s - from.at_s) : 0;
    double *rest = need_calloc(end - first + 1, sizeof *rest);
    for (size_t i = first; i < end; i++)
        rest[i - first] = values[i] - track_line_at(&line, at_s[i]);
    line.value += sample_statistics(rest, end - first).median;
    free(rest);
    return line;
}

double track_line_at(const struct track_line *line, double at_s) {
    return line->value + line->per_s * (at_s - line->at_s);
}
