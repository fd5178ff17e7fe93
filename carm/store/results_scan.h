/* SPDX-License-Identifier: BSD-3-Clause
 * What comparing thousands of results needs of each, read several times faster than results_read() reads all of it. */
#ifndef CARM_RESULTS_SCAN_H
#define CARM_RESULTS_SCAN_H

#include "results.h"

/* The fields that are `scanned` in result_fields.c: of the machine, the run and the levels what tells nodes apart, and
 * of each sample what it is of, its value, clock and doubts; the rest is zero. False for a file that is not as
 * results_write() writes them, even if it is a result: then results_read() tells. To be freed by results_free(). */
bool results_scan(const char *path, struct result *out);

/* The same, or where that does not do, all of the result. Error: as results_read() says it. */
bool results_read_values(const char *path, struct result *out, struct error *err);

#endif
