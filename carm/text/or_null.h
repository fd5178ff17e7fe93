/* SPDX-License-Identifier: BSD-3-Clause
 * JSON of values that may be unknown (null), and of doubts. */
#pragma once

#include <jansson.h>
#include <stdint.h>

#include "bench/kernels/doubts.h"

/* Null if not finite: JSON has no such numbers. */
json_t *number_or_null(double value);

/* Null if not finite or not above zero. */
json_t *positive_or_null(double value);

/* Null if not known. */
json_t *count_or_null(bool known, uint64_t count);

/* Null if empty. */
json_t *text_or_null(const char *text);

/* Null if not known. */
json_t *bool_or_null(bool known, bool value);

/* The names of the doubts. */
json_t *doubts_json(struct doubts doubts);
