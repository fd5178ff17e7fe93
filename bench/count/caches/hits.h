/* SPDX-License-Identifier: BSD-3-Clause
 * Groups of a record whose lines are simulated → accesses of the simulated caches. */
#ifndef BENCH_COUNT_HITS_H
#define BENCH_COUNT_HITS_H

#include "seen.h"

/* What one record is: the values of registers, in the order of the plan. */
struct reading {
    struct levels_core *core;
    const struct record_plan *plan;
    const uint64_t *words; /* behind the header */
    uint32_t executed;
};

/* The first line that is sampled, from this one on. */
static inline uint64_t sampled_from(uint64_t line) {
    const unsigned class = line % SAMPLING_CLASSES;
    return line + (unsigned)__builtin_ctzll(seen.sampling.classes >> class |
                                            (class ? seen.sampling.classes << (SAMPLING_CLASSES - class) : 0));
}

/* A group of a record has lines that are simulated, or has to be looked at by itself. */
static inline void note_hit(const struct reading *reading, uint16_t index, uint64_t base) {
    struct levels_core *core = reading->core;
    const struct record_group *group = record_group(reading->plan->first_group + index);
    const bool whole = reading->executed == reading->plan->instructions;
    core->bases[index] = base;
    core->hit_groups[core->hit_count++] = index;
    core->together = core->together && !group->alone && (group->step > 0 || (group->dense && whole));
}

/* What the groups that were noted access, which are none then. */
void hits_take(const struct reading *reading);

/* Simulates all that was taken. */
void hits_simulate(struct levels_core *core);

#endif
