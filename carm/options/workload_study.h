/* SPDX-License-Identifier: BSD-3-Clause
 * What `carmine workload` is to measure, from its command line. */
#ifndef CARM_WORKLOAD_STUDY_H
#define CARM_WORKLOAD_STUDY_H

#include "cli.h"
#include "workload_file.h"
#include "workload_list.h"

#include "bench/kernels/plan.h"
#include "bench/programs/workload.h"

/* Every workload with every number of threads, each at every size. */
struct workload_study {
    size_t workload_count, thread_count, size_count; /* no sizes: each workload's own */
    const struct workload_entry *workloads[WORKLOAD_LIST_MAX];
    unsigned threads[PLAN_MAX_CHOICES];
    uint64_t sizes[SIZES_MAX];
    struct workload_file file;       /* of --file, and */
    struct workload_entry own;       /* its row, in place of the list's */
    struct workload_request request; /* all but what changes */
};

/* Sets all of the request that the options say, and leaves the rest as it is. Errors: an option's value; no workload,
 * an unknown one, one that cannot run, without that type or so many threads; more threads than
 * a machine takes, or than caches are simulated of. */
bool workload_study_read(const struct arguments *arguments, const struct workload_list *list,
                         const struct machine *machine, struct workload_study *out, struct error *err);

/* The sizes that were asked for, else the workload's own; returns how many. */
size_t workload_study_sizes(const struct workload_study *study, const struct workload_entry *entry, bool validation,
                            uint64_t sizes[SIZES_MAX]);

#endif
