/* SPDX-License-Identifier: BSD-3-Clause
 * The in-core times of known loops: which bound each has, from their machine code. The cycles are worked out by hand
 * from documented ports and latencies. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/loop_code.h"

/* The largest of the bounds. */
static enum in_core_bound binding(const double cycles[IN_CORE_BOUNDS]) {
    enum in_core_bound binds = IN_CORE_PORTS;
    for (unsigned i = 0; i < IN_CORE_BOUNDS; i++)
        if (cycles[i] > cycles[binds] * (1 + 1e-9))
            binds = (enum in_core_bound)i;
    return binds;
}

static void assert_about(double seen, double expected, double tolerance) {
    if (!(seen >= expected - tolerance && seen <= expected + tolerance))
        fail_msg("%g instead of %g", seen, expected);
}

static struct in_core find(const char *core, unsigned issue_width, const char *hex, uint64_t at) {
    struct loop_code loop;
    struct in_core in_core;
    const struct core_table *table = core_table_named(core);
    assert_non_null(table);
    read_loop(hex, at, &loop);
    in_core_find(table, issue_width, loop.instructions, loop.count, 4096 + at, &in_core);
    in_core_free(&in_core);
    return in_core;
}

/* clang-format off */
static const struct {
    const char *name, *hex;
    enum in_core_bound binds;
    double golden_cove, zen4; /* cycles of what binds */
    enum in_core_bound zen4_binds;
} LOOPS[] = {
    {"daxpy", "f20f100cc6f20f59c8f20f580cc7f20f110cc74883c0014839c275e4", IN_CORE_RENAMING, 1, 1, IN_CORE_PORTS},
    {"dot", "f20f1004c7f20f5904c64883c001f20f58c84839c275e9", IN_CORE_CHAIN, 2, 3, IN_CORE_CHAIN},
    {"dot by FMA", "c5fb1004c7c4e2f9b90cc64883c0014839c275ec", IN_CORE_CHAIN, 4, 4, IN_CORE_CHAIN},
    {"two accumulators", "c5fb1004c7c4e2f9b90cc6c5fb1044c708c4e2f9b954c6084883c0024839c275df", IN_CORE_CHAIN, 4, 4, IN_CORE_CHAIN},
    {"Horner", "f20f59c14883c708f20f5847f84839c775ee", IN_CORE_CHAIN, 7, 6, IN_CORE_CHAIN},
    {"Newton", "c5eb5ec8c5f358c0c5fb59c348ffc875ef", IN_CORE_CHAIN, 20, 19, IN_CORE_CHAIN},
    {"divisions", "c5ed5e0c07c5fd110c064883c0204839d075ed", IN_CORE_DIVIDER, 8, 5, IN_CORE_DIVIDER},
    {"chase", "488b3f48ffc875f8", IN_CORE_CHAIN, 5, 4, IN_CORE_CHAIN},
    {"prefix sum", "f20f5804c7f20f1104c748ffc04839d075ee", IN_CORE_CHAIN, 2, 3, IN_CORE_CHAIN},
    {"through memory", "f20f1047f8f20f5807f20f11074883c7084839d775ea", IN_CORE_CHAIN, 8, 10, IN_CORE_CHAIN},
    {"elsewhere", "f20f104708f20f5807f20f11074883c7084839d775ea", IN_CORE_RENAMING, 5. / 6, 1, IN_CORE_PORTS},
    {"a variable beside the code", "f20f100500100000f20f58c1f20f1105f40f000048ffcf75e7", IN_CORE_CHAIN, 8, 10, IN_CORE_CHAIN},
    {"sum at an index", "488b04f34801c8488904f348ffcf75f0", IN_CORE_CHAIN, 7, 8, IN_CORE_CHAIN},
    {"sum at a constant place", "488b43084801c84889430848ffcf75f0", IN_CORE_CHAIN, 1, 2, IN_CORE_CHAIN},
    {"large constants", "4805000400004883c10848ffcf75f1", IN_CORE_CHAIN, 1, 1, IN_CORE_CHAIN},
    {"copied to itself", "89c048ffcf75f9", IN_CORE_CHAIN, 1, 1, IN_CORE_CHAIN},
    {"masked", "62f1f548c2c80162f1fd4958c148ffcf75ee", IN_CORE_CHAIN, 6.5, 8, IN_CORE_CHAIN},
    {"a call's result", "e8bbfffffff20f51c048ffcb75f2", IN_CORE_DIVIDER, 6, 8.5, IN_CORE_DIVIDER},
    {"beside a call", "e8bbffffff4801c3480fafdb48ffcd75ef", IN_CORE_PORTS, 1, 1, IN_CORE_PORTS},
    {"zeroed", "c5f957c0c5fb58c148ffc875f3", IN_CORE_PORTS, 0.5, 1, IN_CORE_CHAIN},
    {"copied", "4889c1480fafc94889c848ffca75f1", IN_CORE_CHAIN, 3, 3, IN_CORE_CHAIN},
    {"512 bits", "62f2bd48b80762f2bd48b84f0162f2bd48b8570262f2bd48b85f0362f2bd48b8670462f2bd48b86f0562f2bd48b8770662f2bd48b87f074881c7000200004839d775bd",
     IN_CORE_PORTS, 4, 8, IN_CORE_PORTS},
};
/* clang-format on */

static void check(const char *core, const char *name, const struct in_core *in_core, enum in_core_bound binds,
                  double cycles) {
    if (binding(in_core->cycles) != binds || in_core->cycles[binds] < cycles - 0.01 ||
        in_core->cycles[binds] > cycles + 0.01 || in_core->unknown > 0)
        fail_msg("%s on %s: bound %d, ports %g, renaming %g, divider %g, chain %g, unknown %g; expected bound %d, %g",
                 name, core, binding(in_core->cycles), in_core->cycles[0], in_core->cycles[1], in_core->cycles[2],
                 in_core->cycles[3], in_core->unknown, binds, cycles);
}

static void known_loops_have_their_bound(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof LOOPS / sizeof *LOOPS; i++) {
        const struct in_core golden_cove = find("golden-cove", 6, LOOPS[i].hex, 0),
                             zen4 = find("zen4", 6, LOOPS[i].hex, 0);
        check("Golden Cove", LOOPS[i].name, &golden_cove, LOOPS[i].binds, LOOPS[i].golden_cove);
        check("Zen 4", LOOPS[i].name, &zen4, LOOPS[i].zen4_binds, LOOPS[i].zen4);
    }
}

static const char *const CORES[] = {"haswell", "skylake", "skylake-server", "ice-lake", "golden-cove",
                                    "zen2",    "zen3",    "zen4",           "zen5"};

static void every_core_has_a_table(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof CORES / sizeof *CORES; i++) {
        const struct in_core dot = find(CORES[i], 4, LOOPS[1].hex, 0), chase = find(CORES[i], 4, LOOPS[7].hex, 0);
        if (dot.cycles[IN_CORE_CHAIN] < 2 || dot.cycles[IN_CORE_CHAIN] > 4 || dot.unknown > 0)
            fail_msg("%s: a chain of additions takes %g", CORES[i], dot.cycles[IN_CORE_CHAIN]);
        if (chase.cycles[IN_CORE_CHAIN] < 4 || chase.cycles[IN_CORE_CHAIN] > 5)
            fail_msg("%s: a chase takes %g", CORES[i], chase.cycles[IN_CORE_CHAIN]);
    }
    assert_null(core_table_named("486"));
    assert_null(core_table_named(NULL));
}

/* With VEX or without: beside products they take as long as the longer of the two. */
static void every_core_has_a_divider(void **state) {
    static const char *const DIVISIONS[] = {"divsd", "divss", "sqrtsd", "sqrtss"}, *const HEX[] = {
                                                                                       "f20f5ec1", "f30f5ec1",
                                                                                       "f20f51c1", "f30f51c1"};
    (void)state;
    for (size_t i = 0; i < sizeof CORES / sizeof *CORES; i++)
        for (size_t k = 0; k < sizeof HEX / sizeof *HEX; k++) {
            char hex[32];
            snprintf(hex, sizeof hex, "%s48ffc975f7", HEX[k]);
            const struct in_core loop = find(CORES[i], 4, hex, 0);
            if (loop.cycles[IN_CORE_DIVIDER] < 2 || loop.cycles[IN_CORE_PORTS] > 1)
                fail_msg("%s: %s keeps the divider busy for %g cycles, ports for %g", CORES[i], DIVISIONS[k],
                         loop.cycles[IN_CORE_DIVIDER], loop.cycles[IN_CORE_PORTS]);
        }
}

/* Two lines of code take two cycles to read. */
static void code_across_lines_takes_longer(void **state) {
    (void)state;
    assert_about(find("golden-cove", 6, LOOPS[0].hex, 0).fetch_cycles, 1, 1e-6);
    assert_about(find("golden-cove", 6, LOOPS[0].hex, 48).fetch_cycles, 2, 1e-6);
    assert_about(find("zen4", 6, LOOPS[0].hex, 48).fetch_cycles, 0, 1e-6);
}

static double strided_in(const char *name) {
    for (size_t i = 0; i < sizeof LOOPS / sizeof *LOOPS; i++)
        if (strcmp(LOOPS[i].name, name) == 0)
            return find("golden-cove", 6, LOOPS[i].hex, 0).strided;
    fail_msg("no loop %s", name);
    return 0;
}

/* Accesses whose address changes by the same little each time, also if it is one place; not those by loaded values or
 * sums of registers, and not far ones: mov rax, [rdi]; add rdi, 2048 (4096); dec rcx; jnz. */
static void strides_are_known(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double strided;
    } rows[] = {{"daxpy", 1},
                {"dot", 1},
                {"512 bits", 1},
                {"through memory", 1},
                {"a variable beside the code", 1},
                {"sum at an index", 1},
                {"chase", 0},
                {"beside a call", 0},
                {"zeroed", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strided_in(rows[i].name) != rows[i].strided)
            fail_msg("%s: %g", rows[i].name, strided_in(rows[i].name));
    assert_true(find("golden-cove", 6, "488b074881c70008000048ffc975f1", 0).strided == 1);
    assert_true(find("golden-cove", 6, "488b074881c70010000048ffc975f1", 0).strided == 0);
    assert_true(find("golden-cove", 6, "488b074801f748ffc975f5", 0).strided == 0); /* add rdi, rsi */
    assert_true(find("golden-cove", 6, "488b07488b14c64883c70848ffc975f0", 0).strided ==
                0.5); /* mov rdx, [rsi+rax*8] */
}

/* The way back; and a jump within. dec; jnz, and jmp over a nop before them. */
static void taken_branches_are_counted(void **state) {
    (void)state;
    assert_about(find("zen4", 6, "48ffc975fb", 0).taken, 1, 1e-6);
    assert_about(find("zen4", 6, "eb019048ffc975f8", 0).taken, 2, 1e-6);
}

static double latency_of(const char *core, const char *form) {
    struct instruction_demand demand = {.data = 'q'};
    struct core_form found;
    snprintf(demand.form, sizeof demand.form, "%s", form);
    return core_table_find(core_table_named(core), &demand, &found) ? found.latency_cycles : -1;
}

/* By form, by the form with a register instead of memory, by mnemonic, without "v"; one without operands is no other
 * instruction of that name. */
static void forms_are_found(void **state) {
    (void)state;
    assert_about(latency_of("golden-cove", "movsd xx"), 1, 0.01);
    assert_true(latency_of("golden-cove", "movsd") > 1);
    assert_about(latency_of("golden-cove", "sqrtpd xm"), 13, 0.01);
    assert_about(latency_of("golden-cove", "vsqrtpd ym"), 13, 0.01);
    assert_about(latency_of("golden-cove", "vdppd xxxi"), 9, 0.01);
    assert_about(latency_of("zen4", "lock-add md"), 7.4, 0.01);
    assert_about(latency_of("haswell", "lock-xchg mq"), 19, 0.01);
    assert_about(latency_of("zen2", "lock-inc m"), 17.8, 0.01);
    assert_about(latency_of("zen4", "lock-cmpxchg md"), -1, 0.01); /* no source */
    assert_about(latency_of("zen4", "rdtsc"), -1, 0.01);
    assert_about(latency_of("skylake", "div d"), 26, 0.01);
}

/* The instructions to blame: of the dot product its addition, of prefix sums in memory the load and the addition. */
static void the_chain_names_its_instructions(void **state) {
    struct loop_code loop;
    struct in_core in_core;
    (void)state;
    read_loop(LOOPS[1].hex, 0, &loop);
    in_core_find(core_table_named("golden-cove"), 6, loop.instructions, loop.count, 4096, &in_core);
    for (size_t i = 0; i < loop.count; i++)
        assert_about(in_core.of[i].chain_cycles, i == 3 ? 2 : 0, 0.01);
    assert_int_equal(in_core.chain_count, 1);
    in_core_free(&in_core);
    /* What waits for the chain is not on it: here a load and a division behind the counter of iterations. */
    read_loop(LOOPS[6].hex, 0, &loop);
    in_core_find(core_table_named("haswell"), 4, loop.instructions, loop.count, 4096, &in_core);
    for (size_t i = 0; i < loop.count; i++)
        assert_about(in_core.of[i].chain_cycles, i == 2 ? 1 : 0, 0.01);
    assert_int_equal(in_core.chain_count, 1);
    assert_about(in_core.chain_memory_cycles, 0, 0.01);
    in_core_free(&in_core);
    read_loop(LOOPS[9].hex, 0, &loop);
    in_core_find(core_table_named("golden-cove"), 6, loop.instructions, loop.count, 4096, &in_core);
    assert_about(in_core.chain_memory_cycles, 5, 0.01);
    assert_about(in_core.chain_forward_cycles, 5, 0.01); /* no pointer chase */
    assert_about(in_core.of[0].chain_cycles + in_core.of[1].chain_cycles + in_core.of[2].chain_cycles, 8, 0.01);
    in_core_free(&in_core);
}

static void a_chase_loads_from_caches(void **state) {
    (void)state;
    const struct in_core chase = find("golden-cove", 6, "488b3f48ffc875f8", 0); /* mov rdi, [rdi]; dec; jne */
    assert_about(chase.chain_memory_cycles, 5, 0.01);
    assert_about(chase.chain_forward_cycles, 0, 0.01);
}

/* Code that leaves the loop has no chain, and what no core knows counts at renaming alone. */
static void unknown_code_is_told(void **state) {
    (void)state;
    struct in_core leaves = find("golden-cove", 6, "f20f58c8c3", 0); /* addsd, ret */
    assert_about(leaves.cycles[IN_CORE_CHAIN], 0, 1e-6);
    assert_int_equal(leaves.chain_count, 0);
    struct in_core unknown = find("zen4", 6, "f0480fc10748ffc875f6", 0); /* lock xadd, dec, jne */
    assert_about(unknown.unknown, 1, 1e-6);
    unknown = find("golden-cove", 6, "b940000000f3aa49ffc875f4", 0); /* mov, rep stosb, dec, jne */
    assert_about(unknown.unknown, 1, 1e-6);
}

/* add rax, [rsp + 8]; mov [rsp + 8], rax; call; dec; jne: the sum waits for the called function, whose time is not the
 * loop's. */
static void calls_end_chains(void **state) {
    (void)state;
    const struct in_core calls = find("zen4", 8, "48034424084889442408e80000000048ffc975ec", 0),
                         alone = find("zen4", 8, "4803442408488944240848ffc975f1", 0);
    assert_about(calls.calls, 1, 1e-6);
    assert_about(calls.cycles[IN_CORE_CHAIN], 0, 0.01);
    assert_about(alone.calls, 0, 1e-6);
    assert_true(alone.cycles[IN_CORE_CHAIN] > 1);
}

/* Atomic instructions wait for one another: lock add [rdi], lock xadd [rdi + 64], dec, jne; xchg [rdi], eax, … */
static void atomic_instructions_are_a_chain(void **state) {
    (void)state;
    assert_about(find("golden-cove", 6, "f048830701f0480fc1474048ffc975f0", 0).cycles[IN_CORE_CHAIN], 36, 0.01);
    assert_about(find("golden-cove", 6, "870748ffc975f9", 0).cycles[IN_CORE_CHAIN], 17, 0.01);
    assert_about(find("zen4", 6, "f048830701f0480fc1474048ffc975f0", 0).cycles[IN_CORE_CHAIN], 7.4,
                 0.01); /* lock add alone is known */
}

/* A branch over one instruction, which a quarter of the iterations skip: addsd, jne, mulsd, dec, jne. */
static void a_branch_has_a_rarer_way(void **state) {
    struct loop_code loop;
    struct in_core in_core;
    (void)state;
    read_loop("f20f58c87504f20f59c248ffc875f1", 0, &loop);
    loop.instructions[2].executions = 0.75;
    in_core_find(core_table_named("golden-cove"), 6, loop.instructions, loop.count, 4096, &in_core);
    assert_about(in_core.rarer_ways, 0.25, 1e-6);
    assert_about(in_core.rarer_wait, 0, 1e-6); /* its flags are those of the iteration before */
    in_core_free(&in_core);
    read_loop("833f007504f20f59c248ffc875f2", 0, &loop); /* cmp [rdi], 0: a load of 5 cycles and itself */
    loop.instructions[2].executions = 0.75;
    in_core_find(core_table_named("golden-cove"), 6, loop.instructions, loop.count, 4096, &in_core);
    assert_about(in_core.rarer_ways, 0.25, 1e-6);
    assert_about(in_core.rarer_wait, 0.25 * 6, 1e-6);
    in_core_free(&in_core);
}

/* Operations of one port and operations of that port or another: the set that binds is the smaller one where it is
 * busier. */
static void busiest_ports_are_found(void **state) {
    (void)state;
    const struct core_use one_is_busy[] = {{1, 3}, {3, 2}}, both[] = {{1, 1}, {3, 3}},
                          apart[] = {{1, 2}, {2, 3}, {4, 1}};
    struct busiest_ports busiest = ports_busiest(one_is_busy, 2);
    assert_int_equal(busiest.ports, 1);
    assert_about(busiest.cycles, 3, 1e-6);
    busiest = ports_busiest(both, 2);
    assert_int_equal(busiest.ports, 3);
    assert_about(busiest.cycles, 2, 1e-6);
    busiest = ports_busiest(apart, 3);
    assert_int_equal(busiest.ports, 2);
    assert_about(busiest.cycles, 3, 1e-6);
    assert_about(ports_busiest(NULL, 0).cycles, 0, 1e-6);
}

static void ports_have_their_usual_names(void **state) {
    static const struct {
        const char *core, *letters, *names;
    } ROWS[] = {{"zen3", "03", "ALU0, ALU3"},
                {"zen3", "ad", "FP0, FP3"},
                {"zen3", "rlmsu", "BR, load, store, AGU"},
                {"golden-cove", "05ab", "0, 5, 10, 11"}};
    char text[64];
    (void)state;
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        const struct core_table *table = core_table_named(ROWS[i].core);
        uint64_t ports = 0;
        for (const char *letter = ROWS[i].letters; *letter; letter++)
            ports |= 1ull << (strchr(table->letters, *letter) - table->letters);
        assert_string_equal(core_ports_text(table, ports, text, sizeof text), ROWS[i].names);
    }
}

/* Values of a core as if measured: { form, latency, throughput }. */
static struct core_measured measured_core(struct core_value *values, size_t count) {
    return (struct core_measured){.count = count, .values = values};
}

#define MEASURED(name, latency, throughput)                                                                            \
    {                                                                                                                  \
        .form = name, .latency_cycles = {latency, latency, latency}, .throughput_cycles = {                            \
            throughput,                                                                                                \
            throughput,                                                                                                \
            throughput                                                                                                 \
        }                                                                                                              \
    }

static struct core_form form_on(const struct core_table *table, const char *form) {
    struct instruction_demand demand = {.data = 'q'};
    struct core_form found;
    snprintf(demand.form, sizeof demand.form, "%s", form);
    assert_true(core_table_find(table, &demand, &found));
    return found;
}

/* On Zen 4 the table's mulss takes 3 cycles, idiv occupies a port for 13; crc32 is unknown. */
static void measured_goes_before_typed(void **state) {
    (void)state;
    struct core_value values[] = {MEASURED("mulsd xx", 4, 0.5),   MEASURED("idiv d", 13, 6),
                                  MEASURED("crc32 qq", 3, 0.34),  MEASURED("mispredict", 22, 0),
                                  MEASURED("load indexed", 5, 0), MEASURED("add qq", 1, 0.4),
                                  MEASURED("nop", 0, 0.25),       MEASURED("load q", 4.5, 0),
                                  MEASURED("addsd xx", 9, 5),     MEASURED("taken branch", 0, 0.5)};
    values[8].disturbed = true;
    const struct core_measured measured = measured_core(values, sizeof values / sizeof *values);
    const struct core_table *typed = core_table_named("zen4");
    struct core_table *table = core_overlay_make(typed, 6, &measured);
    assert_about(form_on(typed, "mulsd xx").latency_cycles, 3, 1e-6);
    assert_about(form_on(table, "mulsd xx").latency_cycles, 4, 1e-6);
    assert_about(form_on(table, "mulsd xm").latency_cycles, 4, 1e-6); /* its load comes on top */
    assert_about(form_on(table, "mulss xx").latency_cycles, 3, 1e-6); /* not measured */
    assert_about(form_on(table, "addsd xx").latency_cycles, form_on(typed, "addsd xx").latency_cycles, 1e-6);
    assert_about(form_on(table, "crc32 qq").latency_cycles, 3, 1e-6);
    const struct core_form division = form_on(table, "idiv d"), sum = form_on(table, "add qq");
    assert_about(ports_busiest(division.uses, division.use_count).cycles, 6, 1e-6);
    assert_about(ports_busiest(sum.uses, sum.use_count).cycles, 0.25, 1e-6); /* a neighbour may have made it worse */
    assert_about(table->mispredict_cycles, 22, 1e-6);
    assert_about(table->taken_cycles, 0, 1e-6);
    assert_about(table->load_cycles[0], 4.5, 1e-6);
    assert_about(table->load_cycles[1], typed->load_cycles[1], 1e-6);
    free(table);
    values[6] = (struct core_value)MEASURED("nop", 0, 0.125); /* as fast as documented: the core was alone */
    table = core_overlay_make(typed, 6, &measured);
    const struct core_form alone = form_on(table, "add qq");
    assert_about(ports_busiest(alone.uses, alone.use_count).cycles, 0.4, 1e-6);
    assert_about(table->taken_cycles, 0.5, 1e-6);
    free(table);
}

static void typed_values_are_compared(void **state) {
    (void)state;
    const struct core_table *table = core_table_named("zen4");
    const struct core_value product = MEASURED("mulsd xx", 4, 0.5), sum = MEASURED("add qq", 1, 0.28),
                            indexed = MEASURED("load indexed", 5, 0), unknown = MEASURED("crc32 qq", 3, 0.34),
                            way = {.form = "movmskpd dx", .latency_cycles = {3, 3, 3}, .crosses = true};
    struct core_typed typed = core_overlay_typed(table, 6, &product);
    assert_about(typed.latency_cycles, 3, 1e-6);
    assert_about(typed.throughput_cycles, 0.5, 1e-6);
    assert_true(core_latency_differs(&product, &typed) && !core_throughput_differs(&product, &typed));
    typed = core_overlay_typed(table, 6, &sum);
    assert_about(typed.throughput_cycles, 0.25, 1e-6);
    assert_false(core_throughput_differs(&sum, &typed));
    typed = core_overlay_typed(table, 6, &indexed);
    assert_true(core_latency_differs(&indexed, &typed));
    typed = core_overlay_typed(table, 6, &unknown);
    assert_false(core_latency_differs(&unknown, &typed) || core_throughput_differs(&unknown, &typed));
    assert_true(core_overlay_typed(table, 6, &way).latency_cycles == 0);
}

/* Golden Cove adds in 3 cycles, and in 2 behind an addition: a chain of additions measures the latter. */
static void a_chain_of_its_own_row_is_measured(void **state) {
    (void)state;
    struct core_value values[] = {MEASURED("addsd xx", 2.5, 0)};
    const struct core_measured measured = measured_core(values, 1);
    struct core_table *table = core_overlay_make(core_table_named("golden-cove"), 6, &measured);
    const struct core_form typed = form_on(core_table_named("golden-cove"), "addsd xx"),
                           sum = form_on(table, "addsd xx");
    assert_about(sum.chained_cycles, 2.5, 1e-6);
    assert_about(sum.latency_cycles - sum.chained_cycles, typed.latency_cycles - typed.chained_cycles, 1e-6);
    free(table);
}

static double chain_on(const struct core_table *table, const char *hex) {
    struct loop_code loop;
    struct in_core in_core;
    read_loop(hex, 0, &loop);
    in_core_find(table, 8, loop.instructions, loop.count, 4096, &in_core);
    in_core_free(&in_core);
    return in_core.cycles[IN_CORE_CHAIN];
}

/* mov rdx, ADDRESS; dec; jnz: only a multiple of an index, or three parts, take longer. */
static void indexed_loads_have_a_latency_of_their_own(void **state) {
    (void)state;
    struct core_value values[] = {MEASURED("load q", 4, 0), MEASURED("load indexed", 5, 0)};
    const struct core_measured measured = measured_core(values, 2);
    struct core_table *table = core_overlay_make(core_table_named("zen4"), 8, &measured);
    assert_about(chain_on(table, "488b14d148ffcf75f7"), 5, 0.01);   /* [rcx+rdx*8] */
    assert_about(chain_on(table, "488b141148ffcf75f7"), 4, 0.01);   /* [rcx+rdx] */
    assert_about(chain_on(table, "488b54110848ffcf75f6"), 5, 0.01); /* [rcx+rdx+8] */
    assert_about(chain_on(table, "488b520848ffcf75f7"), 4, 0.01);   /* [rdx+8] */
    free(table);
    assert_about(chain_on(core_table_named("zen3"), "488b14d148ffcf75f7"), 5, 0.01);
    assert_about(chain_on(core_table_named("zen3"), "488b141148ffcf75f7"), 4, 0.01);
}

/* Through one place, which is a register and a constant, at an index, or where a register is added to it. */
static void places_that_renaming_knows_take_no_time(void **state) {
    (void)state;
    static const char *const AT_CONSTANT = "488b43084801c84889430848ffcf75f0",
                             *const AT_INDEX = "488b04f34801c8488904f348ffcf75f0", *const ADDED = "48014b0848ffcf75f7";
    struct core_value values[] = {MEASURED("forward q", 0.01, 0), MEASURED("forward indexed", 6, 0),
                                  MEASURED("forward add", 3, 0)};
    struct core_measured measured = measured_core(values, 2);
    struct core_table *table = core_overlay_make(core_table_named("zen4"), 6, &measured);
    assert_about(chain_on(table, AT_CONSTANT), 1, 0.02);
    assert_about(chain_on(table, AT_INDEX), 7, 0.01);
    assert_about(chain_on(table, ADDED), 7, 0.01); /* not measured apart */
    free(table);
    measured.count = 3;
    table = core_overlay_make(core_table_named("zen4"), 6, &measured);
    assert_about(chain_on(table, AT_INDEX), 7, 0.01);
    assert_about(chain_on(table, ADDED), 4, 0.01);
    free(table);
    assert_about(chain_on(core_table_named("zen3"), AT_INDEX), 1, 0.01);
    assert_about(chain_on(core_table_named("zen3"), ADDED), 1, 0.01);
}

/* The stack of x87: what is pushed is another register than what was on top, and an exchange moves chains. */
static void chains_through_a_stack_are_followed(void **state) {
    (void)state;
    const struct core_table *table = core_table_named("zen3");
    assert_about(chain_on(table, "dc0748ffcf75f9"), 6.7, 0.01);         /* fadd [rdi]; dec; jnz */
    assert_about(chain_on(table, "dc0fdc0748ffcf75f7"), 13.4, 0.01);    /* fmul [rdi]; fadd [rdi] */
    assert_about(chain_on(table, "dd07dc0fdec148ffcf75f5"), 6.7, 0.01); /* fld [rdi]; fmul [rdi]; faddp st1 */
    assert_about(chain_on(table, "dd07dd4708dec1dec148ffc975f2"), 6.7,
                 0.01);                                               /* fld, fld, faddp, faddp: one is in the chain */
    assert_about(chain_on(table, "dd07dc0fddd848ffcf75f5"), 1, 0.01); /* fld [rdi]; fmul [rdi]; fstp st0 */
    assert_about(chain_on(table, "d8c2d9c9d8c248ffcf75f5"), 6.7, 0.01);      /* fadd st2; fxch; fadd st2: two chains */
    assert_about(chain_on(table, "d8c2d9c9d9c9d8c248ffcf75f3"), 13.4, 0.01); /* exchanged twice: one */
    assert_about(chain_on(table, "dd07d9fadd1f48ffc975f5"), 22.5 + 9, 0.01); /* fld, fsqrt, fstp of one place */
}

/* vcmppd k1, zmm1, zmm0, 1; vaddpd zmm0{k1}, zmm0, zmm1: from the mask on a sum may take another time than from data.
 */
static void masks_have_a_latency_of_their_own(void **state) {
    (void)state;
    static const char *const MASKED = "62f1f548c2c80162f1fd4958c148ffcf75ee", *const PLAIN = "62f1fd4858c148ffcf75f5";
    struct core_value values[] = {MEASURED("vcmppd kzzi", 3, 0.5), MEASURED("vaddpd zzz", 4, 0.5),
                                  MEASURED("nop", 0, 0.25), MEASURED("vaddpd zzz: mask", 6, 0)};
    struct core_measured measured = measured_core(values, 3);
    for (unsigned typed = 0; typed < 2; typed++) {
        measured.count = 3;
        struct core_table *table = core_overlay_make(typed ? core_table_named("zen4") : NULL, 6, &measured);
        assert_about(chain_on(table, MASKED), 7, 0.01);
        measured.count = 4;
        assert_about(chain_on(table, MASKED), 9, 0.01);
        assert_about(chain_on(table, PLAIN), 4, 0.01);
        values[3].latency_cycles[CORE_MEASURED] = 2; /* the sum needs it later than its data */
        assert_about(chain_on(table, MASKED), 5, 0.01);
        values[3].latency_cycles[CORE_MEASURED] = 6;
        free(table);
    }
}

/* Those with a constant, and of other widths, take as long as the one that was measured. */
static void families_have_one_time(void **state) {
    (void)state;
    struct core_value values[] = {MEASURED("lock-add mq", 20, 0), MEASURED("fadd ff", 6, 1), MEASURED("nop", 0, 0.25)};
    const struct core_measured measured = measured_core(values, 3);
    struct core_table *table = core_overlay_make(core_table_named("zen4"), 6, &measured),
                      *untyped = core_overlay_make(NULL, 6, &measured);
    static const char *const FORMS[] = {"lock-add mi", "lock-inc m", "lock-or md", "fsubr m", "faddp ff"};
    for (size_t i = 0; i < sizeof FORMS / sizeof *FORMS; i++) {
        const double latency = FORMS[i][0] == 'l' ? 20 : 6;
        assert_about(form_on(table, FORMS[i]).latency_cycles, latency, 1e-6);
        assert_about(form_on(untyped, FORMS[i]).latency_cycles, latency, 1e-6);
    }
    free(table);
    free(untyped);
}

/* Chains are as long as by the table, the divider as busy, and nothing is longer: bounds without a table hold. */
static void a_measured_core_needs_no_table(void **state) {
    static const char *const CHECKED[] = {"zen4", "golden-cove", "haswell", "skylake", "zen2", "zen5"};
    (void)state;
    for (size_t i = 0; i < sizeof CHECKED / sizeof *CHECKED * (sizeof LOOPS / sizeof *LOOPS); i++) {
        const char *core = CHECKED[i / (sizeof LOOPS / sizeof *LOOPS)],
                   *hex = LOOPS[i % (sizeof LOOPS / sizeof *LOOPS)].hex;
        const struct in_core by_table = find(core, 6, hex, 0);
        struct values_core values;
        struct loop_code loop;
        struct in_core in_core;
        read_loop(hex, 0, &loop);
        values_of(core_table_named(core), &loop, &values);
        assert_int_equal(core_overlay_issue_width(&values.measured), 6);
        struct core_table *untyped = core_overlay_make(NULL, 0, &values.measured);
        in_core_find(untyped, 6, loop.instructions, loop.count, 4096, &in_core);
        for (unsigned bound = 0; bound < IN_CORE_BOUNDS; bound++) {
            const bool pipes = bound == IN_CORE_PORTS || bound == IN_CORE_DIVIDER; /* some tables have roots on ports */
            const double cycles = in_core.cycles[bound],
                         most = pipes ? fmax(by_table.cycles[IN_CORE_PORTS], by_table.cycles[IN_CORE_DIVIDER])
                                      : by_table.cycles[bound];
            const bool as_long =
                bound == IN_CORE_DIVIDER || (bound == IN_CORE_CHAIN && i < sizeof LOOPS / sizeof *LOOPS);
            if (cycles > most + 0.01 || (as_long && cycles < by_table.cycles[bound] - 0.01))
                fail_msg("%s on %s: bound %u is %g, by the table %g", LOOPS[i % (sizeof LOOPS / sizeof *LOOPS)].name,
                         core, bound, cycles, most);
        }
        in_core_free(&in_core);
        free(untyped);
    }
}

/* mulsd xmm1, xmm2 (three times); movsd [rdi], xmm1; setbe al; cmp rax, 5; rdtsc; dec; jnz */
static void unmeasured_forms_have_those_like_them(void **state) {
    (void)state;
    struct core_value values[] = {MEASURED("mulsd xx", 3, 0.5), MEASURED("setz b", 0, 0.3), MEASURED("cmp qq", 0, 0.2),
                                  MEASURED("dec q", 1, 0.2), MEASURED("movups mx", 0, 0.6)};
    const struct core_measured measured = measured_core(values, sizeof values / sizeof *values);
    struct core_table *table = core_overlay_make(NULL, 0, &measured);
    struct loop_code loop;
    struct in_core in_core;
    char text[40];
    read_loop("f20f59caf20f59cbf20f59ccf20f110f0f96c04883f8050f3148ffcf75e2", 0, &loop);
    in_core_find(table, 6, loop.instructions, loop.count, 4096, &in_core);
    assert_about(in_core.unknown, 1, 1e-6); /* rdtsc */
    assert_about(in_core.cycles[IN_CORE_CHAIN], 9, 0.01);
    assert_about(in_core.cycles[IN_CORE_PORTS], 1.5, 0.01);
    assert_about(in_core.of[0].ports_cycles, 0.5, 0.01);
    assert_about(in_core.of[3].ports_cycles, 0, 0.01);
    assert_string_equal(pipes_text(&in_core.pipes, text, sizeof text), "of mulsd");
    in_core_free(&in_core);
    values[4].throughput_cycles[CORE_MEASURED] = 1.6;
    in_core_find(table, 6, loop.instructions, loop.count, 4096, &in_core);
    assert_string_equal(pipes_text(&in_core.pipes, text, sizeof text), "of stores");
    in_core_free(&in_core);
    values[0].disturbed = true; /* may be too high: tells nothing */
    in_core_find(table, 6, loop.instructions, loop.count, 4096, &in_core);
    assert_about(in_core.unknown, 4, 1e-6);
    in_core_free(&in_core);
    free(table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_loops_have_their_bound),
        cmocka_unit_test(every_core_has_a_table),
        cmocka_unit_test(every_core_has_a_divider),
        cmocka_unit_test(strides_are_known),
        cmocka_unit_test(taken_branches_are_counted),
        cmocka_unit_test(code_across_lines_takes_longer),
        cmocka_unit_test(the_chain_names_its_instructions),
        cmocka_unit_test(unknown_code_is_told),
        cmocka_unit_test(atomic_instructions_are_a_chain),
        cmocka_unit_test(a_branch_has_a_rarer_way),
        cmocka_unit_test(busiest_ports_are_found),
        cmocka_unit_test(ports_have_their_usual_names),
        cmocka_unit_test(forms_are_found),
        cmocka_unit_test(a_chase_loads_from_caches),
        cmocka_unit_test(calls_end_chains),
        cmocka_unit_test(measured_goes_before_typed),
        cmocka_unit_test(typed_values_are_compared),
        cmocka_unit_test(a_chain_of_its_own_row_is_measured),
        cmocka_unit_test(indexed_loads_have_a_latency_of_their_own),
        cmocka_unit_test(places_that_renaming_knows_take_no_time),
        cmocka_unit_test(chains_through_a_stack_are_followed),
        cmocka_unit_test(masks_have_a_latency_of_their_own),
        cmocka_unit_test(families_have_one_time),
        cmocka_unit_test(a_measured_core_needs_no_table),
        cmocka_unit_test(unmeasured_forms_have_those_like_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
