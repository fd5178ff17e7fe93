/* SPDX-License-Identifier: BSD-3-Clause
 * What every table says of doubts and of trust, in the same words. */
#ifndef CARM_REPORT_REPORT_DOUBTS_H
#define CARM_REPORT_REPORT_DOUBTS_H

#include <stdio.h>

#include "carm/store/results.h"

/* Prints the cause and the remedy of each doubt of the set. */
void report_doubts_print(struct doubts doubts, FILE *out);

/* Writes how far the result can be trusted (trust_text() of bench/kernels/estimate.h) to `out`, cut to `size` bytes,
 * and returns `out`; "" where the result has no grade. */
char *report_trust_text(const struct result *result, char *out, size_t size);

#endif
