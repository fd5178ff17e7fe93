/* SPDX-License-Identifier: BSD-3-Clause
 * The measuring policy chooses the next step, its code and its working set, and computes the numbers. Pure: it
 * measures through functions of the caller and reads no clock, so that it can be tested on simulated machines.
 *
 * A campaign can be stopped at any time and then has an answer. A first pass visits every step for some milliseconds.
 * The remaining time is spent on the headline roofs and on the widest intervals, until all are settled or the budget is
 * spent. One roof's result helps the next: the code that wins for f64 is the first guess for f32, and one core's code
 * for all cores. If a ceiling, an L1 or an L2 roof stays below its documented limit, other code is tried: first the
 * program's other variants and the level's other sizes, then assembled shapes. */
#pragma once

#include <stdatomic.h>

#include "estimate.h"
#include "plan.h"
#include "sample.h"
#include "shapes.h"

#include "asm/kernel.h"

struct error;

/* The code of a trial: a kernel of the program; or an assembled kernel of the same operation with another width
 * (accumulators or streams) and unroll. */
struct campaign_code {
    const struct kernel *kernel;
    unsigned width, unroll;   /* 0: as in the program */
    struct prefetch prefetch; /* only for assembled access patterns */
};

struct campaign_trial {
    const struct plan_step *step;
    struct campaign_code code;
    uint64_t bytes; /* working set of one thread; 0 for compute */
    unsigned repetitions;
    double repetition_s; /* target */
    double limit_s;      /* if others take the cores away, few repetitions must suffice */
    bool brief;          /* for comparing codes: only the number is needed, not the place of its memory */
};

/* The campaign's current activity: first visit to a step; search for better code; another visit; waiting until others
 * leave the cores; finished. */
enum campaign_doing { CAMPAIGN_FIRST, CAMPAIGN_SEARCH, CAMPAIGN_AGAIN, CAMPAIGN_WAIT, CAMPAIGN_DONE };

struct campaign;

/* The measuring machine, real or simulated. */
struct campaign_bench {
    void *context;
    const struct machine *machine;   /* decides which kernels can run */
    const struct uarch_match *uarch; /* one per core kind; NULL: unknown */
    /* One visit. Fills in all of a sample that the campaign does not decide. A value of 0: that code cannot run
     * there. */
    bool (*measure)(void *context, const struct campaign_trial *trial, struct sample *out, struct error *err);
    double (*now_s)(void *context);
    double (*taken_s)(void *context); /* time in which threads of its visits could not run; NULL: 0 */
    void (*wait)(void *context, double seconds);
    const atomic_int *stop; /* ends the campaign after the current visit; may be NULL */
};

struct campaign_options {
    /* Reports the activity and the state before each visit and at the end. May be NULL. */
    void (*progress)(void *context, const struct campaign *campaign, enum campaign_doing doing, size_t step);
    void *progress_context;
    double budget_s;       /* for the whole campaign: no visit begins that would exceed it */
    bool first_only;       /* only the first pass */
    bool whole_pass;       /* the first pass ends whatever it takes: the budget is for what follows */
    bool every_shape;      /* first step: the whole map of accumulators × unroll, as far as the budget allows */
    bool no_shapes;        /* only the program's own kernels */
    bool trusts_wisdom;    /* no search for shapes if a winner is known for this microarchitecture */
    unsigned least_visits; /* per step before it can be settled; 0: 2 */
};

/* State of one step. */
struct campaign_step {
    const struct plan_step *plan;
    bool wanted;     /* false: skipped by the caller, who has its result */
    size_t relative; /* index of the step whose code is the first guess; SIZE_MAX: none */
    size_t on_more;  /* the same work on most cores; SIZE_MAX: none */
    size_t narrower; /* the same with the next narrower instruction set; SIZE_MAX: none */
    struct campaign_code code;
    unsigned size;                /* index into the plan step's sizes */
    struct campaign_code guessed; /* code of the relative that was tried last */
    unsigned guessed_size;        /* and the index of its size */
    double seen[2];               /* the two highest merits of visits at larger sizes */
    bool advised;                 /* its first code comes from wisdom_variant() */
    bool variants_tried, sizes_tried;
    unsigned searches, follows; /* searches begun again; codes of other steps tried */
    double followed_at_s;       /* latest try */
    struct shapes *shapes;      /* NULL: not searched */
    bool shapes_tried;
    unsigned put_off; /* searches for shapes postponed because the core was disturbed */
    double put_off_until_s;
    unsigned visit_count; /* with this code and size */
    struct sample visits[ESTIMATE_MAX_VISITS];
    unsigned visited;    /* visits in all */
    double visited_at_s; /* latest visit */
    double took_s;       /* the longest one */
    double narrowest;    /* narrowest relative interval so far, and the visit that last narrowed it by a tenth */
    unsigned narrowed_at;
    double least_handover_s; /* of all visits; 0: none was timed */
    double weight;           /* importance for the answer */
    bool headline;
    struct sample number; /* combined from the visits so far */
    struct sample own;    /* the program's best kernel, if shapes were searched as well */
};

/* Differences between visits to one step: they show how precise one visit is. */
enum { CAMPAIGN_DIFFERENCES = 256 };
struct campaign_differences {
    size_t count;
    double of[CAMPAIGN_DIFFERENCES];
};

struct campaign {
    const struct campaign_bench *bench;
    struct campaign_options options;
    size_t count;
    struct campaign_step *steps;
    struct campaign_differences differences[2]; /* [paced] */
    struct campaign_differences clocks;         /* between visits to one paced step */
    double began_s, first_pass_s, taken_before_s;
    double searched_s;    /* on searches for shapes */
    bool stopped;         /* by the stop flag */
    size_t visits;        /* paid, in all */
    bool disturbed;       /* the latest of them, by an SMT sibling or by cores apart */
    size_t handed, apart; /* of visits whose cores should share a cache: all, and those in which they did not */
    double visit_s;       /* expected cost of a visit, from the latest ones */
};

/* Prepares the campaign; campaign_close() follows in any case. */
void campaign_open(struct campaign *out, const struct plan *plan, const struct campaign_bench *bench,
                   const struct campaign_options *options);
void campaign_close(struct campaign *campaign);

/* Excludes a step. */
void campaign_skip(struct campaign *campaign, size_t step);

/* Measures until all is settled, the budget is spent or the stop flag is set. Error: a visit's error; earlier results
 * stay valid. */
bool campaign_run(struct campaign *campaign, struct error *err);

/* The current number of a step with its interval. Adds the doubts `unstable` (the interval exceeds its bound), `above
 * documented`, and `core shared` (step_shortfall() in visit.h; or the step is unfinished and others had much of the
 * time). The interval of a paced number includes the clock's variation; that of a single visit reaches up to its
 * documented limit, or 40 % further. Blank if all visits are, or if several cores did less than one
 * (step_below_one_core() in visit.h). False: not visited. */
bool campaign_number(const struct campaign *campaign, size_t step, struct sample *out);

/* The largest relative interval of a settled step. */
double campaign_bound(const struct plan_step *step);

/* For the progress line. */
struct campaign_state {
    size_t wanted, visited, settled, headline, uncertain; /* steps; headline steps; of these, beyond 5 % */
    double elapsed_s, left_s;                             /* at most */
};
struct campaign_state campaign_state(const struct campaign *campaign);
