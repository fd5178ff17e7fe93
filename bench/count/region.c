/* SPDX-License-Identifier: BSD-3-Clause
 * Regions (see region.h). */
#include "region.h"

#include "../../probe/collector.h"
#include "cache.h"
#include "counter.h"
#include "system.h"

enum { MOST_REGIONS = 256 };

/* A thread's counters as they were when a region began. */
struct snapshot {
    struct snapshot *next;
    const struct context *thread;
    uint64_t counters[CONTEXT_COUNTERS];
};

struct frame {
    struct frame *outer;
    uint32_t region;
    bool covered;           /* by the same region, opened earlier by the thread or one that it comes from */
    bool inherited;         /* open when a fork made this process */
    uint32_t counter_count; /* that there were; later ones began at zero, as do threads without a snapshot */
    struct snapshot *snapshots;
};

static struct region regions[MOST_REGIONS] = {{.calls = 1}};
static uint32_t count = 1, open_frames, thread_count, free_thread_count;
static uint32_t free_threads[CONTEXT_THREADS];
static uint64_t *sums[MOST_REGIONS][CONTEXT_THREADS]; /* one value per counter */
static struct snapshot *free_snapshots;
static struct frame *free_frames;

uint32_t region_new_thread(void) {
    if (free_thread_count)
        return free_threads[--free_thread_count];
    if (thread_count == CONTEXT_THREADS)
        counter_fail("it has more threads than the counter's tables hold", 0);
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
        counter_fail("there is no memory for the counts of a region", 0);
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
    text_copy(cut, name, sizeof cut);
    for (uint32_t i = 1; i < count; i++)
        if (text_equal(regions[i].name, cut))
            return i;
    if (count == MOST_REGIONS)
        counter_fail("it has more than 255 regions", 0);
    text_copy(regions[count].name, cut, sizeof cut);
    return count++;
}

static bool comes_from(const struct context *thread, const struct context *creator) {
    while (thread != creator && thread->creator != thread)
        thread = thread->creator;
    return thread == creator;
}

static bool is_open(const struct context *thread, uint32_t region) {
    for (;; thread = thread->creator) {
        for (const struct frame *frame = thread->frames; frame; frame = frame->outer)
            if (frame->region == region)
                return true;
        if (thread->creator == thread)
            return false;
    }
}

static struct snapshot *take_snapshot(void) {
    struct snapshot *snapshot = free_snapshots;
    if (snapshot)
        free_snapshots = snapshot->next;
    else
        snapshot = system_map(0, sizeof *snapshot, false);
    if (!snapshot)
        counter_fail("there is no memory for the counts of a region", 0);
    return snapshot;
}

static struct frame *take_frame(void) {
    struct frame *frame = free_frames;
    if (frame)
        free_frames = frame->outer;
    else
        frame = system_map(0, sizeof *frame, false);
    if (!frame)
        counter_fail("there is no memory for the counts of a region", 0);
    return frame;
}

static void drop_snapshots(struct frame *frame) {
    for (struct snapshot *snapshot = frame->snapshots, *next; snapshot; snapshot = next) {
        next = snapshot->next;
        snapshot->next = free_snapshots;
        free_snapshots = snapshot;
    }
    frame->snapshots = NULL;
}

/* From now on the frame counts. */
static void start(struct frame *frame, const struct context *owner) {
    frame->counter_count = cache_counter_count();
    for (const struct context *thread = context_first(); thread; thread = thread->next) {
        if (!comes_from(thread, owner))
            continue;
        struct snapshot *snapshot = take_snapshot();
        snapshot->next = frame->snapshots;
        snapshot->thread = thread;
        __builtin_memcpy(snapshot->counters, thread->counters, frame->counter_count * sizeof *thread->counters);
        frame->snapshots = snapshot;
    }
}

/* Adds what was counted since it started. */
static void add(struct frame *frame, const struct context *owner) {
    const uint32_t counters = cache_counter_count();
    for (const struct context *thread = context_first(); thread; thread = thread->next) {
        if (!comes_from(thread, owner))
            continue;
        const struct snapshot *snapshot = frame->snapshots;
        while (snapshot && snapshot->thread != thread)
            snapshot = snapshot->next;
        uint64_t *sum = sums_of(frame->region, thread->index);
        const uint32_t known = snapshot ? frame->counter_count : 0;
        for (uint32_t i = 0; i < known; i++)
            sum[i] += thread->counters[i] - snapshot->counters[i];
        for (uint32_t i = known; i < counters; i++)
            sum[i] += thread->counters[i];
    }
    drop_snapshots(frame);
}

static void begin(struct context *context) {
    uint32_t region = context->pending_region ? context->pending_region : find("region");
    context->pending_region = 0;
    struct frame *frame = take_frame();
    *frame = (struct frame){.outer = context->frames, .region = region, .covered = is_open(context, region)};
    context->frames = frame;
    regions[region].calls++;
    open_frames++;
    if (!frame->covered)
        start(frame, context);
}

static void end(struct context *context) {
    struct frame *frame = context->frames;
    context->last_region = frame ? frame->region : 0;
    if (!frame)
        return;
    if (!frame->covered)
        add(frame, context);
    context->frames = frame->outer;
    frame->outer = free_frames;
    free_frames = frame;
    open_frames--;
}

void region_mark(struct context *context, uint32_t mark, const char *name) {
    system_lock();
    switch (mark) {
    case SSC_MARK_BEGIN:
        begin(context);
        break;
    case SSC_MARK_END:
        end(context);
        break;
    case MARK_NAME_BEGIN:
        context->pending_region = find(name);
        break;
    case MARK_NAME_END:
        if (find(name) != context->last_region)
            regions[context->last_region ? context->last_region : find(name)].mismatched++;
        break;
    }
    system_unlock();
}

void region_forked(struct context *context) {
    for (uint32_t region = 1; region < count; region++) {
        regions[region].calls = regions[region].mismatched = 0;
        for (uint32_t thread = 0; thread < thread_count; thread++)
            if (sums[region][thread])
                __builtin_memset(sums[region][thread], 0, sizeof **sums[0] * cache_counter_count());
    }
    for (struct frame *frame = context->frames; frame; frame = frame->outer) {
        frame->inherited = true;
        frame->covered = false;
        for (const struct frame *outer = frame->outer; outer; outer = outer->outer)
            frame->covered = frame->covered || outer->region == frame->region;
        drop_snapshots(frame);
    }
}

void region_settle(void) {
    for (struct context *context = context_first(); context; context = context->next)
        for (struct frame *frame = context->frames; frame; frame = frame->outer)
            if (!frame->covered) {
                add(frame, context);
                start(frame, context);
            }
}

uint32_t region_count(void) {
    return count;
}

const struct region *region_get(uint32_t region) {
    return &regions[region];
}

uint32_t region_open(uint32_t region) {
    uint32_t times = 0;
    for (const struct context *context = context_first(); context; context = context->next)
        for (const struct frame *frame = context->frames; frame; frame = frame->outer)
            times += frame->region == region && !frame->inherited;
    return times;
}

const uint64_t *region_counters(uint32_t region, const struct context *context) {
    return region == 0 ? context->counters : sums[region][context->index];
}
