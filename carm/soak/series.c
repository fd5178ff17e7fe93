/* SPDX-License-Identifier: BSD-3-Clause
 * Changes over time (see series.h). Steps: at each moment the medians of the 8, 16, 32, … values before and after it
 * are compared. The same differences over the whole series show how much such medians differ by chance: the series'
 * own scatter. A step is far larger, and two levels fit the values around it better than a line does. The largest
 * step splits the series, and both parts are searched again. Drift: the median slope of all pairs of values with no
 * step between them (H. Theil, 1950; P. K. Sen, Journal of the American Statistical Association 63, 1968), against
 * the deviation of Kendall's S, widened by the same scatter. */
#include "series.h"
#include "soak_thresholds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/sample.h"
#include "probe/need.h"
#include "probe/order.h"

enum {
    MOST = 360,       /* values: a longer series is reduced to medians of neighbours, which also saves time */
    SCATTER_PARTS = 8 /* windows of at most this part of the series show the scatter */
};
static const struct soak_thresholds *const THRESHOLD = &soak_thresholds;

struct track {
    size_t count;
    double *at_s, *values;
    double scatter, wider; /* standard deviation of single values; factor by which medians of many scatter more than
                            * that implies */
};

static double median(const double *values, size_t count) {
    double own[MOST], *copy = count > MOST ? need_calloc(count, sizeof *copy) : own;
    memcpy(copy, values, count * sizeof *copy);
    const double middle = sample_median(copy, count);
    if (copy != own)
        free(copy);
    return middle;
}

/* Difference of the medians of `window` values after and before this moment. */
static double jump(const struct track *track, size_t at, size_t window) {
    return median(track->values + at, window) - median(track->values + at - window, window);
}

/* The spread of jumps over windows of 1, 2, 4, … values, as standard deviations of a single value. The largest
 * counts, so that correlated values scatter more; steps and steady drift hardly matter. */
static void find_scatter(struct track *track) {
    double *apart = need_calloc(track->count + 1, sizeof *apart);
    track->scatter = 1e-6 * fabs(median(track->values, track->count));
    for (size_t window = 1; window == 1 || window * SCATTER_PARTS <= track->count; window *= 2) {
        const size_t count = track->count + 1 - 2 * window;
        for (size_t i = 0; i < count; i++)
            apart[i] = jump(track, i + window, window);
        const double middle = median(apart, count);
        for (size_t i = 0; i < count; i++)
            apart[i] = fabs(apart[i] - middle);
        const double sigma = SAMPLE_MAD_TO_SIGMA * median(apart, count) * sqrt((double)window / 2);
        track->scatter = window == 1 ? fmax(track->scatter, sigma) : track->scatter;
        track->wider = window == 1 ? 1 : fmax(track->wider, sigma / track->scatter);
    }
    free(apart);
}

/* The finite values, reduced to medians of neighbours until they are few enough. */
static struct track track_make(const struct timeline *series) {
    struct track out = {.at_s = need_calloc(series->count + 1, sizeof(double)),
                        .values = need_calloc(series->count + 1, sizeof(double))};
    size_t count = 0;
    for (size_t i = 0; i < series->count; i++)
        if (isfinite(series->values[i])) {
            out.at_s[count] = series->at_s[i];
            out.values[count++] = series->values[i];
        }
    const size_t together = count > MOST ? (count + MOST - 1) / MOST : 1;
    for (size_t i = 0; i < count; i += together) {
        const size_t members = count - i < together ? count - i : together;
        out.at_s[out.count] = median(out.at_s + i, members);
        out.values[out.count++] = median(out.values + i, members);
    }
    return out;
}

static void summarise(const struct timeline *series, struct series_changes *out) {
    double *present = need_calloc(series->count + 1, sizeof *present);
    for (size_t i = 0; i < series->count; i++)
        if (isfinite(series->values[i]))
            present[out->count++] = series->values[i];
    const struct statistics all = sample_statistics(present, out->count);
    out->median = all.median, out->low = all.min, out->high = all.max;
    free(present);
}

/* The moment near this one that best splits the values into the levels before and after it. */
static size_t sharpen(const struct track *track, size_t at, size_t window) {
    const double before = median(track->values + at - window, window), after = median(track->values + at, window);
    double off = 0, least = 0;
    size_t best = at;
    for (size_t i = at - window; i + 1 < at + window; i++) {
        off += fabs(track->values[i] - before) - fabs(track->values[i] - after);
        if (off < least)
            least = off, best = i + 1;
    }
    return best;
}

/* Whether the values around this moment form two levels: these fit them better than the line through both, and the
 * ranks of the values differ, too (H. B. Mann and D. R. Whitney, 1947). */
static bool is_step(const struct track *track, size_t at, size_t window) {
    const double *values = track->values + at, before = median(values - window, window), after = median(values, window);
    const double n = (double)window, deviation = n * sqrt((2 * n + 1) / 12);
    double off_levels = 0, off_line = 0, ranks = 0;
    for (size_t i = 0; i < window; i++) {
        const double to_line = (after - before) * ((double)i + 0.5) / n, middle = (before + after) / 2;
        off_levels += fabs(values[i] - after) + fabs(values[-1 - (ptrdiff_t)i] - before);
        off_line += fabs(values[i] - middle - to_line) + fabs(values[-1 - (ptrdiff_t)i] - middle + to_line);
        for (size_t j = 0; j < window; j++)
            ranks += (values[i] > values[-1 - (ptrdiff_t)j]) - (values[i] < values[-1 - (ptrdiff_t)j]);
    }
    return off_levels < off_line && fabs(ranks) / 2 > THRESHOLD->rank_sigmas.value * deviation;
}

struct steps {
    size_t count, begins[SERIES_MAX_STEPS + 1]; /* begins of the new levels, by time; then the series' end */
    double least;
};

/* Adds the steps from `first` to `end`, by time. */
static void find_steps(const struct track *track, size_t first, size_t end, struct steps *steps) {
    double most = THRESHOLD->step_sigmas.value;
    size_t best = 0;
    for (size_t window = (size_t)THRESHOLD->window_values.value; 2 * window <= end - first; window *= 2)
        for (size_t at = first + window; at + window <= end; at++) {
            const double by = fabs(jump(track, at, window));
            const double beyond = by / (track->scatter * track->wider * sqrt(2 / (double)window));
            if (beyond > most && by >= steps->least && is_step(track, at, window))
                most = beyond, best = sharpen(track, at, window);
        }
    if (best == 0)
        return;
    find_steps(track, first, best, steps);
    if (steps->count < SERIES_MAX_STEPS)
        steps->begins[steps->count++] = best;
    find_steps(track, best, end, steps);
}

static void tell_steps(const struct track *track, const struct steps *steps, struct series_changes *out) {
    size_t from = 0;
    for (size_t i = 0; i < steps->count; i++) {
        const size_t at = steps->begins[i], end = steps->begins[i + 1];
        out->steps[i] =
            (struct series_step){(track->at_s[at - 1] + track->at_s[at]) / 2, median(track->values + from, at - from),
                                 median(track->values + at, end - at)};
        from = at;
    }
    out->step_count = steps->count;
}

static void find_drift(const struct track *track, const struct steps *steps, struct series_changes *out) {
    double *slopes = need_calloc(track->count * track->count / 2 + 1, sizeof *slopes), variance = 0;
    size_t count = 0, from = 0;
    for (size_t s = 0; s <= steps->count; from = steps->begins[s++]) {
        const double n = (double)(steps->begins[s] - from);
        variance += n * (n - 1) * (2 * n + 5) / 18;
        for (size_t i = from; i < steps->begins[s]; i++)
            for (size_t j = i + 1; j < steps->begins[s]; j++)
                if (track->at_s[j] > track->at_s[i])
                    slopes[count++] = (track->values[j] - track->values[i]) / (track->at_s[j] - track->at_s[i]);
    }
    qsort(slopes, count, sizeof *slopes, order_doubles);
    if (count > 0) {
        const double last = (double)(count - 1), deviation = track->wider * sqrt(variance) / (double)count;
        const double shares[] = {0, -SAMPLE_NORMAL_90, SAMPLE_NORMAL_90, -THRESHOLD->drift_sigmas.value,
                                 THRESHOLD->drift_sigmas.value};
        double at[sizeof shares / sizeof shares[0]];
        for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++)
            at[i] = slopes[(size_t)lround(last * fmin(fmax((1 + shares[i] * deviation) / 2, 0), 1))];
        out->per_s = at[0], out->per_s_low = at[1], out->per_s_high = at[2];
        const double span_s = track->at_s[track->count - 1] - track->at_s[0];
        out->drifts = at[3] * at[4] > 0 && fabs(out->per_s) * span_s >= steps->least;
    }
    free(slopes);
}

struct series_changes series_changes_find(const struct timeline *series, double least) {
    struct series_changes out = {0};
    summarise(series, &out);
    if ((double)out.count < THRESHOLD->judged_values.value)
        return out;
    out.judged = true;
    struct track track = track_make(series);
    struct steps steps = {.least = least};
    find_scatter(&track);
    find_steps(&track, 0, track.count, &steps);
    steps.begins[steps.count] = track.count;
    tell_steps(&track, &steps, &out);
    find_drift(&track, &steps, &out);
    free(track.at_s);
    free(track.values);
    return out;
}
