/* SPDX-License-Identifier: BSD-3-Clause
 * Pinned OpenMP threads: one per core, each on the first PU of its core that this process may use; or, with SMT, on
 * every PU of a core before the next core is used. */
#ifndef BENCH_KERNELS_TEAM_H
#define BENCH_KERNELS_TEAM_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/error.h"
#include "probe/machine.h"

enum { TEAM_ANY_KIND = -1 };

/* A part of the machine: which cores, and which memory. Numbers are 1 + index, so that zero says nothing. */
struct place {
    unsigned package;     /* cores of this package only */
    unsigned node;        /* cores nearest to this memory node only */
    unsigned memory_node; /* all buffers lie there; 0: each thread's on the node nearest to its core */
    bool smt;             /* every allowed PU of a core before the next core */
};

struct team {
    unsigned count;
    const struct core **cores; /* cores[i] is where thread i runs */
    unsigned *pus;             /* on this PU, by its OS index */
    const unsigned **caches;   /* with caches[i][level] as its instances of its kind's caches */
    unsigned *memory_node;     /* index of the node that thread i's buffer lies on */
    unsigned *rank_on_node;    /* thread i is the rank-th of those whose buffers lie on the same node */
    unsigned core_count;       /* as many as threads, but for SMT */
    unsigned cpu_count;        /* as many as threads, but where these take turns */
    char cpus[64];             /* "0-3,8": for people; ends in "…" when it would be longer */
};

/* The first `count` cores of a kind (or of any) in the machine's order. Error: there are not so many. */
bool team_choose(struct team *out, const struct machine *machine, int kind, unsigned count, struct error *err);

/* The same within a place (NULL: the whole machine). Error: the place has not so many cores, or with SMT PUs. */
bool team_place(struct team *out, const struct machine *machine, int kind, const struct place *place, unsigned count,
                struct error *err);

/* Any number of threads over the whole machine: one on each core; beyond these on the cores' other PUs; beyond these
 * they take turns on the PUs, TEAM_TURNS_MOST at most. Error: there are more, or none. */
enum { TEAM_TURNS_MOST = 64 };
bool team_crowd(struct team *out, const struct machine *machine, unsigned count, struct error *err);

/* The different cores and PUs that so many threads of team_crowd() run on. */
struct team_spread {
    unsigned cores, cpus;
};
struct team_spread team_spread(const struct machine *machine, unsigned count);

/* How many threads fit a place: its cores, or with SMT their PUs. */
unsigned team_capacity(const struct machine *machine, int kind, const struct place *place);

bool team_same_place(const struct place *a, const struct place *b);
void team_free(struct team *team);

/* How many of `wanted` threads the system lets this process run at once, itself among them; at least 1. OpenMP asks
 * nobody, and ends the program where there are fewer. */
unsigned team_startable(unsigned wanted);

/* Calls work(thread, context) on every thread at once, each pinned. Error: there are not so many threads, or one could
 * not be pinned; then work was not called on any. */
bool team_run(const struct team *team, void (*work)(unsigned thread, void *context), void *context, struct error *err);

/* From now on the calling thread runs on this CPU alone. False: it may not. */
bool team_pin(unsigned cpu);

/* The CPUs that the calling thread may use: to be given back to it once no more teams run, which pin it. NULL: the
 * system does not tell. */
struct team_cpus;
struct team_cpus *team_cpus_save(void);
void team_cpus_restore(const struct team_cpus *cpus);
void team_cpus_free(struct team_cpus *cpus);

/* All threads of the team wait for each other; call it from within `work` only. */
void team_barrier(void);

/* The most threads of the team that share one instance of their cores' caches[index]. */
unsigned team_sharing(const struct team *team, unsigned cache_index);

#endif
