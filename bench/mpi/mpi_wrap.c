/* SPDX-License-Identifier: BSD-3-Clause
 * libcarmine-mpi.so, preloaded beside a collector: the program's calls of MPI come here first, and what a thread does
 * until they return is told apart: by marks for the counter, and by libcarmine-papi.so's clock.
 *
 * It is built without any MPI and fits all of them: their functions take integers and pointers alone, in registers and
 * in slots of the stack of one size, so that as many are handed on as the longest of them has. */
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>

#include "mpi_calls.h"
#include "probe/arch.h"
#include "probe/marks/collector.h"

#define EXPORTED __attribute__((visibility("default")))

/* 14 has Fortran's MPI_Rget_accumulate with its error; a text's hidden length comes behind. */
#define WORDS                                                                                                          \
    long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k, long l, long m, long n,    \
        long o
#define SAME_WORDS a, b, c, d, e, f, g, h, i, j, k, l, m, n, o
typedef long mpi_function(WORDS);

extern const struct carmine_mpi_clock carmine_mpi_clock __attribute__((weak)); /* of the collector that has one */

/* Where MPI is no library of the program, but of one that was loaded later (Python's mpi4py), that one knows it. */
static void *find_in_loaded(const char *name) {
    struct link_map *map = NULL;
    void *whole = dlopen(NULL, RTLD_LAZY), *found = NULL;
    if (whole && dlinfo(whole, RTLD_DI_LINKMAP, &map) != 0)
        map = NULL;
    for (; map && !found; map = map->l_next) {
        void *object = *map->l_name ? dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
        void *there = object ? dlsym(object, name) : NULL;
        struct link_map *of_object = NULL;
        if (there && dlinfo(object, RTLD_DI_LINKMAP, &of_object) == 0 && of_object->l_ld != _DYNAMIC)
            found = there;
        if (object)
            dlclose(object);
    }
    if (whole)
        dlclose(whole);
    return found;
}

static mpi_function *find(mpi_function **real, const char *name) {
    if (!*real) {
        void *there = dlsym(RTLD_NEXT, name);
        *(void **)real = there ? there : find_in_loaded(name);
        dlerror(); /* the program's next dlerror is about its own mistakes */
    }
    return *real;
}

static inline void enter(void) {
    ARCH_MARK(MPI_MARK_BEGIN);
    if (&carmine_mpi_clock)
        carmine_mpi_clock.begin();
}
static inline void leave(void) {
    if (&carmine_mpi_clock)
        carmine_mpi_clock.end();
    ARCH_MARK(MPI_MARK_END);
}

enum { NO_SUCH_CALL = 1 }; /* any error of MPI's is not 0 */

#define WRAP(name)                                                                                                     \
    EXPORTED long name(WORDS);                                                                                         \
    EXPORTED long name(WORDS) {                                                                                        \
        static mpi_function *real;                                                                                     \
        enter();                                                                                                       \
        const long result = find(&real, #name) ? real(SAME_WORDS) : NO_SUCH_CALL;                                      \
        leave();                                                                                                       \
        return result;                                                                                                 \
    }
/* C, with large counts; Fortran's mpif.h and modules, as Open MPI and as MPICH name them. */
#define WRAP_ALL(name, lower)                                                                                          \
    WRAP(MPI_##name)                                                                                                   \
    WRAP(MPI_##name##_c)                                                                                               \
    WRAP(mpi_##lower##_)                                                                                               \
    WRAP(mpi_##lower##_f08_)                                                                                           \
    WRAP(mpi_##lower##_f08ts_)
MPI_CALLS(WRAP_ALL)
