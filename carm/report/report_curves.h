/* SPDX-License-Identifier: BSD-3-Clause
 * Curves of a sweep as text, CSV and JSON. The result has at least one. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "screen.h"

struct result;

/* One screen: where each level ends, the median rate in it, and the staircase, drawn for the terminal. */
void curves_answer_print(const struct result *result, const char *staircase, const struct screen *screen);

/* A row for each size of each curve. */
void curves_print(const struct result *result, FILE *out);
void curves_csv(const struct result *result, FILE *out);

/* Schema "carmine.curves/1"; the caller releases it. */
json_t *curves_json(const struct result *result);
