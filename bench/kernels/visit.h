/* SPDX-License-Identifier: BSD-3-Clause
 * What a campaign pays for: visits that are kept, short tries, and challenges. Private to the campaign (campaign.h). */
#ifndef BENCH_KERNELS_VISIT_H
#define BENCH_KERNELS_VISIT_H

#include "campaign.h"

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
