/* SPDX-License-Identifier: BSD-3-Clause
 * A temporary folder that is removed with its contents: with this process, or when the next process makes its own. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct error;

struct scratch {
    char path[512]; /* absolute; "" if there is none */
    int lock;       /* held as long as this process lives */
};

/* Under TMPDIR, or /tmp. Also removes abandoned folders there: those of this user's killed processes on this host.
 * Error: no folder can be made. */
bool scratch_make(struct scratch *out, struct error *err);
/* A new folder inside; its path is written to `out`. */
bool scratch_folder(const struct scratch *scratch, const char *name, char *out, size_t size, struct error *err);
/* If this is root: lets any user that the program becomes make files in the folder, but not list it. */
bool scratch_share(const struct scratch *scratch, const char *folder, struct error *err);
void scratch_remove(struct scratch *scratch);
