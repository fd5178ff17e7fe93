/* SPDX-License-Identifier: BSD-3-Clause
 * The result files that a command line means: files as they are named, and all *.json of folders. */
#ifndef CARM_RESULT_PATHS_H
#define CARM_RESULT_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include "probe/error.h"

/* A folder that was added, and which of the list it holds. */
struct result_folder {
    char *path;
    size_t first, count;
};

struct result_paths {
    bool nested; /* set before adding: folders within folders count too */
    size_t count, capacity, folder_count;
    char **list; /* those of a folder in the order of their names */
    struct result_folder *folders;
};

/* Adds a file, or what a folder holds; links to folders within it are not followed. Error: cannot be read, a folder
 * without *.json. */
bool result_paths_add(struct result_paths *paths, const char *path, struct error *err);
void result_paths_free(struct result_paths *paths);

#endif
