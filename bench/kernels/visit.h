/* SPDX-License-Identifier: BSD-3-Clause
 * The measurements that a campaign pays for: visits, short tries and challenges. Private to the campaign
 * (campaign.h). */
#pragma once

#include "campaign.h"

/* A step from the point of view of the choice of its code: its relatives, and whether a gain is possible. */

/* Visited twice without a result: its code cannot run there. */
bool step_is_hopeless(const struct campaign_step *step);

bool step_same_code(const struct campaign_code *a, const struct campaign_code *b);

bool step_same_kind_of_place(const struct plan_step *a, const struct plan_step *b);

/* The same kernel on cores of one kind with as many threads on each: the number of cores does not change the best
 * code. */
bool step_same_work(const struct campaign_step *a, const struct campaign_step *b);

/* The program's own kernels. */
const struct kernel *const *step_variants_of(const struct campaign_step *step, size_t *count);

/* NULL: there is none, or it was skipped or cannot run. */
const struct campaign_step *step_relative_of(const struct campaign *campaign, const struct campaign_step *step);

/* The whole map of this step was requested. */
bool step_searches_everything(const struct campaign *campaign, size_t at);

/* The reached share of the documented limit; 0 if none is known. */
double step_reached(const struct campaign_step *step);

/* The share by which cores do less per cycle and core than fewer or more cores do with the same kernel. Only for
 * registers and private caches, which cores do not share. The clock, which may fall with more cores, has no effect. 0:
 * no more than usual differences. A shortfall means shared cores: both CPUs of a virtual machine may run on one
 * core, or another machine's CPU beside a core that runs alone. */
double step_shortfall(const struct campaign *campaign, const struct campaign_step *step);

/* Several cores do less together than one of them alone: impossible in registers or private caches, and not to be
 * believed of a shared level while others disturb. So the number is none. */
bool step_below_one_core(const struct campaign *campaign, const struct campaign_step *step, bool disturbed);

/* Index of the instruction set in isa_table; SIZE_MAX: none. */
size_t step_isa(const struct plan_step *step);

/* The same operation or pattern in the same place, with a narrower instruction set. */
bool step_is_narrower(const struct campaign_step *narrower, const struct campaign_step *step);

/* The share by which the step is below a rate of the same level: of a narrower instruction set, of its own kernel in
 * the run's sweep, or of two visits at a larger size. Beyond private caches the step counts with the high end of its
 * interval, a narrower one with its low end. 0: no more than usual differences, or at the step's documented limit. */
double step_outdone(const struct campaign *campaign, const struct campaign_step *step);

/* Below the documented limit. Without a limit: the step has no relative whose result it would use. */
bool step_may_gain(const struct campaign *campaign, const struct campaign_step *step);

/* A visit to the step's place with this code and working set, or a short try. */
struct campaign_trial visit_trial(const struct plan_step *step, const struct campaign_code *code, uint64_t bytes,
                                  bool brief);

/* Whether the code's block fits a working set of that size; 0: any. */
bool visit_fits(const struct campaign_code *code, uint64_t bytes);

/* One visit with the step's code and size, stored with the earlier ones. */
bool visit_step(struct campaign *campaign, size_t step, struct error *err);

/* The merit of a code at a size, measured in a few milliseconds; 0: it cannot run, or the
 * budget is spent. */
bool visit_try(struct campaign *campaign, size_t step, const struct campaign_code *code, unsigned size, double *merit,
               struct error *err);

/* Two full visits with another code or size, which replace the step's own if both are better: two of four at a larger
 * size of a private cache. None begins that would exceed the budget. */
bool visit_challenge(struct campaign *campaign, size_t step, const struct campaign_code *code, unsigned size,
                     struct error *err);

/* Combines the stored visits again: more may be known by now about how visits of this campaign differ. */
void visit_combine(struct campaign *campaign, struct campaign_step *step);

/* The relative distance that the clock of a step's next visit may have from that of its number: the larger one of this
 * step's own range and the distance that nine of ten visits did not exceed. */
double visit_clock_moves(const struct campaign *campaign, const struct campaign_step *step);

/* Doubts a visit, or a number, whose cores should share a cache and did not, as far as this campaign has seen. */
void visit_judge_together(const struct campaign *campaign, const struct plan_step *step, struct sample *visit);

/* Seconds by the bench's clock; and seconds until the budget is spent. */
double visit_now_s(const struct campaign *campaign);
double visit_left_s(const struct campaign *campaign);

/* The stop flag is set; or it is set or less than one visit's cost is left of the budget. */
bool visit_is_stopped(const struct campaign *campaign);
bool visit_is_over(const struct campaign *campaign);

/* Reports the campaign's activity to the caller. */
void visit_tell(const struct campaign *campaign, enum campaign_doing doing, size_t step);
