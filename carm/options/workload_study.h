/* SPDX-License-Identifier: BSD-3-Clause
 * What `carmine workload` is to measure, from its command line. */
#ifndef CARM_WORKLOAD_STUDY_H
#define CARM_WORKLOAD_STUDY_H

#include "cli.h"
#include "workload_list.h"

#include "bench/kernels/plan.h"
#include "bench/programs/program.h"
#include "bench/programs/scratch.h"
#include "bench/programs/workload.h"
#include "probe/isa.h"

/* carmine workload --file: a workload of the user's own, from its file to the library that is measured. */

struct workload_file {
    char name[48];  /* of the workload: that of the file, without its ending */
    char label[64]; /* of its points: --name, else `name` with compiler and flags where these were given */
    struct compile_wish wish;
    char library[600], compiler[192];
    struct workload_own own; /* points into the above, once it is compiled */
};

/* Whether --file was given. Errors: a workload is named, too; an option that is of built-in ones alone, or of --file
 * and without it; no --sizes; flags too long for a label. */
bool workload_file_read(const struct arguments *arguments, struct workload_file *out, bool *given, struct error *err);

/* Compiles it into `scratch`. What the compiler says goes to stderr. Error: as of compile_library(). */
bool workload_file_compile(struct workload_file *file, const struct workload_request *request,
                           const struct scratch *scratch, struct error *err);

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
