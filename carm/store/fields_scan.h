/* SPDX-License-Identifier: BSD-3-Clause
 * Structs out of JSON text by the rows that are `scanned` (see fields.h), without building the JSON: for thousands of
 * files of which little is wanted. */
#ifndef CARM_FIELDS_SCAN_H
#define CARM_FIELDS_SCAN_H

#include "fields.h"
#include "scan.h"

/* The value that the walk is at, into `record`, which has to be zero. The walk fails where a scanned field is missing
 * (unless it may be), doubled, or written otherwise than fields_write() does; what was allocated until then is in the
 * record. Types that nothing scans yet (FIELD_WHOLE, _FEATURES, _STATISTICS, _TALLY, _TALLIES) fail, too. A table has
 * at most 64 rows. */
void fields_scan(const struct field *fields, struct scan *scan, void *record);

#endif
