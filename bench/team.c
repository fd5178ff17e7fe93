/* SPDX-License-Identifier: BSD-3-Clause
 * Pinned OpenMP threads (see team.h). */
#include "team.h"

#include <errno.h>
#include <omp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

static void describe_cpus(struct team *team) {
    size_t length = 0;
    for (unsigned i = 0; i < team->count;) {
        unsigned first = team->cores[i]->pus[0], last = first;
        for (i++; i < team->count && team->cores[i]->pus[0] == last + 1; i++)
            last++;
        if (length + 24 > sizeof team->cpus) {
            snprintf(team->cpus + length, sizeof team->cpus - length, ",…");
            return;
        }
        length += (size_t)snprintf(team->cpus + length, sizeof team->cpus - length, first == last ? "%s%u" : "%s%u-%u",
                                   length ? "," : "", first, last);
    }
}

bool team_choose(struct team *out, const struct machine *machine, int kind, unsigned count, struct error *err) {
    *out = (struct team){.cores = calloc(count + 1, sizeof *out->cores),
                         .rank_on_node = calloc(count + 1, sizeof *out->rank_on_node)};
    unsigned *on_node = calloc(machine->node_count + 1, sizeof *on_node);
    for (unsigned i = 0; i < machine->core_count && out->count < count; i++) {
        const struct core *core = &machine->cores[i];
        if (kind != TEAM_ANY_KIND && core->kind != (unsigned)kind)
            continue;
        out->rank_on_node[out->count] = on_node[core->node]++;
        out->cores[out->count++] = core;
    }
    free(on_node);
    unsigned found = out->count;
    if (found < count || count == 0) {
        team_free(out);
        return error_set(err, "%u threads do not fit %u usable cores; ask for at most %u (one thread per core)", count,
                         found, found);
    }
    describe_cpus(out);
    return true;
}

void team_free(struct team *team) {
    free(team->cores);
    free(team->rank_on_node);
    *team = (struct team){0};
}

static bool pin(unsigned cpu) {
    size_t size = CPU_ALLOC_SIZE(cpu + 1);
    cpu_set_t *set = CPU_ALLOC(cpu + 1);
    CPU_ZERO_S(size, set);
    CPU_SET_S(cpu, size, set);
    bool done = sched_setaffinity(0, size, set) == 0;
    CPU_FREE(set);
    return done;
}

bool team_run(const struct team *team, void (*work)(unsigned thread, void *context), void *context, struct error *err) {
    unsigned pinned = 0;
    int failure = 0;
#pragma omp parallel num_threads(team->count) shared(pinned, failure)
    {
        unsigned thread = (unsigned)omp_get_thread_num();
        if (pin(team->cores[thread]->pus[0])) {
#pragma omp atomic
            pinned++;
        } else {
#pragma omp atomic write
            failure = errno;
        }
#pragma omp barrier
        if (pinned == team->count)
            work(thread, context);
    }
    if (pinned == team->count)
        return true;
    if (failure)
        return error_set(
            err, "cannot pin a thread to one of CPUs %s: %s; is the process allowed to use them (taskset -p $$)?",
            team->cpus, strerror(failure));
    return error_set(err, "OpenMP started %u of %u threads; unset OMP_THREAD_LIMIT and OMP_DYNAMIC", pinned,
                     team->count);
}

void team_barrier(void) {
#pragma omp barrier
}

unsigned team_sharing(const struct team *team, unsigned cache_index) {
    unsigned most = 1;
    for (unsigned i = 0; i < team->count; i++) {
        unsigned sharing = 0;
        for (unsigned j = 0; j < team->count; j++)
            sharing += team->cores[i]->cache_instance[cache_index] == team->cores[j]->cache_instance[cache_index];
        most = sharing > most ? sharing : most;
    }
    return most;
}
