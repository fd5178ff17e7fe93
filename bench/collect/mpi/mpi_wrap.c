/* SPDX-License-Identifier: BSD-3-Clause
 * libcarmine-mpi.so, preloaded beside a collector: the program's MPI calls arrive here first. A thread's work inside a
 * call is counted separately: by marks for the counter, and by libcarmine-papi.so's clock.
 *
 * It is built without any MPI and works with all of them: MPI functions take only integers and pointers, in
 * registers and in stack slots of one size, so it always passes on as many words as the longest function has. */
#include "mpi_calls.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/arch.h"
#include "probe/marks/collector.h"

#define EXPORTED __attribute__((visibility("default")))

/* Fortran's MPI_Rget_accumulate has 14, with its error; a text's hidden length follows. */
#define WORDS                                                                                                          \
    long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k, long l, long m, long n,    \
        long o
#define SAME_WORDS a, b, c, d, e, f, g, h, i, j, k, l, m, n, o
typedef long mpi_function(WORDS);

extern const struct carmine_mpi_clock carmine_mpi_clock __attribute__((weak)); /* of a collector, if it has one */

/* If MPI is linked not by the program but by a library loaded later (Python's mpi4py), that library finds it. */
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

/* Threads that search at the same time find the same. */
static mpi_function *find(_Atomic(mpi_function *) *known, const char *name) {
    mpi_function *real = atomic_load_explicit(known, memory_order_acquire);
    if (!real) {
        void *there = dlsym(RTLD_NEXT, name);
        *(void **)&real = there ? there : find_in_loaded(name);
        dlerror(); /* keeps the next dlerror for the program's own errors */
        atomic_store_explicit(known, real, memory_order_release);
    }
    return real;
}

/* The frame addresses of the thread's open calls, the innermost last. A frame deeper on the stack than a call that
 * now begins or ends was left by a long jump, for example out of an error handler. */
enum { MOST_CALLS = 64 };
static __thread struct open_calls {
    unsigned count;
    uintptr_t frames[MOST_CALLS];
} calls __attribute__((tls_model("initial-exec")));

/* The time of leaving is unknown. */
static void end_left(void) {
    calls.count--;
    if (&carmine_mpi_clock)
        carmine_mpi_clock.left();
    ARCH_MARK(MPI_MARK_END);
}

static __attribute__((noinline)) void forget_left(uintptr_t frame) {
    while (calls.count > 0 && calls.frames[calls.count - 1] < frame)
        end_left();
}

/* Beyond MOST_CALLS nested calls, inner ones count as part of the outer. */
static __attribute__((noinline)) void enter(uintptr_t frame) {
    if (calls.count == MOST_CALLS) {
        ARCH_MARK(MPI_MARK_END);
        return;
    }
    calls.frames[calls.count++] = frame;
    if (&carmine_mpi_clock)
        carmine_mpi_clock.begin();
}

/* Whether the call was entered. */
static __attribute__((noinline)) int leave(uintptr_t frame) {
    forget_left(frame);
    if (calls.count == 0 || calls.frames[calls.count - 1] != frame)
        return 0;
    calls.count--;
    if (&carmine_mpi_clock)
        carmine_mpi_clock.end();
    return 1;
}

/* The unwinder calls this personality function for each frame of a wrapper: a C++ exception thrown through an MPI
 * call, or the cancellation of a thread inside one, ends the call here. */
enum { CLEANUP_PHASE = 2, CONTINUE_UNWIND = 8 }; /* of the Itanium C++ ABI, level I */
__attribute__((used, visibility("hidden"))) int mpi_wrap_unwound(int version, int actions);
int mpi_wrap_unwound(int version, int actions) {
    (void)version;
    if (actions & CLEANUP_PHASE && calls.count > 0) {
        calls.count--;
        if (&carmine_mpi_clock)
            carmine_mpi_clock.end();
        ARCH_MARK(MPI_MARK_END);
    }
    return CONTINUE_UNWIND;
}

enum { NO_SUCH_CALL = 1 }; /* every MPI error differs from 0 */

#define WRAP(name)                                                                                                     \
    EXPORTED long name(WORDS);                                                                                         \
    EXPORTED long name(WORDS) {                                                                                        \
        static _Atomic(mpi_function *) known;                                                                          \
        const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);                                                 \
        ARCH_PERSONALITY(mpi_wrap_unwound);                                                                            \
        forget_left(frame + 1);                                                                                        \
        ARCH_MARK(MPI_MARK_BEGIN); /* in the frame that lasts as long as the call */                                   \
        enter(frame);                                                                                                  \
        mpi_function *real = find(&known, #name);                                                                      \
        const long result = real ? real(SAME_WORDS) : NO_SUCH_CALL;                                                    \
        if (leave(frame))                                                                                              \
            ARCH_MARK(MPI_MARK_END);                                                                                   \
        return result;                                                                                                 \
    }
/* Names in C, also with large counts; in Fortran's mpif.h and modules, for Open MPI and MPICH. */
#define WRAP_ALL(name, lower)                                                                                          \
    WRAP(MPI_##name)                                                                                                   \
    WRAP(MPI_##name##_c)                                                                                               \
    WRAP(mpi_##lower##_)                                                                                               \
    WRAP(mpi_##lower##_f08_)                                                                                           \
    WRAP(mpi_##lower##_f08ts_)
MPI_CALLS(WRAP_ALL)
