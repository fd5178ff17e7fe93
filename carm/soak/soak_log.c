/* SPDX-License-Identifier: BSD-3-Clause
 * A log that survives a kill (see soak_log.h). */
#include "soak_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "carm/store/file_io.h"
#include "carm/text/notice.h"
#include "probe/need.h"
#include "render/draw/output_file.h"

static int open_target(const char *path, int flags) {
    char *target;
    const int reason = output_file_target(path, &target);
    if (reason) {
        errno = reason == OUTPUT_FILE_FOREIGN ? EACCES : reason;
        return -1;
    }
    const int file = open(target, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | flags, 0666);
    free(target);
    return file;
}

static bool open_log(struct soak_log *out, const char *path, int flags, struct error *err) {
    struct stat status;
    *out = (struct soak_log){.file = open_target(path, flags), .path = path};
    if (out->file < 0 || fstat(out->file, &status) != 0)
        return error_set(err, "cannot write %s: %s; choose another place", path, strerror(errno));
    out->regular = S_ISREG(status.st_mode);
    out->end = status.st_size;
    if (out->regular && flock(out->file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return error_set(err, "another carmine soak writes %s; name another file", path);
    return true;
}

bool soak_log_create(struct soak_log *out, const char *path, struct error *err) {
    *out = (struct soak_log){.file = -1};
    if (file_stamp(path).exists)
        return error_set(err, "%s is there already: --resume goes on with it, or name another file", path);
    if (!file_writable(path, err) || !open_log(out, path, O_CREAT, err))
        return false;
    return !out->regular || out->end == 0 || error_set(err, "another program wrote %s meanwhile", path);
}

bool soak_log_resume(struct soak_log *out, const char *path, const struct soak *soak, struct error *err) {
    if (!open_log(out, path, 0, err))
        return false;
    if (out->end < (off_t)soak->whole_bytes) /* a program that had it has cut it */
        return error_set(err, "another program wrote %s meanwhile", path);
    out->end = (off_t)soak->whole_bytes;
    return ftruncate(out->file, out->end) == 0 ||
           error_set(err, "cannot write %s: %s; name a file that is yours to write", path, strerror(errno));
}

/* 0, or why not; then the file ends as it did. */
static int write_pending(struct soak_log *log) {
    if (log->regular && lseek(log->file, log->end, SEEK_SET) < 0)
        return errno;
    int reason = output_file_put(log->file, log->pending, log->pending_bytes);
    if (reason == 0 && log->regular && fdatasync(log->file) != 0)
        reason = errno;
    if (reason && log->regular && ftruncate(log->file, log->end) != 0)
        return errno;
    return reason;
}

void soak_log_put(struct soak_log *log, json_t *line) {
    char *text = need_made(json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(10)));
    const size_t length = strlen(text);
    json_decref(line);
    log->pending = need_realloc(log->pending, log->pending_bytes + length + 1);
    memcpy(log->pending + log->pending_bytes, text, length);
    log->pending[log->pending_bytes + length] = '\n';
    log->pending_bytes += length + 1;
    free(text);
    const int reason = write_pending(log);
    if (reason && !log->failed)
        notice_print("warning: %s cannot be written: %s; the rounds go on, and this is tried again", log->path,
                     strerror(reason));
    log->failed |= reason != 0;
    if (reason)
        return;
    log->end += (off_t)log->pending_bytes;
    log->pending_bytes = 0;
}

bool soak_log_close(struct soak_log *log, struct error *err) {
    const bool whole = log->pending_bytes == 0;
    if (log->file >= 0)
        close(log->file);
    free(log->pending);
    log->file = -1;
    log->pending = NULL;
    return whole || error_set(err,
                              "%s lacks the last rounds, which could not be written; free some space, then "
                              "--resume it",
                              log->path);
}
