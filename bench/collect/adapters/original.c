/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the functions that programs would call without the adapters (see original.h). */
#include "original.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stddef.h>

static const char NONE; /* its address means: no such function */

/* A library loaded with RTLD_LOCAL (as Python loads its modules) sees its own dependencies, which the loader hides
 * from others. */
static void *find_for_library(const char *name, const void *caller) {
    Dl_info info;
    struct link_map *map = NULL;
    if (!dladdr1(caller, &info, (void **)&map, RTLD_DL_LINKMAP) || !map || !*map->l_name)
        return NULL;
    void *library = dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD), *function = NULL;
    if (library) {
        function = dlsym(library, name);
        dlclose(library);
    }
    return function;
}

void *original_find(struct original *original, const void *caller) {
    void *function = atomic_load_explicit(&original->known, memory_order_acquire);
    if (!function) {
        const int saved_errno = errno;
        function = dlsym(RTLD_NEXT, original->name);
        if (!function)
            function = find_for_library(original->name, caller);
        dlerror(); /* keeps the next dlerror for the program's own errors */
        errno = saved_errno;
        if (!function)
            function = (void *)&NONE;
        atomic_store_explicit(&original->known, function, memory_order_release);
    }
    return function == (void *)&NONE ? NULL : function;
}
