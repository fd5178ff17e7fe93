/* SPDX-License-Identifier: BSD-3-Clause
 * A temporary folder that goes away with all that is in it. */
#ifndef BENCH_SCRATCH_H
#define BENCH_SCRATCH_H

#include <stdbool.h>

#include "probe/error.h"

struct scratch {
    char path[512]; /* absolute; "" when there is none */
};

/* Under TMPDIR, or /tmp. */
bool scratch_make(struct scratch *out, struct error *err);
/* A new folder inside; its path is written to `out`. */
bool scratch_folder(const struct scratch *scratch, const char *name, char *out, size_t size, struct error *err);
void scratch_remove(struct scratch *scratch);

#endif
