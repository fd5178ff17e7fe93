/* SPDX-License-Identifier: BSD-3-Clause
 * A temporary folder that goes away with all that is in it: with this process, or when the next one makes its own. */
#ifndef BENCH_PROGRAMS_SCRATCH_H
#define BENCH_PROGRAMS_SCRATCH_H

#include <stdbool.h>

#include "probe/error.h"

struct scratch {
    char path[512]; /* absolute; "" when there is none */
    int lock;       /* holds it, as long as this process lives */
};

/* Under TMPDIR, or /tmp, where folders go that this user's processes on this host left when they were killed: those
 * that nobody holds. Error: no folder can be made. */
bool scratch_make(struct scratch *out, struct error *err);
/* A new folder inside; its path is written to `out`. */
bool scratch_folder(const struct scratch *scratch, const char *name, char *out, size_t size, struct error *err);
/* Where this is root: whatever user the program becomes, it may make files in such a folder. It learns no names of it.
 */
bool scratch_share(const struct scratch *scratch, const char *folder, struct error *err);
void scratch_remove(struct scratch *scratch);

#endif
