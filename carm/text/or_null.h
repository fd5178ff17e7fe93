/* SPDX-License-Identifier: BSD-3-Clause
 * JSON of what may not be known, which is null then; and of doubts. */
#ifndef CARM_OR_NULL_H
#define CARM_OR_NULL_H

#include <jansson.h>

#include "bench/kernels/doubt.h"

/* Null where it is no finite number: JSON has no other. */
json_t *number_or_null(double value);

/* Null where it is not above zero, either. */
json_t *positive_or_null(double value);

/* Null where it is empty. */
json_t *text_or_null(const char *text);

/* The names of the doubts. */
json_t *doubts_json(struct doubts doubts);

#endif
