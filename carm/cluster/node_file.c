/* SPDX-License-Identifier: BSD-3-Clause */
#include "node_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/programs/scratch.h"
#include "carm/store/file_io.h"
#include "carm/store/results.h"
#include "probe/error.h"

enum { PATH_BYTES = 4300 };

static void path_of(const char *folder, const char *node, char out[PATH_BYTES]) {
    snprintf(out, PATH_BYTES, "%.4096s/%.100s.json", folder, node);
}

bool node_file_is_there(const char *folder, const char *node) {
    char path[PATH_BYTES];
    struct result result;
    struct error none;
    path_of(folder, node, path);
    if (!results_read(path, &result, &none))
        return false;
    const bool whole = !result.environment.interrupted;
    results_free(&result);
    return whole;
}

bool node_file_folder(const char *folder, struct error *err) {
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return error_set(err, "cannot make the folder %s: %s", folder, strerror(errno));
    return file_is_folder(folder) || error_set(err, "%s is not a folder: -o names the folder of the results", folder);
}

/* Reads the text like any result, from a file, so that every value is checked. */
static bool check(const char *text, struct result *out, struct error *err) {
    struct scratch scratch;
    char path[sizeof scratch.path + 16];
    if (!scratch_make(&scratch, err))
        return false;
    snprintf(path, sizeof path, "%s/sent", scratch.path);
    const bool done = file_write(path, text, strlen(text), true, err) && results_read(path, out, err);
    scratch_remove(&scratch);
    return done;
}

enum node_file_end node_file_write(const char *folder, const char *node, const char *text, struct error *err) {
    struct result result;
    char path[PATH_BYTES];
    if (!check(text, &result, err))
        return NODE_FILE_NONE;
    path_of(folder, node, path);
    snprintf(result.machine.host, sizeof result.machine.host, "%s", node);
    const bool written = results_write(&result, path, false, err);
    results_free(&result);
    return written ? NODE_FILE_KEPT : NODE_FILE_UNWRITABLE;
}
