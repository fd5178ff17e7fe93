/* SPDX-License-Identifier: BSD-3-Clause
 * The plan's steps: which operations there are, in which sizes and how often they are measured at one spot of the
 * machine (see plan.h; which spots: plan_roofs.c; the sweep that finds the levels: plan_sweep.c). */
#include "plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asm/arithmetic.h"
#include "asm/kernel.h"
#include "asm/pattern.h"
#include "bench/sample/doubt.h"
#include "plan_spot.h"
#include "bench/threads/team.h"
#include "probe/need.h"

static const double SEARCH_S = 3e-3;
enum { REPETITIONS = 100, QUICK_REPETITIONS = 50, SLOW_REPETITIONS = 40, SEGMENTS = 64 };
enum { VECTOR_BYTES = 16 }; /* of the narrowest */

bool plan_chosen(const char *name, const char *const *choices, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, choices[i]) == 0)
            return true;
    return count == 0;
}

static bool isa_allowed(const struct isa *isa, const struct machine *machine, const struct plan_options *options) {
    return plan_chosen(isa->name, options->isas, options->isa_count) && machine_has(machine, isa->needs);
}

/* Of those that move data, too. */
static const struct isa *widest_isa(const struct machine *machine, const struct plan_options *options) {
    for (size_t i = isa_vector_count; i-- > 0;)
        if (isa_allowed(&isa_table[i], machine, options))
            return &isa_table[i];
    return NULL;
}

const struct kernel *plan_find_kernel(const struct machine *machine, const char *name) {
    const struct kernel *const *kernel = kernel_find(name, NULL);
    return kernel && machine_has(machine, (*kernel)->needs) ? *kernel : NULL;
}

const char *plan_widest_load(const struct machine *machine, const struct plan_options *options) {
    const struct isa *isa = widest_isa(machine, options);
    char name[48];
    snprintf(name, sizeof name, "%s.load", isa ? isa->name : "");
    const struct kernel *kernel = plan_find_kernel(machine, name);
    return kernel ? kernel->name : NULL;
}

/* How many of the chosen threads share one instance of each level, and how many run on a core. */
struct sharing {
    unsigned threads[MACHINE_MAX_CACHES], per_core;
};

/* Error: more threads than cores. */
static bool sharing_of(const struct machine *machine, const struct spot *spot, struct sharing *out, struct error *err) {
    struct team team;
    if (!team_place(&team, machine, spot->kind, &spot->place, spot->threads, err))
        return false;
    for (unsigned i = 0; i < MACHINE_MAX_CACHES; i++)
        out->threads[i] = team_sharing(&team, i);
    out->per_core = (team.count + team.core_count - 1) / team.core_count;
    team_free(&team);
    return true;
}

static struct plan_step *append(struct plan *plan) {
    if (plan->count == plan->capacity) {
        plan->capacity = plan->capacity ? 2 * plan->capacity : 64;
        plan->steps = need_realloc(plan->steps, plan->capacity * sizeof *plan->steps);
    }
    plan->steps[plan->count] = (struct plan_step){0};
    return &plan->steps[plan->count++];
}

static double pass_s(uint64_t bytes) {
    return (double)bytes / PLAN_GUESSED_BYTES_PER_S;
}

void plan_estimate(struct plan_step *step) {
    size_t variants = 1;
    kernel_find(step->kernel, &variants);
    step->expected_s = variants > 1 ? (double)variants * step->search_s * PLAN_SEARCH_OVERHEAD : 0;
    if (step->size_count == 0)
        step->expected_s += step->repetitions * step->repetition_s * PLAN_OVERHEAD;
    for (unsigned i = 0; i < step->size_count; i++) {
        double pass = step->memory ? step->repetition_s : fmax(step->repetition_s, pass_s(step->size_bytes[i]));
        step->expected_s += step->repetitions * pass * PLAN_OVERHEAD;
    }
}

double plan_total(const struct plan *plan) {
    double seconds = 0;
    for (size_t i = 0; i < plan->count; i++)
        seconds += plan->steps[i].expected_s;
    return seconds;
}

/* Sizes of a level, from low to high by equal ratios. Beyond eight times the low end nothing new is learnt. */
static void choose_sizes(struct plan_step *step, struct window window) {
    double low = (double)window.low_bytes, high = fmin((double)window.high_bytes, 8 * low);
    unsigned wanted = high < 1.3 * low ? 1 : PLAN_MAX_SIZES, found = 0;
    for (unsigned i = 0; i < wanted; i++) {
        double at = wanted == 1 ? 0.5 : (double)i / (wanted - 1);
        double bytes = low * pow(high / low, at);
        uint64_t rounded = bytes < 4096 ? (uint64_t)bytes / 64 * 64 : (uint64_t)bytes / 4096 * 4096;
        if (found == 0 || rounded > step->size_bytes[found - 1]) /* a narrow window has fewer sizes: none twice */
            step->size_bytes[found++] = rounded;
    }
    step->size_count = found;
    doubts_join(&step->doubts, window.doubts);
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

struct plan_step *plan_add_step(struct plan *plan, const char *kernel, int level, const struct spot *spot) {
    struct plan_step *step = append(plan);
    snprintf(step->kernel, sizeof step->kernel, "%s", kernel);
    step->level = level;
    step->core_kind = spot->kind;
    step->place = spot->place;
    step->threads = spot->threads;
    step->small_pages = spot->small_pages;
    return step;
}

void plan_pace(struct plan_step *step, const struct kernel *kernel, const struct levels *levels) {
    const bool single_lines = kernel->kind == KERNEL_CHASE || kernel->kind == KERNEL_RANDOM;
    step->kind = kernel->kind == KERNEL_CHASE ? SAMPLE_LATENCY : SAMPLE_BANDWIDTH;
    step->memory = step->level == (int)levels->count - 1;
    step->paced = !step->memory && levels_is_paced(levels->level[step->level].name);
    if (single_lines && step->level > 0 && !step->memory && !step->paced)
        step->inner_bytes = levels->level[step->level - 1].effective_bytes;
    step->repetition_s = step->inner_bytes > 0 ? PLAN_STRETCH_S : PLAN_REPETITION_S;
}

static void add_compute(struct plan *plan, const char *name, const struct plan_options *options,
                        const struct spot *spot) {
    struct plan_step *step = plan_add_step(plan, name, PLAN_REGISTERS, spot);
    step->kind = SAMPLE_COMPUTE;
    step->paced = levels_is_paced("");
    step->repetitions = options->quick ? QUICK_REPETITIONS : REPETITIONS;
    step->repetition_s = PLAN_REPETITION_S;
    step->search_s = options->quick ? SEARCH_S / 3 : SEARCH_S;
    plan_estimate(step);
}

/* Read once, in segments. */
static void size_memory(struct plan_step *step, const struct plan_basis *basis, const struct spot *spot) {
    const struct machine *machine = basis->machine;
    step->size_count = 1;
    step->size_bytes[0] = plan_memory_bytes(machine, basis->levels, spot, basis->options->quick, &step->doubts);
    /* A second set of buffers beside the huge pages' must not fill the memory. */
    if (step->small_pages && !machine->recorded &&
        step->size_bytes[0] * spot->threads > machine->memory_available_bytes / 4)
        step->size_bytes[0] = machine->memory_available_bytes / 4 / spot->threads / 4096 * 4096;
    step->repetitions = SEGMENTS;
    /* A chase must not come round to lines that it has warmed, so it stays short. */
    if (step->kind == SAMPLE_LATENCY)
        return;
    step->repetition_s = pass_s(step->size_bytes[0] / SEGMENTS);
    step->search_s = basis->options->quick ? SEARCH_S / 3 : SEARCH_S;
}

/* Several sizes of a cache level, of which the team shares instances. */
static void size_cache(struct plan_step *step, const struct plan_basis *basis, const struct levels *own,
                       const struct sharing *sharing) {
    const bool quick = basis->options->quick;
    const unsigned level = (unsigned)step->level;
    choose_sizes(step, levels_window(own, level, sharing->threads));
    bool slow = pass_s(step->size_bytes[0]) > PLAN_REPETITION_S;
    step->repetitions = slow ? SLOW_REPETITIONS : quick ? QUICK_REPETITIONS : REPETITIONS;
    step->search_s = quick ? SEARCH_S / 3 : SEARCH_S;
    const struct core_kind *kind = &basis->machine->kinds[step->core_kind == TEAM_ANY_KIND ? 0 : step->core_kind];
    bool others = kind->caches[level].sharing_core_count > sharing->threads[level] / sharing->per_core;
    doubts_add_if(&step->doubts, others && step->threads > 1, DOUBT_SHARED_CACHE);
}

static bool add_memory(struct plan *plan, const struct plan_basis *basis, const struct kernel *kernel,
                       const struct spot *spot, unsigned level, struct error *err) {
    const struct levels own = plan_levels(basis->machine, basis->levels, spot->kind);
    struct sharing sharing;
    if (is_planned(plan, kernel->name, (int)level, spot))
        return true;
    if (!sharing_of(basis->machine, spot, &sharing, err))
        return false;
    struct plan_step *step = plan_add_step(plan, kernel->name, (int)level, spot);
    plan_pace(step, kernel, &own);
    if (step->memory)
        size_memory(step, basis, spot);
    else
        size_cache(step, basis, &own, &sharing);
    plan_estimate(step);
    return true;
}

/* A kernel by name, where the machine has it: in huge pages, and where wanted in 4 KiB pages too. */
static bool add_kernel(struct plan *plan, const struct plan_basis *basis, const char *name, const struct spot *spot,
                       unsigned level, bool both_pages, struct error *err) {
    const struct kernel *kernel = plan_find_kernel(basis->machine, name);
    struct spot small = *spot;
    small.small_pages = true;
    return !kernel || (add_memory(plan, basis, kernel, spot, level, err) &&
                       (!both_pages || add_memory(plan, basis, kernel, &small, level, err)));
}

/* Types beyond f64 and f32 in the widest ISA and in tiles alone, and of integers dot products alone, unless somebody
 * requests more. */
static bool narrow_wanted(const struct arithmetic *arithmetic, const struct isa *isa, const struct isa *widest,
                          enum element_type type, const struct plan_options *options) {
    const bool tiles = isa >= isa_table + isa_vector_count, named = options->mix_count > 0;
    if (element_table[type].integer && arithmetic->sort != DOT && !(arithmetic->sort == INTEGER && named))
        return false;
    return (isa == widest || tiles || options->isa_count > 0) && (!options->quick || arithmetic->quick || named);
}

static bool compute_wanted(const struct arithmetic *arithmetic, const struct isa *isa, const struct isa *widest,
                           enum element_type type, const struct plan_options *options, enum extent extent) {
    if (!plan_chosen(element_table[type].name, options->types, options->type_count) ||
        !plan_chosen(arithmetic->op, options->mixes, options->mix_count) ||
        (options->mix_count == 0 && arithmetic->on_request) || (extent == EXTENT_WIDEST && isa != widest))
        return false;
    return type <= TYPE_F32 || options->type_count > 0 ||
           (extent == EXTENT_ALL && narrow_wanted(arithmetic, isa, widest, type, options));
}

static void add_ceilings(struct plan *plan, const struct plan_basis *basis, const struct spot *spot,
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
                if (compute_wanted(arithmetic, &isa_table[i], widest, type, options, extent) &&
                    plan_find_kernel(machine, name) && !is_planned(plan, name, PLAN_REGISTERS, spot))
                    add_compute(plan, name, options, spot);
            }
    }
}

/* Whether a pattern is measured in a level. */
static bool memory_wanted(const struct pattern *pattern, bool memory, const struct plan_options *options,
                          enum extent extent) {
    bool few = (options->quick || extent == EXTENT_WIDEST) && options->mix_count == 0;
    if (!plan_chosen(pattern->op, options->mixes, options->mix_count) || (few && !pattern->quick))
        return false;
    if (extent == EXTENT_CELL && pattern->isas != PATTERN_NO_ISA && strcmp(pattern->op, "load") != 0)
        return false;
    return memory || !pattern->nontemporal; /* it goes past the caches, whatever the buffer's size */
}

/* No later ISA has vectors of the same width: AVX2 moves data as AVX does. */
static bool is_newest_of_width(const struct isa *isa, const struct machine *machine) {
    const struct isa *next = isa + 1;
    return next == isa_table + isa_count || next->vector_bytes != isa->vector_bytes ||
           !machine_has(machine, next->needs);
}

/* Others than the widest have the operations that tell something there, or what was asked for. */
static bool narrower_wanted(const struct pattern *pattern, const struct isa *isa, const struct plan_basis *basis,
                            enum extent extent) {
    const struct plan_options *options = basis->options;
    const bool asked = options->mix_count > 0 || options->isa_count > 0;
    const bool vectors = isa->vector_bytes >= VECTOR_BYTES && is_newest_of_width(isa, basis->machine);
    const bool has_it = pattern->isas == PATTERN_EVERY_ISA || (pattern->isas == PATTERN_VECTORS && vectors);
    return extent == EXTENT_ALL && (asked || (has_it && !options->quick));
}

/* Loads and stores of single elements, of the integers that were asked for. */
static bool add_elements(struct plan *plan, const struct plan_basis *basis, const struct isa *isa,
                         const struct pattern *pattern, const struct spot *spot, unsigned level, struct error *err) {
    const struct plan_options *options = basis->options;
    char name[48];
    for (size_t t = 0; t < options->type_count && (!options->quick || options->isa_count > 0); t++) {
        snprintf(name, sizeof name, "%s.%s.%s", isa->name, options->types[t], pattern->op);
        if (!add_kernel(plan, basis, name, spot, level, false, err))
            return false;
    }
    return true;
}

static bool add_pattern(struct plan *plan, const struct plan_basis *basis, const struct pattern *pattern,
                        const struct spot *spot, unsigned level, enum extent extent, struct error *err) {
    const struct plan_options *options = basis->options;
    const struct isa *widest = widest_isa(basis->machine, options);
    const bool both = pattern->scattered && options->both_pages && !options->quick && extent == EXTENT_ALL;
    char name[48];
    if (pattern->isas == PATTERN_NO_ISA) /* one load at a time: a second thread tells nothing new */
        return spot->threads > 1 || add_kernel(plan, basis, pattern->op, spot, level, both, err);
    for (size_t i = isa_count; i-- > 0;) {
        const struct isa *isa = &isa_table[i];
        snprintf(name, sizeof name, "%s.%s", isa->name, pattern->op);
        if (!isa_allowed(isa, basis->machine, options))
            continue;
        if ((isa == widest || narrower_wanted(pattern, isa, basis, extent)) &&
            !add_kernel(plan, basis, name, spot, level, both, err))
            return false;
        if (extent == EXTENT_ALL && !add_elements(plan, basis, isa, pattern, spot, level, err))
            return false;
    }
    return true;
}

/* Whether the level is among those asked for; memory goes by the name of its kind there. */
static bool level_wanted(const struct plan_basis *basis, const struct spot *spot, unsigned level, bool memory) {
    const struct plan_step step = {
        .level = (int)level, .memory = memory, .core_kind = spot->kind, .place = spot->place, .threads = spot->threads};
    struct sample place = {0};
    plan_describe(&step, basis->machine, basis->levels, &place);
    return plan_chosen(place.level, basis->options->levels, basis->options->level_count);
}

bool plan_spot(struct plan *plan, const struct plan_basis *basis, const struct spot *spot, enum extent extent,
               struct error *err) {
    const struct plan_options *options = basis->options;
    const unsigned count = plan_levels(basis->machine, basis->levels, spot->kind).count;
    struct sharing ignored;
    if (!sharing_of(basis->machine, spot, &ignored, err)) /* even where no memory is measured */
        return false;
    if (options->level_count == 0 && extent <= EXTENT_WIDEST)
        add_ceilings(plan, basis, spot, extent);
    for (unsigned level = extent >= EXTENT_MEMORY ? count - 1 : 0; level < count; level++) {
        const bool memory = level + 1 == count;
        if (!level_wanted(basis, spot, level, memory))
            continue;
        for (size_t p = 0; p < pattern_count; p++)
            if (memory_wanted(&pattern_table[p], memory, options, extent) &&
                !add_pattern(plan, basis, &pattern_table[p], spot, level, extent, err))
                return false;
    }
    return true;
}
