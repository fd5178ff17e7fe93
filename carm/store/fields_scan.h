/* SPDX-License-Identifier: BSD-3-Clause
 * Structs out of JSON text by the rows that are `scanned` (see fields.h), without building the JSON: for thousands of
 * files of which little is wanted. */
#ifndef CARM_FIELDS_SCAN_H
#define CARM_FIELDS_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "fields.h"

/* JSON text walked through without building it: for thousands of files of which little is wanted. Every value must be
 * taken or skipped, in its order. What is not plain JSON ends the walk, and nothing after it is true. */

struct scan {
    const char *at; /* in a text that ends in NUL: what is read next */
    bool failed;    /* from then on every function below does nothing, and answers false, 0 or "" */
};

/* Its bytes in the text, without the quotes and without a NUL; length 0 where it has escapes. */
struct scan_key {
    const char *text;
    size_t length;
};

/* An object or list: true when there is a next member or item, which then has to be taken or skipped. Begin with
 * *inside false. */
bool scan_member(struct scan *scan, bool *inside, struct scan_key *key);

bool scan_item(struct scan *scan, bool *inside);

/* Each takes one value, and fails where it is of another sort. Texts with escapes, and those that do not fit `size`
 * bytes with their NUL, fail too; so do numbers that are negative or not finite. */
void scan_text(struct scan *scan, char *out, size_t size);

double scan_number(struct scan *scan);

bool scan_bool(struct scan *scan);

/* Passes over a value of any sort, with all that is in it. Fails where it is nested more than 64 deep. */
void scan_skip(struct scan *scan);

/* Nothing has failed, and only blanks are left. */
bool scan_is_end(struct scan *scan);

/* The value that the walk is at, into `record`, which has to be zero. The walk fails where a scanned field is missing
 * (unless it may be), doubled, or written otherwise than fields_write() does; what was allocated until then is in the
 * record. Types that nothing scans yet (FIELD_WHOLE, _FEATURES, _STATISTICS, _TALLY, _TALLIES) fail, too. A table has
 * at most 64 rows. */
void fields_scan(const struct field *fields, struct scan *scan, void *record);

#endif
