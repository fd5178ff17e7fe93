/* SPDX-License-Identifier: BSD-3-Clause
 * The study that `carmine workload` measures, from its command line. */
#pragma once

#include "cli.h"
#include "workload_list.h"

#include "bench/kernels/plan.h"
#include "bench/programs/program.h"
#include "bench/programs/scratch.h"
#include "bench/programs/workload.h"
#include "probe/isa.h"

/* A file instead of names: the user's own workload, from its source to the library to measure. */

struct workload_file {
    char name[48];  /* of the workload: the file's, without its suffix */
    char label[64]; /* of its points: --name, else `name` with compiler and flags if given */
    struct compile_wish wish;
    char library[600], compiler[192];
    struct workload_own own; /* points into this struct after compilation */
};

/* `given`: whether the operand is a file. Errors: an option needs a built-in workload, or needs a file; no --sizes;
 * flags too long for a label. */
bool workload_file_read(const struct arguments *arguments, struct workload_file *out, bool *given, struct error *err);

/* Compiles it into `scratch`. Messages of the compiler are printed on stderr. Errors as in compile_library(). */
bool workload_file_compile(struct workload_file *file, const struct workload_request *request,
                           const struct scratch *scratch, struct error *err);

/* Every workload with every number of threads at every size. */
struct workload_study {
    size_t workload_count, thread_count, size_count; /* no sizes: the workload's own */
    const struct workload_entry *workloads[WORKLOAD_LIST_MAX];
    unsigned threads[PLAN_MAX_CHOICES];
    uint64_t sizes[SIZES_MAX];
    struct workload_file file;       /* the user's, and */
    struct workload_entry own;       /* its row, instead of a row of the list */
    struct workload_request request; /* without workload, size and threads */
};

/* Sets the options' part of the request, and leaves the rest unchanged. Errors: a wrong value; a workload that is
 * missing, unknown, cannot run, or lacks the type or the number of threads; more threads than the machine allows, or
 * than simulated cores. */
bool workload_study_read(const struct arguments *arguments, const struct workload_list *list,
                         const struct machine *machine, struct workload_study *out, struct error *err);

/* The requested sizes, else the workload's own. Returns their number. */
size_t workload_study_sizes(const struct workload_study *study, const struct workload_entry *entry, bool validation,
                            uint64_t sizes[SIZES_MAX]);
