/* SPDX-License-Identifier: BSD-3-Clause
 * Slices (see slices.h). The timer's signal takes the place of a poll: loops in the cache never come to the dispatcher.
 * A tick reads the thread's counters and changes nothing of the program; a block's instructions after the interruption
 * count for the slice in which the block began. */
#include "slices.h"

#include <linux/time_types.h>
#include <time.h>
#include <sys/syscall.h>

#include "bench/count/base/system.h"
#include "bench/count/code/cache.h"
#include "bench/count/kernel/place.h"

/* A slice costs some ns per counter: so it is no more than some percent of the time. */
enum { NS_PER_COUNTER = 200, CHUNK_BYTES = 1 << 16, ROOM_BYTES = 64 << 20 };

struct slices_chunk { /* followed by slices */
    struct slices_chunk *next;
    size_t used; /* bytes, with this */
};
/* Of one thread. */
struct slices {
    struct slices_chunk *first, *last;
    uint64_t *before;           /* the counters at the last slice; NULL: the thread has ended */
    uint64_t period_ns, cpu_ns; /* cpu_ns: the thread's CPU time at the last slice */
    int timer;                  /* -1: none */
};

static uint64_t every_ns;                          /* 0: no slices */
static size_t room_bytes = ROOM_BYTES, used_bytes; /* of all threads; when the room is used, slices become longer */

void slices_prepare(const char *text) {
    every_ns = 0;
    for (; text && *text >= '0' && *text <= '9'; text++)
        every_ns = 10 * every_ns + (uint64_t)(*text - '0');
}

static uint64_t clock_ns(long clock) {
    struct __kernel_timespec now = {0};
    SYSTEM_CALL(SYS_clock_gettime, clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* The kernel's number of the clock of a thread's CPU time. */
static long cpu_clock(const struct context *context) {
    enum { OF_THREAD = 4, SCHEDULED = 2 };
    return (long)(int)(~context->tid << 3 | OF_THREAD | SCHEDULED);
}

static void set_period(struct slices *slices) {
    const uint64_t least_ns = NS_PER_COUNTER * (uint64_t)cache_counter_count(),
                   period_ns = every_ns > least_ns ? every_ns : least_ns;
    const struct __kernel_timespec period = {(long long)(period_ns / 1000000000), (long long)(period_ns % 1000000000)};
    const struct __kernel_itimerspec each = {period, period};
    if (slices->timer < 0 || period_ns == slices->period_ns)
        return;
    slices->period_ns = period_ns;
    SYSTEM_CALL(SYS_timer_settime, slices->timer, 0, &each, NULL);
}

void slices_begin(struct context *context) {
    struct slices *slices = context->slices;
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGPROF};
    if (every_ns == 0 || context->outside)
        return;
    slices = context->slices = slices ? slices : system_map(0, sizeof *slices, false);
    if (!slices)
        return;
    slices->before = system_map(0, CONTEXT_COUNTERS * sizeof *slices->before, false);
    event.sigev_value.sival_ptr = context;
    event._sigev_un._tid = (int)context->tid;
    slices->timer = -1;
    slices->period_ns = 0;
    slices->cpu_ns = clock_ns(cpu_clock(context));
    if (!slices->before || system_failed(SYSTEM_CALL(SYS_timer_create, cpu_clock(context), &event, &slices->timer)))
        slices->timer = -1;
    set_period(slices);
}

/* Begins a slice with room for a value, perhaps in a new chunk; `like` has its times. NULL: no memory. */
static struct slice *open_slice(struct slices *slices, const struct slice *like) {
    struct slices_chunk *chunk = slices->last;
    if (!chunk || chunk->used + sizeof *like + sizeof like->values[0] > CHUNK_BYTES) {
        struct slices_chunk *fresh = system_map(0, CHUNK_BYTES, false);
        if (!fresh)
            return NULL;
        fresh->used = sizeof *fresh;
        *(chunk ? &chunk->next : &slices->first) = fresh;
        slices->last = chunk = fresh;
        used_bytes += CHUNK_BYTES;
    }
    struct slice *slice = (struct slice *)(void *)((uint8_t *)chunk + chunk->used);
    *slice = (struct slice){like->wall_ns, like->cpu_ns, like->block, like->offset, 0};
    chunk->used += sizeof *slice;
    return slice;
}

/* A slice that exceeds its chunk is continued in the next one, without further time. */
static struct slice *append(struct slices *slices, struct slice *slice, uint32_t counter, uint64_t difference) {
    if (slices->last->used + sizeof slice->values[0] > CHUNK_BYTES)
        slice = open_slice(slices, &(struct slice){slice->wall_ns, 0, slice->block, slice->offset, 0});
    if (!slice)
        return NULL;
    slice->values[slice->value_count++] = (struct slice_value){counter, difference};
    slices->last->used += sizeof slice->values[0];
    return slice;
}

/* At an instruction (`address`) of a block; NULL: elsewhere. */
static void take(struct context *context, const struct block *block, uint64_t address) {
    struct slices *slices = context->slices;
    const uint64_t cpu_ns = clock_ns(cpu_clock(context));
    const struct slice now = {.wall_ns = clock_ns(CLOCK_MONOTONIC),
                              .cpu_ns = cpu_ns - slices->cpu_ns,
                              .block = block ? cache_counter_block(block->counter) : 0,
                              .offset = block ? (uint32_t)(address - block->original) : 0};
    struct slice *slice = open_slice(slices, &now);
    slices->cpu_ns = cpu_ns;
    const uint32_t counters = cache_counter_count();
    for (uint32_t i = 0; i < counters && slice; i++) {
        const uint64_t now_is = context->counters[i];
        if (now_is == slices->before[i])
            continue;
        slice = append(slices, slice, i, now_is - slices->before[i]);
        slices->before[i] = now_is;
    }
    if (used_bytes > room_bytes) {
        room_bytes += ROOM_BYTES;
        every_ns *= 2;
    }
    set_period(slices);
}

bool slices_receive(struct context *context, int number, const siginfo_t *info, uint64_t code) {
    uint32_t instruction;
    struct context *own = context->outside ? context->outside : context;
    if (number != SIGPROF || every_ns == 0 || info->si_code != SI_TIMER || info->si_value.sival_ptr != own)
        return false;
    /* Filters of system calls could end the program for these. */
    if (context->strict || context->filters || !own->slices || !own->slices->before)
        return true;
    const bool in_cache = cache_holds(code); /* otherwise this thread itself may hold the lock */
    const uint64_t address = in_cache ? place_address(code) : 0;
    if (!system_try_lock())
        return true;
    take(own, in_cache ? cache_block_at(code, &instruction) : NULL, address);
    system_unlock();
    return true;
}

void slices_end(struct context *context) {
    struct slices *slices = context->slices;
    if (!slices || !slices->before)
        return;
    take(context, NULL, 0);
    if (slices->timer >= 0)
        SYSTEM_CALL(SYS_timer_delete, slices->timer);
    SYSTEM_CALL(SYS_munmap, slices->before, CONTEXT_COUNTERS * sizeof *slices->before);
    slices->before = NULL;
    slices->timer = -1;
}

void slices_close(struct context *threads) {
    for (struct context *context = threads; context; context = context->next)
        if (context->slices && context->slices->before)
            take(context, NULL, 0);
}

void slices_each(const struct context *context,
                 void (*each)(const struct context *context, const struct slice *slice)) {
    const struct slices_chunk *chunk = context->slices ? context->slices->first : NULL;
    for (; chunk; chunk = chunk->next)
        for (size_t at = sizeof *chunk; at < chunk->used;) {
            const struct slice *slice = (const struct slice *)(const void *)((const uint8_t *)chunk + at);
            each(context, slice);
            at += sizeof *slice + slice->value_count * sizeof slice->values[0];
        }
}

void slices_fold(struct context *context, struct context *into) {
    struct slices *from = context->slices, *to = into ? into->slices : NULL;
    if (!from)
        return;
    if (to && from->first) {
        *(to->last ? &to->last->next : &to->first) = from->first;
        to->last = from->last;
    }
    for (struct slices_chunk *chunk = to ? NULL : from->first, *next; chunk; chunk = next) {
        next = chunk->next;
        SYSTEM_CALL(SYS_munmap, chunk, CHUNK_BYTES);
    }
    if (from->before)
        SYSTEM_CALL(SYS_munmap, from->before, CONTEXT_COUNTERS * sizeof *from->before);
    SYSTEM_CALL(SYS_munmap, from, sizeof *from);
    context->slices = NULL;
}
