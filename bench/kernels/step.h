/* SPDX-License-Identifier: BSD-3-Clause
 * A step as the choice of its code sees it: whose choice it may take over, what may be gained. Private to the
 * campaign (campaign.h). */
#ifndef BENCH_KERNELS_STEP_H
#define BENCH_KERNELS_STEP_H

#include "campaign.h"

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

#endif
