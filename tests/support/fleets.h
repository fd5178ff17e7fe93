/* SPDX-License-Identifier: BSD-3-Clause
 * Fleets of made-up nodes, and the faults of single nodes. */
#pragma once

#include "carm/fleet/fleet.h"
#include "chance.h"
#include "fixtures.h"

enum { MAX_VALUES = 64, NODES = 60 };

/* The values of each node, for one core and for all. */
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

static inline struct roof_key made_up_key(const struct made_up_roof *roof, unsigned cores) {
    struct roof_key key;
    memset(&key, 0, sizeof key);
    key.kind = roof->kind;
    key.cores = cores;
    snprintf(key.kernel, sizeof key.kernel, "%s", roof->kernel);
    snprintf(key.level, sizeof key.level, "%s", roof->level);
    return key;
}

/* The activity of other programs: usually little, sometimes more. Its random numbers do not use up those of other
 * values. */
static inline struct others quiet_others(void) {
    const uint64_t seed = chance_seed;
    chance_seed ^= 0x5bd1e995;
    const double much = -log(chance_between());
    chance_seed = seed;
    return (struct others){.cpus = 0.03 * much, .busiest_cpus = 0.01 * much, .busiest = "monitord"};
}

/* Nodes "node0" and so on; keys 0 to ROOF_COUNT - 1 are for one core, the others for all. */
static inline struct fleet make_fleet(size_t count, uint64_t seed) {
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
        node->machine.allowed_pus = 64;
        node->machine.memory_bytes = GIB(256) - (uint64_t)(chance_between() * 1e9);
        snprintf(node->machine.host, sizeof node->machine.host, "node%zu", n);
        node->values = calloc(2 * ROOF_COUNT, sizeof *node->values);
        node->others = quiet_others();
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

/* Multiplies the values of the roofs with this prefix and suffix; NULL: any. */
static inline void scale(struct fleet *fleet, size_t node, enum sample_kind kind, const char *begin, const char *part,
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

static inline struct verdict_of_fleet judge(const struct fleet *fleet) {
    struct verdict_of_fleet out = {.groups = fleet_group(fleet)};
    out.report = fleet_judge(fleet, &out.groups);
    return out;
}

static inline void free_all(struct fleet *fleet, struct verdict_of_fleet *verdict) {
    fleet_report_free(&verdict->report);
    fleet_groups_free(&verdict->groups);
    fleet_free(fleet);
}

/* All nodes have a latency under load; this one's is half as much again. */
static inline void slow_under_load(struct fleet *fleet, size_t node) {
    struct roof_key key = made_up_key(
        &(struct made_up_roof){.kind = SAMPLE_LATENCY, .kernel = "loaded.load.80", .level = "DRAM"}, ROOF_ALL_CORES);
    key.figure = true;
    for (size_t n = 0; n < fleet->count; n++) {
        struct fleet_node *own = &fleet->nodes[n];
        own->values = realloc(own->values, (own->count + 1) * sizeof *own->values);
        own->values[own->count++] =
            (struct fleet_value){.key = (uint32_t)roof_keys_put(&fleet->keys, &key),
                                 .value = (float)(180e-9 * (1 + 0.02 * chance_normal()) * (n == node ? 1.5 : 1))};
    }
}

static inline void slow_clock(struct fleet *fleet, size_t node, double factor) {
    scale(fleet, node, SAMPLE_COMPUTE, NULL, NULL, NULL, factor);
    scale(fleet, node, SAMPLE_BANDWIDTH, NULL, NULL, "L1", factor);
    scale(fleet, node, SAMPLE_BANDWIDTH, NULL, NULL, "L2", factor);
    for (size_t i = 0; i < fleet->nodes[node].count; i++)
        fleet->nodes[node].values[i].clock_hz *= (float)factor;
}

static inline void throttle(struct fleet *fleet, size_t node) {
    slow_clock(fleet, node, 0.8);
}

static inline void steal_cycles(struct fleet *fleet, size_t node) {
    scale(fleet, node, SAMPLE_COMPUTE, NULL, NULL, NULL, 0.8);
}

static inline void lose_channel(struct fleet *fleet, size_t node) {
    scale(fleet, node, SAMPLE_BANDWIDTH, NULL, NULL, "DRAM", 0.75);
}

/* One of twelve: the values of one core stay. Nodes vary by 1.4 %, classes by 1 %. */
static inline void lose_channel_of_twelve(struct fleet *fleet, size_t node) {
    for (size_t n = 0; n < fleet->count; n++)
        for (size_t r = 0; r < ROOF_COUNT; r++) {
            const double usual = 10 * ROOFS[r].value;
            float *value = &fleet->nodes[n].values[ROOF_COUNT + r].value;
            if (ROOFS[r].kind != SAMPLE_BANDWIDTH || strcmp(ROOFS[r].level, "DRAM") != 0)
                continue;
            *value = (float)(usual + 0.7 * ((double)*value - usual));
            *value = n == node ? (float)(usual * 11 / 12) : *value;
        }
}

/* For the core alone. */
static inline void cap_clock(struct fleet *fleet, size_t node) {
    slow_clock(fleet, node, 0.955);
}

static inline void stop_prefetching(struct fleet *fleet, size_t node) {
    for (size_t i = 0; i < fleet->nodes[node].count; i++) {
        struct fleet_value *value = &fleet->nodes[node].values[i];
        const struct roof_key *key = &fleet->keys.keys[value->key];
        if (key->kind == SAMPLE_BANDWIDTH && (strcmp(key->level, "L3") == 0 || strcmp(key->level, "DRAM") == 0) &&
            !strstr(key->kernel, "random"))
            value->value *= key->cores == 1 ? 0.6F : 0.85F;
    }
}

static inline void lose_capacity(struct fleet *fleet, size_t node) {
    fleet->nodes[node].machine.memory_bytes -= GIB(32);
}

static inline void halve_l3(struct fleet *fleet, size_t node) {
    fleet->nodes[node].caches[2].found_bytes /= 2;
    scale(fleet, node, SAMPLE_BANDWIDTH, NULL, NULL, "L3", 0.6);
}

static inline void halve_l3_size(struct fleet *fleet, size_t node) {
    fleet->nodes[node].caches[2].found_bytes /= 2;
}

static inline void kill_fma(struct fleet *fleet, size_t node) {
    scale(fleet, node, SAMPLE_COMPUTE, "avx512.", "fma", NULL, 0.5);
}

static inline void kill_vectors(struct fleet *fleet, size_t node) {
    scale(fleet, node, SAMPLE_COMPUTE, "avx512.", NULL, NULL, 0.5);
}

static inline void slow_avx512(struct fleet *fleet, size_t node) {
    scale(fleet, node, SAMPLE_COMPUTE, "avx512.", NULL, NULL, 0.9);
}

static inline void switch_prefetchers_off(struct fleet *fleet, size_t node) {
    scale(fleet, node, SAMPLE_BANDWIDTH, NULL, NULL, "L2", 0.8);
}

static inline void slow_latency(struct fleet *fleet, size_t node) {
    scale(fleet, node, SAMPLE_LATENCY, NULL, NULL, "DRAM", 1.4);
}

static inline void speed_up(struct fleet *fleet, size_t node) {
    slow_clock(fleet, node, 1.2);
}

static inline void swap(struct fleet *fleet, size_t node) {
    snprintf(fleet->nodes[node].machine.cpu, sizeof fleet->nodes[node].machine.cpu, "Another CPU");
}

static inline void take_name(struct fleet *fleet, size_t node) {
    snprintf(fleet->nodes[node].machine.host, sizeof fleet->nodes[node].machine.host, "node1");
}

static inline void cut_run(struct fleet *fleet, size_t node) {
    fleet->nodes[node].interrupted = true;
    fleet->nodes[node].count -= 4;
}

static inline void give_fewer_cores(struct fleet *fleet, size_t node) {
    fleet->nodes[node].machine.allowed_cores = 16;
    for (size_t i = ROOF_COUNT; i < 2 * ROOF_COUNT; i++)
        fleet->nodes[node].values[i].value *= 0.5F;
}

static inline void limit_time(struct fleet *fleet, size_t node) {
    fleet->nodes[node].machine.cpu_quota_cpus = 8;
}

/* A program that streams through memory, on this many CPUs. */
static inline void run_beside(struct fleet *fleet, size_t node, double cpus) {
    struct others *others = &fleet->nodes[node].others;
    others->cpus += cpus;
    others->busiest_cpus = cpus;
    snprintf(others->busiest, sizeof others->busiest, "hog");
}

static inline void hog(struct fleet *fleet, size_t node) {
    run_beside(fleet, node, 1);
    scale(fleet, node, SAMPLE_BANDWIDTH, NULL, NULL, "DRAM", 0.75);
    scale(fleet, node, SAMPLE_BANDWIDTH, NULL, NULL, "L3", 0.8);
    scale(fleet, node, SAMPLE_LATENCY, NULL, NULL, "DRAM", 1.4);
    fleet->nodes[node].caches[2].found_bytes /= 2;
}

static inline void slow_one_roof(struct fleet *fleet, size_t node) {
    fleet->nodes[node].values[ROOF_COUNT].value *= 0.85F; /* avx512.f64.fma with all cores */
}
