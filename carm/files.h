/* SPDX-License-Identifier: BSD-3-Clause
 * Whole files, so that nothing is lost: read with a bound, written beside and renamed. */
#ifndef CARM_FILES_H
#define CARM_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#include "../probe/error.h"

/* `*text` is malloc'ed and ends in NUL. Error: cannot open or read, larger than `most_bytes`. */
bool files_read(const char *path, size_t most_bytes, char **text, size_t *length, struct error *err);

/* Error: cannot write (the old file, if any, is as it was); `fresh`: the file exists already. */
bool files_write(const char *path, const char *text, size_t length, bool fresh, struct error *err);

/* Whether a file could be written there, found out before hours of measuring rather than after. */
bool files_writable(const char *path, struct error *err);

/* A file as it is now, so that it can be told later whether another process wrote it. */
struct file_stamp {
    bool exists; /* as a regular file */
    ino_t inode;
    struct timespec changed;
};
struct file_stamp files_stamp(const char *path);
bool files_same_stamp(const struct file_stamp *a, const struct file_stamp *b);

#endif
