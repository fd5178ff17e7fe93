/* SPDX-License-Identifier: BSD-3-Clause
 * Whole files, so that nothing is lost: read with a bound, written beside and renamed, locked while they are changed.
 */
#ifndef CARM_FILE_IO_H
#define CARM_FILE_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#include "probe/error.h"

/* Or a link to one. */
bool file_is_folder(const char *path);

/* A pipe, a device or a socket: reading one may wait for ever. */
bool file_is_stream(const char *path);

/* `*text` is malloc'ed, `*length` bytes and then a NUL; on an error there is nothing to be freed. Error: cannot open or
 * read, larger than `most_bytes`. */
bool file_read(const char *path, size_t most_bytes, char **text, size_t *length, struct error *err);

/* All `length` bytes, or none: written beside and renamed, with file and folder synced (a pipe is written to as
 * it is). Error: cannot write (the old file, if any, is as it was); `fresh`: the file exists already. */
bool file_write(const char *path, const char *text, size_t length, bool fresh, struct error *err);

/* Whether a file could be written there and a small result has room, found out before hours of measuring rather than
 * after. Error: why not, and to choose another place. */
bool file_writable(const char *path, struct error *err);

/* A file as it is now, so that it can be told later whether another process wrote it. */
struct file_stamp {
    bool exists; /* as a regular file that holds something */
    ino_t inode;
    struct timespec changed;
};
struct file_stamp file_stamp(const char *path);
bool file_same_stamp(const struct file_stamp *a, const struct file_stamp *b);

/* Between the two, no other process that asks has the file: so that what is read, changed and written again loses
 * nothing of what others add. Waits for them. A file that is not there yet is there meanwhile, empty. Where the file
 * system knows no locks this is said, and done without. `*lock` is for file_unlock(). Error: cannot open. */
bool file_lock(const char *path, int *lock, struct error *err);
void file_unlock(const char *path, int lock);

#endif
