/* SPDX-License-Identifier: BSD-3-Clause
 * Repetitions → a number and its interval; statistics of values. */
#include "sample.h"
#include "doubt.h"
#include "number_thresholds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probe/clock.h"
#include "probe/need.h"
#include "probe/order.h"

const char *const sample_statistic_names[] = {"upper-quartile", "median", "best", NULL};

static const struct number_thresholds *const THRESHOLD = &number_thresholds;

static double sample_quantile(const double *sorted, size_t n, double q) {
    double position = q * (double)(n - 1);
    size_t below = (size_t)position;
    double fraction = position - (double)below;
    return below + 1 < n ? sorted[below] * (1 - fraction) + sorted[below + 1] * fraction : sorted[n - 1];
}

double sample_median_of_three(double a, double b, double c) {
    return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

struct statistics sample_statistics(double *values, size_t n) {
    if (n == 0)
        return (struct statistics){0};
    qsort(values, n, sizeof values[0], order_doubles);
    return (struct statistics){
        .n = (unsigned)n,
        .kept = (unsigned)n,
        .min = values[0],
        .q1 = sample_quantile(values, n, 0.25),
        .median = sample_quantile(values, n, 0.5),
        .q3 = sample_quantile(values, n, 0.75),
        .max = values[n - 1],
    };
}

/* Moves the value of rank `place` to that index: no larger value before it, no smaller one after it (C. A. R. Hoare,
 * Algorithm 65: Find, CACM 4, 1961). */
static void find_place(double *values, ptrdiff_t n, ptrdiff_t place) {
    for (ptrdiff_t first = 0, last = n - 1; first < last;) {
        const double pivot = values[place];
        ptrdiff_t up = first, down = last;
        while (up <= down) {
            while (values[up] < pivot)
                up++;
            while (values[down] > pivot)
                down--;
            if (up > down)
                break;
            const double moved = values[up];
            values[up++] = values[down];
            values[down--] = moved;
        }
        first = down < place ? up : first;
        last = up > place ? down : last;
    }
}

double sample_median(double *values, size_t n) {
    if (n == 0)
        return 0;
    const size_t middle = (n - 1) / 2;
    find_place(values, (ptrdiff_t)n, (ptrdiff_t)middle);
    if (n % 2)
        return values[middle];
    double next = values[middle + 1];
    for (size_t i = middle + 2; i < n; i++)
        next = fmin(next, values[i]);
    return values[middle] * 0.5 + next * 0.5;
}

double repetitions_fastest_s(const struct repetition *of, size_t n) {
    double fastest_s = INFINITY;
    for (size_t i = 0; i < n; i++)
        fastest_s = fmin(fastest_s, of[i].seconds);
    return fastest_s;
}

bool repetitions_lengthen(uint64_t *count, double seconds, double aim_s) {
    static const double MOST_TIMES = 1e6;
    const uint64_t most = UINT64_C(1) << 48;
    const bool known = seconds > aim_s / 8;
    if (!known && *count > most) /* the time does not grow with the count */
        return true;
    *count = known ? (uint64_t)fmax(1, fmin((double)*count * MOST_TIMES, round((double)*count * aim_s / seconds)))
                   : *count * 8;
    return known;
}

bool repetitions_are_short(const struct repetition *of, size_t n, double aim_s) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += of[i].seconds < aim_s / 2;
    return 2 * count > n;
}

static const double STATISTIC_QUANTILES[] = {0.75, 0.5, 1};

static double pick(const double *sorted, size_t n, enum sample_statistic statistic) {
    return n ? sample_quantile(sorted, n, STATISTIC_QUANTILES[statistic]) : 0;
}

void sample_quantile_interval(const double *sorted, size_t n, double q, double *low, double *high) {
    *low = *high = 0;
    if (n == 0)
        return;
    const double middle = q * (double)n, half = SAMPLE_NORMAL_90 * sqrt((double)n * q * (1 - q)),
                 last = (double)(n - 1);
    *low = sorted[(size_t)fmin(fmax(floor(middle - half), 0), last)];
    *high = sorted[(size_t)fmin(ceil(middle + half), last)];
}

static double relative_spread(const struct statistics *of) {
    return of->median > 0 ? (of->q3 - of->q1) / of->median : 0;
}

/* A jump of the tick counter or an unreadable clock must not put an infinity into the file. */
static bool is_timed(const struct repetition *r) {
    return r->seconds > 1e-9 && r->seconds < 1e9;
}

static double plausible_hz(double hz) {
    return hz > 1e6 && hz < 1e12 ? hz : 0;
}

static bool agrees(const struct repetition *r) {
    return is_timed(r) && plausible_hz(r->clock_hz) > 0 && r->clock_spread <= CLOCK_AGREES;
}

/* The lane's clock was the same after the repetition before. Otherwise it moved during this repetition. */
static bool is_steady(const struct repetitions *all, size_t at) {
    const struct repetition *r = &all->of[at];
    if (!agrees(r) || at < all->lanes)
        return false;
    const double before_hz = plausible_hz(all->of[at - all->lanes].clock_hz);
    return before_hz > 0 && fabs(r->clock_hz / before_hz - 1) <= CLOCK_AGREES;
}

/* Before and after the repetition the lane had its core to itself, or the core's width is unknown. */
static bool sample_was_alone(const struct repetitions *all, size_t at) {
    if (!all->alone_noops_per_cycle)
        return true;
    const double least = THRESHOLD->core_alone.value * all->alone_noops_per_cycle[at % all->lanes];
    return all->of[at].noops_per_cycle >= least &&
           (at < all->lanes || all->of[at - all->lanes].noops_per_cycle >= least);
}

static double inverse(double x) {
    return x > 0 ? 1 / x : 0;
}

/* Lanes that wait for each other are interrupted together. */
static bool was_interrupted(const struct repetitions *all, size_t at) {
    const size_t first = all->core_paced ? at : at - at % all->lanes, count = all->core_paced ? 1 : all->lanes;
    for (size_t i = first; i < first + count; i++)
        if (all->of[i].interrupted)
            return true;
    return false;
}

/* Cores that share a level have a number only for what they do at the same time. In an interrupted repetition one may
 * run after the other: then the time is the scheduler's. */
static bool ran_apart(const struct repetitions *all, size_t at) {
    const size_t first = at - at % all->lanes;
    if (all->core_paced || !was_interrupted(all, at))
        return false;
    for (size_t i = first; i < first + all->lanes; i++)
        if (all->of[i].seconds < THRESHOLD->together.value * all->of[i].team_s)
            return true;
    return false;
}

/* The core clock does not pace what lies behind TIMED_ALONE. */
enum filter { STEADY_ALONE, STEADY, AGREEING, TIMED_ALONE, TIMED };

/* The accepted repetitions of all lanes or of one. */
struct kept {
    enum filter filter;
    bool interrupted_too;
    size_t count;
    double *rate, *clock, *per_cycle, *seconds;
};

static bool passes(const struct repetitions *all, size_t at, const struct kept *by) {
    if ((!by->interrupted_too && was_interrupted(all, at)) || ran_apart(all, at))
        return false;
    return by->filter == STEADY_ALONE  ? is_steady(all, at) && sample_was_alone(all, at)
           : by->filter == STEADY      ? is_steady(all, at)
           : by->filter == AGREEING    ? agrees(&all->of[at])
           : by->filter == TIMED_ALONE ? is_timed(&all->of[at]) && !all->core_paced && sample_was_alone(all, at)
                                       : is_timed(&all->of[at]);
}

/* So few repetitions had their core to themselves at both ends that others may have come and gone meanwhile; of what
 * the core does not pace only several cores are asked, since a host may run two CPUs of a virtual machine on one core.
 */
static bool mostly_beside_others(const struct repetitions *all) {
    size_t alone = 0;
    for (size_t i = 0; i < all->count * all->lanes; i++)
        alone += sample_was_alone(all, i);
    return (all->core_paced || all->lanes > 1) &&
           (double)alone < THRESHOLD->undisturbed.value * (double)(all->count * all->lanes);
}

/* Interrupted repetitions are excluded if enough of all were not interrupted. */
static bool mostly_interrupted(const struct repetitions *all) {
    size_t whole = 0;
    for (size_t i = 0; i < all->count * all->lanes; i++)
        whole += !was_interrupted(all, i);
    return (double)whole < THRESHOLD->undisturbed.value * (double)(all->count * all->lanes);
}

/* Uses the strictest filter that leaves enough: a clock that never agrees with itself must not empty the sample. */
static void choose_filter(const struct repetitions *all, struct kept *out) {
    out->interrupted_too = mostly_interrupted(all);
    for (out->filter = all->core_paced  ? STEADY_ALONE
                       : all->lanes > 1 ? TIMED_ALONE
                                        : TIMED;
         out->filter < TIMED; out->filter++) {
        size_t left = 0;
        for (size_t i = 0; i < all->count * all->lanes; i++)
            left += passes(all, i, out);
        if (left > 0 && (double)left / (double)(all->count * all->lanes) >= THRESHOLD->filtered.value)
            return;
    }
}

/* Paced work counts lane by lane. Other work concerns all lanes together: from the first start to the last end. */
static void sample_keep(const struct repetitions *all, unsigned cores, size_t first_lane, size_t lane_step,
                        struct kept *out) {
    out->count = 0;
    for (size_t i = first_lane; i < all->count * all->lanes; i += lane_step) {
        const struct repetition *r = &all->of[i];
        if (!passes(all, i, out))
            continue;
        double seconds = all->core_paced ? r->seconds : r->team_s;
        double rate = seconds > 0 ? all->work * all->lanes / seconds : 0, hz = plausible_hz(r->clock_hz);
        out->rate[out->count] = rate;
        out->clock[out->count] = hz;
        out->per_cycle[out->count] = hz > 0 ? rate / hz / cores : 0;
        out->seconds[out->count++] = seconds;
    }
}

/* One number from the accepted repetitions, and its interval. */
struct number {
    double value, low, high, spread;
};

static struct number sample_number_of(double *values, size_t n, enum sample_statistic statistic) {
    struct statistics all = sample_statistics(values, n);
    struct number number = {.value = pick(values, n, statistic), .spread = relative_spread(&all)};
    sample_quantile_interval(values, n, STATISTIC_QUANTILES[statistic], &number.low, &number.high);
    return number;
}

/* For cores of several kinds: the mean of the lanes' numbers. A lane without accepted repetitions counts as the mean of
 * the others, here and for the clock. */
static struct number mean_of_lanes(const struct repetitions *all, unsigned cores, struct kept *kept,
                                   enum sample_statistic statistic) {
    struct number sum = {0};
    unsigned known = 0;
    for (unsigned lane = 0; lane < all->lanes; lane++) {
        sample_keep(all, cores, lane, all->lanes, kept);
        struct number own = sample_number_of(kept->per_cycle, kept->count, statistic);
        sum.value += own.value;
        sum.low += own.low;
        sum.high += own.high;
        sum.spread = fmax(sum.spread, own.spread);
        known += own.value > 0;
    }
    const unsigned by = known ? known : 1;
    return (struct number){sum.value / by, sum.low / by, sum.high / by, sum.spread};
}

/* The mean of the lanes' median clocks. */
static double mean_clock(const struct repetitions *all, unsigned cores, struct kept *kept) {
    double sum = 0;
    unsigned known = 0;
    for (unsigned lane = 0; lane < all->lanes; lane++) {
        sample_keep(all, cores, lane, all->lanes, kept);
        double own = sample_statistics(kept->clock, kept->count).median;
        sum += own;
        known += own > 0;
    }
    return known ? sum / known : 0;
}

/* Accesses per second → seconds per access. */
static void sample_invert(struct sample *out) {
    struct statistics r = out->rate;
    out->rate.min = inverse(r.max), out->rate.q1 = inverse(r.q3), out->rate.median = inverse(r.median);
    out->rate.q3 = inverse(r.q1), out->rate.max = inverse(r.min);
    double low = out->low;
    out->low = inverse(out->high), out->high = inverse(low);
    out->value = inverse(out->value);
    out->per_cycle = inverse(out->per_cycle);
}

void sample_reduce(struct sample *out, const struct repetitions *all, enum sample_statistic statistic) {
    const size_t n = all->count * all->lanes;
    double *room = need_calloc(4 * n + 1, sizeof *room);
    struct kept kept = {.rate = room, .clock = room + n, .per_cycle = room + 2 * n, .seconds = room + 3 * n};
    choose_filter(all, &kept);
    const unsigned cores = out->cores ? out->cores : all->lanes;
    const double clock_hz = mean_clock(all, cores, &kept);
    struct number by_lane = all->lanes_differ ? mean_of_lanes(all, cores, &kept, statistic) : (struct number){0};
    sample_keep(all, cores, 0, 1, &kept);
    out->repetition_s = sample_statistics(kept.seconds, kept.count).median;
    const struct statistics clocks = sample_statistics(kept.clock, kept.count);
    const struct number per_cycle =
        all->lanes_differ ? by_lane : sample_number_of(kept.per_cycle, kept.count, statistic);
    const struct number rate = sample_number_of(kept.rate, kept.count, statistic);
    out->rate = sample_statistics(kept.rate, kept.count);
    out->rate.n = (unsigned)n;
    out->clock_hz = clock_hz;
    out->clock_min_hz = clocks.min;
    out->clock_max_hz = clocks.max;
    const bool clock_known = clocks.median > 0 && per_cycle.value > 0;
    const bool by_cycle = all->core_paced && clock_known;
    const struct number *number = by_cycle ? &per_cycle : &rate;
    const double unit = by_cycle ? cores * clock_hz : 1;
    out->value = number->value * unit;
    out->low = number->low * unit * (by_cycle ? 1 - all->clock_within : 1);
    out->high = number->high * unit * (by_cycle ? 1 + all->clock_within : 1);
    out->spread = number->spread;
    out->per_cycle = by_cycle ? per_cycle.value : clock_known ? out->value / cores / clock_hz : 0;
    doubts_add_if(&out->doubts, !clock_known, DOUBT_CLOCK_UNKNOWN);
    const double least_s = fmax(THRESHOLD->too_short_s.value, THRESHOLD->tick_steps.value * all->step_s);
    doubts_add_if(&out->doubts, kept.count && out->repetition_s < least_s, DOUBT_TOO_SHORT);
    const bool never_agrees = by_cycle && kept.filter == TIMED; /* the fastest slice may follow a change of the clock */
    const bool drifts = by_cycle && clocks.q3 > clocks.q1 * (1 + THRESHOLD->clock_drifts.value);
    doubts_add_if(&out->doubts, never_agrees || drifts, DOUBT_CLOCK_DRIFTED);
    doubts_add_if(&out->doubts, kept.interrupted_too, DOUBT_CORE_SHARED);
    doubts_add_if(&out->doubts, mostly_beside_others(all), DOUBT_SIBLING_BUSY);
    if (out->kind == SAMPLE_LATENCY)
        sample_invert(out);
    free(room);
}

bool sample_is_blank(const struct sample *sample) {
    return !(sample->value > 0) || doubts_has(sample->doubts, DOUBT_TOO_SHORT);
}

void sample_blank(struct sample *sample) {
    sample->value = sample->low = sample->high = sample->per_cycle = 0;
    sample->clock_hz = sample->clock_min_hz = sample->clock_max_hz = 0;
}

unsigned sample_cores(const struct sample *sample) {
    return sample->cores ? sample->cores : sample->threads;
}

bool sample_same_part(const struct sample *a, const struct sample *b) {
    return a->package == b->package && a->node == b->node && a->memory_node == b->memory_node &&
           strcmp(a->core_kind, b->core_kind) == 0;
}

bool sample_same_place(const struct sample *a, const struct sample *b) {
    return a->threads == b->threads && a->cores == b->cores && sample_same_part(a, b);
}

/* The bootstrap of a median. Pure: it has its own generator of random numbers. */

/* xorshift64*, its high half. */
static uint32_t next_chance(uint64_t *state) {
    *state ^= *state >> 12, *state ^= *state << 25, *state ^= *state >> 27;
    return (uint32_t)(*state * UINT64_C(2685821657736338717) >> 32);
}

/* Counts how often each sorted value is drawn, so that the median needs no sorting. */
static double draw_median(const double *sorted, size_t n, unsigned *taken, uint64_t *state) {
    memset(taken, 0, n * sizeof *taken);
    for (size_t i = 0; i < n; i++)
        taken[(uint64_t)next_chance(state) * n >> 32]++;
    double below = 0;
    for (size_t i = 0, count = 0; i < n; i++) {
        const size_t before = count;
        count += taken[i];
        if (before <= (n - 1) / 2 && count > (n - 1) / 2)
            below = sorted[i];
        if (count > n / 2)
            return (below + sorted[i]) / 2;
    }
    return below;
}

struct median_interval bootstrap_median(const double *values, size_t n) {
    if (n < BOOTSTRAP_LEAST)
        return (struct median_interval){0, 0};
    double *sorted = need_calloc(n, sizeof *sorted), *medians = need_calloc(BOOTSTRAP_DRAWS, sizeof *medians);
    unsigned *taken = need_calloc(n, sizeof *taken);
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
    memcpy(sorted, values, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, order_doubles);
    for (size_t i = 0; i < BOOTSTRAP_DRAWS; i++)
        medians[i] = draw_median(sorted, n, taken, &state);
    qsort(medians, BOOTSTRAP_DRAWS, sizeof *medians, order_doubles);
    const size_t outside = BOOTSTRAP_DRAWS / 40; /* 2.5 % */
    const struct median_interval interval = {medians[outside], medians[BOOTSTRAP_DRAWS - 1 - outside]};
    free(sorted);
    free(medians);
    free(taken);
    return interval;
}
