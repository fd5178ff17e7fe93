/* SPDX-License-Identifier: BSD-3-Clause
 * Sizes, repetitions and times of a plan's steps, and their places in a sample; and the steps of a sweep. plan.c
 * decides which steps a plan has. */
#include "campaign_thresholds.h"
#include "doubt.h"
#include "memory.h"
#include "plan.h"
#include "team.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probe/error.h"
#include "probe/machine.h"
#include "probe/need.h"

static const uint64_t MEMORY_AT_LEAST_BYTES = 64u << 20;
static const uint64_t THREAD_AT_LEAST_BYTES = 2u << 20; /* each segment must hold a kernel's block (at most 16 KiB) */
static const double REPETITION_S = 200e-6;              /* if a pass is shorter */
static const double STRETCH_S =
    50e-6; /* single lines in a shared cache: short enough that other users evict few of them */
static const double SEARCH_S = 3e-3;
static const struct campaign_thresholds *const THRESHOLD = &campaign_thresholds;
enum {
    GRAIN_BYTES = 4096, /* sizes are multiples of it: of any line, and of most kernels' blocks */
    REPETITIONS = 100,
    QUICK_REPETITIONS = 50,
    SLOW_REPETITIONS = 40,
    SWEEP_REPETITIONS = 16,
    SIZES = 3,
    SEGMENTS = 64,
    LEAST_SEGMENTS = 16
};
/* A segment of memory takes 20 µs or more, on a core that reads 50 GB/s. */
static const uint64_t SEGMENT_BYTES = 1 << 20;

struct plan_step *plan_append(struct plan *plan, const struct plan_step *step) {
    if (plan->count == plan->capacity) {
        plan->capacity = plan->capacity ? 2 * plan->capacity : 64;
        plan->steps = need_realloc(plan->steps, plan->capacity * sizeof *plan->steps);
    }
    plan->steps[plan->count] = *step;
    return &plan->steps[plan->count++];
}

void plan_free(struct plan *plan) {
    free(plan->steps);
    *plan = (struct plan){0};
}

const struct kernel *plan_find_kernel(const struct machine *machine, const char *name) {
    const struct kernel *const *kernel = kernel_find(name, NULL);
    return kernel && machine_has(machine, (*kernel)->needs) ? *kernel : NULL;
}

/* A level of two kinds of cores, with the smaller size. */
static struct level level_of_both(const struct level *a, const struct level *b) {
    struct level both = *a;
    both.detected_bytes = b->detected_bytes < a->detected_bytes ? b->detected_bytes : a->detected_bytes;
    both.effective_bytes = b->effective_bytes < a->effective_bytes ? b->effective_bytes : a->effective_bytes;
    both.judged |= b->judged;
    both.disagrees |= b->disagrees;
    return both;
}

/* The levels that both kinds of cores have, and the memory. */
static struct levels levels_of_both(const struct levels *a, const struct levels *b) {
    struct levels out = {0};
    uint64_t skipped_bytes = 0;
    for (unsigned i = 0; i + 1 < a->count; i++) {
        const int at = levels_find(b, a->level[i].name);
        if (at < 0) {
            skipped_bytes = a->level[i].effective_bytes;
            continue;
        }
        struct level *level = &out.level[out.count++];
        const bool b_skips = at > 0 && levels_find(a, b->level[at - 1].name) < 0;
        const uint64_t b_skipped_bytes = b_skips ? b->level[at - 1].effective_bytes : 0;
        *level = level_of_both(&a->level[i], &b->level[at]);
        skipped_bytes = b_skipped_bytes > skipped_bytes ? b_skipped_bytes : skipped_bytes;
        level->inner_bytes = skipped_bytes > level->inner_bytes ? skipped_bytes : level->inner_bytes;
        skipped_bytes = 0;
    }
    out.level[out.count++] = a->level[a->count - 1];
    return out;
}

struct levels plan_levels(const struct machine *machine, const struct levels *levels, int core_kind) {
    struct levels common = levels[core_kind == TEAM_ANY_KIND ? 0 : core_kind];
    for (unsigned k = 1; core_kind == TEAM_ANY_KIND && k < machine->kind_count; k++)
        common = levels_of_both(&common, &levels[k]);
    return common;
}

static const struct cache *last_cache(const struct machine *machine, const struct core *core) {
    const struct core_kind *kind = &machine->kinds[core->kind];
    return kind->cache_count ? &kind->caches[kind->cache_count - 1] : NULL;
}

/* Sum of all last-level caches of the team's cores, each instance once, of all kinds. */
static uint64_t plan_steps_last_caches_bytes(const struct machine *machine, const struct levels *levels,
                                             const struct team *team, bool quick) {
    uint64_t bytes = 0;
    for (unsigned i = 0; i < team->count; i++) {
        const struct core *core = team->cores[i];
        const struct cache *cache = last_cache(machine, core);
        bool counted = !cache;
        for (unsigned j = i; j-- > 0 && !counted;) { /* cores of one instance are adjacent, so this loop is short */
            const struct cache *other = last_cache(machine, team->cores[j]);
            counted = other && other->level == cache->level &&
                      team->caches[j][machine->kinds[team->cores[j]->kind].cache_count - 1] ==
                          team->caches[i][machine->kinds[core->kind].cache_count - 1];
        }
        const struct levels *own = &levels[core->kind];
        if (!counted && own->count > 1) {
            const struct level *level = &own->level[own->count - 2];
            const bool alike = cache->shape_count == 0; /* otherwise the sweep is right only for the smallest */
            bytes += quick && level->judged && alike ? level->effective_bytes : machine_largest_cache(cache);
        }
    }
    return bytes;
}

uint64_t plan_memory_bytes(const struct machine *machine, const struct levels *levels, const struct spot *spot,
                           bool quick, struct doubts *doubts) {
    const unsigned memory_node = spot->place.memory_like ? spot->place.memory_like : spot->place.memory_node;
    uint64_t total = MEMORY_AT_LEAST_BYTES;
    struct error ignored;
    struct team team;
    if (team_place(&team, machine, spot->kind, &spot->place, spot->threads, &ignored)) {
        uint64_t caches = 4 * plan_steps_last_caches_bytes(machine, levels, &team, quick);
        total = caches > total ? caches : total;
        team_free(&team);
    }
    uint64_t free_bytes = machine->recorded ? 0 : machine->memory_available_bytes / 2;
    uint64_t node_bytes = memory_node ? machine->nodes[memory_node - 1].memory_bytes / 2 : free_bytes;
    if (node_bytes > 0 && (free_bytes == 0 || node_bytes < free_bytes))
        free_bytes = node_bytes;
    if (free_bytes > 0 && total > free_bytes) {
        total = free_bytes;
        doubts_add(doubts, DOUBT_SMALL_BUFFER);
    }
    uint64_t each = total / spot->threads / GRAIN_BYTES * GRAIN_BYTES;
    return each > THREAD_AT_LEAST_BYTES ? each : THREAD_AT_LEAST_BYTES;
}

static double pass_s(uint64_t bytes) {
    return (double)bytes / THRESHOLD->pass_bytes_per_s.value;
}

static void estimate(struct plan_step *step) {
    size_t variants = 1;
    kernel_find(step->kernel, &variants);
    step->expected_s = variants > 1 ? (double)variants * step->search_s * THRESHOLD->search_overhead.value : 0;
    if (step->size_count == 0)
        step->expected_s += step->repetitions * step->repetition_s * THRESHOLD->visit_overhead.value;
    for (unsigned i = 0; i < step->size_count; i++) {
        double pass = step->memory ? step->repetition_s : fmax(step->repetition_s, pass_s(step->size_bytes[i]));
        step->expected_s += step->repetitions * pass * THRESHOLD->visit_overhead.value;
    }
}

static double total_s(const struct plan *plan) {
    double seconds = 0;
    for (size_t i = 0; i < plan->count; i++)
        seconds += plan->steps[i].expected_s;
    return seconds;
}

/* Sizes of a level, from low to high by equal ratios. Sizes beyond eight times the low end add no information. */
static void plan_steps_choose_sizes(struct plan_step *step, struct window window, unsigned line_bytes) {
    /* An odd topology may leave less than a line to a thread. */
    double low = fmax((double)window.low_bytes, line_bytes), high = fmin(fmax((double)window.high_bytes, low), 8 * low);
    unsigned wanted = high < THRESHOLD->narrow_window.value * low ? 1 : SIZES, found = 0;
    for (unsigned i = 0; i < wanted; i++) {
        double at = wanted == 1 ? 0.5 : (double)i / (wanted - 1);
        double bytes = low * pow(high / low, at);
        const unsigned grain = bytes < GRAIN_BYTES ? line_bytes : GRAIN_BYTES;
        const uint64_t rounded = (uint64_t)bytes / grain * grain;
        if (found == 0 || rounded > step->size_bytes[found - 1]) /* a narrow window has fewer sizes, none twice */
            step->size_bytes[found++] = rounded;
    }
    step->middle_size = found / 2;
    const double larger[] = {THRESHOLD->larger.value, THRESHOLD->largest.value}; /* of a private cache beyond L1 */
    for (size_t i = 0; i < sizeof larger / sizeof *larger && found == SIZES + i && step->paced && step->level > 0; i++)
        step->size_bytes[found++] = (uint64_t)(larger[i] * (double)window.high_bytes) / GRAIN_BYTES * GRAIN_BYTES;
    step->size_count = found;
    doubts_join(&step->doubts, window.doubts);
}

/* Sets the properties that follow from the level: kind, memory, paced, length of a repetition. */
static void pace(struct plan_step *step, const struct levels *levels) {
    const struct kernel *kernel = *kernel_find(step->kernel, NULL);
    const bool single_lines = kernel->kind == KERNEL_CHASE || kernel->kind == KERNEL_RANDOM;
    step->kind = kernel->kind == KERNEL_CHASE ? SAMPLE_LATENCY : SAMPLE_BANDWIDTH;
    step->memory = step->level == (int)levels->count - 1;
    step->paced = !step->memory && levels_is_paced(levels->level[step->level].name);
    step->inner_bytes = 0;
    if (single_lines && step->level > 0 && !step->memory && !step->paced)
        step->inner_bytes = levels->level[step->level - 1].effective_bytes;
    step->repetition_s = step->inner_bytes > 0 ? STRETCH_S : REPETITION_S;
}

/* For a ceiling: nothing is loaded. */
static void size_registers(struct plan_step *step, bool quick) {
    step->kind = SAMPLE_COMPUTE;
    step->paced = levels_is_paced("");
    step->repetitions = quick ? QUICK_REPETITIONS : REPETITIONS;
    step->repetition_s = REPETITION_S;
}

/* For memory: read once, in segments. */
static void size_memory(struct plan_step *step, const struct machine *machine, const struct levels *levels,
                        bool quick) {
    const struct spot spot = {step->core_kind, step->place, step->threads, step->small_pages};
    step->size_count = 1;
    step->size_bytes[0] = plan_memory_bytes(machine, levels, &spot, quick, &step->doubts);
    doubts_add_if(&step->doubts, step->level == 0, DOUBT_CACHES_UNKNOWN);
    /* The second set of buffers, beside the huge pages, must not fill the memory. */
    if (step->small_pages && !machine->recorded &&
        step->size_bytes[0] * step->threads > machine->memory_available_bytes / 4)
        step->size_bytes[0] = machine->memory_available_bytes / 4 / step->threads / GRAIN_BYTES * GRAIN_BYTES;
    const uint64_t segments = step->size_bytes[0] / SEGMENT_BYTES;
    step->repetitions = segments > SEGMENTS         ? SEGMENTS
                        : segments < LEAST_SEGMENTS ? LEAST_SEGMENTS
                                                    : (unsigned)segments;
    if (step->kind == SAMPLE_LATENCY) /* must not return to its own warm lines, so it stays short */
        step->search_s = 0;
    else
        step->repetition_s = pass_s(step->size_bytes[0] / step->repetitions);
}

/* For a cache level: several sizes, with the number of team threads that share an instance. */
static void size_cache(struct plan_step *step, const struct machine *machine, const struct levels *own, bool quick) {
    const unsigned level = (unsigned)step->level;
    struct team team;
    struct error ignored;
    const bool placed = team_place(&team, machine, step->core_kind, &step->place, step->threads, &ignored);
    assert(placed);
    (void)placed;
    unsigned sharing[MACHINE_MAX_LEVELS];
    for (unsigned i = 0; i + 1 < own->count; i++)
        sharing[i] = team_sharing(&team, machine, own->level[i].name);
    const unsigned per_core = (team.count + team.core_count - 1) / team.core_count;
    team_free(&team);
    plan_steps_choose_sizes(step, levels_window(own, level, sharing), machine_line_bytes(machine));
    bool slow = pass_s(step->size_bytes[0]) > REPETITION_S;
    step->repetitions = slow ? SLOW_REPETITIONS : quick ? QUICK_REPETITIONS : REPETITIONS;
    const struct core_kind *kind = &machine->kinds[step->core_kind == TEAM_ANY_KIND ? 0 : step->core_kind];
    const struct cache *cache = &kind->caches[machine_cache_index(kind, own->level[level].name)];
    bool others = cache->sharing_core_count > sharing[level] / per_core;
    doubts_add_if(&step->doubts, others && step->threads > 1, DOUBT_SHARED_CACHE);
}

void plan_size(struct plan *plan, const struct machine *machine, const struct levels *levels, bool quick) {
    for (size_t i = 0; i < plan->count; i++) {
        struct plan_step *step = &plan->steps[i];
        step->doubts = NO_DOUBTS;
        step->size_count = step->middle_size = 0;
        step->search_s = quick ? SEARCH_S / 3 : SEARCH_S;
        if (step->level == PLAN_REGISTERS) {
            size_registers(step, quick);
        } else {
            const struct levels own = plan_levels(machine, levels, step->core_kind);
            pace(step, &own);
            if (step->memory)
                size_memory(step, machine, levels, quick);
            else
                size_cache(step, machine, &own, quick);
        }
        estimate(step);
    }
    plan->expected_s = total_s(plan);
}

/* The innermost level that holds `bytes`, or the memory. */
static int plan_steps_level_of(const struct levels *levels, uint64_t bytes) {
    for (unsigned l = 0; l + 1 < levels->count; l++)
        if (bytes <= levels->level[l].effective_bytes)
            return (int)l;
    return (int)levels->count - 1;
}

static void add_size(struct plan *plan, const struct kernel *kernel, const struct levels *levels,
                     const struct spot *spot, uint64_t size_bytes) {
    const int level = plan_steps_level_of(levels, size_bytes);
    struct plan_step *step = plan_append(plan, &(struct plan_step){.level = level,
                                                                   .core_kind = spot->kind,
                                                                   .place = spot->place,
                                                                   .threads = spot->threads,
                                                                   .size_count = 1,
                                                                   .size_bytes = {size_bytes},
                                                                   .repetitions = SWEEP_REPETITIONS});
    snprintf(step->kernel, sizeof step->kernel, "%s", kernel->name);
    pace(step, levels);
    estimate(step);
}

bool plan_sweep(struct plan *out, const struct machine *machine, const struct levels *levels,
                const struct plan_options *options, const struct plan_curve *curve, struct error *err) {
    struct spot spot = {.kind = options->only_kind ? (int)options->only_kind - 1 : TEAM_ANY_KIND,
                        .threads = curve->threads};
    const struct levels own = plan_levels(machine, levels, spot.kind);
    const struct kernel *kernel = curve->kernel ? plan_find_kernel(machine, curve->kernel) : NULL;
    struct doubts doubts = NO_DOUBTS;
    *out = (struct plan){0};
    if (!kernel)
        return error_set(err, "no kernel %s that this machine can execute; see `carmine kernels`",
                         curve->kernel ? curve->kernel : "");
    uint64_t largest = plan_memory_bytes(machine, levels, &spot, options->quick, &doubts);
    if (options->quick && largest > 512u << 20)
        largest = 512u << 20;
    spot.place.smt = options->smt;
    double octaves = log2((double)largest / (double)GRAIN_BYTES);
    unsigned last = (unsigned)ceil(octaves * curve->per_octave);
    for (unsigned i = 0; i <= last; i++) {
        double bytes = i == last ? (double)largest : (double)GRAIN_BYTES * exp2((double)i / curve->per_octave);
        uint64_t size_bytes = (uint64_t)bytes / GRAIN_BYTES * GRAIN_BYTES;
        if (out->count == 0 || out->steps[out->count - 1].size_bytes[0] != size_bytes)
            add_size(out, kernel, &own, &spot, size_bytes); /* small sizes are few pages apart: none twice */
    }
    out->expected_s = total_s(out);
    return true;
}

void plan_describe(const struct plan_step *step, const struct machine *machine, const struct levels *levels,
                   struct sample *out) {
    const struct levels own = plan_levels(machine, levels, step->core_kind);
    const unsigned node = step->place.memory_node, like = step->place.memory_like ? step->place.memory_like : node;
    out->kind = step->kind;
    out->threads = step->threads;
    out->small_pages = step->small_pages;
    if (step->core_kind != TEAM_ANY_KIND)
        snprintf(out->core_kind, sizeof out->core_kind, "%s", machine->kinds[step->core_kind].name);
    out->package = step->place.package;
    out->node = step->place.node ? machine->nodes[step->place.node - 1].os_index + 1 : 0;
    out->memory_node = node ? machine->nodes[node - 1].os_index + 1 : 0;
    struct team team;
    struct error ignored;
    if (step->place.smt && team_place(&team, machine, step->core_kind, &step->place, step->threads, &ignored)) {
        out->cores = team.core_count < team.count ? team.core_count : 0;
        team_free(&team);
    }
    if (step->level >= 0)
        snprintf(out->level, sizeof out->level, "%s",
                 step->memory && like ? machine->nodes[like - 1].kind : own.level[step->level].name);
}

uint64_t plan_node_bytes(const struct plan *plan, const struct machine *machine) {
    uint64_t most = MEMORY_UNIT_BYTES;
    struct error ignored;
    for (size_t i = 0; i < plan->count; i++) {
        const struct plan_step *step = &plan->steps[i];
        struct team team;
        if (step->size_count == 0 ||
            !team_place(&team, machine, step->core_kind, &step->place, step->threads, &ignored))
            continue;
        unsigned on_node = 0;
        for (unsigned t = 0; t < team.count; t++)
            on_node = team.rank_on_node[t] + 1 > on_node ? team.rank_on_node[t] + 1 : on_node;
        for (unsigned s = 0; s < step->size_count; s++) {
            uint64_t each = memory_round_up(step->size_bytes[s]);
            most = each * on_node > most ? each * on_node : most;
        }
        team_free(&team);
    }
    return most;
}
