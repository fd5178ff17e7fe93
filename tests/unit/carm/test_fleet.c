/* SPDX-License-Identifier: BSD-3-Clause
 * Fleets of made-up nodes: which faults are distinguished, and that noise is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <omp.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/report/fleet_report.h"
#include "carm/fleet/node_health.h"
#include "carm/store/file_io.h"
#include "carm/store/results.h"
#include "tests/support/fixtures.h"
#include "tests/support/fleets.h"

static const struct fault {
    void (*plant)(struct fleet *fleet, size_t node);
    const char *diagnosis, *text, *roof;
} FAULTS[] = {
    {throttle, "throttled socket", "and the core clock is low, 2.", ""},
    {steal_cycles, "throttled socket", "at the usual clock", ""},
    {lose_channel, "lost DIMM or channel", "a DIMM or memory channel is missing or slow", "DRAM"},
    {lose_channel_of_twelve, "lost DIMM or channel", "a DIMM or memory channel is missing or slow", "DRAM"},
    {cap_clock, "throttled socket", "and the core clock is low, 2.", ""},
    {stop_prefetching, "prefetchers off", "hardware prefetchers are switched off", "DRAM"},
    {lose_capacity, "lost DIMM or channel", ": a DIMM is missing", NULL},
    {halve_l3, "L3 partition", "found to end near 32 MiB (usual: 64 MiB); L3 bandwidth is", "L3"},
    {halve_l3_size, "L3 partition", "found to end near 32 MiB (usual: 64 MiB)", NULL},
    {kill_fma, "dead FMA unit", "FMA of avx512 is", ""},
    {kill_vectors, "dead FMA unit", "all arithmetic of avx512 is", ""},
    {slow_avx512, "slow instruction set", "a lower clock limit of such code", ""},
    {switch_prefetchers_off, "slow core cache", "prefetchers or firmware settings differ", "L2"},
    {slow_latency, "slow memory latency", "slower memory or interconnect", "DRAM"},
    {slow_under_load, "slow under load", "DRAM loaded.load.80, all cores is ", "DRAM"},
    {speed_up, "faster than its group", "or newer parts", ""},
    {swap, "swapped host", "it has another CPU: Another CPU; hosts with such names have Made-up CPU", NULL},
    {take_name, "duplicate host name", "names the same host", NULL},
    {cut_run, "incomplete", "4 roofs of its group are missing", NULL},
    {give_fewer_cores, "other number of cores", "16 of its 32 cores were measured (usual: 32)", NULL},
    {limit_time, "CPU quota", "grants 8.00 of its 64 CPUs' time (usual: no limit)", NULL},
    {hog, "others active", "% below the group's, and \"hog\" used 1.00 CPUs while it was measured", "DRAM"},
    {slow_one_roof, "one slow roof", "avx512.f64.fma, all cores alone is 1", ""},
};

static void noise_is_no_fault(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct fleet fleet = make_fleet(NODES, seed);
        struct verdict_of_fleet verdict = judge(&fleet);
        if (verdict.report.count)
            fail_msg("seed %d: %s", (int)seed, verdict.report.outliers[0].text);
        assert_int_equal(verdict.groups.count, 1);
        assert_string_equal(verdict.groups.groups[0].name, "Made-up CPU · 32 cores · 256 GiB");
        free_all(&fleet, &verdict);
    }
}

static void each_fault_is_told(void **state) {
    (void)state;
    for (size_t f = 0; f < sizeof FAULTS / sizeof FAULTS[0]; f++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            const size_t faulty = 10 * seed;
            struct fleet fleet = make_fleet(NODES, seed);
            FAULTS[f].plant(&fleet, faulty);
            struct verdict_of_fleet verdict = judge(&fleet);
            if (verdict.report.count != 1)
                fail_msg("%s: %zu outliers", FAULTS[f].diagnosis, verdict.report.count);
            const struct fleet_outlier *outlier = &verdict.report.outliers[0];
            assert_int_equal(outlier->node, faulty);
            assert_string_equal(outlier->diagnosis, FAULTS[f].diagnosis);
            assert_contains(outlier->text, FAULTS[f].text);
            if (!FAULTS[f].roof) {
                assert_true(outlier->key == FLEET_NONE);
            } else {
                assert_string_equal(fleet.keys.keys[outlier->key].level, FAULTS[f].roof);
                assert_near(outlier->deviation, outlier->value / outlier->median - 1);
                assert_true(fabs(outlier->z) > 5);
            }
            free_all(&fleet, &verdict);
        }
}

/* The effect of each fault on the health of its node. A node that has become faster is well. One more result does not
 * show whether a host of the same name is the same host or another. */
static void each_fault_is_bad_for_health(void **state) {
    (void)state;
    for (size_t f = 0; f < sizeof FAULTS / sizeof FAULTS[0]; f++) {
        struct fleet fleet = make_fleet(NODES, 1);
        FAULTS[f].plant(&fleet, 7);
        fleet.nodes[7].path = "own";
        const struct health health = health_judge(&fleet, fleet.nodes[7].path);
        const bool told = FAULTS[f].plant != speed_up && FAULTS[f].plant != take_name && FAULTS[f].plant != cut_run &&
                          FAULTS[f].plant != slow_under_load &&      /* a short measurement has no figures */
                          FAULTS[f].plant != lose_channel_of_twelve; /* four sigmas of a single roof */
        const bool by_name = FAULTS[f].plant != slow_one_roof;       /* here only the roof's class is named */
        if (told && (health.verdict != HEALTH_SLOW || (by_name && !strstr(health.text, FAULTS[f].diagnosis))))
            fail_msg("%s: %s", FAULTS[f].diagnosis, health.text);
        if (!told)
            assert_int_not_equal(health.verdict, HEALTH_SLOW);
        fleet_free(&fleet);
    }
}

static void health_raises_no_false_alarm(void **state) {
    enum { GROUP = 40, QUIET_NODES = 1000 };
    size_t alarms = 0;
    (void)state;
    for (size_t i = 0; i < QUIET_NODES; i++) {
        struct fleet fleet = make_fleet(GROUP, 1 + i);
        fleet.nodes[i % GROUP].path = "own";
        alarms += health_judge(&fleet, fleet.nodes[i % GROUP].path).verdict != HEALTH_OK;
        fleet_free(&fleet);
    }
    assert_in_range(alarms, 0, 1);
}

static void health_says_how_much_of_the_group(void **state) {
    (void)state;
    struct fleet fleet = make_fleet(NODES, 3);
    fleet.nodes[0].path = "own";
    lose_channel(&fleet, 0);
    struct health health = health_judge(&fleet, fleet.nodes[0].path);
    assert_int_equal(health.verdict, HEALTH_SLOW);
    assert_contains(health.text, "lost DIMM or channel: ");
    assert_contains(health.text, "L3 ");
    assert_contains(health.text, ", DRAM 7");
    assert_contains(health.text, " % of the group");
    fleet_free(&fleet);
    fleet = make_fleet(2, 3); /* its own and one: no group */
    fleet.nodes[0].path = "own";
    health = health_judge(&fleet, fleet.nodes[0].path);
    assert_int_equal(health.verdict, HEALTH_UNKNOWN);
    assert_contains(health.text, "1 other result of this machine type");
    fleet_free(&fleet);
    fleet = make_fleet(NODES, 3); /* if the baseline measured more, the node does not lack these roofs */
    fleet.nodes[5].path = "own";
    for (size_t i = 0; i < fleet.nodes[5].count;) {
        struct fleet_node *node = &fleet.nodes[5];
        if (strstr(fleet.keys.keys[node->values[i].key].kernel, "2ld1st"))
            node->values[i] = node->values[--node->count];
        else
            i++;
    }
    assert_int_equal(health_judge(&fleet, fleet.nodes[5].path).verdict, HEALTH_OK);
    fleet_free(&fleet);
    fleet = make_fleet(NODES, 3); /* a node lacks the ceilings of an instruction set that is switched off */
    fleet.nodes[5].path = "own";
    for (size_t i = 0; i < fleet.nodes[5].count;) {
        struct fleet_node *node = &fleet.nodes[5];
        if (strncmp(fleet.keys.keys[node->values[i].key].kernel, "avx512.f64", 10) == 0)
            node->values[i] = node->values[--node->count];
        else
            i++;
    }
    health = health_judge(&fleet, fleet.nodes[5].path);
    assert_int_equal(health.verdict, HEALTH_SLOW);
    assert_contains(health.text, "incomplete: ");
    fleet_free(&fleet);
}

static size_t lines_with(const char *text, const char *part) {
    size_t count = 0;
    for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1)
        count += memmem(line, (size_t)(end - line), part, strlen(part)) != NULL;
    return count;
}

/* Twenty equally slow nodes are reported once; programs are reported for each node. */
static void alike_nodes_are_told_once(void **state) {
    (void)state;
    struct fleet fleet = make_fleet(NODES, 1);
    for (size_t n = 0; n < 20; n++)
        throttle(&fleet, n);
    lose_channel(&fleet, 30), lose_channel(&fleet, 31);
    slow_clock(&fleet, 40, 0.6); /* the same diagnosis with another amount */
    throttle(&fleet, 41), lose_channel(&fleet, 41);
    throttle(&fleet, 42), halve_l3_size(&fleet, 42);
    throttle(&fleet, 43), lose_capacity(&fleet, 43);
    throttle(&fleet, 44), lose_capacity(&fleet, 44), lose_capacity(&fleet, 44);
    lose_capacity(&fleet, 50), lose_capacity(&fleet, 51);
    fleet.nodes[51].machine.memory_bytes -= GIB(32);
    take_name(&fleet, 52), take_name(&fleet, 53); /* each is shown the file that names it, too */
    fleet.nodes[52].path = "elsewhere";
    struct verdict_of_fleet verdict = judge(&fleet);
    assert_int_equal(verdict.report.count, 20 + 2 + 5 + 2 + 2);
    size_t sets = 0, told = 0;
    for (size_t i = 0; i < verdict.report.count; i++) {
        const struct fleet_outlier *outlier = &verdict.report.outliers[i],
                                   *first = &verdict.report.outliers[outlier->first_alike];
        assert_true(outlier->first_alike <= i && first->first_alike == outlier->first_alike);
        assert_int_equal(verdict.groups.groups[0].members[outlier->member], outlier->node);
        sets += outlier->alike_count > 0;
        told += outlier->alike_count;
        if (outlier->node < 20) {
            assert_int_equal(first->alike_count, 20);
            assert_true(first->node < 20);
        }
    }
    assert_int_equal(told, verdict.report.count);
    assert_int_equal(sets, 1 + 1 + 5 + 2 + 2);
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    fleet_print(&fleet, &verdict.groups, &verdict.report, false, out);
    fclose(out);
    assert_int_equal(lines_with(text, "throttled socket"), 6);
    assert_contains(text, "\nnode0 and 19 alike  throttled socket");
    assert_contains(text,
                    "\n20 nodes alike (node0, node1, node10, node11, node12, node13, node14, node15, node16, node17 "
                    "and 10 more): another CPU, or other settings? node0 (");
    assert_contains(text, "\n2 nodes alike (node30, node31), such as node30 (");
    free(text);
    out = open_memstream(&text, &bytes);
    fleet_csv(&fleet, &verdict.groups, &verdict.report, out);
    fclose(out);
    assert_int_equal(lines_with(text, ",\"throttled socket\","), 25);
    free(text);
    json_t *json = fleet_json(&fleet, &verdict.groups, &verdict.report);
    assert_int_equal(json_array_size(json_object_get(json, "outliers")), verdict.report.count);
    json_decref(json);
    free_all(&fleet, &verdict);
}

/* Concurrent faults, in one fleet and in one node: the gravest is named, the text shows all. */
static void several_faults(void **state) {
    (void)state;
    struct fleet fleet = make_fleet(NODES, 1);
    throttle(&fleet, 7);
    lose_channel(&fleet, 7);
    kill_fma(&fleet, 30);
    slow_latency(&fleet, 31);
    struct verdict_of_fleet verdict = judge(&fleet);
    assert_int_equal(verdict.report.count, 3);
    assert_string_equal(verdict.report.outliers[0].diagnosis, "dead FMA unit"); /* by host: node30, node31, node7 */
    assert_string_equal(verdict.report.outliers[2].diagnosis, "throttled socket");
    assert_contains(verdict.report.outliers[2].text, "; DRAM bandwidth is");
    assert_int_equal(verdict.groups.groups[0].outlier_count, 3);
    free_all(&fleet, &verdict);
}

/* How many sigmas a roof is off, relative to the roofs that flagged it: even if all others agree better than by chance,
 * and a sigma is a tenth of the tolerance. */
static void sigmas_are_of_one_kind(void **state) {
    (void)state;
    static const struct {
        size_t roof; /* one of three of its class, so that it alone is slow */
        float factor;
    } rows[] = {{0, 0.85F}, {2, 0.75F}, {ROOF_COUNT + 1, 0.9F}};
    const double sigma = 2 * 0.03 / 10;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct fleet fleet = make_fleet(NODES, 1);
        for (size_t n = 1; n < NODES; n++)
            memcpy(fleet.nodes[n].values, fleet.nodes[0].values, fleet.nodes[0].count * sizeof *fleet.nodes[0].values);
        struct fleet_value *value = &fleet.nodes[5].values[rows[i].roof];
        const double usual = (double)value->value;
        value->value *= rows[i].factor;
        struct verdict_of_fleet verdict = judge(&fleet);
        assert_int_equal(verdict.report.count, 1);
        const struct fleet_outlier *outlier = &verdict.report.outliers[0];
        assert_string_equal(outlier->diagnosis, "one slow roof");
        assert_near(verdict.groups.groups[0].roofs[value->key].sigma, sigma);
        assert_near(outlier->z, ((double)value->value / usual - 1) / sigma);
        free_all(&fleet, &verdict);
    }
}

static void doubtful_roofs(void **state) {
    (void)state;
    struct fleet fleet = make_fleet(NODES, 1);
    slow_one_roof(&fleet, 5);
    fleet.nodes[5].values[ROOF_COUNT].doubts = DOUBTS(DOUBT_UNSTABLE);
    struct verdict_of_fleet verdict = judge(&fleet);
    assert_int_equal(verdict.report.count, 0); /* a slow single node means nothing if it was unstable */
    free_all(&fleet, &verdict);
}

/* Every value of a node has this uncertainty. */
static void widen(struct fleet *fleet, size_t node, float below, float above) {
    for (size_t i = 0; i < fleet->nodes[node].count; i++) {
        struct fleet_value *value = &fleet->nodes[node].values[i];
        value->low = value->value * (1 - below);
        value->high = value->value * (1 + above);
    }
}

/* A value that reaches into the usual range is not an outlier, to whichever side it is open. */
static void uncertain_nodes(void **state) {
    (void)state;
    static const struct {
        void (*plant)(struct fleet *fleet, size_t node);
        float below, above;
        bool told;
    } rows[] = {
        {throttle, 0.2F, 0.05F, true},                                           /* of 0.8: 0.84 at most */
        {throttle, 0.2F, 0.25F, false},      {slow_one_roof, 0.2F, 0.02F, true}, /* of 0.85: 0.867 at most, with a
                                                                                    tolerance of 6 % */
        {slow_one_roof, 0.2F, 0.15F, false}, {slow_latency, 0.05F, 0.3F, true},  /* for latencies more is worse */
        {slow_latency, 0.3F, 0, false},      {speed_up, 0.01F, 0.2F, true},      {speed_up, 0.2F, 0.01F, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct fleet fleet = make_fleet(NODES, 1);
        rows[i].plant(&fleet, 5);
        for (size_t n = 0; n < NODES; n++)
            widen(&fleet, n, rows[i].below, rows[i].above);
        struct verdict_of_fleet verdict = judge(&fleet);
        if (verdict.report.count != rows[i].told)
            fail_msg("row %zu: %zu outliers", i, verdict.report.count);
        free_all(&fleet, &verdict);
    }
}

/* A slow part beside a program that cannot have taken so much memory is shown first. A concurrent program is shown even
 * if nothing is slow. A program on all nodes is usual. */
static void others_explain_what_they_can(void **state) {
    (void)state;
    static const struct {
        double cpus;
        bool seen, slow;
        const char *diagnosis, *detail; /* "": nothing is shown */
    } rows[] = {
        {1, true, true, "others active", "1.0 CPUs: \"hog\""},
        {0.3, true, true, "lost DIMM or channel", ""}, /* a quarter of what ten cores reach is three cores' share */
        {0.9, true, false, "others active", "0.9 CPUs: \"hog\""},
        {0.3, true, false, "", ""},
        {4, false, true, "others active", "4.0 CPUs"}, /* several programs, or in another container */
        {0, true, true, "lost DIMM or channel", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct fleet fleet = make_fleet(NODES, 1 + i);
        struct others *others = &fleet.nodes[7].others;
        *others = (struct others){.cpus = 0};
        run_beside(&fleet, 7, rows[i].cpus);
        others->busiest_cpus = rows[i].seen ? others->busiest_cpus : 0.01;
        if (rows[i].slow)
            lose_channel(&fleet, 7);
        struct verdict_of_fleet verdict = judge(&fleet);
        assert_int_equal(verdict.report.count, *rows[i].diagnosis != '\0');
        if (verdict.report.count) {
            assert_string_equal(verdict.report.outliers[0].diagnosis, rows[i].diagnosis);
            assert_string_equal(verdict.report.outliers[0].detail, rows[i].detail);
        }
        free_all(&fleet, &verdict);
    }
}

/* Disturbance makes intervals wide: the roof is named all the same if the cause is known. */
static void others_make_intervals_wide(void **state) {
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct fleet fleet = make_fleet(NODES, 1);
        if (i == 0)
            hog(&fleet, 5);
        else
            lose_channel(&fleet, 5);
        widen(&fleet, 5, 0.1F, 0.9F);
        fleet.nodes[5].caches[2].found_bytes = fleet.nodes[4].caches[2].found_bytes;
        struct verdict_of_fleet verdict = judge(&fleet);
        assert_int_equal(verdict.report.count, i == 0);
        if (i == 0) {
            assert_string_equal(verdict.report.outliers[0].diagnosis, "others active");
            assert_string_equal(fleet.keys.keys[verdict.report.outliers[0].key].level, "DRAM");
        }
        free_all(&fleet, &verdict);
    }
}

/* All nodes are parts of one busy host. The host's load does not distinguish them; a program on one node does. */
static void busy_fleets(void **state) {
    (void)state;
    struct fleet fleet = make_fleet(NODES, 1);
    for (size_t n = 0; n < NODES; n++)
        fleet.nodes[n].others.cpus = 1.5 + 0.4 * chance_normal();
    lose_channel(&fleet, 3);
    struct verdict_of_fleet verdict = judge(&fleet);
    assert_int_equal(verdict.report.count, 1);
    assert_string_equal(verdict.report.outliers[0].diagnosis, "lost DIMM or channel");
    fleet_report_free(&verdict.report);
    fleet_groups_free(&verdict.groups);
    hog(&fleet, 4);
    fleet.nodes[4].others.cpus = 1.5;
    verdict = judge(&fleet);
    assert_int_equal(verdict.report.count, 2);
    assert_int_equal(verdict.report.outliers[1].node, 4);
    assert_string_equal(verdict.report.outliers[1].detail, "1.0 CPUs: \"hog\"");
    free_all(&fleet, &verdict);
}

static void others_raise_no_false_alarm(void **state) {
    enum { FLEETS = 50, GROUP = 40 };
    size_t alarms = 0;
    (void)state;
    for (size_t i = 0; i < FLEETS; i++) {
        struct fleet fleet = make_fleet(GROUP, 100 + i);
        struct verdict_of_fleet verdict = judge(&fleet);
        alarms += verdict.report.count;
        free_all(&fleet, &verdict);
    }
    assert_in_range(alarms, 0, FLEETS * GROUP / 1000);
}

/* A quota of the whole group is usual; a smaller one is not. */
static void quotas_of_all(void **state) {
    (void)state;
    struct fleet fleet = make_fleet(NODES, 1);
    for (size_t n = 0; n < NODES; n++)
        limit_time(&fleet, n);
    fleet.nodes[3].machine.cpu_quota_cpus = 4;
    fleet.nodes[4].machine.cpu_quota_cpus = 0;
    struct verdict_of_fleet verdict = judge(&fleet);
    assert_int_equal(verdict.report.count, 1);
    assert_int_equal(verdict.report.outliers[0].node, 3);
    assert_contains(verdict.report.outliers[0].text, "grants 4.00 of its 64 CPUs' time (usual: 8.00)");
    free_all(&fleet, &verdict);
}

/* If sweeps see L3 end anywhere, a different end is no fault. */
static void unsteady_ends(void **state) {
    (void)state;
    struct fleet fleet = make_fleet(NODES, 1);
    for (size_t n = 0; n < NODES; n++)
        fleet.nodes[n].caches[2].found_bytes = MIB(16) << n % 4;
    struct verdict_of_fleet verdict = judge(&fleet);
    assert_int_equal(verdict.report.count, 0);
    assert_int_equal(verdict.groups.groups[0].caches[2].found_bytes, 0);
    assert_int_equal(verdict.groups.groups[0].caches[1].found_bytes, MIB(1.4));
    free_all(&fleet, &verdict);
}

/* A node without any number is no usual one: its file is refused, with the remedy. */
static void blank_results_are_left_out(void **state) {
    (void)state;
    struct result r = fixture_result(fixture_machine(2, FIXTURE_AVX2), NULL);
    struct result_paths paths = {0};
    struct fleet fleet;
    struct error err = {""};
    for (size_t i = 0; i < r.sample_count; i++)
        sample_blank(&r.samples[i]);
    assert_true(results_write(&r, fixture_path("blank.json"), false, &err));
    assert_true(result_paths_add(&paths, fixture_path("blank.json"), &err));
    assert_false(fleet_read(&paths, false, &fleet, &err));
    assert_non_null(strstr(err.text, "all its roofs are blank; `carmine run --resume"));
    fleet_free(&fleet);
    result_paths_free(&paths);
    results_free(&r);
}

static void memory_sizes(void **state) {
    (void)state;
    static const struct {
        double shown_gib, sold_gib;
    } rows[] = {{23.5, 24}, {31.2, 32}, {62.5, 64}, {93.9, 96}, {125.6, 128}, {188, 192}, {251, 256}, {377, 384}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(fleet_memory_class((uint64_t)(rows[i].shown_gib * 0x1p30)), GIB(rows[i].sold_gib));
    assert_int_equal(fleet_memory_class(0), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_is_no_fault),
        cmocka_unit_test(each_fault_is_told),
        cmocka_unit_test(each_fault_is_bad_for_health),
        cmocka_unit_test(health_raises_no_false_alarm),
        cmocka_unit_test(health_says_how_much_of_the_group),
        cmocka_unit_test(several_faults),
        cmocka_unit_test(alike_nodes_are_told_once),
        cmocka_unit_test(sigmas_are_of_one_kind),
        cmocka_unit_test(doubtful_roofs),
        cmocka_unit_test(uncertain_nodes),
        cmocka_unit_test(others_explain_what_they_can),
        cmocka_unit_test(others_make_intervals_wide),
        cmocka_unit_test(busy_fleets),
        cmocka_unit_test(others_raise_no_false_alarm),
        cmocka_unit_test(quotas_of_all),
        cmocka_unit_test(unsteady_ends),
        cmocka_unit_test(blank_results_are_left_out),
        cmocka_unit_test(memory_sizes),
    };
    omp_set_num_threads(1); /* so little work takes less time than waking threads */
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
