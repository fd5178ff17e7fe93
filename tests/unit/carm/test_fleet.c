/* SPDX-License-Identifier: BSD-3-Clause
 * Fleets of made-up nodes: who belongs together, what is usual, which faults are told from each other, and that noise
 * is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <omp.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/answer/fleet_answer.h"
#include "carm/side_by_side/chart_fleet.h"
#include "carm/side_by_side/chart_strips.h"
#include "carm/comparisons/fleet_report.h"
#include "carm/store/results_scan.h"
#include "tests/support/answered.h"
#include "tests/support/chance.h"
#include "tests/support/fixtures.h"

enum { MAX_VALUES = 64, NODES = 60 };

/* What each node has, by one core and by all. */
static const struct made_up_roof {
    enum sample_kind kind;
    const char *kernel, *level;
    double value, noise;
} ROOFS[] = {
    {SAMPLE_COMPUTE, "avx512.f64.fma", "", 100e9, 0.005},
    {SAMPLE_COMPUTE, "avx512.f32.fma", "", 200e9, 0.005},
    {SAMPLE_COMPUTE, "avx512.f16.fma", "", 400e9, 0.005},
    {SAMPLE_COMPUTE, "avx512.f64.add", "", 50e9, 0.005},
    {SAMPLE_COMPUTE, "avx2.f64.fma", "", 60e9, 0.005},
    {SAMPLE_COMPUTE, "avx2.f64.add", "", 30e9, 0.005},
    {SAMPLE_COMPUTE, "sse.f64.mul", "", 16e9, 0.005},
    {SAMPLE_BANDWIDTH, "avx512.load", "L1", 400e9, 0.005},
    {SAMPLE_BANDWIDTH, "avx512.2ld1st", "L1", 600e9, 0.005},
    {SAMPLE_BANDWIDTH, "avx512.load", "L2", 200e9, 0.008},
    {SAMPLE_BANDWIDTH, "avx512.2ld1st", "L2", 160e9, 0.008},
    {SAMPLE_BANDWIDTH, "avx512.load", "L3", 40e9, 0.01},
    {SAMPLE_BANDWIDTH, "avx512.2ld1st", "L3", 60e9, 0.01},
    {SAMPLE_BANDWIDTH, "avx512.load", "DRAM", 20e9, 0.02},
    {SAMPLE_BANDWIDTH, "avx512.2ld1st", "DRAM", 25e9, 0.02},
    {SAMPLE_BANDWIDTH, "avx512.random", "DRAM", 5e9, 0.02},
    {SAMPLE_LATENCY, "chase", "L1", 1.4e-9, 0.005},
    {SAMPLE_LATENCY, "chase", "L2", 4.5e-9, 0.005},
    {SAMPLE_LATENCY, "chase", "L3", 40e-9, 0.02},
    {SAMPLE_LATENCY, "chase", "DRAM", 110e-9, 0.02},
};
enum { ROOF_COUNT = sizeof ROOFS / sizeof ROOFS[0] };

static struct roof_key made_up_key(const struct made_up_roof *roof, unsigned cores) {
    struct roof_key key;
    memset(&key, 0, sizeof key);
    key.kind = roof->kind;
    key.cores = cores;
    snprintf(key.kernel, sizeof key.kernel, "%s", roof->kernel);
    snprintf(key.level, sizeof key.level, "%s", roof->level);
    return key;
}

/* Nodes "node0" and so on; keys 0 to ROOF_COUNT - 1 are of one core, the others of all. */
static struct fleet make_fleet(size_t count, uint64_t seed) {
    struct fleet fleet = {.count = count, .nodes = calloc(count + 1, sizeof *fleet.nodes)};
    static const unsigned cores[] = {1, ROOF_ALL_CORES};
    chance_seed = seed;
    for (size_t n = 0; n < count; n++) {
        struct fleet_node *node = &fleet.nodes[n];
        *node = (struct fleet_node){
            .path = "somewhere",
            .machine = {.cpu = "Made-up CPU", .family = 6, .model = 1, .packages = 1},
            .started_s = 1000,
            .cache_count = 3,
            .caches = {{"L1", KIB(48), KIB(44)}, {"L2", MIB(2), MIB(1.4)}, {"L3", MIB(64), MIB(64)}}};
        node->machine.cores = node->machine.allowed_cores = 32;
        node->machine.memory_bytes = GIB(256) - (uint64_t)(chance_between() * 1e9);
        snprintf(node->machine.host, sizeof node->machine.host, "node%zu", n);
        node->values = calloc(2 * ROOF_COUNT, sizeof *node->values);
        const double part = 1 + 0.005 * chance_normal();
        for (size_t c = 0; c < 2; c++)
            for (size_t r = 0; r < ROOF_COUNT; r++) {
                const struct roof_key key = made_up_key(&ROOFS[r], cores[c]);
                const double value = ROOFS[r].value * (c ? 10 : 1) * part * (1 + ROOFS[r].noise * chance_normal());
                node->values[node->count++] = (struct fleet_value){.key = (uint32_t)roof_keys_put(&fleet.keys, &key),
                                                                   .value = (float)value,
                                                                   .clock_hz = (float)(3e9 * part)};
            }
    }
    return fleet;
}

/* Multiplies the values of the roofs that begin and end so; NULL: any. */
static void scale(struct fleet *fleet, size_t node, enum sample_kind kind, const char *begin, const char *part,
                  const char *level, double factor) {
    for (size_t i = 0; i < fleet->nodes[node].count; i++) {
        struct fleet_value *value = &fleet->nodes[node].values[i];
        const struct roof_key *key = &fleet->keys.keys[value->key];
        if (key->kind == kind && (!begin || strncmp(key->kernel, begin, strlen(begin)) == 0) &&
            (!part || strstr(key->kernel, part)) && (!level || strcmp(key->level, level) == 0))
            value->value *= (float)factor;
    }
}

struct verdict_of_fleet {
    struct fleet_groups groups;
    struct fleet_report report;
};

static struct verdict_of_fleet judge(const struct fleet *fleet) {
    struct verdict_of_fleet out = {.groups = fleet_group(fleet)};
    out.report = fleet_judge(fleet, &out.groups);
    return out;
}

static void free_all(struct fleet *fleet, struct verdict_of_fleet *verdict) {
    fleet_report_free(&verdict->report);
    fleet_groups_free(&verdict->groups);
    fleet_free(fleet);
}

static void slow_clock(struct fleet *fleet, size_t node, double factor) {
    scale(fleet, node, SAMPLE_COMPUTE, NULL, NULL, NULL, factor);
    scale(fleet, node, SAMPLE_BANDWIDTH, NULL, NULL, "L1", factor);
    scale(fleet, node, SAMPLE_BANDWIDTH, NULL, NULL, "L2", factor);
    for (size_t i = 0; i < fleet->nodes[node].count; i++)
        fleet->nodes[node].values[i].clock_hz *= (float)factor;
}

static void throttle(struct fleet *fleet, size_t node) {
    slow_clock(fleet, node, 0.8);
}

static void steal_cycles(struct fleet *fleet, size_t node) {
    scale(fleet, node, SAMPLE_COMPUTE, NULL, NULL, NULL, 0.8);
}

static void lose_channel(struct fleet *fleet, size_t node) {
    scale(fleet, node, SAMPLE_BANDWIDTH, NULL, NULL, "DRAM", 0.75);
}

static void lose_capacity(struct fleet *fleet, size_t node) {
    fleet->nodes[node].machine.memory_bytes -= GIB(32);
}

static void halve_l3(struct fleet *fleet, size_t node) {
    fleet->nodes[node].caches[2].found_bytes /= 2;
    scale(fleet, node, SAMPLE_BANDWIDTH, NULL, NULL, "L3", 0.6);
}

static void halve_l3_size(struct fleet *fleet, size_t node) {
    fleet->nodes[node].caches[2].found_bytes /= 2;
}

static void kill_fma(struct fleet *fleet, size_t node) {
    scale(fleet, node, SAMPLE_COMPUTE, "avx512.", "fma", NULL, 0.5);
}

static void kill_vectors(struct fleet *fleet, size_t node) {
    scale(fleet, node, SAMPLE_COMPUTE, "avx512.", NULL, NULL, 0.5);
}

static void slow_avx512(struct fleet *fleet, size_t node) {
    scale(fleet, node, SAMPLE_COMPUTE, "avx512.", NULL, NULL, 0.9);
}

static void switch_prefetchers_off(struct fleet *fleet, size_t node) {
    scale(fleet, node, SAMPLE_BANDWIDTH, NULL, NULL, "L2", 0.8);
}

static void slow_latency(struct fleet *fleet, size_t node) {
    scale(fleet, node, SAMPLE_LATENCY, NULL, NULL, "DRAM", 1.4);
}

static void speed_up(struct fleet *fleet, size_t node) {
    slow_clock(fleet, node, 1.2);
}

static void swap(struct fleet *fleet, size_t node) {
    snprintf(fleet->nodes[node].machine.cpu, sizeof fleet->nodes[node].machine.cpu, "Another CPU");
}

static void take_name(struct fleet *fleet, size_t node) {
    snprintf(fleet->nodes[node].machine.host, sizeof fleet->nodes[node].machine.host, "node1");
}

static void cut_run(struct fleet *fleet, size_t node) {
    fleet->nodes[node].interrupted = true;
    fleet->nodes[node].count -= 4;
}

static void give_fewer_cores(struct fleet *fleet, size_t node) {
    fleet->nodes[node].machine.allowed_cores = 16;
    for (size_t i = ROOF_COUNT; i < 2 * ROOF_COUNT; i++)
        fleet->nodes[node].values[i].value *= 0.5F;
}

static void slow_one_roof(struct fleet *fleet, size_t node) {
    fleet->nodes[node].values[ROOF_COUNT].value *= 0.85F; /* avx512.f64.fma of all cores */
}

static const struct fault {
    void (*plant)(struct fleet *fleet, size_t node);
    const char *diagnosis, *text, *roof;
} FAULTS[] = {
    {throttle, "throttled socket", "and the core clock with it, 2.", ""},
    {steal_cycles, "throttled socket", "at the usual clock", ""},
    {lose_channel, "lost DIMM or channel", "a DIMM or memory channel is missing or slow", "DRAM"},
    {lose_capacity, "lost DIMM or channel", "are usual: a DIMM is missing", NULL},
    {halve_l3, "L3 partition", "found to end near 32 MiB where 64 MiB is usual; L3 bandwidth is", "L3"},
    {halve_l3_size, "L3 partition", "found to end near 32 MiB where 64 MiB is usual", NULL},
    {kill_fma, "dead FMA unit", "FMA of avx512 is", ""},
    {kill_vectors, "dead FMA unit", "all arithmetic of avx512 is", ""},
    {slow_avx512, "slow instruction set", "a lower clock limit of such code", ""},
    {switch_prefetchers_off, "slow core cache", "prefetchers or firmware settings differ", "L2"},
    {slow_latency, "slow memory latency", "memory or interconnect run slower", "DRAM"},
    {speed_up, "faster than its group", "or newer parts", ""},
    {swap, "swapped host", "it is another CPU: Another CPU, where hosts of such names have Made-up CPU", NULL},
    {take_name, "duplicate host name", "too says that it is this host", NULL},
    {cut_run, "incomplete", "4 roofs that its group has are missing", NULL},
    {give_fewer_cores, "other number of cores", "16 of its 32 cores were measured, where 32 are usual", NULL},
    {slow_one_roof, "one slow roof", "avx512.f64.fma, all cores is 1", ""},
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

static size_t lines_with(const char *text, const char *part) {
    size_t count = 0;
    for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1)
        count += memmem(line, (size_t)(end - line), part, strlen(part)) != NULL;
    return count;
}

/* Twenty nodes that are slow alike are told once; programs are told of each. */
static void alike_nodes_are_told_once(void **state) {
    (void)state;
    struct fleet fleet = make_fleet(NODES, 1);
    for (size_t n = 0; n < 20; n++)
        throttle(&fleet, n);
    lose_channel(&fleet, 30), lose_channel(&fleet, 31);
    slow_clock(&fleet, 40, 0.6); /* the same diagnosis, but another amount */
    throttle(&fleet, 41), lose_channel(&fleet, 41);
    throttle(&fleet, 42), halve_l3_size(&fleet, 42);
    throttle(&fleet, 43), lose_capacity(&fleet, 43);
    throttle(&fleet, 44), lose_capacity(&fleet, 44), lose_capacity(&fleet, 44);
    lose_capacity(&fleet, 50), lose_capacity(&fleet, 51);
    fleet.nodes[51].machine.memory_bytes -= GIB(32);
    take_name(&fleet, 52), take_name(&fleet, 53); /* each is told which file names it too */
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

/* Faults at once, in one fleet and in one node: the gravest is named, the text tells all. */
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

/* How many sigmas a roof is off, of those that flagged it: also where all others agree better than chance has it, and a
 * sigma is a tenth of the tolerance. */
static void sigmas_are_of_one_kind(void **state) {
    (void)state;
    static const struct {
        size_t roof; /* one of three of its class, so that it is slow alone */
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
    fleet.nodes[5].values[ROOF_COUNT].doubts = DOUBT_UNSTABLE;
    struct verdict_of_fleet verdict = judge(&fleet);
    assert_int_equal(verdict.report.count, 0); /* that it is slow alone says nothing when it was unstable */
    free_all(&fleet, &verdict);
}

/* Every value of a node is known to so much. */
static void widen(struct fleet *fleet, size_t node, float below, float above) {
    for (size_t i = 0; i < fleet->nodes[node].count; i++) {
        struct fleet_value *value = &fleet->nodes[node].values[i];
        value->low = value->value * (1 - below);
        value->high = value->value * (1 + above);
    }
}

/* What reaches into the usual range stands not apart, to whichever side it is open. */
static void uncertain_nodes(void **state) {
    (void)state;
    static const struct {
        void (*plant)(struct fleet *fleet, size_t node);
        float below, above;
        bool told;
    } rows[] = {
        {throttle, 0.2F, 0.05F, true},                                           /* of 0.8: 0.84 at most */
        {throttle, 0.2F, 0.25F, false},      {slow_one_roof, 0.2F, 0.02F, true}, /* of 0.85: 0.867 at most, where 6 %
                                                                                    may be lost */
        {slow_one_roof, 0.2F, 0.15F, false}, {slow_latency, 0.05F, 0.3F, true},  /* of latencies more is worse */
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

/* Where sweeps see L3 end anywhere, an end that is elsewhere is no fault. */
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

static void memory_sizes(void **state) {
    (void)state;
    static const struct {
        double shown_gib, sold_gib;
    } rows[] = {{23.5, 24}, {31.2, 32}, {62.5, 64}, {93.9, 96}, {125.6, 128}, {188, 192}, {251, 256}, {377, 384}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(fleet_memory_class((uint64_t)(rows[i].shown_gib * 0x1p30)), GIB(rows[i].sold_gib));
    assert_int_equal(fleet_memory_class(0), 0);
}

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
        } else if (n < 20) { /* of the same CPU with twice the memory */
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

/* Types that would be named alike are told apart by their CPU. */
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

/* Two machines that differ in one thing, and whether that makes them two types. */
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

/* A cache that a sweep saw hold more than was detected holds more; less may be others' doing. */
static void caches_hold_what_was_seen(void **state) {
    (void)state;
    struct result result = {.levels = {{.count = 3,
                                        .level = {{.name = "L1", .detected_bytes = KIB(48), .found_bytes = KIB(20)},
                                                  {.name = "L2", .detected_bytes = MIB(1), .found_bytes = MIB(2)},
                                                  {.name = "DRAM"}}}}};
    const struct fleet_machine machine = fleet_machine_of(&result);
    assert_int_equal(machine.l1_bytes, KIB(48));
    assert_int_equal(machine.l2_bytes, MIB(2));
}

/* Of one brand and one masked model number: the core tells them apart, not a fault. */
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
                        "it is another CPU: Granite Rapids, where hosts of such names have Sapphire Rapids");
    free_all(&fleet, &verdict);
}

/* Of one or two nobody tells which is usual; of three one may stand apart. */
static void few_nodes(void **state) {
    (void)state;
    for (size_t count = 1; count <= 4; count++) {
        struct fleet fleet = make_fleet(count, 1);
        throttle(&fleet, 0);
        struct verdict_of_fleet verdict = judge(&fleet);
        assert_int_equal(verdict.groups.groups[0].judged, count >= FLEET_GROUP_LEAST);
        assert_int_equal(verdict.report.count, count >= FLEET_GROUP_LEAST);
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
    assert_int_equal(fleet_drop_older(&fleet, false), 0); /* one of many: rather two nodes of one name */
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
    assert_true(!fleet.nodes[0].older && fleet.nodes[1].older); /* at one time the first file counts */
    struct verdict_of_fleet rest = judge(&fleet);
    free_all(&fleet, &rest);
}

static void headlines(void **state) {
    (void)state;
    struct fleet fleet = make_fleet(NODES, 1);
    struct verdict_of_fleet verdict = judge(&fleet);
    const struct fleet_group *group = &verdict.groups.groups[0];
    const struct roof_key *compute = &group->classes[fleet_headline(group, SAMPLE_COMPUTE, "")].key,
                          *memory = &group->classes[fleet_headline(group, SAMPLE_BANDWIDTH, "DRAM")].key;
    assert_string_equal(compute->kernel, "avx512.fma");
    assert_true(compute->cores == ROOF_ALL_CORES);
    assert_string_equal(memory->kernel, ""); /* not random lines */
    assert_true(fleet_headline(group, SAMPLE_BANDWIDTH, "HBM") == FLEET_NONE);
    free_all(&fleet, &verdict);
}

/* Up to ten are named on each row. Of more those that stand alone are, and one tells how many others there are. */
static void crowds_are_counted(void **state) {
    (void)state;
    static const struct {
        size_t crowd, alone; /* nodes that are slow alike, and by amounts of their own */
        size_t names;        /* that are written on the row of arithmetic */
        const char *rest;
    } rows[] = {{8, 0, 8, NULL},
                {10, 0, 10, NULL},
                {20, 1, 2, "node0 and 19 more"},
                {20, 3, 4, "node0 and 19 more"},
                {0, 12, 10, " and 2 more"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct fleet fleet = make_fleet(NODES, 1);
        for (size_t n = 0; n < rows[i].crowd; n++)
            steal_cycles(&fleet, n);
        for (size_t n = 0; n < rows[i].alone; n++)
            scale(&fleet, 40 + n, SAMPLE_COMPUTE, NULL, NULL, NULL, 0.15 + 0.05 * (double)n);
        struct verdict_of_fleet verdict = judge(&fleet);
        struct picture picture;
        struct error err;
        size_t names = 0, rests = 0, apart = 0;
        assert_int_equal(verdict.report.count, rows[i].crowd + rows[i].alone);
        assert_true(chart_fleet_make(&fleet, &verdict.groups, &verdict.report, &picture, &err));
        for (size_t k = 0; k < picture.plot.point_count; k++) {
            const char *label = picture.plot.points[k].label;
            apart += picture.plot.points[k].shape == PLOT_DIAMOND;
            names += label != NULL;
            rests += label && rows[i].rest && strstr(label, rows[i].rest);
            assert_true(!label || (picture.plot.points[k].priority < 0) == (strstr(label, " more") != NULL));
        }
        assert_int_equal(apart, verdict.report.count); /* on one row of six */
        assert_int_equal(names, rows[i].names);
        assert_int_equal(rests, rows[i].rest != NULL);
        assert_true(picture.height == PLOT_HEIGHT);
        picture_free(&picture);
        free_all(&fleet, &verdict);
    }
}

/* Of two types there are twelve rows, each of which needs its height. */
static void pictures_grow_with_their_rows(void **state) {
    (void)state;
    struct fleet fleet = make_fleet(NODES, 1);
    struct picture picture;
    struct error err;
    for (size_t n = 0; n < NODES / 2; n++)
        swap(&fleet, n);
    struct verdict_of_fleet verdict = judge(&fleet);
    assert_true(chart_fleet_make(&fleet, &verdict.groups, &verdict.report, &picture, &err));
    assert_int_equal(picture.plot.y.name_count, 12);
    assert_true(picture.height > 1.5 * PLOT_HEIGHT && picture.height < 2 * PLOT_HEIGHT);
    picture_free(&picture);
    free_all(&fleet, &verdict);
}

/* Of many dots a part is drawn, but all that are named. */
static void strips(void **state) {
    (void)state;
    enum { DOTS = 1000 };
    static struct strip_dot dots[DOTS];
    for (size_t i = 0; i < DOTS; i++)
        dots[i] = (struct strip_dot){.value = 0.00001 * (double)i, .apart = i % 500 == 499, .label = "apart"};
    dots[3].value = NAN;
    const struct strip both[] = {{"upper", DOTS, dots}, {"lower", 10, dots}};
    struct plot plot;
    void *store;
    assert_true(strips_plot(both, 2, &(struct strips_text){.difference = true}, &plot, &store));
    size_t named = 0;
    double highest = -INFINITY;
    for (size_t i = 0; i < plot.point_count; i++) {
        named += plot.points[i].label != NULL;
        highest = plot.points[i].x > highest ? plot.points[i].x : highest;
        assert_true(plot.points[i].x >= plot.x.min && plot.points[i].x <= plot.x.max);
        assert_true(fabs(plot.points[i].y - round(plot.points[i].y)) < 0.31); /* rows don't mix */
    }
    assert_int_equal(named, 2);
    assert_int_equal(plot.point_count, STRIPS_MAX_DOTS + 2 + 9);
    assert_near(highest, 0.00999);
    assert_string_equal(plot.y.names[1], "upper");
    free(store);
    assert_false(strips_plot(both, 0, &(struct strips_text){.difference = true}, &plot, &store));
}

/* The quick reader tells the same as the thorough one. */
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
        assert_int_equal(a->doubts, b->doubts);
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

static void the_answer_is_one_screen(void **state) {
    static void (*const several[])(struct fleet *, size_t) = {kill_fma,     lose_channel, lose_capacity, halve_l3,
                                                              slow_latency, speed_up,     steal_cycles};
    (void)state;
    struct fleet fleet = make_fleet(NODES, 3);
    throttle(&fleet, 1);
    struct verdict_of_fleet verdict = judge(&fleet);
    struct screen_text text = screen_text_begin();
    fleet_answer_print(&fleet, &verdict.groups, &verdict.report, &text.screen);
    answer_is(screen_text_end(&text), "60 nodes of 1 machine type, 1 outlier: 1 throttled socket\n\nhost   diagnosis");
    fleet_report_free(&verdict.report);
    fleet_groups_free(&verdict.groups);
    throttle(&fleet, 2);
    for (size_t i = 0; i < sizeof several / sizeof several[0]; i++)
        several[i](&fleet, 10 + i);
    verdict = judge(&fleet);
    text = screen_text_begin();
    fleet_answer_print(&fleet, &verdict.groups, &verdict.report, &text.screen);
    char *said = screen_text_end(&text);
    assert_contains(said, "\nnode10             dead FMA unit ");
    assert_contains(said, ", …\n");        /* more diagnoses than a sentence holds */
    assert_contains(said, "\nnode1 and 1 alike  throttled socket ");
    answer_is(said, "60 nodes of 1 machine type, 9 outliers: ");
    free_all(&fleet, &verdict);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_is_no_fault),
        cmocka_unit_test(each_fault_is_told),
        cmocka_unit_test(several_faults),
        cmocka_unit_test(alike_nodes_are_told_once),
        cmocka_unit_test(sigmas_are_of_one_kind),
        cmocka_unit_test(doubtful_roofs),
        cmocka_unit_test(uncertain_nodes),
        cmocka_unit_test(unsteady_ends),
        cmocka_unit_test(memory_sizes),
        cmocka_unit_test(types),
        cmocka_unit_test(lost_or_another_type),
        cmocka_unit_test(names_differ),
        cmocka_unit_test(a_type_is_what_the_core_is),
        cmocka_unit_test(caches_hold_what_was_seen),
        cmocka_unit_test(masked_models),
        cmocka_unit_test(few_nodes),
        cmocka_unit_test(older_results),
        cmocka_unit_test(headlines),
        cmocka_unit_test(crowds_are_counted),
        cmocka_unit_test(the_answer_is_one_screen),
        cmocka_unit_test(pictures_grow_with_their_rows),
        cmocka_unit_test(strips),
        cmocka_unit_test(quick_reader),
    };
    omp_set_num_threads(1); /* so little work is done faster than threads wake up */
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
