/* SPDX-License-Identifier: BSD-3-Clause
 * Whole files, and the files of folders. */
#include "file_io.h"
#include "results.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/error.h"
#include "probe/need.h"
#include "render/draw/output_file.h"
#include "render/page/safe_text.h"

bool file_is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool file_is_stream(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

bool file_read(const char *path, size_t most_bytes, char **text, size_t *length, struct error *err) {
    FILE *file = fopen(path, "rb");
    if (!file && errno == ENOMEM) /* not a fault of the file: callers that skip bad files must not continue */
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
        done = error_set(err, "%s: larger than %zu MiB, the most that is read", path, most_bytes >> 20);
    else if (ferror(file))
        done = error_set(err, "%s: cannot read: %s", path, strerror(errno));
    fclose(file);
    if (!done)
        free(*text);
    return done;
}

static bool refuse(const char *path, int reason, struct error *err) {
    if (reason == EISDIR)
        return error_set(err, "%s is a directory; name a file", path);
    return error_set(err, "cannot write %s: %s; %s", path, output_file_why(reason), output_file_remedy(reason));
}

/* Results have 50 to 100 KiB. Without support by the system, a lack of room shows only at the end. */
static int find_room(const struct output_file *file) {
    enum { LEAST_BYTES = 64 << 10 };
    const int reason = file->regular ? posix_fallocate(file->descriptor, 0, LEAST_BYTES) : 0;
    return reason == ENOSPC || reason == EDQUOT || reason == EFBIG ? reason : 0;
}

bool file_writable(const char *path, struct error *err) {
    struct output_file file;
    int reason = output_file_open(&file, path);
    if (reason == 0) {
        const int no_room = find_room(&file), closed = output_file_close(&file, false, false);
        reason = no_room ? no_room : closed;
    }
    return reason == 0 || refuse(path, reason, err);
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

/* The file may have been replaced while the caller waited for its lock. */
static bool is_named(const char *path, int file) {
    struct stat named, held;
    return stat(path, &named) == 0 && fstat(file, &held) == 0 && named.st_ino == held.st_ino &&
           named.st_dev == held.st_dev;
}

/* The last lock. A program that ends because memory is exhausted does not call file_unlock(), and would leave an empty
 * file. */
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

/* NFS locks only files that are open for writing. */
static int open_lock(const char *path, int *lock) {
    char *target;
    int reason = output_file_target(path, &target);
    if (reason)
        return reason;
    *lock = open(target, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (*lock < 0)
        *lock = open(target, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    reason = *lock < 0 ? errno : 0;
    free(target);
    return reason;
}

bool file_lock(const char *path, int *lock, struct error *err) {
    struct stat status;
    *lock = -1;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) /* a pipe, /dev/null */
        return true;
    for (;;) {
        const int reason = open_lock(path, lock);
        if (reason)
            return refuse(path, reason, err);
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
    struct output_file file;
    int reason = output_file_open(&file, path);
    if (reason == 0) {
        const int failed = output_file_put(file.descriptor, text, length);
        const int closed = output_file_close(&file, failed == 0, fresh);
        reason = failed ? failed : closed;
    }
    return reason == 0 || refuse(path, reason, err);
}

/* Files and folders of results. */

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
