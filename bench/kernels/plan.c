/* SPDX-License-Identifier: BSD-3-Clause
 * Which roofs a plan has: the spots of the machine (thread counts, core kinds, packages, memory nodes, other memory),
 * and the kernels measured at each; and the plan of a validation. plan_steps.c decides sizes and times. */
#include "plan.h"
#include "campaign_thresholds.h"

#include <math.h>
#include <string.h>

#include "asm/arithmetic.h"
#include "asm/pattern.h"
#include "probe/error.h"
#include "probe/isa.h"
#include "probe/memory_kind.h"
#include "probe/machine.h"
#include "probe/text.h"

enum { VECTOR_BYTES = 16 }; /* of the narrowest vectors */

/* The inputs of a plan. */
struct plan_basis {
    const struct machine *machine;
    const struct levels *levels; /* one entry per core kind */
    const struct plan_options *options;
};

/* Which kernels are measured at a spot. */
enum extent {
    EXTENT_ALL,
    EXTENT_WIDEST, /* the widest ISA with the quick operations: for a part of a machine */
    EXTENT_MEMORY, /* the widest ISA, only in memory: for another kind of memory */
    EXTENT_CELL,   /* loads and the pointer chase, only in memory: for node to node */
};

/* Whether a name is among the choices; without choices every name is. */
static bool plan_is_chosen(const char *name, const char *const *choices, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, choices[i]) == 0)
            return true;
    return count == 0;
}

static bool isa_allowed(const struct isa *isa, const struct machine *machine, const struct plan_options *options) {
    return isa_chosen(isa, options->isas, options->isa_count) && machine_has(machine, isa->needs);
}

/* All vector ISAs, also ISAs that only move data. */
static const struct isa *widest_isa(const struct machine *machine, const struct plan_options *options) {
    for (size_t i = isa_vector_count; i-- > 0;)
        if (isa_allowed(&isa_table[i], machine, options))
            return &isa_table[i];
    return NULL;
}

const char *plan_widest_load(const struct machine *machine, const struct plan_options *options) {
    const struct isa *isa = widest_isa(machine, options);
    char name[48];
    snprintf(name, sizeof name, "%s.load", isa ? isa->name : "");
    const struct kernel *kernel = plan_find_kernel(machine, name);
    return kernel ? kernel->name : NULL;
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

/* Adds a roof at a spot unless it is planned already. `level`: PLAN_REGISTERS, or an index into the levels. */
static void plan_add_step(struct plan *plan, const char *kernel, int level, const struct spot *spot) {
    if (is_planned(plan, kernel, level, spot))
        return;
    struct plan_step *step = plan_append(plan, &(struct plan_step){.level = level,
                                                                   .core_kind = spot->kind,
                                                                   .place = spot->place,
                                                                   .threads = spot->threads,
                                                                   .small_pages = spot->small_pages});
    snprintf(step->kernel, sizeof step->kernel, "%s", kernel);
}

/* Adds a kernel by name if the machine can run it: in huge pages, and on request also in small pages. */
static void plan_add_kernel(struct plan *plan, const struct plan_basis *basis, const char *name,
                            const struct spot *spot, unsigned level, bool both_pages) {
    struct spot small = *spot;
    small.small_pages = true;
    if (!plan_find_kernel(basis->machine, name))
        return;
    plan_add_step(plan, name, (int)level, spot);
    if (both_pages)
        plan_add_step(plan, name, (int)level, &small);
}

/* Whether no wider vectors of the machine have the operation: AVX-VNNI-INT8 has no form of 512 bits. */
static bool is_widest_with(const struct arithmetic *arithmetic, const struct isa *isa, enum element_type type,
                           const struct plan_basis *basis) {
    char name[48];
    for (const struct isa *wider = isa + 1; wider < isa_table + isa_vector_count; wider++) {
        snprintf(name, sizeof name, "%s.%s.%s", wider->name, element_table[type].name, arithmetic->op);
        if (isa_allowed(wider, basis->machine, basis->options) && plan_find_kernel(basis->machine, name))
            return false;
    }
    return true;
}

/* By default, types other than f64 and f32 are measured only in the widest ISA and in tiles, and integers only with dot
 * products. */
static bool narrow_wanted(const struct arithmetic *arithmetic, const struct isa *isa, enum element_type type,
                          const struct plan_basis *basis) {
    const struct plan_options *options = basis->options;
    const bool named = options->mix_count > 0;
    if (element_table[type].integer && arithmetic->sort != DOT && !(arithmetic->sort == INTEGER && named))
        return false;
    return (options->isa_count > 0 || is_widest_with(arithmetic, isa, type, basis)) &&
           (!options->quick || arithmetic->quick || named);
}

static bool compute_wanted(const struct arithmetic *arithmetic, const struct isa *isa, const struct isa *widest,
                           enum element_type type, const struct plan_basis *basis, enum extent extent) {
    const struct plan_options *options = basis->options;
    if (!plan_is_chosen(element_table[type].name, options->types, options->type_count) ||
        !plan_is_chosen(arithmetic->op, options->mixes, options->mix_count) ||
        (options->mix_count == 0 && arithmetic->on_request) || (extent == EXTENT_WIDEST && isa != widest))
        return false;
    return type <= TYPE_F32 || options->type_count > 0 ||
           (extent == EXTENT_ALL && narrow_wanted(arithmetic, isa, type, basis));
}

static void plan_add_ceilings(struct plan *plan, const struct plan_basis *basis, const struct spot *spot,
                              enum extent extent) {
    const struct machine *machine = basis->machine;
    const struct plan_options *options = basis->options;
    const struct isa *widest = widest_isa(machine, options);
    char name[48];
    for (size_t i = isa_count; i-- > 0;) {
        if (!isa_allowed(&isa_table[i], machine, options))
            continue;
        for (enum element_type type = TYPE_F64; type < TYPE_COUNT; type++)
            for (size_t a = 0; a < arithmetic_count; a++) {
                const struct arithmetic *arithmetic = &arithmetic_table[a];
                snprintf(name, sizeof name, "%s.%s.%s", isa_table[i].name, element_table[type].name, arithmetic->op);
                if (compute_wanted(arithmetic, &isa_table[i], widest, type, basis, extent) &&
                    plan_find_kernel(machine, name))
                    plan_add_step(plan, name, PLAN_REGISTERS, spot);
            }
    }
}

/* Whether a pattern is measured in a level. */
static bool memory_wanted(const struct pattern *pattern, bool memory, const struct plan_options *options,
                          enum extent extent) {
    bool few = (options->quick || extent == EXTENT_WIDEST) && options->mix_count == 0;
    if (!plan_is_chosen(pattern->op, options->mixes, options->mix_count) || (few && !pattern->quick))
        return false;
    if (extent == EXTENT_CELL && !pattern_is_chase(pattern) && !pattern_only_loads(pattern))
        return false;
    return memory || !pattern->nontemporal; /* nontemporal accesses bypass the caches, whatever the buffer's size */
}

/* No later ISA of the machine has vectors of the same width: AVX2 moves data as AVX does. */
static bool is_newest_of_width(const struct isa *isa, const struct machine *machine) {
    const struct isa *next = isa + 1;
    return next == isa_table + isa_count || next->vector_bytes != isa->vector_bytes ||
           !machine_has(machine, next->needs);
}

/* A narrower ISA gets the patterns that are informative there, and all patterns on request. */
static bool narrower_wanted(const struct pattern *pattern, const struct isa *isa, const struct plan_basis *basis,
                            enum extent extent) {
    const struct plan_options *options = basis->options;
    const bool asked = options->mix_count > 0 || options->isa_count > 0;
    const bool vectors = isa->vector_bytes >= VECTOR_BYTES && is_newest_of_width(isa, basis->machine);
    const bool has_it = pattern->isas == PATTERN_EVERY_ISA || (pattern->isas == PATTERN_VECTORS && vectors);
    return extent == EXTENT_ALL && (asked || (has_it && !options->quick));
}

/* Adds loads and stores of single elements, for the requested integer types. */
static void plan_add_elements(struct plan *plan, const struct plan_basis *basis, const struct isa *isa,
                              const struct pattern *pattern, const struct spot *spot, unsigned level) {
    const struct plan_options *options = basis->options;
    char name[48];
    for (size_t t = 0; t < options->type_count && (!options->quick || options->isa_count > 0); t++) {
        snprintf(name, sizeof name, "%s.%s.%s", isa->name, options->types[t], pattern->op);
        plan_add_kernel(plan, basis, name, spot, level, false);
    }
}

static void add_pattern(struct plan *plan, const struct plan_basis *basis, const struct pattern *pattern,
                        const struct spot *spot, unsigned level, enum extent extent) {
    const struct plan_options *options = basis->options;
    const struct isa *widest = widest_isa(basis->machine, options);
    const bool both = pattern->scattered && options->both_pages && !options->quick && extent == EXTENT_ALL;
    char name[48];
    if (pattern->isas == PATTERN_NO_ISA && spot->threads == 1) /* a second thread adds no information */
        plan_add_kernel(plan, basis, pattern->op, spot, level, both);
    for (size_t i = isa_count; i-- > 0 && pattern->isas != PATTERN_NO_ISA;) {
        const struct isa *isa = &isa_table[i];
        snprintf(name, sizeof name, "%s.%s", isa->name, pattern->op);
        if (!isa_allowed(isa, basis->machine, options))
            continue;
        if (isa == widest || narrower_wanted(pattern, isa, basis, extent))
            plan_add_kernel(plan, basis, name, spot, level, both);
        if (extent == EXTENT_ALL)
            plan_add_elements(plan, basis, isa, pattern, spot, level);
    }
}

/* Whether the level was requested; memory has the name of its kind at the spot. */
static bool level_wanted(const struct plan_basis *basis, const struct spot *spot, unsigned level, bool memory) {
    const struct plan_step step = {
        .level = (int)level, .memory = memory, .core_kind = spot->kind, .place = spot->place, .threads = spot->threads};
    struct sample place = {0};
    plan_describe(&step, basis->machine, basis->levels, &place);
    return plan_is_chosen(place.level, basis->options->levels, basis->options->level_count);
}

/* Adds the compute ceilings and memory roofs of one spot, none twice. Error: the spot has too few cores. */
static bool add_spot(struct plan *plan, const struct plan_basis *basis, const struct spot *spot, enum extent extent,
                     struct error *err) {
    const struct plan_options *options = basis->options;
    const unsigned count = plan_levels(basis->machine, basis->levels, spot->kind).count;
    struct team team;
    if (!team_place(&team, basis->machine, spot->kind, &spot->place, spot->threads, err))
        return false;
    team_free(&team);
    if (options->level_count == 0 && extent <= EXTENT_WIDEST)
        plan_add_ceilings(plan, basis, spot, extent);
    for (unsigned level = extent >= EXTENT_MEMORY ? count - 1 : 0; level < count; level++) {
        const bool memory = level + 1 == count;
        if (!level_wanted(basis, spot, level, memory))
            continue;
        for (size_t p = 0; p < pattern_count; p++)
            if (memory_wanted(&pattern_table[p], memory, options, extent))
                add_pattern(plan, basis, &pattern_table[p], spot, level, extent);
    }
    return true;
}

size_t plan_threads(const struct plan_options *options, unsigned capacity, unsigned *out) {
    size_t count = 0;
    for (size_t i = 0; i < options->thread_count; i++) {
        bool doubles = options->threads[i] == PLAN_DOUBLING;
        unsigned from = !doubles ? (options->threads[i] == PLAN_ALL ? capacity : options->threads[i])
                        : count  ? 2 * out[count - 1]
                                 : 1;
        unsigned to = !doubles                                                               ? from
                      : i + 1 < options->thread_count && options->threads[i + 1] != PLAN_ALL ? options->threads[i + 1]
                                                                                             : capacity;
        for (unsigned threads = from; threads <= to && count < PLAN_MAX_THREADS; threads *= 2) {
            bool repeated = false;
            for (size_t j = 0; j < count; j++)
                repeated |= out[j] == threads;
            if (!repeated)
                out[count++] = threads;
        }
    }
    return count;
}

static bool plan_has_level(const struct machine *machine, const struct levels *levels, const char *name) {
    bool found = false;
    for (unsigned k = 0; k < machine->kind_count; k++)
        found |= levels_find(&levels[k], name) >= 0;
    for (unsigned i = 0; i < machine->node_count; i++)
        found |= strcmp(machine->nodes[i].kind, name) == 0 && machine->nodes[i].memory_bytes > 0;
    return found;
}

static bool plan_has_isa(const struct machine *machine, const char *name) {
    bool found = false;
    for (size_t i = 0; i < isa_count; i++)
        found |= isa_named(&isa_table[i], name) && machine_has(machine, isa_table[i].needs);
    return found;
}

static bool check_choices(const struct machine *machine, const struct levels *levels,
                          const struct plan_options *options, struct error *err) {
    for (size_t i = 0; i < options->isa_count; i++) {
        if (!plan_has_isa(machine, options->isas[i]))
            return error_set(err, "this CPU (or its operating system) does not have %s%s%s%s; see `carmine machine`",
                             isa_find(options->isas[i]) ? isa_find(options->isas[i])->label : options->isas[i],
                             machine->tiles_refused[0] ? " (tiles are refused: " : "", machine->tiles_refused,
                             machine->tiles_refused[0] ? ")" : "");
    }
    for (size_t i = 0; i < options->level_count; i++)
        if (!plan_has_level(machine, levels, options->levels[i]))
            return error_set(err, "this machine has no level %s; see `carmine machine`", options->levels[i]);
    if (options->smt && team_capacity(machine, TEAM_ANY_KIND, &(struct place){.smt = true}) == machine->core_count)
        return error_set(err, "no core has a second usable CPU (SMT is off, or this process may not use it); "
                              "leave out --smt");
    return true;
}

/* Whether the machine's first `count` cores are of one kind. */
static bool is_of_one_kind(const struct machine *machine, unsigned count) {
    for (unsigned i = 1; i < count && i < machine->core_count; i++)
        if (machine->cores[i].kind != machine->cores[0].kind)
            return false;
    return count <= machine->core_count;
}

/* Adds the requested thread counts for each core kind and for all kinds together. By default all cores of one of
 * several kinds are a part of the machine. */
static bool plan_add_counts(struct plan *plan, const struct plan_basis *basis, struct error *err) {
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
            const bool part = hybrid && options->thread_count == 0 && t > 0;
            if (!hybrid || threads[t] <= capacity) /* a kind may have fewer cores */
                done = add_spot(plan, basis, &spot, part ? EXTENT_WIDEST : EXTENT_ALL, err);
        }
    }
    struct spot every = {.kind = TEAM_ANY_KIND, .place = {.smt = options->smt}};
    unsigned threads[PLAN_MAX_THREADS];
    size_t count = plan_threads(&counts, team_capacity(machine, TEAM_ANY_KIND, &every.place), threads);
    for (size_t t = 0; t < count && hybrid && !options->only_kind && done; t++) {
        every.threads = threads[t];
        bool wanted = options->thread_count > 0 || t + 1 == count;
        if (wanted && !is_of_one_kind(machine, threads[t])) /* cores of one kind were already measured */
            done = add_spot(plan, basis, &every, EXTENT_ALL, err);
    }
    return done;
}

/* Adds all cores of the first core's package, and of its memory node, if they are only a part of the machine. */
static bool plan_add_parts(struct plan *plan, const struct plan_basis *basis, struct error *err) {
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
            done = add_spot(plan, basis, &spots[i], EXTENT_WIDEST, err);
    return done;
}

/* Memory for a program's data; a GPU's memory does not count. */
static bool is_target(const struct memory_node *node) {
    return node->memory_bytes > 0 && !memory_kind_of(node->kind)->foreign;
}

static const struct pattern *find_chase(void) {
    size_t i = 0;
    while (i < pattern_count && !pattern_is_chase(&pattern_table[i]))
        i++;
    return i < pattern_count ? &pattern_table[i] : NULL;
}

/* Whether the node is the first of a kind that is not the cores' own. */
static bool is_first_of_other(const struct machine *machine, unsigned node) {
    const char *kind = machine->nodes[node].kind;
    bool is_first = strcmp(kind, machine->nodes[machine->cores[0].node].kind) != 0 && is_target(&machine->nodes[node]);
    for (unsigned i = 0; i < node; i++)
        is_first &= strcmp(machine->nodes[i].kind, kind) != 0;
    return is_first;
}

/* Whether each node with cores has memory of this node's kind beside it. */
static bool is_everywhere(const struct machine *machine, unsigned node) {
    bool everywhere = true;
    for (unsigned i = 0; i < machine->node_count; i++) {
        bool found = machine->nodes[i].core_count == 0;
        for (unsigned j = 0; j < machine->node_count; j++)
            found |= machine->nodes[j].near_node == i && strcmp(machine->nodes[j].kind, machine->nodes[node].kind) == 0;
        everywhere &= found;
    }
    return everywhere;
}

/* Adds one core and all cores, each with memory of another kind beside it. */
static bool plan_add_memories(struct plan *plan, const struct plan_basis *basis, struct error *err) {
    const struct machine *machine = basis->machine;
    bool done = true;
    for (unsigned i = 0; i < machine->node_count && done; i++) {
        struct spot spot = {TEAM_ANY_KIND, {.memory_like = i + 1}, 1, false};
        if (!is_first_of_other(machine, i) || !is_everywhere(machine, i))
            continue;
        done = add_spot(plan, basis, &spot, EXTENT_MEMORY, err);
        spot.threads = machine->core_count;
        done = done && (spot.threads == 1 || add_spot(plan, basis, &spot, EXTENT_MEMORY, err));
    }
    return done;
}

/* Adds threads on node i with memory on node j: one core, and all cores. The first memory of another kind than the
 * cores' own is measured with all patterns from its nearest cores: that is its roof. */
static bool plan_add_pair(struct plan *plan, const struct plan_basis *basis, unsigned i, unsigned j, bool name_threads,
                          struct error *err) {
    const struct machine *machine = basis->machine;
    const struct memory_node *target = &machine->nodes[j];
    const bool roof = is_first_of_other(machine, j) && target->near_node == i;
    const unsigned cores = machine->nodes[i].core_count;
    struct spot spot = {TEAM_ANY_KIND, {.node = name_threads ? i + 1 : 0, .memory_node = j + 1}, 1, false};
    const enum extent extent = roof ? EXTENT_MEMORY : EXTENT_CELL;
    const struct pattern *chase = find_chase();
    bool done = true;
    if (cores == 1 || roof)
        done = add_spot(plan, basis, &spot, extent, err);
    else if (chase && plan_is_chosen(chase->op, basis->options->mixes, basis->options->mix_count)) {
        /* one thread gives the latency, all threads the bandwidth */
        struct plan_options latency = *basis->options;
        latency.mixes[0] = chase->op, latency.mix_count = 1;
        done = add_spot(plan, &(struct plan_basis){machine, basis->levels, &latency}, &spot, extent, err);
    }
    spot.threads = cores;
    return done && (cores == 1 || add_spot(plan, basis, &spot, extent, err));
}

/* Adds the pairs of nodes. If only one node has cores, the threads' node is not named. */
static bool plan_add_nodes(struct plan *plan, const struct plan_basis *basis, struct error *err) {
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
        text_say_next(plan->note, "; ", "node to node: the first %d of %u nodes with cores, and of %u with memory",
                      PLAN_MATRIX_NODES, with_cores, targets);
    for (unsigned i = 0; i < machine->node_count && done; i++) {
        unsigned columns = 0;
        if (machine->nodes[i].core_count == 0 || ++rows > PLAN_MATRIX_NODES)
            continue;
        for (unsigned j = 0; j < machine->node_count && done; j++)
            if (is_target(&machine->nodes[j]) && ++columns <= PLAN_MATRIX_NODES)
                done = plan_add_pair(plan, basis, i, j, with_cores > 1, err);
    }
    return done && (with_cores == 1 || plan_add_memories(plan, basis, err));
}

bool plan_roofs(struct plan *out, const struct machine *machine, const struct levels *levels,
                const struct plan_options *options, struct error *err) {
    *out = (struct plan){0};
    if (!check_choices(machine, levels, options, err))
        return false;
    bool parts = options->thread_count == 0 && !options->quick && !options->smt;
    const struct plan_basis basis = {machine, levels, options};
    if (options->isa_count == 0)
        machine_left_out(machine, out->note, sizeof out->note);
    bool done = plan_add_counts(out, &basis, err);
    done = done && (!parts || (plan_add_parts(out, &basis, err) && plan_add_nodes(out, &basis, err)));
    if (done && out->count == 0)
        done = error_set(err, "these options leave nothing to measure; `carmine kernels` lists all kernels");
    if (!done) {
        plan_free(out);
        return false;
    }
    plan_size(out, machine, levels, options->quick);
    return true;
}

/* The plan of a validation. Its roofs are those of plan_roofs(), so they are measured as in `run`. A mixed kernel's
 * step is a copy of the bandwidth's step with another kernel. */

enum { LOWEST_EXPONENT = -6, HIGHEST_EXPONENT = 6, MAX_KERNELS = HIGHEST_EXPONENT - LOWEST_EXPONENT + 1 };
/* A pass has two blocks of 4 KiB, so that the L1's stride prefetcher stays inactive (see asm/generate/memory.c). */
static const uint64_t L1_BYTES = 8192;
enum { SMALLER_MEMORY = 8 };
static const struct campaign_thresholds *const THRESHOLD = &campaign_thresholds;

double plan_intensity(const struct kernel *mixed) {
    return (double)mixed->cost.flop / ((double)mixed->cost.load_bytes + mixed->cost.store_bytes);
}

const char *plan_mixed_peak(const struct kernel *mixed) {
    return mixed->cost.mix.fma > 0 ? "fma" : "addmul";
}

const char *plan_mixed_pattern(const struct kernel *mixed) {
    return mixed->cost.mix.store > 0 ? "2ld1st" : "load";
}

static bool plan_is_candidate(const struct kernel *kernel, const struct isa *isa, enum element_type type,
                              const char *pattern) {
    return kernel->kind == KERNEL_MIXED && kernel->isa == isa && kernel->type == type &&
           strcmp(plan_mixed_pattern(kernel), pattern) == 0;
}

size_t plan_mixed_kernels(const struct isa *isa, enum element_type type, const char *pattern, bool quick,
                          const struct kernel **out, size_t max) {
    size_t count = 0;
    for (int exponent = LOWEST_EXPONENT; exponent <= HIGHEST_EXPONENT && count < max; exponent += quick ? 2 : 1) {
        const struct kernel *nearest = NULL;
        double distance = quick ? 1 : 0.5; /* in doublings; beyond it another power of two is nearer */
        for (size_t i = 0; i < kernel_count; i++) {
            double own = plan_is_candidate(kernel_table[i], isa, type, pattern)
                             ? fabs(log2(plan_intensity(kernel_table[i])) - exponent)
                             : INFINITY;
            if (own < distance || (own <= distance && !nearest)) {
                nearest = kernel_table[i];
                distance = own;
            }
        }
        if (nearest && (count == 0 || plan_intensity(nearest) > plan_intensity(out[count - 1])))
            out[count++] = nearest;
    }
    return count;
}

static double guessed_flop_per_s(double vector_bytes) {
    return vector_bytes * THRESHOLD->flop_per_cycle_and_byte.value * THRESHOLD->core_hz.value;
}

bool plan_is_arithmetic(double flop_per_byte, double vector_bytes) {
    return flop_per_byte * THRESHOLD->pass_bytes_per_s.value >
           THRESHOLD->mostly_arithmetic.value * guessed_flop_per_s(vector_bytes);
}

/* Appends a mixed kernel at the bandwidth's place with its repetitions. `least_bytes`: the level's smallest working
 * set. */
static void append_mixed(struct plan *plan, const struct plan_step *bandwidth, const struct kernel *mixed,
                         uint64_t least_bytes) {
    struct plan_step *step = plan_append(plan, bandwidth);
    size_t variants = 1;
    kernel_find(mixed->name, &variants);
    snprintf(step->kernel, sizeof step->kernel, "%s", mixed->name);
    step->kind = SAMPLE_COMPUTE;
    double flop_per_s = guessed_flop_per_s(mixed->cost.mix.vector_bytes);
    bool outer = !step->paced; /* one pass takes longer than repetition_s */
    if (outer && plan_is_arithmetic(plan_intensity(mixed), mixed->cost.mix.vector_bytes))
        step->size_bytes[0] = step->memory ? step->size_bytes[0] / SMALLER_MEMORY / 4096 * 4096 : least_bytes;
    double bytes = (double)step->size_bytes[0] / (step->memory ? step->repetitions : 1);
    double pass_s = fmax(bytes / THRESHOLD->pass_bytes_per_s.value, plan_intensity(mixed) * bytes / flop_per_s);
    step->expected_s =
        (double)(variants - 1) * step->search_s * THRESHOLD->search_overhead.value +
        step->repetitions * fmax(step->memory ? 0 : step->repetition_s, pass_s) * THRESHOLD->visit_overhead.value;
}

static const struct plan_step *plan_find_peak(const struct plan *peaks, const struct kernel *mixed,
                                              const struct plan_step *bandwidth) {
    char name[48];
    snprintf(name, sizeof name, "%s.%s.%s", mixed->isa->name, element_table[mixed->type].name, plan_mixed_peak(mixed));
    for (size_t i = 0; i < peaks->count; i++)
        if (strcmp(peaks->steps[i].kernel, name) == 0 && peaks->steps[i].threads == bandwidth->threads &&
            peaks->steps[i].core_kind == bandwidth->core_kind)
            return &peaks->steps[i];
    return NULL;
}

/* One level of one placement: the roofs and the mixed kernels. The campaign visits them in turn. */
static void append_series(struct plan *plan, const struct plan_step *bandwidth, uint64_t least_bytes,
                          const struct plan *peaks, enum element_type type, bool quick) {
    const struct kernel *memory = *kernel_find(bandwidth->kernel, NULL), *mixed[MAX_KERNELS];
    size_t count = plan_mixed_kernels(memory->isa, type, memory->op, quick, mixed, MAX_KERNELS);
    const struct plan_step *peak = count ? plan_find_peak(peaks, mixed[0], bandwidth) : NULL;
    if (!peak)
        return;
    plan_append(plan, peak);
    plan_append(plan, bandwidth);
    for (size_t i = 0; i < count; i++)
        append_mixed(plan, bandwidth, mixed[i], least_bytes);
}

static bool check_mixes(const struct plan_options *options, struct error *err) {
    for (size_t i = 0; i < options->mix_count; i++) {
        bool found = false;
        for (size_t k = 0; k < kernel_count && !found; k++)
            found = kernel_table[k]->kind == KERNEL_MIXED &&
                    strcmp(plan_mixed_pattern(kernel_table[k]), options->mixes[i]) == 0;
        if (!found)
            return error_set(err, "no mixed kernel has the pattern %s; --mix takes load and 2ld1st", options->mixes[i]);
    }
    return true;
}

/* Defaults of a validation: loads by one thread, in the widest ISA. */
static struct plan_options with_defaults(const struct plan_options *options, const struct machine *machine) {
    struct plan_options out = *options;
    const char *widest = plan_widest_load(machine, options);
    if (out.isa_count == 0 && widest) {
        out.isas[0] = (*kernel_find(widest, NULL))->isa->name;
        out.isa_count = 1;
    }
    if (out.thread_count == 0) {
        out.threads[0] = 1;
        out.thread_count = 1;
    }
    if (out.mix_count == 0) {
        out.mixes[0] = "load";
        out.mix_count = 1;
    }
    return out;
}

/* The same without memory: the peaks of all operations in mixed kernels. */
static struct plan_options peaks_of(const struct plan_options *options) {
    struct plan_options out = *options;
    out.level_count = 0;
    out.mixes[0] = "fma";
    out.mixes[1] = "addmul";
    out.mix_count = 2;
    return out;
}

/* Keeps one working set, which is enough for a comparison. Returns the level's smallest. */
static uint64_t keep_one_size(struct plan_step *step) {
    const uint64_t least_bytes = step->size_bytes[0];
    step->size_bytes[0] = step->size_bytes[step->middle_size];
    if (step->level == 0 && step->size_bytes[0] > L1_BYTES)
        step->size_bytes[0] = L1_BYTES;
    step->expected_s /= step->size_count;
    step->size_count = 1;
    step->middle_size = 0;
    return least_bytes < step->size_bytes[0] ? least_bytes : step->size_bytes[0];
}

bool plan_validate(struct plan *out, const struct machine *machine, const struct levels *levels,
                   const struct plan_options *options, struct error *err) {
    *out = (struct plan){0};
    const struct plan_options memory = with_defaults(options, machine), compute = peaks_of(&memory);
    if (!check_mixes(options, err))
        return false;
    struct plan bandwidths, peaks = {0};
    if (!plan_roofs(&bandwidths, machine, levels, &memory, err) ||
        !plan_roofs(&peaks, machine, levels, &compute, err)) {
        plan_free(&bandwidths);
        return false;
    }
    for (size_t i = 0; i < bandwidths.count; i++) {
        struct plan_step *step = &bandwidths.steps[i];
        const uint64_t least_bytes = keep_one_size(step);
        if (options->type_count == 0)
            append_series(out, step, least_bytes, &peaks, TYPE_F64, options->quick);
        for (size_t t = 0; t < options->type_count; t++)
            append_series(out, step, least_bytes, &peaks, element_find(options->types[t]), options->quick);
    }
    plan_free(&bandwidths);
    plan_free(&peaks);
    for (size_t i = 0; i < out->count; i++)
        out->expected_s += out->steps[i].expected_s;
    return out->count > 0 ||
           error_set(err, "no mixed kernels of these instruction sets and types; `carmine kernels` lists them");
}
