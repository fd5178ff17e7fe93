/* SPDX-License-Identifier: BSD-3-Clause
 * Running a program under callgrind, and whether what it left is complete. */
#ifndef BENCH_CALLGRIND_H
#define BENCH_CALLGRIND_H

#include "traffic.h"

/* `options` are callgrind's, up to a NULL, beside those for where and how it writes. Errors: as of callgrind_count. */
bool callgrind_run(const struct traffic_run *run, const char *const *options, int *status, struct error *err);

#endif
