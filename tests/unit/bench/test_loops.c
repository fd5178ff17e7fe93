/* SPDX-License-Identifier: BSD-3-Clause
 * Loops of made-up graphs with known answers: nesting, cycles that are not loops, and numbers of entries; and the graph
 * of blocks of machine code that never runs, with made-up executions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bench/profile/code_graph.h"

enum { MOST = 16, APART = -1 }; /* APART: it leaves to an unknown target */

/* One function of this many pieces; each leads to at most two others (0 or less: to none). It begins with the first. */
struct made_up {
    uint64_t executions[MOST];
    int next[MOST][2];
};

static void find(const struct made_up *from, struct graph_piece *pieces, struct graph_edge *edges,
                 struct code_graph *graph, struct natural_loops *loops) {
    bool contradicts[MOST] = {false};
    *graph = (struct code_graph){.pieces = pieces, .edges = edges};
    for (uint32_t i = 0; i < MOST && from->executions[i] > 0; i++) {
        pieces[graph->piece_count++] = (struct graph_piece){
            .address = i, .executions = from->executions[i], .starts = i == 0, .entered_apart = i == 0};
        for (unsigned way = 0; way < 2; way++)
            if (from->next[i][way] > 0)
                edges[graph->edge_count++] = (struct graph_edge){.from = i, .to = (uint32_t)from->next[i][way]};
            else if (from->next[i][way] == APART)
                pieces[i].left_apart = true;
    }
    edge_counts_find(graph, contradicts);
    loops_find(graph, contradicts, loops);
}

struct known_loop {
    uint32_t header, parent; /* parent: index */
    unsigned depth;
    uint64_t iterations;
    long entries; /* -1: unknown */
};

static void assert_loops(const struct made_up *from, size_t count, const struct known_loop *known, size_t irreducible) {
    struct graph_piece pieces[MOST];
    struct graph_edge edges[2 * MOST];
    struct code_graph graph;
    struct natural_loops loops;
    find(from, pieces, edges, &graph, &loops);
    assert_int_equal(loops.count, count);
    assert_int_equal(loops.irreducible_count, irreducible);
    assert_int_equal(loops.irreducible_turns, 50 * irreducible);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(loops.loops[i].header, known[i].header);
        assert_int_equal(loops.loops[i].parent, known[i].parent);
        assert_int_equal(loops.loops[i].depth, known[i].depth);
        assert_int_equal(loops.loops[i].iterations, known[i].iterations);
        assert_int_equal(loops.loops[i].entries_known, known[i].entries >= 0);
        if (known[i].entries >= 0)
            assert_int_equal(loops.loops[i].entries, known[i].entries);
    }
    loops_free(&loops);
}

/* 0 → 1 → 2 → 3 ⟲, 3 → 4 → 2 or 5 → 1 or 6: three nested loops, each with its own end. */
static void nested(void **state) {
    (void)state;
    const struct made_up triple = {{1, 10, 100, 1000, 100, 10, 1}, {{1}, {2}, {3}, {3, 4}, {2, 5}, {1, 6}, {APART}}};
    const struct known_loop known[] = {{1, LOOP_NONE, 1, 10, 1}, {2, 0, 2, 100, 10}, {3, 1, 3, 1000, 100}};
    assert_loops(&triple, 3, known, 0);
}

static void one_after_the_other(void **state) {
    (void)state;
    const struct made_up two = {{2, 20, 2, 60, 2}, {{1}, {1, 2}, {3}, {3, 4}, {APART}}};
    const struct known_loop known[] = {{1, LOOP_NONE, 1, 20, 2}, {3, LOOP_NONE, 1, 60, 2}};
    assert_loops(&two, 2, known, 0);
}

/* `continue`: two ways back to one header are one loop. */
static void two_ways_back(void **state) {
    (void)state;
    const struct made_up loop = {{3, 90, 60, 30, 3}, {{1}, {2, 3}, {1, 4}, {1}, {APART}}};
    const struct known_loop known[] = {{1, LOOP_NONE, 1, 90, 3}};
    assert_loops(&loop, 1, known, 0);
}

/* It calls something that may not return. */
static void with_a_call(void **state) {
    (void)state;
    const struct made_up loop = {{3, 90, 90, 3}, {{1}, {2, APART}, {1, 3}, {APART}}};
    const struct known_loop known[] = {{1, LOOP_NONE, 1, 90, 3}};
    assert_loops(&loop, 1, known, 0);
}

/* 1 and 2 lead to each other, and 0 leads to both. */
static void entered_in_two_places(void **state) {
    (void)state;
    const struct made_up round = {{2, 50, 50, 2}, {{1, 2}, {2, 3}, {1}, {APART}}};
    assert_loops(&round, 0, NULL, 1);
    /* within a loop with one entry */
    const struct made_up within = {{1, 5, 50, 50, 5, 1}, {{1}, {2, 3}, {3, 4}, {2}, {1, 5}, {APART}}};
    const struct known_loop known[] = {{1, LOOP_NONE, 1, 5, 1}};
    assert_loops(&within, 1, known, 1);
}

/* These counts do not show whether the loop was skipped or entered; contradictory counts do not, either. */
static void entries_that_are_not_known(void **state) {
    (void)state;
    const struct made_up skipped = {{10, 50, 10}, {{1, 2}, {1, 2}, {APART}}};
    const struct known_loop known[] = {{1, LOOP_NONE, 1, 50, -1}};
    assert_loops(&skipped, 1, known, 0);
    const struct made_up wrong = {{3, 90, 90, 7}, {{1}, {2}, {1, 3}, {APART}}};
    const struct known_loop of_wrong[] = {{1, LOOP_NONE, 1, 90, -1}};
    assert_loops(&wrong, 1, of_wrong, 0);
}

static void what_is_in_a_loop(void **state) {
    (void)state;
    const struct made_up loop = {{1, 10, 100, 10, 1}, {{1}, {2}, {2, 3}, {1, 4}, {APART}}};
    struct graph_piece pieces[MOST];
    struct graph_edge edges[2 * MOST];
    struct code_graph graph;
    struct natural_loops loops;
    find(&loop, pieces, edges, &graph, &loops);
    static const uint32_t innermost[] = {LOOP_NONE, 0, 1, 0, LOOP_NONE};
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(loops.innermost[i], innermost[i]);
        assert_int_equal(loops_contain(&loops, 0, i), innermost[i] != LOOP_NONE);
    }
    loops_free(&loops);
}

/* A loop of two pieces that is skipped or entered. After it, a jump through a register leads to one of two cases, and
 * from there to the function's cold part. Its first round is part of the block before it. */
__asm__(".pushsection .text\n"
        "l_cold: nop\n jmp l_end\n"
        "l_begin: test %eax, %eax\n je l_end\n"
        "l_first: xor %ecx, %ecx\n"
        "l_loop: inc %ecx\n test %ebx, %ebx\n je l_latch\n"
        "l_rare: inc %edx\n"
        "l_latch: cmp %eax, %ecx\n jl l_loop\n"
        "l_choose: jmp *%rdi\n"
        "l_case: nop\n jmp l_end\n"
        "l_other: nop\n jmp l_cold\n"
        "l_end: ret\n"
        "l_out:\n"
        ".popsection\n");
extern const uint8_t l_cold[], l_begin[], l_first[], l_loop[], l_rare[], l_latch[], l_choose[], l_case[], l_other[],
    l_end[], l_out[];

static void pieces_of_blocks(void **state) {
    (void)state;
    static const struct {
        const uint8_t *from, *to;
        uint32_t instructions, function;
        uint64_t executions;
    } rows[] = {
        {l_cold, l_begin, 2, 1, 2},  {l_begin, l_first, 2, 0, 10}, {l_first, l_rare, 4, 0, 7},
        {l_loop, l_rare, 3, 0, 63},  {l_rare, l_choose, 3, 0, 20}, {l_latch, l_choose, 2, 0, 50},
        {l_choose, l_case, 1, 0, 7}, {l_case, l_other, 2, 0, 5},   {l_other, l_end, 2, 0, 2},
        {l_end, l_out, 1, 0, 10},
    };
    enum { BLOCKS = sizeof rows / sizeof rows[0] };
    struct dump_block blocks[BLOCKS];
    uint32_t functions[BLOCKS];
    uint64_t steps[BLOCKS], starts[BLOCKS];
    uint8_t code[256];
    size_t code_bytes = 0;
    for (uint32_t i = 0; i < BLOCKS; i++) {
        const uint32_t bytes = (uint32_t)(rows[i].to - rows[i].from);
        blocks[i] = (struct dump_block){(uint64_t)rows[i].from, 0, i, bytes, rows[i].instructions};
        memcpy(code + code_bytes, rows[i].from, bytes);
        code_bytes += bytes;
        functions[i] = rows[i].function;
        starts[i] = functions[i] == 0 ? (uint64_t)(l_begin - l_cold) : 0;
        steps[i] = rows[i].executions;
    }
    const struct dump_object object = {.low = (uint64_t)l_cold};
    const struct dump dump = {.header = {.block_count = BLOCKS, .counter_count = BLOCKS, .object_count = 1},
                              .objects = (const uint8_t *)&object,
                              .blocks = (const uint8_t *)blocks,
                              .code = code};
    struct code_function names[] = {{0, "f"}, {0, "f.cold"}};
    struct code_instructions instructions = {0};
    const struct code_cost cost = {.function_count = 2,
                                   .functions = names,
                                   .code = code_instructions_find(&instructions, &dump),
                                   .block_functions = functions,
                                   .block_starts = starts};
    struct code_graph graph;
    struct natural_loops loops;
    bool contradicts[BLOCKS] = {false};
    code_graph_build(&dump, &cost, steps, &graph);
    edge_counts_find(&graph, contradicts);
    loops_find(&graph, contradicts, &loops);
    assert_int_equal(graph.piece_count, BLOCKS);
    const uint32_t loop = code_graph_find(&graph, 0, (uint64_t)l_loop),
                   latch = code_graph_find(&graph, 0, (uint64_t)l_latch),
                   other = code_graph_find(&graph, 0, (uint64_t)l_other);
    assert_int_equal(graph.pieces[loop].executions, 70);
    assert_int_equal(graph.pieces[latch].executions, 70);
    assert_int_equal(loops.count, 1);
    assert_int_equal(loops.irreducible_count, 0);
    assert_int_equal(loops.loops[0].header, loop);
    assert_int_equal(loops.loops[0].iterations, 70);
    assert_true(loops.loops[0].entries_known && loops.loops[0].entries == 7);
    assert_true(loops_contain(&loops, 0, latch));
    assert_false(loops_contain(&loops, 0, other));
    assert_false(contradicts[0]);
    assert_int_equal(graph.pieces[code_graph_find(&graph, 0, (uint64_t)l_cold)].function, 0);
    assert_false(graph.pieces[code_graph_find(&graph, 0, (uint64_t)l_cold)].starts);
    size_t to_other = 0;
    for (size_t i = 0; i < graph.edge_count; i++)
        to_other += graph.edges[i].to == other;
    assert_int_equal(to_other, 1); /* by the jump through the register */
    assert_int_equal(code_graph_find(&graph, 0, (uint64_t)l_loop + 1), GRAPH_NO_PIECE);
    loops_free(&loops);
    code_graph_free(&graph);
    free(cost.code);
    code_instructions_free(&instructions);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nested),
        cmocka_unit_test(one_after_the_other),
        cmocka_unit_test(two_ways_back),
        cmocka_unit_test(with_a_call),
        cmocka_unit_test(entered_in_two_places),
        cmocka_unit_test(entries_that_are_not_known),
        cmocka_unit_test(what_is_in_a_loop),
        cmocka_unit_test(pieces_of_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
