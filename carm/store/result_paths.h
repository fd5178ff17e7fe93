/* SPDX-License-Identifier: BSD-3-Clause
 * The result files of a command line: named files, and all *.json of folders. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct error;

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
