/* SPDX-License-Identifier: BSD-3-Clause
 * The time of a line between neighbours of a team. */
#include "together.h"
#include "number_thresholds.h"
#include "team.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "probe/clock.h"
#include "probe/machine.h"
#include "probe/need.h"

/* A tick of 10 ns is 0.6 ns of a round of trips there and back, and so is a longer one of as many more. The shortest
 * round counts, but not the first: others may take a core away meanwhile. */
enum { ROUNDS = 5, TRIPS = 8, TRIPS_STEP_NS = 10 };

/* A line, alone in all that a core may fetch with it. */
struct handed {
    atomic_uint number;
    double least_s; /* one way; infinite: not timed */
} __attribute__((aligned(TEAM_APART_BYTES)));

struct neighbours {
    const struct clock *clock;
    unsigned trips; /* of a round */
    const struct team *team;
    unsigned cache_index;
    struct handed *lines; /* [thread]: between it and the next one */
};

static bool share(const struct neighbours *all, unsigned first) {
    const struct team *team = all->team;
    const unsigned cache = all->cache_index, next = first + 1;
    return next < team->count && team->cores[first] != team->cores[next] &&
           team->caches[first][cache] != MACHINE_NO_INSTANCE && team->caches[first][cache] == team->caches[next][cache];
}

void together_answer(atomic_uint *line, unsigned expected) {
    while (atomic_load_explicit(line, memory_order_acquire) != expected)
        ;
    atomic_store_explicit(line, expected + 1, memory_order_release);
}

/* The first thread answers even numbers, and the second one odd ones. */
static void together_hand(const struct neighbours *all, struct handed *line, bool is_first) {
    for (unsigned i = 0; i < ROUNDS; i++) {
        const uint64_t from = clock_tick(all->clock);
        for (unsigned trip = i * all->trips; trip < (i + 1) * all->trips; trip++)
            together_answer(&line->number, 2 * trip + !is_first);
        if (is_first && i > 0)
            line->least_s =
                fmin(line->least_s, clock_seconds(all->clock, from, clock_tick(all->clock)) / (2 * all->trips));
    }
}

/* First each even thread with the next, then each odd one. */
static void hand_on(unsigned thread, void *context) {
    const struct neighbours *all = context;
    for (unsigned odd = 0; odd < 2; odd++) {
        const bool is_first = thread % 2 == odd;
        const unsigned first = is_first ? thread : thread - 1;
        team_barrier();
        if ((is_first || thread > 0) && share(all, first))
            together_hand(all, &all->lines[first], is_first);
    }
}

bool together_is_apart(double handover_s, double least_s, double latency_s) {
    return (least_s > 0 && handover_s > number_thresholds.cores_apart.value * least_s) ||
           (latency_s > 0 && handover_s > number_thresholds.cache_apart.value * latency_s);
}

static bool any_share(const struct neighbours *all) {
    bool any = false;
    for (unsigned i = 0; i < all->team->count; i++)
        any |= share(all, i);
    return any && all->team->cpu_count == all->team->count;
}

unsigned together_trips(const struct clock *clock, unsigned least, unsigned step_ns) {
    return (unsigned)ceil(least * fmax(1, clock_step_s(clock) * 1e9 / step_ns));
}

bool together_time(const struct clock *clock, const struct team *team, unsigned cache_index, double *handover_s,
                   struct error *err) {
    struct neighbours all = {
        .clock = clock, .trips = together_trips(clock, TRIPS, TRIPS_STEP_NS), .team = team, .cache_index = cache_index};
    *handover_s = 0;
    if (!any_share(&all))
        return true;
    all.lines = need_made(aligned_alloc(TEAM_APART_BYTES, team->count * sizeof *all.lines));
    for (unsigned i = 0; i < team->count; i++)
        all.lines[i] = (struct handed){.least_s = INFINITY};
    const bool done = team_run(team, hand_on, &all, err);
    for (unsigned i = 0; i < team->count && done; i++)
        if (isfinite(all.lines[i].least_s))
            *handover_s = fmax(*handover_s, all.lines[i].least_s);
    free(all.lines);
    return done;
}
