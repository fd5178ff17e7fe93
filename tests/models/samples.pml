/* SPDX-License-Identifier: BSD-3-Clause
 * The table of sampled addresses (bench/collect/samples.c): two handlers may need the same place. Whoever sees a hit sees
 * its address. */
#define THREADS 3
#define LOCATIONS 2
#define STORES 4
#include "weak.inc"
#define KEY 0
#define HITS 1

#ifndef HITS_ADD
#define HITS_ADD RELEASE /* bench/collect/samples.c: atomic_fetch_add_explicit(&places[at].hits, hits, memory_order_release); */
#endif
#ifndef HITS_LOAD
#define HITS_LOAD ACQUIRE /* bench/collect/samples.c: atomic_load_explicit(&places[i].hits, memory_order_acquire) > 0 */
#endif

/* A compare-and-swap reads the latest store. */
inline sample(me) {
    atomic {
        if
        :: memory[KEY].last == 0 -> store(me, KEY, 7, RELAXED)
        :: else -> await(me, KEY, 7, key, RELAXED)
        fi
    }
    fetch_add(me, HITS, hits, 1, HITS_ADD)
}
active proctype first() {
    byte key, hits;
    sample(0)
}
active proctype second() {
    byte key, hits;
    sample(1)
}

active proctype report() {
    byte key, hits;
    load(2, HITS, hits, HITS_LOAD);
    if
    :: hits > 0 ->
        load(2, KEY, key, RELAXED);
        assert(key == 7)
    :: else
    fi
}
