/* SPDX-License-Identifier: BSD-3-Clause
 * Where a run's result goes (see output.h). */
#include "output.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_TRIES = 1000 };

static void partial_path(const struct output *output, int number, char *out, size_t size) {
    snprintf(out, size, number ? "%s.partial-%d" : "%s.partial", output->path, number + 1);
}

static bool choose(struct output *out, const struct session *session, const char *named, bool keeps,
                   struct error *err) {
    *out = (struct output){.new_name = !named || files_is_folder(named)};
    if (out->new_name) {
        snprintf(out->folder, sizeof out->folder, "%s", named ? named : "results");
        if (!session_default_path(session, out->folder, out->path, sizeof out->path, err))
            return false;
    } else {
        snprintf(out->path, sizeof out->path, "%s", named);
        out->before = files_stamp(named);
        out->keeps = keeps && out->before.exists;
    }
    return files_writable(out->path, err);
}

bool output_choose(struct output *out, const struct session *session, const char *named, struct error *err) {
    char partial[sizeof out->partial];
    if (!choose(out, session, named, true, err))
        return false;
    partial_path(out, 0, partial, sizeof partial);
    if (!out->new_name && files_stamp(partial).exists)
        fprintf(stderr,
                "carmine: %s holds what an earlier run had measured when it was killed; this one leaves it as it is, "
                "and `carmine run --resume %s` measures the rest\n",
                partial, partial);
    return true;
}

bool output_choose_same(struct output *out, const struct session *session, const char *named, struct error *err) {
    return choose(out, session, named, false, err);
}

/* What is there now is ours. */
static void settle(struct output *output) {
    output->new_name = output->keeps = false;
    output->before = files_stamp(output->path);
}

/* Several processes may reach for one name at once: who comes late takes the next. */
static bool write_new(struct output *output, const struct session *session, struct error *err) {
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        if (!session_default_path(session, output->folder, output->path, sizeof output->path, err))
            return false;
        if (results_write(&session->result, output->path, true, err)) {
            settle(output);
            return true;
        }
        if (access(output->path, F_OK) != 0) /* it was not the name */
            return false;
    }
    return false;
}

/* Into the file that was named, unless another process wrote it meanwhile. */
static bool write_named(struct output *output, const struct session *session, bool *taken, struct error *err) {
    int lock;
    if (!files_lock(output->path, &lock, err))
        return false;
    const struct file_stamp now = files_stamp(output->path);
    *taken = !files_same_stamp(&now, &output->before);
    const bool written = !*taken && results_write(&session->result, output->path, false, err);
    if (written)
        settle(output);
    files_unlock(output->path, lock);
    return written || *taken;
}

static bool write_anywhere(struct output *output, const struct session *session, struct error *err) {
    bool taken;
    if (output->new_name)
        return write_new(output, session, err);
    if (!write_named(output, session, &taken, err))
        return false;
    if (!taken)
        return true;
    char named[sizeof output->path];
    snprintf(named, sizeof named, "%s", output->path);
    const char *slash = strrchr(named, '/');
    snprintf(output->folder, sizeof output->folder, "%.*s", slash ? (int)(slash - named + 1) : 1, slash ? named : ".");
    if (!write_new(output, session, err))
        return false;
    fprintf(stderr, "carmine: another run wrote %s meanwhile; this one's result has a name of its own\n", named);
    return true;
}

/* The first name that nobody has, and from then on the same. */
static bool write_beside(struct output *output, const struct session *session, struct error *err) {
    if (output->partial[0])
        return results_write(&session->result, output->partial, false, err);
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        char path[sizeof output->partial];
        partial_path(output, tries, path, sizeof path);
        if (results_write(&session->result, path, true, err)) {
            memcpy(output->partial, path, sizeof path);
            return true;
        }
        if (access(path, F_OK) != 0)
            return false;
    }
    return false;
}

bool output_save(struct output *output, struct session *session, const struct progress *progress, struct error *err) {
    struct stat status;
    if (!output->new_name && stat(output->path, &status) == 0 && !S_ISREG(status.st_mode))
        return true; /* a pipe takes one result */
    struct environment *environment = &session->result.environment;
    const struct environment before = *environment;
    session_finish(session);
    environment->interrupted = true;
    partial_mark(environment, progress);
    const bool done = (output->keeps ? write_beside : write_anywhere)(output, session, err);
    *environment = before;
    output->saved |= done;
    return done;
}

const char *output_saved(const struct output *output) {
    return !output->saved ? NULL : output->partial[0] ? output->partial : output->path;
}

bool output_write(struct output *output, const struct session *session, struct error *err) {
    struct error failure;
    const char *saved = output_saved(output);
    if (!write_anywhere(output, session, &failure))
        return saved ? error_set(err, "%s; what was saved last is in %s", failure.text, saved)
                     : error_set(err, "%s", failure.text);
    if (output->partial[0])
        unlink(output->partial);
    output->partial[0] = '\0';
    return true;
}
