/* SPDX-License-Identifier: BSD-3-Clause
 * carmine workload --file: a workload of the user's own, from its file to the library that is measured. */
#ifndef CARM_WORKLOAD_FILE_H
#define CARM_WORKLOAD_FILE_H

#include "cli.h"

#include "bench/programs/compile.h"
#include "bench/programs/scratch.h"
#include "bench/programs/workload.h"
#include "probe/isa.h"

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

#endif
