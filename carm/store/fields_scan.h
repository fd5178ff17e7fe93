/* SPDX-License-Identifier: BSD-3-Clause
 * JSON text → structs by rows that are `scanned` (see fields.h), without building the JSON. For thousands of files, of
 * which only a few values are needed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "fields.h"

/* A walk through JSON text without building it. Every value must be taken or skipped, in order. The walk ends at text
 * that is not plain JSON; values after that are wrong. */

struct scan {
    const char *at; /* the next character; the text ends in NUL */
    bool failed;    /* if set, all takes do nothing and return false, 0 or "" */
};

/* Takes a number; fails for another type, or if it is negative or not finite. */
double scan_number(struct scan *scan);

/* Nothing failed, and only blanks remain. */
bool scan_is_end(struct scan *scan);

/* Reads the next value into `record`, which must be zero. The walk fails if a scanned field is missing (unless
 * optional), repeated, or not written like fields_write() does. The record then has everything allocated so far. Unused
 * types (FIELD_WHOLE, _FEATURES, _STATISTICS, _TALLY, _TALLIES) fail too. A table has at most 64 rows. */
void fields_scan(const struct field *fields, struct scan *scan, void *record);
