/* SPDX-License-Identifier: BSD-3-Clause
 * A request to stop. A signal's handler makes it, on any thread of the process. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "a signal handler waits for no lock");

/* NULL: nobody can stop it. Relaxed, because the request publishes nothing but itself. */
static inline bool stop_requested(const atomic_int *stop) {
    return stop && atomic_load_explicit(stop, memory_order_relaxed) != 0;
}
