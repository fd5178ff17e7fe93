/* SPDX-License-Identifier: BSD-3-Clause
 * Pinned OpenMP threads: one per core, on the first PU of the core that this process may use; with SMT, on every PU of
 * a core before the next core. */
#pragma once

#include <stdbool.h>

struct core;
struct error;
struct machine;
struct memory_node;

enum { TEAM_ANY_KIND = -1 };

/* Data of two threads so far apart shares no cache line: of 256 bytes (A64FX), or two of 64 or 128 fetched together. */
enum { TEAM_APART_BYTES = 256 };

/* A part of the machine: its cores and its memory. Numbers are 1 + index; 0: no restriction. */
struct place {
    unsigned package;     /* only cores of this package */
    unsigned node;        /* only cores nearest to this memory node */
    unsigned memory_node; /* all buffers lie there; 0: on the node nearest to each thread's core */
    unsigned memory_like; /* buffers lie on the nearest node of this one's kind: each core in its own HBM */
    bool smt;             /* every allowed PU of a core before the next core */
};

struct team {
    unsigned count;
    const struct core **cores; /* cores[i] is where thread i runs */
    unsigned *pus;             /* OS index of thread i's PU */
    const unsigned **caches;   /* caches[i][level]: the instances of the caches that thread i uses */
    unsigned *memory_node;     /* index of the node of thread i's buffer */
    unsigned *rank_on_node;    /* rank of thread i among the threads whose buffers lie on the same node */
    unsigned core_count;       /* used cores: as many as threads, except with SMT */
    unsigned cpu_count;        /* used PUs: as many as threads, unless threads take turns */
    char cpus[64];             /* "0-3,8", for display; ends in "…" if cut */
};

/* The first `count` cores of a kind (or of any) in the machine's order. Error: too few cores. */
bool team_choose(struct team *out, const struct machine *machine, int kind, unsigned count, struct error *err);

/* One thread on each of these cores (indices into the machine's), with all memory on one node (index). */
void team_make(struct team *out, const struct machine *machine, const unsigned *cores, unsigned count,
               unsigned memory_node);

/* The same within a place (NULL: the whole machine). Error: the place has too few cores, or PUs with SMT. */
bool team_place(struct team *out, const struct machine *machine, int kind, const struct place *place, unsigned count,
                struct error *err);

/* Any number of threads over the whole machine: first one per core, then on the cores' other PUs, then in turns on the
 * PUs, at most TEAM_TURNS_MOST. Error: too many threads, or none. */
enum { TEAM_TURNS_MOST = 64 };
bool team_crowd(struct team *out, const struct machine *machine, unsigned count, struct error *err);

/* The number of different cores and PUs that team_crowd() uses for so many threads. */
struct team_spread {
    unsigned cores, cpus;
};
struct team_spread team_spread(const struct machine *machine, unsigned count);

/* The number of threads that fit a place: its cores, or with SMT its PUs. */
unsigned team_capacity(const struct machine *machine, int kind, const struct place *place);

bool team_same_place(const struct place *a, const struct place *b);
void team_free(struct team *team);

/* How many of `wanted` threads the system lets this process run at once, including the caller; at least 1. OpenMP does
 * not check this, and ends the program if there are fewer. */
unsigned team_startable(unsigned wanted);
bool team_can_start(const struct team *team, struct error *err);

/* Calls work(thread, context) on every thread at once, each pinned. Error: too few threads, or one could not be pinned;
 * then work was not called. */
bool team_run(const struct team *team, void (*work)(unsigned thread, void *context), void *context, struct error *err);

/* Pins the calling thread to this CPU. False: not allowed. */
bool team_pin(unsigned cpu);

/* The CPUs that the calling thread may use, to be restored after the last team, which pins the thread. NULL: the system
 * does not report them. */
struct team_cpus;
struct team_cpus *team_cpus_save(void);
void team_cpus_restore(const struct team_cpus *cpus);
void team_cpus_free(struct team_cpus *cpus);

/* Waits until all threads of the team have arrived; only from within `work`. */
void team_barrier(void);

/* The largest number of the team's threads that share one instance of the level of this name. */
unsigned team_sharing(const struct team *team, const struct machine *machine, const char *level);
