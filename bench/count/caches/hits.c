/* SPDX-License-Identifier: BSD-3-Clause
 * Groups that are hit, access by access or line by line (see hits.h). */
#include "hits.h"

void hits_simulate(struct levels_core *core) {
    hierarchy_take(&core->thread, core->events, core->event_count);
    core->event_count = 0;
}

static void add_line(struct levels_core *core, uint32_t owner, uint64_t line) {
    if (sampling_has(&seen.sampling, line))
        seen_add(&core->set->lines, owner, sampling_line(&seen.sampling, line));
}

static inline void add_event(struct levels_core *core, const struct memory_access *access) {
    const uint64_t line = access->address / HIERARCHY_LINE_BYTES,
                   last = (access->address + (access->bytes ? access->bytes - 1u : 0)) / HIERARCHY_LINE_BYTES;
    if (!sampling_has(&seen.sampling, line) && (line == last || !sampling_has(&seen.sampling, last)))
        return;
    add_line(core, access->owner, line);
    if (line != last)
        add_line(core, access->owner, last);
    if (core->event_count == CORE_EVENTS)
        hits_simulate(core);
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
    struct levels_look *look = look_of(core, owner, true);
    while (bytes > 0) {
        const uint64_t fits = HIERARCHY_LINE_BYTES - address % HIERARCHY_LINE_BYTES, part = bytes < fits ? bytes : fits,
                       line = address / HIERARCHY_LINE_BYTES;
        seen_pages(core, owner, look, address, address);
        seen_keep_byte(core, look, address);
        seen_lines(core, owner, line, line);
        if (sampling_has(&seen.sampling, line))
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
    uint64_t bytes = access->bytes;
    if (access->end != RECIPE_NONE) {
        const int64_t by = (int64_t)(value_of(reading, access->end) - value_of(reading, access->base));
        address += by < 0 ? (uint64_t)by + bytes : 0;
        bytes = (uint64_t)(by < 0 ? -by : by);
    }
    add_range(reading, owner, access, address, bytes);
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
    const uint64_t last = (end - 1) / HIERARCHY_LINE_BYTES;
    for (uint64_t line = sampled_from(begin / HIERARCHY_LINE_BYTES); line <= last; line = sampled_from(line + 1)) {
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

static void add_access(const struct reading *reading, uint16_t group, const struct recipe_access *access) {
    const uint32_t owner = reading->plan->first_group + group;
    const uint64_t address = reading->core->bases[group] + (uint64_t)access->offset;
    if (record_group(owner)->alone)
        add_alone(reading, owner, access);
    else if (access->bytes > HIERARCHY_LINE_BYTES)
        add_range(reading, owner, access, address, access->bytes);
    else
        add_event(reading->core, &(struct memory_access){address, owner, access->bytes, kind_of(access->kind)});
}

/* One access after the other, as the program made them. */
static void add_accesses(const struct reading *reading) {
    const struct record_plan *plan = reading->plan;
    const struct recipe_access *access = record_access(plan->first_access), *end = access + plan->access_count;
    const uint16_t *group = record_group_of(plan->first_access);
    __builtin_memset(reading->core->hit, 0, plan->group_count);
    for (uint16_t i = 0; i < reading->core->hit_count; i++)
        reading->core->hit[reading->core->hit_groups[i]] = true;
    for (; access < end && access->instruction < reading->executed; access++, group++)
        if (reading->core->hit[*group])
            add_access(reading, *group, access);
}

/* The same of one group. */
static void add_group(const struct reading *reading, uint16_t group) {
    const uint32_t owner = reading->plan->first_group + group;
    for (uint32_t i = record_group(owner)->first_access; i != RECORD_NO_ACCESS; i = record_next_access(i))
        if (record_access(i)->instruction < reading->executed)
            add_access(reading, group, record_access(i));
}

/* Where few lines are hit, all accesses of one line are told together, as what follows the first one of these changes
 * nothing. */
void hits_take(const struct reading *reading) {
    enum { FEW = 6 }; /* lines that may be of one set: fewer than a first level has ways */
    struct levels_core *core = reading->core;
    if (core->hit_count == 0)
        return;
    const bool together = core->together && core->hit_count <= FEW;
    if (!together && core->hit_count == 1)
        add_group(reading, core->hit_groups[0]);
    else if (!together)
        add_accesses(reading);
    for (uint16_t i = 0; together && i < core->hit_count; i++)
        add_lines(reading, reading->plan->first_group + core->hit_groups[i], core->bases[core->hit_groups[i]]);
    if (core->event_count > CORE_EVENTS / 2)
        hits_simulate(core);
    core->hit_count = 0;
    core->together = true;
}
