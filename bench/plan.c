/* SPDX-License-Identifier: BSD-3-Clause
 * The plan of a run (see plan.h). */
#include "plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../asm/kernel.h"
#include "doubt.h"
#include "team.h"

static const double REPETITION_S = 200e-6, SEARCH_S = 3e-3;
static const double GUESSED_BYTES_PER_S = 15e9; /* only to foretell how long a pass over L3 or memory lasts */
static const double OVERHEAD = 1.15;            /* starting together, settling, reading the clock */
static const uint64_t SWEEP_SMALLEST_BYTES = 4096;
enum { REPETITIONS = 100, QUICK_REPETITIONS = 50, SLOW_REPETITIONS = 40, SEGMENTS = 64, SWEEP_REPETITIONS = 16 };

/* What each operation is for: the widest ISA gets all, the others the first; quick runs only the marked ones. Where
 * each access goes to another page, 4 KiB pages are measured too: what address translation costs. */
static const struct {
    const char *op;
    bool every_isa, quick, small_pages_too;
} MEMORY_OPS[] = {
    {.op = "load", .every_isa = true, .quick = true},
    {.op = "2ld1st", .every_isa = true, .quick = true},
    {.op = "store", .quick = true},
    {.op = "update", .quick = true},
    {.op = "axpy", .quick = true},
    {.op = "1ld1st"},
    {.op = "3ld1st"},
    {.op = "ntstore"},
    {.op = "random", .small_pages_too = true},
    {.op = "chase", .small_pages_too = true},
};

/* Divisions and roots are far below every other ceiling, and no peak: only for those who ask. */
static const struct {
    const char *op;
    bool by_default, quick_narrow;
} COMPUTE_OPS[] = {
    {"fma", true, true},      {"fmaadd", true, false}, {"addmul", true, false},
    {"add2mul", true, false}, {"add", true, false},    {"mul", true, false},
    {"dot", true, true},      {"div", false, false},   {"sqrt", false, false},
};
enum { COMPUTE_OP_COUNT = sizeof COMPUTE_OPS / sizeof COMPUTE_OPS[0] };

static bool chosen(const char *name, const char *const *choices, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, choices[i]) == 0)
            return true;
    return count == 0;
}

static bool isa_allowed(const struct isa *isa, const struct machine *machine, const struct plan_options *options) {
    return chosen(isa->name, options->isas, options->isa_count) && machine_has(machine, isa->needs);
}

/* Of those that move data, too. */
static const struct isa *widest_isa(const struct machine *machine, const struct plan_options *options) {
    for (size_t i = isa_vector_count; i-- > 0;)
        if (isa_allowed(&isa_table[i], machine, options))
            return &isa_table[i];
    return NULL;
}

static const struct kernel *find(const struct machine *machine, const char *name) {
    const struct kernel *const *kernel = kernel_find(name, NULL);
    return kernel && machine_has(machine, (*kernel)->needs) ? *kernel : NULL;
}

const char *plan_widest_load(const struct machine *machine, const struct plan_options *options) {
    const struct isa *isa = widest_isa(machine, options);
    char name[48];
    snprintf(name, sizeof name, "%s.load", isa ? isa->name : "");
    const struct kernel *kernel = find(machine, name);
    return kernel ? kernel->name : NULL;
}

/* Where the threads of some steps run. */
struct spot {
    int kind;
    struct place place;
    unsigned threads;
    bool small_pages;
};

/* How much of everything is measured there. */
enum extent {
    EXTENT_ALL,
    EXTENT_WIDEST, /* the widest ISA with the quick operations: the part of a machine */
    EXTENT_MEMORY, /* the widest ISA in memory alone: another kind of memory */
    EXTENT_CELL,   /* loads and the chase in memory alone: from node to node */
};

/* How many of the chosen threads share one instance of each level, and how many run on a core. */
static bool sharing_of(const struct machine *machine, const struct spot *spot, unsigned *sharing, unsigned *per_core,
                       struct error *err) {
    struct team team;
    if (!team_place(&team, machine, spot->kind, &spot->place, spot->threads, err))
        return false;
    for (unsigned i = 0; i < MACHINE_MAX_CACHES; i++)
        sharing[i] = team_sharing(&team, i);
    *per_core = (team.count + team.core_count - 1) / team.core_count;
    team_free(&team);
    return true;
}

static struct plan_step *append(struct plan *plan) {
    if (plan->count == plan->capacity) {
        plan->capacity = plan->capacity ? 2 * plan->capacity : 64;
        plan->steps = realloc(plan->steps, plan->capacity * sizeof *plan->steps);
    }
    plan->steps[plan->count] = (struct plan_step){0};
    return &plan->steps[plan->count++];
}

static double pass_s(uint64_t bytes) {
    return (double)bytes / GUESSED_BYTES_PER_S;
}

static void estimate(struct plan_step *step) {
    size_t variants = 1;
    kernel_find(step->kernel, &variants);
    step->expected_s = variants > 1 ? (double)variants * step->search_s * 1.3 : 0;
    if (step->size_count == 0)
        step->expected_s += step->repetitions * step->repetition_s * OVERHEAD;
    for (unsigned i = 0; i < step->size_count; i++) {
        double pass = step->memory ? step->repetition_s : fmax(step->repetition_s, pass_s(step->size_bytes[i]));
        step->expected_s += step->repetitions * pass * OVERHEAD;
    }
}

static double total(const struct plan *plan) {
    double seconds = 0;
    for (size_t i = 0; i < plan->count; i++)
        seconds += plan->steps[i].expected_s;
    return seconds;
}

bool plan_sweep(struct plan *out, const struct machine *machine, const struct levels *levels,
                const struct plan_options *options, const char *kernel, unsigned per_octave, unsigned threads,
                struct error *err) {
    const int core_kind = options->only_kind ? (int)options->only_kind - 1 : TEAM_ANY_KIND;
    *out = (struct plan){0};
    const struct levels own = plan_levels(machine, levels, core_kind);
    const struct kernel *found = kernel ? find(machine, kernel) : NULL;
    if (!found)
        return error_set(err, "no kernel %s that this machine can execute; see `carmine kernels`",
                         kernel ? kernel : "");
    uint32_t doubts = 0;
    uint64_t largest = plan_memory_bytes(machine, levels, core_kind, NULL, threads, options->quick, &doubts);
    if (options->quick && largest > 512u << 20)
        largest = 512u << 20;
    double octaves = log2((double)largest / (double)SWEEP_SMALLEST_BYTES);
    unsigned last = (unsigned)ceil(octaves * per_octave);
    for (unsigned i = 0; i <= last; i++) {
        double bytes = i == last ? (double)largest : (double)SWEEP_SMALLEST_BYTES * exp2((double)i / per_octave);
        uint64_t size_bytes = (uint64_t)bytes / 4096 * 4096;
        if (out->count && out->steps[out->count - 1].size_bytes[0] == size_bytes)
            continue; /* small sizes are few pages apart */
        struct plan_step *step = append(out);
        snprintf(step->kernel, sizeof step->kernel, "%s", kernel);
        step->kind = found->kind == KERNEL_CHASE ? SAMPLE_LATENCY : SAMPLE_BANDWIDTH;
        step->core_kind = core_kind;
        step->place.smt = options->smt;
        step->threads = threads;
        step->size_count = 1;
        step->size_bytes[0] = size_bytes;
        step->level = (int)own.count - 1;
        for (unsigned l = own.count - 1; l-- > 0;)
            if (step->size_bytes[0] <= own.level[l].effective_bytes)
                step->level = (int)l;
        step->memory = step->level == (int)own.count - 1;
        step->repetition_s = REPETITION_S;
        step->repetitions = SWEEP_REPETITIONS;
        estimate(step);
    }
    out->expected_s = total(out);
    return true;
}

/* Sizes of a level, from low to high by equal ratios. Beyond eight times the low end nothing new is learnt. */
static void choose_sizes(struct plan_step *step, struct window window, bool quick) {
    double low = (double)window.low_bytes, high = fmin((double)window.high_bytes, 8 * low);
    unsigned wanted = quick || high < 1.3 * low ? 1 : PLAN_MAX_SIZES, found = 0;
    for (unsigned i = 0; i < wanted; i++) {
        double at = wanted == 1 ? 0.5 : (double)i / (wanted - 1);
        double bytes = low * pow(high / low, at);
        uint64_t rounded = bytes < 4096 ? (uint64_t)bytes / 64 * 64 : (uint64_t)bytes / 4096 * 4096;
        if (found == 0 || rounded > step->size_bytes[found - 1]) /* a narrow window has fewer sizes: none twice */
            step->size_bytes[found++] = rounded;
    }
    step->size_count = found;
    step->doubts |= window.doubts;
}

static bool is_planned(const struct plan *plan, const char *kernel, int level, const struct spot *spot) {
    for (size_t i = 0; i < plan->count; i++) {
        const struct plan_step *step = &plan->steps[i];
        if (step->level == level && step->core_kind == spot->kind && step->threads == spot->threads &&
            step->small_pages == spot->small_pages && team_same_place(&step->place, &spot->place) &&
            strcmp(step->kernel, kernel) == 0)
            return true;
    }
    return false;
}

static struct plan_step *append_at(struct plan *plan, const char *kernel, int level, const struct spot *spot) {
    struct plan_step *step = append(plan);
    snprintf(step->kernel, sizeof step->kernel, "%s", kernel);
    step->level = level;
    step->core_kind = spot->kind;
    step->place = spot->place;
    step->threads = spot->threads;
    step->small_pages = spot->small_pages;
    return step;
}

static void add_compute(struct plan *plan, const char *name, const struct plan_options *options,
                        const struct spot *spot) {
    struct plan_step *step = append_at(plan, name, PLAN_REGISTERS, spot);
    step->kind = SAMPLE_COMPUTE;
    step->repetitions = options->quick ? QUICK_REPETITIONS : REPETITIONS;
    step->repetition_s = REPETITION_S;
    step->search_s = options->quick ? SEARCH_S / 3 : SEARCH_S;
    estimate(step);
}

static bool add_memory(struct plan *plan, const struct kernel *kernel, const struct machine *machine,
                       const struct levels *levels, const struct plan_options *options, const struct spot *spot,
                       unsigned level, struct error *err) {
    const struct levels own = plan_levels(machine, levels, spot->kind);
    unsigned sharing[MACHINE_MAX_CACHES], per_core;
    if (is_planned(plan, kernel->name, (int)level, spot))
        return true;
    if (!sharing_of(machine, spot, sharing, &per_core, err))
        return false;
    struct plan_step *step = append_at(plan, kernel->name, (int)level, spot);
    step->kind = kernel->kind == KERNEL_CHASE ? SAMPLE_LATENCY : SAMPLE_BANDWIDTH;
    step->repetition_s = REPETITION_S;
    step->memory = level == own.count - 1;
    if (step->memory) {
        step->size_count = 1;
        step->size_bytes[0] =
            plan_memory_bytes(machine, levels, spot->kind, &spot->place, spot->threads, options->quick, &step->doubts);
        /* A second set of buffers beside the huge pages' must not fill the memory. */
        if (step->small_pages && !machine->recorded &&
            step->size_bytes[0] * spot->threads > machine->memory_available_bytes / 4)
            step->size_bytes[0] = machine->memory_available_bytes / 4 / spot->threads / 4096 * 4096;
        step->repetitions = SEGMENTS;
        /* A chase must not come round to lines that it has warmed, so it stays short. */
        if (kernel->kind != KERNEL_CHASE)
            step->repetition_s = pass_s(step->size_bytes[0] / SEGMENTS);
    } else {
        choose_sizes(step, levels_window(&own, level, sharing), options->quick);
        bool slow = pass_s(step->size_bytes[0]) > REPETITION_S;
        step->repetitions = slow ? SLOW_REPETITIONS : options->quick ? QUICK_REPETITIONS : REPETITIONS;
        step->search_s = options->quick ? SEARCH_S / 3 : SEARCH_S;
        const struct core_kind *kind = &machine->kinds[spot->kind == TEAM_ANY_KIND ? 0 : spot->kind];
        bool others = kind->caches[level].sharing_core_count > sharing[level] / per_core;
        step->doubts |= others && spot->threads > 1 ? DOUBT_SHARED_CACHE : 0;
    }
    estimate(step);
    return true;
}

/* The step in huge pages, and where wanted in 4 KiB pages too. */
static bool add_with_pages(struct plan *plan, const struct kernel *kernel, const struct machine *machine,
                           const struct levels *levels, const struct plan_options *options, const struct spot *spot,
                           unsigned level, bool both, struct error *err) {
    struct spot small = *spot;
    small.small_pages = true;
    return add_memory(plan, kernel, machine, levels, options, spot, level, err) &&
           (!both || add_memory(plan, kernel, machine, levels, options, &small, level, err));
}

static bool compute_wanted(const struct isa *isa, const struct isa *widest, enum element_type type, size_t op,
                           const struct plan_options *options, enum extent extent) {
    bool asked = options->type_count > 0, narrow = type > TYPE_F32, tiles = isa >= isa_table + isa_vector_count;
    if (!chosen(element_table[type].name, options->types, options->type_count) ||
        !chosen(COMPUTE_OPS[op].op, options->mixes, options->mix_count) ||
        (options->mix_count == 0 && !COMPUTE_OPS[op].by_default))
        return false;
    if (extent == EXTENT_WIDEST && isa != widest)
        return false;
    if (!narrow || asked)
        return true;
    /* Types beyond f64 and f32 in the widest ISA alone, unless somebody asks for more. */
    return extent == EXTENT_ALL && (isa == widest || tiles || options->isa_count > 0) &&
           (!options->quick || COMPUTE_OPS[op].quick_narrow || options->mix_count > 0);
}

static void add_ceilings(struct plan *plan, const struct machine *machine, const struct plan_options *options,
                         const struct spot *spot, enum extent extent) {
    const struct isa *widest = widest_isa(machine, options);
    char name[48];
    for (size_t i = isa_count; i-- > 0;) {
        if (!isa_allowed(&isa_table[i], machine, options))
            continue;
        for (enum element_type type = TYPE_F64; type < TYPE_COUNT; type++)
            for (size_t o = 0; o < COMPUTE_OP_COUNT; o++) {
                snprintf(name, sizeof name, "%s.%s.%s", isa_table[i].name, element_table[type].name, COMPUTE_OPS[o].op);
                if (compute_wanted(&isa_table[i], widest, type, o, options, extent) && find(machine, name) &&
                    !is_planned(plan, name, PLAN_REGISTERS, spot))
                    add_compute(plan, name, options, spot);
            }
    }
}

/* Compute ceilings and memory roofs of one placement. */
static bool add_placement(struct plan *plan, const struct machine *machine, const struct levels *levels,
                          const struct plan_options *options, const struct spot *spot, enum extent extent,
                          struct error *err) {
    const struct isa *widest = widest_isa(machine, options);
    const struct levels own = plan_levels(machine, levels, spot->kind);
    char name[48];
    unsigned sharing[MACHINE_MAX_CACHES], per_core;
    if (!sharing_of(machine, spot, sharing, &per_core, err)) /* more threads than cores */
        return false;
    if (options->level_count == 0 && extent <= EXTENT_WIDEST)
        add_ceilings(plan, machine, options, spot, extent);
    for (unsigned level = extent >= EXTENT_MEMORY ? own.count - 1 : 0; level < own.count; level++) {
        struct sample place = {0};
        plan_describe(&(struct plan_step){.level = (int)level,
                                          .memory = level + 1 == own.count,
                                          .core_kind = spot->kind,
                                          .place = spot->place,
                                          .threads = spot->threads},
                      machine, levels, &place);
        if (!chosen(place.level, options->levels, options->level_count))
            continue;
        for (size_t o = 0; o < sizeof MEMORY_OPS / sizeof MEMORY_OPS[0]; o++) {
            const char *op = MEMORY_OPS[o].op;
            bool asked = options->mix_count > 0, few = options->quick || extent == EXTENT_WIDEST;
            bool chase = strcmp(op, "chase") == 0;
            bool both = MEMORY_OPS[o].small_pages_too && options->both_pages && !options->quick && extent == EXTENT_ALL;
            if (!chosen(op, options->mixes, options->mix_count) || (few && !MEMORY_OPS[o].quick && !asked) ||
                (extent == EXTENT_CELL && !chase && strcmp(op, "load") != 0))
                continue;
            if (strcmp(op, "ntstore") == 0 && level + 1 < own.count)
                continue; /* it goes past the caches, whatever the buffer's size */
            if (chase) {  /* one load at a time: no ISA, and a second thread tells nothing new */
                const struct kernel *kernel = find(machine, op);
                if (kernel && spot->threads == 1 &&
                    !add_with_pages(plan, kernel, machine, levels, options, spot, level, both, err))
                    return false;
                continue;
            }
            for (size_t i = isa_count; i-- > 0;) {
                const struct isa *isa = &isa_table[i];
                bool wanted = isa == widest || (extent == EXTENT_ALL && (asked || options->isa_count > 0 ||
                                                                         (MEMORY_OPS[o].every_isa && !options->quick)));
                snprintf(name, sizeof name, "%s.%s", isa->name, op);
                const struct kernel *kernel = wanted && isa_allowed(isa, machine, options) ? find(machine, name) : NULL;
                if (kernel && !add_with_pages(plan, kernel, machine, levels, options, spot, level, both, err))
                    return false;
            }
        }
    }
    return true;
}

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

/* Fewer repetitions, but never so few that nothing can be said. */
static void fit_budget(struct plan *plan, double budget_s) {
    double factor = budget_s / plan->expected_s;
    for (size_t i = 0; factor < 1 && i < plan->count; i++) {
        struct plan_step *step = &plan->steps[i];
        double fewer = step->repetitions * factor;
        if (!step->memory)
            step->repetitions = (unsigned)fmax(fewer, fmin(step->repetitions, 32));
        step->search_s *= factor;
        estimate(step);
    }
    plan->expected_s = total(plan);
}

/* Whether the machine's first `count` cores are alike. */
static bool is_of_one_kind(const struct machine *machine, unsigned count) {
    for (unsigned i = 1; i < count && i < machine->core_count; i++)
        if (machine->cores[i].kind != machine->cores[0].kind)
            return false;
    return count <= machine->core_count;
}

/* The thread counts asked for, of each core kind and of all together. */
static bool add_counts(struct plan *plan, const struct machine *machine, const struct levels *levels,
                       const struct plan_options *options, struct error *err) {
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
                done = add_placement(plan, machine, levels, options, &spot, EXTENT_ALL, err);
        }
    }
    struct spot every = {.kind = TEAM_ANY_KIND, .place = {.smt = options->smt}};
    unsigned threads[PLAN_MAX_THREADS];
    size_t count = plan_threads(&counts, team_capacity(machine, TEAM_ANY_KIND, &every.place), threads);
    for (size_t t = 0; t < count && hybrid && !options->only_kind && done; t++) {
        every.threads = threads[t];
        bool wanted = options->thread_count > 0 || t + 1 == count;
        if (wanted && !is_of_one_kind(machine, threads[t])) /* else it was measured as that kind's */
            done = add_placement(plan, machine, levels, options, &every, EXTENT_ALL, err);
    }
    return done;
}

/* All cores of the first core's package, and of its memory node, where that is not the whole machine. */
static bool add_parts(struct plan *plan, const struct machine *machine, const struct levels *levels,
                      const struct plan_options *options, struct error *err) {
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
            done = add_placement(plan, machine, levels, options, &spots[i], EXTENT_WIDEST, err);
    return done;
}

/* Memory that a program's data may lie in; a GPU's is none. */
static bool is_target(const struct memory_node *node) {
    return node->memory_bytes > 0 && strcmp(node->kind, "GPU") != 0;
}

/* Threads on node i, memory on node j. Where only one node has cores, the threads are said to be anywhere. Memory of
 * another kind than the cores' own gets all patterns from its nearest cores: that is its roof. */
static bool add_nodes(struct plan *plan, const struct machine *machine, const struct levels *levels,
                      const struct plan_options *options, struct error *err) {
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
    const char *own_kind = machine->nodes[machine->cores[0].node].kind;
    for (unsigned i = 0; i < machine->node_count && done; i++) {
        const unsigned cores = machine->nodes[i].core_count;
        if (cores == 0 || ++rows > PLAN_MATRIX_NODES)
            continue;
        unsigned columns = 0;
        for (unsigned j = 0; j < machine->node_count && done; j++) {
            const struct memory_node *target = &machine->nodes[j];
            if (!is_target(target) || ++columns > PLAN_MATRIX_NODES)
                continue;
            const bool roof = strcmp(target->kind, own_kind) != 0 && target->near_node == i;
            for (unsigned threads = 1; threads <= cores && done; threads += cores > 1 ? cores - 1 : 1) {
                const struct spot spot = {
                    TEAM_ANY_KIND, {.node = with_cores > 1 ? i + 1 : 0, .memory_node = j + 1}, threads, false};
                struct plan_options latency = *options;
                if (threads == 1 && cores > 1 && !roof) { /* one thread has the latency, all have the bandwidth */
                    latency.mixes[0] = "chase", latency.mix_count = 1;
                    if (!chosen("chase", options->mixes, options->mix_count))
                        continue;
                }
                done = add_placement(plan, machine, levels, &latency, &spot, roof ? EXTENT_MEMORY : EXTENT_CELL, err);
            }
        }
    }
    return done;
}

bool plan_roofs(struct plan *out, const struct machine *machine, const struct levels *levels,
                const struct plan_options *options, struct error *err) {
    *out = (struct plan){0};
    if (!check_choices(machine, levels, options, err))
        return false;
    bool parts = options->thread_count == 0 && !options->quick && !options->smt;
    bool done = add_counts(out, machine, levels, options, err);
    done = done &&
           (!parts || (add_parts(out, machine, levels, options, err) && add_nodes(out, machine, levels, options, err)));
    if (done && out->count == 0)
        done = error_set(err, "these options leave nothing to measure; `carmine kernels` lists what there is");
    if (!done) {
        plan_free(out);
        return false;
    }
    out->expected_s = total(out);
    if (options->budget_s > 0)
        fit_budget(out, options->budget_s);
    return true;
}

void plan_free(struct plan *plan) {
    free(plan->steps);
    *plan = (struct plan){0};
}
