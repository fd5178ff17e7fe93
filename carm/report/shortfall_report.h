/* SPDX-License-Identifier: BSD-3-Clause
 * Gaps between measured and documented as text, as JSON, and on one screen: how many roofs reach their limits, how
 * many do not and why. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "screen.h"

#include "carm/model/specification.h"

/* One screen: the verdict on what the vendor states, the roofs at their limits, and the reasons for others. `spec` may
 * be NULL. */
struct spec_answer {
    const struct model *model;
    const struct shortfalls *shortfalls;
    const struct specification *specification;
    const struct spec *spec;
};
void spec_answer_print(const struct spec_answer *answer, const struct screen *screen);

/* Prints the vendor's figures and their consequences. */
void shortfall_report_spec(const struct spec *spec, FILE *out);

/* Prints a table per thread count, then each occurring reason with its meaning. `spec` may be NULL. */
void shortfall_report_print(const struct model *model, const struct shortfalls *shortfalls, const struct spec *spec,
                            FILE *out);

/* Schema "carmine.gaps/1". Model and specification, or `spec`, may be NULL. */
json_t *shortfall_report_json(const struct spec_answer *answer);
