/* SPDX-License-Identifier: BSD-3-Clause
 * The result files that a command line means: files as they are named, and all *.json of folders. */
#ifndef CARM_RESULT_PATHS_H
#define CARM_RESULT_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include "probe/error.h"

struct result_paths {
    bool nested; /* set before adding: folders within folders count too */
    size_t count, capacity;
    char **list; /* those of a folder in the order of their names */
};

/* Adds a file, or what a folder holds; links to folders within it are not followed. Error: cannot be read, a folder
 * without *.json. */
bool result_paths_add(struct result_paths *paths, const char *path, struct error *err);
void result_paths_free(struct result_paths *paths);

#endif
