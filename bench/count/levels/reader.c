/* SPDX-License-Identifier: BSD-3-Clause
 * Records → accesses (see reader.h). A group whose lines are not sampled is passed over by one look; accesses of a
 * group to the same lines as in its last record, left early or whole as this one, tell the TLBs and the classes nothing
 * new. */
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

/* Of records that were left early, each group has its last lines apart: those of a loop's last round, mostly, which go
 * on from round to round just as those of the others do. */
static inline struct levels_span *span_of(struct levels_core *core, uint32_t owner, bool whole) {
    return &core->spans[2 * (size_t)owner + whole];
}

static inline void keep_span(struct levels_span *span, uint64_t low, uint64_t high, uint32_t bytes) {
    *span = (struct levels_span){.low = low, .high = high, .hit = any_sampled(low, high)};
    span->width = stream_same_lines(low, high, bytes, &span->from);
}

/* Lines that a group comes to, sampled or not; the last ones are not seen anew. */
static void see_lines(struct levels_core *core, uint32_t owner, const struct levels_span *last, uint64_t low,
                      uint64_t high) {
    enum { FEW = 2 };
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
}

static inline void see(struct levels_core *core, uint32_t owner, const struct levels_span *last, uint64_t low,
                       uint64_t high) {
    if (last->low == low && last->high == high)
        return;
    if (low != high) {
        see_lines(core, owner, last, low, high);
        return;
    }
    sampling_see(&core->thread.sampling, low);
    if (low / LINES_PER_PAGE != last->low / LINES_PER_PAGE)
        see_page(core, owner, low / LINES_PER_PAGE);
}

/* The first line that is sampled, from this one on. */
static inline uint64_t sampled_from(uint64_t line) {
    const unsigned class = line % SAMPLING_CLASSES;
    return line + (unsigned)__builtin_ctzll(sampling.classes >> class |
                                            (class ? sampling.classes << (SAMPLING_CLASSES - class) : 0));
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
    struct levels_span *last = span_of(core, owner, true);
    while (bytes > 0) {
        const uint64_t fits = HIERARCHY_LINE_BYTES - address % HIERARCHY_LINE_BYTES, part = bytes < fits ? bytes : fits,
                       line = address / HIERARCHY_LINE_BYTES;
        see(core, owner, last, line, line);
        *last = (struct levels_span){.low = line, .high = line};
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

/* A group of a record has lines that are simulated, or has to be looked at by itself. */
static inline void note_hit(const struct reading *reading, uint16_t index, uint64_t base) {
    struct levels_core *core = reading->core;
    const struct record_group *group = record_group(reading->plan->first_group + index);
    const bool whole = reading->executed == reading->plan->instructions;
    core->bases[index] = base;
    core->hit_groups[core->hit_count++] = index;
    core->together = core->together && !group->alone && (group->step > 0 || (group->dense && whole));
}

/* The groups of a record that are hit. */
static void find_hits(const struct reading *reading) {
    const struct record_plan *plan = reading->plan;
    const struct record_reach *reach = record_reach(plan->first_group);
    struct levels_span *last = span_of(reading->core, plan->first_group, reading->executed == plan->instructions);
    for (uint16_t g = 0; g < plan->group_count; g++, reach++, last += 2) {
        if (reach->first >= reading->executed) /* its values were not kept, nor those of what follows */
            break;
        const uint64_t begin = stream_begin(reach, reading->words);
        if (begin - last->from >= last->width && !reach->alone) {
            const uint64_t low = begin / HIERARCHY_LINE_BYTES, high = (begin + reach->span) / HIERARCHY_LINE_BYTES;
            see(reading->core, plan->first_group + g, last, low, high);
            keep_span(last, low, high, reach->span);
        }
        if (last->hit || reach->alone)
            note_hit(reading, g, begin - (uint64_t)reach->low);
    }
}

/* The same of one record of a run, which scan() has looked at. */
static void find_scanned(const struct reading *reading, unsigned record) {
    const struct record_plan *plan = reading->plan;
    const struct record_reach *reach = record_reach(plan->first_group);
    const uint64_t *hits = reading->core->group_hits;
    for (uint16_t g = 0; g < plan->group_count; g++)
        if (hits[g] >> record & 1)
            note_hit(reading, g, stream_begin(&reach[g], reading->words) - (uint64_t)reach[g].low);
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

/* Where few lines are hit, all accesses of one line are told together, as what follows the first one of these changes
 * nothing. */
static void add_hits(const struct reading *reading) {
    enum { FEW = 6 }; /* lines that may be of one set: fewer than a first level has ways */
    struct levels_core *core = reading->core;
    if (core->hit_count == 0)
        return;
    const bool together = core->together && core->hit_count <= FEW;
    if (!together)
        add_accesses(reading);
    for (uint16_t i = 0; together && i < core->hit_count; i++)
        add_lines(reading, reading->plan->first_group + core->hit_groups[i], core->bases[core->hit_groups[i]]);
    if (core->event_count > CORE_EVENTS / 2)
        simulate(core);
    core->hit_count = 0;
    core->together = true;
}

/* A look at each line that is sampled, in place of each record. */
static uint64_t scan_stream(const struct reading *reading, uint32_t owner, const struct record_stream *stream) {
    const uint64_t at_last = stream->begin + stream->last * stream->step, low = stream->begin / HIERARCHY_LINE_BYTES,
                   high = (at_last + stream->span) / HIERARCHY_LINE_BYTES;
    struct levels_span *last = span_of(reading->core, owner, true);
    uint64_t hits = 0;
    for (uint64_t line = sampled_from(low); line <= high; line = sampled_from(line + 1))
        hits |= stream_records(stream, line);
    see(reading->core, owner, last, low, high);
    keep_span(last, at_last / HIERARCHY_LINE_BYTES, high, stream->span);
    return hits;
}

/* The same where each record has to be looked at. */
static uint64_t scan_each(const struct reading *reading, uint32_t owner, unsigned count) {
    const struct record_reach reach = *record_reach(owner);
    const uint64_t *words = reading->words;
    struct levels_span *last = span_of(reading->core, owner, true);
    uint64_t hits = 0;
    for (unsigned i = 0; i < count; i++, words += reading->plan->words) {
        const uint64_t begin = stream_begin(&reach, words);
        if (begin - last->from >= last->width) {
            const uint64_t low = begin / HIERARCHY_LINE_BYTES, high = (begin + reach.span) / HIERARCHY_LINE_BYTES;
            see(reading->core, owner, last, low, high);
            keep_span(last, low, high, reach.span);
        }
        hits |= (uint64_t)last->hit << i;
    }
    return hits;
}

/* So many complete records of a plan, one behind the other: group by group, which of them have lines that are
 * simulated. */
static uint64_t scan(const struct reading *reading, unsigned count) {
    const struct record_plan *plan = reading->plan;
    uint64_t hits = 0;
    for (uint16_t g = 0; g < plan->group_count; g++) {
        const uint32_t owner = plan->first_group + g;
        struct record_stream stream;
        const uint64_t of_group = stream_find(record_reach(owner), reading->words, plan->words, count, &stream)
                                      ? scan_stream(reading, owner, &stream)
                                      : scan_each(reading, owner, count);
        reading->core->group_hits[g] = of_group;
        hits |= of_group;
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
    for (uint64_t hits = scan(reading, count); hits; hits &= hits - 1) {
        const unsigned record = (unsigned)__builtin_ctzll(hits);
        one.words = reading->words + (size_t)plan->words * record;
        find_scanned(&one, record);
        add_hits(&one);
    }
    return count;
}

/* A group that leaves lines out between its first and its last, in so many rounds of a loop. */
static uint64_t scan_steps(const struct reading *reading, uint32_t owner, const struct record_stream *stream) {
    struct levels_span *last = span_of(reading->core, owner, true);
    uint64_t hits = 0, begin = stream->begin;
    for (unsigned i = 0; i <= stream->last; i++, begin += stream->step) {
        if (begin - last->from >= last->width) {
            const uint64_t low = begin / HIERARCHY_LINE_BYTES, high = (begin + stream->span) / HIERARCHY_LINE_BYTES;
            see(reading->core, owner, last, low, high);
            keep_span(last, low, high, stream->span);
        }
        hits |= (uint64_t)last->hit << i;
    }
    return hits;
}

/* `count` rounds of a loop whose words are those of the first one. */
static void read_rounds(const struct reading *reading, unsigned count) {
    const struct record_plan *plan = reading->plan;
    const struct record_reach *reach = record_reach(plan->first_group);
    uint64_t hits = 0, *group_hits = reading->core->group_hits;
    for (uint16_t g = 0; g < plan->group_count; g++) {
        const struct record_stream stream = {stream_begin(&reach[g], reading->words), reach[g].step, reach[g].span,
                                             count - 1};
        group_hits[g] = stream_leaves_out(&stream) ? scan_steps(reading, plan->first_group + g, &stream)
                                                   : scan_stream(reading, plan->first_group + g, &stream);
        hits |= group_hits[g];
    }
    for (; hits; hits &= hits - 1) {
        const unsigned round = (unsigned)__builtin_ctzll(hits);
        for (uint16_t g = 0; g < plan->group_count; g++)
            if (group_hits[g] >> round & 1)
                note_hit(reading, g,
                         stream_begin(&reach[g], reading->words) + round * reach[g].step - (uint64_t)reach[g].low);
        add_hits(reading);
    }
}

static void read_one(const struct reading *reading) {
    find_hits(reading);
    add_hits(reading);
}

/* A record that stands for all rounds of a loop, of which the last may be left by any copy. */
static void read_loop(struct reading *reading) {
    enum { FEW = 4, VALUES_MOST = 16 };
    const struct record_plan *plan = reading->plan;
    const uint64_t *kept = reading->words;
    const uint16_t values = (uint16_t)(plan->words - 2); /* but for the header, and the last word */
    const int64_t copies = (int64_t)(kept[values] - kept[plan->loop.rounds_by]) / plan->loop.copy_step,
                  whole = copies / plan->loop.copies, left = copies % plan->loop.copies;
    const bool each = whole < FEW || plan->looks_alone || sampling.classes == UINT64_MAX;
    uint64_t words[1 + VALUES_MOST] = {0};
    reading->words = words + 1;
    reading->executed = plan->instructions;
    for (int64_t done = 0, count; done < whole; done += count) {
        count = each ? 1 : whole - done < STREAM_RECORDS ? whole - done : STREAM_RECORDS;
        for (uint16_t i = 0; i < values; i++)
            words[1 + i] = kept[i] + (uint64_t)(done * record_value(plan->first_value + i)->step);
        if (each)
            read_one(reading);
        else
            read_rounds(reading, (unsigned)count);
    }
    reading->executed = (uint32_t)left * (plan->instructions / plan->loop.copies);
    for (uint16_t i = 0; i < values && left > 0; i++)
        words[1 + i] = kept[i] + (uint64_t)(whole * record_value(plan->first_value + i)->step);
    if (left > 0)
        read_one(reading);
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
        const bool loops = reading.plan->loop.copies > 0;
        const unsigned run = loops ? 0 : read_run(&reading, end);
        if (reading.executed == 0 && at + bytes >= end && run == 0)
            break;
        if (loops && reading.executed > 0)
            read_loop(&reading);
        else if (run == 0 && reading.executed > 0)
            read_one(&reading);
        at += run > 0 ? run * bytes : bytes;
    }
    core->read_at = at;
    simulate(core);
    return at;
}
