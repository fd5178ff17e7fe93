/* SPDX-License-Identifier: BSD-3-Clause
 * Files and folders of results (see paths.h). */
#include "paths.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void add(struct paths *paths, char *path) {
    if (paths->count == paths->capacity)
        paths->list = realloc(paths->list, (paths->capacity = 2 * paths->capacity + 64) * sizeof *paths->list);
    paths->list[paths->count++] = path;
}

static int is_result(const struct dirent *entry) {
    const size_t length = strlen(entry->d_name);
    return length > 5 && entry->d_name[0] != '.' && strcmp(entry->d_name + length - 5, ".json") == 0;
}

bool paths_add(struct paths *paths, const char *path, struct error *err) {
    struct stat status;
    if (stat(path, &status) != 0)
        return error_set(err, "%s: cannot open: %s", path, strerror(errno));
    if (!S_ISDIR(status.st_mode)) {
        add(paths, strdup(path));
        return true;
    }
    struct dirent **entries;
    const int count = scandir(path, &entries, is_result, versionsort);
    if (count < 0)
        return error_set(err, "%s: cannot read the folder: %s", path, strerror(errno));
    const size_t length = strlen(path);
    for (int i = 0; i < count; i++) {
        char *whole;
        if (asprintf(&whole, "%s%s%s", path, length && path[length - 1] == '/' ? "" : "/", entries[i]->d_name) > 0)
            add(paths, whole);
        free(entries[i]);
    }
    free(entries);
    return count > 0 || error_set(err, "%s: the folder holds no results (*.json)", path);
}

void paths_free(struct paths *paths) {
    for (size_t i = 0; i < paths->count; i++)
        free(paths->list[i]);
    free(paths->list);
    *paths = (struct paths){0};
}
