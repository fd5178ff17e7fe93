/* SPDX-License-Identifier: BSD-3-Clause
 * Groups of one machine type and their members (see fleet.h). */
#include "fleet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/levels.h"
#include "probe/text.h"
#include "probe/isa.h"
#include "probe/memory_kind.h"
#include "render/page/units.h"
#include "fleet_thresholds.h"
#include "probe/need.h"

static bool is_group(const struct fleet_group *group) {
    return (double)group->count >= fleet_thresholds.group_nodes.value;
}

struct host_order {
    const struct fleet_node *nodes;
    size_t index;
};

/* By host, newest first. */
static int by_host(const void *a, const void *b) {
    const struct host_order *p = a, *q = b;
    const struct fleet_node *m = &p->nodes[p->index], *n = &q->nodes[q->index];
    const int order = strcmp(m->machine.host, n->machine.host);
    return order                          ? order
           : m->started_s != n->started_s ? (m->started_s > n->started_s ? -1 : 1)
           : p->index < q->index          ? -1
                                          : p->index > q->index;
}

/* Sets for each place of `order` the place of the newest result of that host; its own place: it is the newest. */
static void find_newest(const struct fleet *fleet, const struct host_order *order, size_t *newest) {
    for (size_t i = 0, from = 0; i < fleet->count; i++) {
        const struct fleet_machine *own = &fleet->nodes[order[i].index].machine;
        if (strcmp(fleet->nodes[order[from].index].machine.host, own->host) != 0)
            from = i;
        newest[i] = from;
        while (newest[i] < i &&
               (newest[newest[i]] != newest[i] || !fleet_same_host(&fleet->nodes[order[newest[i]].index].machine, own)))
            newest[i]++;
    }
}

size_t fleet_drop_older(struct fleet *fleet, bool latest) {
    struct host_order *order = need_calloc(fleet->count + 1, sizeof *order);
    size_t *newest = need_calloc(fleet->count + 1, sizeof *newest), hosts = 0, repeated = 0, dropped = 0;
    bool *repeats = need_calloc(fleet->count + 1, sizeof *repeats);
    for (size_t i = 0; i < fleet->count; i++)
        order[i] = (struct host_order){fleet->nodes, i};
    qsort(order, fleet->count, sizeof *order, by_host);
    find_newest(fleet, order, newest);
    for (size_t i = 0; i < fleet->count; i++) {
        hosts += newest[i] == i;
        repeated += newest[i] != i && !repeats[newest[i]];
        repeats[newest[i]] |= newest[i] != i;
    }
    for (size_t i = 0; i < fleet->count && (latest || 2 * repeated > hosts); i++) {
        fleet->nodes[order[i].index].older = newest[i] != i;
        dropped += newest[i] != i;
    }
    free(order);
    free(newest);
    free(repeats);
    return dropped;
}

static void add_member(struct fleet_group *group, size_t node) {
    if ((group->count & (group->count - 1)) == 0) /* a power of two: full */
        group->members = need_realloc(group->members, (group->count ? 2 * group->count : 1) * sizeof *group->members);
    group->members[group->count++] = node;
}

/* Fills in cache sizes that the group's first member lacks. */
static void complete(struct fleet_machine *typical, const struct fleet_machine *machine) {
    typical->l1_bytes = typical->l1_bytes ? typical->l1_bytes : machine->l1_bytes;
    typical->l2_bytes = typical->l2_bytes ? typical->l2_bytes : machine->l2_bytes;
}

static struct fleet_group *group_of(struct fleet_groups *groups, const struct fleet_machine *machine) {
    for (size_t i = 0; i < groups->count; i++) {
        struct fleet_machine *typical = &groups->groups[i].typical;
        if (!fleet_same_cpu(typical, machine) ||
            fleet_memory_class(typical->memory_bytes) != fleet_memory_class(machine->memory_bytes))
            continue;
        complete(typical, machine);
        return &groups->groups[i];
    }
    groups->groups = need_realloc(groups->groups, (groups->count + 1) * sizeof *groups->groups);
    groups->groups[groups->count] = (struct fleet_group){.typical = *machine};
    return &groups->groups[groups->count++];
}

static double memory_distance(const struct fleet_group *a, const struct fleet_group *b) {
    return fabs(log((double)(a->typical.memory_bytes + 1) / (double)(b->typical.memory_bytes + 1)));
}

/* Whether the nodes of `few` may be nodes of `many` that lost memory. */
static bool may_have_lost(const struct fleet_group *few, const struct fleet_group *many) {
    const double share = (double)few->typical.memory_bytes / (double)(many->typical.memory_bytes + 1);
    const bool are_few =
        !is_group(few) || (double)few->count <= fleet_thresholds.small_class.value * (double)many->count;
    return fleet_same_cpu(&few->typical, &many->typical) && is_group(many) && few->count < many->count && are_few &&
           share < 1 && share > fleet_thresholds.half_lost.value;
}

/* A memory size that few nodes have joins the nearest larger size. */
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

static void name_group(struct fleet_group *group) {
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

/* A larger type of the same name; NULL: none. */
static const struct fleet_group *twin_of(const struct fleet_groups *groups, size_t g) {
    for (size_t k = 0; k < g; k++)
        if (strcmp(groups->groups[k].name, groups->groups[g].name) == 0)
            return &groups->groups[k];
    return NULL;
}

/* Types of equal names, but for the largest, get a difference appended. The new name may equal another one: then one
 * more difference follows. */
static void tell_apart(struct fleet_groups *groups) {
    for (size_t g = 1; g < groups->count; g++) {
        struct fleet_group *group = &groups->groups[g];
        const struct fleet_group *twin;
        for (size_t turn = 0; turn < g && (twin = twin_of(groups, g)); turn++) {
            char difference[FLEET_DIFFERENCE_BYTES];
            if (fleet_difference(&group->typical, &twin->typical, difference))
                text_append(group->name, sizeof group->name, " · %s", difference);
        }
    }
}

struct fleet_groups fleet_group(const struct fleet *fleet) {
    struct fleet_groups groups = {0};
    for (size_t i = 0; i < fleet->count; i++)
        if (!fleet->nodes[i].older)
            add_member(group_of(&groups, &fleet->nodes[i].machine), i);
    join_small(&groups);
    for (size_t g = 0; g < groups.count; g++) {
        struct fleet_group *group = &groups.groups[g];
        group->judged = is_group(group);
        fleet_find_usual(fleet, group);
        name_group(group);
    }
    if (groups.count)
        qsort(groups.groups, groups.count, sizeof *groups.groups, by_size);
    tell_apart(&groups);
    return groups;
}

static void free_class(struct fleet_class *class) {
    free(class->deviations);
    free(class->lows);
    free(class->highs);
}

void fleet_groups_free(struct fleet_groups *groups) {
    for (size_t g = 0; g < groups->count; g++) {
        struct fleet_group *group = &groups->groups[g];
        for (size_t c = 0; c < group->class_count; c++)
            free_class(&group->classes[c]);
        free(group->classes);
        free(group->roofs);
        free(group->clock_deviations);
        free(group->members);
    }
    free(groups->groups);
    *groups = (struct fleet_groups){0};
}

/* Higher for wider vectors, if the class has their highest ceilings: of FMA, where they have it. Else 0. */
static size_t width_rank(const struct fleet_class *class) {
    const struct isa *isa = isa_find(class->isa);
    return isa && isa->operands == ISA_VECTORS && isa->fma == class->fma ? 1 + (size_t)(isa - isa_table) : 0;
}

/* Whether a class of this level may represent it; NULL: the memory of the machine. */
static bool is_of_level(const struct roof_key *key, const char *level) {
    return level ? strcmp(key->level, level) == 0 : levels_is_memory(key->level);
}

/* Whether class `a` represents its level, or the machine's memory, better than `b`. */
static bool is_better(const struct fleet_class *a, const struct fleet_class *b) {
    const bool ordinary = memory_kind_of(a->key.level)->ordinary;
    if (ordinary != memory_kind_of(b->key.level)->ordinary)
        return ordinary;
    return a->key.cores != b->key.cores ? a->key.cores > b->key.cores : width_rank(a) > width_rank(b);
}

size_t fleet_headline(const struct fleet_group *group, enum sample_kind kind, const char *level) {
    size_t best = FLEET_NONE;
    for (size_t c = 0; c < group->class_count; c++) {
        const struct roof_key *key = &group->classes[c].key;
        if (key->figure || key->kind != kind || !is_of_level(key, level) || key->package || key->node || key->smt ||
            key->small_pages || group->classes[c].random)
            continue;
        if (best == FLEET_NONE || is_better(&group->classes[c], &group->classes[best]))
            best = c;
    }
    return best;
}
