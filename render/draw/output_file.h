/* SPDX-License-Identifier: BSD-3-Clause
 * Output files. A regular file is written beside its target, without a name or under an unused one, and then renamed
 * in one step: a reader finds the whole old or the whole new file, with the old permissions and owner. A killed
 * process leaves "FILE.<number>.tmp" only on file systems without nameless files. A link's target is replaced, not
 * the link. A link that another user made in a folder that all may write to, such as /tmp, is never followed,
 * whatever the system allows. Other files (a pipe, /dev/null) are written to directly. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct output_file {
    int descriptor; /* for writing */
    bool regular, nameless;
    char *target, *beside;
};

/* Returns 0, or the error with nothing to close: an errno, or OUTPUT_FILE_FOREIGN. EISDIR: it is a folder. */
enum { OUTPUT_FILE_FOREIGN = -1 };
int output_file_open(struct output_file *out, const char *path);

/* The real path of the file to be replaced, to be freed. Errors: as of output_file_open(). */
int output_file_target(const char *path, char **target);

/* Closes the file. If `whole`, it gets its name once it is on the disk. Returns 0, or an errno: then nothing new
 * exists, and nothing is left. With `fresh`, EEXIST: the file exists already. */
int output_file_close(struct output_file *file, bool whole, bool fresh);

/* Writes all bytes, in as many writes as needed. Returns 0 or an errno. */
int output_file_put(int descriptor, const void *bytes, size_t count);

/* The error in words, and what to do. */
const char *output_file_why(int reason);
const char *output_file_remedy(int reason);
