/* SPDX-License-Identifier: BSD-3-Clause
 * Repetitions of a timed team (repeat() of bench/kernels/timing.c): plain variables between barriers. The first thread
 * sets the next start, or that it was the last; a kernel may die. All threads leave after the same repetition, none waits
 * for another, and the first one notes the times of this repetition. The barrier is OpenMP's, which orders (OpenMP 5.0,
 * 2.17.8): without its orders, or without the second one, the variables would have to be more than plain. What a thread
 * read last before a barrier was read before others change it behind the barrier. */
#define THREADS 2
#define LOCATIONS 5
#define STORES 14
#include "weak.inc"
#define AGREED 0
#define DIED 1
#define END 2
#define ARRIVED 3
#define OPENED 4
#define STOP_HERE 9

#ifndef ARRIVE
#define ARRIVE ACQ_REL /* bench/kernels/team.c: #pragma omp barrier */
#endif
#ifndef OPEN
#define OPEN RELEASE /* bench/kernels/team.c: #pragma omp barrier */
#endif
#ifndef LEAVE
#define LEAVE ACQUIRE /* bench/kernels/team.c: #pragma omp barrier */
#endif
#ifndef SECOND
#define SECOND 1 /* bench/kernels/timing.c: team_barrier(); */
#endif

byte left[THREADS];

inline barrier(me) {
    fetch_add(me, ARRIVED, arrived, 1, ARRIVE);
    barriers++;
    if
    :: arrived % THREADS == THREADS - 1 -> store(me, OPENED, barriers, OPEN)
    :: else -> await(me, OPENED, barriers, opened, LEAVE)
    fi
}

inline repeat(me) {
    do
    :: round < 3 ->
        round++;
        if
        :: me == 0 ->
            if
            :: store(me, AGREED, round, RELAXED)
            :: round > 1 -> store(me, AGREED, STOP_HERE, RELAXED)
            fi
        :: else
        fi;
        barrier(me);
        if
        :: notes -> use(me, ended); notes = 0; assert(ended == round - 1)
        :: else
        fi;
        load(me, AGREED, agreed, RELAXED);
        if
        :: agreed == STOP_HERE -> break
        :: else
        fi;
        assert(agreed == round);
        if
        :: me == 1 ->
            store(me, END, round, RELAXED);
            if
            :: fetch_add(me, DIED, died, 1, RELAXED)
            :: true
            fi
        :: else
        fi;
        load_late(me, AGREED); /* repeat_once() reads it again */
        if
        :: SECOND -> barrier(me)
        :: else
        fi;
        use(me, agreed);
        assert(agreed == round);
        load(me, DIED, died, RELAXED);
        if
        :: died > 0 -> break
        :: else
        fi;
        if
        :: me == 0 -> load_late(me, END); notes = 1
        :: else
        fi
    :: else -> break
    od;
    if
    :: notes -> use(me, ended)
    :: else
    fi;
    left[me] = round
}
active proctype first() {
    byte round, agreed, died, ended, arrived, opened, barriers;
    bool notes; /* a late load of END */
    repeat(0);
    (left[1] > 0);
    assert(left[0] == left[1])
}
active proctype second() {
    byte round, agreed, died, ended, arrived, opened, barriers;
    bool notes; /* a late load of END */
    repeat(1)
}
