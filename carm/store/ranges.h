/* SPDX-License-Identifier: BSD-3-Clause
 * The plausible range of each unit, and what the numbers of one record must agree on. A number beyond them comes from a
 * damaged file or another unit, and must not become an answer. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "fields.h"

struct unit_range {
    const char *unit; /* of a row (fields.h); NULL: no unit */
    double low, high; /* besides these, 0 is a number of every unit: none, or not known */
};

/* The row of a unit; NULL: there is none. */
const struct unit_range *range_of(const char *unit);

/* Less than any quantity of its unit, such as the rest of a difference of equal times: written as 0. */
double range_floor(const char *unit, double value);

/* Checks the numbers of a record with all its parts: their ranges, the order of statistics, value and interval, and the
 * rules of the rows (`fits`). Error: the field ("samples[3].value: must be …"). */
bool ranges_hold(const struct field *fields, const void *record, struct error *err);

/* low <= value <= high, but for rounding. */
bool range_contains(double low, double high, double value);

/* Whether a rate follows from the clock: for a latency, value = per_cycle / clock. Unknown ones (0) fit. */
bool range_rate_fits(bool latency, double value, double per_cycle, double clock_hz, unsigned cores);

/* The table, for the document. */
void ranges_print(FILE *out);
