/* SPDX-License-Identifier: BSD-3-Clause
 * Whether cores that share a cache by the topology share it now: then a line soon comes from one to the other. A host
 * may move the CPUs of a virtual machine to cores with caches of their own, for seconds. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

struct clock;
struct error;
struct team;

/* The longest hand-over of a line between two neighbours of the team that share the cache (index, from the innermost)
 * and no core, all pairs at once; of each pair's trips the shortest counts. 0: no two share it, or threads take turns
 * on CPUs. Error: as team_run(). */
bool together_time(const struct clock *clock, const struct team *team, unsigned cache_index, double *handover_s,
                   struct error *err);

/* Trips there and back: `least` of them if a step of the tick takes `step_ns` or less, else as many times more. */
unsigned together_trips(const struct clock *clock, unsigned least, unsigned step_ns);

/* One side of a hand-over: waits for the number, and stores the next one. */
void together_answer(atomic_uint *line, unsigned expected);

/* A hand-over that takes so long beside the shortest one of the same cores, or beside the latency of the cache that
 * they should share. What is 0 is unknown. */
bool together_is_apart(double handover_s, double least_s, double latency_s);
