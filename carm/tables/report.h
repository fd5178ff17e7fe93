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

/* Of several numbers together: each doubt's cause and remedy, and their names as a list. */
void report_doubts_print(uint32_t doubts, FILE *out);
json_t *report_doubts_json(uint32_t doubts);

/* The brand without its trade marks, or the microarchitecture where the brand says little ("Xeon Processor"): both. */
const char *report_cpu_name(const struct result *result, char *out, size_t size);

/* One line about the machine, and one about the conditions; also for the picture. */
void report_machine_line(const struct result *result, char *out, size_t size);
void report_conditions_line(const struct result *result, char *out, size_t size);

/* How far the result can be trusted (bench/measure/trust.h); "" where it has no grade. */
char *report_trust_text(const struct result *result, char *out, size_t size);

/* "L3 detected as 480 MiB, found to end near 96 MiB": 0 when all levels are as detected, else how many lines. */
size_t report_level_notes(const struct result *result, char (*out)[160], size_t max);

#endif
