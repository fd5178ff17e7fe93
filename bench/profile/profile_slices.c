/* SPDX-License-Identifier: BSD-3-Clause */
#include "profile_cost.h"

#include <stdlib.h>
#include <string.h>

#include "bench/names/written_names.h"
#include "probe/need.h"

enum { PLACE_BYTES = 64 }; /* of code that is one place: small, so that loops are apart */

uint64_t profile_place(const char *path, uint64_t file_offset) {
    uint64_t hash = texts_hash(path);
    if (!written_names_dump(path)) /* written code is elsewhere in each run */
        hash = (hash ^ file_offset / PLACE_BYTES) * 0x100000001b3;
    return hash ? hash : 1;
}

/* By counter: 1 + the index of the block that it counts. To be freed. */
static uint32_t *find_blocks(const struct dump *dump) {
    uint32_t *blocks = need_calloc(dump->header.counter_count + 1, sizeof *blocks);
    for (uint32_t i = 0; i < dump->header.block_count; i++)
        blocks[dump_block(dump, i).counter] = i + 1;
    return blocks;
}

static uint64_t place_of(const struct dump *dump, const uint32_t *blocks, const struct dump_slice *slice) {
    if (slice->counter == 0 || blocks[slice->counter] == 0)
        return 0;
    const struct dump_block block = dump_block(dump, blocks[slice->counter] - 1);
    const struct dump_object object = dump_object(dump, block.object);
    return block.object ? profile_place(object.path, dump_offset(&object, block.address) + slice->offset)
                        : profile_place(COLLECTOR_WRITTEN, 0);
}

static void subtract(struct count *from, const struct count *less) {
    for (size_t i = 0; i < COUNT_WORDS; i++)
        from->words[i] -= less->words[i];
}

static void add_values(const struct code_cost *cost, const struct dump_record *record, struct count *sum) {
    for (size_t v = 0; v < record->value_count; v++) {
        const struct dump_value value = dump_value(record, v);
        code_cost_add(cost, value.counter, value.value, sum);
    }
}

/* What a thread executed beside its slices is part of its last one. */
static void add_rest(const struct dump *dump, const struct code_cost *cost, struct profile_slice *slices,
                     const uint32_t *threads) {
    struct count *rest = need_calloc(dump->header.thread_count + 1, sizeof *rest);
    for (size_t i = 0; i < dump->header.count_count; i++)
        if (dump->records[i].region == 0 && !dump_thread(dump, dump->records[i].thread).in_mpi)
            add_values(cost, &dump->records[i], &rest[dump->records[i].thread]);
    for (size_t i = 0; i < dump->header.slice_count; i++)
        subtract(&rest[threads[i]], &slices[i].count);
    for (size_t i = dump->header.slice_count; i-- > 0;) {
        count_add(&slices[i].count, &rest[threads[i]]);
        rest[threads[i]] = (struct count){0};
    }
    free(rest);
}

void profile_slices_add(struct profile *profile, const struct dump *dump, const struct code_cost *cost) {
    const size_t count = dump->header.slice_count;
    if (count == 0)
        return;
    uint32_t *blocks = find_blocks(dump);
    uint32_t *threads = need_calloc(count, sizeof *threads);
    profile->slices = need_realloc(profile->slices, (profile->slice_count + count) * sizeof *profile->slices);
    struct profile_slice *slices = profile->slices + profile->slice_count;
    for (size_t i = 0; i < count; i++) {
        const struct dump_slice slice = dump_slice(&dump->slices[i]);
        const struct dump_thread thread = dump_thread(dump, slice.thread);
        threads[i] = slice.thread;
        slices[i] = (struct profile_slice){.rank = dump->header.rank.number,
                                           .pid = dump->header.pid,
                                           .tid = thread.tid,
                                           .wall_ns = slice.wall_ns,
                                           .cpu_ns = slice.cpu_ns,
                                           .place = place_of(dump, blocks, &slice)};
        if (!thread.in_mpi)
            add_values(cost, &dump->slices[i], &slices[i].count);
    }
    add_rest(dump, cost, slices, threads);
    profile->slice_count += count;
    free(threads);
    free(blocks);
}

static int by_thread(const void *a, const void *b) {
    const struct profile_slice *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->pid != y->pid)
        return x->pid < y->pid ? -1 : 1;
    if (x->tid != y->tid)
        return x->tid < y->tid ? -1 : 1;
    return (x->wall_ns > y->wall_ns) - (x->wall_ns < y->wall_ns);
}

void profile_slices_sort(struct profile *profile) {
    if (profile->slice_count > 0)
        qsort(profile->slices, profile->slice_count, sizeof *profile->slices, by_thread);
}
