/* SPDX-License-Identifier: BSD-3-Clause
 * What every table says of doubts and of trust, in the same words. */
#ifndef CARM_REPORT_DOUBTS_H
#define CARM_REPORT_DOUBTS_H

#include <jansson.h>
#include <stdio.h>

#include "carm/store/results.h"

/* Of several numbers together: each doubt's cause and remedy, and their names as a list. */
void report_doubts_print(uint32_t doubts, FILE *out);
json_t *report_doubts_json(uint32_t doubts);

/* How far the result can be trusted (bench/measure/trust.h); "" where it has no grade. */
char *report_trust_text(const struct result *result, char *out, size_t size);

#endif
