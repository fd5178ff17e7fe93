/* SPDX-License-Identifier: BSD-3-Clause
 * The memory of weak.inc against the known answers of small programs: each row is one, with the orders of its stores and
 * loads, and says whether its outcome is seen in this memory, and may be on Armv8 (C. Pulte et al., Simplifying ARM
 * Concurrency, POPL 2018; L. Maranget et al., A Tutorial Introduction to the ARM and POWER Relaxed Memory Models, 2012).
 * Stores and loads with an order are taken for STLR and LDAR. What Armv8 may do, has to be seen. */
#define THREADS 4
#define LOCATIONS 3
#define STORES 4
#include "weak.inc"
#define X 0
#define Y 1
#define Z 2
mtype = { MP, MP_FENCES, SB, LB, LB_ONE, LB_DATA, LB_DATA_ONE, S, R, WW, WRC, ISA2, IRIW, CO_RR, CO_RR_TWO, MP_TWO, CO_RW, CO_RW_OWN, CO_WR, CO_WW, ADD_ADD,
    NONE, STORE, LOAD, USE, FENCE, ADD };
#define OPERATIONS 3

typedef operation {
    mtype kind;
    byte where, value, order
};
typedef code {
    operation operations[OPERATIONS];
    byte count;
    byte r[2]; /* what its loads got */
    byte loads
};
code its[THREADS];
mtype program;
short line;
byte ended, w, r; /* orders of stores and loads */


c_code { static char told[1000]; }

inline does(t, k, l, v, o) {
    its[t].operations[its[t].count].kind = k;
    its[t].operations[its[t].count].where = l;
    its[t].operations[its[t].count].value = v;
    its[t].operations[its[t].count].order = o;
    its[t].count++
}
#define stores(t, l, v, o) does(t, STORE, l, v, o)
#define loads(t, l, o)     does(t, LOAD, l, 0, o)
#define row(p, stores_, loads_) program = p; w = stores_; r = loads_; line = __LINE__

inline choose() {
    if
    :: row(MP, RELAXED, RELAXED) /* seen, Armv8 seen */
    :: row(MP, RELEASE, RELAXED) /* seen, Armv8 seen */
    :: row(MP, RELAXED, ACQUIRE) /* seen, Armv8 seen */
    :: row(MP, RELEASE, ACQUIRE) /* never, Armv8 never */
    :: row(MP_FENCES, RELAXED, RELAXED) /* seen, Armv8 seen */
    :: row(MP_FENCES, RELEASE, RELAXED) /* seen, Armv8 seen */
    :: row(MP_FENCES, RELAXED, ACQUIRE) /* seen, Armv8 seen */
    :: row(MP_FENCES, RELEASE, ACQUIRE) /* never, Armv8 never */
    :: row(SB, RELAXED, RELAXED) /* seen, Armv8 seen */
    :: row(SB, RELEASE, ACQUIRE) /* seen, Armv8 never */
    :: row(LB, RELAXED, RELAXED) /* seen, Armv8 seen */
    :: row(LB, RELEASE, RELAXED) /* never, Armv8 never */
    :: row(LB, RELAXED, ACQUIRE) /* never, Armv8 never */
    :: row(LB_ONE, RELEASE, RELAXED) /* seen, Armv8 seen */
    :: row(LB_ONE, RELAXED, ACQUIRE) /* seen, Armv8 seen */
    :: row(LB_DATA, RELAXED, RELAXED) /* never, Armv8 never */
    :: row(LB_DATA_ONE, RELAXED, RELAXED) /* seen, Armv8 seen */
    :: row(S, RELAXED, RELAXED) /* seen, Armv8 seen */
    :: row(S, RELEASE, RELAXED) /* seen, Armv8 seen */
    :: row(S, RELAXED, ACQUIRE) /* seen, Armv8 seen */
    :: row(S, RELEASE, ACQUIRE) /* never, Armv8 never */
    :: row(R, RELAXED, RELAXED) /* seen, Armv8 seen */
    :: row(R, RELEASE, ACQUIRE) /* seen, Armv8 never */
    :: row(WW, RELAXED, RELAXED) /* seen, Armv8 seen */
    :: row(WW, RELEASE, RELAXED) /* seen, Armv8 never */
    :: row(WRC, RELAXED, RELAXED) /* seen, Armv8 seen */
    :: row(WRC, RELEASE, RELAXED) /* seen, Armv8 seen */
    :: row(WRC, RELAXED, ACQUIRE) /* seen, Armv8 never */
    :: row(WRC, RELEASE, ACQUIRE) /* never, Armv8 never */
    :: row(ISA2, RELEASE, RELAXED) /* seen, Armv8 seen */
    :: row(ISA2, RELEASE, ACQUIRE) /* never, Armv8 never */
    :: row(IRIW, RELEASE, RELAXED) /* seen, Armv8 seen */
    :: row(IRIW, RELEASE, ACQUIRE) /* seen, Armv8 never */
    :: row(CO_RR, RELAXED, RELAXED) /* never, Armv8 never */
    :: row(CO_RR, RELAXED, ACQUIRE) /* never, Armv8 never */
    :: row(CO_RR_TWO, RELAXED, RELAXED) /* never, Armv8 never */
    :: row(MP_TWO, RELEASE, ACQUIRE) /* never, Armv8 never */
    :: row(CO_RW, RELAXED, RELAXED) /* never, Armv8 never */
    :: row(CO_RW_OWN, RELAXED, RELAXED) /* never, Armv8 never */
    :: row(CO_WR, RELAXED, RELAXED) /* never, Armv8 never */
    :: row(CO_WW, RELAXED, RELAXED) /* never, Armv8 never */
    :: row(ADD_ADD, RELAXED, RELAXED) /* never, Armv8 never */
    fi
}

inline write() {
    if
    :: program == MP -> stores(0, X, 1, RELAXED); stores(0, Y, 1, w); loads(1, Y, r); loads(1, X, RELAXED)
    :: program == MP_FENCES ->
        stores(0, X, 1, RELAXED); does(0, FENCE, 0, 0, w); stores(0, Y, 1, RELAXED);
        loads(1, Y, RELAXED); does(1, FENCE, 0, 0, r); loads(1, X, RELAXED)
    :: program == SB -> stores(0, X, 1, w); loads(0, Y, r); stores(1, Y, 1, w); loads(1, X, r)
    :: program == LB -> loads(0, X, r); stores(0, Y, 1, w); loads(1, Y, r); stores(1, X, 1, w)
    :: program == LB_ONE -> loads(0, X, r); stores(0, Y, 1, w); loads(1, Y, RELAXED); stores(1, X, 1, RELAXED)
    :: program == LB_DATA ->
        loads(0, X, r); does(0, USE, 0, 0, 0); stores(0, Y, 1, w); loads(1, Y, r); does(1, USE, 0, 0, 0); stores(1, X, 1, w)
    :: program == LB_DATA_ONE -> loads(0, X, r); does(0, USE, 0, 0, 0); stores(0, Y, 1, w); loads(1, Y, r); stores(1, X, 1, w)
    :: program == S -> stores(0, X, 2, RELAXED); stores(0, Y, 1, w); loads(1, Y, r); stores(1, X, 1, RELAXED)
    :: program == R -> stores(0, X, 1, RELAXED); stores(0, Y, 1, w); stores(1, Y, 2, w); loads(1, X, r)
    :: program == WW -> stores(0, X, 1, RELAXED); stores(0, Y, 2, w); stores(1, Y, 1, RELAXED); stores(1, X, 2, w)
    :: program == WRC ->
        stores(0, X, 1, RELAXED); loads(1, X, r); stores(1, Y, 1, w); loads(2, Y, r); loads(2, X, RELAXED)
    :: program == ISA2 ->
        stores(0, X, 1, RELAXED); stores(0, Y, 1, w); loads(1, Y, r); stores(1, Z, 1, w); loads(2, Z, r); loads(2, X, RELAXED)
    :: program == IRIW ->
        stores(0, X, 1, w); stores(1, Y, 1, w); loads(2, X, r); loads(2, Y, r); loads(3, Y, r); loads(3, X, r)
    :: program == CO_RR -> stores(0, X, 1, w); loads(1, X, RELAXED); loads(1, X, r)
    :: program == CO_RR_TWO -> stores(0, X, 1, w); loads(1, X, r); loads(1, X, r); stores(2, X, 2, w)
    :: program == MP_TWO ->
        stores(0, X, 1, RELAXED); stores(0, Y, 1, w); loads(1, Y, r); loads(1, X, RELAXED); stores(2, X, 2, RELAXED)
    :: program == CO_RW -> loads(0, X, r); stores(0, X, 1, w); stores(1, X, 2, w)
    :: program == CO_RW_OWN -> loads(0, X, r); stores(0, X, 1, w)
    :: program == CO_WR -> stores(0, X, 1, w); loads(0, X, r)
    :: program == CO_WW -> stores(0, X, 1, w); stores(0, X, 2, w)
    :: program == ADD_ADD -> does(0, ADD, X, 1, w); does(1, ADD, X, 1, w)
    fi
}

#define got(t, i) its[t].r[i]
#define last(l) memory[l].value[memory[l].last]
#define outcome ( \
    ((program == MP || program == MP_FENCES) && got(1, 0) == 1 && got(1, 1) == 0) || \
    (program == SB && got(0, 0) == 0 && got(1, 0) == 0) || \
    ((program == LB || program == LB_ONE || program == LB_DATA || program == LB_DATA_ONE) && got(0, 0) == 1 && got(1, 0) == 1) || \
    (program == S && got(1, 0) == 1 && last(X) == 2) || \
    (program == R && last(Y) == 2 && got(1, 0) == 0) || \
    (program == WW && last(X) == 1 && last(Y) == 1) || \
    ((program == WRC || program == ISA2) && got(1, 0) == 1 && got(2, 0) == 1 && got(2, 1) == 0) || \
    (program == IRIW && got(2, 0) == 1 && got(2, 1) == 0 && got(3, 0) == 1 && got(3, 1) == 0) || \
    (program == CO_RR && got(1, 0) == 1 && got(1, 1) == 0) || \
    ((program == CO_RR_TWO || program == MP_TWO) && got(1, 0) == 1 && got(1, 1) == 2 && last(X) == 1) || \
    (program == CO_RW && got(0, 0) == 2 && last(X) == 2) || \
    (program == CO_RW_OWN && got(0, 0) == 1) || \
    (program == CO_WR && got(0, 0) == 0) || \
    ((program == CO_WW || program == ADD_ADD) && last(X) == 1))

inline have() { /* the value of the late load */
    if
    :: waits > 0 -> use(me, its[me].r[waits - 1]); waits = 0
    :: else
    fi
}
proctype does_all(byte me) {
    byte i, where, value, order;
    mtype kind;
    byte waits; /* 1 + the number of the late load */
    do
    :: i < its[me].count ->
        atomic {
            kind = its[me].operations[i].kind;
            where = its[me].operations[i].where;
            value = its[me].operations[i].value;
            order = its[me].operations[i].order;
            i++
        }
        if
        :: kind == STORE -> store(me, where, value, order)
        :: kind == LOAD && order == RELAXED -> have(); load_late(me, where); its[me].loads++; waits = its[me].loads
        :: kind == LOAD && order == ACQUIRE ->
            load(me, where, its[me].r[its[me].loads], order);
            its[me].loads++
        :: kind == USE -> have()
        :: kind == FENCE -> fence(me, order)
        :: kind == ADD -> fetch_add(me, where, its[me].r[0], value, order)
        fi
    :: else -> break
    od;
    have();
    ended++
}

init {
    byte t;
    atomic {
        choose();
        write();
        do
        :: t < THREADS && its[t].count > 0 -> run does_all(t); t++
        :: else -> break
        od
    }
    (ended == t);
    if
    :: outcome -> c_code { if (!told[now.line]++) printf("seen in line %d\n", now.line); }
    :: else
    fi
}
