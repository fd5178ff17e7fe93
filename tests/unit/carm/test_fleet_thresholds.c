/* SPDX-License-Identifier: BSD-3-Clause
 * Each threshold of a fleet, just above and just below, in fleets of equal nodes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/fleet/fleet_thresholds.h"
#include "tests/support/fleets.h"
#include "tests/support/thresholds.h"

enum { ODD = 5, CORE_SIDES = 2 }; /* the node that differs; each roof is of one core and of all */

static struct fleet fleet;
static struct verdict_of_fleet verdict;

/* Without any noise. */
static void begin(size_t count) {
    fleet = make_fleet(count, 1);
    for (size_t n = 0; n < count; n++) {
        struct fleet_node *node = &fleet.nodes[n];
        node->machine.memory_bytes = GIB(256);
        node->others = (struct others){0};
        for (size_t i = 0; i < node->count; i++) {
            node->values[i].value = (float)(ROOFS[i % ROOF_COUNT].value * (i < ROOF_COUNT ? 1 : 10));
            node->values[i].clock_hz = 3e9F;
        }
    }
}

static const struct fleet_outlier *find(size_t node) {
    verdict = judge(&fleet);
    for (size_t i = 0; i < verdict.report.count; i++)
        if (verdict.report.outliers[i].node == node)
            return &verdict.report.outliers[i];
    return NULL;
}

static bool end(bool answer) {
    free_all(&fleet, &verdict);
    return answer;
}

static bool stands_out(void) {
    return end(find(ODD) != NULL);
}

static bool has_text(const char *part) {
    const struct fleet_outlier *outlier = find(ODD);
    return end(outlier && strstr(outlier->text, part));
}

static bool is_diagnosed(const char *diagnosis) {
    const struct fleet_outlier *outlier = find(ODD);
    return end(outlier && strcmp(outlier->diagnosis, diagnosis) == 0);
}

static bool group_is_judged(double nodes) {
    begin((size_t)round(nodes));
    find(0);
    return end(verdict.groups.groups[0].judged);
}

/* So many nodes have another size of memory than a hundred: they are of the same type. */
static bool joins(size_t few, double share) {
    begin(100 + few);
    for (size_t n = 0; n < few; n++)
        fleet.nodes[n].machine.memory_bytes = (uint64_t)(share * (double)GIB(256));
    find(0);
    return end(verdict.groups.count == 1);
}

static bool half_joins(double share) {
    return joins(1, share);
}

static bool few_join(double share) {
    return joins((size_t)round(100 * share), 0.5);
}

static bool misses_memory(double share) {
    begin(NODES);
    fleet.nodes[ODD].machine.memory_bytes = (uint64_t)((1 - share) * (double)GIB(256));
    return stands_out();
}

static bool is_other_core(double times) {
    const struct fleet_machine small = {.l2_bytes = MIB(1)}, large = {.l2_bytes = (uint64_t)(times * (double)MIB(1))};
    return !fleet_same_cpu(&small, &large);
}

/* Of 20 hosts. */
static bool is_swapped(double share) {
    begin(20);
    for (size_t n = ODD; n < ODD + 20 - (size_t)round(20 * share); n++)
        swap(&fleet, n);
    return is_diagnosed("swapped host");
}

static bool spread_counts_from(double sigma) {
    return fleet_sigma(0, 1) < sigma;
}

static bool spread_decides(double nodes) {
    begin((size_t)round(nodes));
    scale(&fleet, ODD, SAMPLE_BANDWIDTH, NULL, NULL, "DRAM", 0.93);
    return stands_out();
}

static bool memory_is_slow(double below) {
    begin(NODES);
    scale(&fleet, ODD, SAMPLE_BANDWIDTH, NULL, NULL, "DRAM", 1 - below);
    return stands_out();
}

static bool clock_is_apart(double below) {
    begin(NODES);
    for (size_t i = 0; i < fleet.nodes[ODD].count; i++)
        fleet.nodes[ODD].values[i].clock_hz *= (float)(1 - below);
    find(ODD);
    const struct fleet_group *group = &verdict.groups.groups[0];
    size_t member = 0;
    while (group->members[member] != ODD)
        member++;
    return end(fleet_clock_is_apart(group, member));
}

/* The L3 of so many nodes ends elsewhere. */
static bool end_is_known(size_t nodes, double octaves) {
    begin(NODES);
    for (size_t n = 0; n < nodes; n++)
        fleet.nodes[n].caches[2].found_bytes = (uint64_t)(exp2(octaves) * (double)MIB(64));
    find(ODD);
    return end(verdict.groups.groups[0].caches[2].found_bytes > 0);
}

static bool enough_agree(double share) {
    return end_is_known(NODES - (size_t)round(NODES * share), 1);
}

static bool far_ends_agree(double octaves) {
    return end_is_known(NODES / 3, octaves);
}

static bool class_is_apart(double sigmas) {
    return fleet_is_apart(&(struct fleet_class){.tolerance = 0.01, .sigma = 0.1}, 0.1 * sigmas);
}

/* A third of all nodes each is below, at and above the usual value: its median deviation is that distance. */
static double spread(size_t node, double by) {
    return by * ((double)(node % 3) - 1);
}

static bool roof_is_apart(double sigmas) {
    begin(NODES);
    for (size_t n = 0; n < NODES; n++)
        fleet.nodes[n].values[ROOF_COUNT].value *= (float)(1 + spread(n, 0.01));
    fleet.nodes[3].values[ROOF_COUNT].value = (float)(1000e9 * (1 - 1.4826 * 0.01 * sigmas));
    const struct fleet_outlier *outlier = find(3); /* one of the lower third */
    return end(outlier && strcmp(outlier->diagnosis, "one slow roof") == 0);
}

static bool others_are_apart(double sigmas) {
    begin(NODES);
    for (size_t n = 0; n < NODES; n++)
        fleet.nodes[n].others.cpus = 0.2 + spread(n, 0.1);
    fleet.nodes[ODD].others.cpus = 0.2 + 1.4826 * 0.1 * sigmas; /* one of the upper third */
    return is_diagnosed("others active");
}

static bool is_incomplete(double share) {
    begin(NODES);
    for (size_t n = 0; n < NODES - (size_t)round(NODES * share); n++)
        fleet.nodes[n].count--;
    const struct fleet_outlier *outlier = find(0);
    return end(outlier && strcmp(outlier->diagnosis, "incomplete") == 0);
}

/* So many of its compute roofs are a little slow, at a low clock. */
static bool clock_is_low(double share) {
    begin(NODES);
    size_t left = (size_t)round(14 * share);
    for (size_t i = 0; i < fleet.nodes[ODD].count; i++) {
        struct fleet_value *value = &fleet.nodes[ODD].values[i];
        if (fleet.keys.keys[value->key].kind == SAMPLE_COMPUTE && left > 0)
            left--, value->clock_hz *= 0.9F, value->value *= 0.98F;
    }
    return is_diagnosed("throttled socket");
}

/* So many of its ten classes of arithmetic are slow, at the usual clock. */
static bool all_is_slow(double share) {
    static const size_t CLASSES[] = {0, 0, 0, 1, 2, 3, 4}; /* of ROOFS */
    begin(NODES);
    for (size_t side = 0; side < CORE_SIDES; side++)
        for (size_t r = 0; r < sizeof CLASSES / sizeof *CLASSES; r++)
            if (CLASSES[r] + 5 * side < (size_t)round(10 * share))
                fleet.nodes[ODD].values[side * ROOF_COUNT + r].value *= 0.9F;
    return is_diagnosed("throttled socket");
}

/* All arithmetic is slow; most of it, but not nearly all, ran at a lower clock. */
static bool clock_is_named(double below) {
    begin(NODES);
    scale(&fleet, ODD, SAMPLE_COMPUTE, NULL, NULL, NULL, 0.9);
    for (size_t i = 0; i < 9; i++)
        fleet.nodes[ODD].values[i < 7 ? i : ROOF_COUNT + i - 7].clock_hz *= (float)(1 - below);
    return has_text("and the core clock is low");
}

static bool unit_is_lost(double below) {
    begin(NODES);
    scale(&fleet, ODD, SAMPLE_COMPUTE, "avx512.", "fma", NULL, 1 - below);
    return is_diagnosed("dead FMA unit");
}

/* One CPU's program beside memory that lacks so many times what a core loads: it cannot have taken that. */
static bool takes_too_much(double times) {
    begin(NODES);
    run_beside(&fleet, ODD, 1);
    for (size_t r = 0; r < ROOF_COUNT; r++)
        if (ROOFS[r].kind == SAMPLE_BANDWIDTH && strcmp(ROOFS[r].level, "DRAM") == 0)
            fleet.nodes[ODD].values[ROOF_COUNT + r].value *= (float)(1 - times / 10);
    return is_diagnosed("lost DIMM or channel");
}

static bool quota_is_low(double share) {
    begin(NODES);
    for (size_t n = 0; n < NODES; n++)
        fleet.nodes[n].machine.cpu_quota_cpus = 8;
    fleet.nodes[ODD].machine.cpu_quota_cpus = 8 * share;
    return is_diagnosed("CPU quota");
}

static bool cache_differs(double times) {
    begin(NODES);
    fleet.nodes[ODD].caches[2].found_bytes = (uint64_t)(times * (double)MIB(64));
    return is_diagnosed("L3 partition");
}

static void each_threshold_decides(void **state) {
    (void)state;
    static const struct threshold_case CASES[] = {
        {"group nodes", 2.5, group_is_judged, true},
        {"half lost", 0.45, half_joins, true},
        {"small class", 0.055, few_join, false},
        {"memory lost", 0.03, misses_memory, true},
        {"same size", 1.45, is_other_core, true},
        {"of one name", 15.5 / 20, is_swapped, true},
        {"least sigma", 0.1, spread_counts_from, true},
        {"spread nodes", 19.5, spread_decides, true},
        {"DRAM tolerance", 0.05, memory_is_slow, true},
        {"clock tolerance", 0.02, clock_is_apart, true},
        {"ends agree", 53.5 / 60, enough_agree, true},
        {"end octaves", 0.5, far_ends_agree, false},
        {"class sigmas", 5, class_is_apart, true},
        {"roof sigmas", 6.5, roof_is_apart, true},
        {"others sigmas", 5, others_are_apart, true},
        {"have it", 53.5 / 60, is_incomplete, true},
        {"clocks low", 11.5 / 14, clock_is_low, true},
        {"all slow", 0.75, all_is_slow, true},
        {"low clock", 0.02, clock_is_named, true},
        {"unit lost", 0.2, unit_is_lost, true},
        {"taken", 3, takes_too_much, true},
        {"quota low", 0.97, quota_is_low, false},
        {"size low", 0.7, cache_differs, false},
        {"size high", 1.5, cache_differs, true},
    };
    thresholds_decide((const struct threshold *)&fleet_thresholds, FLEET_THRESHOLD_COUNT, CASES,
                      sizeof CASES / sizeof *CASES);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_threshold_decides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
