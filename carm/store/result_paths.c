/* SPDX-License-Identifier: BSD-3-Clause
 * Files and folders of results. */
#include "file_io.h"
#include "probe/error.h"
#include "probe/need.h"
#include "results.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void add(struct result_paths *paths, char *path) {
    if (paths->count == paths->capacity)
        paths->list = need_realloc(paths->list, (paths->capacity = 2 * paths->capacity + 64) * sizeof *paths->list);
    paths->list[paths->count++] = path;
}

static bool is_result(const char *name) {
    const size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".json") == 0;
}

static int is_visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

/* Links are not followed, because one may point back. */
static bool is_own_folder(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool add_folder(struct result_paths *paths, const char *path, struct error *err) {
    struct dirent **entries;
    const int count = scandir(path, &entries, is_visible, versionsort);
    if (count < 0)
        return error_set(err, "%s: cannot read the folder: %s", path, strerror(errno));
    const size_t length = strlen(path);
    bool done = true;
    for (int i = 0; i < count; i++) {
        char *whole = NULL;
        if (asprintf(&whole, "%s%s%s", path, length && path[length - 1] == '/' ? "" : "/", entries[i]->d_name) < 0)
            need_end();
        if (done && is_own_folder(whole))
            done = !paths->nested || add_folder(paths, whole, err);
        else if (done && is_result(whole))
            add(paths, whole), whole = NULL;
        free(whole);
        free(entries[i]);
    }
    free(entries);
    return done;
}

bool result_paths_add(struct result_paths *paths, const char *path, struct error *err) {
    struct stat status;
    const size_t before = paths->count;
    if (stat(path, &status) != 0)
        return errno == ENOENT ? error_set(err, RESULTS_NO_FILE, path)
                               : error_set(err, "%s: cannot open: %s", path, strerror(errno));
    if (!S_ISDIR(status.st_mode)) {
        add(paths, need_strdup(path));
        return true;
    }
    if (!add_folder(paths, path, err))
        return false;
    paths->folders = need_realloc(paths->folders, (paths->folder_count + 1) * sizeof *paths->folders);
    paths->folders[paths->folder_count++] = (struct result_folder){need_strdup(path), before, paths->count - before};
    return paths->count > before || error_set(err, "%s: the folder holds no results (*.json)", path);
}

void result_paths_free(struct result_paths *paths) {
    for (size_t i = 0; i < paths->count; i++)
        free(paths->list[i]);
    for (size_t i = 0; i < paths->folder_count; i++)
        free(paths->folders[i].path);
    free(paths->list);
    free(paths->folders);
    *paths = (struct result_paths){0};
}
