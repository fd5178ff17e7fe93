/* SPDX-License-Identifier: BSD-3-Clause
 * Small text files of procfs and sysfs. `root` is put before every path: "" for this machine, or a folder with a
 * recorded tree, so that tests can cover machines that nobody has at hand. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The file's text without trailing white space, cut to `out_bytes`. False, with an empty text, if it is unreadable. */
bool osfile_text(const char *root, const char *path, char *out, size_t out_bytes);

/* Reads this many bytes at this offset; false: the file cannot be read, or is too short. */
bool osfile_bytes(const char *root, const char *path, int64_t offset, void *out, size_t bytes);

/* The number at the start of the file; false when there is no such file or number. */
bool osfile_number(const char *root, const char *path, int64_t *out);

/* The number after `key` at the start of a line ("MemAvailable:", "file"). */
bool osfile_field(const char *root, const char *path, const char *key, int64_t *out);

/* The rest of the first line that starts with `key`, without blanks and colon before it. */
bool osfile_line(const char *root, const char *path, const char *key, char *out, size_t out_bytes);
