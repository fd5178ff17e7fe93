/* SPDX-License-Identifier: BSD-3-Clause
 * Loops that wait (see waiting.h), found in the blocks that ran and the branches between them. */
#include "waiting.h"

#include <stdlib.h>
#include <string.h>

#include "code_graph.h"
#include "probe/need.h"

enum { MOST_BLOCKS = 256 }; /* of one loop */
static const double NEARLY_ALL = 0.9;

/* A function that does nothing but pause: who calls it pauses. */
static void pass_on_pauses(struct code_flow *flow) {
    for (size_t i = 0; i < flow->count; i++) {
        const size_t callee = flow->blocks[i].calls;
        if (callee != FLOW_NOWHERE && flow->blocks[callee].pauses && flow->blocks[callee].returns)
            flow->blocks[i].pauses = true;
    }
}

/* The innocent blocks that one leads to, in the order in which they were found. */
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

/* Marks those of the reach that lead back to the first: again and again, until none is added. */
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

/* The blocks of a function that calls none, from its first one on; false where it does more than look. */
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

/* Functions that look whether to go on waiting: nearly all of their calls come from loops that wait. */
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
