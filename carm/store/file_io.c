/* SPDX-License-Identifier: BSD-3-Clause
 * Whole files (see file_io.h). */
#include "file_io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/need.h"
#include "render/page/safe_text.h"

bool file_is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool file_read(const char *path, size_t most_bytes, char **text, size_t *length, struct error *err) {
    FILE *file = fopen(path, "rb");
    if (!file && errno == ENOMEM) /* which is no fault of the file: who passes over one that is must not go on */
        need_end();
    if (!file)
        return error_set(err, "%s: cannot open: %s", path, strerror(errno));
    struct stat status;
    bool done = fstat(fileno(file), &status) == 0 && !S_ISDIR(status.st_mode);
    if (!done) {
        fclose(file);
        return error_set(err, "%s: not a file", path);
    }
    size_t capacity = 65536;
    *text = need_malloc(capacity);
    *length = 0;
    for (size_t got; *length <= most_bytes && (got = fread(*text + *length, 1, capacity - *length - 1, file)) > 0;) {
        *length += got;
        if (*length + 1 == capacity)
            *text = need_realloc(*text, capacity *= 2);
    }
    (*text)[*length] = '\0';
    if (*length > most_bytes)
        done = error_set(err, "%s: larger than %zu MiB: not a carmine result", path, most_bytes >> 20);
    else if (ferror(file))
        done = error_set(err, "%s: cannot read: %s", path, strerror(errno));
    fclose(file);
    if (!done)
        free(*text);
    return done;
}

/* Where the bytes go first. A file is written beside and renamed, and a link's target is replaced, not the link; what
 * is no regular file (a pipe, /dev/null) cannot be replaced and is written to. Both names are to be freed. */
struct file_place {
    char *target, *beside;
    bool regular;
};

/* What helps against the reason, an errno, why a file cannot be written. */
static const char *remedy(int reason) {
    switch (reason) {
    case EFBIG:
        return "raise `ulimit -f`";
    case EMFILE:
        return "raise `ulimit -n`";
    default:
        return "free some space or choose another place with -o";
    }
}

static bool find_place(const char *path, struct file_place *out, struct error *err) {
    struct stat status;
    bool exists = stat(path, &status) == 0;
    *out = (struct file_place){.regular = !exists || S_ISREG(status.st_mode)};
    if (exists && S_ISDIR(status.st_mode))
        return error_set(err, "%s is a directory; name a file with -o", path);
    char host[65] = ""; /* nodes that share a file system may have processes of one number */
    gethostname(host, sizeof host - 1);
    out->target = exists && out->regular ? realpath(path, NULL) : strdup(path);
    if (out->target &&
        (!out->regular || asprintf(&out->beside, "%s.%s.%ld.tmp", out->target, host, (long)getpid()) > 0))
        return true;
    free(out->target);
    return error_set(err, "cannot write %s: %s", path, strerror(errno));
}

/* One that was killed while it wrote, with our number, has left that name: then another is taken. */
static int open_place(struct file_place *place) {
    enum { MAX_TRIES = 1000 };
    if (!place->regular)
        return open(place->target, O_WRONLY | O_CLOEXEC);
    int file = -1;
    for (int tries = 0; tries < MAX_TRIES && file < 0; tries++) {
        file = open(place->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        char *next = NULL;
        if (file >= 0 || errno != EEXIST || asprintf(&next, "%s.tmp", place->beside) < 0)
            break;
        free(place->beside);
        place->beside = next;
    }
    return file;
}

/* The new name, too, outlasts a power failure. Not all file systems can: then it is as good as it gets. */
static void sync_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    const int opened = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (opened >= 0) {
        fsync(opened);
        close(opened);
    }
    free(folder);
}

static void free_place(struct file_place *place) {
    free(place->target);
    free(place->beside);
}

bool file_writable(const char *path, struct error *err) {
    struct file_place place;
    if (!find_place(path, &place, err))
        return false;
    int file = open_place(&place);
    if (file < 0)
        error_set(err, "cannot write %s: %s; %s", path, strerror(errno), remedy(errno));
    else
        close(file);
    if (file >= 0 && place.regular)
        unlink(place.beside);
    free_place(&place);
    return file >= 0;
}

static bool write_all(int file, const char *text, size_t length) {
    for (size_t at = 0; at < length;) {
        ssize_t put = write(file, text + at, length - at);
        if (put < 0 && errno != EINTR)
            return false;
        at += put > 0 ? (size_t)put : 0;
    }
    return true;
}

/* The complete file takes its name, at one stroke; a fresh name is taken first, so that of two runs one fails. */
static bool take_name(const struct file_place *place, bool fresh) {
    int taken = fresh ? open(place->target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
    if (fresh && taken < 0)
        return false;
    if (taken >= 0)
        close(taken);
    if (rename(place->beside, place->target) != 0) {
        const int reason = errno;
        if (taken >= 0)
            unlink(place->target);
        errno = reason;
        return false;
    }
    sync_folder(place->target);
    return true;
}

struct file_stamp file_stamp(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0)
        return (struct file_stamp){0};
    return (struct file_stamp){.exists = true, .inode = status.st_ino, .changed = status.st_mtim};
}

bool file_same_stamp(const struct file_stamp *a, const struct file_stamp *b) {
    return a->exists == b->exists && a->inode == b->inode && a->changed.tv_sec == b->changed.tv_sec &&
           a->changed.tv_nsec == b->changed.tv_nsec;
}

/* Who waited for a file may hold one that was replaced meanwhile. */
static bool is_named(const char *path, int file) {
    struct stat named, held;
    return stat(path, &named) == 0 && fstat(file, &held) == 0 && named.st_ino == held.st_ino &&
           named.st_dev == held.st_dev;
}

/* The last that was taken. A program that ends for want of memory comes to no file_unlock(), and would leave a file
 * that the lock alone made. */
static struct {
    const char *path;
    int lock;
} last_lock = {.lock = -1};

static void unlock_last(void) {
    if (last_lock.lock >= 0)
        file_unlock(last_lock.path, last_lock.lock);
}

static void remember_lock(const char *path, int lock) {
    static bool registered;
    if (!registered)
        registered = atexit(unlock_last) == 0;
    last_lock.path = path;
    last_lock.lock = lock;
}

bool file_lock(const char *path, int *lock, struct error *err) {
    struct stat status;
    *lock = -1;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) /* a pipe, /dev/null */
        return true;
    for (;;) {
        *lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666); /* NFS locks only what is open for writing */
        if (*lock < 0)
            *lock = open(path, O_RDONLY | O_CLOEXEC);
        if (*lock < 0)
            return error_set(err, "cannot write %s: %s", path, strerror(errno));
        const bool locked = flock(*lock, LOCK_EX) == 0;
        if (!locked && errno != EINTR && errno != ESTALE) {
            const char *why = strerror(errno);
            fputs("carmine: ", stderr);
            safe_text_print(path, stderr);
            fprintf(stderr, " cannot be locked (%s): let only one process at a time add to it\n", why);
            return true;
        }
        if (locked && is_named(path, *lock)) {
            remember_lock(path, *lock);
            return true;
        }
        close(*lock);
    }
}

void file_unlock(const char *path, int lock) {
    struct stat status;
    if (lock < 0)
        return;
    if (lock == last_lock.lock)
        last_lock.lock = -1;
    if (fstat(lock, &status) == 0 && status.st_size == 0 && is_named(path, lock))
        unlink(path);
    close(lock);
}

bool file_write(const char *path, const char *text, size_t length, bool fresh, struct error *err) {
    struct file_place place;
    if (!find_place(path, &place, err))
        return false;
    int file = open_place(&place), reason = errno;
    bool done = file >= 0 && write_all(file, text, length) && (!place.regular || fsync(file) == 0);
    if (!done && file >= 0)
        reason = errno;
    if (file >= 0 && close(file) != 0 && done) { /* a network file system may tell only now */
        reason = errno;
        done = false;
    }
    if (done && place.regular && !take_name(&place, fresh)) {
        reason = errno;
        done = false;
    }
    if (!done && file >= 0 && place.regular)
        unlink(place.beside);
    free_place(&place);
    return done || error_set(err, "cannot write %s: %s; %s", path, strerror(reason), remedy(reason));
}
