/* SPDX-License-Identifier: BSD-3-Clause
 * Compares the work of timed and counted runs (see app_runs.h). The program is counted twice. In the second counted run
 * time passes twice as fast (bench/count/kernel/pace.c), so work that does not depend on time is the same. */
#include "app_runs.h"

#include <math.h>

#include "bench/kernels/doubt.h"

static const double ALIKE_FLOP = 0.01,
                    ALIKE_BYTES = 0.05; /* of the larger. Bytes: because some waiting does not use `pause` */
static const double NEGLIGIBLE = 1e-3;  /* flop per byte: too few for a roofline */
static const double OTHER_CALLS = 0.1;  /* of the calls: then equal work per call is no accident */
static const double TOO_FAST = 0.7;     /* CPU time of the counted run / of the native run */
enum { RUNS_TO_COMPARE = 3, FEW_READINGS = 2 };

bool app_work_may_be_timed(const struct profile *profile) {
    const bool ranks = profile->region_count > 0 && profile->regions[0].rank_count > 0; /* they wait by the clock */
    return !ranks && (profile->time_readings > FEW_READINGS || profile->has_timers);
}

/* Of one call, or of all. */
struct amounts {
    double flop, bytes;
};

static struct amounts amounts_of(const struct profile_region *region, double calls) {
    const struct count *count = &region->count;
    const double n = calls > 0 ? calls : 1;
    return (struct amounts){(double)count_flop(count) / n, (double)(count->load_bytes + count->store_bytes) / n};
}

static bool near(double a, double b, double share) {
    return fabs(a - b) <= share * fmax(a, b);
}

static struct app_work compare(struct amounts a, struct amounts b, double scale) {
    const bool few = fabs(a.flop - b.flop) <= NEGLIGIBLE * fmin(a.bytes, b.bytes);
    return (struct app_work){few || near(a.flop, b.flop, ALIKE_FLOP), near(a.bytes, b.bytes, ALIKE_BYTES), scale};
}

/* Counting takes time: a program that needs less CPU time when it is counted has done less work. */
static bool is_too_fast(const struct app_runs *runs) {
    double least_s = INFINITY;
    for (size_t i = 0; i < runs->run_count; i++)
        least_s = fmin(least_s, runs->runs[i].cpu_s);
    return runs->run_count >= RUNS_TO_COMPARE && app_work_may_be_timed(&runs->profile) && runs->counted_cpu_s > 0 &&
           runs->counted_cpu_s < TOO_FAST * least_s;
}

static struct app_work of_program(const struct app_runs *runs, const struct profile_region *counted,
                                  const struct profile_region *again) {
    if (is_too_fast(runs))
        return (struct app_work){false, false, 1};
    return again ? compare(amounts_of(counted, 1), amounts_of(again, 1), 1) : (struct app_work){true, true, 1};
}

/* If the region was timed with as many calls, its work is known when both counted runs agree, in total or per call.
 * Otherwise its work per call must agree between runs with different numbers of calls. */
static struct app_work of_region(const struct profile_region *counted, const struct profile_region *again,
                                 uint64_t timed_calls) {
    const double calls = (double)counted->calls, more = again ? (double)again->calls : calls;
    const bool as_timed = timed_calls == counted->calls;
    if (!again)
        return (struct app_work){as_timed, as_timed, 1};
    const struct app_work whole = compare(amounts_of(counted, 1), amounts_of(again, 1), 1);
    const struct app_work each =
        compare(amounts_of(counted, calls), amounts_of(again, more), calls > 0 ? (double)timed_calls / calls : 1);
    if (as_timed)
        return whole.flop && whole.bytes ? whole : each;
    if (near(calls, more, OTHER_CALLS))
        return (struct app_work){false, false, 1};
    return whole.flop && whole.bytes ? whole : each;
}

struct app_work app_work_find(const struct app_runs *runs, const char *region, uint64_t timed_calls) {
    const struct profile_region *counted = profile_region_find(&runs->profile, region);
    const struct profile_region *again = runs->counted_again ? profile_region_find(&runs->again, region) : NULL;
    if (runs->again_differs || (runs->counted_again && !again))
        return (struct app_work){false, false, 1};
    if (!*region || timed_calls == 0)
        return of_program(runs, counted, again);
    return of_region(counted, again, timed_calls);
}

struct count app_work_scale(const struct count *count, double scale) {
    struct count scaled = *count;
    for (size_t i = 0; scale != 1 && i < COUNT_WORDS; i++)
        scaled.words[i] = (uint64_t)llround((double)scaled.words[i] * scale);
    return scaled;
}

void app_work_apply(const struct app_work *work, struct app_point *point) {
    if (work->flop && work->bytes)
        return;
    doubts_add(&point->doubts, DOUBT_RUNS_DIFFER);
    point->doubts = doubts_without(point->doubts, DOUBTS(DOUBT_BYTES_UNKNOWN, DOUBT_UNKNOWN_INSTRUCTIONS));
    point->has_count = false;
    point->count = (struct count){0};
    if (!work->flop) {
        point->flop = (struct statistics){0};
        point->flop_source = SOURCE_UNKNOWN;
    }
    if (!work->bytes) {
        point->load_bytes = point->store_bytes = (struct statistics){0};
        point->bytes_source = SOURCE_UNKNOWN;
    }
}
