/* SPDX-License-Identifier: BSD-3-Clause
 * The plan's places (see plan.h): which levels and how much memory the threads of a step have, which thread counts
 * there are, and how a place is written down in a sample. */
#include <stdlib.h>
#include <string.h>

#include "bench/sample/doubt.h"
#include "bench/threads/memory.h"
#include "plan.h"

static const uint64_t MEMORY_AT_LEAST_BYTES = 64u << 20;
static const uint64_t THREAD_AT_LEAST_BYTES = 2u << 20; /* each segment must hold a kernel's block, of 16 KiB at most */

struct levels plan_levels(const struct machine *machine, const struct levels *levels, int core_kind) {
    struct levels common = levels[core_kind == TEAM_ANY_KIND ? 0 : core_kind];
    for (unsigned k = 1; core_kind == TEAM_ANY_KIND && k < machine->kind_count; k++)
        for (unsigned i = 0; i + 1 < common.count; i++) {
            struct level *level = &common.level[i];
            /* Beyond the first level that a kind lacks, the threads of that kind would be in memory. */
            if (levels_find(&levels[k], level->name) != (int)i) {
                common.level[i] = common.level[common.count - 1];
                common.count = i + 1;
                break;
            }
            const struct level *other = &levels[k].level[i];
            level->detected_bytes =
                other->detected_bytes < level->detected_bytes ? other->detected_bytes : level->detected_bytes;
            level->effective_bytes =
                other->effective_bytes < level->effective_bytes ? other->effective_bytes : level->effective_bytes;
            level->judged |= other->judged;
            level->disagrees |= other->disagrees;
        }
    return common;
}

static const struct cache *last_cache(const struct machine *machine, const struct core *core) {
    const struct core_kind *kind = &machine->kinds[core->kind];
    return kind->cache_count ? &kind->caches[kind->cache_count - 1] : NULL;
}

/* All last-level caches that the team's cores have, each once, whether or not they are of one kind. */
static uint64_t last_caches_bytes(const struct machine *machine, const struct levels *levels, const struct team *team,
                                  bool quick) {
    uint64_t bytes = 0;
    for (unsigned i = 0; i < team->count; i++) {
        const struct core *core = team->cores[i];
        const struct cache *cache = last_cache(machine, core);
        bool counted = !cache;
        for (unsigned j = i; j-- > 0 && !counted;) { /* cores of one instance stand together, so this is short */
            const struct cache *other = last_cache(machine, team->cores[j]);
            counted = other && other->level == cache->level &&
                      team->caches[j][machine->kinds[team->cores[j]->kind].cache_count - 1] ==
                          team->caches[i][machine->kinds[core->kind].cache_count - 1];
        }
        const struct levels *own = &levels[core->kind];
        if (!counted && own->count > 1) {
            const struct level *level = &own->level[own->count - 2];
            const bool alike = cache->shape_count == 0; /* what the sweep found is true of the smallest alone */
            bytes += quick && level->judged && alike ? level->effective_bytes : machine_largest_cache(cache);
        }
    }
    return bytes;
}

uint64_t plan_memory_bytes(const struct machine *machine, const struct levels *levels, const struct spot *spot,
                           bool quick, struct doubts *doubts) {
    const unsigned memory_node = spot->place.memory_node;
    uint64_t total = MEMORY_AT_LEAST_BYTES;
    struct error ignored;
    struct team team;
    if (team_place(&team, machine, spot->kind, &spot->place, spot->threads, &ignored)) {
        uint64_t caches = 4 * last_caches_bytes(machine, levels, &team, quick);
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
    uint64_t each = total / spot->threads / 4096 * 4096;
    return each > THREAD_AT_LEAST_BYTES ? each : THREAD_AT_LEAST_BYTES;
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

void plan_describe(const struct plan_step *step, const struct machine *machine, const struct levels *levels,
                   struct sample *out) {
    const struct levels own = plan_levels(machine, levels, step->core_kind);
    const unsigned node = step->place.memory_node;
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
                 step->memory && node ? machine->nodes[node - 1].kind : own.level[step->level].name);
}

uint64_t plan_node_bytes(const struct plan *plan, const struct machine *machine) {
    uint64_t most = MEMORY_HUGE_PAGE_BYTES;
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
            uint64_t each =
                (step->size_bytes[s] + MEMORY_HUGE_PAGE_BYTES - 1) / MEMORY_HUGE_PAGE_BYTES * MEMORY_HUGE_PAGE_BYTES;
            most = each * on_node > most ? each * on_node : most;
        }
        team_free(&team);
    }
    return most;
}
