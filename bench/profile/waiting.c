/* SPDX-License-Identifier: BSD-3-Clause
 * Finds waiting loops (see code_graph.h) in the executed blocks and the branches between them. */

#include <stdlib.h>
#include <string.h>

#include "code_graph.h"
#include "probe/need.h"

enum { MOST_BLOCKS = 256 }; /* of one loop */
static const double NEARLY_ALL = 0.9;

/* A call of a function that does nothing but pause is a pause. */
static void pass_on_pauses(struct code_flow *flow) {
    for (size_t i = 0; i < flow->count; i++) {
        const size_t callee = flow->blocks[i].calls;
        if (callee != FLOW_NOWHERE && flow->blocks[callee].pauses && flow->blocks[callee].returns)
            flow->blocks[i].pauses = true;
    }
}

/* The innocent blocks that can be reached from a block, in the order of discovery. */
struct loop_reach {
    size_t count;
    size_t nodes[MOST_BLOCKS];
};

static void add(const struct code_flow *flow, size_t node, struct loop_reach *reach) {
    if (node == FLOW_NOWHERE || !flow->blocks[node].innocent || reach->count == MOST_BLOCKS)
        return;
    for (size_t i = 0; i < reach->count; i++)
        if (reach->nodes[i] == node)
            return;
    reach->nodes[reach->count++] = node;
}

/* Marks the blocks of the reach with a path back to the first. Repeated until none is added. */
static void mark_ways_back(const struct code_flow *flow, const struct loop_reach *reach, size_t first, bool *waits) {
    bool back[MOST_BLOCKS] = {false};
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < reach->count; i++)
            for (size_t way = 0; way < FLOW_WAYS && !back[i]; way++) {
                const size_t next = flow->blocks[reach->nodes[i]].next[way];
                back[i] = next == first;
                for (size_t j = 0; j < reach->count && !back[i]; j++)
                    back[i] = back[j] && reach->nodes[j] == next;
                more |= back[i];
            }
    }
    for (size_t i = 0; i < reach->count; i++)
        if (back[i])
            waits[flow->blocks[reach->nodes[i]].block] = true;
}

static void mark_loop(const struct code_flow *flow, size_t first, bool *waits) {
    struct loop_reach reach = {.count = 0};
    for (size_t way = 0; way < FLOW_WAYS; way++)
        add(flow, flow->blocks[first].next[way], &reach);
    for (size_t i = 0; i < reach.count; i++)
        for (size_t way = 0; way < FLOW_WAYS; way++)
            add(flow, flow->blocks[reach.nodes[i]].next[way], &reach);
    mark_ways_back(flow, &reach, first, waits);
}

/* The blocks of a function, from its first one on; false if it calls a function, computes or stores. */
static bool is_look(const struct code_flow *flow, size_t first, struct loop_reach *reach) {
    reach->count = 0;
    add(flow, first, reach);
    for (size_t i = 0; i < reach->count; i++) {
        const struct flow_block *node = &flow->blocks[reach->nodes[i]];
        if (node->calls_any)
            return false;
        for (size_t way = 0; way < FLOW_WAYS; way++) {
            const size_t next = node->next[way];
            if (next != FLOW_NOWHERE && !flow->blocks[next].innocent)
                return false;
            add(flow, next, reach);
        }
    }
    return reach->count > 0 && reach->count < MOST_BLOCKS;
}

/* Whether this is an OpenMP runtime's library. Its calls through tables while it waits are its own. */
static bool is_openmp(const struct dump *dump, uint32_t object) {
    const struct dump_object from = dump_object(dump, object);
    return strstr(from.path, "/libomp") != NULL || strstr(from.path, "/libiomp") != NULL ||
           strstr(from.path, "/libgomp") != NULL;
}

/* How often waiting loops call each function. */
struct waiting_calls {
    uint64_t *of;     /* by block */
    bool *reached;    /* by block: a branch or a call with a known target leads to it */
    uint64_t unknown; /* calls from OpenMP's loops with unknown targets */
};

static struct waiting_calls count_calls(const struct dump *dump, const struct code_flow *flow, const bool *waits) {
    struct waiting_calls calls = {.of = need_calloc(flow->count + 1, sizeof *calls.of),
                                  .reached = need_calloc(flow->count + 1, sizeof *calls.reached)};
    for (size_t i = 0; i < flow->count; i++) {
        const struct flow_block *node = &flow->blocks[i];
        const uint64_t waiting = waits[node->block] ? node->executions : 0;
        const size_t to[] = {node->next[0], node->next[1], node->calls};
        for (size_t t = 0; t < sizeof to / sizeof to[0]; t++)
            if (to[t] != FLOW_NOWHERE)
                calls.reached[to[t]] = true;
        if (node->calls != FLOW_NOWHERE)
            calls.of[node->calls] += waiting;
        else if (node->calls_unknown && is_openmp(dump, node->object))
            calls.unknown += waiting;
    }
    return calls;
}

/* Marks functions that test whether to go on waiting: nearly all of their calls are from waiting loops. */
static void mark_looks(const struct dump *dump, const struct code_flow *flow, bool *waits) {
    struct waiting_calls calls = count_calls(dump, flow, waits);
    struct loop_reach reach;
    for (size_t i = 0; i < flow->count; i++) {
        const struct flow_block *node = &flow->blocks[i];
        const bool by_table = !calls.reached[i] && calls.unknown > 0 && is_openmp(dump, node->object);
        const double waiting = (double)(by_table ? calls.unknown : calls.of[i]);
        if (waiting == 0 || waiting < NEARLY_ALL * (double)node->executions || !is_look(flow, i, &reach))
            continue;
        for (size_t b = 0; b < reach.count; b++)
            waits[flow->blocks[reach.nodes[b]].block] = true;
    }
    free(calls.of);
    free(calls.reached);
}

void waiting_find(const struct dump *dump, const struct code_block *code, bool *waits) {
    struct code_flow flow;
    flow_build(dump, code, &flow);
    pass_on_pauses(&flow);
    for (size_t i = 0; i < flow.count; i++)
        if (flow.blocks[i].pauses && flow.blocks[i].innocent) {
            waits[flow.blocks[i].block] = true;
            mark_loop(&flow, i, waits);
        }
    mark_looks(dump, &flow, waits);
    flow_free(&flow);
}
