/* SPDX-License-Identifier: BSD-3-Clause
 * Machine types, and what is usual in each (see fleet.h). */
#include "fleet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../render/units.h"

static const double MAD_TO_SIGMA = 1.4826; /* of a normal distribution */
static const double SIGMA_LEAST = 0.1;     /* of the tolerance: numbers that agree better agree by chance */
static const double HALF_LOST = 0.45;      /* with less memory than this share it is rather another type */
static const double SMALL_CLASS = 0.05;    /* memory sizes that fewer nodes have are no type of their own */

struct fleet_machine fleet_machine_of(const struct result *result) {
    const struct machine *machine = &result->machine;
    struct fleet_machine out = {.family = machine->cpu.family,
                                .model = machine->cpu.model,
                                .stepping = machine->cpu.stepping,
                                .packages = machine->package_count,
                                .cores = machine->machine_core_count,
                                .memory_bytes = machine->memory_total_bytes};
    snprintf(out.host, sizeof out.host, "%s", machine->host);
    snprintf(out.cpu, sizeof out.cpu, "%s", machine->cpu.brand);
    snprintf(out.uarch, sizeof out.uarch, "%s", result->uarch);
    return out;
}

bool fleet_same_cpu(const struct fleet_machine *a, const struct fleet_machine *b) {
    return strcmp(a->cpu, b->cpu) == 0 && a->family == b->family && a->model == b->model && a->cores == b->cores &&
           a->packages == b->packages;
}

uint64_t fleet_memory_class(uint64_t bytes) {
    if (bytes == 0)
        return 0;
    const double power = exp2(floor(log2((double)bytes))), sizes[] = {power, 1.5 * power, 2 * power};
    double best = sizes[0];
    for (size_t i = 1; i < 3; i++)
        if (fabs(log(sizes[i] / (double)bytes)) < fabs(log(best / (double)bytes)))
            best = sizes[i];
    return (uint64_t)best;
}

struct host_order {
    const struct fleet_node *nodes;
    size_t index;
};

/* By host, the newest first. */
static int by_host(const void *a, const void *b) {
    const struct host_order *p = a, *q = b;
    const struct fleet_node *m = &p->nodes[p->index], *n = &q->nodes[q->index];
    const int order = strcmp(m->machine.host, n->machine.host);
    return order                          ? order
           : m->started_s != n->started_s ? (m->started_s > n->started_s ? -1 : 1)
           : p->index < q->index          ? -1
                                          : p->index > q->index;
}

size_t fleet_drop_older(struct fleet *fleet, bool latest) {
    struct host_order *order = calloc(fleet->count + 1, sizeof *order);
    size_t hosts = 0, repeated = 0, dropped = 0;
    for (size_t i = 0; i < fleet->count; i++)
        order[i] = (struct host_order){fleet->nodes, i};
    qsort(order, fleet->count, sizeof *order, by_host);
    for (size_t i = 0, next; i < fleet->count; i = next, hosts++) {
        for (next = i + 1; next < fleet->count && strcmp(fleet->nodes[order[i].index].machine.host,
                                                         fleet->nodes[order[next].index].machine.host) == 0;)
            next++;
        repeated += next > i + 1;
    }
    if (latest || 2 * repeated > hosts)
        for (size_t i = 1; i < fleet->count; i++) {
            struct fleet_node *node = &fleet->nodes[order[i].index];
            node->older = strcmp(node->machine.host, fleet->nodes[order[i - 1].index].machine.host) == 0;
            dropped += node->older;
        }
    free(order);
    return dropped;
}

static void add_member(struct fleet_group *group, size_t node) {
    if ((group->count & (group->count - 1)) == 0) /* a power of two: full */
        group->members = realloc(group->members, (group->count ? 2 * group->count : 1) * sizeof *group->members);
    group->members[group->count++] = node;
}

static struct fleet_group *group_of(struct fleet_groups *groups, const struct fleet_machine *machine) {
    for (size_t i = 0; i < groups->count; i++) {
        const struct fleet_machine *typical = &groups->groups[i].typical;
        if (fleet_same_cpu(typical, machine) &&
            fleet_memory_class(typical->memory_bytes) == fleet_memory_class(machine->memory_bytes))
            return &groups->groups[i];
    }
    groups->groups = realloc(groups->groups, (groups->count + 1) * sizeof *groups->groups);
    groups->groups[groups->count] = (struct fleet_group){.typical = *machine};
    return &groups->groups[groups->count++];
}

static double memory_distance(const struct fleet_group *a, const struct fleet_group *b) {
    return fabs(log((double)(a->typical.memory_bytes + 1) / (double)(b->typical.memory_bytes + 1)));
}

/* Whether a node of `few` may be one of `many` that lost memory. */
static bool may_have_lost(const struct fleet_group *few, const struct fleet_group *many) {
    const double share = (double)few->typical.memory_bytes / (double)(many->typical.memory_bytes + 1);
    const bool are_few = few->count < FLEET_GROUP_LEAST || (double)few->count <= SMALL_CLASS * (double)many->count;
    return fleet_same_cpu(&few->typical, &many->typical) && many->count >= FLEET_GROUP_LEAST &&
           few->count < many->count && are_few && share < 1 && share > HALF_LOST;
}

/* Nodes of a memory size that few have are judged with those of the nearest larger size. */
static void join_small(struct fleet_groups *groups) {
    for (size_t i = 0; i < groups->count; i++) {
        struct fleet_group *small = &groups->groups[i], *near = NULL;
        for (size_t k = 0; k < groups->count; k++) {
            struct fleet_group *other = &groups->groups[k];
            if (k == i || !may_have_lost(small, other))
                continue;
            if (!near || memory_distance(small, other) < memory_distance(small, near))
                near = other;
        }
        for (size_t m = 0; near && m < small->count; m++)
            add_member(near, small->members[m]);
        if (near)
            small->count = 0;
    }
    size_t kept = 0;
    for (size_t i = 0; i < groups->count; i++) {
        if (groups->groups[i].count)
            groups->groups[kept++] = groups->groups[i];
        else
            free(groups->groups[i].members);
    }
    groups->count = kept;
}

/* Quantities of one kind of all members, a run of numbers per key. */
struct runs {
    size_t *begins; /* of key k: begins[k] to begins[k + 1] */
    double *numbers;
};

static struct runs gather(const struct fleet *fleet, const struct fleet_group *group, bool clocks) {
    const size_t keys = fleet->keys.count;
    struct runs runs = {.begins = calloc(keys + 2, sizeof *runs.begins)};
    for (size_t m = 0; m < group->count; m++) {
        const struct fleet_node *node = &fleet->nodes[group->members[m]];
        for (size_t i = 0; i < node->count; i++)
            runs.begins[node->values[i].key + 2]++;
    }
    for (size_t k = 2; k < keys + 2; k++)
        runs.begins[k] += runs.begins[k - 1];
    runs.numbers = calloc(runs.begins[keys + 1] + 1, sizeof *runs.numbers);
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

/* Sorts the numbers twice. */
static double spread_of(double *numbers, size_t count, double *median) {
    *median = sample_statistics(numbers, count).median;
    for (size_t i = 0; i < count; i++)
        numbers[i] = fabs(numbers[i] - *median);
    return sample_statistics(numbers, count).median;
}

static void find_medians(const struct fleet *fleet, struct fleet_group *group) {
    struct runs values = gather(fleet, group, false), clocks = gather(fleet, group, true);
    group->roofs = calloc(fleet->keys.count + 1, sizeof *group->roofs);
#pragma omp parallel for schedule(dynamic, 16)
    for (size_t k = 0; k < fleet->keys.count; k++) {
        struct fleet_roof *roof = &group->roofs[k];
        roof->holders = values.begins[k + 1] - values.begins[k];
        roof->median = roof->mad = NAN;
        if (roof->holders == 0)
            continue;
        roof->mad = spread_of(values.numbers + values.begins[k], roof->holders, &roof->median);
        roof->clock_hz = sample_statistics(clocks.numbers + clocks.begins[k], roof->holders).median;
    }
    free_runs(&values);
    free_runs(&clocks);
}

static bool is_fma(const char *op) {
    return strstr(op, "fma") || strcmp(op, "dot") == 0;
}

/* Its roofs are slow together where one part of the machine is. */
static struct roof_key class_key(const struct roof_key *key) {
    struct roof_key class = *key;
    const char *isa_end = strchr(key->kernel, '.'), *op = strrchr(key->kernel, '.');
    memset(class.kernel, 0, sizeof class.kernel);
    if (key->kind == SAMPLE_COMPUTE)
        snprintf(class.kernel, sizeof class.kernel, "%.*s.%s",
                 (int)(isa_end ? isa_end - key->kernel : (long)strlen(key->kernel)), key->kernel,
                 is_fma(op ? op + 1 : key->kernel) ? "fma" : "other");
    else if (key->kind == SAMPLE_BANDWIDTH && op && strcmp(op, ".random") == 0)
        snprintf(class.kernel, sizeof class.kernel, "random");
    return class;
}

static void find_classes(const struct fleet *fleet, struct fleet_group *group) {
    struct roof_keys keys = {0};
    for (size_t k = 0; k < fleet->keys.count; k++) {
        const struct roof_key key = class_key(&fleet->keys.keys[k]);
        if (2 * group->roofs[k].holders > group->count) /* what few have tells nothing of the rest */
            group->roofs[k].class = roof_keys_put(&keys, &key);
        else
            group->roofs[k].class = FLEET_NONE;
    }
    group->class_count = keys.count;
    group->classes = calloc(keys.count + 1, sizeof *group->classes);
    for (size_t i = 0; i < keys.count; i++)
        group->classes[i] = (struct fleet_class){.key = keys.keys[i],
                                                 .tolerance = check_tolerances[check_class_of(&keys.keys[i])],
                                                 .deviations = calloc(group->count, sizeof(double))};
    roof_keys_free(&keys);
}

/* The member's deviations from the medians, class by class. */
static void find_deviations(const struct fleet *fleet, struct fleet_group *group, size_t member) {
    const struct fleet_node *node = &fleet->nodes[group->members[member]];
    double *numbers = calloc(node->count + 1, sizeof *numbers);
    size_t *ends = calloc(group->class_count + 2, sizeof *ends);
    for (size_t i = 0; i < node->count; i++)
        if (group->roofs[node->values[i].key].class != FLEET_NONE)
            ends[group->roofs[node->values[i].key].class + 2]++;
    for (size_t c = 2; c < group->class_count + 2; c++)
        ends[c] += ends[c - 1];
    for (size_t i = 0; i < node->count; i++) {
        const struct fleet_roof *roof = &group->roofs[node->values[i].key];
        if (roof->class != FLEET_NONE)
            numbers[ends[roof->class + 1]++] = (double)node->values[i].value / roof->median - 1;
    }
    for (size_t c = 0; c < group->class_count; c++)
        group->classes[c].deviations[member] =
            ends[c + 1] > ends[c] ? sample_statistics(numbers + ends[c], ends[c + 1] - ends[c]).median : NAN;
    free(numbers);
    free(ends);
}

static void find_sigma(struct fleet_class *class, size_t members) {
    double *known = calloc(members + 1, sizeof *known);
    size_t count = 0;
    for (size_t m = 0; m < members; m++)
        if (!isnan(class->deviations[m]))
            known[count++] = class->deviations[m];
    class->sigma = fmax(MAD_TO_SIGMA * spread_of(known, count, &class->center), SIGMA_LEAST * class->tolerance);
    free(known);
}

/* Sizes of caches are medians, level by level; the levels are those of the first member. */
static void find_caches(const struct fleet *fleet, struct fleet_group *group) {
    const struct fleet_node *first = &fleet->nodes[group->members[0]];
    double *detected = calloc(group->count, sizeof *detected), *found = calloc(group->count, sizeof *found);
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
        group->caches[i].detected_bytes = (uint64_t)sample_statistics(detected, known).median;
        group->caches[i].found_bytes = (uint64_t)sample_statistics(found, ends).median;
    }
    free(detected);
    free(found);
}

static void name_group(const struct fleet *fleet, struct fleet_group *group) {
    double *bytes = calloc(group->count, sizeof *bytes);
    for (size_t m = 0; m < group->count; m++)
        bytes[m] = (double)fleet->nodes[group->members[m]].machine.memory_bytes;
    group->typical.memory_bytes = (uint64_t)sample_statistics(bytes, group->count).median;
    free(bytes);
    const struct fleet_machine *typical = &group->typical;
    const char *name = *typical->uarch ? typical->uarch : typical->cpu, *end = strstr(name, " (");
    char memory[32];
    snprintf(group->name, sizeof group->name, "%.*s · %u core%s · %s",
             end && name == typical->uarch ? (int)(end - name) : (int)strlen(name), name, typical->cores,
             typical->cores == 1 ? "" : "s",
             units_binary(memory, sizeof memory, (double)fleet_memory_class(typical->memory_bytes)));
}

static int by_size(const void *a, const void *b) {
    const struct fleet_group *p = a, *q = b;
    return p->count != q->count ? (p->count > q->count ? -1 : 1) : strcmp(p->name, q->name);
}

struct fleet_groups fleet_group(const struct fleet *fleet) {
    struct fleet_groups groups = {0};
    for (size_t i = 0; i < fleet->count; i++)
        if (!fleet->nodes[i].older)
            add_member(group_of(&groups, &fleet->nodes[i].machine), i);
    join_small(&groups);
    for (size_t g = 0; g < groups.count; g++) {
        struct fleet_group *group = &groups.groups[g];
        group->judged = group->count >= FLEET_GROUP_LEAST;
        name_group(fleet, group);
        find_caches(fleet, group);
        find_medians(fleet, group);
        find_classes(fleet, group);
#pragma omp parallel for schedule(dynamic, 16)
        for (size_t m = 0; m < group->count; m++)
            find_deviations(fleet, group, m);
        for (size_t c = 0; c < group->class_count; c++)
            find_sigma(&group->classes[c], group->count);
    }
    if (groups.count)
        qsort(groups.groups, groups.count, sizeof *groups.groups, by_size);
    return groups;
}

void fleet_groups_free(struct fleet_groups *groups) {
    for (size_t g = 0; g < groups->count; g++) {
        struct fleet_group *group = &groups->groups[g];
        for (size_t c = 0; c < group->class_count; c++)
            free(group->classes[c].deviations);
        free(group->classes);
        free(group->roofs);
        free(group->members);
    }
    free(groups->groups);
    *groups = (struct fleet_groups){0};
}
