/* SPDX-License-Identifier: BSD-3-Clause
 * Loops and lines of processes (see profile_cost.h): first the places of all pieces of code, then the executions of
 * each instruction, from the blocks. */
#include "code_graph.h"
#include "profile_cost.h"
#include "profile_traffic.h"

#include <stdlib.h>
#include <string.h>

#include "bench/names/lines.h"
#include "probe/need.h"

/* The loops and lines of a profile, merged over processes by their place in the source.
 *
 * Two hash tables of loops and lines by source; sorted at the end. */

static bool profile_parts_is_same(const struct part_source *a, const struct part_source *b) {
    return a->object == b->object && a->function == b->function && a->inlined == b->inlined && a->file == b->file &&
           a->line == b->line && a->offset == b->offset;
}

static uint64_t mix(uint64_t hash, uint64_t value) {
    return (hash ^ value) * 0x9e3779b97f4a7c15; /* 2^64 / golden ratio: Knuth, vol. 3, 6.4 */
}

static uint64_t profile_parts_hash_of(const struct part_source *source) {
    uint64_t hash = mix(0, (uintptr_t)source->object);
    hash = mix(hash ^ hash >> 32, (uintptr_t)source->function);
    hash = mix(hash ^ hash >> 32, (uintptr_t)source->inlined);
    hash = mix(hash ^ hash >> 32, (uintptr_t)source->file);
    hash = mix(hash ^ hash >> 32, source->line);
    hash = mix(hash ^ hash >> 32, source->offset);
    return hash ^ hash >> 32;
}

struct part_slots { /* 1 + the number of a part; 0: free */
    uint32_t *of;
    size_t most;
};
struct part_index {
    struct part_slots loops, lines;
    struct texts texts;
};

struct profile_parts *profile_parts_new(void) {
    struct profile_parts *parts = need_calloc(1, sizeof *parts);
    parts->index = need_calloc(1, sizeof *parts->index);
    return parts;
}

/* Both kinds of parts begin with their source. */
static const struct part_source *profile_parts_source_at(const void *parts, size_t size, size_t index) {
    return (const struct part_source *)(const void *)((const char *)parts + index * size);
}

/* The slot that contains the source's number, or the free one for it. */
static uint32_t *profile_parts_slot_of(const struct part_slots *slots, const void *parts, size_t size,
                                       const struct part_source *source) {
    size_t slot = (size_t)profile_parts_hash_of(source) & (slots->most - 1);
    while (slots->of[slot] != 0 &&
           !profile_parts_is_same(source, profile_parts_source_at(parts, size, slots->of[slot] - 1)))
        slot = (slot + 1) & (slots->most - 1);
    return &slots->of[slot];
}

/* Makes room for one more, in the slots and in the list, which may move. */
static void *profile_parts_make_room(struct part_slots *slots, void *parts, size_t size, size_t count) {
    if (2 * (count + 1) < slots->most)
        return parts;
    const struct part_slots old = *slots;
    slots->most = old.most > 0 ? 2 * old.most : 256;
    slots->of = need_calloc(slots->most, sizeof *slots->of);
    for (size_t i = 0; i < old.most; i++)
        if (old.of[i] != 0)
            *profile_parts_slot_of(slots, parts, size, profile_parts_source_at(parts, size, old.of[i] - 1)) = old.of[i];
    free(old.of);
    return need_realloc(parts, slots->most / 2 * size);
}

/* The loop or line with this source, added if it is new. The texts of `source` must be from the parts. */
static uint32_t part_table_loop(struct profile_parts *parts, const struct part_source *source, uint32_t parent,
                                unsigned depth) {
    parts->loops = profile_parts_make_room(&parts->index->loops, parts->loops, sizeof *parts->loops, parts->loop_count);
    uint32_t *slot = profile_parts_slot_of(&parts->index->loops, parts->loops, sizeof *parts->loops, source);
    if (*slot == 0) {
        parts->loops[parts->loop_count] =
            (struct profile_loop){.source = *source, .parent = parent, .depth = depth, .entries_known = true};
        *slot = (uint32_t)++parts->loop_count;
    }
    return *slot - 1;
}

static uint32_t part_table_line(struct profile_parts *parts, const struct part_source *source) {
    parts->lines = profile_parts_make_room(&parts->index->lines, parts->lines, sizeof *parts->lines, parts->line_count);
    uint32_t *slot = profile_parts_slot_of(&parts->index->lines, parts->lines, sizeof *parts->lines, source);
    if (*slot == 0) {
        parts->lines[parts->line_count] = (struct profile_line){.source = *source};
        *slot = (uint32_t)++parts->line_count;
    }
    return *slot - 1;
}

/* A part that is being sorted. */
struct ranked {
    uint64_t instructions;
    uint32_t index;
};

static int profile_parts_by_instructions(const void *a, const void *b) {
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
    qsort(ranked, count, sizeof *ranked, profile_parts_by_instructions);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(sorted + i * size, old + ranked[i].index * size, size);
        numbers[ranked[i].index] = i;
    }
    free(old);
    return numbers;
}

static int profile_parts_by_place(const void *a, const void *b) {
    const struct profile_place *x = a, *y = b;
    const int order = x->path == y->path ? 0 : strcmp(x->path, y->path);
    if (order != 0)
        return order;
    return (x->start > y->start) - (x->start < y->start);
}

/* Sorts the places, and merges the same instruction of several processes. */
static void merge_places(struct profile_parts *parts) {
    size_t kept = 0;
    if (parts->place_count > 0)
        qsort(parts->places, parts->place_count, sizeof *parts->places, profile_parts_by_place);
    for (size_t i = 0; i < parts->place_count; i++) {
        const struct profile_place *place = &parts->places[i];
        struct profile_place *before = kept > 0 ? &parts->places[kept - 1] : NULL;
        const bool again = before && profile_parts_by_place(before, place) == 0 && before->loop == place->loop &&
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
    texts_free(&parts->index->texts);
    for (size_t i = 0; i < parts->loop_count; i++)
        free(parts->loops[i].traffic);
    for (size_t i = 0; i < parts->line_count; i++)
        free(parts->lines[i].traffic);
    free(parts->loops);
    free(parts->lines);
    free(parts->places);
    free(parts->index->loops.of);
    free(parts->index->lines.of);
    free(parts->index);
    free(parts);
}

/* One process that is added to the parts. */
struct placing {
    struct profile_parts *parts;
    const struct dump *dump;
    const struct code_cost *cost;
    struct code_files *files;
    const uint64_t *steps;
    struct code_graph graph;
    struct natural_loops loops;
    size_t *opened;       /* by object: its file */
    uint32_t *part_loops; /* by loop: its number in the parts */
    size_t *first, *end;  /* by piece: the range of its places, in the order of their addresses */
    size_t places_most;
    struct count *own; /* by loop; the last: code outside of loops */
    struct profile_traffic **own_traffic;
    struct dump_traffic_value *values; /* counts of simulated caches, by counter and instruction */
    size_t value_count;
    struct dump_touch *touches; /* likewise, touched cache lines and pages */
    struct touched_sets loop_sets, line_sets;
};

static uint64_t offset_of(const struct placing *placing, size_t block, uint64_t address) {
    return dump_offset(&placing->cost->objects[dump_block(placing->dump, block).object].from, address);
}

/* The source of a block's code, without a line; `offset` in the file. */
static struct part_source profile_parts_source_of(struct placing *placing, size_t block, uint32_t function,
                                                  uint64_t offset) {
    char name[128];
    code_object_name(&placing->cost->objects[dump_block(placing->dump, block).object].from, name, sizeof name);
    struct texts *texts = &placing->parts->index->texts;
    return (struct part_source){.object = texts_keep(texts, name),
                                .function = texts_keep(texts, placing->cost->functions[function].name),
                                .inlined = texts_keep(texts, ""),
                                .file = texts_keep(texts, ""),
                                .offset = offset - placing->cost->block_starts[block]};
}

/* A piece of code while its instructions get their lines in order. */
struct lined_piece {
    struct lines *of; /* NULL: its file has none */
    struct part_source source;
    struct source_line line; /* of the last instruction that had a line, and its number */
    uint32_t last;           /* PART_NONE: none had */
    uint32_t unknown;        /* shared by all instructions without a line; PART_NONE: each had one */
};

static struct lined_piece line_piece(struct placing *placing, size_t block, uint32_t piece) {
    const struct graph_piece *from = &placing->graph.pieces[piece];
    struct lined_piece lined = {.last = PART_NONE, .unknown = PART_NONE};
    if (from->object != 0)
        lined.of = code_files_lines(placing->files, placing->opened[from->object]);
    if (lined.of != NULL)
        lined.source = profile_parts_source_of(placing, block, from->function, 0);
    lined.source.offset = 0;
    return lined;
}

static uint32_t unknown_line(struct placing *placing, size_t block, uint32_t piece) {
    const uint64_t address = placing->graph.pieces[piece].address;
    const struct part_source unknown = profile_parts_source_of(placing, block, placing->cost->block_functions[block],
                                                               offset_of(placing, block, address));
    return part_table_line(placing->parts, &unknown);
}

static bool is_same_line(const struct source_line *a, const struct source_line *b) {
    return a->line == b->line && strcmp(a->file, b->file) == 0 && strcmp(a->inlined, b->inlined) == 0 &&
           strcmp(a->function, b->function) == 0;
}

/* The line of an instruction; if unknown, one for the whole piece. */
static uint32_t profile_parts_line_of(struct placing *placing, size_t block, uint32_t piece, uint64_t offset,
                                      struct lined_piece *lined) {
    struct source_line line;
    if (lined->of == NULL || !lines_find(lined->of, offset, &line)) {
        if (lined->unknown == PART_NONE)
            lined->unknown = unknown_line(placing, block, piece);
        return lined->unknown;
    }
    if (lined->last != PART_NONE && is_same_line(&line, &lined->line))
        return lined->last;
    struct part_source source = lined->source;
    source.inlined = texts_keep(&placing->parts->index->texts, line.inlined);
    source.file = texts_keep(&placing->parts->index->texts, line.file);
    if (source.function[0] == '\0') /* the file itself was stripped */
        source.function = texts_keep(&placing->parts->index->texts, line.function);
    source.line = line.line;
    lined->line = line;
    return lined->last = part_table_line(placing->parts, &source);
}

static void profile_parts_add_place(struct placing *placing, struct profile_place place) {
    struct profile_parts *parts = placing->parts;
    if (parts->place_count == placing->places_most) {
        placing->places_most = placing->places_most * 2 + 1024;
        parts->places = need_realloc(parts->places, placing->places_most * sizeof *parts->places);
    }
    parts->places[parts->place_count++] = place;
}

/* Adds the instructions of the piece that begins with a block. */
static void place_piece(struct placing *placing, size_t block, uint32_t piece) {
    const struct dump_block from = dump_block(placing->dump, block);
    const char *path = placing->cost->objects[from.object].from.path;
    struct profile_place place = {.path = texts_keep(&placing->parts->index->texts, path),
                                  .function_start = placing->cost->block_starts[block],
                                  .start = offset_of(placing, block, from.address),
                                  .loop = PART_NONE};
    const struct code_block *code = &placing->cost->code[block];
    struct lined_piece lined = line_piece(placing, block, piece);
    uint32_t next = piece;
    placing->first[piece] = placing->parts->place_count;
    for (uint32_t i = 0, at = 0; i < code->count; at += code->instructions[i++].length_bytes) {
        const struct decoded_instruction *instruction = &code->instructions[i];
        if (i > 0 && code_graph_find_behind(&placing->graph, &next, from.object, from.address + at) != GRAPH_NO_PIECE)
            break;
        place.line = profile_parts_line_of(placing, block, piece, place.start, &lined);
        place.data_bytes = (uint16_t)instruction->effect.data_bytes;
        place.code_bytes = (uint8_t)instruction->length_bytes;
        memcpy(place.code, code->code + at, instruction->length_bytes);
        profile_parts_add_place(placing, place);
        place.start += instruction->length_bytes;
    }
    placing->end[piece] = placing->parts->place_count;
}

static void place_pieces(struct placing *placing) {
    for (size_t block = 0; block < placing->dump->header.block_count; block++) {
        const struct dump_block from = dump_block(placing->dump, block);
        const uint32_t piece = code_graph_find(&placing->graph, from.object, from.address);
        if (placing->first[piece] == placing->end[piece])
            place_piece(placing, block, piece);
    }
}

/* The source line of each loop: that of its last back edge. Compilers give this jump the line of the loop statement;
 * the header may begin with other code. Allocated, one for each loop. */
static struct part_source *find_sources(struct placing *placing, const size_t *blocks) {
    const struct profile_parts *parts = placing->parts;
    struct part_source *sources = need_calloc(placing->loops.count + 1, sizeof *sources);
    for (size_t i = 0; i < placing->loops.count; i++) {
        const uint32_t header = placing->loops.loops[i].header;
        const size_t block = blocks[header];
        sources[i] = profile_parts_source_of(placing, block, placing->cost->block_functions[block], 0);
        if (placing->end[header] > placing->first[header])
            sources[i] = parts->lines[parts->places[placing->first[header]].line].source;
    }
    for (size_t i = 0; i < placing->graph.edge_count; i++) {
        const uint32_t from = placing->graph.edges[i].from, to = placing->graph.edges[i].to;
        const uint32_t loop = placing->loops.innermost[to];
        if (loop == LOOP_NONE || placing->loops.loops[loop].header != to ||
            placing->end[from] == placing->first[from] || !loops_contain(&placing->loops, loop, from))
            continue;
        const struct part_source back = parts->lines[parts->places[placing->end[from] - 1].line].source;
        if (back.line > 0 && (back.inlined[0] == '\0' || sources[loop].inlined[0] != '\0'))
            sources[loop] = back;
    }
    return sources;
}

static void add_loops(struct placing *placing, const size_t *blocks) {
    struct part_source *sources = find_sources(placing, blocks);
    for (uint32_t i = 0; i < placing->loops.count; i++) {
        const struct natural_loop *from = &placing->loops.loops[i];
        const size_t block = blocks[from->header];
        sources[i].offset =
            offset_of(placing, block, placing->graph.pieces[from->header].address) - placing->cost->block_starts[block];
        const uint32_t parent = from->parent != LOOP_NONE ? placing->part_loops[from->parent] : PART_NONE;
        const uint32_t index = placing->part_loops[i] =
            part_table_loop(placing->parts, &sources[i], parent, from->depth);
        struct profile_loop *to = &placing->parts->loops[index];
        to->iterations += from->iterations;
        to->entries += from->entries;
        to->entries_known &= from->entries_known;
    }
    free(sources);
    for (uint32_t piece = 0; piece < placing->graph.piece_count; piece++)
        for (size_t i = placing->first[piece]; i < placing->end[piece]; i++)
            if (placing->loops.innermost[piece] != LOOP_NONE)
                placing->parts->places[i].loop = placing->part_loops[placing->loops.innermost[piece]];
}

/* Adds the cost of one execution so many times. */
static void profile_parts_add_times(struct count *to, const struct count *once, uint64_t times) {
    for (size_t i = 0; times > 0 && i < COUNT_WORDS; i++)
        to->words[i] += once->words[i] * times;
}

/* The first element of a block in a list sorted by counter. Elements have `bytes` bytes and begin with their
 * counter. */
static size_t find_counter(const void *list, size_t count, size_t bytes, uint32_t counter) {
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        uint32_t of_middle;
        memcpy(&of_middle, (const char *)list + middle * bytes, sizeof of_middle);
        if (of_middle < counter)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
_Static_assert(offsetof(struct dump_traffic_value, counter) == 0 && offsetof(struct dump_touch, counter) == 0,
               "find_counter() reads it there");

/* Adds the values of one instruction of a block; returns the index after them. */
static size_t profile_parts_add_values(const struct placing *placing, size_t at, uint32_t counter, uint32_t instruction,
                                       struct profile_traffic **loop, struct profile_traffic **line) {
    for (; at < placing->value_count && placing->values[at].counter == counter &&
           placing->values[at].instruction == instruction;
         at++) {
        profile_traffic_add_value(loop, &placing->values[at]);
        profile_traffic_add_value(line, &placing->values[at]);
    }
    return at;
}

/* Adds the touches of one instruction of a block to its line, its loop and all enclosing loops; returns the index after
 * them. */
static size_t profile_parts_add_touches(struct placing *placing, size_t at, uint32_t counter, uint32_t instruction,
                                        size_t loop, uint32_t line) {
    const struct natural_loop *loops = placing->loops.loops;
    for (; at < placing->dump->touch_count && placing->touches[at].counter == counter &&
           placing->touches[at].instruction == instruction;
         at++) {
        touched_add(&placing->line_sets, line, &placing->touches[at]);
        for (size_t l = loop; l < placing->loops.count; l = loops[l].parent)
            touched_add(&placing->loop_sets, placing->part_loops[l], &placing->touches[at]);
    }
    return at;
}

static struct touched *touched_of_loop(void *parts, size_t loop) {
    return &((struct profile_parts *)parts)->loops[loop].touched;
}

static struct touched *touched_of_line(void *parts, size_t line) {
    return &((struct profile_parts *)parts)->lines[line].touched;
}

/* Adds the work to the loop, the line and the instruction itself. */
static void add_where(struct placing *placing, struct profile_place *place, struct count *loop,
                      const struct count *once, uint64_t times) {
    profile_parts_add_times(loop, once, times);
    profile_parts_add_times(&placing->parts->lines[place->line].count, once, times);
    place->flop += count_flop(once) * times;
    place->load_bytes += once->load_bytes * times;
    place->store_bytes += once->store_bytes * times;
}

static void count_block(struct placing *placing, size_t block) {
    const struct dump_block from = dump_block(placing->dump, block);
    uint64_t offset = offset_of(placing, block, from.address), counter = from.counter;
    const struct code_block *code = &placing->cost->code[block];
    const struct block_kind kind = code_cost_kind(placing->cost, from.object, block);
    uint32_t next = code_graph_find(&placing->graph, from.object, from.address);
    size_t place = 0, end = 0, loop = placing->loops.count,
           value = find_counter(placing->values, placing->value_count, sizeof *placing->values, from.counter),
           touch = find_counter(placing->touches, placing->dump->touch_count, sizeof *placing->touches, from.counter);
    for (uint32_t i = 0, at = 0; i < code->count; at += code->instructions[i++].length_bytes) {
        const struct decoded_instruction *instruction = &code->instructions[i];
        const uint32_t piece = code_graph_find_behind(&placing->graph, &next, from.object, from.address + at);
        if (piece != GRAPH_NO_PIECE) {
            const uint32_t innermost = placing->loops.innermost[piece];
            loop = innermost != LOOP_NONE ? innermost : placing->loops.count;
            place = placing->first[piece], end = placing->end[piece];
        }
        if (place == end)
            return;
        while (place + 1 < end && placing->parts->places[place].start < offset)
            place++;
        struct count executed, element;
        code_cost_instruction(kind, instruction, &executed, &element);
        struct profile_place *here = &placing->parts->places[place];
        value = profile_parts_add_values(placing, value, from.counter, i, &placing->own_traffic[loop],
                                         &placing->parts->lines[here->line].traffic);
        touch = profile_parts_add_touches(placing, touch, from.counter, i, loop, here->line);
        here->executions += placing->steps[from.counter];
        add_where(placing, here, &placing->own[loop], &executed, placing->steps[from.counter]);
        if (instruction->effect.dynamic != DYNAMIC_NONE)
            add_where(placing, here, &placing->own[loop], &element, placing->steps[++counter]);
        offset += instruction->length_bytes;
    }
}

static void profile_parts_add_counts(struct placing *placing) {
    const size_t count = placing->loops.count;
    placing->own = need_calloc(count + 1, sizeof *placing->own);
    placing->own_traffic = need_calloc(count + 1, sizeof *placing->own_traffic);
    placing->values = profile_traffic_list(placing->dump, 0, &placing->value_count);
    placing->touches = touched_list(placing->dump);
    for (size_t i = 0; i < placing->dump->header.block_count; i++)
        count_block(placing, i);
    touched_end(&placing->loop_sets, placing->parts, touched_of_loop);
    touched_end(&placing->line_sets, placing->parts, touched_of_line);
    free(placing->touches);
    count_add(&placing->parts->outside, &placing->own[count]);
    for (size_t i = 0; i < count; i++)
        count_add(&placing->parts->loops[placing->part_loops[i]].own, &placing->own[i]);
    for (size_t i = count; i-- > 0;) { /* inner loops have higher numbers */
        const uint32_t parent = placing->loops.loops[i].parent;
        struct profile_loop *loop = &placing->parts->loops[placing->part_loops[i]];
        count_add(&loop->count, &placing->own[i]);
        profile_traffic_add(&loop->traffic, placing->own_traffic[i]);
        if (parent != LOOP_NONE) {
            count_add(&placing->own[parent], &placing->own[i]);
            profile_traffic_add(&placing->own_traffic[parent], placing->own_traffic[i]);
        }
    }
    for (size_t i = 0; i <= count; i++)
        free(placing->own_traffic[i]);
    free(placing->own_traffic);
    free(placing->values);
    free(placing->own);
}

static void find_graph(struct placing *placing) {
    code_graph_build(placing->dump, placing->cost, placing->steps, &placing->graph);
    bool *contradicts = need_calloc(placing->graph.piece_count + 1, sizeof *contradicts);
    edge_counts_find(&placing->graph, contradicts);
    loops_find(&placing->graph, contradicts, &placing->loops);
    placing->parts->irreducible_count += placing->loops.irreducible_count;
    placing->parts->irreducible_turns += placing->loops.irreducible_turns;
    free(contradicts);
}

/* Opens the files; `blocks` gets the first block of each piece. */
static void find_code(struct placing *placing, size_t *blocks) {
    for (size_t i = placing->dump->header.block_count; i-- > 0;) {
        const struct dump_block block = dump_block(placing->dump, i);
        blocks[code_graph_find(&placing->graph, block.object, block.address)] = i;
    }
    for (uint32_t i = 1; i < placing->dump->header.object_count; i++)
        placing->opened[i] = code_files_open(placing->files, placing->dump, i);
}

void profile_parts_add(struct profile_parts *parts, const struct dump *dump, const struct code_cost *cost,
                       struct code_files *files, const uint64_t *steps) {
    struct placing placing = {.parts = parts, .dump = dump, .cost = cost, .files = files, .steps = steps};
    placing.places_most = parts->place_count;
    find_graph(&placing);
    const size_t pieces = placing.graph.piece_count;
    size_t *blocks = need_calloc(pieces + 1, sizeof *blocks);
    placing.opened = need_calloc(dump->header.object_count + 1, sizeof *placing.opened);
    placing.part_loops = need_calloc(placing.loops.count + 1, sizeof *placing.part_loops);
    placing.first = need_calloc(pieces + 1, sizeof *placing.first);
    placing.end = need_calloc(pieces + 1, sizeof *placing.end);
    find_code(&placing, blocks);
    place_pieces(&placing);
    add_loops(&placing, blocks);
    profile_parts_add_counts(&placing);
    free(blocks);
    free(placing.opened);
    free(placing.part_loops);
    free(placing.first);
    free(placing.end);
    loops_free(&placing.loops);
    code_graph_free(&placing.graph);
}
