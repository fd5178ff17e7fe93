/* SPDX-License-Identifier: BSD-3-Clause
 * A result as text, JSON and CSV; the plan of a run; warnings and trust in the words that every table uses. */
#ifndef CARM_REPORT_REPORT_H
#define CARM_REPORT_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "bench/kernels/plan.h"
#include "carm/model/model.h"
#include "carm/store/results.h"
#include "carm/text/columns.h"

/* What every table says of doubts and of trust, in the same words. */

/* Prints the cause and the remedy of each doubt of the set. */
void report_doubts_print(struct doubts doubts, FILE *out);

/* Writes how far the result can be trusted (trust_text() of bench/kernels/trust.h) to `out`, cut to `size` bytes, and
 * returns `out`; "" where the result has no grade. */
char *report_trust_text(const struct result *result, char *out, size_t size);

/* What a run would measure, as text. */

/* Prints a row for each step of the plan for this machine and its levels, how many there are and what they take;
 * `budget_s` is that of the whole run. */
void plan_report_print(const struct plan *plan, const struct result *result, double budget_s, FILE *out);

/* Prints the machine, every ceiling and roof, the band and the ridge point of each level, and the doubts with their
 * remedies. `op` names the access pattern whose roof stands for a level ("2ld1st"); NULL: the best one of each level.
 */
void report_print(const struct model *model, const char *op, FILE *out);

/* The result as JSON of the schema "carmine.roofs/1"; the caller releases it. */
json_t *report_json(const struct model *model);

/* The columns of a roof, stated for one walk; the text table has either their intervals or their spread. */
void report_roof_columns(struct column_walk *to, const struct roof *roof, bool intervals);

/* A table of the view's roofs of a kind; integer ceilings have one of their own, since their unit is another. */
void report_roofs_print(const struct model *model, const struct model_view *view, enum sample_kind kind, bool integer,
                        FILE *out);
json_t *report_roofs_json(const struct model *model);

/* Prints the roofs as CSV, a row for each. */
void report_csv(const struct model *model, FILE *out);

#endif
