/* SPDX-License-Identifier: BSD-3-Clause
 * Gaps between measured and documented, as text and as JSON. */
#ifndef CARM_SHORTFALL_REPORT_H
#define CARM_SHORTFALL_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "carm/spec/shortfall.h"

/* What the vendor states and what follows from it. */
void shortfall_report_spec(const struct spec *spec, FILE *out);

/* A table per thread count, then each reason that occurs with its meaning. `spec` may be NULL. */
void shortfall_report_print(const struct model *model, const struct shortfalls *shortfalls, const struct spec *spec,
                            FILE *out);

/* Schema "carmine.gaps/1". `model` or `spec` may be NULL. */
json_t *shortfall_report_json(const struct model *model, const struct shortfalls *shortfalls, const struct spec *spec);

#endif
