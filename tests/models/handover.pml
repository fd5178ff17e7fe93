/* SPDX-License-Identifier: BSD-3-Clause
 * A line between two CPUs (bench/kernels/together.c, bench/memory/handover.c): both sides store by turns. What is timed is
 * the pair of orders that hands other data over, too, as programs do. */
#define THREADS 2
#define LOCATIONS 2
#define STORES 6
#include "weak.inc"
#define LINE 0
#define OTHER 1

#ifndef ANSWER_LOAD
#define ANSWER_LOAD ACQUIRE /* bench/kernels/together.c: while (atomic_load_explicit(line, memory_order_acquire) != expected) */
#endif
#ifndef ANSWER_STORE
#define ANSWER_STORE RELEASE /* bench/kernels/together.c: atomic_store_explicit(line, expected + 1, memory_order_release); */
#endif

inline answer(me) {
    do
    :: load(me, LINE, line, ANSWER_LOAD);
        if
        :: line == expected -> break
        :: else
        fi
    od;
    load(me, OTHER, other, RELAXED);
    assert(other == expected);
    store(me, OTHER, expected + 1, RELAXED);
    store(me, LINE, expected + 1, ANSWER_STORE)
}
active proctype first() {
    byte line, other, expected = 0;
    do
    :: expected < 4 -> answer(0); expected = expected + 2
    :: else -> break
    od
}
active proctype second() {
    byte line, other, expected = 1;
    do
    :: expected < 4 -> answer(1); expected = expected + 2
    :: else -> break
    od
}
