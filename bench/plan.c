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
static const uint64_t SWEEP_SMALLEST_BYTES = 4096, MEMORY_AT_LEAST_BYTES = 64u << 20;
static const uint64_t THREAD_AT_LEAST_BYTES = 2u << 20; /* each segment must hold a kernel's block, of 16 KiB at most */
enum { REPETITIONS = 100, QUICK_REPETITIONS = 50, SLOW_REPETITIONS = 40, SEGMENTS = 64, SWEEP_REPETITIONS = 16 };

/* What each operation is for: the widest ISA gets all, the others the first; quick runs only the marked ones. */
static const struct {
    const char *op;
    bool every_isa, quick;
} MEMORY_OPS[] = {
    {"load", true, true},     {"2ld1st", true, true},   {"store", false, true},   {"update", false, true},
    {"axpy", false, true},    {"1ld1st", false, false}, {"3ld1st", false, false}, {"ntstore", false, false},
    {"random", false, false}, {"chase", false, false},
};
static const char *const COMPUTE_OPS[] = {"fma", "fmaadd", "addmul", "add2mul", "add", "mul"};

static bool chosen(const char *name, const char *const *choices, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, choices[i]) == 0)
            return true;
    return count == 0;
}

static bool isa_allowed(const struct isa *isa, const struct machine *machine, const struct plan_options *options) {
    return chosen(isa->name, options->isas, options->isa_count) && machine_has(machine, isa->needs);
}

static const struct isa *widest_isa(const struct machine *machine, const struct plan_options *options) {
    for (size_t i = isa_count; i-- > 0;)
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

static unsigned kind_cores(const struct machine *machine, int kind) {
    return kind == TEAM_ANY_KIND ? machine->core_count : machine->kinds[kind].core_count;
}

/* How many of the chosen threads share one instance of each level. */
static bool sharing_of(const struct machine *machine, int kind, unsigned threads, unsigned *sharing,
                       struct error *err) {
    struct team team;
    if (!team_choose(&team, machine, kind, threads, err))
        return false;
    for (unsigned i = 0; i < MACHINE_MAX_CACHES; i++)
        sharing[i] = team_sharing(&team, i);
    team_free(&team);
    return true;
}

uint64_t plan_memory_bytes(const struct machine *machine, const struct levels *levels, int core_kind, unsigned threads,
                           bool quick, uint32_t *doubts) {
    unsigned last = levels->count - 1; /* the memory; the caches come before it */
    uint64_t total = MEMORY_AT_LEAST_BYTES;
    struct error ignored;
    unsigned sharing[MACHINE_MAX_CACHES];
    if (last > 0 && sharing_of(machine, core_kind, threads, sharing, &ignored)) {
        uint64_t instances = (threads + sharing[last - 1] - 1) / sharing[last - 1];
        const struct level *cache = &levels->level[last - 1];
        uint64_t caches = 4 * instances * (quick && cache->judged ? cache->effective_bytes : cache->detected_bytes);
        total = caches > total ? caches : total;
    }
    uint64_t free_bytes = machine->memory_available_bytes / 2;
    if (!machine->recorded && free_bytes > 0 && total > free_bytes) {
        total = free_bytes;
        *doubts |= DOUBT_SMALL_BUFFER;
    }
    uint64_t each = total / threads / 4096 * 4096;
    return each > THREAD_AT_LEAST_BYTES ? each : THREAD_AT_LEAST_BYTES;
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
    *out = (struct plan){0};
    const struct kernel *found = kernel ? find(machine, kernel) : NULL;
    if (!found)
        return error_set(err, "no kernel %s that this machine can execute; see `carmine kernels`",
                         kernel ? kernel : "");
    uint32_t doubts = 0;
    uint64_t largest = plan_memory_bytes(machine, levels, TEAM_ANY_KIND, threads, options->quick, &doubts);
    if (options->quick && largest > 512u << 20)
        largest = 512u << 20;
    double octaves = log2((double)largest / (double)SWEEP_SMALLEST_BYTES);
    unsigned last = (unsigned)ceil(octaves * per_octave);
    for (unsigned i = 0; i <= last; i++) {
        double bytes = i == last ? (double)largest : (double)SWEEP_SMALLEST_BYTES * exp2((double)i / per_octave);
        struct plan_step *step = append(out);
        snprintf(step->kernel, sizeof step->kernel, "%s", kernel);
        step->kind = found->kind == KERNEL_CHASE ? SAMPLE_LATENCY : SAMPLE_BANDWIDTH;
        step->core_kind = TEAM_ANY_KIND;
        step->threads = threads;
        step->size_count = 1;
        step->size_bytes[0] = (uint64_t)bytes / 4096 * 4096;
        step->level = (int)levels->count - 1;
        for (unsigned l = levels->count - 1; l-- > 0;)
            if (step->size_bytes[0] <= levels->level[l].effective_bytes)
                step->level = (int)l;
        step->memory = step->level == (int)levels->count - 1;
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

static void add_compute(struct plan *plan, const char *name, const struct plan_options *options, int kind,
                        unsigned threads) {
    struct plan_step *step = append(plan);
    snprintf(step->kernel, sizeof step->kernel, "%s", name);
    step->kind = SAMPLE_COMPUTE;
    step->level = PLAN_REGISTERS;
    step->core_kind = kind;
    step->threads = threads;
    step->repetitions = options->quick ? QUICK_REPETITIONS : REPETITIONS;
    step->repetition_s = REPETITION_S;
    step->search_s = options->quick ? SEARCH_S / 3 : SEARCH_S;
    estimate(step);
}

static bool add_memory(struct plan *plan, const struct kernel *kernel, const struct machine *machine,
                       const struct levels *levels, const struct plan_options *options, int kind, unsigned threads,
                       unsigned level, struct error *err) {
    unsigned sharing[MACHINE_MAX_CACHES];
    if (!sharing_of(machine, kind, threads, sharing, err))
        return false;
    struct plan_step *step = append(plan);
    snprintf(step->kernel, sizeof step->kernel, "%s", kernel->name);
    step->kind = kernel->kind == KERNEL_CHASE ? SAMPLE_LATENCY : SAMPLE_BANDWIDTH;
    step->level = (int)level;
    step->core_kind = kind;
    step->threads = threads;
    step->repetition_s = REPETITION_S;
    step->memory = level == levels->count - 1;
    if (step->memory) {
        step->size_count = 1;
        step->size_bytes[0] = plan_memory_bytes(machine, levels, kind, threads, options->quick, &step->doubts);
        step->repetitions = SEGMENTS;
        /* A chase must not come round to lines that it has warmed, so it stays short. */
        if (kernel->kind != KERNEL_CHASE)
            step->repetition_s = pass_s(step->size_bytes[0] / SEGMENTS);
    } else {
        choose_sizes(step, levels_window(levels, level, sharing), options->quick);
        bool slow = pass_s(step->size_bytes[0]) > REPETITION_S;
        step->repetitions = slow ? SLOW_REPETITIONS : options->quick ? QUICK_REPETITIONS : REPETITIONS;
        step->search_s = options->quick ? SEARCH_S / 3 : SEARCH_S;
        unsigned all = machine->kinds[kind == TEAM_ANY_KIND ? 0 : kind].caches[level].sharing_core_count;
        step->doubts |= all > sharing[level] && threads > 1 ? DOUBT_SHARED_CACHE : 0;
    }
    estimate(step);
    return true;
}

/* All compute ceilings and memory roofs of one placement. */
static bool add_placement(struct plan *plan, const struct machine *machine, const struct levels *levels,
                          const struct plan_options *options, int kind, unsigned threads, struct error *err) {
    const struct isa *widest = widest_isa(machine, options);
    char name[48];
    unsigned sharing[MACHINE_MAX_CACHES];
    if (!sharing_of(machine, kind, threads, sharing, err)) /* more threads than cores */
        return false;
    for (size_t i = isa_count; i-- > 0 && options->level_count == 0;) {
        if (!isa_allowed(&isa_table[i], machine, options))
            continue;
        for (size_t t = 0; t < 2; t++) {
            const char *type = (const char *const[]){"f64", "f32"}[t];
            for (size_t o = 0; o < sizeof COMPUTE_OPS / sizeof COMPUTE_OPS[0]; o++) {
                snprintf(name, sizeof name, "%s.%s.%s", isa_table[i].name, type, COMPUTE_OPS[o]);
                if (chosen(type, options->types, options->type_count) &&
                    chosen(COMPUTE_OPS[o], options->mixes, options->mix_count) && find(machine, name))
                    add_compute(plan, name, options, kind, threads);
            }
        }
    }
    for (unsigned level = 0; level < levels->count; level++) {
        if (!chosen(levels->level[level].name, options->levels, options->level_count))
            continue;
        for (size_t o = 0; o < sizeof MEMORY_OPS / sizeof MEMORY_OPS[0]; o++) {
            const char *op = MEMORY_OPS[o].op;
            bool asked = options->mix_count > 0;
            if (!chosen(op, options->mixes, options->mix_count) || (options->quick && !MEMORY_OPS[o].quick && !asked))
                continue;
            if (strcmp(op, "ntstore") == 0 && level + 1 < levels->count)
                continue;                   /* it goes past the caches, whatever the buffer's size */
            if (strcmp(op, "chase") == 0) { /* one load at a time: no ISA, and a second thread tells nothing new */
                const struct kernel *chase = find(machine, op);
                if (chase && threads == 1 &&
                    !add_memory(plan, chase, machine, levels, options, kind, threads, level, err))
                    return false;
                continue;
            }
            for (size_t i = isa_count; i-- > 0;) {
                const struct isa *isa = &isa_table[i];
                bool wanted =
                    isa == widest || asked || options->isa_count > 0 || (MEMORY_OPS[o].every_isa && !options->quick);
                snprintf(name, sizeof name, "%s.%s", isa->name, op);
                const struct kernel *kernel = wanted && isa_allowed(isa, machine, options) ? find(machine, name) : NULL;
                if (kernel && !add_memory(plan, kernel, machine, levels, options, kind, threads, level, err))
                    return false;
            }
        }
    }
    return true;
}

static bool check_choices(const struct machine *machine, const struct levels *levels,
                          const struct plan_options *options, struct error *err) {
    for (size_t i = 0; i < options->isa_count; i++) {
        const struct isa *isa = isa_find(options->isas[i]);
        if (isa && !machine_has(machine, isa->needs))
            return error_set(err, "this CPU (or its operating system) does not have %s; see `carmine machine`",
                             isa->label);
    }
    for (size_t i = 0; i < options->level_count; i++)
        if (levels_find(levels, options->levels[i]) < 0)
            return error_set(err, "this machine has no level %s; see `carmine machine`", options->levels[i]);
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

/* With one core "1" and "all" are the same, and a kind with four of eight cores has the same "4" and "all". */
static bool is_repeated(const unsigned *threads, size_t index, unsigned cores) {
    for (size_t before = 0; before < index; before++)
        if ((threads[before] ? threads[before] : cores) == (threads[index] ? threads[index] : cores))
            return true;
    return false;
}

bool plan_roofs(struct plan *out, const struct machine *machine, const struct levels *levels,
                const struct plan_options *options, struct error *err) {
    static const unsigned ONE_AND_ALL[] = {1, 0};
    *out = (struct plan){0};
    if (!check_choices(machine, levels, options, err))
        return false;
    const unsigned *threads = options->thread_count ? options->threads : ONE_AND_ALL;
    size_t thread_count = options->thread_count ? options->thread_count : 2;
    bool hybrid = machine->kind_count > 1, done = true;
    for (size_t t = 0; t < thread_count && done; t++) {
        for (int kind = hybrid ? 0 : TEAM_ANY_KIND; kind < (hybrid ? (int)machine->kind_count : 0) && done; kind++) {
            unsigned count = threads[t] ? threads[t] : kind_cores(machine, kind);
            if (!is_repeated(threads, t, kind_cores(machine, kind)) && !(hybrid && count > kind_cores(machine, kind)))
                done = add_placement(out, machine, &levels[hybrid ? kind : 0], options, kind, count, err);
        }
        if (hybrid && done && (threads[t] == 0 || threads[t] > 1) && !is_repeated(threads, t, machine->core_count))
            done = add_placement(out, machine, levels, options, TEAM_ANY_KIND,
                                 threads[t] ? threads[t] : machine->core_count, err);
    }
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

uint64_t plan_node_bytes(const struct plan *plan, const struct machine *machine) {
    static const uint64_t HUGE_PAGE_BYTES = 2u << 20;
    uint64_t most = HUGE_PAGE_BYTES;
    struct error ignored;
    for (size_t i = 0; i < plan->count; i++) {
        const struct plan_step *step = &plan->steps[i];
        struct team team;
        if (step->size_count == 0 || !team_choose(&team, machine, step->core_kind, step->threads, &ignored))
            continue;
        unsigned on_node = 0;
        for (unsigned t = 0; t < team.count; t++)
            on_node = team.rank_on_node[t] + 1 > on_node ? team.rank_on_node[t] + 1 : on_node;
        for (unsigned s = 0; s < step->size_count; s++) {
            uint64_t each = (step->size_bytes[s] + HUGE_PAGE_BYTES - 1) / HUGE_PAGE_BYTES * HUGE_PAGE_BYTES;
            most = each * on_node > most ? each * on_node : most;
        }
        team_free(&team);
    }
    return most;
}
