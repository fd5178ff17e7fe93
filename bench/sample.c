/* SPDX-License-Identifier: BSD-3-Clause
 * Repetitions → number (see sample.h). */
#include "sample.h"

#include <math.h>
#include <stdlib.h>

#include "doubt.h"

enum { KEPT_AT_LEAST = 30 };
static const double SLICES_AGREE = 0.005; /* beyond this the clock moved while it was read */
static const double SHORTEST_S = 20e-6;
static const double CLOCK_MAY_MOVE = 0.05;
static const double PACED_SPREAD = 0.02, UNPACED_SPREAD = 0.10; /* beyond: unstable */

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

static double pick(const struct statistics *of, enum sample_statistic statistic) {
    switch (statistic) {
    case STATISTIC_MEDIAN:
        return of->median;
    case STATISTIC_BEST:
        return of->max;
    default:
        return of->q3;
    }
}

static double relative_spread(const struct statistics *of) {
    return of->median > 0 ? (of->q3 - of->q1) / of->median : 0;
}

void sample_reduce(struct sample *out, const struct repetition *repetitions, size_t n, double work, bool core_paced,
                   enum sample_statistic statistic) {
    double *rate = calloc(4 * n + 1, sizeof *rate), *clock = rate + n, *per_cycle = clock + n, *seconds = per_cycle + n;
    size_t agreeing = 0, kept = 0;
    for (size_t i = 0; i < n; i++)
        agreeing += repetitions[i].clock_spread <= SLICES_AGREE;
    /* A clock that never agrees with itself must not empty the sample: then everything counts, with a doubt. */
    bool filter = core_paced && agreeing > 0;
    for (size_t i = 0; i < n; i++) {
        const struct repetition *r = &repetitions[i];
        if (filter && r->clock_spread > SLICES_AGREE)
            continue;
        rate[kept] = work / r->seconds;
        clock[kept] = r->clock_hz;
        per_cycle[kept] = rate[kept] / r->clock_hz / out->threads;
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
    bool clock_known = clocks.median > 0 && isfinite(cycles.q3);
    if (core_paced && clock_known) {
        out->per_cycle = pick(&cycles, statistic);
        out->value = out->per_cycle * out->threads * clocks.median;
        out->spread = relative_spread(&cycles);
    } else {
        out->value = pick(&rates, statistic);
        out->per_cycle = clock_known ? out->value / out->threads / clocks.median : 0;
        out->spread = relative_spread(&rates);
    }
    out->doubts |= clock_known ? 0 : DOUBT_CLOCK_UNKNOWN;
    out->doubts |= kept && out->repetition_s < SHORTEST_S ? DOUBT_TOO_SHORT : 0;
    out->doubts |= clock_known && clocks.q3 / clocks.q1 > 1 + CLOCK_MAY_MOVE ? DOUBT_CLOCK_DRIFTED : 0;
    bool scattered = out->spread > (core_paced ? PACED_SPREAD : UNPACED_SPREAD);
    out->doubts |= kept < KEPT_AT_LEAST || scattered ? DOUBT_UNSTABLE : 0;
    if (out->kind == SAMPLE_LATENCY) { /* accesses per second → seconds per access */
        struct statistics r = out->rate;
        out->rate.min = 1 / r.max, out->rate.q1 = 1 / r.q3, out->rate.median = 1 / r.median;
        out->rate.q3 = 1 / r.q1, out->rate.max = 1 / r.min;
        out->value = 1 / out->value;
        out->per_cycle = out->per_cycle > 0 ? 1 / out->per_cycle : 0;
    }
    free(rate);
}
