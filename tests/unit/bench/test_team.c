/* SPDX-License-Identifier: BSD-3-Clause
 * Pinned teams: which thread runs where, on the cores that this process may use. Passes with one CPU. */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/kernels/team.h"
#include "tests/support/fixtures.h"

static struct team chosen(const struct machine *m, int kind, unsigned count) {
    struct team team;
    struct error err;
    if (!team_choose(&team, m, kind, count, &err))
        fail_msg("%s", err.text);
    return team;
}

static void cores_in_the_machines_order(void **state) {
    (void)state;
    struct machine m = fixture_hybrid(2, 8);
    m.node_count = 2;
    for (unsigned i = 5; i < 10; i++)
        m.cores[i].node = 1;
    struct team team = chosen(&m, TEAM_ANY_KIND, 10);
    assert_int_equal(team.count, 10);
    for (unsigned i = 0; i < 10; i++) {
        assert_ptr_equal(team.cores[i], &m.cores[i]);
        assert_int_equal(team.rank_on_node[i], i < 5 ? i : i - 5);
    }
    assert_string_equal(team.cpus, "0-9");
    team_free(&team);
    team = chosen(&m, 1, 3);
    for (unsigned i = 0; i < 3; i++)
        assert_ptr_equal(team.cores[i], &m.cores[2 + i]);
    assert_string_equal(team.cpus, "2-4");
    team_free(&team);
    machine_free(&m);
}

static void too_many_is_an_error_with_a_remedy(void **state) {
    (void)state;
    struct machine m = fixture_hybrid(2, 8);
    struct team team;
    struct error err;
    assert_false(team_choose(&team, &m, TEAM_ANY_KIND, 11, &err));
    assert_contains(err.text, "11 threads");
    assert_contains(err.text, "at most 10");
    assert_false(team_choose(&team, &m, 0, 3, &err));
    assert_contains(err.text, "at most 2");
    assert_false(team_choose(&team, &m, TEAM_ANY_KIND, 0, &err));
    machine_free(&m);
}

/* Two packages of four cores with two PUs; the first two cores of each on one node, the others on another. */
static struct machine two_packages(void) {
    struct machine m = fixture_machine(8, 0);
    free(m.nodes);
    m.node_count = 5;
    m.nodes = calloc(5, sizeof *m.nodes);
    m.package_count = 2;
    for (unsigned i = 0; i < 8; i++) {
        m.cores[i].package = i / 4;
        m.cores[i].node = i / 2;
        m.cores[i].pu_count = 2;
        m.cores[i].pus[0] = 2 * i, m.cores[i].pus[1] = 2 * i + 1;
        memcpy(m.cores[i].cache_instance[1], m.cores[i].cache_instance[0], sizeof m.cores[i].cache_instance[0]);
    }
    m.cores[7].pu_count = 1; /* its second PU is not allowed */
    return m;
}

static struct team placed(const struct machine *m, struct place place, unsigned count) {
    struct team team;
    struct error err;
    if (!team_place(&team, m, TEAM_ANY_KIND, &place, count, &err))
        fail_msg("%s", err.text);
    return team;
}

static void cores_of_a_place(void **state) {
    (void)state;
    struct machine m = two_packages();
    struct team team = placed(&m, (struct place){.package = 2}, 3);
    assert_string_equal(team.cpus, "8,10,12");
    assert_int_equal(team.memory_node[1], 2);
    assert_int_equal(team.memory_node[2], 3);
    assert_int_equal(team.rank_on_node[2], 0);
    team_free(&team);
    team = placed(&m, (struct place){.node = 2, .memory_node = 5}, 2); /* all buffers on a node without cores */
    assert_string_equal(team.cpus, "4,6");
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(team.memory_node[i], 4);
        assert_int_equal(team.rank_on_node[i], i);
    }
    team_free(&team);
    assert_int_equal(team_capacity(&m, TEAM_ANY_KIND, &(struct place){.package = 1, .node = 1}), 2);
    assert_int_equal(team_capacity(&m, TEAM_ANY_KIND, &(struct place){.package = 2, .node = 1}), 0);
    struct error err;
    assert_false(team_place(&team, &m, TEAM_ANY_KIND, &(struct place){.node = 4}, 3, &err));
    assert_contains(err.text, "at most 2");
    team_free(&team); /* permitted after a failure */
    machine_free(&m);
}

static void every_pu_of_a_core_first(void **state) {
    (void)state;
    struct machine m = two_packages();
    struct place smt = {.smt = true};
    assert_int_equal(team_capacity(&m, TEAM_ANY_KIND, &smt), 15);
    struct team team = placed(&m, smt, 3);
    assert_string_equal(team.cpus, "0-2");
    assert_int_equal(team.core_count, 2);
    assert_ptr_equal(team.cores[0], team.cores[1]);
    assert_int_equal(team_sharing(&team, &m, "L1"), 2); /* two threads in one L1 */
    team_free(&team);
    for (unsigned i = 0; i < 8; i++)
        for (unsigned pu = 0; pu < 2; pu++)
            m.cores[i].cache_instance[pu][0] = 2 * i + pu;
    team = placed(&m, smt, 4);
    assert_int_equal(team_sharing(&team, &m, "L1"), 1); /* each PU has its own L1 */
    assert_int_equal(team_sharing(&team, &m, "L2"), 2);
    team_free(&team);
    team = placed(&m, smt, 15);
    assert_int_equal(team.core_count, 8);
    assert_int_equal(team.pus[14], 14);
    team_free(&team);
    struct error err;
    assert_false(team_place(&team, &m, TEAM_ANY_KIND, &smt, 16, &err));
    assert_contains(err.text, "at most 15");
    machine_free(&m);
}

/* First one on each core, then on the cores' other PUs, then in turns; two on one PU share a cache place. */
static void crowds_share_cores_and_take_turns(void **state) {
    (void)state;
    static const struct {
        unsigned threads, cores, cpus;
        const char *on;
    } rows[] = {{1, 1, 1, "0"},
                {8, 8, 8, "0,2,4,6,8,10,12,14"},
                {9, 8, 9, "0,2,4,6,8,10,12,14,1"},
                {15, 8, 15, "0,2,4,6,8,10,12,14,1,3,5,7,9,11,13"},
                {16, 8, 15, "0,2,4,6,8,10,12,14,1,3,5,7,9,11,13,0"}};
    struct machine m = two_packages();
    struct team team;
    struct error err;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const struct team_spread spread = team_spread(&m, rows[r].threads);
        if (!team_crowd(&team, &m, rows[r].threads, &err))
            fail_msg("%s", err.text);
        assert_int_equal(team.count, rows[r].threads);
        assert_string_equal(team.cpus, rows[r].on);
        assert_true(team.core_count == rows[r].cores && team.cpu_count == rows[r].cpus);
        assert_true(spread.cores == rows[r].cores && spread.cpus == rows[r].cpus);
        for (unsigned i = 8; i < team.count; i++)
            assert_ptr_equal(team.cores[i], i < 15 ? team.cores[i - 8] : team.cores[0]);
        team_free(&team);
    }
    assert_false(team_crowd(&team, &m, 15 * TEAM_TURNS_MOST + 1, &err));
    assert_contains(err.text, "at most 960 (64 on each CPU)");
    assert_false(team_crowd(&team, &m, 0, &err));
    machine_free(&m);
}

static atomic_uint ran;

static void note_thread(unsigned thread, void *context) {
    (void)context;
    ran |= 1u << thread;
    team_barrier();
}

/* Four threads on each CPU of any machine. */
static void turns_are_taken_here(void **state) {
    (void)state;
    struct machine here;
    struct team team;
    struct error err;
    if (!machine_load(&here, NULL, &err) || !team_crowd(&team, &here, 5, &err) ||
        !team_run(&team, note_thread, NULL, &err))
        fail_msg("%s", err.text);
    assert_int_equal(ran, 31);
    team_free(&team);
    machine_free(&here);
}

static void cpus_as_text(void **state) {
    (void)state;
    static const struct {
        unsigned count, pus[6];
        const char *text;
    } rows[] = {
        {1, {7}, "7"},           {2, {0, 1}, "0-1"}, {3, {0, 2, 4}, "0,2,4"}, {6, {0, 1, 2, 5, 8, 9}, "0-2,5,8-9"},
        {3, {3, 2, 1}, "3,2,1"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct machine m = fixture_machine(rows[r].count, 0);
        for (unsigned i = 0; i < rows[r].count; i++)
            m.cores[i].pus[0] = rows[r].pus[i];
        struct team team = chosen(&m, TEAM_ANY_KIND, rows[r].count);
        assert_string_equal(team.cpus, rows[r].text);
        team_free(&team);
        machine_free(&m);
    }
    struct machine m = fixture_machine(512, 0);
    for (unsigned i = 0; i < 512; i++)
        m.cores[i].pus[0] = 1000000 + 3 * i;
    struct team team = chosen(&m, TEAM_ANY_KIND, 512);
    assert_true(strlen(team.cpus) < sizeof team.cpus);
    assert_string_equal(team.cpus + strlen(team.cpus) - strlen(",…"), ",…");
    team_free(&team);
    machine_free(&m);
}

static void sharing_of_caches(void **state) {
    (void)state;
    struct machine m = fixture_hybrid(2, 8);
    struct team team = chosen(&m, TEAM_ANY_KIND, 10);
    assert_int_equal(team_sharing(&team, &m, "L1"), 1);
    assert_int_equal(team_sharing(&team, &m, "L2"), 4);
    assert_int_equal(team_sharing(&team, &m, "L3"), 10);
    team_free(&team);
    team = chosen(&m, TEAM_ANY_KIND, 4); /* two P and two E */
    assert_int_equal(team_sharing(&team, &m, "L2"), 2);
    assert_int_equal(team_sharing(&team, &m, "L3"), 4);
    team_free(&team);
    machine_free(&m);
    m = fixture_machine(40, 0); /* two slices of L3: 32 and 8 cores */
    team = chosen(&m, TEAM_ANY_KIND, 40);
    assert_int_equal(team_sharing(&team, &m, "L3"), 32);
    team_free(&team);
    machine_free(&m);
}

enum { MAX = 1024 };
static int ran_on[MAX];
static _Atomic unsigned calls, arrived;

static void note_cpu(unsigned thread, void *context) {
    calls++;
    ran_on[thread] = sched_getcpu();
    arrived++;
    team_barrier();
    if (arrived != *(unsigned *)context) /* after the barrier all have arrived */
        ran_on[thread] = -1;
}

static void threads_run_where_said(void **state) {
    (void)state;
    struct machine m;
    struct error err;
    if (!machine_load(&m, NULL, &err))
        fail_msg("%s", err.text);
    unsigned most = m.core_count < MAX ? m.core_count : MAX;
    for (unsigned count = 1; count <= most; count = count == most ? count + 1 : most) {
        struct team team = chosen(&m, TEAM_ANY_KIND, count);
        for (int round = 0; round < 3; round++) {
            calls = arrived = 0;
            if (!team_run(&team, note_cpu, &count, &err))
                fail_msg("%s", err.text);
            assert_int_equal(calls, count);
            for (unsigned i = 0; i < count; i++)
                assert_int_equal(ran_on[i], team.cores[i]->pus[0]);
        }
        team_free(&team);
    }
    machine_free(&m);
}

static void a_pin_that_fails_is_an_error(void **state) {
    (void)state;
    struct machine m = fixture_machine(1, 0);
    m.cores[0].pus[0] = 100000; /* no machine has it */
    struct team team = chosen(&m, TEAM_ANY_KIND, 1);
    struct error err;
    unsigned one = 1;
    calls = 0;
    assert_false(team_run(&team, note_cpu, &one, &err));
    assert_int_equal(calls, 0);
    assert_contains(err.text, "100000");
    assert_contains(err.text, "taskset");
    team_free(&team);
    machine_free(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cores_in_the_machines_order),
        cmocka_unit_test(too_many_is_an_error_with_a_remedy),
        cmocka_unit_test(cores_of_a_place),
        cmocka_unit_test(every_pu_of_a_core_first),
        cmocka_unit_test(crowds_share_cores_and_take_turns),
        cmocka_unit_test(turns_are_taken_here),
        cmocka_unit_test(cpus_as_text),
        cmocka_unit_test(sharing_of_caches),
        cmocka_unit_test(threads_run_where_said),
        cmocka_unit_test(a_pin_that_fails_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
