/* SPDX-License-Identifier: BSD-3-Clause
 * What a campaign pays for: visits that are kept, short tries, and challenges. Private to the campaign (campaign.h). */
#ifndef BENCH_KERNELS_VISIT_H
#define BENCH_KERNELS_VISIT_H

#include "campaign.h"

/* A step as the choice of its code sees it: whose choice it may take over, what may be gained. Private to the
 * campaign (campaign.h). */

/* Documented to the percent: nothing is to be gained any more, and no other code has to be tried. */
#define STEP_ENOUGH  0.99
#define STEP_PERFECT 0.995
/* It was visited, twice, and nothing came of it: its code cannot run there. */
bool step_is_hopeless(const struct campaign_step *step);

bool step_same_code(const struct campaign_code *a, const struct campaign_code *b);

/* "fma" of "avx2.f64.fma". */
const char *step_operation_of(const char *kernel);

bool step_same_kind_of_place(const struct plan_step *a, const struct plan_step *b);

/* The same kernel on cores of one kind, as many threads on each: the number of cores asks for no other code. */
bool step_same_work(const struct campaign_step *a, const struct campaign_step *b);

/* The program's own kernels. */
const struct kernel *const *step_variants_of(const struct campaign_step *step, size_t *count);

/* NULL: there is none, or it has nothing to tell, now and later: it was left out, or cannot run. */
const struct campaign_step *step_relative_of(const struct campaign *campaign, const struct campaign_step *step);

/* The whole map is asked for. */
bool step_searches_everything(const struct campaign *campaign, size_t at);

/* The share of its documented limit that the step reaches so far; 0 where none is known. */
double step_reached(const struct campaign_step *step);

/* By how much of it several cores together do less per cycle and core than fewer do with the same kernel, where they
 * share nothing: registers, and caches of their own. The clock, which may fall as more cores run, is no part of it. 0:
 * not by more than such numbers differ. Else cores are shared: both CPUs of a virtual machine may run on one. */
double step_shortfall(const struct campaign *campaign, const struct campaign_step *step);

/* It stays under what is documented. Where nothing is documented a step that follows another one's choice has what that
 * one found. */
bool step_may_gain(const struct campaign *campaign, const struct campaign_step *step);

/* A visit with the step's code and size, kept with those before. */
bool visit_step(struct campaign *campaign, size_t step, struct error *err);

/* What a code is worth at a size, by a few milliseconds; 0: it cannot run. */
bool visit_try(struct campaign *campaign, size_t step, const struct campaign_code *code, unsigned size, double *merit,
               struct error *err);

/* Two proper visits with another code or size, which take the place of the step's own where both are better. */
bool visit_challenge(struct campaign *campaign, size_t step, const struct campaign_code *code, unsigned size,
                     struct error *err);

/* The visits so far as one number, again: what visits of this campaign differ by has become known since. */
void visit_combine(struct campaign *campaign, struct campaign_step *step);

/* How far the clock of a step's next visit may be from that of its number, relative: nine of ten visits to steps of
 * this campaign were no further apart, nor were this step's. */
double visit_clock_moves(const struct campaign *campaign, const struct campaign_step *step);

/* Seconds, by the bench's clock; and until the budget is spent. */
double visit_now_s(const struct campaign *campaign);
double visit_left_s(const struct campaign *campaign);

/* The stop flag is set; or it is, or less of the budget is left than a visit takes. */
bool visit_is_stopped(const struct campaign *campaign);
bool visit_is_over(const struct campaign *campaign);

/* Tells the caller what the campaign does. */
void visit_tell(const struct campaign *campaign, enum campaign_doing doing, size_t step);

#endif
