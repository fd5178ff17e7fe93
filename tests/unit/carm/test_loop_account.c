/* SPDX-License-Identifier: BSD-3-Clause
 * Accounts of made-up loops: which part binds, and in which words. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "carm/model/loop_account.h"
#include "carm/model/model_thresholds.h"
#include "tests/support/fixtures.h"
#include "tests/support/programs.h"

static void says(const struct app_point *point, const char *expected) {
    char words[LOOP_WORDS_BYTES];
    const struct loop_account account = find_loop(point);
    loop_account_words(&account, words);
    if (!strstr(words, expected))
        fail_msg("\"%s\" is not in: %s", expected, words);
}

static void a_chain_of_sums_binds(void **state) {
    (void)state;
    const struct app_point point = dot_product(4.1);
    const struct loop_account account = find_loop(&point);
    assert_int_equal(account.count, 4);
    assert_true(account.binds);
    assert_int_equal(account.part[account.longest].kind, LOOP_CHAIN);
    assert_near(account.measured_cycles, 4.1);
    assert_near(account.faster_at_most, 5);
    assert_int_equal(account.accumulators, 8);
    assert_near(account.faster, 4 / pow(pow(0.8, 4) + pow(0.5, 4) + pow(0.5 * (1 - 0.4 * 7 / 8), 4), 0.25));
    says(&point,
         "bound by its chain of addsd: 4 of 4.1 cycles per iteration; ports 0, 1, 5 need 0.8; 8 accumulators would "
         "make it about 4.8 × faster, at most 5 ×");
}

/* The time of all threads is CPU time; of a part, its share. */
static void cycles_follow_from_cpu_time(void **state) {
    (void)state;
    struct app_point point = dot_product(4);
    point.threads = 4;
    point.time_share = 0.25;
    point.cpu_seconds = app_once(16e-3);
    assert_near(find_loop(&point).measured_cycles, 4);
    point.cpu_seconds = (struct statistics){0};
    point.seconds = app_once(1e-3);
    assert_near(find_loop(&point).measured_cycles, 4);
    point.clock_hz = 0;
    assert_near(find_loop(&point).measured_cycles, 0);
    says(&point, "needs 4 cycles per iteration for its chain of addsd");
}

/* What a core needs for passes whose chains are independent, on paper: iterations enter in order, once the one
 * `flight` before them has left in order. Each pass begins a chain of one cycle per iteration. */
static double simulated_share(unsigned trips, unsigned flight) {
    enum { PASSES = 400, MOST_TRIPS = 1000 };
    static double left[PASSES * MOST_TRIPS];
    double last = 0;
    for (unsigned i = 0; i < PASSES * trips; i++) {
        const double enters = i >= flight ? left[i - flight] : 0, before = i % trips > 0 ? last : 0;
        last = fmax(enters, before) + 1;
        left[i] = i > 0 ? fmax(left[i - 1], last) : last;
    }
    return (left[PASSES * trips - 1] - left[PASSES / 2 * trips - 1]) / (PASSES / 2.0 * trips);
}

/* The least that chains take is that of the core on paper. */
static void short_passes_overlap(void **state) {
    (void)state;
    static const unsigned TRIPS[] = {5, 17, 24, 42, 60, 85, 100, 150, 170, 200, 400, 700, 1000};
    for (size_t i = 0; i < sizeof TRIPS / sizeof *TRIPS; i++) {
        struct app_point point = dot_product(20);
        point.iterations = 1000 * TRIPS[i], point.entries = 1000;
        point.count.instructions = 6 * point.iterations;
        const struct loop_account account = find_loop(&point);
        const double share = simulated_share(TRIPS[i], 85);
        if (share > 1 / verdict_thresholds.refuted.value)
            assert_near(account.part[0].cycles, 4);
        else if (fabs(account.part[0].cycles / 4 / share - 1) > 0.03)
            fail_msg("%u trips: %g instead of %g", TRIPS[i], account.part[0].cycles, 4 * share);
        assert_near(account.part[0].most_cycles, 4);
    }
}

/* How far passes overlap is not known: a chain may bind within its range, and be the rest of a longer time. */
static void passes_may_overlap(void **state) {
    (void)state;
    struct app_point point = dot_product(3.4);
    point.entries = point.iterations / 170; /* twice what fits */
    says(&point, "bound by its chain of addsd: 2 to 4 of 3.4 cycles per iteration; ports 0, 1, 5 need 0.8; 8 acc");
    assert_near(find_loop(&point).faster_at_most, 3.4 / 0.8);
    point.in_core.ports = 2.1;
    says(&point,
         "takes 3.4 cycles per iteration, of which ports 0, 1, 5 explain 2.1: the rest may be its chain of addsd "
         "(up to 4 cycles if its passes do not overlap), ");
    point.seconds = point.cpu_seconds = app_once(1.85e-3);
    assert_int_equal(find_loop(&point).refuted, 1); /* the ports, and not the chain */
    point.entries = 100;
    assert_int_equal(find_loop(&point).refuted, 0);
}

static void taken_branches_are_a_part(void **state) {
    (void)state;
    struct app_point point = dot_product(1.05);
    point.in_core.chain = 0;
    point.in_core.branches = 1;
    says(&point, "bound by taken branches: 1 of 1.05 cycles per iteration; ports 0, 1, 5 need 0.8");
}

/* Lines at constant strides are fetched ahead: nothing waits for their latencies one after the other. */
static void streams_wait_for_no_latency(void **state) {
    (void)state;
    struct app_point point = dot_product(100);
    point.in_core.chain = 1;
    for (unsigned streams = 0; streams < 2; streams++) {
        point.in_core.strided = streams ? 1 : 0.9;
        const struct loop_account some = loop_account_find(&point, &NO_LINKS, NULL, &(struct loop_lines){900e-3, 0, 0}),
                                  most =
                                      loop_account_find(&point, &NO_LINKS, NULL, &(struct loop_lines){900e-3, 0, 10});
        char words[LOOP_WORDS_BYTES];
        assert_int_equal(loop_account_fetches(&some), !streams);
        assert_int_equal(loop_account_fetches(&most), !streams);
        assert_int_equal(most.binds, !streams);
        assert_non_null(strstr(loop_account_words(&some, words), streams
                                                                     ? "may be cache lines that are fetched too late"
                                                                     : "may be cache lines (`--levels` tells)"));
    }
}

/* Reading code binds if the loop took as long; else a buffer held it. */
static void code_across_lines_counts_if_it_took_as_long(void **state) {
    (void)state;
    struct app_point point = dot_product(2.1);
    point.in_core.chain = 0;
    point.in_core.fetch = 2;
    struct loop_account account = find_loop(&point);
    assert_int_equal(account.part[account.longest].kind, LOOP_FETCH);
    assert_true(account.binds);
    point.seconds = point.cpu_seconds = app_once(1.2e-3);
    account = find_loop(&point);
    assert_int_equal(account.part[account.longest].kind, LOOP_PORTS);
}

static void a_chase_waits_for_its_lines(void **state) {
    (void)state;
    struct app_point point = dot_product(100);
    point.in_core.chain = 5;
    point.in_core.chain_memory = 5;
    point.in_core.accumulates = false;
    const struct loop_account account = loop_account_find(&point, &NO_LINKS, NULL, &(struct loop_lines){90e-3, 0, 10});
    assert_int_equal(account.part[account.longest].kind, LOOP_CHAIN);
    assert_string_equal(account.part[account.longest].name, "chain of loads");
    assert_near(account.part[account.longest].cycles, 95);
    assert_true(account.binds);
    point.in_core.chain_memory = 0; /* independent loads: as many at a time as the core can have */
    const struct loop_account parallel =
        loop_account_find(&point, &NO_LINKS, NULL, &(struct loop_lines){900e-3, 0, 10});
    assert_int_equal(parallel.part[parallel.longest].kind, LOOP_MISSES);
    assert_near(parallel.part[parallel.longest].cycles, 90);
}

static void links_are_parts(void **state) {
    (void)state;
    const struct app_point point = dot_product(10);
    const struct link_times times = {
        .count = 2,
        .longest = 1,
        .link = {{.name = "core ⇄ L1", .seconds = 1e-3}, {.name = "L1 ⇄ L2", .seconds = 9e-3}}};
    const struct loop_account account = loop_account_find(&point, &times, NULL, &(struct loop_lines){0, 0, 0});
    assert_int_equal(account.part[account.longest].kind, LOOP_LINK);
    assert_string_equal(account.part[account.longest].name, "L1 ⇄ L2");
    assert_near(account.part[account.longest].cycles, 9);
}

/* No remedy gains more than the measured time. */
static void remedies_gain_no_more_than_measured(void **state) {
    (void)state;
    const struct app_point point = dot_product(3.7);
    assert_near(find_loop(&point).faster_at_most, 3.7 / 0.8);
}

/* Without its divider the loop takes longer than for the longest of its other parts. */
static void parts_side_by_side_hinder_each_other(void **state) {
    (void)state;
    struct app_point point = dot_product(8);
    point.in_core.divider = 8;
    point.in_core.chain = point.in_core.ports = point.in_core.renaming = 3;
    const double power = verdict_thresholds.side_by_side.value;
    assert_near(find_loop(&point).faster, 8 / (3 * pow(3, 1 / power)));
    assert_near(find_loop(&point).faster_at_most, 8.0 / 3);
    assert_int_equal(find_loop(&point).accumulators, 0);
    point.in_core.ports = point.in_core.renaming = 0.3; /* and hardly so if one is clearly longer */
    assert_true(find_loop(&point).faster > 0.999 * 8 / 3 && find_loop(&point).faster < 8.0 / 3);
}

/* One more than two is worth it until the ports hide the rest of the chain. */
static void accumulators_are_as_many_as_are_worth_it(void **state) {
    (void)state;
    const double power = verdict_thresholds.side_by_side.value, gain = pow(verdict_thresholds.higher.value, power),
                 limit = 4 * pow((pow(2, -power) - gain * pow(12, -power)) / (gain - 1), 1 / power);
    for (int above = 0; above < 2; above++) {
        struct app_point point = dot_product(4);
        point.in_core.renaming = 0;
        point.in_core.ports = limit * (above ? 1.001 : 0.999);
        assert_int_equal(find_loop(&point).accumulators, above ? 2 : 3);
    }
}

/* A loop with several accumulators goes back once for all of them; a buffer may hold its code. */
static void accumulators_share_the_way_back(void **state) {
    (void)state;
    struct app_point point = dot_product(4);
    point.in_core.branches = 1.5;
    point.in_core.fetch = 2;
    point.in_core.ports = 0.1;
    point.in_core.renaming = 0.8; /* of four operations, as a comparison and its jump are one */
    point.in_core.instructions = 5;
    point.count.instructions = 5 * point.iterations;
    const struct loop_account account = find_loop(&point);
    assert_true(account.accumulators > 1);
    assert_near(account.faster_at_most, 4 / (0.8 * (0.5 + 0.5 / account.accumulators)));
}

static void accumulators_fit_in_registers(void **state) {
    (void)state;
    struct app_point point = dot_product(1e300);
    point.in_core.chain = 1e300;
    assert_int_equal(find_loop(&point).accumulators, 12);
}

static void what_nothing_explains_is_told(void **state) {
    char words[LOOP_WORDS_BYTES];
    (void)state;
    const struct app_point point = dot_product(50);
    says(&point, "takes 50 cycles per iteration, of which its chain of addsd explains 4: the rest may be cache lines "
                 "(`--levels` tells), code around it or the kernel");
    struct app_point locked = point;
    locked.in_core.unknown_instructions = 1;
    says(&locked, "the rest may be 1 unknown instruction, cache lines");
    const struct link_times times = {.count = 1, .longest = LINK_TIMES_NONE};
    const struct loop_account account = loop_account_find(&point, &times, NULL, &(struct loop_lines){300e-3, 0, 0});
    assert_false(account.binds);
    assert_non_null(strstr(loop_account_words(&account, words),
                           "the rest may be its cache lines (300 cycles one after the other) or the kernel"));
}

/* A last cache that others fill makes lines take as long as from memory: only where somebody else was seen. */
static void others_may_fill_the_last_cache(void **state) {
    char words[LOOP_WORDS_BYTES];
    (void)state;
    struct app_point point = dot_product(50);
    const struct link_times times = {.count = 1, .longest = LINK_TIMES_NONE};
    const struct loop_lines lines = {9e-3, 90e-3, 0};
    assert_false(loop_account_find(&point, &times, NULL, &lines).may[LOOP_CAUSE_LINES]);
    point.neighbour_share = 0.1;
    const struct loop_account account = loop_account_find(&point, &times, NULL, &lines);
    assert_non_null(strstr(loop_account_words(&account, words),
                           "its cache lines (90 cycles one after the other, if others fill the last cache)"));
}

/* A branch costs at most its rarer way; each pass ends in one. */
static void branches_may_be_the_rest(void **state) {
    (void)state;
    struct app_point point = dot_product(12);
    point.in_core.rarer_ways = 0.4;
    assert_near(find_loop(&point).branch_cycles, 6.8 + 17e-4);
    says(&point,
         "of which its chain of addsd explains 4: the rest may be cache lines (`--levels` tells) or mispredicted "
         "branches (up to 6.8 cycles)");
    point.in_core.rarer_wait = 2;
    assert_near(find_loop(&point).branch_cycles, 8.8 + 17e-4);
}

/* What the core's table does not know may be the rest, unless it cannot be long enough. */
static void what_is_unknown_is_not_zero(void **state) {
    (void)state;
    const double most = verdict_thresholds.mispredicted_cycles.value * verdict_thresholds.one_by_one.value;
    struct app_point point = dot_product(12);
    assert_false(find_loop(&point).may[LOOP_CAUSE_BRANCHES]);
    point.in_core.mispredict = 0;
    assert_true(isnan(find_loop(&point).branch_cycles));
    assert_false(find_loop(&point).may[LOOP_CAUSE_BRANCHES]); /* one exit in ten thousand iterations */
    point.in_core.rarer_ways = 0.5;
    says(&point, "the rest may be cache lines (`--levels` tells), mispredicted branches, code around it or the kernel");
    point.in_core.rarer_ways = 0;
    point.entries = 0; /* unknown: each iteration may be the last one */
    assert_true(find_loop(&point).may[LOOP_CAUSE_BRANCHES]);
    for (int above = 0; above < 2; above++) { /* a branch in each iteration, as long as it can be at most, or longer */
        point = dot_product(4 + 2 * most * (above ? 1.001 : 0.999));
        point.in_core.mispredict = 0, point.in_core.rarer_ways = 0.5 - 1e-4;
        assert_int_equal(find_loop(&point).may[LOOP_CAUSE_BRANCHES], !above);
    }
    point = dot_product(12);
    point.in_core.fetch = 0;
    says(&point, "the rest may be cache lines (`--levels` tells), reading its code, code around it or the kernel");
    point = dot_product(4 + 2 * 6.1); /* more than a cycle for each of its instructions */
    point.in_core.fetch = 0;
    assert_false(find_loop(&point).may[LOOP_CAUSE_FETCH]);
    const struct link_times times = {.count = 1, .longest = LINK_TIMES_NONE};
    const struct loop_account account =
        loop_account_find(&point, &times, NULL, &(struct loop_lines){(double)NAN, 0, 0});
    assert_true(account.may[LOOP_CAUSE_LINES]); /* of unknown latency */
    assert_false(loop_account_find(&point, &times, NULL, &(struct loop_lines){0, 0, 0}).may[LOOP_CAUSE_LINES]);
}

/* It takes its share of ports, not of chains: only what it can have added is named. */
static void a_neighbour_may_be_the_rest(void **state) {
    (void)state;
    struct app_point point = dot_product(1.6);
    point.in_core.chain = 0.2;
    point.in_core.fetch = 0;
    assert_false(find_loop(&point).may[LOOP_CAUSE_NEIGHBOUR]);
    point.neighbour_share = 0.6;
    says(&point, "takes 1.6 cycles per iteration, of which ports 0, 1, 5 explain 0.8: the rest may be cache lines "
                 "(`--levels` tells), reading its code, something else on its core (there 60 % of the time), code "
                 "around it or the kernel");
    point.neighbour_share = 0.4; /* 0.32 of 0.8 */
    assert_false(find_loop(&point).may[LOOP_CAUSE_NEIGHBOUR]);
    point = dot_product(8);
    point.neighbour_share = 1;
    assert_false(find_loop(&point).may[LOOP_CAUSE_NEIGHBOUR]);
}

static void tables_from_documents_say_so(void **state) {
    (void)state;
    struct app_point point = dot_product(4);
    assert_false(find_loop(&point).from_documents);
    strcpy(point.in_core.core, "zen4");
    assert_true(find_loop(&point).from_documents);
}

/* A division: the table asks for more than twice as much as the core took. */
static void a_refuted_part_never_binds(void **state) {
    (void)state;
    struct app_point point = dot_product(6.09);
    point.in_core.ports = 13;
    strcpy(point.in_core.busiest_ports, "ALU0");
    struct loop_account account = find_loop(&point);
    assert_false(account.binds);
    assert_true(account.faster == 0 && account.accumulators == 0);
    assert_int_equal(account.part[account.longest].kind, LOOP_CHAIN);
    assert_true(account.part[account.refuted].refuted && account.part[account.refuted].kind == LOOP_PORTS);
    says(&point,
         "its table asks for 13 cycles of port ALU0, the core took 6.09, of which its chain of addsd explains 4: "
         "the rest may be port ALU0, cache lines (`--levels` tells), code around it or the kernel; code across");
    point.in_core.chain = 6.09 / verdict_thresholds.refuted.value * 0.999; /* else enough; the ports may be longer */
    assert_false(find_loop(&point).binds);
    point.in_core.chain *= 1.002;
    assert_true(find_loop(&point).binds);
    point.in_core.chain = 6; /* the next one is judged, but nothing is promised */
    account = find_loop(&point);
    assert_true(account.binds && account.faster == 0 && account.accumulators == 0);
    says(&point, "bound by its chain of addsd: 6 of 6.09 cycles per iteration; code across cache lines needs 0.7; its "
                 "table asks for 13 cycles of port ALU0, the core took 6.09");
    point.in_core.chain = point.in_core.renaming = point.in_core.fetch = 0; /* nothing is left */
    account = find_loop(&point);
    assert_true(account.count == 1 && account.longest < 0 && !account.binds);
    says(&point, "its table asks for 13 cycles of port ALU0, the core took 6.09");
}

/* Ports without names are those of an instruction. */
static void a_core_without_a_table_has_an_account(void **state) {
    (void)state;
    struct app_point point = dot_product(6.2);
    strcpy(point.in_core.core, "measured");
    strcpy(point.in_core.busiest_ports, "of mulsd");
    point.in_core.ports = 6;
    assert_false(find_loop(&point).from_documents);
    says(&point, "bound by ports of mulsd: 6 of 6.2 cycles per iteration; its chain of addsd needs 4");
    point.in_core.ports = 13;
    says(&point, "its measurement asks for 13 cycles of ports of mulsd, the core took 6.2, of which");
}

/* One rule for each kind of part: a time just above the limit refutes it, one just below does not. */
static void each_kind_can_be_refuted(void **state) {
    (void)state;
    for (int above = 0; above < 2; above++)
        for (enum loop_part_kind kind = LOOP_CHAIN; kind <= LOOP_MISSES; kind++) {
            const double needed = 20, ratio = verdict_thresholds.refuted.value * (above ? 1.001 : 0.999);
            struct app_point point = dot_product(needed / ratio);
            point.in_core.chain = 0;
            double *const of[] = {[LOOP_CHAIN] = &point.in_core.chain,       [LOOP_PORTS] = &point.in_core.ports,
                                  [LOOP_RENAMING] = &point.in_core.renaming, [LOOP_DIVIDER] = &point.in_core.divider,
                                  [LOOP_BRANCHES] = &point.in_core.branches, [LOOP_FETCH] = &point.in_core.fetch};
            if (kind <= LOOP_FETCH)
                *of[kind] = needed;
            const struct link_times times = {
                .count = 2, .link = {{.name = "core ⇄ L1"}, {.name = "L1 ⇄ L2", .seconds = 1e-3 * needed}}};
            const struct loop_account account = loop_account_find(
                &point, kind == LOOP_LINK ? &times : &NO_LINKS, NULL,
                &(struct loop_lines){kind == LOOP_MISSES ? 10e-3 * needed : 0, 0, kind == LOOP_MISSES ? 10 : 0});
            assert_int_equal(account.binds, !above);
            assert_int_equal(account.part[account.longest].kind == kind, !above);
            assert_true(!above || account.faster == 0);
            /* A buffer held its code, or prefetchers brought its lines: no table is wrong. */
            assert_int_equal(account.refuted >= 0, above && kind != LOOP_FETCH && kind != LOOP_MISSES);
        }
}

/* Nor does a part that the longest run needed. */
static void runs_that_differ_refute_less(void **state) {
    (void)state;
    struct app_point point = dot_product(10);
    point.in_core.ports = 13;
    point.cpu_seconds.max = 13.1e-3;
    assert_int_equal(find_loop(&point).refuted, -1);
    point.cpu_seconds.max = 12.9e-3;
    assert_true(find_loop(&point).refuted >= 0);
}

/* Lines that came earlier than one after the other are no part of a pointer chase. */
static void a_chase_of_prefetched_lines(void **state) {
    (void)state;
    struct app_point point = dot_product(6);
    point.in_core.chain = point.in_core.chain_memory = 5;
    const struct link_times times = {.count = 1, .longest = LINK_TIMES_NONE};
    const struct loop_account account = loop_account_find(&point, &times, NULL, &(struct loop_lines){90e-3, 0, 0});
    assert_int_equal(account.refuted, -1);
    assert_near(account.part[account.longest].cycles, 5);
    point.in_core.chain_memory = 5 * verdict_thresholds.loads.value;
    assert_false(find_loop(&point).chases);
    point.in_core.chain_memory *= 1.001;
    assert_true(find_loop(&point).chases);
}

/* The time of called functions is not the loop's own, and no chain leads through them. */
static void calls_are_told(void **state) {
    (void)state;
    struct app_point point = dot_product(4.5);
    point.in_core.chain = 0;
    point.in_core.calls = 1;
    says(&point,
         "takes 4.5 cycles per iteration without the functions that it calls, of which ports 0, 1, 5 explain "
         "0.8: the rest may be a chain through the functions that it calls, cache lines (`--levels` tells), code");
}

/* Whether its own instructions or its cache lines take the time: both, one, or neither is sure. */
static void loops_compute_or_fetch(void **state) {
    (void)state;
    const struct link_times times = {.count = 1, .longest = LINK_TIMES_NONE};
    struct app_point point = dot_product(4.1);
    struct loop_account account = loop_account_find(&point, &times, NULL, &(struct loop_lines){300e-3, 0, 0});
    assert_true(loop_account_computes(&account) && !loop_account_fetches(&account));
    point = dot_product(50); /* the same lines, and nothing else explains them */
    account = loop_account_find(&point, &times, NULL, &(struct loop_lines){300e-3, 0, 0});
    assert_true(!loop_account_computes(&account) && loop_account_fetches(&account));
    point.in_core.unknown_instructions = 1;
    account = loop_account_find(&point, &times, NULL, &(struct loop_lines){300e-3, 0, 0});
    assert_true(!loop_account_computes(&account) && !loop_account_fetches(&account));
    point.in_core.unknown_instructions = 0, point.in_core.rarer_ways = 0.5, point.in_core.mispredict = 0;
    point.seconds = point.cpu_seconds = app_once(14e-3);
    account = loop_account_find(&point, &times, NULL, &(struct loop_lines){300e-3, 0, 0});
    assert_true(!loop_account_computes(&account) && !loop_account_fetches(&account));
}

/* An outer loop's time is that of its inner loops. */
static void outer_loops_have_no_account(void **state) {
    char words[LOOP_WORDS_BYTES];
    (void)state;
    struct app_point point = dot_product(4);
    point.count.instructions *= 2;
    const struct loop_account account = find_loop(&point);
    assert_int_equal(account.count, 0);
    assert_string_equal(loop_account_words(&account, words), "");
    point.count.instructions = (uint64_t)(6e6 / verdict_thresholds.own_code.value * 1.001);
    assert_int_equal(find_loop(&point).count, 0);
    point.count.instructions = (uint64_t)(6e6 / verdict_thresholds.own_code.value * 0.999);
    assert_int_equal(find_loop(&point).count, 4);
    point = dot_product(4);
    point.in_core.known = false;
    assert_int_equal(find_loop(&point).count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_of_sums_binds),
        cmocka_unit_test(cycles_follow_from_cpu_time),
        cmocka_unit_test(passes_may_overlap),
        cmocka_unit_test(taken_branches_are_a_part),
        cmocka_unit_test(streams_wait_for_no_latency),
        cmocka_unit_test(short_passes_overlap),
        cmocka_unit_test(code_across_lines_counts_if_it_took_as_long),
        cmocka_unit_test(a_chase_waits_for_its_lines),
        cmocka_unit_test(links_are_parts),
        cmocka_unit_test(what_nothing_explains_is_told),
        cmocka_unit_test(branches_may_be_the_rest),
        cmocka_unit_test(outer_loops_have_no_account),
        cmocka_unit_test(remedies_gain_no_more_than_measured),
        cmocka_unit_test(parts_side_by_side_hinder_each_other),
        cmocka_unit_test(accumulators_are_as_many_as_are_worth_it),
        cmocka_unit_test(accumulators_share_the_way_back),
        cmocka_unit_test(accumulators_fit_in_registers),
        cmocka_unit_test(what_is_unknown_is_not_zero),
        cmocka_unit_test(tables_from_documents_say_so),
        cmocka_unit_test(a_core_without_a_table_has_an_account),
        cmocka_unit_test(a_refuted_part_never_binds),
        cmocka_unit_test(each_kind_can_be_refuted),
        cmocka_unit_test(runs_that_differ_refute_less),
        cmocka_unit_test(a_chase_of_prefetched_lines),
        cmocka_unit_test(calls_are_told),
        cmocka_unit_test(a_neighbour_may_be_the_rest),
        cmocka_unit_test(others_may_fill_the_last_cache),
        cmocka_unit_test(loops_compute_or_fetch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
