/* SPDX-License-Identifier: BSD-3-Clause
 * Gaps between measured and documented as text, as JSON, and on one screen: how many roofs reach their limits, how
 * many do not and why. */
#ifndef CARM_REPORT_SHORTFALL_REPORT_H
#define CARM_REPORT_SHORTFALL_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "screen.h"

#include "carm/model/shortfall.h"

/* A result beside its documented limits, in one screen of a terminal: how many roofs reach them, how many do not and
 * why, and those that nothing explains. */

/* `spec` may be NULL. */
void spec_answer_print(const struct model *model, const struct shortfalls *shortfalls, const struct spec *spec,
                       const struct screen *screen);

/* What the vendor states and what follows from it. */
void shortfall_report_spec(const struct spec *spec, FILE *out);

/* A table per thread count, then each reason that occurs with its meaning. `spec` may be NULL. */
void shortfall_report_print(const struct model *model, const struct shortfalls *shortfalls, const struct spec *spec,
                            FILE *out);

/* Schema "carmine.gaps/1". `model` or `spec` may be NULL. */
json_t *shortfall_report_json(const struct model *model, const struct shortfalls *shortfalls, const struct spec *spec);

#endif
