/* SPDX-License-Identifier: BSD-3-Clause
 * libcarmine: the marks of regions (see carmine.h). Hooks for a collector, and SSC marks. */
#include "carmine.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#include "probe/arch.h"
#include "collector.h"

/* Weak, so that a program needs no library for them: a statically linked program has no dlsym, and no collector. */
#pragma weak dlsym
#pragma weak dlerror

#define EXPORTED __attribute__((visibility("default")))

/* Without a collector the exact counter may still be active; a program without libraries cannot check. */
static void mark_begin(const char *name) {
    ARCH_MARK_TEXT(MARK_NAME_BEGIN, name);
}
static void mark_end(const char *name) {
    ARCH_MARK_TEXT(MARK_NAME_END, name);
}
static const struct carmine_collector none = {COLLECTOR_VERSION, mark_begin, mark_end};
static _Atomic(const struct carmine_collector *) found;

static const struct carmine_collector *look(void) {
    const int saved_errno = errno;
    const struct carmine_collector *there = dlsym ? dlsym(RTLD_DEFAULT, "carmine_collector") : NULL;
    if (!there && dlerror)
        dlerror(); /* keeps the next dlerror for the program's own errors */
    if (!there || there->version != COLLECTOR_VERSION)
        there = &none;
    atomic_store_explicit(&found, there, memory_order_release);
    errno = saved_errno;
    return there;
}

/* Threads that arrive here first at the same time find the same collector. */
static inline const struct carmine_collector *collector(void) {
    const struct carmine_collector *there = atomic_load_explicit(&found, memory_order_acquire);
    return there ? there : look();
}

EXPORTED void carmine_region_begin(const char *name) {
    collector()->begin(name);
    ARCH_MARK(SSC_MARK_BEGIN);
}

EXPORTED void carmine_region_end(const char *name) {
    ARCH_MARK(SSC_MARK_END);
    collector()->end(name);
}
