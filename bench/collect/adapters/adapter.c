/* SPDX-License-Identifier: BSD-3-Clause
 * Passes the adapters' marks to the collector (see adapter.h). */
#include "adapter.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "probe/marks/collector.h"

static void nothing(const char *name) {
    (void)name;
}
static const struct carmine_collector none = {COLLECTOR_VERSION, nothing, nothing};
static _Atomic(const struct carmine_collector *) found;
static atomic_uint taken; /* a bit per system */

static const struct carmine_collector *look(void) {
    const int saved_errno = errno;
    const char *list = getenv(COLLECTOR_MARKS);
    const struct carmine_collector *there = dlsym(RTLD_DEFAULT, "carmine_regions");
    if (!there) {
        dlerror(); /* keeps the next dlerror for the program's own errors */
        there = &none;
    }
    for (unsigned i = 0; i < MARKS_SYSTEMS; i++)
        if (collector_takes(list, mark_systems[i].name))
            atomic_fetch_or_explicit(&taken, 1u << i, memory_order_relaxed);
    atomic_store_explicit(&found, there, memory_order_release);
    errno = saved_errno;
    return there;
}

/* Threads that arrive here first at the same time find the same collector. */
static const struct carmine_collector *collector(void) {
    const struct carmine_collector *there = atomic_load_explicit(&found, memory_order_acquire);
    return there ? there : look();
}

bool adapter_takes(enum mark_system_number system) {
    collector();
    return atomic_load_explicit(&taken, memory_order_relaxed) >> system & 1;
}

void adapter_begin(enum mark_system_number system, const char *name) {
    if (adapter_takes(system))
        collector()->begin(name);
}

void adapter_end(enum mark_system_number system, const char *name) {
    if (adapter_takes(system))
        collector()->end(name);
}
