/* SPDX-License-Identifier: BSD-3-Clause
 * A line between two CPUs. */
#include "memory_run.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "bench/kernels/doubt.h"
#include "bench/kernels/team.h"
#include "bench/kernels/together.h"
#include "probe/error.h"

/* A step of the tick of 40 ns is 0.13 ns of a trip one way: 1 % within a core, 0.1 to 0.3 % between cores. */
enum { TRIPS = 150, TRIPS_STEP_NS = 40, WARM_TRIPS = 20, PAGES = 2 * MEMORY_AT_ONCE };

/* Each page has one line per way, apart from each other, since neighbouring lines may be prefetched together. */
enum handing { SWAP, STORE, WAYS };
static const unsigned PLACE_OF_WAY[WAYS] = {1024, 3072};

struct duel {
    const struct clock *clock;
    unsigned trips;
    unsigned char *pages;
    size_t page_bytes;
    double one_way_s[PAGES][WAYS];
    bool disturbed[2][PAGES]; /* the scheduler took the CPU away */
};

static void swap_once(atomic_uint *line, unsigned expected) {
    for (unsigned found = expected; !atomic_compare_exchange_weak_explicit(line, &found, expected + 1,
                                                                           memory_order_acq_rel, memory_order_relaxed);)
        found = expected;
}

/* One side: waits for its number, and answers with the next one. The first CPU answers even numbers. */
static void hand_over(enum handing way, atomic_uint *line, unsigned thread, unsigned from, unsigned trips) {
    for (unsigned i = 0; i < trips; i++)
        (way == SWAP ? swap_once : together_answer)(line, from + 2 * i + thread);
}

static long switches(void) {
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nivcsw : 0;
}

static void duel_in_page(unsigned thread, struct duel *duel, unsigned page) {
    unsigned char *at = duel->pages + page * duel->page_bytes;
    if (thread == page % 2) /* of the even pages the first CPU is the home */
        memset(at, 0, duel->page_bytes);
    for (enum handing way = SWAP; way < WAYS; way++) {
        atomic_uint *line = (void *)(at + PLACE_OF_WAY[way]);
        team_barrier();
        hand_over(way, line, thread, 0, WARM_TRIPS);
        const uint64_t from = clock_tick(duel->clock);
        hand_over(way, line, thread, 2 * WARM_TRIPS, duel->trips);
        const uint64_t to = clock_tick(duel->clock);
        if (thread == 0)
            duel->one_way_s[page][way] = clock_seconds(duel->clock, from, to) / (2.0 * duel->trips);
    }
}

static void fight(unsigned thread, void *context) {
    struct duel *duel = context;
    for (unsigned page = 0; page < PAGES; page++) {
        const long before = switches();
        duel_in_page(thread, duel, page);
        duel->disturbed[thread][page] = switches() != before;
        team_barrier();
    }
}

bool handover_measure(const struct clock *clock, uint64_t page_bytes, const struct handover *pair,
                      struct memory_reading readings[MEMORY_AT_ONCE], struct error *err) {
    struct duel duel = {.clock = clock, .trips = together_trips(clock, TRIPS, TRIPS_STEP_NS), .page_bytes = page_bytes};
    const size_t bytes = PAGES * page_bytes;
    struct team team = {.count = 2, .core_count = 2, .cpu_count = 2, .pus = (unsigned[]){pair->first, pair->second}};
    snprintf(team.cpus, sizeof team.cpus, "%u,%u", pair->first, pair->second);
    duel.pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (duel.pages == MAP_FAILED)
        return error_set(err, "no memory for %u pages: %s", (unsigned)PAGES, strerror(errno));
    madvise(duel.pages, bytes, MADV_NOHUGEPAGE);
    const bool done = team_run(&team, fight, &duel, err);
    munmap(duel.pages, bytes);
    for (unsigned i = 0; i < MEMORY_AT_ONCE; i++) {
        readings[i] = (struct memory_reading){.doubts = NO_DOUBTS};
        for (unsigned home = 0; home < 2; home++) {
            readings[i].of[home] = duel.one_way_s[2 * i + home][SWAP];
            readings[i].of[2 + home] = duel.one_way_s[2 * i + home][STORE];
        }
        for (unsigned side = 0; side < 4; side++)
            doubts_add_if(&readings[i].doubts, duel.disturbed[side / 2][2 * i + side % 2], DOUBT_CORE_SHARED);
    }
    return done;
}
