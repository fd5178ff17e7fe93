/* SPDX-License-Identifier: BSD-3-Clause
 * Loops that wait (see waiting.h), found in the blocks that ran and the branches between them. */
#include "waiting.h"

#include <stdlib.h>
#include <string.h>

#include "asm/instruction.h"
#include "probe/need.h"

enum { MOST_BLOCKS = 256, WAYS = 2 }; /* of one loop; on from a block */
static const size_t NOWHERE = (size_t)-1;
static const double NEARLY_ALL = 0.9;

struct node {
    uint64_t address;
    size_t block; /* of the dump */
    uint32_t object;
    uint64_t executions;
    size_t next[WAYS]; /* nodes that it leads to; NOWHERE */
    size_t calls;      /* the node that it calls at its end; NOWHERE */
    bool pauses;
    bool returns;       /* or leads where nobody knows */
    bool calls_unknown; /* through a register or memory */
    bool calls_any;
    bool innocent; /* it neither computes nor stores where others see it */
};
struct graph {
    size_t count;
    struct node *nodes; /* by rising address */
};

static int by_address(const void *a, const void *b) {
    const struct node *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return (x->block > y->block) - (x->block < y->block);
}

static size_t node_at(const struct graph *graph, uint64_t address) {
    size_t low = 0, high = graph->count;
    while (low < high) { /* the first at or behind it */
        size_t middle = low + (high - low) / 2;
        if (graph->nodes[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < graph->count && graph->nodes[low].address == address ? low : NOWHERE;
}

/* What the block does, and its last instruction. Code that doesn't decode is found out later. */
static struct decoded_instruction look_at(const struct dump_block *block, const uint8_t *code, struct node *node) {
    struct decoded_instruction instruction = {.flow = FLOW_AWAY};
    node->innocent = true;
    for (uint32_t i = 0, at = 0; i < block->instruction_count && at < block->code_bytes; i++) {
        if (!instruction_decode(code + at, block->code_bytes - at, &instruction))
            return (struct decoded_instruction){.flow = FLOW_AWAY};
        at += instruction.length_bytes;
        node->pauses |= instruction.pauses;
        node->innocent &= instruction.effect.flop == 0 && instruction.effect.element_flop == 0 &&
                          instruction.effect.dynamic != DYNAMIC_REPEAT && !instruction.stores_outside;
    }
    return instruction;
}

static void connect(const struct graph *graph, const struct decoded_instruction *last, uint64_t end,
                    struct node *node) {
    const uint64_t target = end + (uint64_t)last->branch_bytes;
    const bool goes_on = last->flow == FLOW_NEXT || last->flow == FLOW_EITHER || last->flow == FLOW_CALL;
    const bool jumps = last->flow == FLOW_JUMP || last->flow == FLOW_EITHER;
    node->next[0] = goes_on ? node_at(graph, end) : NOWHERE;
    node->next[1] = jumps ? node_at(graph, target) : NOWHERE;
    node->calls = last->flow == FLOW_CALL && last->branch_bytes ? node_at(graph, target) : NOWHERE;
    node->returns = last->flow == FLOW_AWAY;
    node->calls_any = last->flow == FLOW_CALL;
    node->calls_unknown = node->calls_any && last->branch_bytes == 0;
}

/* Of each counter, in the whole program. */
static uint64_t *count_executions_of(const struct dump *dump) {
    uint64_t *executions = need_calloc(dump->header.counter_count + 1, sizeof *executions);
    for (size_t i = 0; i < dump->header.count_count; i++)
        for (size_t v = 0; dump->records[i].region == 0 && v < dump->records[i].value_count; v++) {
            const struct dump_value value = dump_value(&dump->records[i], v);
            executions[value.counter] += value.value;
        }
    return executions;
}

static void build(const struct dump *dump, struct graph *graph) {
    const size_t count = graph->count = dump->header.block_count;
    const uint8_t **code = need_calloc(count + 1, sizeof *code), *at = dump->code;
    uint64_t *executions = count_executions_of(dump);
    graph->nodes = need_calloc(count + 1, sizeof *graph->nodes);
    for (size_t i = 0; i < count; i++) {
        const struct dump_block block = dump_block(dump, i);
        graph->nodes[i] = (struct node){
            .address = block.address, .block = i, .object = block.object, .executions = executions[block.counter]};
        code[i] = at;
        at += block.code_bytes;
    }
    qsort(graph->nodes, count, sizeof *graph->nodes, by_address);
    for (size_t i = 0; i < count; i++) {
        struct node *node = &graph->nodes[i];
        const struct dump_block block = dump_block(dump, node->block);
        const struct decoded_instruction last = look_at(&block, code[node->block], node);
        connect(graph, &last, block.address + block.code_bytes, node);
    }
    free(code);
    free(executions);
}

/* A function that does nothing but pause: who calls it pauses. */
static void pass_on_pauses(struct graph *graph) {
    for (size_t i = 0; i < graph->count; i++) {
        const size_t callee = graph->nodes[i].calls;
        if (callee != NOWHERE && graph->nodes[callee].pauses && graph->nodes[callee].returns)
            graph->nodes[i].pauses = true;
    }
}

/* The innocent blocks that one leads to, in the order in which they were found. */
struct loop_reach {
    size_t count;
    size_t nodes[MOST_BLOCKS];
};

static void add(const struct graph *graph, size_t node, struct loop_reach *reach) {
    if (node == NOWHERE || !graph->nodes[node].innocent || reach->count == MOST_BLOCKS)
        return;
    for (size_t i = 0; i < reach->count; i++)
        if (reach->nodes[i] == node)
            return;
    reach->nodes[reach->count++] = node;
}

/* Marks those of the reach that lead back to the first: again and again, until none is added. */
static void mark_ways_back(const struct graph *graph, const struct loop_reach *reach, size_t first, bool *waits) {
    bool back[MOST_BLOCKS] = {false};
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < reach->count; i++)
            for (size_t way = 0; way < WAYS && !back[i]; way++) {
                const size_t next = graph->nodes[reach->nodes[i]].next[way];
                back[i] = next == first;
                for (size_t j = 0; j < reach->count && !back[i]; j++)
                    back[i] = back[j] && reach->nodes[j] == next;
                more |= back[i];
            }
    }
    for (size_t i = 0; i < reach->count; i++)
        if (back[i])
            waits[graph->nodes[reach->nodes[i]].block] = true;
}

static void mark_loop(const struct graph *graph, size_t first, bool *waits) {
    struct loop_reach reach = {.count = 0};
    for (size_t way = 0; way < WAYS; way++)
        add(graph, graph->nodes[first].next[way], &reach);
    for (size_t i = 0; i < reach.count; i++)
        for (size_t way = 0; way < WAYS; way++)
            add(graph, graph->nodes[reach.nodes[i]].next[way], &reach);
    mark_ways_back(graph, &reach, first, waits);
}

/* The blocks of a function that calls none, from its first one on; false where it does more than look. */
static bool is_look(const struct graph *graph, size_t first, struct loop_reach *reach) {
    reach->count = 0;
    add(graph, first, reach);
    for (size_t i = 0; i < reach->count; i++) {
        const struct node *node = &graph->nodes[reach->nodes[i]];
        if (node->calls_any)
            return false;
        for (size_t way = 0; way < WAYS; way++) {
            const size_t next = node->next[way];
            if (next != NOWHERE && !graph->nodes[next].innocent)
                return false;
            add(graph, next, reach);
        }
    }
    return reach->count > 0 && reach->count < MOST_BLOCKS;
}

/* The library of an OpenMP runtime: what it calls through tables while it waits is its own. */
static bool is_openmp(const struct dump *dump, uint32_t object) {
    const struct dump_object from = dump_object(dump, object);
    return strstr(from.path, "/libomp") != NULL || strstr(from.path, "/libiomp") != NULL ||
           strstr(from.path, "/libgomp") != NULL;
}

/* How often functions are called by loops that wait. */
struct waiting_calls {
    uint64_t *of;     /* each node */
    bool *reached;    /* by a branch or a call whose target is known */
    uint64_t unknown; /* from OpenMP's loops, to targets that aren't known */
};

static struct waiting_calls count_calls(const struct dump *dump, const struct graph *graph, const bool *waits) {
    struct waiting_calls calls = {.of = need_calloc(graph->count + 1, sizeof *calls.of),
                                  .reached = need_calloc(graph->count + 1, sizeof *calls.reached)};
    for (size_t i = 0; i < graph->count; i++) {
        const struct node *node = &graph->nodes[i];
        const uint64_t waiting = waits[node->block] ? node->executions : 0;
        const size_t to[] = {node->next[0], node->next[1], node->calls};
        for (size_t t = 0; t < sizeof to / sizeof to[0]; t++)
            if (to[t] != NOWHERE)
                calls.reached[to[t]] = true;
        if (node->calls != NOWHERE)
            calls.of[node->calls] += waiting;
        else if (node->calls_unknown && is_openmp(dump, node->object))
            calls.unknown += waiting;
    }
    return calls;
}

/* Functions that look whether to go on waiting: nearly all of their calls come from loops that wait. */
static void mark_looks(const struct dump *dump, const struct graph *graph, bool *waits) {
    struct waiting_calls calls = count_calls(dump, graph, waits);
    struct loop_reach reach;
    for (size_t i = 0; i < graph->count; i++) {
        const struct node *node = &graph->nodes[i];
        const bool by_table = !calls.reached[i] && calls.unknown > 0 && is_openmp(dump, node->object);
        const double waiting = (double)(by_table ? calls.unknown : calls.of[i]);
        if (waiting == 0 || waiting < NEARLY_ALL * (double)node->executions || !is_look(graph, i, &reach))
            continue;
        for (size_t b = 0; b < reach.count; b++)
            waits[graph->nodes[reach.nodes[b]].block] = true;
    }
    free(calls.of);
    free(calls.reached);
}

void waiting_find(const struct dump *dump, bool *waits) {
    struct graph graph;
    build(dump, &graph);
    pass_on_pauses(&graph);
    for (size_t i = 0; i < graph.count; i++)
        if (graph.nodes[i].pauses && graph.nodes[i].innocent) {
            waits[graph.nodes[i].block] = true;
            mark_loop(&graph, i, waits);
        }
    mark_looks(dump, &graph, waits);
    free(graph.nodes);
}
