/* SPDX-License-Identifier: BSD-3-Clause
 * Running a program under callgrind, and whether what it left is complete. */
#ifndef BENCH_CALLGRIND_H
#define BENCH_CALLGRIND_H

#include "traffic.h"

/* `options` are callgrind's, up to a NULL, beside those for where and how it writes. Errors: as of callgrind_count. */
bool callgrind_run(const struct traffic_run *run, const char *const *options, int *status, struct error *err);

/* What reads the folder that such a run left. callgrind_check_logs() says of the first process that valgrind gave up
 * why it did; the others are as callgrind_count() and traffic_simulate(). */
bool callgrind_check_logs(const char *folder, struct error *err);
bool callgrind_read_counts(const char *folder, struct profile *out, struct error *err);
bool callgrind_read_traffic(const char *folder, unsigned line_bytes, struct traffic out[TRAFFIC_MAX], size_t *count,
                            struct error *err);

#endif
