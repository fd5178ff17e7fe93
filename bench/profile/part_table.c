/* SPDX-License-Identifier: BSD-3-Clause
 * Loops and lines by their sources, in two tables of hashes (see part_table.h), and in order once all are known. */
#include "part_table.h"

#include <stdlib.h>
#include <string.h>

#include "probe/need.h"

static bool is_same(const struct part_source *a, const struct part_source *b) {
    return a->object == b->object && a->function == b->function && a->inlined == b->inlined && a->file == b->file &&
           a->line == b->line && a->offset == b->offset;
}

static uint64_t mix(uint64_t hash, uint64_t value) {
    return (hash ^ value) * 0x9e3779b97f4a7c15; /* 2^64 / golden ratio: Knuth, vol. 3, 6.4 */
}

static uint64_t hash_of(const struct part_source *source) {
    uint64_t hash = mix(0, (uintptr_t)source->object);
    hash = mix(hash ^ hash >> 32, (uintptr_t)source->function);
    hash = mix(hash ^ hash >> 32, (uintptr_t)source->inlined);
    hash = mix(hash ^ hash >> 32, (uintptr_t)source->file);
    hash = mix(hash ^ hash >> 32, source->line);
    hash = mix(hash ^ hash >> 32, source->offset);
    return hash ^ hash >> 32;
}

/* Both sorts of parts begin with their source. */
static const struct part_source *source_at(const void *parts, size_t size, size_t index) {
    return (const struct part_source *)(const void *)((const char *)parts + index * size);
}

/* The slot that has the source's number, or would have it. */
static uint32_t *slot_of(const struct part_slots *slots, const void *parts, size_t size,
                         const struct part_source *source) {
    size_t slot = (size_t)hash_of(source) & (slots->most - 1);
    while (slots->of[slot] != 0 && !is_same(source, source_at(parts, size, slots->of[slot] - 1)))
        slot = (slot + 1) & (slots->most - 1);
    return &slots->of[slot];
}

/* Room for one more: in the slots, and in the list, which may move. */
static void *make_room(struct part_slots *slots, void *parts, size_t size, size_t count) {
    if (2 * (count + 1) < slots->most)
        return parts;
    const struct part_slots old = *slots;
    slots->most = old.most > 0 ? 2 * old.most : 256;
    slots->of = need_calloc(slots->most, sizeof *slots->of);
    for (size_t i = 0; i < old.most; i++)
        if (old.of[i] != 0)
            *slot_of(slots, parts, size, source_at(parts, size, old.of[i] - 1)) = old.of[i];
    free(old.of);
    return need_realloc(parts, slots->most / 2 * size);
}

uint32_t part_table_loop(struct profile_parts *parts, const struct part_source *source, uint32_t parent,
                         unsigned depth) {
    parts->loops = make_room(&parts->loop_slots, parts->loops, sizeof *parts->loops, parts->loop_count);
    uint32_t *slot = slot_of(&parts->loop_slots, parts->loops, sizeof *parts->loops, source);
    if (*slot == 0) {
        parts->loops[parts->loop_count] =
            (struct profile_loop){.source = *source, .parent = parent, .depth = depth, .entries_known = true};
        *slot = (uint32_t)++parts->loop_count;
    }
    return *slot - 1;
}

uint32_t part_table_line(struct profile_parts *parts, const struct part_source *source) {
    parts->lines = make_room(&parts->line_slots, parts->lines, sizeof *parts->lines, parts->line_count);
    uint32_t *slot = slot_of(&parts->line_slots, parts->lines, sizeof *parts->lines, source);
    if (*slot == 0) {
        parts->lines[parts->line_count] = (struct profile_line){.source = *source};
        *slot = (uint32_t)++parts->line_count;
    }
    return *slot - 1;
}

/* A part on its way to its place. */
struct ranked {
    uint64_t instructions;
    uint32_t index;
};

static int by_instructions(const void *a, const void *b) {
    const struct ranked *x = a, *y = b;
    if (x->instructions != y->instructions)
        return x->instructions < y->instructions ? 1 : -1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Sorts a list; returns the new number of each old one. */
static uint32_t *sort_list(void *list, size_t size, size_t count, struct ranked *ranked) {
    char *old = need_calloc(count + 1, size), *sorted = list;
    uint32_t *numbers = need_calloc(count + 1, sizeof *numbers);
    memcpy(old, sorted, count * size);
    qsort(ranked, count, sizeof *ranked, by_instructions);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(sorted + i * size, old + ranked[i].index * size, size);
        numbers[ranked[i].index] = i;
    }
    free(old);
    return numbers;
}

static int by_place(const void *a, const void *b) {
    const struct profile_place *x = a, *y = b;
    const int order = x->path == y->path ? 0 : strcmp(x->path, y->path);
    if (order != 0)
        return order;
    return (x->start > y->start) - (x->start < y->start);
}

/* In their order; the same instruction of several processes is one. */
static void merge_places(struct profile_parts *parts) {
    size_t kept = 0;
    if (parts->place_count > 0)
        qsort(parts->places, parts->place_count, sizeof *parts->places, by_place);
    for (size_t i = 0; i < parts->place_count; i++) {
        const struct profile_place *place = &parts->places[i];
        struct profile_place *before = kept > 0 ? &parts->places[kept - 1] : NULL;
        const bool again = before && by_place(before, place) == 0 && before->loop == place->loop &&
                           before->line == place->line && before->code_bytes == place->code_bytes &&
                           memcmp(before->code, place->code, place->code_bytes) == 0;
        if (again) {
            before->executions += place->executions;
            before->flop += place->flop;
            before->load_bytes += place->load_bytes;
            before->store_bytes += place->store_bytes;
        } else {
            parts->places[kept++] = *place;
        }
    }
    parts->place_count = kept;
}

void profile_parts_merge(struct profile_parts *parts) {
    const size_t most = parts->loop_count > parts->line_count ? parts->loop_count : parts->line_count;
    struct ranked *ranked = need_calloc(most + 1, sizeof *ranked);
    for (uint32_t i = 0; i < parts->loop_count; i++)
        ranked[i] = (struct ranked){parts->loops[i].count.instructions, i};
    uint32_t *loops =
        parts->loop_count > 0 ? sort_list(parts->loops, sizeof *parts->loops, parts->loop_count, ranked) : NULL;
    for (uint32_t i = 0; i < parts->line_count; i++)
        ranked[i] = (struct ranked){parts->lines[i].count.instructions, i};
    uint32_t *lines =
        parts->line_count > 0 ? sort_list(parts->lines, sizeof *parts->lines, parts->line_count, ranked) : NULL;
    for (size_t i = 0; i < parts->loop_count; i++)
        if (parts->loops[i].parent != PART_NONE)
            parts->loops[i].parent = loops[parts->loops[i].parent];
    for (size_t i = 0; i < parts->place_count; i++) {
        if (parts->places[i].loop != PART_NONE)
            parts->places[i].loop = loops[parts->places[i].loop];
        parts->places[i].line = lines[parts->places[i].line];
    }
    merge_places(parts);
    free(ranked);
    free(loops);
    free(lines);
}

const struct profile_place *profile_place_find(const struct profile_parts *parts, const char *path,
                                               uint64_t file_offset) {
    size_t low = 0, high = parts->place_count;
    while (low < high) { /* the first that begins beyond */
        const size_t middle = low + (high - low) / 2;
        const struct profile_place *place = &parts->places[middle];
        const int order = strcmp(place->path, path);
        if (order < 0 || (order == 0 && place->start <= file_offset))
            low = middle + 1;
        else
            high = middle;
    }
    const struct profile_place *place = low > 0 ? &parts->places[low - 1] : NULL;
    return place != NULL && place->start + place->code_bytes > file_offset && strcmp(place->path, path) == 0 ? place
                                                                                                             : NULL;
}

void profile_parts_free(struct profile_parts *parts) {
    if (parts == NULL)
        return;
    texts_free(&parts->texts);
    for (size_t i = 0; i < parts->loop_count; i++)
        free(parts->loops[i].traffic);
    for (size_t i = 0; i < parts->line_count; i++)
        free(parts->lines[i].traffic);
    free(parts->loops);
    free(parts->lines);
    free(parts->places);
    free(parts->loop_slots.of);
    free(parts->line_slots.of);
    free(parts);
}
