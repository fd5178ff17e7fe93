/* SPDX-License-Identifier: BSD-3-Clause
 * Usual values of a group of nodes (see fleet.h): medians, spreads, sizes, and each member's deviations from them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fleet.h"
#include "asm/arithmetic.h"
#include "asm/pattern.h"
#include "fleet_thresholds.h"
#include "bench/kernels/number_thresholds.h"
#include "carm/compare/compare_thresholds.h"
#include "probe/error.h"
#include "probe/need.h"

static const struct fleet_thresholds *const THRESHOLD = &fleet_thresholds;

/* One quantity of all members, a run of numbers per key. */
struct runs {
    size_t *begins; /* of key k: begins[k] to begins[k + 1] */
    double *numbers;
};

static struct runs fleet_usual_gather(const struct fleet *fleet, const struct fleet_group *group, bool clocks) {
    const size_t keys = fleet->keys.count;
    struct runs runs = {.begins = need_calloc(keys + 2, sizeof *runs.begins)};
    for (size_t m = 0; m < group->count; m++) {
        const struct fleet_node *node = &fleet->nodes[group->members[m]];
        for (size_t i = 0; i < node->count; i++)
            runs.begins[node->values[i].key + 2]++;
    }
    for (size_t k = 2; k < keys + 2; k++)
        runs.begins[k] += runs.begins[k - 1];
    runs.numbers = need_calloc(runs.begins[keys + 1] + 1, sizeof *runs.numbers);
    for (size_t m = 0; m < group->count; m++) {
        const struct fleet_node *node = &fleet->nodes[group->members[m]];
        for (size_t i = 0; i < node->count; i++) {
            const struct fleet_value *value = &node->values[i];
            runs.numbers[runs.begins[value->key + 1]++] = (double)(clocks ? value->clock_hz : value->value);
        }
    }
    return runs;
}

static void free_runs(struct runs *runs) {
    free(runs->begins);
    free(runs->numbers);
}

/* Replaces the numbers by their distances from the median. */
static double fleet_usual_spread_of(double *numbers, size_t count, double *median) {
    *median = sample_median(numbers, count);
    for (size_t i = 0; i < count; i++)
        numbers[i] = fabs(numbers[i] - *median);
    return sample_median(numbers, count);
}

static double tolerance_of(const struct fleet *fleet, const struct roof_key *key) {
    return fleet->limits ? check_tolerance(fleet->limits, key)
                         : compare_thresholds.tolerances[check_class_of(key)].value;
}

/* The default tolerance of memory is for shared hosts; in a group that agrees better its spread decides. */
static double class_tolerance(const struct fleet *fleet, const struct fleet_group *group, const struct roof_key *key) {
    const bool spread_decides =
        !fleet->limits && (double)group->count >= THRESHOLD->spread_nodes.value && check_class_of(key) == CHECK_DRAM;
    return spread_decides ? THRESHOLD->dram_tolerance.value : tolerance_of(fleet, key);
}

static void find_medians(const struct fleet *fleet, struct fleet_group *group) {
    struct runs values = fleet_usual_gather(fleet, group, false);
    struct check_limits usual;
    struct error ignored; /* nothing can be wrong with the defaults */
    check_read_limits(NULL, &usual, &ignored);
    group->roofs = need_calloc(fleet->keys.count + 1, sizeof *group->roofs);
#pragma omp parallel for schedule(dynamic, 16)
    for (size_t k = 0; k < fleet->keys.count; k++) {
        struct fleet_roof *roof = &group->roofs[k];
        roof->holders = values.begins[k + 1] - values.begins[k];
        roof->median = roof->mad = NAN;
        if (roof->holders == 0)
            continue;
        roof->mad = fleet_usual_spread_of(values.numbers + values.begins[k], roof->holders, &roof->median);
        roof->tolerance = check_tolerance_alone(fleet->limits ? fleet->limits : &usual, &fleet->keys.keys[k]);
        roof->sigma = fleet_sigma(roof->mad / roof->median, roof->tolerance);
    }
    free_runs(&values); /* before the others: each takes a third of the fleet's size */
    struct runs clocks = fleet_usual_gather(fleet, group, true);
#pragma omp parallel for schedule(dynamic, 16)
    for (size_t k = 0; k < fleet->keys.count; k++)
        group->roofs[k].clock_hz = sample_median(clocks.numbers + clocks.begins[k], group->roofs[k].holders);
    free_runs(&clocks);
}

static bool is_fma(const char *op) {
    const struct arithmetic *arithmetic = arithmetic_find(op);
    return arithmetic && (arithmetic->sort == FUSED || arithmetic->sort == DOT);
}

/* The roofs of a class are slow together if one part of the machine is. */
static struct fleet_class class_for(const struct roof_key *key) {
    struct fleet_class class = {.key = *key};
    if (key->figure)
        return class;
    class.key.kernel[0] = '\0';
    if (key->kind == SAMPLE_COMPUTE) {
        snprintf(class.isa, sizeof class.isa, "%.*s", (int)strcspn(key->kernel, "."), key->kernel);
        class.fma = is_fma(roof_key_operation(key));
    }
    class.random = key->kind == SAMPLE_BANDWIDTH && pattern_is_random(pattern_of_kernel(key->kernel));
    return class;
}

static bool is_same_class(const struct fleet_class *a, const struct fleet_class *b) {
    return a->fma == b->fma && a->random == b->random && strcmp(a->isa, b->isa) == 0 && roof_key_same(&a->key, &b->key);
}

const char *fleet_operations(const struct fleet_class *class, char out[FLEET_OPERATIONS_BYTES]) {
    snprintf(out, FLEET_OPERATIONS_BYTES, "%s.%s", class->isa, class->fma ? "fma" : "other");
    return out;
}

static void find_classes(const struct fleet *fleet, struct fleet_group *group) {
    group->classes = need_calloc(fleet->keys.count + 1, sizeof *group->classes);
    for (size_t k = 0; k < fleet->keys.count; k++) {
        const struct fleet_class class = class_for(&fleet->keys.keys[k]);
        size_t at = 0;
        group->roofs[k].class = FLEET_NONE;
        if (2 * group->roofs[k].holders <= group->count) /* if few members have it, none of its values is usual */
            continue;
        while (at < group->class_count && !is_same_class(&group->classes[at], &class))
            at++;
        if (at == group->class_count)
            group->classes[group->class_count++] = class;
        group->roofs[k].class = at;
    }
    for (size_t i = 0; i < group->class_count; i++) {
        struct fleet_class *class = &group->classes[i];
        class->tolerance = class_tolerance(fleet, group, &class->key);
        class->deviations = need_calloc(group->count, sizeof *class->deviations);
        class->lows = need_calloc(group->count, sizeof *class->lows);
        class->highs = need_calloc(group->count, sizeof *class->highs);
    }
}

bool fleet_comparable(const struct fleet_group *group, const struct fleet_machine *machine,
                      const struct roof_key *key) {
    return key->cores != ROOF_ALL_CORES || machine->allowed_cores == group->typical.allowed_cores;
}

struct compare_interval fleet_interval(const struct fleet_value *value) {
    const bool known = value->high > 0;
    return (struct compare_interval){(double)(known ? value->low : value->value),
                                     (double)(known ? value->high : value->value)};
}

/* The class of a value in the group; FLEET_NONE: it is not compared. */
static size_t fleet_usual_class_of(const struct fleet *fleet, const struct fleet_group *group,
                                   const struct fleet_node *node, const struct fleet_value *value) {
    const bool comparable = fleet_comparable(group, &node->machine, &fleet->keys.keys[value->key]);
    return comparable ? group->roofs[value->key].class : FLEET_NONE;
}

/* A member's roofs, a run of numbers per class: class c ends at ends[c + 1], the class before it at ends[c]. */
struct class_runs {
    size_t *ends;
    double *values, *lows, *highs; /* deviations from the medians */
};

static double median_of_run(double *numbers, const size_t *ends, size_t class) {
    const size_t count = ends[class + 1] - ends[class];
    return count ? sample_median(numbers + ends[class], count) : NAN;
}

/* The member's deviations from the medians, class by class. */
static void find_deviations(const struct fleet *fleet, struct fleet_group *group, size_t member) {
    const struct fleet_node *node = &fleet->nodes[group->members[member]];
    double *numbers = need_calloc(3 * node->count + 1, sizeof *numbers);
    struct class_runs runs = {.ends = need_calloc(group->class_count + 2, sizeof *runs.ends),
                              .values = numbers,
                              .lows = numbers + node->count,
                              .highs = numbers + 2 * node->count};
    for (size_t i = 0; i < node->count; i++) {
        const size_t class = fleet_usual_class_of(fleet, group, node, &node->values[i]);
        if (class != FLEET_NONE)
            runs.ends[class + 2]++;
    }
    for (size_t c = 2; c < group->class_count + 2; c++)
        runs.ends[c] += runs.ends[c - 1];
    for (size_t i = 0; i < node->count; i++) {
        const struct fleet_value *value = &node->values[i];
        const size_t class = fleet_usual_class_of(fleet, group, node, value);
        if (class == FLEET_NONE)
            continue;
        const double median = group->roofs[value->key].median;
        const struct compare_interval interval = fleet_interval(value);
        const size_t at = runs.ends[class + 1]++;
        runs.values[at] = (double)value->value / median - 1;
        runs.lows[at] = interval.low / median - 1;
        runs.highs[at] = interval.high / median - 1;
    }
    for (size_t c = 0; c < group->class_count; c++) {
        group->classes[c].deviations[member] = median_of_run(runs.values, runs.ends, c);
        group->classes[c].lows[member] = median_of_run(runs.lows, runs.ends, c);
        group->classes[c].highs[member] = median_of_run(runs.highs, runs.ends, c);
    }
    free(numbers);
    free(runs.ends);
}

double fleet_sigma(double mad, double tolerance) {
    return fmax(SAMPLE_MAD_TO_SIGMA * mad, THRESHOLD->least_sigma.value * tolerance);
}

bool fleet_is_apart(const struct fleet_class *class, double deviation) {
    return fabs(deviation) >= class->tolerance && fabs(deviation) >= THRESHOLD->class_sigmas.value * class->sigma;
}

/* From the known deviations only. */
static struct fleet_usual usual_of(const double *deviations, size_t members, double tolerance) {
    double *known = need_calloc(members + 1, sizeof *known);
    struct fleet_usual usual;
    size_t count = 0;
    for (size_t m = 0; m < members; m++)
        if (!isnan(deviations[m]))
            known[count++] = deviations[m];
    usual.sigma = fleet_sigma(fleet_usual_spread_of(known, count, &usual.median), tolerance);
    free(known);
    return usual;
}

static void find_sigma(struct fleet_class *class, size_t members) {
    const struct fleet_usual usual = usual_of(class->deviations, members, class->tolerance);
    class->center = usual.median;
    class->sigma = usual.sigma;
}

/* The member's clock in compute roofs, relative to the median of each. */
static double clock_deviation(const struct fleet *fleet, const struct fleet_group *group, size_t member) {
    const struct fleet_node *node = &fleet->nodes[group->members[member]];
    double *ratios = need_calloc(node->count + 1, sizeof *ratios);
    size_t count = 0;
    for (size_t i = 0; i < node->count; i++) {
        const double usual = group->roofs[node->values[i].key].clock_hz, own = (double)node->values[i].clock_hz;
        if (fleet->keys.keys[node->values[i].key].kind == SAMPLE_COMPUTE && usual > 0 && own > 0)
            ratios[count++] = own / usual;
    }
    const double deviation = count ? sample_median(ratios, count) - 1 : NAN;
    free(ratios);
    return deviation;
}

bool fleet_clock_is_apart(const struct fleet_group *group, size_t member) {
    const double off = group->clock_deviations[member] - group->clock.median; /* of NaN: false */
    return fabs(off) >= THRESHOLD->clock_tolerance.value &&
           fabs(off) >= THRESHOLD->class_sigmas.value * group->clock.sigma;
}

/* The median of sizes if nearly all are near it; else 0. */
static uint64_t agreed(double *sizes, size_t count) {
    const double median = count ? sample_median(sizes, count) : 0;
    size_t near = 0;
    for (size_t i = 0; i < count; i++)
        near += fabs(log2(sizes[i] / median)) <= THRESHOLD->end_octaves.value;
    return (double)near >= THRESHOLD->ends_agree.value * (double)count ? (uint64_t)median : 0;
}

/* Median sizes of caches, level by level; the levels are those of the first member. */
static void find_caches(const struct fleet *fleet, struct fleet_group *group) {
    const struct fleet_node *first = &fleet->nodes[group->members[0]];
    double *detected = need_calloc(group->count, sizeof *detected), *found = need_calloc(group->count, sizeof *found);
    group->cache_count = first->cache_count;
    for (unsigned i = 0; i < first->cache_count; i++) {
        size_t known = 0, ends = 0;
        for (size_t m = 0; m < group->count; m++) {
            const struct fleet_node *node = &fleet->nodes[group->members[m]];
            if (i >= node->cache_count)
                continue;
            detected[known++] = (double)node->caches[i].detected_bytes;
            if (node->caches[i].found_bytes)
                found[ends++] = (double)node->caches[i].found_bytes;
        }
        group->caches[i] = first->caches[i];
        group->caches[i].detected_bytes = (uint64_t)sample_median(detected, known);
        group->caches[i].found_bytes = agreed(found, ends);
    }
    free(detected);
    free(found);
}

/* 0: at most half of the members have a quota. */
static double usual_quota_cpus(const struct fleet *fleet, const struct fleet_group *group) {
    double *quotas = need_calloc(group->count, sizeof *quotas);
    size_t count = 0;
    for (size_t m = 0; m < group->count; m++) {
        const double own = fleet->nodes[group->members[m]].machine.cpu_quota_cpus;
        if (own > 0)
            quotas[count++] = own;
    }
    const double usual = 2 * count > group->count ? sample_median(quotas, count) : 0;
    free(quotas);
    return usual;
}

/* CPUs used by other programs on the members. */
static void fleet_usual_find_others(const struct fleet *fleet, struct fleet_group *group) {
    double *cpus = need_calloc(group->count, sizeof *cpus);
    struct fleet_usual *const of[] = {&group->others, &group->busiest_other};
    for (size_t i = 0; i < 2; i++) {
        for (size_t m = 0; m < group->count; m++) {
            const struct others *own = &fleet->nodes[group->members[m]].others;
            cpus[m] = i == 0 ? own->cpus : own->busiest_cpus;
        }
        of[i]->sigma = fleet_sigma(fleet_usual_spread_of(cpus, group->count, &of[i]->median),
                                   number_thresholds.others_matter.value);
    }
    free(cpus);
}

static void find_machine(const struct fleet *fleet, struct fleet_group *group) {
    double *bytes = need_calloc(group->count, sizeof *bytes), *allowed = need_calloc(group->count, sizeof *allowed);
    for (size_t m = 0; m < group->count; m++) {
        const struct fleet_machine *machine = &fleet->nodes[group->members[m]].machine;
        bytes[m] = (double)machine->memory_bytes;
        allowed[m] = machine->allowed_cores;
    }
    group->typical.memory_bytes = (uint64_t)sample_median(bytes, group->count);
    group->typical.cpu_quota_cpus = usual_quota_cpus(fleet, group);
    group->typical.allowed_cores = (unsigned)sample_median(allowed, group->count);
    free(bytes);
    free(allowed);
}

void fleet_find_usual(const struct fleet *fleet, struct fleet_group *group) {
    find_machine(fleet, group);
    fleet_usual_find_others(fleet, group);
    find_caches(fleet, group);
    find_medians(fleet, group);
    find_classes(fleet, group);
    group->clock_deviations = need_calloc(group->count, sizeof *group->clock_deviations);
#pragma omp parallel for schedule(dynamic, 16)
    for (size_t m = 0; m < group->count; m++) {
        find_deviations(fleet, group, m);
        group->clock_deviations[m] = clock_deviation(fleet, group, m);
    }
    group->clock = usual_of(group->clock_deviations, group->count, THRESHOLD->clock_tolerance.value);
    for (size_t c = 0; c < group->class_count; c++)
        find_sigma(&group->classes[c], group->count);
}
