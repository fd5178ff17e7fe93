/* SPDX-License-Identifier: BSD-3-Clause
 * Teams of pinned OpenMP threads. */
#include "team.h"

#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "probe/error.h"
#include "probe/machine.h"
#include "probe/need.h"
#include "probe/text.h"

static void describe_cpus(struct team *team) {
    *team->cpus = '\0';
    for (unsigned i = 0; i < team->count;) {
        unsigned first = team->pus[i], last = first;
        for (i++; i < team->count && team->pus[i] == last + 1; i++)
            last++;
        if (strlen(team->cpus) + 24 > sizeof team->cpus) {
            text_append(team->cpus, sizeof team->cpus, ",…");
            return;
        }
        text_append(team->cpus, sizeof team->cpus, first == last ? "%s%u" : "%s%u-%u", *team->cpus ? "," : "", first,
                    last);
    }
}

static bool is_in(const struct core *core, int kind, const struct place *place) {
    return (kind == TEAM_ANY_KIND || core->kind == (unsigned)kind) &&
           (!place->package || core->package == place->package - 1) && (!place->node || core->node == place->node - 1);
}

static unsigned usable_pus(const struct core *core, const struct place *place) {
    return !place->smt ? 1 : core->pu_count < MACHINE_MAX_PUS ? core->pu_count : MACHINE_MAX_PUS;
}

unsigned team_capacity(const struct machine *machine, int kind, const struct place *place) {
    unsigned capacity = 0;
    for (unsigned i = 0; i < machine->core_count; i++)
        if (is_in(&machine->cores[i], kind, place))
            capacity += usable_pus(&machine->cores[i], place);
    return capacity;
}

bool team_same_place(const struct place *a, const struct place *b) {
    return a->package == b->package && a->node == b->node && a->memory_node == b->memory_node &&
           a->memory_like == b->memory_like && a->smt == b->smt;
}

bool team_choose(struct team *out, const struct machine *machine, int kind, unsigned count, struct error *err) {
    return team_place(out, machine, kind, NULL, count, err);
}

static void make_room(struct team *out, unsigned count) {
    out->cores = need_calloc(count, sizeof *out->cores);
    out->pus = need_calloc(count, sizeof *out->pus);
    out->caches = need_calloc(count, sizeof *out->caches);
    out->memory_node = need_calloc(count, sizeof *out->memory_node);
    out->rank_on_node = need_calloc(count, sizeof *out->rank_on_node);
}

/* Adds a thread on the core's p-th PU; `on_node` counts the threads of each memory node. */
static void add_thread(struct team *out, const struct core *core, unsigned p, unsigned node, unsigned *on_node) {
    const unsigned at = out->count++;
    out->cores[at] = core;
    out->pus[at] = core->pus[p];
    out->caches[at] = core->cache_instance[p];
    out->memory_node[at] = node;
    out->rank_on_node[at] = on_node[node]++;
}

/* The node of a core's buffer. */
static unsigned node_for(const struct machine *machine, const struct core *core, const struct place *place) {
    if (!place->memory_like)
        return place->memory_node ? place->memory_node - 1 : core->node;
    unsigned node = place->memory_like - 1;
    const char *kind = machine->nodes[node].kind;
    for (unsigned i = 0; i < machine->node_count; i++)
        if (strcmp(machine->nodes[i].kind, kind) == 0 && machine->nodes[i].near_node == core->node) {
            node = i;
            break;
        }
    return node;
}

bool team_place(struct team *out, const struct machine *machine, int kind, const struct place *place, unsigned count,
                struct error *err) {
    static const struct place EVERYWHERE = {0};
    place = place ? place : &EVERYWHERE;
    unsigned capacity = team_capacity(machine, kind, place);
    *out = (struct team){0};
    if (capacity < count || count == 0)
        return error_set(err, "%u threads do not fit %u usable %s; request at most %u (%s)", count, capacity,
                         place->smt ? "CPUs" : "cores", capacity,
                         place->smt ? "every CPU of each core" : "one thread per core");
    make_room(out, count);
    unsigned *on_node = need_calloc(machine->node_count + 1, sizeof *on_node);
    for (unsigned i = 0; out->count < count; i++) {
        const struct core *core = &machine->cores[i];
        if (!is_in(core, kind, place))
            continue;
        out->core_count++;
        for (unsigned p = 0; p < usable_pus(core, place) && out->count < count; p++)
            add_thread(out, core, p, node_for(machine, core, place), on_node);
    }
    out->cpu_count = count;
    free(on_node);
    describe_cpus(out);
    return true;
}

void team_make(struct team *out, const struct machine *machine, const unsigned *cores, unsigned count,
               unsigned memory_node) {
    *out = (struct team){.core_count = count, .cpu_count = count};
    make_room(out, count);
    unsigned *on_node = need_calloc(machine->node_count + 1, sizeof *on_node);
    for (unsigned i = 0; i < count; i++)
        add_thread(out, &machine->cores[cores[i]], 0, memory_node, on_node);
    free(on_node);
    describe_cpus(out);
}

static const struct place ALL_PUS = {.smt = true};

struct team_spread team_spread(const struct machine *machine, unsigned count) {
    const unsigned cpus = team_capacity(machine, TEAM_ANY_KIND, &ALL_PUS);
    return (struct team_spread){.cores = count < machine->core_count ? count : machine->core_count,
                                .cpus = count < cpus ? count : cpus};
}

bool team_crowd(struct team *out, const struct machine *machine, unsigned count, struct error *err) {
    const struct team_spread spread = team_spread(machine, count);
    *out = (struct team){0};
    if (count == 0 || count > TEAM_TURNS_MOST * spread.cpus)
        return error_set(err, "%u threads do not fit %u usable cores; request at most %u (%d on each CPU)", count,
                         machine->core_count, TEAM_TURNS_MOST * spread.cpus, TEAM_TURNS_MOST);
    make_room(out, count);
    unsigned *on_node = need_calloc(machine->node_count + 1, sizeof *on_node);
    while (out->count < count) /* one round over every PU */
        for (unsigned p = 0; p < MACHINE_MAX_PUS; p++)
            for (unsigned i = 0; i < machine->core_count && out->count < count; i++)
                if (p < usable_pus(&machine->cores[i], &ALL_PUS))
                    add_thread(out, &machine->cores[i], p, machine->cores[i].node, on_node);
    out->core_count = spread.cores;
    out->cpu_count = spread.cpus;
    free(on_node);
    describe_cpus(out);
    return true;
}

void team_free(struct team *team) {
    free(team->cores);
    free(team->pus);
    free(team->caches);
    free(team->memory_node);
    free(team->rank_on_node);
    *team = (struct team){0};
}

bool team_pin(unsigned cpu) {
    size_t size = CPU_ALLOC_SIZE(cpu + 1);
    cpu_set_t *set = need_made(CPU_ALLOC(cpu + 1));
    CPU_ZERO_S(size, set);
    CPU_SET_S(cpu, size, set);
    bool done = sched_setaffinity(0, size, set) == 0;
    CPU_FREE(set);
    return done;
}

enum { MAX_CPUS = 8192 }; /* the kernel's upper limit */

struct team_cpus {
    cpu_set_t *set;
};

struct team_cpus *team_cpus_save(void) {
    struct team_cpus *cpus = need_calloc(1, sizeof *cpus);
    cpus->set = need_made(CPU_ALLOC(MAX_CPUS));
    if (sched_getaffinity(0, CPU_ALLOC_SIZE(MAX_CPUS), cpus->set) == 0)
        return cpus;
    CPU_FREE(cpus->set);
    free(cpus);
    return NULL;
}

void team_cpus_restore(const struct team_cpus *cpus) {
    if (cpus)
        sched_setaffinity(0, CPU_ALLOC_SIZE(MAX_CPUS), cpus->set);
}

void team_cpus_free(struct team_cpus *cpus) {
    if (cpus)
        CPU_FREE(cpus->set);
    free(cpus);
}

static void *wait_at(void *gate) {
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* Threads of the last team still exist, and a number that started once can start again. */
unsigned team_startable(unsigned wanted) {
    static unsigned started = 1, last = 1;
    const unsigned there = last;
    unsigned count = 0;
    last = wanted;
    if (wanted <= started)
        return wanted;
    pthread_t *threads = need_calloc(wanted, sizeof *threads);
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&gate); /* holds the threads until all have started */
    while (there + count < wanted && pthread_create(&threads[count], NULL, wait_at, &gate) == 0)
        count++;
    pthread_mutex_unlock(&gate);
    for (unsigned i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    started = last = there + count;
    return started;
}

bool team_can_start(const struct team *team, struct error *err) {
    const unsigned startable = team_startable(team->count);
    return startable >= team->count ||
           error_set(err,
                     "the system lets only %u of %u threads start, one on each CPU: raise `ulimit -u` (or the "
                     "control group's pids.max, or `ulimit -v`), or give carmine fewer CPUs (taskset -c 0 …)",
                     startable, team->count);
}

bool team_run(const struct team *team, void (*work)(unsigned thread, void *context), void *context, struct error *err) {
    unsigned pinned = 0;
    int failure = 0;
    if (!team_can_start(team, err))
        return false;
#pragma omp parallel num_threads(team->count) shared(pinned, failure)
    {
        unsigned thread = (unsigned)omp_get_thread_num();
        if (team_pin(team->pus[thread])) {
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

/* The instance of a thread's cache that is the `index[kind]`-th of its kind of core. */
static unsigned instance_of(const struct team *team, unsigned thread, const unsigned *index) {
    const unsigned at = index[team->cores[thread]->kind];
    return at == MACHINE_NO_INSTANCE ? MACHINE_NO_INSTANCE : team->caches[thread][at];
}

unsigned team_sharing(const struct team *team, const struct machine *machine, const char *level) {
    unsigned most = 1, index[MACHINE_MAX_KINDS];
    for (unsigned k = 0; k < machine->kind_count; k++)
        index[k] = machine_cache_index(&machine->kinds[k], level);
    for (unsigned i = 0; i < team->count; i++) {
        const unsigned own = instance_of(team, i, index);
        unsigned sharing = 0;
        for (unsigned j = 0; j < team->count; j++)
            sharing += own != MACHINE_NO_INSTANCE && own == instance_of(team, j, index);
        most = sharing > most ? sharing : most;
    }
    return most;
}
