/* SPDX-License-Identifier: BSD-3-Clause
 * Access to the C library's own functions that wrap.c replaces. */
#pragma once

#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>

/* Declares `real`, the function with this name that the program would have called. Threads that search at the same
 * time find the same. */
#define NEXT(name)                                                                                                     \
    static _Atomic(__typeof__(&name)) known;                                                                           \
    __typeof__(&name) real = atomic_load_explicit(&known, memory_order_relaxed);                                       \
    if (!real) {                                                                                                       \
        *(void **)&real = dlsym(RTLD_NEXT, #name);                                                                     \
        atomic_store_explicit(&known, real, memory_order_relaxed);                                                     \
    }

/* The C library's sigaction. */
static inline int real_sigaction(int signal, const struct sigaction *action, struct sigaction *old) {
    NEXT(sigaction)
    return real(signal, action, old);
}
