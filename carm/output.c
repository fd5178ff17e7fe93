/* SPDX-License-Identifier: BSD-3-Clause
 * Where a run's result goes (see output.h). */
#include "output.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_TRIES = 1000 };

bool output_choose(struct output *out, const struct session *session, const char *named, struct error *err) {
    *out = (struct output){.new_name = !named || files_is_folder(named)};
    if (out->new_name) {
        snprintf(out->folder, sizeof out->folder, "%s", named ? named : "results");
        if (!session_default_path(session, out->folder, out->path, sizeof out->path, err))
            return false;
    } else {
        snprintf(out->path, sizeof out->path, "%s", named);
        out->before = files_stamp(named);
    }
    return files_writable(out->path, err);
}

/* Several processes may reach for one name at once: who comes late takes the next. */
static bool write_new(struct output *output, const struct session *session, struct error *err) {
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        if (!session_default_path(session, output->folder, output->path, sizeof output->path, err))
            return false;
        if (results_write(&session->result, output->path, true, err))
            return true;
        if (access(output->path, F_OK) != 0) /* it was not the name */
            return false;
    }
    return false;
}

/* Into the file that was named, unless another process wrote it meanwhile. */
static bool write_named(const struct output *output, const struct session *session, bool *taken, struct error *err) {
    int lock;
    if (!files_lock(output->path, &lock, err))
        return false;
    const struct file_stamp now = files_stamp(output->path);
    *taken = !files_same_stamp(&now, &output->before);
    const bool done = *taken || results_write(&session->result, output->path, false, err);
    files_unlock(output->path, lock);
    return done;
}

bool output_write(struct output *output, const struct session *session, struct error *err) {
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
