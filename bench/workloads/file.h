/* SPDX-License-Identifier: BSD-3-Clause
 * A workload of the user's own: a library compiled from a file with the functions of carmine_workload.h, as a row. */
#ifndef BENCH_WORKLOADS_FILE_H
#define BENCH_WORKLOADS_FILE_H

#include "kernels/workload.h"

/* Loads the library and makes the row of it, for one task, whose close() takes it back. Errors: it cannot be loaded;
 * buffers() or run() is missing; buffers() gives none, or what cannot be. From here on what the file prints goes to
 * stderr, and a crash in it ends the process with status 2 and a line that names the function. */
const struct workload *workload_file_load(const char *path, const char *name, uint64_t n, struct error *err);

/* What is printed from now on is a report, and no more the file's. */
void workload_file_report(void);

#endif
