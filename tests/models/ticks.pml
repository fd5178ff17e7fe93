/* SPDX-License-Identifier: BSD-3-Clause
 * The log of ticks (bench/collect/ticks.c): each handler fills the next record, and the report takes the filled ones.
 * It counts them before it looks for places with hits (samples.c): each counted record has such a place. */
#define THREADS 3
#define LOCATIONS 6
#define STORES 3
#include "weak.inc"
#define USED 0
#define TIME 1 /* of two records */
#define TID 3
#define HITS 5

#ifndef USED_ADD
#define USED_ADD RELEASE /* bench/collect/ticks.c: atomic_fetch_add_explicit(&used, 1, memory_order_release); */
#endif
#ifndef USED_LOAD
#define USED_LOAD ACQUIRE /* bench/collect/ticks.c: atomic_load_explicit(&used, memory_order_acquire); */
#endif
#ifndef TID_STORE
#define TID_STORE RELEASE /* bench/collect/ticks.c: atomic_store_explicit(&tick->tid, tid, memory_order_release); */
#endif
#ifndef TID_LOAD
#define TID_LOAD ACQUIRE /* bench/collect/process.c: atomic_load_explicit(&ticks[i].tid, memory_order_acquire); */
#endif

inline tick(me) {
    fetch_add(me, HITS, hits, 1, RELAXED);
    fetch_add(me, USED, at, 1, USED_ADD);
    store(me, TIME + at, 10 + me, RELAXED);
    store(me, TID + at, 1 + me, TID_STORE)
}
active proctype first() {
    byte at, hits;
    tick(0)
}
active proctype second() {
    byte at, hits;
    tick(1)
}

active proctype report() {
    byte count, i, tid, time, hits;
    load(2, USED, count, USED_LOAD);
    load(2, HITS, hits, RELAXED);
    assert(hits >= count);
    do
    :: i < count ->
        load(2, TID + i, tid, TID_LOAD);
        if
        :: tid > 0 ->
            load(2, TIME + i, time, RELAXED);
            assert(time == 9 + tid)
        :: else
        fi;
        i++
    :: else -> break
    od
}
