/* SPDX-License-Identifier: BSD-3-Clause
 * Where a file's bytes go. A regular file is written beside, without a name or under one that nobody has, and takes its
 * own at one stroke: a reader finds the old one or the new one, whole, with the permissions and the owner that it had.
 * A process that is killed leaves "FILE.<number>.tmp" only on file systems without nameless files. Of a link
 * what it leads to is replaced; but no link is followed that another user made in a folder that all may write to, such
 * as /tmp, whatever the system allows. What is no regular file (a pipe, /dev/null) cannot be replaced and is written
 * to.
 */
#ifndef RENDER_OUTPUT_FILE_H
#define RENDER_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct output_file {
    int descriptor; /* to be written to */
    bool regular, nameless;
    char *target, *beside;
};

/* 0, or why not: an errno, or OUTPUT_FILE_FOREIGN; then there is nothing to be closed. EISDIR: it is a folder. */
enum { OUTPUT_FILE_FOREIGN = -1 };
int output_file_open(struct output_file *out, const char *path);

/* The real path that would be replaced, to be freed; as output_file_open(). */
int output_file_target(const char *path, char **target);

/* Closes it: it takes its name once it has arrived on the disk, if `whole`. 0, or why not: then there is nothing new,
 * and nothing left. `fresh`: EEXIST where there is such a file already. */
int output_file_close(struct output_file *file, bool whole, bool fresh);

/* Writes them all, whatever the system takes at a time. 0, or why not: an errno. */
int output_file_put(int descriptor, const void *bytes, size_t count);

/* In words. */
const char *output_file_why(int reason);

#endif
