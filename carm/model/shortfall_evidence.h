/* SPDX-License-Identifier: BSD-3-Clause
 * Further facts from result and specification about a roof: rules test them, texts quote them. Pure. */
#ifndef CARM_MODEL_SHORTFALL_EVIDENCE_H
#define CARM_MODEL_SHORTFALL_EVIDENCE_H

#include "shortfall.h"
#include "threshold.h"

/* Every threshold by which a shortfall is found and named. docs/spec.md shows this table; a test compares the two. */

/* Thresholds only: the struct is also read as a list of SHORTFALL_THRESHOLD_COUNT. */
struct shortfall_thresholds {
    struct threshold tolerance, clock_wanders, clearly_more;
    struct threshold half_from, half_to, sustained, link_from, link_to;
    struct threshold l1_256_from, l1_256_to, l1_512_from, l1_512_to, l2_from, l2_to; /* seen before, not explained */
    struct threshold memory_from;
    struct threshold guests;
};

enum { SHORTFALL_THRESHOLD_COUNT = sizeof(struct shortfall_thresholds) / sizeof(struct threshold) };

extern const struct shortfall_thresholds shortfall_thresholds;

enum { SHORTFALL_WIDE_BYTES = 64 };

/* Fills the evidence of a roof that was compared with its limit. `spec` may be NULL. */
void shortfall_gather(struct shortfall *shortfall, const struct model *model, const struct spec *spec);

bool shortfall_is_below(const struct shortfall *shortfall); /* below its limit by more than the tolerance */
bool shortfall_is_between(double ratio, const struct threshold *from, const struct threshold *to);

#endif
