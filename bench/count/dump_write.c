/* SPDX-License-Identifier: BSD-3-Clause
 * Writes the counts (see bench/profile/dump.h, counter.h). */
#include "counter.h"
#include "region.h"
#include "slices.h"
#include "threads.h"

#include "bench/count/base/dump_file.h"
#include "bench/count/base/fail.h"
#include "bench/count/base/system.h"
#include "bench/count/caches/levels.h"
#include "bench/count/caches/seen.h"
#include "bench/count/code/cache.h"
#include "bench/count/code/context.h"
#include "bench/count/code/object.h"
#include "bench/count/code/record.h"
#include "bench/count/kernel/pace.h"
#include "bench/count/kernel/together.h"
#include "bench/profile/dump.h"

struct dump_output {
    size_t used;
    uint8_t buffer[1 << 16];
    bool failed;
};
static struct dump_output output;

static void dump_write_flush(void) {
    output.failed = output.failed || !dump_append(output.buffer, output.used);
    output.used = 0;
}

static void dump_write_put(const void *bytes, size_t count) {
    const uint8_t *at = bytes;
    while (count > 0) {
        size_t room = sizeof output.buffer - output.used, part = count < room ? count : room;
        __builtin_memcpy(output.buffer + output.used, at, part);
        output.used += part;
        at += part;
        count -= part;
        if (output.used == sizeof output.buffer)
            dump_write_flush();
    }
}

static void put_objects(void) {
    for (uint32_t i = 0; i < object_count(); i++) {
        const struct object *object = object_get(i);
        struct dump_object out = {.low = object->low, .high = object->high, .file_offset = object->file_offset};
        text_copy(out.path, object->path, sizeof out.path);
        dump_write_put(&out, sizeof out);
    }
}

/* The threads, oldest first; `position` is their index here. */
static struct context *threads[CONTEXT_THREADS];

static uint32_t list_threads(void) {
    uint32_t count = 0;
    for (struct context *context = threads_first(); context; context = context->next)
        context->position = count++;
    for (struct context *context = threads_first(); context; context = context->next) {
        context->position = count - 1 - context->position;
        threads[context->position] = context;
    }
    return count;
}

/* Numbers of counters in the report, which omits blocks that were not executed: a forked process has many from its
 * creator. 0: omitted. `kept`: the counters in the report, in order. */
static uint32_t *numbers, *kept, kept_count;
static uint32_t *loops; /* by the counter of a loop's copies that were left out: the loop's own counter; 0: another */

void dump_write_prepare(void) {
    numbers = fail_or_map(sizeof *numbers * CONTEXT_COUNTERS);
    kept = fail_or_map(sizeof *kept * CONTEXT_COUNTERS);
    loops = fail_or_map(sizeof *loops * CONTEXT_COUNTERS);
}

/* A block's counters end where the next block's begin. */
static uint32_t counters_end(uint32_t first) {
    uint32_t end = first + 1;
    while (end < cache_counter_count() && !cache_counter_block(end))
        end++;
    return end;
}

/* Numbers the counters of the blocks that any thread executed; returns how many there are. */
static uint32_t number_counters(uint32_t thread_count) {
    uint32_t next = 1;
    __builtin_memset(numbers, 0, cache_counter_count() * sizeof *numbers);
    for (uint32_t thread = 0; thread < thread_count; thread++)
        for (uint32_t i = 0; i < cache_counter_count(); i++)
            numbers[i] |= cache_count(threads[thread]->counters, i) != 0;
    kept_count = 0;
    for (uint32_t first = counters_end(0), end; first < cache_counter_count(); first = end) {
        bool executed = false;
        end = counters_end(first);
        for (uint32_t i = first; i < end; i++)
            executed = executed || numbers[i];
        for (uint32_t i = first; executed && i < end; i++)
            numbers[i] = next++;
        if (executed)
            kept[kept_count++] = cache_counter_block(first);
    }
    return next;
}

static void put_blocks(void) {
    for (uint32_t i = 0; i < kept_count; i++) {
        const struct block *block = cache_block(kept[i]);
        struct dump_block out = {.address = block->original,
                                 .object = block->object,
                                 .counter = numbers[block->counter],
                                 .code_bytes = block->code_bytes,
                                 .instruction_count = block->instruction_count};
        dump_write_put(&out, sizeof out);
    }
    for (uint32_t i = 0; i < kept_count; i++)
        dump_write_put(cache_bytes(cache_block(kept[i])->first_byte), cache_block(kept[i])->code_bytes);
}

static void put_regions(void) {
    for (uint32_t i = 0; i < region_count(); i++) {
        const struct region *region = region_get(i);
        struct dump_region out = {
            .calls = region->calls, .open = region_open(i, threads_first()), .mismatched = region->mismatched};
        text_copy(out.name, region->name, sizeof out.name);
        dump_write_put(&out, sizeof out);
    }
}

static uint32_t value_count(const uint64_t *counters) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < cache_counter_count(); i++)
        count += cache_count(counters, i) != 0;
    return count;
}

static void put_counts(uint32_t region, uint32_t thread, const uint64_t *counters) {
    struct dump_counts out = {.region = region, .thread = thread, .value_count = value_count(counters)};
    dump_write_put(&out, sizeof out);
    for (uint32_t i = 0; i < cache_counter_count(); i++) {
        struct dump_value value = {.counter = numbers[i], .value = cache_count(counters, i)};
        if (value.value != 0)
            dump_write_put(&value, sizeof value);
    }
}

static bool is_of_region(const struct levels_set *set, uint32_t region) {
    return region == 0 || (set->regions[region / 64] >> region % 64 & 1);
}

/* What a thread touched in a region; NULL: all threads together. */
static struct touched footprint_of(const struct context *thread, uint32_t region) {
    struct levels_touched lines, pages;
    seen_make(&lines, false);
    seen_make(&pages, false);
    for (const struct context *context = threads_first(); context; context = context->next)
        for (const struct levels_set *set = context->levels; set && (!thread || thread == context); set = set->next)
            if (is_of_region(set, region)) {
                seen_add_all(&lines, &set->lines);
                seen_add_all(&pages, &set->pages);
            }
    const struct touched footprint = {lines.of_groups.item_count, pages.of_groups.item_count};
    seen_unmap(&lines);
    seen_unmap(&pages);
    return footprint;
}

/* The nonzero counts of caches for one group of accesses in one group of the sampling. Puts them, or counts them. */
static uint32_t put_traffic_of(const struct levels_set *set, const struct record_plan *plan, uint32_t owner,
                               unsigned group, bool puts) {
    enum { WORDS = sizeof *set->counts / 8 };
    const uint64_t *words = (const uint64_t *)&set->counts[(size_t)group * RECORD_GROUPS_MOST + owner];
    const struct block *block = cache_block(plan->block);
    uint32_t count = 0;
    for (unsigned word = 0; word < WORDS; word++) {
        const struct dump_traffic_value value = {.counter = numbers[block->counter],
                                                 .instruction =
                                                     (uint16_t)(record_group(owner)->first % block->instruction_count),
                                                 .word = (uint8_t)word,
                                                 .group = (uint8_t)group,
                                                 .value = words[word]};
        if (value.value != 0 && puts)
            dump_write_put(&value, sizeof value);
        count += value.value != 0;
    }
    return count;
}

static uint32_t put_traffic_values(const struct context *thread, uint32_t region, bool puts) {
    uint32_t count = 0;
    for (const struct levels_set *set = thread->levels; set; set = set->next)
        for (uint32_t i = 1; is_of_region(set, region) && i < record_plans.plan_count; i++) {
            const struct record_plan *plan = record_plan(i);
            for (uint32_t owner = plan->first_group; owner < plan->first_group + plan->group_count; owner++)
                for (unsigned group = 0; group < levels_group_count(); group++)
                    count += put_traffic_of(set, plan, owner, group, puts);
        }
    return count;
}

static void put_traffic(uint32_t region, uint32_t thread) {
    const struct dump_traffic out = {.region = region,
                                     .thread = thread,
                                     .value_count = put_traffic_values(threads[thread], region, false),
                                     .footprint = footprint_of(threads[thread], region)};
    dump_write_put(&out, sizeof out);
    put_traffic_values(threads[thread], region, true);
}

/* The plan of a group. */
static const struct record_plan *plan_of(uint32_t owner) {
    uint32_t low = 1, high = record_plans.plan_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (record_plan(middle)->first_group <= owner)
            low = middle;
        else
            high = middle;
    }
    return record_plan(low);
}

static void put_touch(const struct footprint_slot *slot, uint16_t kind) {
    const uint32_t owner = footprint_owner(slot->group - 1);
    const struct block *block = cache_block(plan_of(owner)->block);
    const struct dump_touch out = {.counter = numbers[block->counter],
                                   .instruction = (uint16_t)(record_group(owner)->first % block->instruction_count),
                                   .kind = kind,
                                   .group = footprint_group(slot->group - 1),
                                   .bits = slot->bits};
    dump_write_put(&out, sizeof out);
}

static uint64_t put_touched(const struct levels_touched *touched, uint16_t kind, bool puts) {
    const struct footprint *of_groups = &touched->of_groups;
    for (size_t i = 0; puts && i < of_groups->slot_count; i++)
        if (of_groups->slots[i].group != 0)
            put_touch(&of_groups->slots[i], kind);
    return touched->owner_mask != 0 ? of_groups->used_slots : DUMP_NOT_KNOWN;
}

/* For all threads and regions, outside MPI calls. Puts them, or counts them. */
static uint64_t put_all_touched(bool puts) {
    uint64_t count = 0;
    for (const struct context *context = threads_first(); context; context = context->next)
        for (const struct levels_set *set = context->levels; set && !context->in_mpi; set = set->next) {
            const uint64_t lines = put_touched(&set->lines, DUMP_TOUCH_LINES, puts),
                           pages = put_touched(&set->pages, DUMP_TOUCH_PAGES, puts);
            if (lines == DUMP_NOT_KNOWN || pages == DUMP_NOT_KNOWN)
                return DUMP_NOT_KNOWN;
            count += lines + pages;
        }
    return count;
}

/* All or none: a part would show too little for each function and loop. */
static void put_touches(void) {
    const struct dump_touches out = {put_all_touched(false)};
    dump_write_put(&out, sizeof out);
    if (out.value_count != DUMP_NOT_KNOWN)
        put_all_touched(true);
}

static uint32_t put_difference(uint32_t counter, uint64_t executions, bool puts) {
    const struct dump_value value = {numbers[counter], executions};
    if (puts)
        dump_write_put(&value, sizeof value);
    return 1;
}

/* As in cache_count(), a difference may be one of two counts. Puts them, or counts them. */
static uint32_t put_differences(const struct slice *slice, bool puts) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < slice->value_count; i++) {
        const uint32_t counter = slice->values[i].counter;
        const uint64_t difference = slice->values[i].difference;
        const struct block *block = cache_block(cache_counter_block(counter));
        count += put_difference(counter, difference * (block->left_out ? block->copies : 1), puts);
        if (loops[counter])
            count += put_difference(loops[counter], difference, puts);
        if (counter > 0 && cache_counter_follows(counter - 1))
            count += put_difference(counter - 1, difference, puts);
    }
    return count;
}

static void put_slice(const struct context *context, const struct slice *slice) {
    const struct dump_slice out = {.wall_ns = slice->wall_ns,
                                   .cpu_ns = slice->cpu_ns,
                                   .thread = context->position,
                                   .counter = numbers[cache_block(slice->block)->counter],
                                   .offset = slice->offset,
                                   .value_count = put_differences(slice, false)};
    dump_write_put(&out, sizeof out);
    put_differences(slice, true);
}

static void dump_write_find_loops(void) {
    for (uint32_t i = 1; i < cache_block_count(); i++)
        if (cache_block(i)->left_out)
            loops[cache_block(i)->left_out] = cache_block(i)->counter;
}

static uint32_t slice_count;
static void count_slice(const struct context *context, const struct slice *slice) {
    (void)context;
    (void)slice;
    slice_count++;
}

static void put_levels(const struct dump_header *header) {
    for (uint32_t region = 0; region < header->region_count; region++) {
        const struct touched footprint = footprint_of(NULL, region);
        dump_write_put(&footprint, sizeof footprint);
    }
    for (uint32_t thread = 0; thread < header->thread_count; thread++)
        for (uint32_t region = 0; region < header->region_count; region++)
            if (region_has(region, threads[thread]))
                put_traffic(region, thread);
    put_touches();
}

static struct dump_header dump_write_describe(void) {
    struct dump_header header = dump_header_now();
    header.object_count = object_count();
    header.region_count = region_count();
    header.thread_count = list_threads();
    header.threads_together = together_most();
    header.clock_calls = pace_readings();
    header.timers = pace_timers();
    if (levels_request()) {
        levels_finish();
        header.levels = *levels_request();
        levels_changes(header.changes);
    }
    slices_close(threads_first());
    slice_count = 0;
    for (uint32_t i = 0; i < header.thread_count; i++)
        slices_each(threads[i], count_slice);
    header.slice_count = slice_count;
    if (slice_count > 0)
        dump_write_find_loops();
    header.counter_count = number_counters(header.thread_count);
    header.block_count = kept_count;
    for (uint32_t i = 0; i < kept_count; i++)
        header.code_bytes += cache_block(kept[i])->code_bytes;
    for (uint32_t thread = 0; thread < header.thread_count; thread++)
        for (uint32_t region = 0; region < header.region_count; region++)
            header.count_count += region_has(region, threads[thread]);
    return header;
}

void dump_write(void) {
    struct dump_header header = dump_write_describe();
    output.used = 0;
    output.failed = false;
    if (!dump_begin())
        return;
    dump_write_put(&header, sizeof header);
    put_objects();
    put_blocks();
    put_regions();
    for (uint32_t i = 0; i < header.thread_count; i++) {
        struct dump_thread out = {
            .tid = threads[i]->tid, .creator = threads[i]->creator->position, .in_mpi = threads[i]->in_mpi};
        dump_write_put(&out, sizeof out);
    }
    for (uint32_t thread = 0; thread < header.thread_count; thread++)
        for (uint32_t region = 0; region < header.region_count; region++)
            if (region_has(region, threads[thread]))
                put_counts(region, thread, region_counters(region, threads[thread]));
    for (uint32_t i = 0; i < header.thread_count; i++)
        slices_each(threads[i], put_slice);
    if (levels_request())
        put_levels(&header);
    dump_write_flush();
    if (output.failed)
        dump_close_failed("the report does not fit: the disk is full, or `ulimit -f` is too low");
    else
        dump_close_complete(header);
}
