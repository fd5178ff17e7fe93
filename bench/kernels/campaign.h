/* SPDX-License-Identifier: BSD-3-Clause
 * The measuring policy: what is measured next, with which code and working set, and what the number is. Pure: it
 * measures nothing itself and reads no clock, so that it can be tried on machines that do not exist.
 *
 * It can be stopped at any time and has an answer then. A first pass visits every step for some milliseconds. Then time
 * goes where it helps most: to the roofs that the answer rests on, and to those whose interval is widest, until all are
 * settled or the budget is spent. What is known of one roof helps the next: the code that wins for f64 is the first
 * guess for f32, one core's for all cores. Where a ceiling, an L1 or an L2 roof stays under its documented limit, other
 * code is tried: first the program's other variants and the level's other sizes, then shapes that are assembled. */
#ifndef BENCH_KERNELS_CAMPAIGN_H
#define BENCH_KERNELS_CAMPAIGN_H

#include <signal.h>

#include "estimate.h"
#include "plan.h"
#include "sample.h"
#include "shapes.h"

#include "asm/kernel.h"
#include "probe/error.h"

/* The code of a trial: a kernel of the program, or one that is assembled: the same operation with another width
 * (accumulators or streams) and unroll. */
struct campaign_code {
    const struct kernel *kernel;
    unsigned width, unroll;   /* 0: the program's own */
    struct prefetch prefetch; /* of assembled access patterns */
};

struct campaign_trial {
    const struct plan_step *step;
    struct campaign_code code;
    uint64_t bytes; /* working set of one thread; 0 for compute */
    unsigned repetitions;
    double repetition_s; /* aimed at */
    double limit_s;      /* where others take the cores away a few repetitions have to do */
    bool brief;          /* to compare codes: the number alone is wanted, not where its memory lies */
};

/* What a campaign does: the first visit to a step; a search for better code; another visit; waiting until others leave
 * the cores; nothing any more. */
enum campaign_doing { CAMPAIGN_FIRST, CAMPAIGN_SEARCH, CAMPAIGN_AGAIN, CAMPAIGN_WAIT, CAMPAIGN_DONE };

struct campaign;

/* The machine, real or simulated. */
struct campaign_bench {
    void *context;
    const struct machine *machine;   /* which kernels it can execute */
    const struct uarch_match *uarch; /* one per core kind. NULL: not known */
    /* One visit: all of a sample but for what the campaign decides. A value of 0: that code cannot run there. */
    bool (*measure)(void *context, const struct campaign_trial *trial, struct sample *out, struct error *err);
    double (*now_s)(void *context);
    double (*taken_s)(void *context); /* of its visits so far, in which their threads were kept from running; NULL: 0 */
    void (*wait)(void *context, double seconds);
    const volatile sig_atomic_t *stop; /* ends it after the visit under way. May be NULL */
};

struct campaign_options {
    /* Before each visit: what is being done, and where things stand; and at the end. May be NULL. */
    void (*progress)(void *context, const struct campaign *campaign, enum campaign_doing doing, size_t step);
    void *progress_context;
    double budget_s;       /* of all that this campaign does: no visit begins that would last beyond it */
    bool first_only;       /* the first pass alone */
    bool every_shape;      /* of the first step: the whole map of accumulators × unroll, as far as the budget goes */
    bool no_shapes;        /* only the program's own kernels */
    bool trusts_wisdom;    /* no shapes are searched where one is known to have won on this microarchitecture */
    unsigned least_visits; /* to every step before it can be settled; 0: 2 */
};

/* What is known of one step. */
struct campaign_step {
    const struct plan_step *plan;
    bool wanted;     /* false: left out by the caller, who has it already */
    size_t relative; /* index of the step whose choice is the first guess; SIZE_MAX: none */
    struct campaign_code code;
    unsigned size;                /* index into the plan step's sizes */
    struct campaign_code guessed; /* the relative's code that was tried last */
    bool advised;                 /* its first code is the one that won elsewhere (choose.h) */
    bool variants_tried, sizes_tried;
    unsigned searches, follows; /* begun anew; codes of others that were tried */
    double followed_at_s;       /* last */
    struct shapes *shapes;      /* NULL: not searched */
    bool shapes_tried;
    unsigned put_off; /* searches for shapes that found the core disturbed */
    double put_off_until_s;
    unsigned visit_count; /* with this code and size */
    struct sample visits[ESTIMATE_MAX_VISITS];
    unsigned visited;    /* times in all */
    double visited_at_s; /* last */
    double narrowest;    /* interval so far, relative, and in which visit: where a tenth was gained last */
    unsigned narrowed_at;
    double weight; /* how much of the answer rests on it */
    bool headline;
    struct sample number; /* of the visits so far */
    struct sample own;    /* the program's best kernel, where shapes were searched beside it */
};

/* How visits to one step were seen to differ, by class: what one visit is worth. */
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
    struct campaign_differences differences[2]; /* not paced, paced */
    struct campaign_differences clocks;         /* of visits to one paced step */
    double began_s, first_pass_s, taken_before_s;
    double searched_s; /* for shapes */
    bool stopped;      /* by the flag */
    size_t visits;     /* that were paid, in all */
    double visit_s;    /* that a visit takes, by the last ones */
};

/* Makes ready; campaign_close() follows in any case. */
void campaign_open(struct campaign *out, const struct plan *plan, const struct campaign_bench *bench,
                   const struct campaign_options *options);
void campaign_close(struct campaign *campaign);

/* Leaves a step out. */
void campaign_skip(struct campaign *campaign, size_t step);

/* Measures until all is settled, the budget is spent or the stop flag is set. Error: that of a visit; what was measured
 * before stands. */
bool campaign_run(struct campaign *campaign, struct error *err);

/* The number of a step as it stands, with its interval and the doubts `unstable` (its interval is beyond its bound),
 * `above documented`, and `core shared` (step_shortfall() in place.c; or more was to be done and others had much of the
 * time for it). A paced number is known per cycle; its interval per second holds the clock's wandering as well. False:
 * it was not visited. */
bool campaign_number(const struct campaign *campaign, size_t step, struct sample *out);

/* How far a step's interval may reach, relative. */
double campaign_bound(const struct plan_step *step);

/* For the progress line. */
struct campaign_state {
    size_t wanted, visited, settled, headline, uncertain; /* steps; headline ones, and of these those beyond 5 % */
    double elapsed_s, left_s;                             /* at most */
};
struct campaign_state campaign_state(const struct campaign *campaign);

#endif
