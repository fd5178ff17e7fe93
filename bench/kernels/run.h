/* SPDX-License-Identifier: BSD-3-Clause
 * One trial of a campaign on this machine: a kernel, assembled where need be, timed again and again on its team with
 * the clock read after each time. What is tried, and what the number is, the campaign decides (measure/campaign.h). */
#ifndef BENCH_KERNELS_RUN_H
#define BENCH_KERNELS_RUN_H

#include <signal.h>

#include "others.h"
#include "campaign.h"
#include "timing.h"
#include "levels.h"
#include "memory.h"
#include "plan.h"
#include "sample.h"

#include "asm/assemble.h"
#include "asm/kernel.h"
#include "probe/clock.h"
#include "probe/error.h"
#include "probe/machine.h"

enum { BENCH_ASSEMBLED = 8 };

struct bench {
    const struct machine *machine;
    struct team_cpus *cpus;          /* that the calling thread had, before kernels pinned it */
    const struct levels *levels;     /* one per core kind */
    const struct uarch_match *uarch; /* one per core kind; NULL: nothing is documented */
    struct clock clock;
    struct memory memory;
    struct memory small_memory; /* for steps in 4 KiB pages */
    enum sample_statistic statistic;
    bool huge_pages;
    unsigned next_segment;   /* visits to memory go on where the last one ended, so that no cache helps */
    struct bench_assembled { /* shapes that were used last */
        struct assembled kernel;
        unsigned long used; /* when, in trials; 0: empty */
    } assembled[BENCH_ASSEMBLED];
    struct activity watched_from; /* what others do is looked at over a while that the system's ticks can tell */
    bool others_active;
    double taken_s; /* in which the scheduler kept threads from running, of all repetitions so far */
    unsigned long trials;
    size_t death_count;
    struct kernel_death *deaths;       /* kernels that died of a signal so far */
    struct error no_shapes;            /* why none can be assembled here; "": they can */
    const volatile sig_atomic_t *stop; /* set by a signal: measuring ends at the next repetition. May be NULL */
};

/* Reads the clock and reserves buffers of `node_bytes` on each memory node. Error: no address space, a machine that is
 * only recorded. */
bool bench_open(struct bench *out, const struct machine *machine, uint64_t node_bytes, bool huge_pages,
                struct error *err);
void bench_close(struct bench *bench);

/* One trial → one sample; `bench` is a struct bench. One cut short by `stop` carries the doubt `interrupted`. Of a
 * kernel that dies of a signal the sample is zero, and the bench has it among its deaths. Errors: a thread cannot be
 * pinned, memory is refused, no executable memory. */
bool bench_measure(void *bench, const struct campaign_trial *trial, struct sample *out, struct error *err);

/* Whether a kernel of that name died so far. */
bool bench_has_died(const struct bench *bench, const char *kernel);

/* What a campaign needs of it. */
struct campaign_bench bench_for_campaign(struct bench *bench);

/* The limit that the vendor documents for this kernel's operation, in whichever of its variants' mixes has the highest,
 * with its data at that level (0: registers), in the sample's unit per cycle and core. */
struct uarch_limit bench_documented(const struct uarch *uarch, const struct kernel *kernel, unsigned level);

#endif
