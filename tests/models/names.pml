/* SPDX-License-Identifier: BSD-3-Clause
 * The number of a region's name (bench/collect/names.c): found without the lock, and counted before it can be found. */
#define THREADS 3
#define LOCATIONS 3
#define STORES 3
#include "weak.inc"
#define NAME 0
#define NAMED 1
#define SLOT 2

#ifndef NAMED_STORE
#define NAMED_STORE RELEASE /* bench/collect/names.c: atomic_store_explicit(&named, region + 1, memory_order_release); */
#endif
#ifndef SLOT_STORE
#define SLOT_STORE RELEASE /* bench/collect/names.c: atomic_store_explicit(&slots[slot], (uint16_t)region, memory_order_release); */
#endif
#ifndef SLOT_LOAD
#define SLOT_LOAD ACQUIRE /* bench/collect/names.c: atomic_load_explicit(&slots[*slot], memory_order_acquire) */
#endif
#ifndef NAMED_LOAD
#define NAMED_LOAD ACQUIRE /* bench/collect/names.c: return atomic_load_explicit(&named, memory_order_acquire); */
#endif

active proctype name() { /* under the lock */
    store(0, NAME, 7, RELAXED);
    store(0, NAMED, 1, NAMED_STORE);
    store(0, SLOT, 1, SLOT_STORE)
}

active proctype find() {
    byte slot, text, count;
    load(1, SLOT, slot, SLOT_LOAD);
    if
    :: slot == 1 ->
        load(1, NAME, text, RELAXED);
        load(1, NAMED, count, NAMED_LOAD);
        assert(text == 7 && count == 1)
    :: else
    fi
}

active proctype report() {
    byte count, text;
    load(2, NAMED, count, NAMED_LOAD);
    if
    :: count == 1 ->
        load(2, NAME, text, RELAXED);
        assert(text == 7)
    :: else
    fi
}
