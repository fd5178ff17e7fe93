/* SPDX-License-Identifier: BSD-3-Clause
 * Where a level changes: circular binary segmentation (A. B. Olshen, E. S. Venkatraman and others, Biostatistics 5,
 * 2004). Of all runs of values the one is sought that differs most from the rest; its ends split the series, and each
 * part is searched again. A fault that comes and goes makes a run, where a single split would see little. */
#include <math.h>
#include <stdlib.h>

#include "probe/need.h"
#include "series_parts.h"

enum { LEAST_RUN = 5 };                /* values: fewer are no level */
static const double CLIPPED = 4;       /* standard deviations: a single value counts for no more */
static const double APART = 6;         /* standard errors between a run and the rest */
static const double RANK_APART = 3.29; /* standard deviations of the rank sum: one in a thousand */

struct run {
    size_t first, end;
    double apart;
};

/* Sums of values in standard deviations: sums[i] is that of the first i. */
static double *sums_of(const struct track *track, struct run whole, double noise) {
    const size_t count = whole.end - whole.first;
    const double median = track_median(track->values + whole.first, count);
    double *sums = need_calloc(count + 1, sizeof *sums);
    for (size_t i = 0; i < count; i++) {
        const double off = (track->values[whole.first + i] - median) / noise;
        sums[i + 1] = sums[i] + fmin(fmax(off, -CLIPPED), CLIPPED);
    }
    return sums;
}

/* The run that differs most from the rest; what it leaves at an end is a level, too, or nothing. */
static struct run most_apart(const struct track *track, struct run whole, double noise) {
    const size_t count = whole.end - whole.first;
    double *sums = sums_of(track, whole, noise);
    struct run best = {0};
    for (size_t i = 0; i + LEAST_RUN <= count; i = i ? i + 1 : LEAST_RUN)
        for (size_t j = i + LEAST_RUN; j <= count; j++) {
            const size_t inside = j - i, outside = count - inside;
            if (outside < LEAST_RUN || (j < count && count - j < LEAST_RUN))
                continue;
            const double off = sums[j] - sums[i] - sums[count] * (double)inside / (double)count;
            const double apart = fabs(off) / sqrt((double)inside * (double)outside / (double)count);
            if (apart > best.apart)
                best = (struct run){whole.first + i, whole.first + j, apart};
        }
    free(sums);
    return best;
}

/* The values of a part that lie in the run, and then the others. */
struct split {
    size_t inside, outside;
    double *values;
};

static struct split split_make(const struct track *track, struct run whole, struct run run) {
    const size_t inside = run.end - run.first, count = whole.end - whole.first;
    struct split split = {inside, count - inside, need_calloc(count + 1, sizeof *split.values)};
    size_t in = 0, out = inside;
    for (size_t i = whole.first; i < whole.end; i++)
        split.values[i >= run.first && i < run.end ? in++ : out++] = track->values[i];
    return split;
}

/* Mann and Whitney's rank sum of those inside against the others, in standard deviations. */
static double rank_apart(const struct split *split) {
    const double inside = (double)split->inside, outside = (double)split->outside;
    double above = 0;
    for (size_t i = 0; i < split->inside; i++)
        for (size_t j = split->inside; j < split->inside + split->outside; j++)
            above += split->values[i] > split->values[j] ? 1 : split->values[i] == split->values[j] ? 0.5 : 0;
    return fabs(above - inside * outside / 2) / sqrt(inside * outside * (inside + outside + 1) / 12);
}

static double sum_off(const double *values, size_t count, double from) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += fabs(values[i] - from);
    return sum;
}

/* Whether two levels tell the values better than a line does: what drifts makes no steps. */
static bool beats_line(const struct track *track, struct run whole, const struct split *split, double in, double out) {
    const struct track_line line = track_line(track, whole.first, whole.end);
    double off = 0;
    for (size_t i = whole.first; i < whole.end; i++)
        off += fabs(track->values[i] - track_line_at(&line, track->at_s[i]));
    return sum_off(split->values, split->inside, in) + sum_off(split->values + split->inside, split->outside, out) <
           off;
}

/* Standard errors between the run and the rest, where values hang together. */
static double apart_of(const struct track *track, struct run whole, struct run run, double in, double out) {
    const size_t count = whole.end - whole.first;
    double *rest = need_calloc(count + 1, sizeof *rest);
    for (size_t i = whole.first; i < whole.end; i++)
        rest[i - whole.first] = track->values[i] - (i >= run.first && i < run.end ? in : out);
    const double apart = run.apart / track_wider(rest, count);
    free(rest);
    return apart;
}

static bool is_level(const struct track *track, struct run whole, struct run run, double least) {
    if (run.apart < APART)
        return false;
    struct split split = split_make(track, whole, run);
    const double in = track_median(split.values, split.inside),
                 out = track_median(split.values + split.inside, split.outside);
    const bool is = fabs(in - out) >= least && rank_apart(&split) > RANK_APART &&
                    apart_of(track, whole, run, in, out) >= APART && beats_line(track, whole, &split, in, out);
    free(split.values);
    return is;
}

struct steps {
    size_t count, *begins; /* by time */
    double noise, least;
};

static void search(const struct track *track, struct run whole, struct steps *steps) {
    const struct run run = most_apart(track, whole, steps->noise);
    if (!is_level(track, whole, run, steps->least))
        return;
    const struct run before = {whole.first, run.first, 0}, after = {run.end, whole.end, 0};
    if (before.end > before.first) {
        search(track, before, steps);
        if (steps->count < SERIES_MAX_STEPS)
            steps->begins[steps->count++] = run.first;
    }
    search(track, (struct run){run.first, run.end, 0}, steps);
    if (after.end > after.first) {
        if (steps->count < SERIES_MAX_STEPS)
            steps->begins[steps->count++] = run.end;
        search(track, after, steps);
    }
}

/* How far the levels on both sides of a step differ. */
static double size_of(const struct track *track, const struct steps *steps, size_t i) {
    const size_t from = i ? steps->begins[i - 1] : 0, at = steps->begins[i],
                 end = i + 1 < steps->count ? steps->begins[i + 1] : track->count;
    return fabs(track_median(track->values + at, end - at) - track_median(track->values + from, at - from));
}

/* Levels that differ too little become one, the most alike first. */
static void merge(const struct track *track, struct steps *steps) {
    while (steps->count > 0) {
        size_t least = 0;
        for (size_t i = 1; i < steps->count; i++)
            if (size_of(track, steps, i) < size_of(track, steps, least))
                least = i;
        if (size_of(track, steps, least) >= steps->least)
            return;
        for (size_t i = least; i + 1 < steps->count; i++)
            steps->begins[i] = steps->begins[i + 1];
        steps->count--;
    }
}

size_t series_steps_find(const struct track *track, double least, size_t *begins) {
    struct steps steps = {.begins = begins, .noise = track_noise(track), .least = least};
    search(track, (struct run){0, track->count, 0}, &steps);
    merge(track, &steps);
    return steps.count;
}
