/* SPDX-License-Identifier: BSD-3-Clause
 * Records → accesses (see reader.h). One check skips a group without sampled lines. */
#include "reader.h"
#include "seen.h"

/* From the groups with simulated lines to the accesses of the simulated caches.
 *
 * A group that is hit is simulated access by access or line by line. */

/* One record: the values of registers, in the plan's order. */
struct reading {
    struct levels_core *core;
    const struct record_plan *plan;
    const uint64_t *words; /* after the header */
    uint32_t executed;
};

/* The first sampled line from this one on. */
static inline uint64_t sampled_from(uint64_t line) {
    const unsigned class = line % SAMPLING_CLASSES;
    return line + (unsigned)__builtin_ctzll(seen.sampling.classes >> class |
                                            (class ? seen.sampling.classes << (SAMPLING_CLASSES - class) : 0));
}

/* A group of a record has simulated lines or needs a look of its own. */
static inline void note_hit(const struct reading *reading, uint16_t index, uint64_t base) {
    struct levels_core *core = reading->core;
    const struct record_group *group = record_group(reading->plan->first_group + index);
    const bool whole = reading->executed == reading->plan->instructions;
    core->bases[index] = base;
    core->hit_groups[core->hit_count++] = index;
    core->together = core->together && !group->alone && (group->step > 0 || (group->dense && whole));
}

/* What a line of the first level notes: that the set has the line for this owner. */
static inline uint32_t note_of(const struct levels_core *core, uint32_t owner) {
    return core->notes + (owner & core->set->lines.owner_mask);
}

/* A line without that note; `state`: NULL, or its state after the access. */
__attribute__((noinline)) static void reader_note_line(struct levels_core *core, uint64_t number, uint64_t bytes,
                                                       uint32_t owner, enum access_kind kind,
                                                       struct hierarchy_line *state) {
    if (!state) {
        const struct memory_access access = {.owner = owner, .kind = (uint16_t)kind};
        seen_announce(&core->set->lines, owner, number);
        state = hierarchy_reach(&core->thread, number, bytes, &access);
    }
    seen_add(&core->set->lines, owner, number);
    if (state)
        state->note = note_of(core, owner);
}

/* The bytes of a simulated line. */
static inline void reader_add_line(struct levels_core *core, uint64_t number, uint64_t bytes, uint32_t owner,
                                   enum access_kind kind) {
    struct hierarchy_line *state = hierarchy_hinted(&core->thread, number);
    if (__builtin_expect(state && kind < ACCESS_NONTEMPORAL, 1))
        hierarchy_use_at(&core->thread, state, bytes, owner, kind);
    else
        state = hierarchy_reach_near(&core->thread, number, bytes, owner, kind);
    if (__builtin_expect(!state || state->note != note_of(core, owner), 0))
        reader_note_line(core, number, bytes, owner, kind, state);
}

/* The part of an access within one line. */
static inline void add_part(struct levels_core *core, uint64_t line, uint64_t bytes,
                            const struct memory_access *access) {
    const bool all = seen_is_exact();
    if (all || sampling_has(&seen.sampling, line))
        reader_add_line(core, all ? line : sampling_line(&seen.sampling, line), bytes, access->owner,
                        (enum access_kind)access->kind);
}

static inline void add_event(struct levels_core *core, const struct memory_access *access) {
    const struct access_parts parts = access_parts(access);
    add_part(core, parts.line, parts.bytes[0], access);
    if (__builtin_expect(parts.bytes[1] != 0, 0))
        add_part(core, parts.line + 1, parts.bytes[1], access);
}

_Static_assert((int)RECIPE_LOAD == ACCESS_LOAD && (int)RECIPE_STORE == ACCESS_STORE &&
                   (int)RECIPE_UPDATE == ACCESS_UPDATE && (int)RECIPE_NONTEMPORAL == ACCESS_NONTEMPORAL,
               "kinds of recipes are those of accesses");

static inline enum access_kind reader_kind_of(uint8_t kind) {
    return kind == RECIPE_TOUCH ? ACCESS_LOAD : (enum access_kind)kind;
}

/* Bytes at any address, accessed by a group that needs a look of its own. */
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
            add_event(core,
                      &(struct memory_access){address, owner, (uint16_t)part, (uint16_t)reader_kind_of(access->kind)});
        address += part;
        bytes -= part;
    }
}

static const struct recipe_value *value_at(const struct reading *reading, uint8_t value) {
    return record_value(reading->plan->first_value + value);
}

static uint64_t reader_value_of(const struct reading *reading, uint8_t value) {
    return value == RECIPE_NONE ? 0 : reading->words[value_at(reading, value)->at];
}

static void reader_add_lanes(const struct reading *reading, uint32_t owner, const struct recipe_access *access) {
    const uint8_t *index = (const uint8_t *)(reading->words + value_at(reading, access->index)->at), *mask = NULL;
    const uint64_t base = reader_value_of(reading, access->base) + (uint64_t)access->offset;
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
        reader_add_lanes(reading, owner, access);
        return;
    }
    uint64_t address = reader_value_of(reading, access->base) +
                       reader_value_of(reading, access->index) * access->scale + (uint64_t)access->offset;
    if (access->is_32_bit)
        address = (uint32_t)address;
    if (access->in_thread)
        address += reading->core->thread_base;
    uint64_t bytes = access->bytes;
    if (access->end != RECIPE_NONE) {
        const int64_t by = (int64_t)(reader_value_of(reading, access->end) - reader_value_of(reading, access->base));
        address += by < 0 ? (uint64_t)by + bytes : 0;
        bytes = (uint64_t)(by < 0 ? -by : by);
    }
    add_range(reading, owner, access, address, bytes);
}

/* A bit for each byte that regular accesses use of the line at `from`. The first of them begins at `begin`, in the line
 * or less than its own bytes before; the last one ends at `end`. */
static uint64_t used_bytes(const struct record_group *group, uint64_t begin, uint64_t from, uint64_t end) {
    const uint64_t to = from + HIERARCHY_LINE_BYTES < end ? from + HIERARCHY_LINE_BYTES : end;
    uint64_t used = 0;
    for (uint64_t at = begin; at < to; at += (uint32_t)group->stride_bytes) {
        const uint64_t first = at > from ? at : from, after = at + group->bytes < to ? at + group->bytes : to;
        used |= access_bits(first - from, after - first);
    }
    return used;
}

/* All accesses of one line together, of a group that begins and ends there. */
static void reader_add_lines(struct levels_core *core, uint32_t owner, uint64_t begin, uint64_t end) {
    const struct record_group *group = record_group(owner);
    const enum access_kind kind = reader_kind_of(group->kind);
    const uint64_t bytes = group->bytes ? group->bytes : 1, stride = (uint32_t)group->stride_bytes,
                   last = (end - 1) / HIERARCHY_LINE_BYTES;
    const bool all = seen_is_exact(), gaps = !group->dense && stride > bytes; /* lines may lie between two accesses */
    uint64_t line = begin / HIERARCHY_LINE_BYTES;
    for (line = all ? line : sampled_from(line); line <= last; line = all ? line + 1 : sampled_from(line + 1)) {
        const uint64_t from = line * HIERARCHY_LINE_BYTES, to = from + HIERARCHY_LINE_BYTES;
        const uint64_t first_byte = begin > from ? begin : from, end_byte = end < to ? end : to;
        uint64_t used = access_bits(first_byte - from, end_byte - first_byte);
        if (gaps) {
            const uint64_t i = first_byte - begin < bytes ? 0 : (first_byte - begin - bytes + stride) / stride,
                           at = begin + i * stride;
            if (at >= end_byte)
                continue;
            used = used_bytes(group, at, from, end);
        }
        reader_add_line(core, all ? line : sampling_line(&seen.sampling, line), group->bytes ? used : 0, owner, kind);
    }
}

/* Where the executed part of a group of regular accesses ends. */
static uint64_t reader_end_of(const struct reading *reading, uint32_t owner, uint64_t begin) {
    const struct record_group *group = record_group(owner);
    if (reading->executed == reading->plan->instructions)
        return begin + (uint64_t)(group->high - group->low) + 1;
    const uint32_t after = (reading->executed - group->first + group->step - 1u) / group->step,
                   count = after < group->count ? after : group->count;
    return begin + (uint64_t)(count - 1) * (uint32_t)group->stride_bytes + (group->bytes ? group->bytes : 1u);
}

static void add_far(const struct reading *reading, uint32_t owner, const struct recipe_access *access,
                    uint64_t address) {
    if (record_group(owner)->alone)
        add_alone(reading, owner, access);
    else
        add_range(reading, owner, access, address, access->bytes);
}

static inline void add_access(const struct reading *reading, uint16_t group, const struct recipe_access *access) {
    const uint32_t owner = reading->plan->first_group + group;
    const uint64_t address = reading->core->bases[group] + (uint64_t)access->offset;
    if ((reading->plan->looks_alone && record_group(owner)->alone) || access->bytes > HIERARCHY_LINE_BYTES)
        add_far(reading, owner, access, address);
    else
        add_event(reading->core,
                  &(struct memory_access){address, owner, access->bytes, (uint16_t)reader_kind_of(access->kind)});
}

/* The accesses of the hit groups, one after the other in the program's order. */
static void reader_add_hits(const struct reading *reading) {
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

/* The same for one group. */
static void add_group(const struct reading *reading, uint16_t group) {
    const uint32_t owner = reading->plan->first_group + group;
    for (uint32_t i = record_group(owner)->first_access; i != RECORD_NO_ACCESS; i = record_next_access(i))
        if (record_access(i)->instruction < reading->executed)
            add_access(reading, group, record_access(i));
}

/* If few lines are hit, all accesses of one line are simulated together, because those after the first change
 * nothing. */
static void hits_take(const struct reading *reading) {
    struct levels_core *core = reading->core;
    if (core->hit_count == 0)
        return;
    const bool together = core->together && core->hit_count <= RECORD_GROUPS_TOGETHER;
    if (!together && core->hit_count == 1)
        add_group(reading, core->hit_groups[0]);
    else if (!together)
        reader_add_hits(reading);
    for (uint16_t i = 0; together && i < core->hit_count; i++) {
        const uint32_t owner = reading->plan->first_group + core->hit_groups[i];
        const uint64_t begin = core->bases[core->hit_groups[i]] + (uint64_t)record_group(owner)->low;
        reader_add_lines(core, owner, begin, reader_end_of(reading, owner, begin));
    }
    core->hit_count = 0;
    core->together = true;
}

/* Classes of one group's lines, in those parts of the records where classes are counted. */
static void reader_count_lines(struct levels_core *core, uint32_t owner, uint64_t begin, uint32_t span) {
    if (core->thread.sampling.weight > 0)
        seen_lines(core, owner, begin / HIERARCHY_LINE_BYTES, (begin + span) / HIERARCHY_LINE_BYTES);
}

/* Classes of all lines that the first `groups` groups of a record touch. */
static void count_classes(const struct reading *reading, unsigned groups) {
    const uint32_t first = reading->plan->first_group;
    const struct record_reach *reach = record_reach(first);
    for (unsigned g = 0; g < groups; g++) {
        if (!reach[g].alone)
            reader_count_lines(reading->core, first + g, stream_begin(&reach[g], reading->words), reach[g].span);
    }
}

/* How many groups of a record were executed; the others have no values. */
static unsigned groups_of(const struct reading *reading) {
    const struct record_plan *plan = reading->plan;
    const struct record_reach *reach = record_reach(plan->first_group);
    unsigned count = plan->group_count;
    while (reading->executed < plan->instructions && count > 0 && reach[count - 1].first >= reading->executed)
        count--;
    return count;
}

/* Finds the groups of a record that are hit. */
static void find_hits(const struct reading *reading) {
    const uint32_t first = reading->plan->first_group;
    const struct record_reach *reach = record_reach(first);
    struct levels_look *look = look_of(reading->core, first, reading->executed == reading->plan->instructions);
    const uint64_t *words = reading->words;
    const unsigned count = groups_of(reading);
    for (unsigned g = 0; g < count; g++) {
        const uint64_t begin = stream_begin(&reach[g], words);
        if (!is_passed(&look[g], begin) &&
            (reach[g].alone || see_group(reading->core, first + g, &look[g], begin, reach[g].span)))
            note_hit(reading, (uint16_t)g, begin - (uint64_t)reach[g].low);
    }
    if (reading->core->thread.sampling.weight > 0)
        count_classes(reading, count);
}

/* The same for one record of a run that scan() has checked. */
static void find_scanned(const struct reading *reading, unsigned record) {
    const struct record_plan *plan = reading->plan;
    const struct record_reach *reach = record_reach(plan->first_group);
    const uint64_t *hits = reading->core->group_hits;
    for (uint16_t g = 0; g < plan->group_count; g++)
        if (hits[g] >> record & 1)
            note_hit(reading, g, stream_begin(&reach[g], reading->words) - (uint64_t)reach[g].low);
}

/* Checks each sampled line instead of each record. */
static uint64_t scan_stream(const struct reading *reading, uint32_t owner, const struct record_stream *stream) {
    struct levels_core *core = reading->core;
    const uint64_t at_last = stream->begin + stream->last * stream->step, end = at_last + stream->span,
                   low = stream->begin / HIERARCHY_LINE_BYTES, high = end / HIERARCHY_LINE_BYTES;
    struct levels_look *look = look_of(core, owner, true);
    uint64_t hits = 0;
    for (uint64_t line = sampled_from(low); line <= high; line = sampled_from(line + 1))
        hits |= stream_records(stream, line);
    seen_pages(core, owner, look, stream->begin, end);
    seen_keep(core, look, at_last, stream->span);
    if (core->thread.sampling.weight > 0) {
        seen_lines(core, owner, low, high);
        core->spans[owner].low = at_last / HIERARCHY_LINE_BYTES;
    }
    return hits;
}

/* The same where each record must be checked. */
static bool scan_record(const struct reading *reading, uint32_t owner, uint64_t begin, uint32_t span) {
    struct levels_core *core = reading->core;
    struct levels_look *look = look_of(core, owner, true);
    const bool hit = !is_passed(look, begin) && see_group(core, owner, look, begin, span);
    reader_count_lines(core, owner, begin, span);
    return hit;
}

static uint64_t scan_each(const struct reading *reading, uint32_t owner, unsigned count) {
    const struct record_reach reach = *record_reach(owner);
    const uint64_t *words = reading->words;
    uint64_t hits = 0;
    for (unsigned i = 0; i < count; i++, words += reading->plan->words)
        hits |= (uint64_t)scan_record(reading, owner, stream_begin(&reach, words), reach.span) << i;
    return hits;
}

/* For each group, finds which of `count` complete, consecutive records of a plan have simulated lines. */
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

/* How many complete, consecutive records have the plan of the first one, which is complete. */
static unsigned run_length(const struct reading *reading, uint64_t end) {
    const size_t apart = reading->plan->words;
    const uint64_t *header = reading->words - 1, *next = header + apart;
    unsigned count = 1;
    while (count < STREAM_RECORDS && (uint64_t)next < end && *next == *header) {
        next += apart;
        count++;
    }
    return count;
}

/* Bytes of a group from `begin` on, `span` and one: mostly within one line. */
static inline void add_group_lines(struct levels_core *core, uint32_t owner, const struct record_reach *reach,
                                   uint64_t begin, uint64_t span) {
    const uint64_t from = begin % HIERARCHY_LINE_BYTES;
    if (from + span < HIERARCHY_LINE_BYTES)
        reader_add_line(core, begin / HIERARCHY_LINE_BYTES, (reach->used & access_bits(0, span + 1)) << from, owner,
                        reader_kind_of(reach->kind));
    else
        reader_add_lines(core, owner, begin, begin + span + 1);
}

/* One group of a complete record that is simulated by lines. */
static inline void add_whole_group(struct levels_core *core, uint32_t owner, const struct record_reach *reach,
                                   struct levels_look *look, const uint64_t *words) {
    const uint64_t begin = stream_begin(reach, words), from = begin % HIERARCHY_LINE_BYTES, span = reach->span;
    if (begin - look->from >= look->width)
        seen_move(core, owner, look, begin, (uint32_t)span);
    if (from + span < HIERARCHY_LINE_BYTES)
        reader_add_line(core, begin / HIERARCHY_LINE_BYTES, reach->used << from, owner, reader_kind_of(reach->kind));
    else
        reader_add_lines(core, owner, begin, begin + span + 1);
}

static inline void add_whole_groups(struct levels_core *core, const struct record_plan *plan, const uint64_t *words) {
    uint32_t owner = plan->first_group;
    const struct record_reach *reach = record_reach(owner), *last = reach + plan->group_count;
    for (struct levels_look *look = look_of(core, owner, true); reach < last; reach++, look++, owner++)
        add_whole_group(core, owner, reach, look, words);
}

/* Simulates complete records by lines, up to the first of another kind: mostly many small ones of one group. Returns
 * its address. */
static uint64_t reader_read_small(struct levels_core *core, uint64_t at, uint64_t end) {
    while (at < end) {
        const struct record_header *header = (const struct record_header *)at;
        const struct record_plan *plan = record_plan(header->plan);
        if (__atomic_load_n(&header->executed, __ATOMIC_ACQUIRE) != plan->small)
            break;
        const uint64_t *words = (const uint64_t *)(header + 1);
        const uint32_t first = plan->first_group;
        at += 8u * plan->words;
        if (plan->group_count == 1)
            add_whole_group(core, first, record_reach(first), look_of(core, first, true), words);
        else
            add_whole_groups(core, plan, words);
    }
    return at;
}

/* Simulates all lines of `count` rounds of a loop, or of one record. */
static void read_lines(const struct reading *reading, int64_t count) {
    struct levels_core *core = reading->core;
    const uint32_t first = reading->plan->first_group;
    const unsigned groups = groups_of(reading);
    const bool whole = reading->executed == reading->plan->instructions;
    const struct record_reach *reach = record_reach(first);
    struct levels_look *look = look_of(core, first, whole);
    uint64_t begins[RECORD_GROUPS_TOGETHER], spans[RECORD_GROUPS_TOGETHER];
    for (unsigned g = 0; g < groups; g++) {
        begins[g] = stream_begin(&reach[g], reading->words);
        spans[g] = whole ? reach[g].span : reader_end_of(reading, first + g, begins[g]) - begins[g] - 1;
    }
    for (; count > 0; count--)
        for (unsigned g = 0; g < groups; g++) {
            see_group(core, first + g, &look[g], begins[g], reach[g].span);
            add_group_lines(core, first + g, &reach[g], begins[g], spans[g]);
            begins[g] += reach[g].step;
        }
}

/* One access, or several of one group. */
static inline void reader_add_run(const struct reading *reading, const struct record_run *run) {
    struct levels_core *core = reading->core;
    const uint16_t group = (uint16_t)(run->group - reading->plan->first_group);
    const uint64_t begin = core->bases[group] + (uint64_t)run->offset, from = begin % HIERARCHY_LINE_BYTES;
    if (from + run->span < HIERARCHY_LINE_BYTES)
        reader_add_line(core, begin / HIERARCHY_LINE_BYTES, run->used << from, run->group, reader_kind_of(run->kind));
    else
        for (uint32_t i = 0; i < run->count; i++)
            add_access(reading, group, record_access(run->first_access + i));
}

/* If all levels but the last lacked a good part of the lines of the record before, announces those of this one. */
static void announce_lines(struct levels_core *core, const struct record_reach *reach, unsigned groups) {
    enum { FAR_ONE_OF = 4 };
    uint64_t lines[HIERARCHY_ANNOUNCED];
    unsigned count = 0;
    const bool far = (core->thread.far_count - core->far_count) * FAR_ONE_OF > groups;
    core->far_count = core->thread.far_count;
    if (!far)
        return;
    for (unsigned g = 0; g < groups && count < HIERARCHY_ANNOUNCED; g++)
        if (!reach[g].alone)
            lines[count++] = (core->bases[g] + (uint64_t)reach[g].low) / HIERARCHY_LINE_BYTES;
    hierarchy_announce(&core->thread, lines, count);
}

/* Simulates all accesses of a complete record. */
static void read_accesses(const struct reading *reading) {
    struct levels_core *core = reading->core;
    const uint32_t first = reading->plan->first_group;
    const struct record_reach *reach = record_reach(first);
    struct levels_look *look = look_of(core, first, true);
    for (unsigned g = 0; g < reading->plan->group_count; g++) {
        const uint64_t begin = stream_begin(&reach[g], reading->words);
        core->bases[g] = begin - (uint64_t)reach[g].low;
        if (!reach[g].alone)
            see_group(core, first + g, &look[g], begin, reach[g].span);
    }
    announce_lines(core, reach, reading->plan->group_count);
    const struct record_run *run = record_run(reading->plan->first_run), *end = run + reading->plan->run_count;
    for (; run < end; run++)
        reader_add_run(reading, run);
}

static bool is_by_lines(const struct reading *reading) {
    const struct record_plan *plan = reading->plan;
    return seen_is_exact() && (reading->executed == plan->instructions ? plan->by_lines : plan->part_by_lines);
}

static void read_one(const struct reading *reading) {
    if (is_by_lines(reading))
        read_lines(reading, 1);
    else if (seen_is_exact() && reading->executed == reading->plan->instructions)
        read_accesses(reading);
    else {
        find_hits(reading);
        hits_take(reading);
    }
}

/* Reads `count` complete, consecutive records of a plan. */
static void reader_read_run(const struct reading *reading, unsigned count) {
    enum { FEW = 4 };
    const struct record_plan *plan = reading->plan;
    struct reading one = *reading;
    if (count < FEW)
        for (unsigned i = 0; i < count; i++, one.words += plan->words)
            read_one(&one);
    else
        for (uint64_t hits = scan(reading, count); hits; hits &= hits - 1) {
            const unsigned record = (unsigned)__builtin_ctzll(hits);
            one.words = reading->words + (size_t)plan->words * record;
            find_scanned(&one, record);
            hits_take(&one);
        }
}

/* A group with gaps between its lines, in several rounds of a loop. */
static uint64_t scan_steps(const struct reading *reading, uint32_t owner, const struct record_stream *stream) {
    uint64_t hits = 0, begin = stream->begin;
    for (unsigned i = 0; i <= stream->last; i++, begin += stream->step)
        hits |= (uint64_t)scan_record(reading, owner, begin, stream->span) << i;
    return hits;
}

/* Reads `count` rounds of a loop; the words are those of the first round. */
static void reader_read_rounds(const struct reading *reading, unsigned count) {
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
        hits_take(reading);
    }
}

/* The words of a loop's record after this many rounds. */
static void reader_go_on(const struct record_plan *plan, const uint64_t *kept, int64_t rounds, uint64_t *words) {
    for (uint16_t i = 0; i < plan->value_count; i++)
        words[i] = kept[i] + (uint64_t)(rounds * record_value(plan->first_value + i)->step);
}

/* A record for all rounds of a loop; any copy may leave the last round. */
static void read_loop(struct reading *reading) {
    enum { FEW = 4, VALUES_MOST = 16 };
    const struct record_plan *plan = reading->plan;
    const uint64_t *kept = reading->words;
    const int64_t copies = (int64_t)(kept[plan->value_count] - kept[plan->loop.rounds_by]) / plan->loop.copy_step,
                  whole = copies / plan->loop.copies, left = copies % plan->loop.copies;
    const bool each = whole < FEW || plan->looks_alone || seen_is_exact();
    uint64_t words[1 + VALUES_MOST] = {0}, *weight = &reading->core->thread.sampling.weight, weight_of_part = *weight;
    int64_t done = 0;
    if (whole > STREAM_RECORDS && !each) /* a few long ones would be a poor sample */
        *weight = 1;
    reading->executed = plan->instructions;
    if (is_by_lines(reading)) {
        read_lines(reading, whole);
        done = whole;
    }
    reading->words = words + 1;
    for (int64_t count; done < whole; done += count) {
        count = each ? 1 : whole - done < STREAM_RECORDS ? whole - done : STREAM_RECORDS;
        reader_go_on(plan, kept, done, words + 1);
        if (each)
            read_one(reading);
        else
            reader_read_rounds(reading, (unsigned)count);
    }
    reading->executed = (uint32_t)left * (plan->instructions / plan->loop.copies);
    reader_go_on(plan, kept, whole, words + 1);
    *weight = weight_of_part;
    if (left > 0)
        read_one(reading);
}

uint64_t reader_take(struct levels_core *core, uint64_t end) {
    struct reading reading = {.core = core};
    uint64_t at = core->read_at;
    while ((at = seen_is_exact() ? reader_read_small(core, at, end) : at) < end) {
        const struct record_header *header = (const struct record_header *)at;
        const struct record_plan *plan = reading.plan = record_plan(header->plan);
        unsigned count = 1;
        if (core->part_left <= 0)
            seen_begin_part(core);
        reading.executed = __atomic_load_n(&header->executed, __ATOMIC_ACQUIRE);
        reading.words = (const uint64_t *)(at + sizeof *header);
        if (reading.executed == 0 && at + 8u * plan->words >= end)
            break;
        if (reading.executed > 0 && plan->loop.copies > 0)
            read_loop(&reading);
        else if (reading.executed == plan->instructions && !seen_is_exact() && !plan->looks_alone)
            reader_read_run(&reading, count = run_length(&reading, end));
        else if (reading.executed > 0)
            read_one(&reading);
        const uint64_t bytes = 8u * (uint64_t)plan->words * count;
        at += bytes;
        core->part_left -= (int64_t)bytes;
    }
    return core->read_at = at;
}
