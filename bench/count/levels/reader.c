/* SPDX-License-Identifier: BSD-3-Clause
 * Records → accesses (see reader.h). A group whose lines are not sampled is passed over by one look. */
#include "reader.h"

#include "hits.h"
#include "seen.h"

/* The groups of a record that are hit. */
static void find_hits(const struct reading *reading) {
    const struct record_plan *plan = reading->plan;
    const struct record_reach *reach = record_reach(plan->first_group);
    struct levels_span *last = span_of(reading->core, plan->first_group, reading->executed == plan->instructions);
    for (uint16_t g = 0; g < plan->group_count; g++, reach++, last += 2) {
        if (reach->first >= reading->executed) /* its values were not kept, nor those of what follows */
            break;
        const uint64_t begin = stream_begin(reach, reading->words);
        if (reach->alone || see_group(reading->core, plan->first_group + g, last, begin, reach->span))
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
    for (unsigned i = 0; i < count; i++, words += reading->plan->words)
        hits |= (uint64_t)see_group(reading->core, owner, last, stream_begin(&reach, words), reach.span) << i;
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
    if (plan->looks_alone || reading->executed != plan->instructions || seen.sampling.classes == UINT64_MAX)
        return 0;
    const unsigned count = run_length(reading, end);
    if (count < FEW)
        return 0;
    struct reading one = *reading;
    for (uint64_t hits = scan(reading, count); hits; hits &= hits - 1) {
        const unsigned record = (unsigned)__builtin_ctzll(hits);
        one.words = reading->words + (size_t)plan->words * record;
        find_scanned(&one, record);
        hits_take(&one);
    }
    return count;
}

/* A group that leaves lines out between its first and its last, in so many rounds of a loop. */
static uint64_t scan_steps(const struct reading *reading, uint32_t owner, const struct record_stream *stream) {
    struct levels_span *last = span_of(reading->core, owner, true);
    uint64_t hits = 0, begin = stream->begin;
    for (unsigned i = 0; i <= stream->last; i++, begin += stream->step)
        hits |= (uint64_t)see_group(reading->core, owner, last, begin, stream->span) << i;
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
        hits_take(reading);
    }
}

static void read_one(const struct reading *reading) {
    find_hits(reading);
    hits_take(reading);
}

/* What a loop's record would hold that was made after so many rounds. */
static void go_on(const struct record_plan *plan, const uint64_t *kept, int64_t rounds, uint64_t *words) {
    for (uint16_t i = 0; i < plan->value_count; i++)
        words[i] = kept[i] + (uint64_t)(rounds * record_value(plan->first_value + i)->step);
}

/* A record that stands for all rounds of a loop, of which the last may be left by any copy. */
static void read_loop(struct reading *reading) {
    enum { FEW = 4, VALUES_MOST = 16 };
    const struct record_plan *plan = reading->plan;
    const uint64_t *kept = reading->words;
    const int64_t copies = (int64_t)(kept[plan->value_count] - kept[plan->loop.rounds_by]) / plan->loop.copy_step,
                  whole = copies / plan->loop.copies, left = copies % plan->loop.copies;
    const bool each = whole < FEW || plan->looks_alone || seen.sampling.classes == UINT64_MAX;
    uint64_t words[1 + VALUES_MOST] = {0};
    reading->words = words + 1;
    reading->executed = plan->instructions;
    for (int64_t done = 0, count; done < whole; done += count) {
        count = each ? 1 : whole - done < STREAM_RECORDS ? whole - done : STREAM_RECORDS;
        go_on(plan, kept, done, words + 1);
        if (each)
            read_one(reading);
        else
            read_rounds(reading, (unsigned)count);
    }
    reading->executed = (uint32_t)left * (plan->instructions / plan->loop.copies);
    go_on(plan, kept, whole, words + 1);
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
    hits_simulate(core);
    return at;
}
