/* SPDX-License-Identifier: BSD-3-Clause
 * A result as text: the roofs as a table, and as the stable JSON and CSV that scripts read. */
#ifndef CARM_REPORT_H
#define CARM_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "carm/model/model.h"

/* Prints the machine, every ceiling and roof, the band and the ridge point of each level, and the doubts with their
 * remedies. `op` names the access pattern whose roof stands for a level ("2ld1st"); NULL: the best one of each level.
 */
void report_print(const struct model *model, const char *op, FILE *out);

/* The result as JSON of the schema "carmine.roofs/1"; the caller releases it. */
json_t *report_json(const struct model *model);

/* Prints the roofs as CSV, a row for each. */
void report_csv(const struct model *model, FILE *out);

#endif
