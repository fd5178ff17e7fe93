/* SPDX-License-Identifier: BSD-3-Clause
 * Conservation of flow (see edge_counts.h): a side of a piece, what enters or what leaves it, of which all edges but
 * one are known tells that one; where the known ones are all that there is, the others are zero. Again and again, until
 * no side tells anything new. */
#include "edge_counts.h"

#include <stdlib.h>

#include "probe/need.h"

enum flow_side { ENTERING, LEAVING, SIDES };

struct solving {
    struct code_graph *graph;
    size_t *first[SIDES]; /* of each piece: its edges are by[side][first … next one's first) */
    uint32_t *by[SIDES];  /* edges, sorted by the piece on that side */
    uint32_t *waiting;    /* piece × SIDES + side, to be looked at */
    bool *is_waiting;
    size_t waiting_count;
    bool *contradicts;
};

static uint32_t end_of(const struct graph_edge *edge, enum flow_side side) {
    return side == ENTERING ? edge->to : edge->from;
}

static void sort_edges(struct solving *solving, enum flow_side side) {
    const struct code_graph *graph = solving->graph;
    size_t *first = solving->first[side] = need_calloc(graph->piece_count + 2, sizeof *first);
    solving->by[side] = need_calloc(graph->edge_count + 1, sizeof *solving->by[side]);
    for (size_t i = 0; i < graph->edge_count; i++)
        first[end_of(&graph->edges[i], side) + 2]++;
    for (size_t i = 2; i < graph->piece_count + 2; i++)
        first[i] += first[i - 1];
    for (uint32_t i = 0; i < graph->edge_count; i++) /* first[p + 1] runs from p's first to the next one's */
        solving->by[side][first[end_of(&graph->edges[i], side) + 1]++] = i;
}

static void look_again(struct solving *solving, uint32_t piece, enum flow_side side) {
    const uint32_t place = piece * SIDES + side;
    if (solving->is_waiting[place])
        return;
    solving->is_waiting[place] = true;
    solving->waiting[solving->waiting_count++] = place;
}

static void set(struct solving *solving, struct graph_edge *edge, uint64_t count) {
    edge->count = count;
    edge->known = true;
    look_again(solving, edge->from, LEAVING);
    look_again(solving, edge->to, ENTERING);
}

static void look_at(struct solving *solving, uint32_t index, enum flow_side side) {
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

/* What one piece has wrong may be wrong wherever ways lead from there, or to it. */
static void spread(const struct code_graph *graph, bool *contradicts) {
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
            look_again(&solving, i, side);
    while (solving.waiting_count > 0) {
        const uint32_t place = solving.waiting[--solving.waiting_count];
        solving.is_waiting[place] = false;
        look_at(&solving, place / SIDES, place % SIDES);
    }
    spread(graph, contradicts);
    for (enum flow_side side = 0; side < SIDES; side++) {
        free(solving.first[side]);
        free(solving.by[side]);
    }
    free(solving.waiting);
    free(solving.is_waiting);
}
