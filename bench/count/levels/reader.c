/* SPDX-License-Identifier: BSD-3-Clause
 * Records → accesses (see reader.h). A group whose lines are not sampled is passed over by one look; accesses of a
 * group to the same lines as in its last record tell the TLBs and the classes nothing new. */
#include "reader.h"

#include <sys/syscall.h>

#include "bench/count/base/fail.h"
#include "bench/count/base/system.h"
#include "stream.h"

enum { LINES_PER_PAGE = HIERARCHY_PAGE_BYTES / HIERARCHY_LINE_BYTES, SPANS = 64 };

static struct sampling sampling;
static uint64_t any[SPANS]; /* a bit for each line's class: whether any of it and so many behind it is sampled */

void reader_prepare(const struct sampling *of_all) {
    sampling = *of_all;
    for (unsigned span = 0; span < SPANS; span++)
        for (unsigned i = 0; i <= span; i++)
            any[span] |= sampling.classes >> i | (i ? sampling.classes << (64 - i) : 0);
}

/* A group reaches over fewer lines than there are classes. */
static inline bool any_sampled(uint64_t low, uint64_t high) {
    return any[(high - low) % SPANS] >> low % SAMPLING_CLASSES & 1;
}

/* What one record is: the values of registers, in the order of the plan. */
struct reading {
    struct levels_core *core;
    const struct record_plan *plan;
    const uint64_t *words; /* behind the header */
    uint32_t executed;
    bool seen; /* its lines are */
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

static inline void see_page(struct levels_core *core, uint32_t owner, uint64_t page) {
    translation_access(&core->thread.translation, page, &core->thread.counts[owner]);
    add_to(&core->set->pages, page, core->recent_pages);
}

/* Lines that a group comes to, sampled or not; the last ones are not seen anew. */
static void see_lines(struct levels_core *core, uint32_t owner, uint64_t low, uint64_t high) {
    enum { FEW = 2 };
    struct levels_span *last = &core->spans[owner];
    uint64_t page = (low > last->low ? last->high : last->low) / LINES_PER_PAGE, first = low, end = high;
    if (first > last->low && first <= last->high && end > last->high)
        first = last->high + 1;
    else if (first < last->low && end >= last->low && end <= last->high)
        end = last->low - 1;
    if (end - first < FEW)
        for (uint64_t line = first; line <= end; line++)
            sampling_see(&core->thread.sampling, line);
    else
        sampling_see_range(&core->thread.sampling, first, end - first + 1);
    for (uint64_t next = first / LINES_PER_PAGE; next <= end / LINES_PER_PAGE; page = next++)
        if (next != page)
            see_page(core, owner, next);
    *last = (struct levels_span){low, high};
}

static inline void see_line(struct levels_core *core, uint32_t owner, uint64_t line) {
    struct levels_span *last = &core->spans[owner];
    sampling_see(&core->thread.sampling, line);
    if (line / LINES_PER_PAGE != last->low / LINES_PER_PAGE)
        see_page(core, owner, line / LINES_PER_PAGE);
    *last = (struct levels_span){line, line};
}

static inline void see(struct levels_core *core, uint32_t owner, uint64_t low, uint64_t high) {
    const struct levels_span *last = &core->spans[owner];
    if (last->low == low && last->high == high)
        return;
    if (low == high)
        see_line(core, owner, low);
    else
        see_lines(core, owner, low, high);
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
        if (sampling_has(&sampling, line))
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

/* Finds the groups of a record that have lines which are simulated. True: of each, all accesses of one line can be told
 * together, as what follows the first one of these changes nothing. */
static bool find_hits(const struct reading *reading) {
    enum { FEW = 6 }; /* lines that may be of one set: fewer than a first level has ways */
    struct levels_core *core = reading->core;
    const struct record_plan *plan = reading->plan;
    const struct record_reach *reach = record_reach(plan->first_group);
    const uint64_t *words = reading->words;
    const bool whole = reading->executed == plan->instructions;
    bool regular = true;
    unsigned count = 0;
    for (uint16_t g = 0; g < plan->group_count; g++, reach++) {
        if (reach->first >= reading->executed) /* its values were not kept, nor those of what follows */
            break;
        const uint64_t base = words[reach->base_at] * reach->base_factor + words[reach->index_at] * reach->scale,
                       begin = base + (uint64_t)reach->low, low = begin / HIERARCHY_LINE_BYTES,
                       high = (begin + reach->span) / HIERARCHY_LINE_BYTES;
        if (!reach->alone) {
            if (!reading->seen)
                see(core, plan->first_group + g, low, high);
            if (!any_sampled(low, high))
                continue;
        }
        const struct record_group *group = record_group(plan->first_group + g);
        core->bases[g] = base;
        core->hit_groups[count++] = g;
        regular = regular && !group->alone && (group->step > 0 || (group->dense && whole));
    }
    core->hit_count = (uint16_t)count;
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
    __builtin_memset(reading->core->hit, 0, plan->group_count);
    for (uint16_t i = 0; i < reading->core->hit_count; i++)
        reading->core->hit[reading->core->hit_groups[i]] = true;
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

/* A look at each line that is sampled, in place of each record. */
static uint64_t scan_stream(const struct reading *reading, uint32_t owner, const struct record_stream *stream) {
    const uint64_t at_last = stream->begin + stream->last * stream->step, low = stream->begin / HIERARCHY_LINE_BYTES,
                   high = (at_last + stream->span) / HIERARCHY_LINE_BYTES;
    uint64_t hits = 0;
    for (uint64_t line = low; line <= high; line++) {
        const unsigned class = line % SAMPLING_CLASSES;
        line += (unsigned)__builtin_ctzll(sampling.classes >> class |
                                          (class ? sampling.classes << (SAMPLING_CLASSES - class) : 0));
        hits |= line <= high ? stream_records(stream, line) : 0;
    }
    see(reading->core, owner, low, high);
    reading->core->spans[owner].low = at_last / HIERARCHY_LINE_BYTES;
    return hits;
}

/* So many complete records of a plan, one behind the other: group by group, which of them have lines that are
 * simulated. */
static uint64_t scan(const struct reading *reading, unsigned count) {
    const struct record_plan *plan = reading->plan;
    uint64_t hits = 0;
    for (uint32_t owner = plan->first_group; owner < plan->first_group + plan->group_count; owner++) {
        const struct record_reach reach = *record_reach(owner);
        struct levels_span last = reading->core->spans[owner];
        struct record_stream stream;
        const uint64_t *words = reading->words;
        if (stream_find(&reach, words, plan->words, count, &stream)) {
            hits |= scan_stream(reading, owner, &stream);
            continue;
        }
        for (unsigned i = 0; i < count; i++, words += plan->words) {
            const uint64_t begin = stream_begin(&reach, words), low = begin / HIERARCHY_LINE_BYTES,
                           high = (begin + reach.span) / HIERARCHY_LINE_BYTES;
            hits |= (uint64_t)any_sampled(low, high) << i;
            if (low == last.low && high == last.high)
                continue;
            see(reading->core, owner, low, high);
            last = (struct levels_span){low, high};
        }
    }
    return hits;
}

/* How many complete records follow each other of the plan of the first one. */
static unsigned run_length(const struct reading *reading, uint64_t end) {
    const uint64_t *words = reading->words, header = words[-1];
    unsigned count = 0;
    while (count < STREAM_RECORDS && (uint64_t)words < end && words[-1] == header) {
        words += reading->plan->words;
        count++;
    }
    return count;
}

/* Records where one look tells which are of interest; returns how many. 0: there is no such, or few. */
static unsigned read_run(struct reading *reading, uint64_t end) {
    enum { FEW = 4 };
    const struct record_plan *plan = reading->plan;
    if (plan->looks_alone || reading->executed != plan->instructions || sampling.classes == UINT64_MAX)
        return 0;
    const unsigned count = run_length(reading, end);
    if (count < FEW)
        return 0;
    struct reading one = *reading;
    one.seen = true;
    for (uint64_t hits = scan(reading, count); hits; hits &= hits - 1) {
        one.words = reading->words + (size_t)plan->words * (unsigned)__builtin_ctzll(hits);
        read_record(&one);
    }
    return count;
}

uint64_t reader_take(struct levels_core *core, uint64_t end) {
    struct reading reading = {.core = core};
    uint64_t at = core->read_at;
    while (at < end) {
        const struct record_header *header = (const struct record_header *)at;
        reading.plan = record_plan(header->plan);
        reading.executed = __atomic_load_n(&header->executed, __ATOMIC_ACQUIRE);
        reading.words = (const uint64_t *)(at + sizeof *header);
        const uint64_t bytes = 8u * reading.plan->words;
        const unsigned run = read_run(&reading, end);
        if (run == 0 && reading.executed > 0)
            read_record(&reading);
        else if (run == 0 && at + bytes >= end)
            break;
        at += run > 0 ? run * bytes : bytes;
    }
    core->read_at = at;
    simulate(core);
    return at;
}
