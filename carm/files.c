/* SPDX-License-Identifier: BSD-3-Clause
 * Whole files (see files.h). */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool files_read(const char *path, size_t most_bytes, char **text, size_t *length, struct error *err) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return error_set(err, "%s: cannot open: %s", path, strerror(errno));
    struct stat status;
    bool done = fstat(fileno(file), &status) == 0 && !S_ISDIR(status.st_mode);
    if (!done) {
        fclose(file);
        return error_set(err, "%s: not a file", path);
    }
    size_t capacity = 65536;
    *text = malloc(capacity);
    *length = 0;
    for (size_t got; *length <= most_bytes && (got = fread(*text + *length, 1, capacity - *length - 1, file)) > 0;) {
        *length += got;
        if (*length + 1 == capacity)
            *text = realloc(*text, capacity *= 2);
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

static void temporary_name(const char *path, char *out, size_t size) {
    snprintf(out, size, "%s.%ld.tmp", path, (long)getpid());
}

bool files_writable(const char *path, struct error *err) {
    char temporary[4096];
    temporary_name(path, temporary, sizeof temporary);
    struct stat status;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return error_set(err, "%s is a directory; name a file with -o", path);
    int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return error_set(err, "cannot write %s: %s; choose another place with -o", path, strerror(errno));
    close(file);
    unlink(temporary);
    return true;
}

bool files_write(const char *path, const char *text, size_t length, bool fresh, struct error *err) {
    char temporary[4096];
    temporary_name(path, temporary, sizeof temporary);
    int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return error_set(err, "cannot write %s: %s; choose another place with -o", path, strerror(errno));
    errno = 0;
    bool done = true;
    for (size_t at = 0; at < length && done;) {
        ssize_t put = write(file, text + at, length - at);
        done = put > 0 || (put < 0 && errno == EINTR);
        at += put > 0 ? (size_t)put : 0;
    }
    done = done && fsync(file) == 0;
    int reason = errno;
    done = close(file) == 0 && done;
    /* link() fails where the name exists, rename() replaces it: both at one stroke. */
    if (done && (fresh ? link(temporary, path) : rename(temporary, path)) != 0) {
        reason = errno;
        done = false;
    }
    if (fresh || !done)
        unlink(temporary);
    return done || error_set(err, "cannot write %s: %s; free some space or choose another place with -o", path,
                             strerror(reason));
}
