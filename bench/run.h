/* SPDX-License-Identifier: BSD-3-Clause
 * One step of a plan → one sample: the variants searched, the sizes tried, the repetitions timed with the clock read
 * after each. */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include <signal.h>

#include "../asm/kernel.h"
#include "../probe/clock.h"
#include "../probe/error.h"
#include "../probe/machine.h"
#include "levels.h"
#include "memory.h"
#include "plan.h"
#include "sample.h"

struct bench {
    const struct machine *machine;
    const struct levels *levels; /* one per core kind */
    struct clock clock;
    struct memory memory;
    struct memory small_memory; /* for steps in 4 KiB pages */
    enum sample_statistic statistic;
    bool huge_pages;
    const volatile sig_atomic_t *stop; /* set by a signal: measuring ends at the next repetition. May be NULL */
};

/* Reads the clock and reserves buffers for the largest step of the plan. Error: no clock, no address space, a machine
 * that is only recorded. */
bool bench_open(struct bench *out, const struct machine *machine, uint64_t node_bytes, bool huge_pages,
                struct error *err);
void bench_close(struct bench *bench);

/* What a step's search came to: the variant, and the working set of one thread. */
struct bench_choice {
    const struct kernel *kernel; /* NULL: to be searched */
    uint64_t bytes;
};

/* Measures the step; a choice that is made already is measured as it is, else it is searched and filled in. Visits at
 * different times tell what one visit cannot: that a number holds for longer than its repetitions last. */
bool bench_visit(struct bench *bench, const struct plan_step *step, struct bench_choice *choice, struct sample *out,
                 struct error *err);

/* Whether two visits agree: within 0.5 % per cycle where the core clock paces the step, else within 5 % per second. */
bool bench_agree(const struct plan_step *step, const struct sample *a, const struct sample *b);
bool bench_better(const struct plan_step *step, const struct sample *a, const struct sample *b);

/* Measures the step. A step cut short by `stop` carries the doubt `interrupted`. Error: a thread cannot be pinned,
 * memory is refused. */
bool bench_run(struct bench *bench, const struct plan_step *step, struct sample *out, struct error *err);

/* The limit that the vendor documents for this kernel with its data at that level (0: registers), in the sample's
 * unit per cycle and core. */
struct uarch_limit bench_documented(const struct uarch *uarch, const struct kernel *kernel, unsigned level);

#endif
