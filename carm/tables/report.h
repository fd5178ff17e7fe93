/* SPDX-License-Identifier: BSD-3-Clause
 * A result as text: the roofs as a table, and as the stable JSON and CSV that scripts read. */
#ifndef CARM_REPORT_H
#define CARM_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "carm/model/model.h"

/* The machine, every ceiling and roof, each level's band with its ridge point, and the doubts with their remedies.
 * `op` names the pattern of the level's roof ("2ld1st"); NULL: the best. */
void report_print(const struct model *model, const char *op, FILE *out);

/* Schema "carmine.roofs/1". */
json_t *report_json(const struct model *model);
void report_csv(const struct model *model, FILE *out);

#endif
