/* SPDX-License-Identifier: BSD-3-Clause
 * A result as text, JSON and CSV; the plan of a run; warnings and trust in the words that every table uses. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "bench/kernels/plan.h"
#include "carm/model/model.h"
#include "carm/text/columns.h"

struct result;

/* Prints the cause and remedy of each doubt in the set. */
void report_doubts_print(struct doubts doubts, FILE *out);

/* Writes the trust in the result (trust_text() of bench/kernels/estimate.h) to `out`, cut to `size` bytes, and returns
 * `out`; "" if the result has no grade. */
char *report_trust_text(const struct result *result, char *out, size_t size);

/* Prints the steps that the plan would measure on this machine and its levels, a row each, with their number and cost;
 * `budget_s` is the whole run's. */
void plan_report_print(const struct plan *plan, const struct result *result, double budget_s, FILE *out);

/* Prints the machine, every ceiling and roof, the band and the ridge point of each level, and the warnings with their
 * remedies. `op` names the access pattern whose roof represents a level ("2ld1st"); NULL: the best of each level. */
void report_print(const struct model *model, const char *op, FILE *out);

/* The result as JSON of the schema "carmine.roofs/1"; the caller releases it. */
json_t *report_json(const struct model *model);

/* The columns of a roof, for one walk; the text table has either intervals or spread. */
void report_roof_columns(struct column_walk *to, const struct roof *roof, bool intervals);

/* A table of the view's roofs of a kind; integer ceilings have their own, because of their unit. */
void report_roofs_print(const struct model *model, const struct model_view *view, enum sample_kind kind, bool integer,
                        FILE *out);
json_t *report_roofs_json(const struct model *model);

/* Prints the roofs as CSV, a row for each. */
void report_csv(const struct model *model, FILE *out);
