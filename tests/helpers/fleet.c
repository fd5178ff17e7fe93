/* SPDX-License-Identifier: BSD-3-Clause
 * An artificial cluster: `fleet RESULT COUNT FOLDER [SEED]` writes COUNT results into the folder. Each is the given one
 * with noise; twelve have a fault. Prints the faulty hosts with the expected diagnoses. The same seed gives the same
 * cluster. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carm/store/results.h"
#include "probe/error.h"
#include "tests/support/chance.h"

static void scale(struct sample *sample, double factor, bool clock) {
    sample->value *= factor, sample->low *= factor, sample->high *= factor;
    const double faster = sample->kind == SAMPLE_LATENCY ? 1 / factor : factor;
    if (clock)
        sample->clock_hz *= faster, sample->clock_min_hz *= faster, sample->clock_max_hz *= faster;
    else
        sample->per_cycle *= factor;
}

static bool is_core_paced(const struct sample *sample) {
    return sample->kind == SAMPLE_COMPUTE || strcmp(sample->level, "L1") == 0 || strcmp(sample->level, "L2") == 0;
}

/* A healthy node: parts differ by half a percent, measurements by one, those of memory by two, and the ends of caches
 * in a sweep by a step of a quarter octave. */
static void add_noise(struct result *result) {
    const double core = 1 + 0.005 * chance_normal(), memory = 1 + 0.005 * chance_normal();
    for (size_t i = 0; i < result->sample_count; i++) {
        struct sample *sample = &result->samples[i];
        scale(sample, is_core_paced(sample) ? core : memory, is_core_paced(sample));
        scale(sample, 1 + (strcmp(sample->level, "DRAM") == 0 ? 0.02 : 0.01) * chance_normal(), false);
    }
    for (unsigned i = 0; i < result->levels[0].count; i++) {
        struct level *level = &result->levels[0].level[i];
        level->found_bytes = (uint64_t)((double)level->found_bytes * exp2((floor(3 * chance_between()) - 1) / 4));
    }
    result->machine.memory_total_bytes -= (uint64_t)(chance_between() * 64e6);
}

static void scale_level(struct result *result, const char *level, enum sample_kind kind, double factor) {
    for (size_t i = 0; i < result->sample_count; i++)
        if (result->samples[i].kind == kind && strcmp(result->samples[i].level, level) == 0)
            scale(&result->samples[i], factor, false);
}

static void lose_dimm(struct result *result) {
    scale_level(result, "DRAM", SAMPLE_BANDWIDTH, 0.75);
}

static void lose_small_dimm(struct result *result) {
    scale_level(result, "DRAM", SAMPLE_BANDWIDTH, 0.87);
    result->machine.memory_total_bytes -= result->machine.memory_total_bytes / 8;
}

static void lose_capacity(struct result *result) {
    result->machine.memory_total_bytes -= result->machine.memory_total_bytes / 16;
}

static void throttle_by(struct result *result, double factor) {
    for (size_t i = 0; i < result->sample_count; i++)
        if (is_core_paced(&result->samples[i]))
            scale(&result->samples[i], result->samples[i].kind == SAMPLE_LATENCY ? 1 / factor : factor,
                  result->samples[i].kind != SAMPLE_LATENCY);
}

static void throttle(struct result *result) {
    throttle_by(result, 0.7);
}

static void throttle_a_little(struct result *result) {
    throttle_by(result, 0.9);
}

static void halve_l3_size(struct result *result) {
    struct level *level = &result->levels[0].level[levels_find(&result->levels[0], "L3")];
    level->effective_bytes /= 2;
    level->found_bytes /= 2;
}

static void halve_l3(struct result *result) {
    halve_l3_size(result);
    scale_level(result, "L3", SAMPLE_BANDWIDTH, 0.55);
}

static void kill_unit(struct result *result, bool fma_alone) {
    for (size_t i = 0; i < result->sample_count; i++)
        if (strncmp(result->samples[i].kernel, "avx512.", 7) == 0 && result->samples[i].kind == SAMPLE_COMPUTE &&
            (!fma_alone || strstr(result->samples[i].kernel, "fma")))
            scale(&result->samples[i], 0.5, false);
}

static void kill_fma(struct result *result) {
    kill_unit(result, true);
}

static void kill_vectors(struct result *result) {
    kill_unit(result, false);
}

static void swap(struct result *result) {
    snprintf(result->machine.cpu.brand, sizeof result->machine.cpu.brand, "Another CPU");
    result->machine.cpu.model++;
}

static void take_name(struct result *result) {
    snprintf(result->machine.host, sizeof result->machine.host, "node0001");
}

static void slow_memory(struct result *result) {
    scale_level(result, "DRAM", SAMPLE_LATENCY, 1.3);
}

static const struct fault {
    const char *diagnosis;
    void (*plant)(struct result *result);
} FAULTS[] = {
    {"lost DIMM or channel", lose_dimm},     {"lost DIMM or channel", lose_small_dimm},
    {"lost DIMM or channel", lose_capacity}, {"throttled socket", throttle},
    {"throttled socket", throttle_a_little}, {"L3 partition", halve_l3},
    {"L3 partition", halve_l3_size},         {"dead FMA unit", kill_fma},
    {"dead FMA unit", kill_vectors},         {"swapped host", swap},
    {"duplicate host name", take_name},      {"slow memory latency", slow_memory},
};
enum { FAULT_COUNT = sizeof FAULTS / sizeof FAULTS[0] };

int main(int argc, char **argv) {
    struct result base;
    struct error err;
    const size_t count = argc >= 4 ? strtoul(argv[2], NULL, 10) : 0;
    if (count <= 2 * FAULT_COUNT) {
        fprintf(stderr, "usage: fleet RESULT COUNT FOLDER [SEED], with a COUNT above %d\n", 2 * FAULT_COUNT);
        return 2;
    }
    chance_seed = argc > 4 ? strtoull(argv[4], NULL, 10) : 1;
    if (!results_read(argv[1], &base, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return 2;
    }
    for (size_t i = 1; i <= count; i++) {
        struct result node = base;
        const size_t fault = i * FAULT_COUNT / count; /* the last ones of twelve stretches */
        char path[4096];
        node.samples = malloc(base.sample_count * sizeof *node.samples);
        memcpy(node.samples, base.samples, base.sample_count * sizeof *node.samples);
        snprintf(node.machine.host, sizeof node.machine.host, "node%04zu", i);
        add_noise(&node);
        if (fault > (i - 1) * FAULT_COUNT / count) {
            FAULTS[fault - 1].plant(&node);
            printf("%s %s\n", node.machine.host, FAULTS[fault - 1].diagnosis);
        }
        snprintf(path, sizeof path, "%s/node%04zu.json", argv[3], i);
        if (!results_write(&node, path, false, &err)) {
            fprintf(stderr, "%s\n", err.text);
            return 2;
        }
        free(node.samples);
    }
    results_free(&base);
    return 0;
}
