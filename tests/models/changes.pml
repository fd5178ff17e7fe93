/* SPDX-License-Identifier: BSD-3-Clause
 * A thread's times in a region, changed by the thread and read by the report meanwhile (bench/collect/collect.h, visits.c,
 * mpi.c; readings of the clock in pace.c). What the report takes belongs together. */
#define THREADS 2
#define LOCATIONS 3
#define STORES 6
#include "weak.inc"
#define CHANGES 0
#define START 1
#define DEPTH 2

#ifndef BEGIN_FENCE
#define BEGIN_FENCE RELEASE /* bench/collect/collect.h: atomic_thread_fence(memory_order_release); */
#endif
#ifndef END_STORE
#define END_STORE RELEASE /* bench/collect/collect.h: | 1) + 1, memory_order_release); */
#endif
#ifndef FIRST_LOAD
#define FIRST_LOAD ACQUIRE /* bench/collect/collect.h: return atomic_load_explicit(changes, memory_order_acquire); */
#endif
#ifndef LAST_FENCE
#define LAST_FENCE ACQUIRE /* bench/collect/collect.h: atomic_thread_fence(memory_order_acquire); */
#endif

active proctype marks() {
    byte visit = 1;
    do
    :: visit <= 2 ->
        store(0, CHANGES, 2 * visit - 1, RELAXED);
        fence(0, BEGIN_FENCE);
        store(0, START, visit, RELAXED);
        store(0, DEPTH, visit, RELAXED);
        store(0, CHANGES, 2 * visit, END_STORE);
        visit++
    :: else -> break
    od
}

active proctype report() {
    byte before, after, start, depth;
    load(1, CHANGES, before, FIRST_LOAD);
    load(1, DEPTH, depth, RELAXED);
    load(1, START, start, RELAXED);
    fence(1, LAST_FENCE);
    load(1, CHANGES, after, RELAXED);
    assert(before % 2 == 1 || before != after || (start == depth && start == before / 2))
}
