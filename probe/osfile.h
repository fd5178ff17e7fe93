/* SPDX-License-Identifier: BSD-3-Clause
 * Small text files of procfs and sysfs. `root` is put before every path: "" for this machine, or a folder with a
 * recorded tree, so that what is read from them can be tested for machines that nobody has at hand. */
#ifndef PROBE_OSFILE_H
#define PROBE_OSFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The file's text without trailing white space, cut to `out_bytes`. False, and an empty text, when it cannot be read.
 */
bool osfile_text(const char *root, const char *path, char *out, size_t out_bytes);

/* So many bytes from so far behind the file's begin; false: it cannot be read, or has no such. */
bool osfile_bytes(const char *root, const char *path, int64_t offset, void *out, size_t bytes);

/* The number that the file starts with; false when there is no such file or no number in it. */
bool osfile_number(const char *root, const char *path, int64_t *out);

/* The number after `key` at the start of a line ("MemAvailable:", "file"). */
bool osfile_field(const char *root, const char *path, const char *key, int64_t *out);

/* The rest of the first line that starts with `key`, without blanks and colon before it. */
bool osfile_line(const char *root, const char *path, const char *key, char *out, size_t out_bytes);

#endif
