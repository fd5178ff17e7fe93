/* SPDX-License-Identifier: BSD-3-Clause
 * Writes the result of a run into its place. */
#include "result_target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "carm/text/notice.h"
#include "carm/text/shell_word.h"
#include "probe/error.h"

enum { MAX_TRIES = 1000 };

static void partial_path(const struct result_target *target, int number, char *out, size_t size) {
    snprintf(out, size, number ? "%s.partial-%d" : "%s.partial", target->path, number + 1);
}

static bool choose(struct result_target *out, const struct session *session, const char *named, bool keeps,
                   struct error *err) {
    *out = (struct result_target){.new_name = !named || file_is_folder(named)};
    if (out->new_name) {
        snprintf(out->folder, sizeof out->folder, "%s", named ? named : "results");
        if (!session_default_path(session, out->folder, out->path, sizeof out->path, err))
            return false;
    } else {
        snprintf(out->path, sizeof out->path, "%s", named);
        out->before = file_stamp(named);
        out->keeps = keeps && out->before.exists;
    }
    return file_writable(out->path, err);
}

bool result_target_choose(struct result_target *out, const struct session *session, const char *named,
                          struct error *err) {
    char partial[sizeof out->partial];
    if (!choose(out, session, named, true, err))
        return false;
    partial_path(out, 0, partial, sizeof partial);
    if (!out->new_name && file_stamp(partial).exists) {
        char *word = shell_word(partial);
        notice_print("%s holds measurements of an earlier run that was killed; it is left unchanged. `carmine run "
                     "--resume %s` measures the rest",
                     partial, word);
        free(word);
    }
    return true;
}

bool result_target_choose_same(struct result_target *out, const struct session *session, const char *named,
                               struct error *err) {
    return choose(out, session, named, false, err);
}

/* The file now has our content. */
static void settle(struct result_target *target) {
    target->new_name = target->keeps = false;
    target->before = file_stamp(target->path);
}

/* Several processes may choose the same name: the later one takes the next name. */
static bool write_new(struct result_target *target, const struct session *session, struct error *err) {
    for (int tries = 0; tries < MAX_TRIES; tries++) {
        if (!session_default_path(session, target->folder, target->path, sizeof target->path, err))
            return false;
        if (results_write(&session->result, target->path, true, err)) {
            settle(target);
            return true;
        }
        if (access(target->path, F_OK) != 0) /* the name was not the reason */
            return false;
    }
    return false;
}

/* Writes the named file, unless another process wrote it in the meantime. */
static bool write_named(struct result_target *target, const struct session *session, bool *taken, struct error *err) {
    int lock;
    if (!file_lock(target->path, &lock, err))
        return false;
    const struct file_stamp now = file_stamp(target->path);
    *taken = !file_same_stamp(&now, &target->before);
    const bool written = !*taken && results_write(&session->result, target->path, false, err);
    if (written)
        settle(target);
    file_unlock(target->path, lock);
    return written || *taken;
}

static bool write_anywhere(struct result_target *target, const struct session *session, struct error *err) {
    bool taken;
    if (target->new_name)
        return write_new(target, session, err);
    if (!write_named(target, session, &taken, err))
        return false;
    if (!taken)
        return true;
    char named[sizeof target->path];
    snprintf(named, sizeof named, "%s", target->path);
    const char *slash = strrchr(named, '/');
    snprintf(target->folder, sizeof target->folder, "%.*s", slash ? (int)(slash - named + 1) : 1, slash ? named : ".");
    if (!write_new(target, session, err))
        return false;
    notice_print("another run wrote %s in the meantime; this result has a new name", named);
    return true;
}

/* Writes the first unused name, and the same file from then on. */
static bool write_beside(struct result_target *target, const struct session *session, struct error *err) {
    if (target->partial[0])
        return results_write(&session->result, target->partial, false, err);
    for (int tries = 0; tries < MAX_TRIES; tries++) {
        char path[sizeof target->partial];
        partial_path(target, tries, path, sizeof path);
        if (results_write(&session->result, path, true, err)) {
            memcpy(target->partial, path, sizeof path);
            return true;
        }
        if (access(path, F_OK) != 0)
            return false;
    }
    return false;
}

bool result_target_save(struct result_target *target, struct session *session, const struct progress *progress,
                        struct error *err) {
    struct stat status;
    if (!target->new_name && stat(target->path, &status) == 0 && !S_ISREG(status.st_mode))
        return true; /* a pipe takes one result */
    struct environment *environment = &session->result.environment;
    const struct environment before = *environment;
    session_finish(session);
    environment->interrupted = true;
    environment->ended[0] = '\0'; /* it may still be running */
    partial_mark(environment, progress);
    const bool done = (target->keeps ? write_beside : write_anywhere)(target, session, err);
    *environment = before;
    target->saved |= done;
    return done;
}

bool result_target_checkpoint(void *context, struct error *err) {
    struct result_saving *saving = context;
    const struct progress progress = saving->how_far(&saving->session->result, saving->planned);
    if (progress.done == 0) /* nothing to lose */
        return true;
    return result_target_save(saving->target, saving->session, &progress, err);
}

const char *result_target_saved(const struct result_target *target) {
    const char *path = target->partial[0] ? target->partial : target->path;
    return target->saved && file_stamp(path).exists ? path : NULL; /* its folder may have been removed */
}

bool result_target_write(struct result_target *target, const struct session *session, struct error *err) {
    struct error failure;
    const char *saved = result_target_saved(target);
    if (!write_anywhere(target, session, &failure))
        return saved ? error_set(err, "%s; the last saved state is in %s", failure.text, saved)
                     : error_set(err, "%s", failure.text);
    if (target->partial[0])
        unlink(target->partial);
    target->partial[0] = '\0';
    return true;
}

void result_target_picture(const struct result_target *target, char *out, size_t size) {
    const size_t length = strlen(target->path);
    const bool json = length > 5 && strcmp(target->path + length - 5, ".json") == 0;
    snprintf(out, size, "%.*s.svg", (int)(json ? length - 5 : length), target->path);
}

bool result_target_picture_writable(const struct result_target *target, struct error *err) {
    char path[sizeof target->path + 8];
    struct stat status;
    result_target_picture(target, path, sizeof path);
    return (stat(target->path, &status) == 0 && !S_ISREG(status.st_mode)) || file_writable(path, err);
}
