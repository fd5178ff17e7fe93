/* SPDX-License-Identifier: BSD-3-Clause
 * Which spots of the machine are measured: thread counts, core kinds, packages, memory nodes, other memory (see
 * plan.h).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probe/isa.h"
#include "plan_spot.h"

static bool has_level(const struct machine *machine, const struct levels *levels, const char *name) {
    bool found = false;
    for (unsigned k = 0; k < machine->kind_count; k++)
        found |= levels_find(&levels[k], name) >= 0;
    for (unsigned i = 0; i < machine->node_count; i++)
        found |= strcmp(machine->nodes[i].kind, name) == 0 && machine->nodes[i].memory_bytes > 0;
    return found;
}

static bool check_choices(const struct machine *machine, const struct levels *levels,
                          const struct plan_options *options, struct error *err) {
    for (size_t i = 0; i < options->isa_count; i++) {
        const struct isa *isa = isa_find(options->isas[i]);
        if (isa && !machine_has(machine, isa->needs))
            return error_set(err, "this CPU (or its operating system) does not have %s%s%s%s; see `carmine machine`",
                             isa->label, machine->tiles_refused[0] ? " (tiles are refused: " : "",
                             machine->tiles_refused, machine->tiles_refused[0] ? ")" : "");
    }
    for (size_t i = 0; i < options->level_count; i++)
        if (!has_level(machine, levels, options->levels[i]))
            return error_set(err, "this machine has no level %s; see `carmine machine`", options->levels[i]);
    if (options->smt && team_capacity(machine, TEAM_ANY_KIND, &(struct place){.smt = true}) == machine->core_count)
        return error_set(err, "no core has a second CPU that may be used (SMT is off, or not allowed to this process); "
                              "leave out --smt");
    return true;
}

/* Whether the machine's first `count` cores are alike. */
static bool is_of_one_kind(const struct machine *machine, unsigned count) {
    for (unsigned i = 1; i < count && i < machine->core_count; i++)
        if (machine->cores[i].kind != machine->cores[0].kind)
            return false;
    return count <= machine->core_count;
}

/* The thread counts asked for, of each core kind and of all together. */
static bool add_counts(struct plan *plan, const struct plan_basis *basis, struct error *err) {
    const struct machine *machine = basis->machine;
    const struct plan_options *options = basis->options;
    bool hybrid = machine->kind_count > 1, done = true;
    struct plan_options counts = *options;
    if (counts.thread_count == 0) {
        unsigned first_core = machine->cores[0].pu_count;
        counts.threads[0] = options->smt ? first_core : 1, counts.threads[1] = PLAN_ALL;
        counts.thread_count = 2;
    }
    for (int kind = hybrid ? 0 : TEAM_ANY_KIND; kind < (hybrid ? (int)machine->kind_count : 0) && done; kind++) {
        if (options->only_kind && kind != (int)options->only_kind - 1 && hybrid)
            continue;
        struct spot spot = {.kind = kind, .place = {.smt = options->smt}};
        unsigned threads[PLAN_MAX_THREADS], capacity = team_capacity(machine, kind, &spot.place);
        size_t count = plan_threads(&counts, capacity, threads);
        for (size_t t = 0; t < count && done; t++) {
            spot.threads = threads[t];
            if (!hybrid || threads[t] <= capacity) /* a kind may have fewer */
                done = plan_spot(plan, basis, &spot, EXTENT_ALL, err);
        }
    }
    struct spot every = {.kind = TEAM_ANY_KIND, .place = {.smt = options->smt}};
    unsigned threads[PLAN_MAX_THREADS];
    size_t count = plan_threads(&counts, team_capacity(machine, TEAM_ANY_KIND, &every.place), threads);
    for (size_t t = 0; t < count && hybrid && !options->only_kind && done; t++) {
        every.threads = threads[t];
        bool wanted = options->thread_count > 0 || t + 1 == count;
        if (wanted && !is_of_one_kind(machine, threads[t])) /* else it was measured as that kind's */
            done = plan_spot(plan, basis, &every, EXTENT_ALL, err);
    }
    return done;
}

/* All cores of the first core's package, and of its memory node, where that is not the whole machine. */
static bool add_parts(struct plan *plan, const struct plan_basis *basis, struct error *err) {
    const struct machine *machine = basis->machine;
    const struct place package = {.package = machine->cores[0].package + 1},
                       node = {.node = machine->cores[0].node + 1},
                       both = {.package = package.package, .node = node.node};
    const unsigned in_package = team_capacity(machine, TEAM_ANY_KIND, &package),
                   on_node = team_capacity(machine, TEAM_ANY_KIND, &node),
                   in_both = team_capacity(machine, TEAM_ANY_KIND, &both);
    const bool same = in_package == on_node && in_both == on_node; /* measured once, under both names */
    const struct spot spots[] = {{TEAM_ANY_KIND, same ? both : node, on_node, false},
                                 {TEAM_ANY_KIND, package, in_package, false}};
    bool done = true;
    for (size_t i = 0; i < (same ? 1 : 2) && done; i++)
        if (spots[i].threads > 1 && spots[i].threads < machine->core_count)
            done = plan_spot(plan, basis, &spots[i], EXTENT_WIDEST, err);
    return done;
}

/* Memory that a program's data may lie in; a GPU's is none. */
static bool is_target(const struct memory_node *node) {
    return node->memory_bytes > 0 && strcmp(node->kind, "GPU") != 0;
}

/* Threads on node i, memory on node j: one of its cores, and all. Memory of another kind than the cores' own gets all
 * patterns from its nearest cores: that is its roof. */
static bool add_pair(struct plan *plan, const struct plan_basis *basis, unsigned i, unsigned j, bool name_threads,
                     struct error *err) {
    const struct machine *machine = basis->machine;
    const struct memory_node *target = &machine->nodes[j];
    const char *own_kind = machine->nodes[machine->cores[0].node].kind;
    const bool roof = strcmp(target->kind, own_kind) != 0 && target->near_node == i;
    const unsigned cores = machine->nodes[i].core_count;
    struct spot spot = {TEAM_ANY_KIND, {.node = name_threads ? i + 1 : 0, .memory_node = j + 1}, 1, false};
    const enum extent extent = roof ? EXTENT_MEMORY : EXTENT_CELL;
    bool done = true;
    if (cores == 1 || roof)
        done = plan_spot(plan, basis, &spot, extent, err);
    else if (plan_chosen("chase", basis->options->mixes, basis->options->mix_count)) {
        /* one thread has the latency, all have the bandwidth */
        struct plan_options latency = *basis->options;
        latency.mixes[0] = "chase", latency.mix_count = 1;
        done = plan_spot(plan, &(struct plan_basis){machine, basis->levels, &latency}, &spot, extent, err);
    }
    spot.threads = cores;
    return done && (cores == 1 || plan_spot(plan, basis, &spot, extent, err));
}

/* From node to node. Where only one node has cores, the threads are said to be anywhere. */
static bool add_nodes(struct plan *plan, const struct plan_basis *basis, struct error *err) {
    const struct machine *machine = basis->machine;
    unsigned with_cores = 0, targets = 0, rows = 0;
    bool done = true;
    for (unsigned i = 0; i < machine->node_count; i++) {
        with_cores += machine->nodes[i].core_count > 0;
        targets += is_target(&machine->nodes[i]);
    }
    if (targets < 2)
        return true;
    if (with_cores > PLAN_MATRIX_NODES || targets > PLAN_MATRIX_NODES)
        snprintf(plan->note, sizeof plan->note,
                 "node to node: the first %d of %u nodes with cores, and of %u with memory", PLAN_MATRIX_NODES,
                 with_cores, targets);
    for (unsigned i = 0; i < machine->node_count && done; i++) {
        unsigned columns = 0;
        if (machine->nodes[i].core_count == 0 || ++rows > PLAN_MATRIX_NODES)
            continue;
        for (unsigned j = 0; j < machine->node_count && done; j++)
            if (is_target(&machine->nodes[j]) && ++columns <= PLAN_MATRIX_NODES)
                done = add_pair(plan, basis, i, j, with_cores > 1, err);
    }
    return done;
}

bool plan_roofs(struct plan *out, const struct machine *machine, const struct levels *levels,
                const struct plan_options *options, struct error *err) {
    *out = (struct plan){0};
    if (!check_choices(machine, levels, options, err))
        return false;
    bool parts = options->thread_count == 0 && !options->quick && !options->smt;
    const struct plan_basis basis = {machine, levels, options};
    bool done = add_counts(out, &basis, err);
    done = done && (!parts || (add_parts(out, &basis, err) && add_nodes(out, &basis, err)));
    if (done && out->count == 0)
        done = error_set(err, "these options leave nothing to measure; `carmine kernels` lists what there is");
    if (!done) {
        plan_free(out);
        return false;
    }
    out->expected_s = plan_total(out);
    return true;
}

void plan_free(struct plan *plan) {
    free(plan->steps);
    *plan = (struct plan){0};
}
