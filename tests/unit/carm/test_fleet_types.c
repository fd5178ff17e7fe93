/* SPDX-License-Identifier: BSD-3-Clause
 * Fleets of made-up nodes: which nodes belong together, and how nodes are read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <omp.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/fleet/fleet_thresholds.h"
#include "carm/report/fleet_report.h"
#include "carm/store/results.h"
#include "tests/support/fleets.h"

static void types(void **state) {
    (void)state;
    struct fleet fleet = make_fleet(NODES, 1);
    for (size_t n = 0; n < NODES; n++) {
        struct fleet_machine *machine = &fleet.nodes[n].machine;
        if (n < 10) { /* another type, and twice as fast */
            snprintf(machine->host, sizeof machine->host, "fat%zu", n);
            snprintf(machine->uarch, sizeof machine->uarch, "Big Lake (Bigger Cove)");
            machine->cores = machine->allowed_cores = 64;
            for (size_t i = 0; i < fleet.nodes[n].count; i++)
                fleet.nodes[n].values[i].value *= 2;
        } else if (n < 20) { /* the same CPU with twice the memory */
            machine->memory_bytes *= 2;
        }
    }
    struct verdict_of_fleet verdict = judge(&fleet);
    assert_int_equal(verdict.report.count, 0);
    assert_int_equal(verdict.groups.count, 3);
    assert_int_equal(verdict.groups.groups[0].count, 40);
    assert_string_equal(verdict.groups.groups[1].name, "Big Lake · 64 cores · 256 GiB");
    assert_string_equal(verdict.groups.groups[2].name, "Made-up CPU · 32 cores · 512 GiB");
    free_all(&fleet, &verdict);
}

/* One with 192 GiB among many with 256 lost memory; a third of them with 192 is a type. */
static void lost_or_another_type(void **state) {
    (void)state;
    for (size_t few = 1; few <= 20; few += 19) {
        struct fleet fleet = make_fleet(NODES, 1);
        for (size_t n = 0; n < few; n++)
            fleet.nodes[n].machine.memory_bytes = GIB(188);
        struct verdict_of_fleet verdict = judge(&fleet);
        assert_int_equal(verdict.groups.count, few == 1 ? 1 : 2);
        assert_int_equal(verdict.report.count, few == 1 ? 1 : 0);
        free_all(&fleet, &verdict);
    }
}

/* Types with equal names are distinguished by their CPU. */
static void names_differ(void **state) {
    (void)state;
    struct fleet fleet = make_fleet(10, 1);
    for (size_t n = 0; n < 10; n++)
        snprintf(fleet.nodes[n].machine.uarch, sizeof fleet.nodes[n].machine.uarch, "Some Lake");
    swap(&fleet, 3);
    struct verdict_of_fleet verdict = judge(&fleet);
    assert_string_equal(verdict.groups.groups[0].name, "Some Lake · 32 cores · 256 GiB");
    assert_string_equal(verdict.groups.groups[1].name, "Some Lake · 32 cores · 256 GiB · Another CPU");
    free_all(&fleet, &verdict);
    fleet = make_fleet(10, 1);
    for (size_t n = 0; n < 10; n++) {
        snprintf(fleet.nodes[n].machine.uarch, sizeof fleet.nodes[n].machine.uarch, "Some Lake");
        fleet.nodes[n].machine.l2_bytes = n < 6 ? MIB(2) : MIB(1);
    }
    swap(&fleet, 8), swap(&fleet, 9);
    fleet.nodes[9].machine.packages = 2;
    verdict = judge(&fleet);
    assert_int_equal(verdict.groups.count, 4);
    assert_string_equal(verdict.groups.groups[1].name, "Some Lake · 32 cores · 256 GiB · L2 of 1 MiB");
    assert_string_equal(verdict.groups.groups[2].name, "Some Lake · 32 cores · 256 GiB · Another CPU");
    assert_contains(verdict.groups.groups[3].name, "Some Lake · 32 cores · 256 GiB · Another CPU · 32 cores in ");
    free_all(&fleet, &verdict);
}

/* Two machines that differ in one property, and whether that makes them two types. */
static void a_type_is_what_the_core_is(void **state) {
    (void)state;
    const struct fleet_machine sapphire = {.cpu = "Some Xeon",
                                           .uarch = "Sapphire Rapids (Golden Cove)",
                                           .features = CPU_AVX512 | CPU_AMX_TILE,
                                           .family = 6,
                                           .model = 143,
                                           .packages = 1,
                                           .cores = 32,
                                           .l1_bytes = KIB(48),
                                           .l2_bytes = MIB(2)};
    struct fleet_machine granite = sapphire, other_model = sapphire, hidden = sapphire, small = sapphire,
                         unknown = sapphire, masked = sapphire, unsure = sapphire, nearly = sapphire, wide = sapphire;
    snprintf(granite.uarch, sizeof granite.uarch, "Granite Rapids (Redwood Cove)"); /* by its features: model 143 too */
    other_model.model = 167;
    hidden.features &= ~(uint32_t)CPU_AMX_TILE;
    small.l2_bytes = MIB(1);
    nearly.l2_bytes = KIB(2436); /* a quarter octave */
    unsure.l2_bytes = 0;
    wide.packages = 2;
    unknown.uarch[0] = masked.uarch[0] = '\0';
    masked.features |= CPU_AMX_FP16 | CPU_HYPERVISOR;
    const struct {
        const struct fleet_machine *a, *b;
        const char *difference; /* of b; NULL: they are of one type */
    } rows[] = {
        {&sapphire, &granite, "Granite Rapids (Redwood Cove)"},
        {&sapphire, &other_model, NULL},
        {&sapphire, &hidden, NULL},
        {&sapphire, &small, "L2 of 1 MiB"},
        {&sapphire, &nearly, NULL},
        {&sapphire, &unsure, NULL},
        {&sapphire, &wide, "32 cores in 2 packages"},
        {&sapphire, &unknown, "family 6 model 143"},
        {&unknown, &masked, "with amx_fp16"},
        {&masked, &unknown, "without amx_fp16"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char difference[FLEET_DIFFERENCE_BYTES];
        assert_int_equal(fleet_same_cpu(rows[i].a, rows[i].b), !rows[i].difference);
        assert_int_equal(fleet_difference(rows[i].b, rows[i].a, difference), rows[i].difference != NULL);
        assert_string_equal(difference, rows[i].difference ? rows[i].difference : "");
    }
}

/* If a sweep finds a larger cache than was detected, the cache is larger. A smaller one may be an effect of other
 * programs. */
static void caches_hold_what_was_seen(void **state) {
    (void)state;
    struct result result = {.levels = {{.count = 3,
                                        .level = {{.name = "L1", .detected_bytes = KIB(48), .found_bytes = KIB(20)},
                                                  {.name = "L2", .detected_bytes = MIB(1), .found_bytes = MIB(2)},
                                                  {.name = "DRAM"}}}}};
    const struct fleet_machine machine = fleet_machine_of(&result);
    assert_int_equal(machine.l1_bytes, KIB(48));
    assert_int_equal(machine.l2_bytes, MIB(2));
    result.environment.others_cpus = 1;
    const struct fleet_machine disturbed = fleet_machine_of(&result);
    assert_int_equal(disturbed.l1_bytes, KIB(48));
    assert_int_equal(disturbed.l2_bytes, 0);
}

/* An unknown cache may have any size, but does not join two types. */
static void unknown_caches(void **state) {
    (void)state;
    struct fleet fleet = make_fleet(10, 1);
    for (size_t n = 0; n < 10; n++)
        fleet.nodes[n].machine.l2_bytes = n == 0 ? 0 : n < 6 ? MIB(2) : MIB(1);
    struct verdict_of_fleet verdict = judge(&fleet);
    assert_int_equal(verdict.groups.count, 2);
    assert_int_equal(verdict.groups.groups[0].count, 6);
    free_all(&fleet, &verdict);
}

/* Same brand, with one model number masked: the core distinguishes them, not a fault. */
static void masked_models(void **state) {
    (void)state;
    struct fleet fleet = make_fleet(6, 1);
    for (size_t n = 0; n < 6; n++)
        snprintf(fleet.nodes[n].machine.uarch, sizeof fleet.nodes[n].machine.uarch, "%s Rapids",
                 n == 4 ? "Granite" : "Sapphire");
    lose_channel(&fleet, 4);
    struct verdict_of_fleet verdict = judge(&fleet);
    assert_int_equal(verdict.groups.count, 2);
    assert_string_equal(verdict.groups.groups[0].name, "Sapphire Rapids · 32 cores · 256 GiB");
    assert_int_equal(verdict.groups.groups[0].outlier_count, 0);
    assert_int_equal(verdict.report.count, 1);
    assert_string_equal(verdict.report.outliers[0].diagnosis, "swapped host");
    assert_string_equal(verdict.report.outliers[0].text,
                        "it has another CPU: Granite Rapids; hosts with such names have Sapphire Rapids");
    free_all(&fleet, &verdict);
}

/* Among one or two it is unknown which is usual; among three one may be an outlier. */
static void few_nodes(void **state) {
    (void)state;
    for (size_t count = 1; count <= 4; count++) {
        struct fleet fleet = make_fleet(count, 1);
        throttle(&fleet, 0);
        struct verdict_of_fleet verdict = judge(&fleet);
        assert_int_equal(verdict.groups.groups[0].judged, (double)count >= fleet_thresholds.group_nodes.value);
        assert_int_equal(verdict.report.count, (double)count >= fleet_thresholds.group_nodes.value);
        free_all(&fleet, &verdict);
    }
    struct fleet fleet = {0};
    struct verdict_of_fleet verdict = judge(&fleet);
    assert_int_equal(verdict.groups.count, 0);
    free_all(&fleet, &verdict);
}

static void older_results(void **state) {
    (void)state;
    struct fleet fleet = make_fleet(20, 1);
    take_name(&fleet, 7);
    fleet.nodes[7].started_s = 2000;
    assert_int_equal(fleet_drop_older(&fleet, false), 0); /* one of many: probably two nodes with the same name */
    assert_int_equal(fleet_drop_older(&fleet, true), 1);
    assert_true(fleet.nodes[1].older && !fleet.nodes[7].older);
    struct verdict_of_fleet verdict = judge(&fleet);
    assert_int_equal(verdict.report.count, 0);
    assert_int_equal(verdict.groups.groups[0].count, 19);
    free_all(&fleet, &verdict);

    fleet = make_fleet(20, 1);
    for (size_t n = 0; n < 20; n++)
        snprintf(fleet.nodes[n].machine.host, sizeof fleet.nodes[n].machine.host, "node%zu", n / 2);
    assert_int_equal(fleet_drop_older(&fleet, false), 10);      /* a history */
    assert_true(!fleet.nodes[0].older && fleet.nodes[1].older); /* at equal times the first file counts */
    struct verdict_of_fleet rest = judge(&fleet);
    free_all(&fleet, &rest);
}

/* Many machines are called "vm": another CPU is another host, and nothing of it is older. */
static void a_name_is_not_a_host(void **state) {
    (void)state;
    struct fleet fleet = make_fleet(6, 1);
    for (size_t n = 0; n < 6; n++) {
        struct fleet_machine *machine = &fleet.nodes[n].machine;
        snprintf(machine->host, sizeof machine->host, "vm");
        machine->cores = n % 3 == 0 ? 2 : n % 3 == 1 ? 4 : 8;
        fleet.nodes[n].started_s = 1000 + (int64_t)n;
    }
    fleet.count = 3;
    assert_int_equal(fleet_drop_older(&fleet, true), 0);
    fleet.count = 6;
    assert_int_equal(fleet_drop_older(&fleet, false), 3);
    for (size_t n = 0; n < 6; n++)
        assert_int_equal(fleet.nodes[n].older, n < 3);
    for (size_t n = 0; n < 6; n++) /* and no name is a duplicate */
        fleet.nodes[n].older = false, fleet.nodes[n].machine.cores = 2 + (unsigned)n;
    struct verdict_of_fleet verdict = judge(&fleet);
    for (size_t i = 0; i < verdict.report.count; i++)
        assert_null(strstr(verdict.report.outliers[i].text, "names the same host"));
    free_all(&fleet, &verdict);
}

static void headlines(void **state) {
    (void)state;
    struct fleet fleet = make_fleet(NODES, 1);
    struct verdict_of_fleet verdict = judge(&fleet);
    const struct fleet_group *group = &verdict.groups.groups[0];
    const struct fleet_class *compute = &group->classes[fleet_headline(group, SAMPLE_COMPUTE, "")],
                             *memory = &group->classes[fleet_headline(group, SAMPLE_BANDWIDTH, "DRAM")];
    char operations[FLEET_OPERATIONS_BYTES];
    assert_string_equal(fleet_operations(compute, operations), "avx512.fma");
    assert_true(compute->key.cores == ROOF_ALL_CORES);
    assert_false(memory->random);
    assert_true(fleet_headline(group, SAMPLE_BANDWIDTH, "HBM") == FLEET_NONE);
    struct fleet_class *own = &group->classes[fleet_headline(group, SAMPLE_LATENCY, NULL)];
    assert_string_equal(own->key.level, "DRAM");
    for (size_t c = 0; c < group->class_count; c++) /* a machine with HBM alone */
        if (strcmp(group->classes[c].key.level, "DRAM") == 0)
            strcpy(group->classes[c].key.level, "HBM");
    assert_ptr_equal(&group->classes[fleet_headline(group, SAMPLE_LATENCY, NULL)], own);
    assert_ptr_equal(&group->classes[fleet_headline(group, SAMPLE_BANDWIDTH, NULL)], memory);
    free_all(&fleet, &verdict);
}

/* The quick reader and the thorough one agree. */
static void quick_reader(void **state) {
    (void)state;
    struct result quick, thorough;
    struct error err;
    const char *path = fixture_path("intervals.json");
    assert_true(results_read("results/granite-rapids-2-cores-vm.json", &thorough, &err));
    fixture_intervals(&thorough, 0.01, 0.02);
    assert_true(results_write(&thorough, path, true, &err));
    results_free(&thorough);
    assert_true(results_scan(path, &quick) && results_read(path, &thorough, &err));
    assert_int_equal(quick.sample_count, thorough.sample_count);
    for (size_t i = 0; i < quick.sample_count; i++) {
        const struct sample *a = &quick.samples[i], *b = &thorough.samples[i];
        assert_string_equal(a->kernel, b->kernel);
        assert_string_equal(a->level, b->level);
        assert_int_equal(a->kind, b->kind);
        assert_int_equal(a->threads, b->threads);
        assert_int_equal(a->small_pages, b->small_pages);
        assert_true(doubts_equal(a->doubts, b->doubts));
        assert_near(a->value, b->value);
        assert_near(a->low, b->low);
        assert_near(a->high, b->high);
        assert_near(a->clock_hz, b->clock_hz);
    }
    const struct fleet_machine a = fleet_machine_of(&quick), b = fleet_machine_of(&thorough);
    assert_true(fleet_same_cpu(&a, &b));
    assert_string_equal(a.host, b.host);
    assert_true(a.features && a.features == b.features);
    assert_true(a.l2_bytes && a.l2_bytes == b.l2_bytes);
    assert_int_equal(a.allowed_cores, b.allowed_cores);
    assert_int_equal(a.memory_bytes, b.memory_bytes);
    for (unsigned i = 0; i < thorough.levels[0].count; i++)
        assert_int_equal(quick.levels[0].level[i].found_bytes, thorough.levels[0].level[i].found_bytes);
    results_free(&quick);
    results_free(&thorough);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types),
        cmocka_unit_test(lost_or_another_type),
        cmocka_unit_test(names_differ),
        cmocka_unit_test(a_type_is_what_the_core_is),
        cmocka_unit_test(caches_hold_what_was_seen),
        cmocka_unit_test(unknown_caches),
        cmocka_unit_test(masked_models),
        cmocka_unit_test(few_nodes),
        cmocka_unit_test(older_results),
        cmocka_unit_test(a_name_is_not_a_host),
        cmocka_unit_test(headlines),
        cmocka_unit_test(quick_reader),
    };
    omp_set_num_threads(1); /* so little work takes less time than waking threads */
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
