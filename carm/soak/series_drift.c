/* SPDX-License-Identifier: BSD-3-Clause
 * Drift: the median of the slopes of all pairs of values with no step between them (H. Theil, 1950; P. K. Sen, Journal
 * of the American Statistical Association 63, 1968), with the interval that follows from Kendall's S. Values that hang
 * together tell less than as many that do not: the interval is wider by what neighbours have in common. */
#include <math.h>
#include <stdlib.h>

#include "bench/sample/sample.h"
#include "probe/need.h"
#include "series_parts.h"

enum { FEWEST_APART = 256 };             /* of longer series each value is paired with so many */
static const double BEYOND_CHANCE = 4.5; /* standard deviations of S */

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Slopes of pairs, sorted, and how many standard deviations of S all pairs are. */
struct slopes {
    size_t count;
    double *of, pairs, deviation;
};

static struct slopes slopes_of(const struct track *track, const size_t *begins, size_t steps) {
    const size_t apart = (track->count + FEWEST_APART - 1) / FEWEST_APART;
    struct slopes out = {.of = need_calloc(track->count * (track->count / apart + 1) + 1, sizeof *out.of)};
    double variance = 0;
    for (size_t s = 0; s <= steps; s++) {
        const size_t from = s ? begins[s - 1] : 0, end = s < steps ? begins[s] : track->count;
        const double n = (double)(end - from);
        variance += n * (n - 1) * (2 * n + 5) / 18;
        out.pairs += n * (n - 1) / 2;
        for (size_t i = from; i < end; i++)
            for (size_t j = i + apart; j < end; j += apart)
                if (track->at_s[j] > track->at_s[i])
                    out.of[out.count++] = (track->values[j] - track->values[i]) / (track->at_s[j] - track->at_s[i]);
    }
    out.deviation = sqrt(variance);
    qsort(out.of, out.count, sizeof *out.of, by_size);
    return out;
}

static double wider_by(const struct track *track, const size_t *begins, size_t steps, double per_s) {
    double *rest = need_calloc(track->count + 1, sizeof *rest);
    for (size_t s = 0; s <= steps; s++) {
        const size_t from = s ? begins[s - 1] : 0, end = s < steps ? begins[s] : track->count;
        for (size_t i = from; i < end; i++)
            rest[i] = track->values[i] - per_s * (track->at_s[i] - track->at_s[0]);
        const double level = track_median(rest + from, end - from);
        for (size_t i = from; i < end; i++)
            rest[i] -= level;
    }
    const double wider = track_wider(rest, track->count);
    free(rest);
    return wider;
}

/* The slope that so many standard deviations of S are beyond; of the sorted ones. */
static double slope_at(const struct slopes *slopes, double deviations, double wider) {
    const double share = (1 + deviations * wider * slopes->deviation / slopes->pairs) / 2;
    const double at = fmin(fmax(share, 0), 1) * (double)(slopes->count - 1);
    return slopes->of[(size_t)lround(at)];
}

void series_drift_find(const struct track *track, const size_t *begins, size_t steps, double least,
                       struct series_changes *out) {
    struct slopes slopes = slopes_of(track, begins, steps);
    if (slopes.count > 0) {
        out->per_s = slope_at(&slopes, 0, 1);
        const double wider = wider_by(track, begins, steps, out->per_s),
                     span_s = track->at_s[track->count - 1] - track->at_s[0];
        out->per_s_low = slope_at(&slopes, -SAMPLE_NORMAL_90, wider);
        out->per_s_high = slope_at(&slopes, SAMPLE_NORMAL_90, wider);
        const bool by_chance =
            slope_at(&slopes, -BEYOND_CHANCE, wider) <= 0 && slope_at(&slopes, BEYOND_CHANCE, wider) >= 0;
        out->drifts = !by_chance && fabs(out->per_s) * span_s >= least;
    }
    free(slopes.of);
}
