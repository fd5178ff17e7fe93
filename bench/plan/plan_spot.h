/* SPDX-License-Identifier: BSD-3-Clause
 * One spot of the machine and all that is measured there. Private to the plan (plan*.c). */
#ifndef BENCH_PLAN_SPOT_H
#define BENCH_PLAN_SPOT_H

#include "asm/kernel.h"
#include "plan.h"

/* What a plan is made from. */
struct plan_basis {
    const struct machine *machine;
    const struct levels *levels; /* one entry per core kind */
    const struct plan_options *options;
};

/* How much of everything is measured there. */
enum extent {
    EXTENT_ALL,
    EXTENT_WIDEST, /* the widest ISA with the quick operations: the part of a machine */
    EXTENT_MEMORY, /* the widest ISA in memory alone: another kind of memory */
    EXTENT_CELL,   /* loads and the chase in memory alone: from node to node */
};

/* Adds the compute ceilings and memory roofs of one spot, none twice. Error: the spot has not so many cores. */
bool plan_spot(struct plan *plan, const struct plan_basis *basis, const struct spot *spot, enum extent extent,
               struct error *err);

/* Only to foretell how long a step lasts: the speed of a pass over L3 or memory, and what starting together, settling
 * and reading the clock add to a step's own time, and to that of a search for code. */
#define PLAN_GUESSED_BYTES_PER_S 15e9
#define PLAN_OVERHEAD            1.15
#define PLAN_SEARCH_OVERHEAD     1.3

/* Adds a step of nothing but that: what is measured, where. `level`: PLAN_REGISTERS, or an index into the levels. */
struct plan_step *plan_add_step(struct plan *plan, const char *kernel, int level, const struct spot *spot);

/* NULL: the machine cannot execute it, or there is none. */
const struct kernel *plan_find_kernel(const struct machine *machine, const char *name);

/* How long one repetition shall last, where a pass is shorter. */
#define PLAN_REPETITION_S 200e-6

/* Of single lines in a shared cache: so short that its other users evict hardly any line meanwhile. */
#define PLAN_STRETCH_S 50e-6

/* What follows from the step's level: its kind, whether that is memory, whether the clock paces it, how long a
 * repetition is. */
void plan_pace(struct plan_step *step, const struct kernel *kernel, const struct levels *levels);

/* Sets how long a step will take; and the sum over a plan. */
void plan_estimate(struct plan_step *step);
double plan_total(const struct plan *plan);

/* Whether a name is among the choices; with no choices any is. */
bool plan_chosen(const char *name, const char *const *choices, size_t count);

#endif
