/* SPDX-License-Identifier: BSD-3-Clause
 * Repetitions → number (see sample.h). */
#include "sample.h"

#include <math.h>
#include <stdlib.h>

#include "doubt.h"

static const double SHORTEST_S = 20e-6;
static const double CLOCK_MAY_MOVE = 0.05;
/* How far the number may move if a tenth of the repetitions came out otherwise: beyond it is unstable. The plain spread
 * is no such measure: a kernel may run in two ways, one slower, and still have a firm upper quartile. */
static const double PACED_MAY_MOVE = 0.01, UNPACED_MAY_MOVE = 0.05;

static int compare_double(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, size_t n, double q) {
    double position = q * (double)(n - 1);
    size_t below = (size_t)position;
    double fraction = position - (double)below;
    return below + 1 < n ? sorted[below] * (1 - fraction) + sorted[below + 1] * fraction : sorted[n - 1];
}

struct statistics sample_statistics(double *values, size_t n) {
    if (n == 0)
        return (struct statistics){0};
    qsort(values, n, sizeof values[0], compare_double);
    return (struct statistics){
        .n = (unsigned)n,
        .kept = (unsigned)n,
        .min = values[0],
        .q1 = quantile(values, n, 0.25),
        .median = quantile(values, n, 0.5),
        .q3 = quantile(values, n, 0.75),
        .max = values[n - 1],
    };
}

static const double STATISTIC_QUANTILES[] = {0.75, 0.5, 1};

static double pick(const double *sorted, size_t n, enum sample_statistic statistic) {
    return n ? quantile(sorted, n, STATISTIC_QUANTILES[statistic]) : 0;
}

/* By how much the picked quantile differs over a tenth of the repetitions to either side. */
static double looseness(const double *sorted, size_t n, enum sample_statistic statistic) {
    double at = STATISTIC_QUANTILES[statistic], picked = pick(sorted, n, statistic);
    return n && picked > 0 ? (quantile(sorted, n, fmin(1, at + 0.1)) - quantile(sorted, n, at - 0.1)) / picked : 0;
}

static double relative_spread(const struct statistics *of) {
    return of->median > 0 ? (of->q3 - of->q1) / of->median : 0;
}

/* A tick that jumped or a clock that could not be read must not put an infinity into the file. */
static bool is_timed(const struct repetition *r) {
    return r->seconds > 1e-9 && r->seconds < 1e9;
}

static double plausible_hz(double hz) {
    return hz > 1e6 && hz < 1e12 ? hz : 0;
}

static bool agrees(const struct repetition *r) {
    return is_timed(r) && plausible_hz(r->clock_hz) > 0 && r->clock_spread <= SAMPLE_SLICES_AGREE;
}

static double inverse(double x) {
    return x > 0 ? 1 / x : 0;
}

void sample_reduce(struct sample *out, const struct repetition *repetitions, size_t n, double work, bool core_paced,
                   enum sample_statistic statistic) {
    double *rate = calloc(4 * n + 1, sizeof *rate), *clock = rate + n, *per_cycle = clock + n, *seconds = per_cycle + n;
    size_t agreeing = 0, kept = 0;
    unsigned cores = out->cores ? out->cores : out->threads;
    for (size_t i = 0; i < n; i++)
        agreeing += agrees(&repetitions[i]);
    /* A clock that never agrees with itself must not empty the sample: then everything counts, with a doubt. */
    bool filter = core_paced && agreeing > 0;
    for (size_t i = 0; i < n; i++) {
        const struct repetition *r = &repetitions[i];
        if (filter ? !agrees(r) : !is_timed(r))
            continue;
        rate[kept] = work / r->seconds;
        clock[kept] = plausible_hz(r->clock_hz);
        per_cycle[kept] = clock[kept] > 0 ? rate[kept] / clock[kept] / cores : 0;
        seconds[kept++] = r->seconds;
    }
    struct statistics rates = sample_statistics(rate, kept), clocks = sample_statistics(clock, kept),
                      cycles = sample_statistics(per_cycle, kept);
    out->repetition_s = sample_statistics(seconds, kept).median;
    out->rate = rates;
    out->rate.n = (unsigned)n;
    out->clock_hz = clocks.median;
    out->clock_min_hz = clocks.min;
    out->clock_max_hz = clocks.max;
    bool clock_known = clocks.median > 0 && cycles.q3 > 0;
    if (core_paced && clock_known) {
        out->per_cycle = pick(per_cycle, kept, statistic);
        out->value = out->per_cycle * cores * clocks.median;
        out->spread = relative_spread(&cycles);
    } else {
        out->value = pick(rate, kept, statistic);
        out->per_cycle = clock_known ? out->value / cores / clocks.median : 0;
        out->spread = relative_spread(&rates);
    }
    out->doubts |= clock_known ? 0 : DOUBT_CLOCK_UNKNOWN;
    out->doubts |= kept && out->repetition_s < SHORTEST_S ? DOUBT_TOO_SHORT : 0;
    out->doubts |= core_paced && clock_known && clocks.q3 > clocks.q1 * (1 + CLOCK_MAY_MOVE) ? DOUBT_CLOCK_DRIFTED : 0;
    bool by_cycle = core_paced && clock_known;
    bool loose =
        looseness(by_cycle ? per_cycle : rate, kept, statistic) > (core_paced ? PACED_MAY_MOVE : UNPACED_MAY_MOVE);
    out->doubts |= kept < SAMPLE_KEPT_AT_LEAST || loose ? DOUBT_UNSTABLE : 0;
    if (out->kind == SAMPLE_LATENCY) { /* accesses per second → seconds per access */
        struct statistics r = out->rate;
        out->rate.min = inverse(r.max), out->rate.q1 = inverse(r.q3), out->rate.median = inverse(r.median);
        out->rate.q3 = inverse(r.q1), out->rate.max = inverse(r.min);
        out->value = inverse(out->value);
        out->per_cycle = inverse(out->per_cycle);
    }
    free(rate);
}
