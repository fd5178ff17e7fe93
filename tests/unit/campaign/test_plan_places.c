/* SPDX-License-Identifier: BSD-3-Clause
 * Plans for parts of machines: kinds of cores, packages and nodes, kinds of memory, cores with several threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/planned.h"

/* The number of steps at a place; `*threads`: their threads. */
static size_t count_at(const struct plan *plan, struct place place, unsigned *threads) {
    size_t count = 0;
    for (size_t i = 0; i < plan->count; i++)
        if (team_same_place(&plan->steps[i].place, &place)) {
            *threads = plan->steps[i].threads;
            count++;
        }
    return count;
}

static void hybrid_machines(void **state) {
    (void)state;
    struct machine m = fixture_hybrid(4, 8);
    struct plan plan = planned(&m, &(struct plan_options){0});
    check(&plan, &m);
    assert_true(count_of_kind(&plan, 0, 1) > 0 && count_of_kind(&plan, 1, 1) > 0);
    assert_true(count_of_kind(&plan, 0, 4) > 0 && count_of_kind(&plan, 1, 8) > 0);
    assert_true(count_of_kind(&plan, TEAM_ANY_KIND, 12) > 0);
    assert_int_equal(count_of_kind(&plan, TEAM_ANY_KIND, 1), 0);
    size_t all = count_of_kind(&plan, 0, 1) + count_of_kind(&plan, 1, 1) + count_of_kind(&plan, 0, 4) +
                 count_of_kind(&plan, 1, 8) + count_of_kind(&plan, TEAM_ANY_KIND, 12);
    assert_int_equal(plan.count, all);
    plan_free(&plan);

    plan = planned(&m, &(struct plan_options){.threads = {1, 4, 6, 8, 0}, .thread_count = 5});
    check(&plan, &m); /* 4 is all of the P cores, 8 all of the E cores: nothing twice */
    plan_free(&plan);
    machine_free(&m);
    m = fixture_hybrid(1, 4); /* one large core: its "1" and its "all" are equal */
    plan = planned(&m, &(struct plan_options){0});
    check(&plan, &m);
    plan_free(&plan);
    machine_free(&m);
}

/* Threads of all kinds together stay within the levels that all have, with the smallest size of each. */
static void common_levels(void **state) {
    (void)state;
    struct machine m = fixture_hybrid(4, 8);
    struct levels levels[MACHINE_MAX_KINDS], common;
    m.kinds[1].caches[1].size_bytes = MIB(1);
    fixture_levels(&m, levels);
    common = plan_levels(&m, levels, TEAM_ANY_KIND);
    assert_int_equal(common.count, 4);
    assert_int_equal(common.level[0].effective_bytes, KIB(32));
    assert_int_equal(common.level[1].effective_bytes, MIB(1));
    assert_int_equal(plan_levels(&m, levels, 0).level[0].effective_bytes, KIB(48));
    m.kinds[1].cache_count = 2; /* efficient cores without the L3 */
    fixture_levels(&m, levels);
    common = plan_levels(&m, levels, TEAM_ANY_KIND);
    assert_int_equal(common.count, 3);
    assert_string_equal(common.level[2].name, "DRAM");
    struct plan plan = planned(&m, &(struct plan_options){0});
    check(&plan, &m);
    assert_true(find(&plan, "avx2.load", 3, 4) && find(&plan, "avx2.load", 2, 8) && find(&plan, "avx2.load", 2, 12));
    assert_null(find(&plan, "avx2.load", 3, 12));
    struct sample sample = {0};
    plan_describe(find(&plan, "avx2.load", 2, 12), &m, levels, &sample);
    assert_string_equal(sample.level, "DRAM");
    assert_string_equal(sample.core_kind, "");
    assert_int_equal(sample.threads, 12);
    plan_describe(find(&plan, "avx2.load", 3, 4), &m, levels, &sample);
    assert_string_equal(sample.core_kind, "P");
    plan_free(&plan);
    machine_free(&m);
}

static struct machine recorded(const char *name);

/* All kinds together: levels by name, and no set within the cache that only P cores have. */
static void levels_that_differ_in_number(void **state) {
    (void)state;
    struct machine m = recorded("arrow_lake_h");
    struct levels levels[MACHINE_MAX_KINDS], common;
    fixture_levels(&m, levels);
    assert_int_equal(levels[0].count, 5);
    common = plan_levels(&m, levels, TEAM_ANY_KIND); /* the LP-E cores have L1 and L2 */
    assert_int_equal(common.count, 3);
    assert_string_equal(common.level[1].name, "L2");
    assert_int_equal(common.level[1].effective_bytes, MIB(2));
    assert_int_equal(common.level[1].inner_bytes, KIB(192));
    const struct window window = levels_window(&common, 1, (unsigned[]){1, 4});
    assert_true(window.low_bytes > KIB(192));
    m.kind_count = 2; /* P and E cores, as in Arrow Lake-S */
    m.core_count = 14;
    common = plan_levels(&m, levels, TEAM_ANY_KIND);
    assert_int_equal(common.count, 4);
    assert_string_equal(common.level[2].name, "L3");
    struct plan plan = planned(&m, &(struct plan_options){0});
    check(&plan, &m);
    const struct plan_step *l3 = find(&plan, "avx2.load", 2, 14);
    assert_non_null(l3);
    assert_in_range(l3->size_bytes[l3->middle_size] * 14, MIB(8), MIB(24)); /* all cores share it */
    plan_free(&plan);
    machine_free(&m);
}

static struct machine recorded(const char *name) {
    char path[64];
    struct machine m;
    struct error err;
    snprintf(path, sizeof path, "tests/topologies/%s.xml", name);
    if (!machine_load(&m, path, &err))
        fail_msg("%s", err.text);
    m.cpu.features = FIXTURE_AVX512; /* not in the recording */
    return m;
}

/* Two packages with a node each: one placement for both names, and four pairs of nodes. */
static void packages_and_nodes(void **state) {
    (void)state;
    struct machine m = recorded("server");
    struct plan plan = planned(&m, &(struct plan_options){0});
    unsigned threads = 0;
    check(&plan, &m);
    assert_true(count_at(&plan, (struct place){.package = 1, .node = 1}, &threads) > 10);
    assert_int_equal(threads, 4);
    assert_int_equal(count_at(&plan, (struct place){.package = 1}, &threads), 0);
    assert_int_equal(count_at(&plan, (struct place){.node = 1}, &threads), 0);
    for (unsigned i = 1; i <= 2; i++)
        for (unsigned j = 1; j <= 2; j++) { /* one thread's latency, and the bandwidth of all four */
            assert_int_equal(count_at(&plan, (struct place){.node = i, .memory_node = j}, &threads), 2);
            assert_int_equal(threads, 4);
        }
    for (size_t i = 0; i < plan.count; i++)
        if (plan.steps[i].place.memory_node)
            assert_true(plan.steps[i].memory &&
                        strcmp(plan.steps[i].kernel, plan.steps[i].threads == 1 ? "chase" : "avx512.load") == 0);
    struct sample sample = {0};
    struct levels levels[MACHINE_MAX_KINDS];
    fixture_levels(&m, levels);
    plan_describe(&plan.steps[plan.count - 1], &m, levels, &sample);
    assert_int_equal(sample.node, 2); /* OS index 1 */
    assert_int_equal(sample.memory_node, 2);
    assert_int_equal(sample.package, 0);
    plan_free(&plan);

    plan = planned(&m, &(struct plan_options){.threads = {1, 0}, .thread_count = 2}); /* no parts of the machine */
    check(&plan, &m);
    assert_int_equal(count_at(&plan, (struct place){0}, &threads), plan.count);
    plan_free(&plan);
    plan = planned(&m, &(struct plan_options){.levels = {"L1"}, .level_count = 1});
    assert_int_equal(count_at(&plan, (struct place){.node = 1, .memory_node = 1}, &threads), 0);
    plan_free(&plan);
    plan = planned(&m, &(struct plan_options){.mixes = {"store"}, .mix_count = 1});
    assert_int_equal(count_at(&plan, (struct place){.node = 1, .memory_node = 2}, &threads), 0);
    plan_free(&plan);
    machine_free(&m);

    m = recorded("nodes"); /* two packages of two nodes: package and node differ */
    plan = planned(&m, &(struct plan_options){0});
    check(&plan, &m);
    assert_true(count_at(&plan, (struct place){.package = 1}, &threads) > 10);
    assert_int_equal(threads, 8);
    assert_true(count_at(&plan, (struct place){.node = 1}, &threads) > 10);
    assert_int_equal(threads, 4);
    for (unsigned i = 1; i <= 4; i++)
        for (unsigned j = 1; j <= 4; j++)
            assert_int_equal(count_at(&plan, (struct place){.node = i, .memory_node = j}, &threads), 2);
    plan_free(&plan);
    machine_free(&m);

    m = recorded("no_memory"); /* two of four nodes have cores and no memory: their cores use the others */
    plan = planned(&m, &(struct plan_options){0});
    check(&plan, &m);
    for (size_t i = 0; i < plan.count; i++)
        if (plan.steps[i].place.memory_node)
            assert_true(m.nodes[plan.steps[i].place.memory_node - 1].memory_bytes > 0);
    assert_int_equal(count_at(&plan, (struct place){.node = 1, .memory_node = 1}, &threads), 2);
    assert_int_equal(threads, m.nodes[0].core_count);
    assert_int_equal(count_at(&plan, (struct place){.node = 2, .memory_node = 1}, &threads), 0);
    plan_free(&plan);
    machine_free(&m);
}

/* Memory of another kind than the cores' own has all patterns, from its nearest cores. */
static void memory_of_another_kind(void **state) {
    (void)state;
    struct machine m = recorded("memory");
    struct levels levels[MACHINE_MAX_KINDS];
    struct plan plan = planned(&m, &(struct plan_options){0});
    unsigned threads = 0;
    check(&plan, &m);
    fixture_levels(&m, levels);
    assert_true(count_at(&plan, (struct place){.node = 1, .memory_node = 2}, &threads) > 15);
    assert_int_equal(threads, 4);
    assert_int_equal(count_at(&plan, (struct place){.node = 3, .memory_node = 2}, &threads), 2); /* a distant node */
    assert_int_equal(count_at(&plan, (struct place){.node = 3, .memory_node = 4}, &threads), 2); /* like the first */
    assert_true(count_at(&plan, (struct place){.memory_like = 2}, &threads) > 15);
    assert_int_equal(threads, 8); /* all cores, each with the HBM beside it */
    struct team team;
    struct error err;
    assert_true(team_place(&team, &m, TEAM_ANY_KIND, &(struct place){.memory_like = 2}, 8, &err));
    for (unsigned t = 0; t < 8; t++)
        assert_int_equal(team.memory_node[t], t < 4 ? 1 : 3);
    team_free(&team);
    assert_int_equal(count_at(&plan, (struct place){.node = 1, .memory_node = 5}, &threads), 2); /* memory of a card */
    unsigned hbm = 0;
    for (size_t i = 0; i < plan.count; i++) {
        struct sample sample = {0};
        plan_describe(&plan.steps[i], &m, levels, &sample);
        hbm += strcmp(sample.level, "HBM") == 0;
        assert_int_equal(strcmp(sample.level, "HBM") == 0, plan.steps[i].place.memory_node == 2 ||
                                                               plan.steps[i].place.memory_node == 4 ||
                                                               plan.steps[i].place.memory_like == 2);
    }
    assert_true(hbm > 30);
    plan_free(&plan);
    plan = planned(&m, &(struct plan_options){.levels = {"HBM"}, .level_count = 1});
    assert_int_equal(plan.count, hbm);
    plan_free(&plan);
    machine_free(&m);
    m = fixture_machine(4, FIXTURE_AVX512);
    refused(&m, &(struct plan_options){.levels = {"HBM"}, .level_count = 1}, "HBM", "carmine machine");
    machine_free(&m);
}

static void many_nodes_are_capped(void **state) {
    (void)state;
    struct machine m = fixture_machine(40, FIXTURE_AVX512);
    unsigned threads = 0;
    free(m.nodes);
    m.node_count = 20;
    m.nodes = calloc(20, sizeof *m.nodes);
    for (unsigned i = 0; i < 20; i++)
        m.nodes[i] = (struct memory_node){
            .os_index = i, .memory_bytes = GIB(8), .kind = "DRAM", .core_count = 2, .near_node = i};
    for (unsigned i = 0; i < 40; i++)
        m.cores[i].node = i / 2;
    struct plan plan = planned(&m, &(struct plan_options){0});
    check(&plan, &m);
    assert_contains(plan.note, "first 16 of 20");
    assert_int_equal(count_at(&plan, (struct place){.node = 16, .memory_node = 16}, &threads), 2);
    assert_int_equal(count_at(&plan, (struct place){.node = 17, .memory_node = 1}, &threads), 0);
    assert_int_equal(count_at(&plan, (struct place){.node = 1, .memory_node = 17}, &threads), 0);
    plan_free(&plan);
    machine_free(&m);
}

static void smt(void **state) {
    (void)state;
    struct machine m = recorded("server"); /* 8 cores of 2 PUs */
    unsigned threads = 0, two = 0;
    struct plan plan = planned(&m, &(struct plan_options){.smt = true});
    check(&plan, &m);
    assert_int_equal(count_at(&plan, (struct place){.smt = true}, &threads), plan.count);
    for (size_t i = 0; i < plan.count; i++) {
        assert_true(plan.steps[i].threads == 2 || plan.steps[i].threads == 16);
        two += plan.steps[i].threads == 2;
        if (plan.steps[i].threads == 2 && plan.steps[i].level == 0) /* two buffers in one L1 */
            assert_true(plan.steps[i].size_bytes[plan.steps[i].size_count - 1] <= KIB(12));
    }
    assert_true(two > 50 && two < plan.count);
    struct sample sample = {0};
    struct levels levels[MACHINE_MAX_KINDS];
    fixture_levels(&m, levels);
    plan_describe(&plan.steps[0], &m, levels, &sample);
    assert_int_equal(sample.cores, 1);
    plan_free(&plan);
    machine_free(&m);
    m = recorded("smt_guest"); /* each PU has its own L1 of 32 KiB */
    plan = planned(&m, &(struct plan_options){.smt = true});
    check(&plan, &m);
    for (size_t i = 0; i < plan.count; i++)
        if (plan.steps[i].level == 0) {
            assert_in_range(plan.steps[i].size_bytes[plan.steps[i].size_count - 1], KIB(12), KIB(16));
            assert_false(doubts_has(plan.steps[i].doubts, DOUBT_SHARED_CACHE));
        }
    plan_free(&plan);
    machine_free(&m);
    m = fixture_machine(4, FIXTURE_AVX512);
    refused(&m, &(struct plan_options){.smt = true}, "second usable CPU", "--smt");
    machine_free(&m);
}

static void recorded_machines(void **state) {
    (void)state;
    static const char *const names[] = {
        "server",         "clusters",  "no_l3", "no_caches", "hybrid",    "pus_512",   "memory",
        "cpuset",         "offline",   "dense", "nodes",     "no_memory", "smt_guest", "half_cores",
        "full_and_dense", "graviton3", "grace", "a64fx",     "altra",     "apple_m1",  "gb10"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[64];
        struct machine m;
        struct error err;
        snprintf(path, sizeof path, "tests/topologies/%s.xml", names[i]);
        if (!machine_load(&m, path, &err))
            fail_msg("%s", err.text);
        m.cpu.features = FIXTURE_AVX512; /* not in the recording */
        struct plan plan = planned(&m, &(struct plan_options){0});
        check(&plan, &m);
        plan_free(&plan);
        machine_free(&m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hybrid_machines),
        cmocka_unit_test(common_levels),
        cmocka_unit_test(levels_that_differ_in_number),
        cmocka_unit_test(packages_and_nodes),
        cmocka_unit_test(memory_of_another_kind),
        cmocka_unit_test(many_nodes_are_capped),
        cmocka_unit_test(smt),
        cmocka_unit_test(recorded_machines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
