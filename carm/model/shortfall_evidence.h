/* SPDX-License-Identifier: BSD-3-Clause
 * What else a result and a specification tell about a roof: rules test it, words quote it. Pure. */
#ifndef CARM_MODEL_SHORTFALL_EVIDENCE_H
#define CARM_MODEL_SHORTFALL_EVIDENCE_H

#include "shortfall.h"
#include "threshold.h"

enum { SHORTFALL_WIDE_BYTES = 64 };

/* Fills the evidence of a roof that was compared with its limit. `spec` may be NULL. */
void shortfall_gather(struct shortfall *shortfall, const struct model *model, const struct spec *spec);

bool shortfall_is_below(const struct shortfall *shortfall); /* its limit, by more than the tolerance */
bool shortfall_is_between(double ratio, const struct threshold *from, const struct threshold *to);

#endif
