/* SPDX-License-Identifier: BSD-3-Clause
 * Further facts from result and specification about a roof: rules test them, texts quote them. Pure. */
#pragma once

#include "shortfall.h"
#include "shortfall_thresholds.h"

enum { SHORTFALL_WIDE_BYTES = 64 };

/* Fills the evidence of a roof that was compared with its limit. `spec` may be NULL. */
void shortfall_gather(struct shortfall *shortfall, const struct model *model, const struct spec *spec);

bool shortfall_is_below(const struct shortfall *shortfall); /* below its limit by more than the tolerance */
bool shortfall_is_between(double ratio, const struct threshold *from, const struct threshold *to);
