/* SPDX-License-Identifier: BSD-3-Clause
 * What is found or made once, and then only read: the collector's start (bench/collect/process.c), libcarmine's and the
 * adapters' collector (probe/marks/region.c, bench/collect/adapters/adapter.c), the reason of a failure (papi.c). */
#define THREADS 2
#define LOCATIONS 3
#define STORES 3
#include "weak.inc"
#define STARTED 0
#define FOLDER 1
#define ACTIVE 2

#ifndef ACTIVE_STORE
#define ACTIVE_STORE RELEASE /* bench/collect/process.c: atomic_store_explicit(&active, true, memory_order_release); */
/* probe/marks/region.c: atomic_store_explicit(&found, there, memory_order_release); */
/* bench/collect/adapters/adapter.c: atomic_store_explicit(&found, there, memory_order_release); */
/* bench/collect/papi.c: atomic_store_explicit(&is_told, true, memory_order_release); */
/* bench/collect/adapters/original.c: atomic_store_explicit(&original->known, function, memory_order_release); */
/* bench/collect/mpi/mpi_wrap.c: atomic_store_explicit(known, real, memory_order_release); */
#endif
#ifndef ACTIVE_LOAD
#define ACTIVE_LOAD ACQUIRE /* bench/collect/process.c: if (atomic_load_explicit(&active, memory_order_acquire)) */
/* probe/marks/region.c: atomic_load_explicit(&found, memory_order_acquire); */
/* bench/collect/adapters/adapter.c: atomic_load_explicit(&found, memory_order_acquire); */
/* bench/collect/papi.c: return atomic_load_explicit(&is_told, memory_order_acquire) */
/* bench/collect/adapters/original.c: atomic_load_explicit(&original->known, memory_order_acquire); */
/* bench/collect/mpi/mpi_wrap.c: atomic_load_explicit(known, memory_order_acquire); */
#endif
inline collecting(me) {
    load(me, ACTIVE, active_, ACTIVE_LOAD);
    if
    :: active_ == 0 ->
        fetch_add(me, STARTED, started, 1, RELAXED);
        if
        :: started == 0 ->
            store(me, FOLDER, 7, RELAXED);
            store(me, ACTIVE, 1, ACTIVE_STORE)
        :: else
        fi;
        load(me, ACTIVE, active_, ACTIVE_LOAD)
    :: else
    fi;
    if
    :: active_ == 1 ->
        load(me, FOLDER, folder, RELAXED);
        assert(folder == 7)
    :: else
    fi
}
active proctype first() {
    byte active_, started, folder;
    collecting(0)
}
active proctype second() {
    byte active_, started, folder;
    collecting(1)
}
