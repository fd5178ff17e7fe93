/* SPDX-License-Identifier: BSD-3-Clause
 * Access to the C library's own functions that wrap.c replaces. */
#pragma once

#include <dlfcn.h>
#include <signal.h>

/* Declares `real`, the function with this name that the program would have called. */
#define NEXT(name)                                                                                                     \
    static __typeof__(&name) real;                                                                                     \
    if (!real)                                                                                                         \
        *(void **)&real = dlsym(RTLD_NEXT, #name);

/* The C library's sigaction. */
static inline int real_sigaction(int signal, const struct sigaction *action, struct sigaction *old) {
    NEXT(sigaction)
    return real(signal, action, old);
}
