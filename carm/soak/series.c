/* SPDX-License-Identifier: BSD-3-Clause
 * What changes over time (see series.h): the order of the search, and what all of it rests on. */
#include "series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sample/sample.h"
#include "probe/need.h"
#include "series_parts.h"

/* The values that are there, as medians of as many neighbours as make few enough of them. */
static struct track track_make(const struct timeline *series) {
    struct track all = {.at_s = need_calloc(series->count + 1, sizeof(double)),
                        .values = need_calloc(series->count + 1, sizeof(double))};
    for (size_t i = 0; i < series->count; i++)
        if (isfinite(series->values[i])) {
            all.at_s[all.count] = series->at_s[i];
            all.values[all.count++] = series->values[i];
        }
    const size_t together = (all.count + SERIES_MOST - 1) / SERIES_MOST;
    size_t count = 0;
    for (size_t i = 0; together > 1 && i < all.count; i += together) {
        const size_t members = all.count - i < together ? all.count - i : together;
        all.at_s[count] = track_median(all.at_s + i, members);
        all.values[count++] = track_median(all.values + i, members);
    }
    all.count = together > 1 ? count : all.count;
    return all;
}

static void track_free(struct track *track) {
    free(track->at_s);
    free(track->values);
}

static void summarise(const struct timeline *series, struct series_changes *out) {
    double *present = need_calloc(series->count + 1, sizeof *present);
    for (size_t i = 0; i < series->count; i++) {
        const double value = series->values[i];
        if (!isfinite(value))
            continue;
        if (out->count == 0 || value < out->low)
            out->low = value, out->low_at_s = series->at_s[i];
        if (out->count == 0 || value > out->high)
            out->high = value, out->high_at_s = series->at_s[i];
        present[out->count++] = value;
    }
    out->median = sample_statistics(present, out->count).median;
    free(present);
}

/* Takes a line away, or gives it back. */
static void add_line(struct track *track, const struct track_line *line, double sign) {
    for (size_t i = 0; i < track->count; i++)
        track->values[i] += sign * line->per_s * (track->at_s[i] - line->at_s);
}

/* The values without periods, which would look like steps. */
static void take_periods_first(struct track *track, double least) {
    struct series_changes ignored = {0};
    const struct track_line line = track_line(track, 0, track->count);
    add_line(track, &line, -1);
    series_periods_take(track, least, &ignored);
    add_line(track, &line, 1);
}

static void tell_steps(const struct track *track, const size_t *begins, size_t steps, struct series_changes *out) {
    for (size_t i = 0; i < steps; i++) {
        const size_t from = i ? begins[i - 1] : 0, at = begins[i], end = i + 1 < steps ? begins[i + 1] : track->count;
        out->steps[i] = (struct series_step){(track->at_s[at - 1] + track->at_s[at]) / 2,
                                             track_median(track->values + from, at - from),
                                             track_median(track->values + at, end - at)};
    }
    out->step_count = steps;
}

/* What is left without levels and slope. */
static void flatten(struct track *track, const size_t *begins, size_t steps, double per_s) {
    for (size_t s = 0; s <= steps; s++) {
        const size_t from = s ? begins[s - 1] : 0, end = s < steps ? begins[s] : track->count;
        for (size_t i = from; i < end; i++)
            track->values[i] -= per_s * (track->at_s[i] - track->at_s[0]);
        const double level = track_median(track->values + from, end - from);
        for (size_t i = from; i < end; i++)
            track->values[i] -= level;
    }
}

struct series_changes series_changes_find(const struct timeline *series, double least) {
    struct series_changes out = {0};
    size_t begins[SERIES_MAX_STEPS];
    summarise(series, &out);
    if (out.count < SERIES_LEAST)
        return out;
    out.judged = true;
    struct track whole = track_make(series), smooth = track_make(series);
    take_periods_first(&smooth, least);
    const size_t steps = series_steps_find(&smooth, least, begins);
    tell_steps(&smooth, begins, steps, &out);
    series_drift_find(&smooth, begins, steps, least, &out);
    flatten(&whole, begins, steps, out.drifts ? out.per_s : 0);
    series_periods_take(&whole, least, &out);
    out.noise = track_deviation(whole.values, whole.count);
    track_free(&whole);
    track_free(&smooth);
    return out;
}
