/* SPDX-License-Identifier: BSD-3-Clause
 * The log of ticks (bench/collect/ticks.c): each handler fills the next record, and the report takes the filled ones. */
#define THREADS 3
#define LOCATIONS 5
#define STORES 3
#include "weak.inc"
#define USED 0
#define TIME 1 /* of two records */
#define TID 3

#ifndef TID_STORE
#define TID_STORE RELEASE /* bench/collect/ticks.c: atomic_store_explicit(&tick->tid, tid, memory_order_release); */
#endif
#ifndef TID_LOAD
#define TID_LOAD ACQUIRE /* bench/collect/process.c: atomic_load_explicit(&ticks[i].tid, memory_order_acquire); */
#endif

inline tick(me) {
    fetch_add(me, USED, at, 1, RELAXED);
    store(me, TIME + at, 10 + me, RELAXED);
    store(me, TID + at, 1 + me, TID_STORE)
}
active proctype first() {
    byte at;
    tick(0)
}
active proctype second() {
    byte at;
    tick(1)
}

active proctype report() {
    byte count, i, tid, time;
    load(2, USED, count, RELAXED);
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
