/* SPDX-License-Identifier: BSD-3-Clause
 * The file of a soak while it is written: line by line, each whole and on the disk before the next round begins. What
 * cannot be written, as on a full disk, waits, and is tried again with the next line. */
#ifndef CARM_SOAK_LOG_H
#define CARM_SOAK_LOG_H

#include <sys/types.h>

#include "soak.h"

struct soak_log {
    int file;             /* -1: not open */
    bool regular, failed; /* failed: that it could not be written was said */
    const char *path;
    off_t end;     /* of the whole lines in it */
    char *pending; /* lines that are not */
    size_t pending_bytes;
};

/* A new log, or an empty file. Error: there is one already, another program writes it, cannot write. */
bool soak_log_create(struct soak_log *out, const char *path, struct error *err);

/* The one that was read: what follows its whole lines is cut off. Error: another program writes it, cannot write. */
bool soak_log_resume(struct soak_log *out, const char *path, const struct soak *soak, struct error *err);

/* Writes a line, and releases it. Where it cannot be written this is said once. */
void soak_log_put(struct soak_log *log, json_t *line);

/* Error: some lines could not be written. */
bool soak_log_close(struct soak_log *log, struct error *err);

#endif
