/* SPDX-License-Identifier: BSD-3-Clause
 * Cuts blocks into pieces and finds the edges between them (see code_graph.h). */
#include "code_graph.h"

#include <stdlib.h>
#include <string.h>

#include "probe/need.h"

/* The inputs of the graph, and its edges as they are found, with repetitions. */
struct building {
    const struct dump *dump;
    const struct code_cost *cost;
    const uint64_t *steps;
    struct code_flow flow;
    uint32_t *functions;    /* by function of the cost: the function that it is part of */
    uint32_t *jumps;        /* by function: 1 + its last piece that jumps through a register or memory; 0: none */
    uint32_t *jumps_before; /* by such a piece: likewise, the one before it */
    bool *is_jump;          /* by piece: it is among these */
    bool *led_to;           /* by piece: reached by a branch, a call's return, or the end of a block */
    struct code_graph *graph;
    size_t edges_most;
};

static int compare_places(uint32_t object, uint64_t address, const struct graph_piece *piece) {
    if (address != piece->address)
        return address < piece->address ? -1 : 1;
    return (object > piece->object) - (object < piece->object);
}

uint32_t code_graph_find(const struct code_graph *graph, uint32_t object, uint64_t address) {
    size_t low = 0, high = graph->piece_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = compare_places(object, address, &graph->pieces[middle]);
        if (order == 0)
            return (uint32_t)middle;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return GRAPH_NO_PIECE;
}

uint32_t code_graph_find_behind(const struct code_graph *graph, uint32_t *from, uint32_t object, uint64_t address) {
    while (*from < graph->piece_count && compare_places(object, address, &graph->pieces[*from]) > 0)
        ++*from;
    const bool found = *from < graph->piece_count && compare_places(object, address, &graph->pieces[*from]) == 0;
    return found ? *from : GRAPH_NO_PIECE;
}

static int code_graph_by_place(const void *a, const void *b) {
    const struct graph_piece *x = a;
    return compare_places(x->object, x->address, b);
}

/* "solve.cold" is part of "solve", which comes first because functions are sorted by object and name. */
static void join_cold_parts(const struct code_cost *cost, uint32_t *functions) {
    static const char COLD[] = ".cold";
    for (uint32_t i = 0; i < cost->function_count; i++) {
        const struct code_function *function = &cost->functions[i], *base = function;
        const char *cold = strstr(function->name, COLD);
        const size_t length = cold ? (size_t)(cold - function->name) : 0;
        while (length > 0 && base > cost->functions && base[-1].object == function->object &&
               strncmp(base[-1].name, function->name, length) == 0)
            base--; /* the first with this prefix */
        functions[i] = length > 0 && strlen(base->name) == length ? (uint32_t)(base - cost->functions) : i;
    }
}

static void find_pieces(struct building *building) {
    struct code_graph *graph = building->graph;
    graph->pieces = need_calloc(building->flow.count + 1, sizeof *graph->pieces);
    for (size_t i = 0; i < building->flow.count; i++) {
        const struct flow_block *block = &building->flow.blocks[i];
        const uint32_t own = building->cost->block_functions[block->block], function = building->functions[own];
        const struct dump_object object = dump_object(building->dump, block->object);
        const uint64_t offset = dump_offset(&object, block->address);
        const bool begins =
            building->cost->functions[own].name[0] != '\0' && building->cost->block_starts[block->block] == offset;
        graph->pieces[i] = (struct graph_piece){.starts = begins && own == function,
                                                .address = block->address,
                                                .object = block->object,
                                                .function = function};
    }
    qsort(graph->pieces, building->flow.count, sizeof *graph->pieces, code_graph_by_place);
    for (size_t i = 0; i < building->flow.count; i++)
        if (graph->piece_count == 0 ||
            code_graph_by_place(&graph->pieces[i], &graph->pieces[graph->piece_count - 1]) != 0)
            graph->pieces[graph->piece_count++] = graph->pieces[i];
}

static void add_edge(struct building *building, uint32_t from, uint32_t to, uint64_t count, bool known) {
    struct code_graph *graph = building->graph;
    if (graph->edge_count == building->edges_most) {
        building->edges_most = building->edges_most * 2 + 256;
        graph->edges = need_realloc(graph->edges, building->edges_most * sizeof *graph->edges);
    }
    graph->edges[graph->edge_count++] = (struct graph_edge){from, to, known ? count : 0, known};
}

static uint32_t piece_of_block(const struct building *building, size_t block) {
    const struct flow_block *to = &building->flow.blocks[block];
    return code_graph_find(building->graph, to->object, to->address);
}

/* Adds the edges that leave a block after its last instruction, which is in piece `last`. */
static void leave_block(struct building *building, const struct flow_block *block, uint32_t last) {
    struct graph_piece *piece = &building->graph->pieces[last];
    const uint64_t executions = building->steps[dump_block(building->dump, block->block).counter];
    const bool one_way = block->leaves == FLOW_NEXT || block->leaves == FLOW_JUMP;
    size_t ways = 0;
    for (unsigned way = 0; way < FLOW_WAYS; way++)
        if (block->next[way] != FLOW_NOWHERE) {
            const uint32_t to = piece_of_block(building, block->next[way]);
            add_edge(building, last, to, executions, one_way);
            building->led_to[to] = true;
            ways++;
        }
    if (block->calls != FLOW_NOWHERE)
        building->graph->pieces[piece_of_block(building, block->calls)].starts = true;
    piece->left_apart |= block->calls_any || block->returns || ways == 0;
    if (block->jumps_unknown && !building->is_jump[last]) {
        building->is_jump[last] = true;
        building->jumps_before[last] = building->jumps[piece->function];
        building->jumps[piece->function] = last + 1;
    }
}

/* Walks through the block's instructions from piece to piece. */
static void cut_block(struct building *building, const struct flow_block *block) {
    const struct code_block *code = &building->cost->code[block->block];
    const uint64_t executions = building->steps[dump_block(building->dump, block->block).counter];
    uint64_t address = block->address;
    uint32_t piece = GRAPH_NO_PIECE, first = code_graph_find(building->graph, block->object, address);
    for (uint32_t i = 0; i < code->count; address += code->instructions[i++].length_bytes) {
        const uint32_t here = code_graph_find_behind(building->graph, &first, block->object, address);
        if (here != GRAPH_NO_PIECE) {
            building->graph->pieces[here].executions += executions;
            if (piece != GRAPH_NO_PIECE)
                add_edge(building, piece, here, executions, true);
            piece = here;
        }
    }
    if (piece != GRAPH_NO_PIECE)
        leave_block(building, block, piece);
}

static int by_ends(const void *a, const void *b) {
    const struct graph_edge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static void merge_edges(struct code_graph *graph) {
    size_t kept = 0;
    if (graph->edge_count > 0)
        qsort(graph->edges, graph->edge_count, sizeof *graph->edges, by_ends);
    for (size_t i = 0; i < graph->edge_count; i++)
        if (kept > 0 && by_ends(&graph->edges[kept - 1], &graph->edges[i]) == 0) {
            graph->edges[kept - 1].count += graph->edges[i].count;
            graph->edges[kept - 1].known &= graph->edges[i].known;
        } else {
            graph->edges[kept++] = graph->edges[i];
        }
    graph->edge_count = kept;
}

/* A function begins at its own address and wherever other functions call it or jump to it. A function without a name
 * also begins at each piece that no edge leads to. A block that nothing leads to was entered by a jump through a
 * register, a signal's return, or an exception. */
static void code_graph_find_starts(struct building *building, bool *entered) {
    struct code_graph *graph = building->graph;
    for (size_t i = 0; i < graph->edge_count; i++) {
        const struct graph_edge *edge = &graph->edges[i];
        const bool inside = graph->pieces[edge->from].function == graph->pieces[edge->to].function;
        entered[edge->to] = true;
        graph->pieces[edge->to].starts |= !inside;
    }
    for (size_t i = 0; i < graph->piece_count; i++) {
        struct graph_piece *piece = &graph->pieces[i];
        piece->starts |= building->cost->functions[piece->function].name[0] == '\0' && !entered[i];
        piece->entered_apart = piece->starts || !building->led_to[i];
    }
}

/* A jump through a register may lead to any piece of its function that has no other edge: the cases of a `switch`. */
static void add_unknown_jumps(struct building *building, const bool *entered) {
    struct code_graph *graph = building->graph;
    for (uint32_t to = 0; to < graph->piece_count; to++) {
        const struct graph_piece *target = &graph->pieces[to];
        if (entered[to] || target->starts)
            continue;
        for (uint32_t from = building->jumps[target->function]; from > 0; from = building->jumps_before[from - 1])
            add_edge(building, from - 1, to, 0, false);
    }
}

void code_graph_build(const struct dump *dump, const struct code_cost *cost, const uint64_t *steps,
                      struct code_graph *out) {
    struct building building = {.dump = dump, .cost = cost, .steps = steps, .graph = out};
    *out = (struct code_graph){0};
    flow_build(dump, cost->code, &building.flow);
    building.functions = need_calloc(cost->function_count + 1, sizeof *building.functions);
    building.jumps = need_calloc(cost->function_count + 1, sizeof *building.jumps);
    building.jumps_before = need_calloc(building.flow.count + 1, sizeof *building.jumps_before);
    building.is_jump = need_calloc(building.flow.count + 1, sizeof *building.is_jump);
    building.led_to = need_calloc(building.flow.count + 1, sizeof *building.led_to);
    bool *entered = need_calloc(building.flow.count + 1, sizeof *entered);
    join_cold_parts(cost, building.functions);
    find_pieces(&building);
    for (size_t i = 0; i < building.flow.count; i++)
        cut_block(&building, &building.flow.blocks[i]);
    merge_edges(out);
    code_graph_find_starts(&building, entered);
    add_unknown_jumps(&building, entered);
    merge_edges(out);
    free(entered);
    free(building.is_jump);
    free(building.led_to);
    free(building.functions);
    free(building.jumps);
    free(building.jumps_before);
    flow_free(&building.flow);
}

void code_graph_free(struct code_graph *graph) {
    free(graph->pieces);
    free(graph->edges);
}

/* The blocks and the branches between them. */

static int by_address(const void *a, const void *b) {
    const struct flow_block *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return (x->block > y->block) - (x->block < y->block);
}

/* The first block at or after the address; `count` if there is none. */
static size_t flow_from(const struct code_flow *flow, uint64_t address) {
    size_t low = 0, high = flow->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (flow->blocks[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static size_t block_at(const struct code_flow *flow, uint64_t address) {
    const size_t found = flow_from(flow, address);
    return found < flow->count && flow->blocks[found].address == address ? found : FLOW_NOWHERE;
}

/* Finds what the block does, and its last instruction. Code that does not decode is reported elsewhere. */
static const struct decoded_instruction *code_graph_look_at(const struct code_block *code, uint32_t instruction_count,
                                                            struct flow_block *block) {
    static const struct decoded_instruction away = {.flow = FLOW_AWAY};
    block->innocent = true;
    for (uint32_t i = 0; i < code->count; i++) {
        const struct decoded_instruction *instruction = &code->instructions[i];
        block->pauses |= instruction->pauses;
        block->innocent &= instruction->effect.flop == 0 && instruction->effect.element_flop == 0 &&
                           instruction->effect.dynamic != DYNAMIC_REPEAT && !instruction->stores_outside;
    }
    return code->count > 0 && code->count == instruction_count ? &code->instructions[code->count - 1] : &away;
}

static void connect(const struct code_flow *flow, const struct decoded_instruction *last, struct flow_block *block) {
    const uint64_t target = block->end + (uint64_t)last->branch_bytes;
    const bool goes_on = last->flow == FLOW_NEXT || last->flow == FLOW_EITHER || last->flow == FLOW_CALL;
    const bool jumps = last->flow == FLOW_JUMP || last->flow == FLOW_EITHER;
    block->next[0] = goes_on ? block_at(flow, block->end) : FLOW_NOWHERE;
    block->next[1] = jumps ? block_at(flow, target) : FLOW_NOWHERE;
    block->calls = last->flow == FLOW_CALL && last->branch_bytes ? block_at(flow, target) : FLOW_NOWHERE;
    block->leaves = last->flow;
    block->returns = last->flow == FLOW_AWAY;
    block->jumps_unknown = block->returns && last->effect.class == CLASS_BRANCH;
    block->calls_any = last->flow == FLOW_CALL;
    block->calls_unknown = block->calls_any && last->branch_bytes == 0;
}

/* Executions of each counter in the whole program. */
static uint64_t *count_executions_of(const struct dump *dump) {
    uint64_t *executions = need_calloc(dump->header.counter_count + 1, sizeof *executions);
    for (size_t i = 0; i < dump->header.count_count; i++)
        for (size_t v = 0; dump->records[i].region == 0 && v < dump->records[i].value_count; v++) {
            const struct dump_value value = dump_value(&dump->records[i], v);
            executions[value.counter] += value.value;
        }
    return executions;
}

void flow_build(const struct dump *dump, const struct code_block *code, struct code_flow *out) {
    const size_t count = dump->header.block_count;
    uint64_t *executions = count_executions_of(dump);
    *out = (struct code_flow){count, need_calloc(count + 1, sizeof *out->blocks)};
    for (size_t i = 0; i < count; i++) {
        const struct dump_block block = dump_block(dump, i);
        out->blocks[i] = (struct flow_block){.address = block.address,
                                             .end = block.address + block.code_bytes,
                                             .block = i,
                                             .object = block.object,
                                             .executions = executions[block.counter]};
    }
    qsort(out->blocks, count, sizeof *out->blocks, by_address);
    for (size_t i = 0; i < count; i++) {
        struct flow_block *block = &out->blocks[i];
        const uint32_t instruction_count = dump_block(dump, block->block).instruction_count;
        connect(out, code_graph_look_at(&code[block->block], instruction_count, block), block);
    }
    free(executions);
}

void flow_free(struct code_flow *flow) {
    free(flow->blocks);
}

/* Conservation of flow. All that enters a piece leaves it. If one edge on a side is unknown, the others determine it.
 * If the known edges already add up to the piece's count, the unknown ones are zero. Repeated until nothing changes. */

enum flow_side { ENTERING, LEAVING, SIDES };

struct solving {
    struct code_graph *graph;
    size_t *first[SIDES]; /* by piece: its edges are by[side][first … next piece's first) */
    uint32_t *by[SIDES];  /* edges, sorted by the piece on that side */
    uint32_t *waiting;    /* piece × SIDES + side, still to be checked */
    bool *is_waiting;
    size_t waiting_count;
    bool *contradicts;
};

static uint32_t code_graph_end_of(const struct graph_edge *edge, enum flow_side side) {
    return side == ENTERING ? edge->to : edge->from;
}

static void sort_edges(struct solving *solving, enum flow_side side) {
    const struct code_graph *graph = solving->graph;
    size_t *first = solving->first[side] = need_calloc(graph->piece_count + 2, sizeof *first);
    solving->by[side] = need_calloc(graph->edge_count + 1, sizeof *solving->by[side]);
    for (size_t i = 0; i < graph->edge_count; i++)
        first[code_graph_end_of(&graph->edges[i], side) + 2]++;
    for (size_t i = 2; i < graph->piece_count + 2; i++)
        first[i] += first[i - 1];
    for (uint32_t i = 0; i < graph->edge_count; i++) /* first[p + 1] advances from p's first to the next one's */
        solving->by[side][first[code_graph_end_of(&graph->edges[i], side) + 1]++] = i;
}

static void code_graph_look_again(struct solving *solving, uint32_t piece, enum flow_side side) {
    const uint32_t place = piece * SIDES + side;
    if (solving->is_waiting[place])
        return;
    solving->is_waiting[place] = true;
    solving->waiting[solving->waiting_count++] = place;
}

static void set(struct solving *solving, struct graph_edge *edge, uint64_t count) {
    edge->count = count;
    edge->known = true;
    code_graph_look_again(solving, edge->from, LEAVING);
    code_graph_look_again(solving, edge->to, ENTERING);
}

static void look_at_edges(struct solving *solving, uint32_t index, enum flow_side side) {
    const struct graph_piece *piece = &solving->graph->pieces[index];
    const bool apart = side == ENTERING ? piece->entered_apart : piece->left_apart;
    uint64_t known = 0;
    size_t unknown_count = 0;
    const size_t first = solving->first[side][index], end = solving->first[side][index + 1];
    for (size_t i = first; i < end; i++) {
        const struct graph_edge *edge = &solving->graph->edges[solving->by[side][i]];
        known += edge->known ? edge->count : 0;
        unknown_count += !edge->known;
    }
    if (known > piece->executions || (unknown_count == 0 && !apart && known != piece->executions)) {
        solving->contradicts[index] = true;
        return;
    }
    const uint64_t rest = piece->executions - known;
    const bool told = rest == 0 || (unknown_count == 1 && !apart);
    for (size_t i = first; told && i < end; i++) {
        struct graph_edge *edge = &solving->graph->edges[solving->by[side][i]];
        if (!edge->known)
            set(solving, edge, rest);
    }
}

static uint32_t root_of(uint32_t *joined, uint32_t piece) {
    while (joined[piece] != piece)
        piece = joined[piece] = joined[joined[piece]];
    return piece;
}

/* An error in one piece may affect every piece that is connected with it. */
static void code_graph_spread(const struct code_graph *graph, bool *contradicts) {
    uint32_t *joined = need_calloc(graph->piece_count + 1, sizeof *joined);
    for (uint32_t i = 0; i < graph->piece_count; i++)
        joined[i] = i;
    for (size_t i = 0; i < graph->edge_count; i++)
        joined[root_of(joined, graph->edges[i].from)] = root_of(joined, graph->edges[i].to);
    for (uint32_t i = 0; i < graph->piece_count; i++)
        if (contradicts[i])
            contradicts[root_of(joined, i)] = true;
    for (uint32_t i = 0; i < graph->piece_count; i++)
        contradicts[i] = contradicts[root_of(joined, i)];
    free(joined);
}

void edge_counts_find(struct code_graph *graph, bool *contradicts) {
    struct solving solving = {.graph = graph, .contradicts = contradicts};
    const size_t places = graph->piece_count * SIDES;
    solving.waiting = need_calloc(places + 1, sizeof *solving.waiting);
    solving.is_waiting = need_calloc(places + 1, sizeof *solving.is_waiting);
    for (enum flow_side side = 0; side < SIDES; side++)
        sort_edges(&solving, side);
    for (uint32_t i = 0; i < graph->piece_count; i++)
        for (enum flow_side side = 0; side < SIDES; side++)
            code_graph_look_again(&solving, i, side);
    while (solving.waiting_count > 0) {
        const uint32_t place = solving.waiting[--solving.waiting_count];
        solving.is_waiting[place] = false;
        look_at_edges(&solving, place / SIDES, place % SIDES);
    }
    code_graph_spread(graph, contradicts);
    for (enum flow_side side = 0; side < SIDES; side++) {
        free(solving.first[side]);
        free(solving.by[side]);
    }
    free(solving.waiting);
    free(solving.is_waiting);
}
