/* SPDX-License-Identifier: BSD-3-Clause
 * Adds up the counts of simulated caches (see profile_traffic.h). */
#include "profile_traffic.h"

#include <stdlib.h>

#include "probe/need.h"

static struct profile_traffic *need(struct profile_traffic **traffic) {
    if (*traffic == NULL)
        *traffic = need_calloc(1, sizeof **traffic);
    return *traffic;
}

void profile_traffic_add(struct profile_traffic **to, const struct profile_traffic *more) {
    if (more == NULL)
        return;
    uint64_t *sums = (uint64_t *)need(to);
    const uint64_t *words = (const uint64_t *)more;
    for (size_t i = 0; i < sizeof *more / sizeof *words; i++)
        sums[i] += words[i];
}

void profile_traffic_add_value(struct profile_traffic **to, const struct dump_traffic_value *value) {
    uint64_t *words = (uint64_t *)&need(to)->of_group[value->group];
    words[value->word] += value->value;
}

static int by_instruction(const void *a, const void *b) {
    const struct dump_traffic_value *x = a, *y = b;
    if (x->counter != y->counter)
        return x->counter < y->counter ? -1 : 1;
    return (x->instruction > y->instruction) - (x->instruction < y->instruction);
}

struct dump_traffic_value *profile_traffic_list(const struct dump *dump, uint32_t region, size_t *count) {
    size_t most = 0;
    for (size_t i = 0; i < dump->traffic_count; i++)
        most += dump->traffic[i].region == region ? dump->traffic[i].value_count : 0;
    struct dump_traffic_value *list = need_calloc(most + 1, sizeof *list);
    *count = 0;
    for (size_t i = 0; i < dump->traffic_count; i++) {
        const struct dump_record *record = &dump->traffic[i];
        if (record->region != region || dump_thread(dump, record->thread).in_mpi)
            continue;
        for (size_t v = 0; v < record->value_count; v++)
            list[(*count)++] = dump_traffic_value(record, v);
    }
    qsort(list, *count, sizeof *list, by_instruction);
    return list;
}

/* Cache lines and pages by part. */

enum { SLOTS_FIRST = 1024, SLOTS_TIMES = 4 };

static void enlarge(struct footprint *footprint) {
    const size_t slots = footprint->slots ? SLOTS_TIMES * footprint->slot_count : SLOTS_FIRST;
    struct footprint larger;
    footprint_init(&larger, need_calloc(slots, sizeof *larger.slots), slots * sizeof *larger.slots);
    footprint_add_all(&larger, footprint);
    free(footprint->slots);
    *footprint = larger;
}

void touched_add(struct touched_sets *sets, size_t part, const struct dump_touch *touch) {
    struct footprint *footprint = &sets->of_kind[touch->kind];
    if (part >= FOOTPRINT_OWNERS)
        return;
    if (footprint->slots == NULL || footprint_is_tight(footprint))
        enlarge(footprint);
    footprint_add_bits(footprint, footprint_of_owner(touch->group, (uint32_t)part), touch->bits);
}

void touched_end(struct touched_sets *sets, void *parts, struct touched *(*of_part)(void *parts, size_t part)) {
    for (unsigned kind = 0; kind < DUMP_TOUCH_KINDS; kind++) {
        const struct footprint *footprint = &sets->of_kind[kind];
        for (size_t i = 0; i < footprint->slot_count; i++) {
            const struct footprint_slot *slot = &footprint->slots[i];
            if (slot->group == 0)
                continue;
            struct touched *to = of_part(parts, footprint_owner(slot->group - 1));
            *(kind == DUMP_TOUCH_LINES ? &to->lines : &to->pages) += (uint64_t)__builtin_popcountll(slot->bits);
        }
        free(footprint->slots);
    }
}

static int by_touched_instruction(const void *a, const void *b) {
    const struct dump_touch *x = a, *y = b;
    if (x->counter != y->counter)
        return x->counter < y->counter ? -1 : 1;
    return (x->instruction > y->instruction) - (x->instruction < y->instruction);
}

struct dump_touch *touched_list(const struct dump *dump) {
    struct dump_touch *list = need_calloc(dump->touch_count + 1, sizeof *list);
    for (size_t i = 0; i < dump->touch_count; i++)
        list[i] = dump_touch(dump, i);
    qsort(list, dump->touch_count, sizeof *list, by_touched_instruction);
    return list;
}
