/* SPDX-License-Identifier: BSD-3-Clause
 * What carmine-workload prints: JSON, one object a line. */
#ifndef BENCH_WORKLOADS_REPORT_H
#define BENCH_WORKLOADS_REPORT_H

#include "measure.h"

struct outcome {
    const struct task *task;
    const struct measuring *measuring;
    const char *type, *cpus;
    uint64_t page_bytes;
    const double *seconds, *clock_hz; /* by repetition */
    double error;
    bool ok;
};

void report_outcome(const struct outcome *outcome);

/* A row of the table; `missing` says why it cannot be run here, NULL: it can. */
void report_row(const struct workload *workload, bool has_f32, const char *missing);

#endif
