/* SPDX-License-Identifier: BSD-3-Clause
 * The background load (bench/memory/load.c): its thread has begun and is pinned, or says so; after a pause its first piece
 * has the new rate, and whoever waits for that piece waits for the new rate. */
#define THREADS 2
#define LOCATIONS 5
#define STORES 3
#include "weak.inc"
#define FAILED 0
#define BEGUN 1
#define NOOPS 2
#define DOING 3
#define BYTES 4

#ifndef BEGUN_STORE
#define BEGUN_STORE RELEASE /* bench/memory/load.c: atomic_store_explicit(&loader->begun, true, memory_order_release); */
#endif
#ifndef BEGUN_LOAD
#define BEGUN_LOAD ACQUIRE /* bench/memory/load.c: while (!atomic_load_explicit(&loader->begun, memory_order_acquire)) */
#endif
#ifndef DOING_STORE
#define DOING_STORE RELEASE /* bench/memory/load.c: atomic_store_explicit(&load->doing, doing, memory_order_release); */
#endif
#ifndef DOING_LOAD
#define DOING_LOAD ACQUIRE /* bench/memory/load.c: (doing = atomic_load_explicit(&load->doing, memory_order_acquire)) != END */
#endif

active proctype loader() {
    byte doing, noops;
    store(0, FAILED, 1, RELAXED);
    store(0, BEGUN, 1, BEGUN_STORE);
    do
    :: load(0, DOING, doing, DOING_LOAD);
        if
        :: doing == 1 -> break
        :: else
        fi
    od;
    load(0, NOOPS, noops, RELAXED);
    assert(noops == 5);
    store(0, BYTES, 1, RELAXED)
}

active proctype measures() {
    byte begun, failed, bytes;
    do
    :: load(1, BEGUN, begun, BEGUN_LOAD);
        if
        :: begun == 1 -> break
        :: else
        fi
    od;
    load(1, FAILED, failed, RELAXED);
    assert(failed == 1);
    store(1, NOOPS, 5, RELAXED);
    store(1, DOING, 1, DOING_STORE);
    await(1, BYTES, 1, bytes, RELAXED)
}
