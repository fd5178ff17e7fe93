/* SPDX-License-Identifier: BSD-3-Clause
 * Dominators, back edges, nesting (see code_graph.h). Dominators: Cooper, Harvey, Kennedy, "A simple, fast dominance
 * algorithm" (2001). All functions are handled at once, below a root that leads to each function's start. */
#include "code_graph.h"

#include <stdlib.h>
#include <string.h>

#include "probe/need.h"

/* The pieces in reverse postorder of a depth-first walk from the root, which has place 0. Only edges within
 * functions. */
struct ordered_graph {
    const struct code_graph *graph;
    size_t count;           /* used places: reachable pieces and the root */
    uint32_t *place;        /* by piece; LOOP_NONE: not reachable */
    uint32_t *piece;        /* by place */
    uint32_t *dominator;    /* by place: the place of its immediate dominator */
    size_t *next, *before;  /* by piece: its first edge; `before`: its first incoming edge in `edges_before` */
    uint32_t *edges_before; /* by `to` */
};

static bool is_inside(const struct code_graph *graph, const struct graph_edge *edge) {
    return graph->pieces[edge->from].function == graph->pieces[edge->to].function;
}

/* The graph's edges are sorted by source; `edges_before` sorts them by target. */
static void index_edges(struct ordered_graph *order) {
    const struct code_graph *graph = order->graph;
    order->next = need_calloc(graph->piece_count + 2, sizeof *order->next);
    order->before = need_calloc(graph->piece_count + 2, sizeof *order->before);
    order->edges_before = need_calloc(graph->edge_count + 1, sizeof *order->edges_before);
    for (size_t i = 0; i < graph->edge_count; i++) {
        order->next[graph->edges[i].from + 1]++;
        order->before[graph->edges[i].to + 2]++;
    }
    for (size_t i = 1; i < graph->piece_count + 2; i++) {
        order->next[i] += order->next[i - 1];
        order->before[i] += order->before[i - 1];
    }
    for (uint32_t i = 0; i < graph->edge_count; i++)
        order->edges_before[order->before[graph->edges[i].to + 1]++] = i;
}

/* A depth-first walk: the pieces seen, the next edge of each piece, and the path to the current piece. `left` lists the
 * pieces in postorder. */
struct graph_walk {
    bool *seen;
    size_t *at, left_count;
    uint32_t *stack, *left;
};

static void walk_from(const struct ordered_graph *order, uint32_t from, struct graph_walk *walk) {
    const struct code_graph *graph = order->graph;
    size_t depth = 0;
    if (walk->seen[from])
        return;
    walk->seen[from] = true;
    for (walk->stack[depth++] = from; depth > 0;) {
        const uint32_t here = walk->stack[depth - 1];
        if (walk->at[here] == order->next[here + 1]) {
            walk->left[walk->left_count++] = here;
            depth--;
            continue;
        }
        const struct graph_edge *edge = &graph->edges[walk->at[here]++];
        if (is_inside(graph, edge) && !walk->seen[edge->to]) {
            walk->seen[edge->to] = true;
            walk->stack[depth++] = edge->to;
        }
    }
}

static void find_places(struct ordered_graph *order) {
    const uint32_t count = (uint32_t)order->graph->piece_count;
    struct graph_walk walk = {.seen = need_calloc(count + 1, sizeof *walk.seen),
                              .at = need_calloc(count + 1, sizeof *walk.at),
                              .stack = need_calloc(count + 1, sizeof *walk.stack),
                              .left = need_calloc(count + 1, sizeof *walk.left)};
    memcpy(walk.at, order->next, count * sizeof *walk.at);
    order->place = need_calloc(count + 1, sizeof *order->place);
    order->piece = need_calloc(count + 1, sizeof *order->piece);
    for (uint32_t i = 0; i < count; i++) {
        order->place[i] = LOOP_NONE;
        if (order->graph->pieces[i].starts)
            walk_from(order, i, &walk);
    }
    order->count = walk.left_count + 1;
    for (size_t i = 0; i < walk.left_count; i++) {
        order->piece[walk.left_count - i] = walk.left[i];
        order->place[walk.left[i]] = (uint32_t)(walk.left_count - i);
    }
    free(walk.seen);
    free(walk.at);
    free(walk.stack);
    free(walk.left);
}

static uint32_t common_dominator(const uint32_t *dominator, uint32_t a, uint32_t b) {
    while (a != b)
        if (a > b)
            a = dominator[a];
        else
            b = dominator[b];
    return a;
}

/* The closest dominator as far as dominators are known; LOOP_NONE: unknown. */
static uint32_t dominator_of(const struct ordered_graph *order, uint32_t place) {
    const uint32_t piece = order->piece[place];
    uint32_t found = order->graph->pieces[piece].starts ? 0 : LOOP_NONE;
    for (size_t i = order->before[piece]; i < order->before[piece + 1]; i++) {
        const struct graph_edge *edge = &order->graph->edges[order->edges_before[i]];
        const uint32_t from = order->place[edge->from];
        if (!is_inside(order->graph, edge) || from == LOOP_NONE || order->dominator[from] == LOOP_NONE)
            continue;
        found = found == LOOP_NONE ? from : common_dominator(order->dominator, found, from);
    }
    return found;
}

static void find_dominators(struct ordered_graph *order) {
    order->dominator = need_calloc(order->count, sizeof *order->dominator);
    for (size_t i = 1; i < order->count; i++)
        order->dominator[i] = LOOP_NONE;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 1; i < order->count; i++) {
            const uint32_t dominator = dominator_of(order, i);
            more |= dominator != order->dominator[i];
            order->dominator[i] = dominator;
        }
    }
}

static bool dominates(const struct ordered_graph *order, uint32_t above, uint32_t place) {
    while (place > above)
        place = order->dominator[place];
    return place == above;
}

static uint32_t outermost(const struct natural_loops *loops, uint32_t loop) {
    while (loop != LOOP_NONE && loops->loops[loop].parent != LOOP_NONE)
        loop = loops->loops[loop].parent;
    return loop;
}

/* The predecessors of a piece in the loop are in the loop, too. */
static void add_before(const struct ordered_graph *order, uint32_t piece, uint32_t *stack, size_t *depth) {
    for (size_t i = order->before[piece]; i < order->before[piece + 1]; i++) {
        const struct graph_edge *edge = &order->graph->edges[order->edges_before[i]];
        if (is_inside(order->graph, edge) && order->place[edge->from] != LOOP_NONE)
            stack[(*depth)++] = edge->from;
    }
}

/* Collects the loop's pieces, from those on the stack back to the header. Loops that were found earlier are inner
 * ones. */
static void fill_loop(const struct ordered_graph *order, uint32_t loop, uint32_t *stack, size_t depth,
                      struct natural_loops *loops) {
    const uint32_t header = loops->loops[loop].header;
    loops->innermost[header] = loop;
    while (depth > 0) {
        const uint32_t piece = stack[--depth], inner = outermost(loops, loops->innermost[piece]);
        if (inner == loop)
            continue;
        if (inner == LOOP_NONE)
            loops->innermost[piece] = loop;
        else
            loops->loops[inner].parent = loop;
        add_before(order, inner == LOOP_NONE ? piece : loops->loops[inner].header, stack, &depth);
    }
}

/* Pushes the sources of the back edges to a header. */
static size_t find_ways_back(const struct ordered_graph *order, uint32_t header, uint32_t *stack,
                             struct natural_loops *loops) {
    const uint32_t place = order->place[header];
    size_t count = 0, irreducible = 0;
    for (size_t i = order->before[header]; i < order->before[header + 1]; i++) {
        const struct graph_edge *edge = &order->graph->edges[order->edges_before[i]];
        const uint32_t from = order->place[edge->from];
        if (!is_inside(order->graph, edge) || from == LOOP_NONE || from < place)
            continue;
        if (dominates(order, place, from))
            stack[count++] = edge->from;
        else
            irreducible++;
    }
    loops->irreducible_count += irreducible;
    if (irreducible > 0)
        loops->irreducible_turns += order->graph->pieces[header].executions;
    return count;
}

/* From the last place to the first: inner loops come before outer ones. */
static void find_loops(const struct ordered_graph *order, struct natural_loops *loops) {
    /* An edge is pushed once at most as a back edge, for a piece, and for an inner loop's header. */
    uint32_t *stack = need_calloc(3 * order->graph->edge_count + 1, sizeof *stack);
    for (size_t place = order->count; place-- > 1;) {
        const uint32_t header = order->piece[place];
        const size_t depth = find_ways_back(order, header, stack, loops);
        if (depth == 0)
            continue;
        const uint32_t loop = (uint32_t)loops->count++;
        loops->loops[loop] = (struct natural_loop){
            .header = header, .parent = LOOP_NONE, .iterations = order->graph->pieces[header].executions};
        fill_loop(order, loop, stack, depth, loops);
    }
    free(stack);
}

/* Puts outer loops first. */
static void turn_round(const struct code_graph *graph, struct natural_loops *loops) {
    const uint32_t last = (uint32_t)loops->count - 1;
    for (size_t i = 0; i < loops->count / 2; i++) {
        const struct natural_loop other = loops->loops[i];
        loops->loops[i] = loops->loops[last - i];
        loops->loops[last - i] = other;
    }
    for (size_t i = 0; i < graph->piece_count; i++)
        if (loops->innermost[i] != LOOP_NONE)
            loops->innermost[i] = last - loops->innermost[i];
    for (size_t i = 0; i < loops->count; i++) {
        struct natural_loop *loop = &loops->loops[i];
        loop->parent = loop->parent != LOOP_NONE ? last - loop->parent : LOOP_NONE;
        loop->depth = loop->parent != LOOP_NONE ? loops->loops[loop->parent].depth + 1 : 1;
    }
}

/* From the edges into the loop, or from its back edges. */
static void find_entries(const struct ordered_graph *order, uint32_t index, struct natural_loops *loops) {
    struct natural_loop *loop = &loops->loops[index];
    uint64_t in = 0, back = 0;
    bool in_known = !order->graph->pieces[loop->header].entered_apart, back_known = true;
    for (size_t i = order->before[loop->header]; i < order->before[loop->header + 1]; i++) {
        const struct graph_edge *edge = &order->graph->edges[order->edges_before[i]];
        const bool is_back = loops_contain(loops, index, edge->from);
        *(is_back ? &back : &in) += edge->count;
        *(is_back ? &back_known : &in_known) &= edge->known;
    }
    loop->entries_known = (in_known || back_known) && (in_known ? in : back) <= loop->iterations;
    loop->entries = in_known ? in : loop->iterations - back;
}

bool loops_contain(const struct natural_loops *loops, uint32_t loop, uint32_t piece) {
    uint32_t inner = loops->innermost[piece];
    while (inner != LOOP_NONE && inner != loop)
        inner = loops->loops[inner].parent;
    return inner == loop;
}

void loops_find(const struct code_graph *graph, const bool *contradicts, struct natural_loops *out) {
    struct ordered_graph order = {.graph = graph};
    *out = (struct natural_loops){.loops = need_calloc(graph->piece_count + 1, sizeof *out->loops),
                                  .innermost = need_calloc(graph->piece_count + 1, sizeof *out->innermost)};
    for (size_t i = 0; i < graph->piece_count; i++)
        out->innermost[i] = LOOP_NONE;
    index_edges(&order);
    find_places(&order);
    find_dominators(&order);
    find_loops(&order, out);
    turn_round(graph, out);
    for (uint32_t i = 0; i < out->count; i++) {
        find_entries(&order, i, out);
        if (contradicts[out->loops[i].header])
            out->loops[i].entries_known = false;
    }
    free(order.place);
    free(order.piece);
    free(order.dominator);
    free(order.next);
    free(order.before);
    free(order.edges_before);
}

void loops_free(struct natural_loops *loops) {
    free(loops->loops);
    free(loops->innermost);
}
