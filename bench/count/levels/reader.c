/* SPDX-License-Identifier: BSD-3-Clause
 * Records → accesses (see reader.h). A group whose lines are not sampled is passed over by one look; accesses of a
 * group to the same lines as in its last record tell the TLBs and the classes nothing new. */
#include "reader.h"

#include <sys/syscall.h>

#include "bench/count/base/fail.h"
#include "bench/count/base/system.h"

enum { LINES_PER_PAGE = HIERARCHY_PAGE_BYTES / HIERARCHY_LINE_BYTES, SPANS = 64 };

static struct sampling sampling;
static uint64_t any[SPANS]; /* a bit for each line's class: whether any of it and so many behind it is sampled */

void reader_prepare(const struct sampling *of_all) {
    sampling = *of_all;
    for (unsigned span = 0; span < SPANS; span++)
        for (unsigned i = 0; i <= span; i++)
            any[span] |= sampling.classes >> i | (i ? sampling.classes << (64 - i) : 0);
}

static bool any_sampled(uint64_t low, uint64_t high) {
    return high - low >= SPANS || (any[high - low] >> low % SAMPLING_CLASSES & 1);
}

/* What one record is: the values of registers, in the order of the plan. */
struct reading {
    struct levels_core *core;
    const struct record_plan *plan;
    const uint64_t *words; /* behind the header */
    uint32_t executed;
};

void reader_enlarge(struct footprint *footprint) {
    const size_t bytes = footprint->slot_count * sizeof *footprint->slots;
    struct footprint larger;
    footprint_init(&larger, fail_or_map(4 * bytes), 4 * bytes);
    footprint_add_all(&larger, footprint);
    SYSTEM_CALL(SYS_munmap, footprint->slots, bytes);
    *footprint = larger;
}

static void add_to(struct footprint *footprint, uint64_t item, uint64_t recent[CORE_RECENT]) {
    uint64_t *known = &recent[item % CORE_RECENT];
    if (*known == item + 1)
        return;
    *known = item + 1;
    if (footprint_is_tight(footprint))
        reader_enlarge(footprint);
    footprint_add(footprint, item);
}

/* Lines that a group comes to, sampled or not. */
static void see(struct levels_core *core, uint32_t owner, uint64_t low, uint64_t high) {
    struct levels_span *last = &core->spans[owner];
    uint64_t page = (low > last->low ? last->high : last->low) / LINES_PER_PAGE;
    for (uint64_t line = low; line <= high; line++) {
        if (line >= last->low && line <= last->high)
            continue;
        sampling_see(&core->thread.sampling, line);
        if (line / LINES_PER_PAGE == page)
            continue;
        page = line / LINES_PER_PAGE;
        translation_access(&core->thread.translation, page, &core->thread.counts[owner]);
        add_to(&core->set->pages, page, core->recent_pages);
    }
    *last = (struct levels_span){low, high};
}

static void simulate(struct levels_core *core) {
    hierarchy_take(&core->thread, core->events, core->event_count);
    core->event_count = 0;
}

static void add_line(struct levels_core *core, uint64_t line) {
    if (sampling_has(&sampling, line))
        add_to(&core->set->lines, sampling_line(&sampling, line), core->recent_lines);
}

static inline void add_event(struct levels_core *core, const struct memory_access *access) {
    const uint64_t line = access->address / HIERARCHY_LINE_BYTES,
                   last = (access->address + (access->bytes ? access->bytes - 1u : 0)) / HIERARCHY_LINE_BYTES;
    if (!sampling_has(&sampling, line) && (line == last || !sampling_has(&sampling, last)))
        return;
    add_line(core, line);
    if (line != last)
        add_line(core, last);
    if (core->event_count == CORE_EVENTS)
        simulate(core);
    core->events[core->event_count++] = *access;
}

static uint16_t kind_of(uint8_t kind) {
    static const uint8_t kinds[] = {[RECIPE_LOAD] = ACCESS_LOAD,
                                    [RECIPE_STORE] = ACCESS_STORE,
                                    [RECIPE_UPDATE] = ACCESS_UPDATE,
                                    [RECIPE_NONTEMPORAL] = ACCESS_NONTEMPORAL,
                                    [RECIPE_TOUCH] = ACCESS_LOAD};
    return kinds[kind];
}

/* Bytes at any place, of an access that has to be looked at by itself. */
static void add_range(const struct reading *reading, uint32_t owner, const struct recipe_access *access,
                      uint64_t address, uint64_t bytes) {
    struct levels_core *core = reading->core;
    while (bytes > 0) {
        const uint64_t fits = HIERARCHY_LINE_BYTES - address % HIERARCHY_LINE_BYTES, part = bytes < fits ? bytes : fits,
                       line = address / HIERARCHY_LINE_BYTES;
        see(core, owner, line, line);
        add_event(core, &(struct memory_access){address, owner, (uint16_t)part, kind_of(access->kind)});
        address += part;
        bytes -= part;
    }
}

static const struct recipe_value *value_at(const struct reading *reading, uint8_t value) {
    return record_value(reading->plan->first_value + value);
}

static uint64_t value_of(const struct reading *reading, uint8_t value) {
    return value == RECIPE_NONE ? 0 : reading->words[value_at(reading, value)->at];
}

static void add_lanes(const struct reading *reading, uint32_t owner, const struct recipe_access *access) {
    const uint8_t *index = (const uint8_t *)(reading->words + value_at(reading, access->index)->at), *mask = NULL;
    const uint64_t base = value_of(reading, access->base) + (uint64_t)access->offset;
    if (access->mask != RECIPE_NONE)
        mask = (const uint8_t *)(reading->words + value_at(reading, access->mask)->at);
    for (unsigned lane = 0; lane < access->lanes; lane++) {
        if (mask &&
            !(access->mask_bytes ? mask[(lane + 1u) * access->mask_bytes - 1] >> 7 : mask[lane / 8] >> lane % 8 & 1))
            continue;
        const int64_t by = access->index_bytes == 4 ? *(const int32_t *)(const void *)(index + 4 * lane)
                                                    : *(const int64_t *)(const void *)(index + 8 * lane);
        add_range(reading, owner, access, base + (uint64_t)(by * access->scale), access->bytes);
    }
}

static void add_alone(const struct reading *reading, uint32_t owner, const struct recipe_access *access) {
    if (access->lanes > 0) {
        add_lanes(reading, owner, access);
        return;
    }
    uint64_t address =
        value_of(reading, access->base) + value_of(reading, access->index) * access->scale + (uint64_t)access->offset;
    if (access->is_32_bit)
        address = (uint32_t)address;
    if (access->in_thread)
        address += reading->core->thread_base;
    const uint64_t times = access->count == RECIPE_NONE ? 1 : value_of(reading, access->count);
    add_range(reading, owner, access, address, times * access->bytes);
}

/* Finds the groups of a record that have lines which are simulated. True: of each, all accesses of one line can be told
 * together, as what follows the first one of these changes nothing. */
static bool find_hits(const struct reading *reading) {
    enum { FEW = 6 }; /* lines that may be of one set: fewer than a first level has ways */
    struct levels_core *core = reading->core;
    const struct record_plan *plan = reading->plan;
    const bool whole = reading->executed == plan->instructions;
    bool regular = true;
    core->hit_count = 0;
    const struct record_group *group = record_group(plan->first_group);
    for (uint16_t g = 0; g < plan->group_count; g++, group++) {
        core->hit[g] = false;
        if (group->first >= reading->executed) /* its values were not kept */
            continue;
        if (!group->alone) {
            const uint64_t base = value_of(reading, group->base) + value_of(reading, group->index) * group->scale;
            const uint64_t low = (base + (uint64_t)group->low) / HIERARCHY_LINE_BYTES,
                           high = (base + (uint64_t)group->high) / HIERARCHY_LINE_BYTES;
            const struct levels_span *last = &core->spans[plan->first_group + g];
            core->bases[g] = base;
            if (last->low != low || last->high != high)
                see(core, plan->first_group + g, low, high);
            if (!any_sampled(low, high))
                continue;
        }
        core->hit[g] = true;
        core->hit_groups[core->hit_count++] = g;
        regular = regular && !group->alone && (group->step > 0 || (group->dense && whole));
    }
    return regular && core->hit_count <= FEW;
}

/* All accesses of one line together. */
static void add_lines(const struct reading *reading, uint32_t owner, uint64_t base) {
    const struct record_group *group = record_group(owner);
    const uint64_t begin = base + (uint64_t)group->low;
    const uint32_t bytes = group->bytes ? group->bytes : 1;
    uint64_t end = base + (uint64_t)group->high + 1;
    if (reading->executed != reading->plan->instructions) {
        const uint32_t after = (reading->executed - group->first + group->step - 1u) / group->step,
                       count = after < group->count ? after : group->count;
        end = begin + (uint64_t)(count - 1) * (uint32_t)group->stride_bytes + bytes;
    }
    for (uint64_t line = begin / HIERARCHY_LINE_BYTES; line <= (end - 1) / HIERARCHY_LINE_BYTES; line++) {
        if (!sampling_has(&sampling, line))
            continue;
        const uint64_t from = line * HIERARCHY_LINE_BYTES, to = from + HIERARCHY_LINE_BYTES;
        uint64_t first_byte = begin > from ? begin : from, end_byte = end < to ? end : to;
        if (!group->dense && (uint32_t)group->stride_bytes > bytes) { /* holes between them: none may be of this line */
            const uint64_t stride = (uint32_t)group->stride_bytes,
                           i = first_byte - begin < bytes ? 0 : (first_byte - begin - bytes + stride) / stride,
                           at = begin + i * stride;
            if (at >= end_byte)
                continue;
            first_byte = at > first_byte ? at : first_byte;
            end_byte = at + bytes < end_byte ? at + bytes : end_byte;
        }
        add_event(reading->core,
                  &(struct memory_access){first_byte, owner, (uint16_t)(end_byte - first_byte), kind_of(group->kind)});
    }
}

/* One access after the other, as the program made them. */
static void add_accesses(const struct reading *reading) {
    const struct record_plan *plan = reading->plan;
    const struct recipe_access *access = record_access(plan->first_access), *end = access + plan->access_count;
    const uint16_t *group = record_group_of(plan->first_access);
    for (; access < end && access->instruction < reading->executed; access++, group++) {
        const uint32_t owner = plan->first_group + *group;
        const uint64_t address = reading->core->bases[*group] + (uint64_t)access->offset;
        if (!reading->core->hit[*group])
            continue;
        if (record_group(owner)->alone)
            add_alone(reading, owner, access);
        else if (access->bytes > HIERARCHY_LINE_BYTES)
            add_range(reading, owner, access, address, access->bytes);
        else
            add_event(reading->core, &(struct memory_access){address, owner, access->bytes, kind_of(access->kind)});
    }
}

static void read_record(const struct reading *reading) {
    struct levels_core *core = reading->core;
    const bool together = find_hits(reading);
    if (core->hit_count == 0)
        return;
    if (!together)
        add_accesses(reading);
    for (uint16_t i = 0; together && i < core->hit_count; i++)
        add_lines(reading, reading->plan->first_group + core->hit_groups[i], core->bases[core->hit_groups[i]]);
    if (core->event_count > CORE_EVENTS / 2)
        simulate(core);
}

uint64_t reader_take(struct levels_core *core, uint64_t end) {
    struct reading reading = {.core = core};
    uint64_t at = core->read_at;
    while (at < end) {
        const struct record_header *header = (const struct record_header *)at;
        reading.plan = record_plan(header->plan);
        reading.executed = __atomic_load_n(&header->executed, __ATOMIC_ACQUIRE);
        reading.words = (const uint64_t *)(at + sizeof *header);
        const uint64_t next = at + 8u * reading.plan->words;
        if (reading.executed > 0)
            read_record(&reading);
        else if (next >= end)
            break;
        at = next;
    }
    core->read_at = at;
    simulate(core);
    return at;
}
