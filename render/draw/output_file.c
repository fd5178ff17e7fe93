/* SPDX-License-Identifier: BSD-3-Clause
 * Writes files beside their target and renames them. */
#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 40 }; /* the kernel's limit of links in a chain */

/* "." of "x", "/" of "/x". */
static void folder_of(const char *path, char out[PATH_MAX]) {
    const char *slash = strrchr(path, '/');
    snprintf(out, PATH_MAX, "%.*s", slash ? (slash == path ? 1 : (int)(slash - path)) : 1, slash ? path : ".");
}

static bool leads_astray(const char *path, unsigned depth);

/* The rule of fs.protected_symlinks (the kernel's Documentation/admin-guide/sysctl/fs.rst), for folders with and
 * without the sticky bit. */
static bool is_astray(const char *link, const struct stat *of_link, unsigned depth) {
    char folder[PATH_MAX], text[PATH_MAX], next[2 * PATH_MAX + 2];
    struct stat of_folder;
    folder_of(link, folder);
    if (stat(folder, &of_folder) != 0 ||
        ((of_folder.st_mode & S_IWOTH) && of_link->st_uid != geteuid() && of_link->st_uid != of_folder.st_uid))
        return true;
    const ssize_t length = readlink(link, text, sizeof text - 1);
    if (length <= 0)
        return true;
    text[length] = '\0';
    snprintf(next, sizeof next, "%s%s%s", *text == '/' ? "" : folder, *text == '/' ? "" : "/", text);
    return leads_astray(next, depth + 1);
}

/* Whether a link of another user is on the path, in any folder. */
static bool leads_astray(const char *path, unsigned depth) {
    const size_t length = strlen(path);
    if (depth > MOST_LINKS || length >= PATH_MAX)
        return true;
    for (size_t end = 1; end <= length; end++) {
        char part[PATH_MAX];
        struct stat status;
        if (path[end] && path[end] != '/')
            continue;
        snprintf(part, sizeof part, "%.*s", (int)end, path);
        if (lstat(part, &status) != 0)
            return false;
        if (S_ISLNK(status.st_mode) && is_astray(part, &status, depth))
            return true;
    }
    return false;
}

int output_file_target(const char *path, char **target) {
    struct stat status;
    const bool exists = stat(path, &status) == 0;
    *target = NULL;
    if (!exists && (errno == ELOOP || errno == ENAMETOOLONG))
        return errno;
    if (exists && S_ISDIR(status.st_mode))
        return EISDIR;
    if (strlen(path) >= PATH_MAX)
        return ENAMETOOLONG;
    if (leads_astray(path, 0))
        return OUTPUT_FILE_FOREIGN;
    *target = exists && S_ISREG(status.st_mode) ? realpath(path, NULL) : strdup(path);
    return *target ? 0 : errno;
}

/* The path by which the kernel can give an open file a name. */
enum { LINK_BYTES = 32 };
static void link_of(int descriptor, char out[LINK_BYTES]) {
    snprintf(out, LINK_BYTES, "/proc/self/fd/%d", descriptor);
}

/* Opens a file without a name in the folder of `target`; the kernel removes it if the process is killed. -1: the
 * file system does not support that (NFS, Lustre), or the file cannot get a name later. */
static int open_nameless(const char *target) {
    char folder[PATH_MAX], link[LINK_BYTES];
    folder_of(target, folder);
    const int descriptor = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    link_of(descriptor, link);
    if (descriptor < 0 || access(link, F_OK) == 0)
        return descriptor;
    close(descriptor);
    return -1;
}

/* Gives a nameless file the name `beside`. */
static int name_beside(const struct output_file *file) {
    char link[LINK_BYTES];
    link_of(file->descriptor, link);
    return linkat(AT_FDCWD, link, AT_FDCWD, file->beside, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

static int make_beside(struct output_file *file) {
    file->descriptor = open(file->beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    return file->descriptor < 0 ? errno : 0;
}

/* Kernels before 3.17 have no getrandom(2): then it is of the bytes that the kernel gave to this process. */
static uint64_t random_number(int tries) {
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) == sizeof number)
        return number;
    memcpy(&number, (const void *)(uintptr_t)getauxval(AT_RANDOM), sizeof number);
    return number + (uint64_t)getpid() * UINT32_MAX + (uint64_t)tries;
}

/* Chooses a name for `beside` that no process on any node uses or has left, and calls one of the functions above. */
static int take_beside(struct output_file *file) {
    enum { MOST_TRIES = 100 };
    int reason = EEXIST;
    for (int tries = 0; tries < MOST_TRIES && reason == EEXIST; tries++) {
        const uint64_t number = random_number(tries);
        free(file->beside);
        if (asprintf(&file->beside, "%s.%016" PRIx64 ".tmp", file->target, number) < 0) {
            file->beside = NULL;
            return ENOMEM;
        }
        reason = file->nameless ? name_beside(file) : make_beside(file);
    }
    return reason;
}

static int open_regular(struct output_file *file) {
    file->descriptor = open_nameless(file->target);
    file->nameless = file->descriptor >= 0;
    return file->nameless ? 0 : take_beside(file);
}

/* Sets the owner first, since a change of the owner removes rights. Ignores what the system does not allow. */
static void keep_rights(int descriptor, const struct stat *before) {
    if (fchown(descriptor, before->st_uid, before->st_gid) != 0)
        (void)!fchown(descriptor, (uid_t)-1, before->st_gid);
    (void)fchmod(descriptor, before->st_mode & 0777);
}

static void forget(struct output_file *file) {
    free(file->target);
    free(file->beside);
    *file = (struct output_file){.descriptor = -1};
}

int output_file_open(struct output_file *out, const char *path) {
    struct stat before;
    *out = (struct output_file){.descriptor = -1};
    int reason = output_file_target(path, &out->target);
    if (reason)
        return reason;
    const bool exists = stat(out->target, &before) == 0;
    out->regular = !exists || S_ISREG(before.st_mode);
    if (out->regular) {
        reason = open_regular(out);
    } else {
        out->descriptor = open(out->target, O_WRONLY | O_CLOEXEC);
        reason = out->descriptor < 0 ? errno : 0;
    }
    if (reason)
        forget(out);
    else if (out->regular && exists)
        keep_rights(out->descriptor, &before);
    return reason;
}

/* Makes the new name survive a power failure, if the file system can. */
static void sync_folder(const char *path) {
    char folder[PATH_MAX];
    folder_of(path, folder);
    const int opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened >= 0) {
        fsync(opened);
        close(opened);
    }
}

/* Takes a fresh name first, so that one of two runs fails. */
static int take_name(const struct output_file *file, bool fresh) {
    const int taken = fresh ? open(file->target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666) : -1;
    if (fresh && taken < 0)
        return errno;
    if (taken >= 0)
        close(taken);
    if (rename(file->beside, file->target) == 0) {
        sync_folder(file->target);
        return 0;
    }
    const int reason = errno;
    if (taken >= 0)
        unlink(file->target);
    return reason;
}

/* A disk or a network that has accepted the bytes may still fail to store them: fsync and close are the last to
 * report that. */
int output_file_close(struct output_file *file, bool whole, bool fresh) {
    int reason = 0;
    if (whole && file->regular && fsync(file->descriptor) != 0 && errno != EINVAL)
        reason = errno;
    if (whole && file->nameless && reason == 0)
        reason = take_beside(file);
    if (close(file->descriptor) != 0 && reason == 0)
        reason = errno;
    if (whole && file->regular && reason == 0)
        reason = take_name(file, fresh);
    if (file->beside && (!whole || reason))
        unlink(file->beside);
    forget(file);
    return reason;
}

int output_file_put(int descriptor, const void *bytes, size_t count) {
    for (const char *from = bytes; count > 0;) {
        const ssize_t put = write(descriptor, from, count);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return put < 0 ? errno : EIO;
        from += put;
        count -= (size_t)put;
    }
    return 0;
}

const char *output_file_why(int reason) {
    return reason == OUTPUT_FILE_FOREIGN ? "another user's link leads there, from a folder that all may write to"
                                         : strerror(reason);
}

const char *output_file_remedy(int reason) {
    static const struct {
        int reason;
        const char *remedy;
    } ROWS[] = {
        {ENOSPC, "free some space or choose another place"},
        {EDQUOT, "free some space or choose another place"},
        {EACCES, "choose a folder that exists and is yours to write"},
        {EPERM, "choose a folder that exists and is yours to write"},
        {EROFS, "choose a place on another file system: this one is read-only"},
        {ENOENT, "make its folder, or choose one that exists"},
        {ENOTDIR, "choose a place within folders: a part of this path is a file"},
        {ENAMETOOLONG, "choose a shorter name"},
        {ELOOP, "choose another place: its links lead in a circle"},
        {EISDIR, "name a file"},
        {EFBIG, "raise `ulimit -f`"},
        {EMFILE, "raise `ulimit -n`"},
        {OUTPUT_FILE_FOREIGN, "remove the link or choose another place"},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++)
        if (ROWS[i].reason == reason)
            return ROWS[i].remedy;
    return "choose another place";
}
