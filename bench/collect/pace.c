/* SPDX-License-Identifier: BSD-3-Clause
 * Readings of the core clock (see pace.h). One takes three chains of REGIONS_PACE_CYCLES and no-ops, 14 µs
 * at 3.7 GHz: 0.07 %. Where time moves in steps of 40 ns, it takes four times as long. */
#include "pace.h"
#include "collect.h"

#include "probe/clock_chains.h"

enum { KEPT = 256, APART_NS = 20000000, FINE_NS = 10, COARSE_NS = 30, MOST_TIMES = 8, LOOKS = 32 };
_Static_assert(REGIONS_PACE_CYCLES % CLOCK_PIECE_CYCLES == 0, "whole pieces");

static struct {
    atomic_uint changes; /* see change_begin(); 0: never filled */
    struct pace pace;
} kept[KEPT];
static atomic_uint readings;
static _Atomic uint64_t last_ns;

/* A step of the time: differences between readings are whole ones of it. Of a fine time it is a few ns. */
static uint64_t step_of_ns(void) {
    uint64_t apart[LOOKS], least = UINT64_MAX;
    for (unsigned i = 0; i < LOOKS; i++) {
        const uint64_t before_ns = clock_ns();
        apart[i] = clock_ns() - before_ns;
        for (unsigned k = 0; k < i; k++) {
            const uint64_t more = apart[i] > apart[k] ? apart[i] - apart[k] : apart[k] - apart[i];
            least = more > 1 && more < least ? more : least;
        }
    }
    return least == UINT64_MAX ? 1 : least;
}

/* How often a chain runs, so that a step is 0.2 % of it; found once, by each thread that looks for it at once. */
static atomic_uint found_times;
static uint64_t times(void) {
    unsigned out = atomic_load_explicit(&found_times, memory_order_relaxed);
    if (out == 0) {
        const uint64_t step = step_of_ns(), wanted = step < COARSE_NS ? 1 : step / FINE_NS;
        out = wanted > MOST_TIMES ? MOST_TIMES : (unsigned)wanted;
        atomic_store_explicit(&found_times, out, memory_order_relaxed);
    }
    return out;
}

/* Of one of `times()` runs; less what it costs to read the time. */
static uint32_t run_ns(void (*run)(uint64_t pieces), uint64_t pieces) {
    const uint64_t runs = times(), before_ns = clock_ns(), start_ns = clock_ns();
    run(pieces * runs);
    return (uint32_t)((clock_ns() - start_ns - (start_ns - before_ns)) / runs);
}

/* Readings are far apart: a place is free again long before it is needed. */
static void keep(const struct pace *pace) {
    const unsigned at = atomic_fetch_add_explicit(&readings, 1, memory_order_relaxed) % KEPT;
    change_count(&kept[at].changes); /* after the thread that used the place before */
    change_begin(&kept[at].changes);
    kept[at].pace = *pace;
    change_end(&kept[at].changes);
}

void pace_read(void) {
    uint64_t before_ns = atomic_load_explicit(&last_ns, memory_order_relaxed);
    const uint64_t now_ns = clock_ns();
    struct pace pace;
    if (now_ns - before_ns < APART_NS || !atomic_compare_exchange_strong_explicit(
                                             &last_ns, &before_ns, now_ns, memory_order_relaxed, memory_order_relaxed))
        return;
    for (unsigned i = 0; i < CLOCK_SLICES; i++)
        clock_chains[i](1); /* the program has evicted their code */
    for (unsigned i = 0; i < CLOCK_SLICES; i++)
        pace.ns[i] = run_ns(clock_chains[i], REGIONS_PACE_CYCLES / CLOCK_PIECE_CYCLES);
    clock_noops(1);
    pace.noops_ns = run_ns(clock_noops, REGIONS_NOOP_PIECES);
    keep(&pace);
}

unsigned pace_count(void) {
    const unsigned count = atomic_load_explicit(&readings, memory_order_relaxed);
    return count < KEPT ? count : KEPT;
}

bool pace_at(unsigned index, struct pace *out) {
    const unsigned before = change_count(&kept[index].changes);
    *out = kept[index].pace;
    return before > 0 && change_none(&kept[index].changes, before);
}

void pace_forget(void) {
    for (unsigned i = 0; i < pace_count(); i++)
        atomic_store_explicit(&kept[i].changes, 0, memory_order_relaxed);
    atomic_store_explicit(&readings, 0, memory_order_relaxed);
}
