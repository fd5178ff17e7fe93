/* SPDX-License-Identifier: BSD-3-Clause
 * Validation points as text: the table with the deviation level by level, and as JSON. */
#ifndef CARM_REPORT_VALIDATE_REPORT_H
#define CARM_REPORT_VALIDATE_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "carm/model/validate.h"

/* Prints a table of the points, one of the levels, and what the doubts and port limits that occur mean. Prints nothing
 * where there are no points. */
void validation_print(const struct validation_point *points, size_t count, FILE *out);

/* The points, and what they say of each level, as lists of JSON objects; the caller releases them. */
json_t *validation_points_json(const struct validation_point *points, size_t count);
json_t *validation_levels_json(const struct validation_point *points, size_t count);

#endif
