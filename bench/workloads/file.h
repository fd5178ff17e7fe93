/* SPDX-License-Identifier: BSD-3-Clause
 * A user's own workload: a library compiled from a file with the functions of carmine_workload.h, as a row. */
#pragma once

#include "kernels/workload.h"

/* Loads the library and makes its row, for one task; its close() unloads it. Errors: it cannot be loaded; buffers()
 * or run() is missing; buffers() defines no buffers, or invalid ones. From here on the file's output goes to stderr,
 * and a crash in the file ends the process with status 2 and a line with the function's name. */
const struct workload *workload_file_load(const char *path, const char *name, uint64_t n, struct error *err);

/* Later output belongs to the report and goes to stdout again. */
void workload_file_report(void);
