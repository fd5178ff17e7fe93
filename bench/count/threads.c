/* SPDX-License-Identifier: BSD-3-Clause */
#include "threads.h"
#include "region.h"
#include "slices.h"

#include <asm/prctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "bench/count/base/fail.h"
#include "bench/count/base/system.h"
#include "bench/count/caches/levels.h"
#include "bench/count/code/cache.h"
#include "bench/count/code/links.h"
#include "bench/count/code/object.h"
#include "bench/count/code/stubs.h"
#include "bench/count/kernel/mask.h"
#include "bench/count/kernel/together.h"

static struct context *contexts;
static uint32_t ended;
static bool first_ended; /* the kernel lists the process's first thread until the others have ended, too */
enum { MAX_ENDED = 64 }; /* ended threads whose counts stay separate, at most */

struct context *threads_first(void) {
    return __atomic_load_n(&contexts, __ATOMIC_ACQUIRE);
}

uint32_t threads_living(void) {
    return together_living();
}

uint32_t threads_listed(void) {
    return threads_living() + first_ended;
}

/* Adds the counts of a thread to those of another ended thread, and frees it. */
static void fold(struct context *context, struct context *into) {
    for (uint32_t i = 0; i < cache_counter_count(); i++)
        into->counters[i] += context->counters[i];
    region_fold(context->index, into->index);
    levels_fold(context, into);
    slices_fold(context, into);
    SYSTEM_CALL(SYS_munmap, context, sizeof *context);
}

static bool is_gone(const struct context *context) {
    return context->ended && system_failed(SYSTEM_CALL(SYS_tgkill, SYSTEM_CALL(SYS_getpid, 0), context->tid, 0));
}

/* Threads that ended while regions are open stay: only their own sums have their counts at the regions' begin. */
static void fold_ended(void) {
    struct context *kept[2] = {NULL, NULL}; /* one for the program, one for MPI */
    for (struct context **link = &contexts; *link;) {
        struct context *context = *link;
        bool creates = false; /* a living thread's region covers the threads that it created */
        for (struct context *other = contexts; other; other = other->next)
            creates = creates || (other != context && other->creator == context);
        if (creates || !is_gone(context)) {
            link = &context->next;
        } else if (!kept[context->in_mpi]) {
            kept[context->in_mpi] = context;
            link = &context->next;
        } else {
            *link = context->next;
            fold(context, kept[context->in_mpi]);
            ended--;
        }
    }
}

/* The caches of ended threads become free for new threads. */
static void free_cores(void) {
    for (struct context *context = contexts; ended && context; context = context->next)
        if (context->core && !context->outside && is_gone(context))
            levels_end(context);
}

/* `outside`: NULL, or the context of the same thread that this one replaces within MPI. */
static struct context *new_context(struct context *creator, uint64_t dispatch, struct context *outside) {
    struct context *context = system_map(0, sizeof *context, false);
    /* Threads that a library starts before main, as OpenBLAS does, work for the program later. */
    if (!outside && creator && creator->before_main)
        creator = creator->outside;
    if (!context)
        fail_program("there is no memory for the counters of a thread", 0);
    context->self = context;
    context->creator = creator ? creator : context;
    context->filters = context->creator->filters;
    context->stack = (uint64_t)(context->dispatcher_stack + sizeof context->dispatcher_stack - 64);
    context->signal_stack = (uint64_t)(context->receiving_stack + sizeof context->receiving_stack - 64);
    context->dispatch = dispatch;
    context->again = stubs_get()->again;
    context->again_returns = stubs_get()->again_returns;
    context->lookups[0].negated = 1;
    context->rseq = (uint64_t)context->no_rseq;
    context->tid = (uint32_t)SYSTEM_CALL(SYS_gettid, 0);
    system_lock();
    free_cores();
    if (ended > MAX_ENDED && !region_any_open())
        fold_ended();
    context->index = region_new_thread();
    context->outside = outside;
    context->in_mpi = outside || context->creator->in_mpi;
    if (!outside)
        together_begin(context);
    region_inherit(context);
    if (levels_request())
        levels_begin(context);
    slices_begin(context);
    if (creator)
        links_share();
    context->next = contexts;
    __atomic_store_n(&contexts, context, __ATOMIC_RELEASE);
    system_unlock();
    return context;
}

struct context *thread_create(struct context *creator, uint64_t dispatch) {
    object_prepare(&contexts);
    struct context *context = new_context(creator, dispatch, NULL);
    mask_begin(context, creator);
    SYSTEM_CALL(SYS_arch_prctl, ARCH_SET_GS, context);
    return context;
}

struct context *thread_inside(struct context *outside) {
    if (!outside->inside)
        outside->inside = new_context(outside, outside->dispatch, outside);
    return outside->inside;
}

void threads_keep_only(struct context *own) {
    if (levels_request())
        levels_forget(contexts);
    for (struct context *context = contexts, *next; context; context = next) {
        next = context->next;
        slices_fold(context, NULL);
        if (context != own)
            SYSTEM_CALL(SYS_munmap, context, sizeof *context);
    }
    contexts = own;
    own->next = own->inside = own->outside = NULL;
    own->creator = own;
    if (own->before_main) /* forked while libraries start: a process of the program */
        own->in_mpi = own->before_main = false;
    own->tid = (uint32_t)SYSTEM_CALL(SYS_gettid, 0);
    for (unsigned i = 0; i < own->interruption_count; i++) /* the rest of these blocks is still to be counted */
        own->interruptions[i].left = true;
    SYSTEM_CALL(SYS_madvise, ((uint64_t)own->counters + 4095) & ~4095ull, (sizeof own->counters - 4096) & ~4095ull,
                MADV_DONTNEED);
    for (uint32_t i = 0; i < 512; i++) /* other members share the first and last page */
        own->counters[i] = own->counters[CONTEXT_COUNTERS - 1 - i] = 0;
    slices_begin(own);
    ended = 0;
    first_ended = false;
    together_forked(own);
}

bool thread_end(struct context *context) {
    struct context *own = context->outside ? context->outside : context, *halves[] = {own, own->inside};
    system_lock();
    if (!own->ended) /* a signal before its last call brings it here again */
        together_end(own);
    for (unsigned i = 0; i < sizeof halves / sizeof *halves; i++)
        if (halves[i] && !halves[i]->ended) {
            halves[i]->ended = true;
            ended++;
        }
    first_ended = first_ended || context->tid == (uint32_t)SYSTEM_CALL(SYS_getpid, 0);
    slices_end(own);
    const uint32_t living = threads_living();
    system_unlock();
    for (unsigned i = 0; i < sizeof halves / sizeof *halves; i++)
        if (halves[i])
            levels_flush(halves[i]);
    for (unsigned i = 0; i < sizeof halves / sizeof *halves; i++)
        if (halves[i])
            SYSTEM_CALL(SYS_madvise, ((uint64_t)halves[i]->lookups + 4095) & ~4095ull,
                        (sizeof own->lookups - 4096) & ~4095ull, MADV_DONTNEED);
    return living == 0;
}

static void forget(struct context *context, uint32_t place, uint64_t low, uint64_t high) {
    struct lookup *lookup = &context->lookups[place];
    if (-lookup->negated >= low && -lookup->negated < high)
        lookup->negated = place == 0;
}

void threads_forget(uint64_t low, uint64_t high) {
    const uint64_t count = high - low >= CONTEXT_LOOKUPS ? CONTEXT_LOOKUPS : high - low;
    for (struct context *context = contexts; context; context = context->next)
        for (uint64_t i = 0; !context->ended && i < count; i++) {
            forget(context, lookup_first(low + i), low, high);
            forget(context, lookup_second(low + i), low, high);
        }
}
