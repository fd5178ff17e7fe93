/* SPDX-License-Identifier: BSD-3-Clause
 * Pinned OpenMP threads: one per core, each on the first PU of its core that this process may use. */
#ifndef BENCH_TEAM_H
#define BENCH_TEAM_H

#include <stdbool.h>
#include <stdint.h>

#include "../probe/error.h"
#include "../probe/machine.h"

enum { TEAM_ANY_KIND = -1 };

struct team {
    unsigned count;
    const struct core **cores; /* cores[i] is where thread i runs */
    unsigned *rank_on_node;    /* thread i is the rank-th of those whose core is nearest to the same node */
    char cpus[64];             /* "0-3,8": for people; ends in "…" when it would be longer */
};

/* The first `count` cores of a kind (or of any) in the machine's order. Error: there are not so many. */
bool team_choose(struct team *out, const struct machine *machine, int kind, unsigned count, struct error *err);
void team_free(struct team *team);

/* Calls work(thread, context) on every thread at once, each pinned. Error: a thread could not be pinned, or OpenMP gave
 * fewer threads; then work was not called on any. */
bool team_run(const struct team *team, void (*work)(unsigned thread, void *context), void *context, struct error *err);

/* All threads of the team wait for each other; call it from within `work` only. */
void team_barrier(void);

/* The most threads of the team that share one instance of the core's caches[index]. */
unsigned team_sharing(const struct team *team, unsigned cache_index);

#endif
