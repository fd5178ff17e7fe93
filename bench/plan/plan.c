/* SPDX-License-Identifier: BSD-3-Clause
 * The plan's steps: which operations there are, in which sizes and how often they are measured at one spot of the
 * machine, and the sweep that finds the levels (see plan.h; which spots: plan_roofs.c). */
#include "plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asm/kernel.h"
#include "bench/sample/doubt.h"
#include "plan_spot.h"
#include "bench/threads/team.h"

static const double REPETITION_S = 200e-6, SEARCH_S = 3e-3;
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
        step->paced = !step->memory && levels_is_paced(own.level[step->level].name);
        step->repetition_s = REPETITION_S;
        step->repetitions = SWEEP_REPETITIONS;
        plan_estimate(step);
    }
    out->expected_s = plan_total(out);
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
    step->paced = levels_is_paced("");
    step->repetitions = options->quick ? QUICK_REPETITIONS : REPETITIONS;
    step->repetition_s = REPETITION_S;
    step->search_s = options->quick ? SEARCH_S / 3 : SEARCH_S;
    plan_estimate(step);
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
    step->paced = !step->memory && levels_is_paced(own.level[level].name);
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
    plan_estimate(step);
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
    if (!plan_chosen(element_table[type].name, options->types, options->type_count) ||
        !plan_chosen(COMPUTE_OPS[op].op, options->mixes, options->mix_count) ||
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

bool plan_spot(struct plan *plan, const struct machine *machine, const struct levels *levels,
               const struct plan_options *options, const struct spot *spot, enum extent extent, struct error *err) {
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
        if (!plan_chosen(place.level, options->levels, options->level_count))
            continue;
        for (size_t o = 0; o < sizeof MEMORY_OPS / sizeof MEMORY_OPS[0]; o++) {
            const char *op = MEMORY_OPS[o].op;
            bool asked = options->mix_count > 0, few = options->quick || extent == EXTENT_WIDEST;
            bool chase = strcmp(op, "chase") == 0;
            bool both = MEMORY_OPS[o].small_pages_too && options->both_pages && !options->quick && extent == EXTENT_ALL;
            if (!plan_chosen(op, options->mixes, options->mix_count) || (few && !MEMORY_OPS[o].quick && !asked) ||
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
