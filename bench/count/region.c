/* SPDX-License-Identifier: BSD-3-Clause */
#include "region.h"

#include "bench/count/base/fail.h"
#include "bench/count/base/system.h"
#include "bench/count/caches/levels.h"
#include "bench/count/code/cache.h"
#include "bench/count/code/marks.h"
#include "probe/marks/collector.h"

/* A frame of marks that are not enabled covers nothing. It exists so that its end mark closes no other frame. */
enum { NOT_TAKEN = 0, FURTHER = CONTEXT_REGIONS - 1 };

struct region_frame {
    struct region_frame *outer;
    uint32_t region;
    bool by_name;   /* it ends by its name, at any depth; otherwise as the innermost frame without `by_name` */
    bool inherited; /* was open when a fork created this process */
};

static struct region regions[CONTEXT_REGIONS] = {{.calls = 1}, [FURTHER] = {.name = COLLECTOR_FURTHER}};
static uint32_t count = 1, open_frames, thread_count, free_thread_count;
static uint32_t free_threads[CONTEXT_THREADS];
/* By thread and region: one value per counter. While a region covers a thread, the values are lower by the thread's
 * counters at the region's begin. */
static uint64_t **sums[CONTEXT_THREADS];
static struct region_frame *free_frames;

uint32_t region_new_thread(void) {
    if (free_thread_count)
        return free_threads[--free_thread_count];
    if (thread_count == CONTEXT_THREADS)
        fail_program("it has more threads than the counter's tables hold", 0);
    return thread_count++;
}

bool region_any_open(void) {
    return open_frames > 0;
}

static void *need_memory(size_t bytes) {
    void *memory = system_map(0, bytes, false);
    if (!memory)
        fail_program("there is no memory for the counts of a region", 0);
    return memory;
}

/* NULL: none yet. */
static uint64_t *sums_found(uint32_t region, uint32_t thread) {
    return sums[thread] ? sums[thread][region] : NULL;
}

static uint64_t *sums_of(uint32_t region, uint32_t thread) {
    if (!sums[thread])
        sums[thread] = need_memory(sizeof *sums[0] * CONTEXT_REGIONS);
    uint64_t **sum = &sums[thread][region];
    if (!*sum)
        *sum = need_memory(sizeof **sum * CONTEXT_COUNTERS);
    return *sum;
}

void region_fold(uint32_t thread, uint32_t into) {
    for (uint32_t region = 1; region < count; region++) {
        uint64_t *from = sums_found(region, thread);
        if (!from)
            continue;
        uint64_t *to = sums_of(region, into);
        for (uint32_t i = 0; i < cache_counter_count(); i++)
            to[i] += from[i];
        __builtin_memset(from, 0, sizeof *from * cache_counter_count());
    }
    free_threads[free_thread_count++] = thread;
}

static uint32_t find(const char *name) {
    char cut[sizeof regions[0].name];
    text_copy(cut, collector_region(name), sizeof cut);
    for (uint32_t i = 1; i < count; i++)
        if (text_equal(regions[i].name, cut))
            return i;
    if (count < FURTHER)
        text_copy(regions[count].name, cut, sizeof cut);
    else
        count = FURTHER;
    return count++;
}

static bool comes_from(const struct context *thread, const struct context *creator) {
    while (thread != creator && thread->creator != thread)
        thread = thread->creator;
    return thread == creator;
}

static struct region_frame *take_frame(void) {
    struct region_frame *frame = free_frames;
    if (!frame)
        return need_memory(sizeof *frame);
    free_frames = frame->outer;
    return frame;
}

/* Regions that cover a thread: its own, and those of its creators. Each counts the thread's work once. */
static void cover(struct context *thread, uint32_t region) {
    if (thread->covers[region]++ > 0)
        return;
    levels_change_regions(thread);
    uint64_t *sum = sums_of(region, thread->index);
    for (uint32_t i = 0; i < cache_counter_count(); i++)
        sum[i] -= thread->counters[i];
}

static void uncover(struct context *thread, uint32_t region) {
    if (--thread->covers[region] > 0)
        return;
    levels_change_regions(thread);
    uint64_t *sum = sums_of(region, thread->index);
    for (uint32_t i = 0; i < cache_counter_count(); i++)
        sum[i] += thread->counters[i];
}

static void for_descendants(const struct context *creator, struct context *threads, uint32_t region,
                            void (*change)(struct context *thread, uint32_t region)) {
    for (struct context *thread = threads; thread; thread = thread->next)
        if (comes_from(thread, creator))
            change(thread, region);
}

void region_inherit(struct context *thread) {
    for (uint32_t region = 1; region < count; region++)
        thread->covers[region] = thread->creator->covers[region]; /* its counters are zero: nothing to subtract */
}

static void open_region(struct context *context, struct context *threads, uint32_t region, bool by_name) {
    struct region_frame *frame = take_frame();
    *frame = (struct region_frame){.outer = context->frames, .region = region, .by_name = by_name};
    context->frames = frame;
    if (region == NOT_TAKEN)
        return;
    regions[region].calls++;
    open_frames++;
    for_descendants(context, threads, region, cover);
}

/* Removes the frame, at any depth. */
static void close_region(struct context *context, struct context *threads, struct region_frame *frame) {
    struct region_frame **link = &context->frames;
    while (*link != frame)
        link = &(*link)->outer;
    *link = frame->outer;
    if (frame->region != NOT_TAKEN) {
        for_descendants(context, threads, frame->region, uncover);
        open_frames--;
    }
    frame->outer = free_frames;
    free_frames = frame;
}

/* An SSC mark; libcarmine's mark may have named it. */
static void begin(struct context *context, struct context *threads) {
    uint32_t region = context->pending_region;
    context->pending_region = 0;
    if (!region)
        region = marks_take_ssc() ? find(COLLECTOR_SSC_REGION) : NOT_TAKEN;
    open_region(context, threads, region, false);
}

static void end(struct context *context, struct context *threads) {
    struct region_frame *frame = context->frames;
    while (frame && frame->by_name)
        frame = frame->outer;
    context->last_region = frame ? frame->region : 0;
    if (frame)
        close_region(context, threads, frame);
}

static void end_named(struct context *context, struct context *threads, uint32_t region) {
    struct region_frame *frame = context->frames;
    while (frame && !(frame->by_name && frame->region == region))
        frame = frame->outer;
    if (frame != context->frames || !frame)
        regions[region].mismatched++;
    if (frame)
        close_region(context, threads, frame);
}

static void name_mark(struct context *context, uint32_t mark, const char *name) {
    if (!marks_take_carmine())
        return;
    const uint32_t region = find(name);
    if (mark == MARK_NAME_BEGIN)
        context->pending_region = region;
    else if (region != context->last_region)
        regions[context->last_region ? context->last_region : region].mismatched++;
}

static void pair_mark(struct context *context, struct context *threads, uint32_t mark) {
    const struct mark_pair *ended = marks_ended_pair(mark), *begun = marks_begun_pair(mark);
    if (ended)
        end_named(context, threads, find(ended->region));
    if (begun)
        open_region(context, threads, find(begun->region), true);
}

void region_mark(struct context *context, struct context *threads, uint32_t mark, const char *name) {
    switch (mark) {
    case SSC_MARK_BEGIN:
        begin(context, threads);
        break;
    case SSC_MARK_END:
        end(context, threads);
        break;
    case MARK_NAME_BEGIN:
    case MARK_NAME_END:
        name_mark(context, mark, name);
        break;
    case MARK_REGION_BEGIN:
        open_region(context, threads, find(name), true);
        break;
    case MARK_REGION_END:
        end_named(context, threads, find(name));
        break;
    default:
        pair_mark(context, threads, mark);
    }
}

void region_forked(struct context *context) {
    for (uint32_t region = 1; region < count; region++) {
        regions[region].calls = regions[region].mismatched = 0;
        for (uint32_t thread = 0; thread < thread_count; thread++)
            if (sums_found(region, thread))
                __builtin_memset(sums_of(region, thread), 0, sizeof ***sums * cache_counter_count());
    }
    __builtin_memset(context->covers, 0, sizeof context->covers);
    for (struct region_frame *frame = context->frames; frame; frame = frame->outer) {
        frame->inherited = true;
        context->covers[frame->region] += frame->region != NOT_TAKEN;
    }
}

uint32_t region_count(void) {
    return count;
}

const struct region *region_get(uint32_t region) {
    return &regions[region];
}

uint32_t region_open(uint32_t region, const struct context *threads) {
    uint32_t times = 0;
    for (const struct context *context = threads; context; context = context->next)
        for (const struct region_frame *frame = context->frames; frame; frame = frame->outer)
            times += frame->region == region && region != NOT_TAKEN && !frame->inherited;
    return times;
}

bool region_has(uint32_t region, const struct context *context) {
    return region == 0 || sums_found(region, context->index) || context->covers[region] > 0;
}

static uint64_t *now; /* result of region_counters() */

void region_prepare(void) {
    now = fail_or_map(sizeof *now * CONTEXT_COUNTERS);
}

const uint64_t *region_counters(uint32_t region, const struct context *context) {
    const uint64_t *sum = sums_found(region, context->index);
    const bool goes_on = context->covers[region] > 0;
    if (region == 0)
        return context->counters;
    for (uint32_t i = 0; i < cache_counter_count(); i++)
        now[i] = (sum ? sum[i] : 0) + (goes_on ? context->counters[i] : 0);
    return now;
}
