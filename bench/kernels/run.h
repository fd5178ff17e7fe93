/* SPDX-License-Identifier: BSD-3-Clause
 * One trial of a campaign on this machine: a kernel, assembled if necessary, timed repeatedly on its team. The campaign
 * decides what is tried and which number results (campaign.h). */
#pragma once

#include <stdatomic.h>

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

struct error;
struct machine;

enum { BENCH_ASSEMBLED = 8 };

struct bench {
    const struct machine *machine;
    struct team_cpus *cpus;          /* of the calling thread, before kernels pinned it */
    const struct levels *levels;     /* one per core kind */
    const struct uarch_match *uarch; /* one per core kind; NULL: no documented limits */
    struct clock clock;
    struct memory memory;
    struct memory small_memory; /* for steps in small pages */
    enum sample_statistic statistic;
    bool huge_pages;
    unsigned next_segment;   /* a visit to memory starts where the last one ended, so that no cache helps */
    struct bench_assembled { /* recently used shapes */
        struct assembled kernel;
        unsigned long used; /* number of the latest trial; 0: empty */
    } assembled[BENCH_ASSEMBLED];
    struct activity watched_from; /* start of the interval, longer than a system tick, for others' load */
    bool others_active;
    double alone_noops_per_cycle[MACHINE_MAX_KINDS]; /* of a core that nothing else uses, by kind: the most so far */
    double taken_s; /* time in which the scheduler kept threads from running, over all repetitions */
    unsigned long trials;
    size_t death_count;
    struct kernel_death *deaths; /* kernels that died of a signal */
    char no_shapes[1024];        /* why no shape can be assembled here; "": shapes are possible */
    const atomic_int *stop;      /* set by a signal: measuring ends at the next repetition; may be NULL */
};

/* Calibrates the clock and reserves buffers of `node_bytes` on each memory node. Error: no address space, or a recorded
 * machine. */
bool bench_open(struct bench *out, const struct machine *machine, uint64_t node_bytes, bool huge_pages,
                struct error *err);
void bench_close(struct bench *bench);

/* What an iteration of a random kernel moves beyond L1: it loads 64 bytes of each line, and a longer line moves as a
 * whole. */
double bench_random_bytes(const struct bench *bench, const struct kernel *kernel);

/* One trial → one sample; `bench` is a struct bench. A trial ended by `stop` gets the doubt `interrupted`. A kernel
 * that dies of a signal gives a sample of zeros and is listed in the bench's deaths. Errors: a thread cannot be pinned;
 * memory is refused; no executable memory. */
bool bench_measure(void *bench, const struct campaign_trial *trial, struct sample *out, struct error *err);

/* Whether other programs kept CPUs busy since a recent call. */
bool bench_others_are_active(struct bench *bench);

/* Whether a kernel of that name has died. */
bool bench_has_died(const struct bench *bench, const char *kernel);

/* The bench as the campaign's interface. */
struct campaign_bench bench_for_campaign(struct bench *bench);

/* The documented limit of this kernel's operation, with its data in that level (0: registers), in the sample's unit per
 * cycle and core. Of its variants' mixes the highest limit counts. */
struct uarch_limit bench_documented(const struct uarch *uarch, const struct kernel *kernel, unsigned level);
