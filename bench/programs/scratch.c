/* SPDX-License-Identifier: BSD-3-Clause */
#include "scratch.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "probe/error.h"
#include "probe/need.h"

enum { PREFIX_BYTES = 80, UNIQUE = 6 /* letters of mkdtemp() */ };

/* The name contains the host: nodes may share TMPDIR, but not each other's locks. */
static void name_prefix(char out[PREFIX_BYTES]) {
    char host[64] = "";
    gethostname(host, sizeof host - 1);
    for (char *c = host; *c; c++)
        *c = isalnum((unsigned char)*c) || *c == '.' ? *c : '_';
    snprintf(out, PREFIX_BYTES, "carmine-%s-", host);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status, (void)kind, (void)place;
    remove(path);
    return 0;
}

static void remove_all(const char *path) {
    enum { OPEN_FOLDERS = 8 };
    nftw(path, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

/* Removes folders that can be locked: their owner has ended. On file systems without locks (NFS) none is removed. */
static void sweep(const char *parent, const char *prefix) {
    DIR *folder = opendir(parent);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char path[sizeof((struct scratch *)0)->path];
        struct stat status;
        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0 || strlen(entry->d_name) != strlen(prefix) + UNIQUE)
            continue;
        snprintf(path, sizeof path, "%s/%.*s", parent, PREFIX_BYTES + UNIQUE, entry->d_name);
        const int held = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (held >= 0 && fstat(held, &status) == 0 && status.st_uid == geteuid() && flock(held, LOCK_EX | LOCK_NB) == 0)
            remove_all(path);
        if (held >= 0)
            close(held);
    }
    if (folder)
        closedir(folder);
}

/* 0, or errno: ENOENT if another process removes it just now, before it is locked. */
static int hold(struct scratch *scratch) {
    scratch->lock = open(scratch->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (scratch->lock < 0)
        return errno;
    const bool sweeping = flock(scratch->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!sweeping && access(scratch->path, F_OK) == 0)
        return 0;
    close(scratch->lock);
    return ENOENT;
}

bool scratch_make(struct scratch *out, struct error *err) {
    const char *parent = getenv("TMPDIR");
    char absolute[400], prefix[PREFIX_BYTES];
    parent = parent && *parent ? parent : "/tmp";
    if (strlen(parent) >= sizeof absolute)
        return error_set(err, "TMPDIR is too long");
    if (*parent != '/') { /* the program may change its folder */
        char *whole = realpath(parent, NULL);
        if (!whole && errno == ENOMEM)
            need_end();
        snprintf(absolute, sizeof absolute, "%s", whole ? whole : parent);
        free(whole);
    } else {
        snprintf(absolute, sizeof absolute, "%s", parent);
    }
    name_prefix(prefix);
    sweep(absolute, prefix);
    int reason = ENOENT;
    while (reason == ENOENT) { /* removed before it was locked */
        snprintf(out->path, sizeof out->path, "%s/%sXXXXXX", absolute, prefix);
        if (!mkdtemp(out->path)) {
            reason = errno;
            break;
        }
        reason = hold(out);
        if (reason == 0)
            return true;
    }
    out->path[0] = '\0';
    return error_set(err, "cannot make a folder in %s: %s; set TMPDIR to a folder with space", absolute,
                     strerror(reason));
}

bool scratch_folder(const struct scratch *scratch, const char *name, char *out, size_t size, struct error *err) {
    snprintf(out, size, "%s/%s", scratch->path, name);
    return mkdir(out, 0700) == 0 || error_set(err, "cannot make the folder %s: %s", out, strerror(errno));
}

bool scratch_share(const struct scratch *scratch, const char *folder, struct error *err) {
    enum { ALL_MAY_PASS = 0711, ALL_MAY_ADD = 01733 };
    return geteuid() != 0 || (chmod(scratch->path, ALL_MAY_PASS) == 0 && chmod(folder, ALL_MAY_ADD) == 0) ||
           error_set(err, "cannot change the rights of %s: %s", folder, strerror(errno));
}

void scratch_remove(struct scratch *scratch) {
    enum { ATTEMPTS = 50 };
    const struct timespec moment = {.tv_nsec = 10000000};
    /* Processes that the program started may live on a little, and leave a report just now. */
    for (unsigned i = 0; i < ATTEMPTS && scratch->path[0]; i++) {
        remove_all(scratch->path);
        if (access(scratch->path, F_OK) != 0)
            break;
        nanosleep(&moment, NULL);
    }
    if (scratch->path[0] && scratch->lock >= 0)
        close(scratch->lock);
    scratch->path[0] = '\0';
}
