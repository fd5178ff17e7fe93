/* SPDX-License-Identifier: BSD-3-Clause
 * Whole files without loss: read up to a limit, written to a temporary file and renamed, locked during changes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

struct error;

/* Or a link to a folder. */
bool file_is_folder(const char *path);

/* A pipe, a device or a socket: reading may block for ever. */
bool file_is_stream(const char *path);

/* `*text` is malloc'ed: `*length` bytes and a NUL. After an error nothing must be freed. Error: cannot open or read,
 * larger than `most_bytes`. */
bool file_read(const char *path, size_t most_bytes, char **text, size_t *length, struct error *err);

/* Writes all `length` bytes or none: into a temporary file that is renamed, with file and folder synced (a pipe is
 * written directly). Error: cannot write, the old file is unchanged; with `fresh`: the file exists already. */
bool file_write(const char *path, const char *text, size_t length, bool fresh, struct error *err);

/* Whether a file can be written there, with room for a small result. Checked before hours of measuring. Error: the
 * reason and a remedy. */
bool file_writable(const char *path, struct error *err);

/* The identity of a file's content, to notice that another process wrote it. */
struct file_stamp {
    bool exists; /* a regular file that is not empty */
    ino_t inode;
    struct timespec changed;
};
struct file_stamp file_stamp(const char *path);
bool file_same_stamp(const struct file_stamp *a, const struct file_stamp *b);

/* Between the two calls no other process that locks has the file, so a read, changed and written file loses no
 * additions of others. Waits for the lock. Creates a missing file, empty. Prints a warning and continues if the file
 * system has no locks. `*lock` is for file_unlock(). Error: cannot open. */
bool file_lock(const char *path, int *lock, struct error *err);
void file_unlock(const char *path, int lock);

/* The result files of a command line: named files, and all *.json of folders. */

/* An added folder, and its part of the list. */
struct result_folder {
    char *path;
    size_t first, count;
};

struct result_paths {
    bool nested; /* set before adding: include folders within folders */
    size_t count, capacity, folder_count;
    char **list; /* files of a folder are sorted by name */
    struct result_folder *folders;
};

/* Adds a file, or the files of a folder. Links to folders in it are not followed. Error: cannot be read, or a folder
 * without *.json. */
bool result_paths_add(struct result_paths *paths, const char *path, struct error *err);
void result_paths_free(struct result_paths *paths);
