/* SPDX-License-Identifier: BSD-3-Clause
 * Regions (see region.h). */
#include "region.h"

#include "bench/count/base/fail.h"
#include "bench/count/base/system.h"
#include "bench/count/code/cache.h"
#include "bench/count/code/decode.h"
#include "probe/marks/collector.h"

struct region_frame {
    struct region_frame *outer;
    uint32_t region;
    bool inherited; /* open when a fork made this process */
};

static struct region regions[CONTEXT_REGIONS] = {{.calls = 1}};
static uint32_t count = 1, open_frames, thread_count, free_thread_count;
static uint32_t free_threads[CONTEXT_THREADS];
/* One value per counter. While a region covers a thread, less than it counted by what its counters held when that
 * began. */
static uint64_t *sums[CONTEXT_REGIONS][CONTEXT_THREADS];
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

static uint64_t *sums_of(uint32_t region, uint32_t thread) {
    uint64_t **sum = &sums[region][thread];
    if (!*sum)
        *sum = system_map(0, sizeof **sum * CONTEXT_COUNTERS, false);
    if (!*sum)
        fail_program("there is no memory for the counts of a region", 0);
    return *sum;
}

void region_fold(uint32_t thread, uint32_t into) {
    for (uint32_t region = 1; region < count; region++) {
        const uint64_t *from = sums[region][thread];
        if (!from)
            continue;
        uint64_t *to = sums_of(region, into);
        for (uint32_t i = 0; i < cache_counter_count(); i++)
            to[i] += from[i];
        __builtin_memset(sums[region][thread], 0, sizeof *from * cache_counter_count());
    }
    free_threads[free_thread_count++] = thread;
}

static uint32_t find(const char *name) {
    char cut[sizeof regions[0].name];
    text_copy(cut, collector_region(name), sizeof cut);
    for (uint32_t i = 1; i < count; i++)
        if (text_equal(regions[i].name, cut))
            return i;
    if (count == CONTEXT_REGIONS)
        fail_program("it has more than 255 regions", 0);
    text_copy(regions[count].name, cut, sizeof cut);
    return count++;
}

static bool comes_from(const struct context *thread, const struct context *creator) {
    while (thread != creator && thread->creator != thread)
        thread = thread->creator;
    return thread == creator;
}

static struct region_frame *take_frame(void) {
    struct region_frame *frame = free_frames;
    if (frame)
        free_frames = frame->outer;
    else
        frame = system_map(0, sizeof *frame, false);
    if (!frame)
        fail_program("there is no memory for the counts of a region", 0);
    return frame;
}

/* Regions that cover a thread: its own, and those of the threads that it comes from. What it does counts once. */
static void cover(struct context *thread, uint32_t region) {
    if (thread->covers[region]++ > 0)
        return;
    uint64_t *sum = sums_of(region, thread->index);
    for (uint32_t i = 0; i < cache_counter_count(); i++)
        sum[i] -= thread->counters[i];
}

static void uncover(struct context *thread, uint32_t region) {
    if (--thread->covers[region] > 0)
        return;
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

static void begin(struct context *context, struct context *threads) {
    uint32_t region = context->pending_region ? context->pending_region : find("region");
    context->pending_region = 0;
    struct region_frame *frame = take_frame();
    *frame = (struct region_frame){.outer = context->frames, .region = region};
    context->frames = frame;
    regions[region].calls++;
    open_frames++;
    for_descendants(context, threads, region, cover);
}

static void end(struct context *context, struct context *threads) {
    struct region_frame *frame = context->frames;
    context->last_region = frame ? frame->region : 0;
    if (!frame)
        return;
    for_descendants(context, threads, frame->region, uncover);
    context->frames = frame->outer;
    frame->outer = free_frames;
    free_frames = frame;
    open_frames--;
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
        context->pending_region = find(name);
        break;
    case MARK_NAME_END:
        if (find(name) != context->last_region)
            regions[context->last_region ? context->last_region : find(name)].mismatched++;
        break;
    }
}

void region_forked(struct context *context) {
    for (uint32_t region = 1; region < count; region++) {
        regions[region].calls = regions[region].mismatched = 0;
        for (uint32_t thread = 0; thread < thread_count; thread++)
            if (sums[region][thread])
                __builtin_memset(sums[region][thread], 0, sizeof **sums[0] * cache_counter_count());
    }
    __builtin_memset(context->covers, 0, sizeof context->covers);
    for (struct region_frame *frame = context->frames; frame; frame = frame->outer) {
        frame->inherited = true;
        context->covers[frame->region]++;
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
            times += frame->region == region && !frame->inherited;
    return times;
}

bool region_has(uint32_t region, const struct context *context) {
    return region == 0 || sums[region][context->index] || context->covers[region] > 0;
}

const uint64_t *region_counters(uint32_t region, const struct context *context) {
    static uint64_t now[CONTEXT_COUNTERS];
    const uint64_t *sum = region == 0 ? NULL : sums[region][context->index];
    const bool goes_on = region == 0 || context->covers[region] > 0;
    for (uint32_t i = 0; i < cache_counter_count(); i++)
        now[i] = (sum ? sum[i] : 0) + (goes_on ? context->counters[i] : 0);
    return now;
}
