/* SPDX-License-Identifier: BSD-3-Clause
 * Temporary folders (see scratch.h). */
#include "scratch.h"

#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

bool scratch_make(struct scratch *out, struct error *err) {
    const char *parent = getenv("TMPDIR");
    char absolute[400];
    parent = parent && *parent ? parent : "/tmp";
    if (strlen(parent) >= sizeof absolute)
        return error_set(err, "TMPDIR is too long");
    if (*parent != '/') { /* the program may change its folder */
        char *whole = realpath(parent, NULL);
        snprintf(absolute, sizeof absolute, "%s", whole ? whole : parent);
        free(whole);
    } else {
        snprintf(absolute, sizeof absolute, "%s", parent);
    }
    snprintf(out->path, sizeof out->path, "%s/carmine-XXXXXX", absolute);
    if (mkdtemp(out->path))
        return true;
    int reason = errno;
    out->path[0] = '\0';
    return error_set(err, "cannot make a folder in %s: %s; set TMPDIR to a folder with space", absolute,
                     strerror(reason));
}

bool scratch_folder(const struct scratch *scratch, const char *name, char *out, size_t size, struct error *err) {
    snprintf(out, size, "%s/%s", scratch->path, name);
    return mkdir(out, 0700) == 0 || error_set(err, "cannot make the folder %s: %s", out, strerror(errno));
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status, (void)kind, (void)place;
    remove(path);
    return 0;
}

void scratch_remove(struct scratch *scratch) {
    enum { OPEN_FOLDERS = 8, ATTEMPTS = 50 };
    const struct timespec moment = {.tv_nsec = 10000000};
    /* What the program started may live on a little, and leave its report just now. */
    for (unsigned i = 0; i < ATTEMPTS && scratch->path[0]; i++) {
        nftw(scratch->path, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
        if (access(scratch->path, F_OK) != 0)
            break;
        nanosleep(&moment, NULL);
    }
    scratch->path[0] = '\0';
}
