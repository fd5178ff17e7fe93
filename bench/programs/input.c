/* SPDX-License-Identifier: BSD-3-Clause
 * Standard input for many runs (see input.h). */
#include "input.h"
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHUNK_BYTES = 65536, PUMP_CANNOT_KEEP = 1 };

bool input_open(struct input *out, int from, const char *folder, struct error *err) {
    *out = (struct input){.from = from, .copy = -1, .pipe_end = -1};
    struct stat status;
    if (fstat(from, &status) != 0) /* closed */
        return true;
    if (S_ISREG(status.st_mode)) {
        out->kind = INPUT_FILE;
        out->start = lseek(from, 0, SEEK_CUR);
        return true;
    }
    out->kind = S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) ? INPUT_PIPE : INPUT_DEVICE;
    if (out->kind == INPUT_DEVICE)
        return true;
    char path[600];
    snprintf(path, sizeof path, "%s/input", folder);
    out->copy = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (out->copy < 0)
        return error_set(err, "cannot keep standard input in %s: %s", folder, strerror(errno));
    unlink(path);
    return true;
}

static bool put(int to, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(to, bytes, count);
        if (written < 0 && errno != EINTR)
            return false;
        bytes += written > 0 ? written : 0;
        count -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* Kept first: what the program has seen is in the copy. Ends with the input, or when the program has closed its end. */
static void pump(int from, int copy, int to) {
    static char chunk[CHUNK_BYTES];
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    for (ssize_t got; (got = read(from, chunk, sizeof chunk)) != 0;) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            break;
        if (!put(copy, chunk, (size_t)got))
            _exit(PUMP_CANNOT_KEEP);
        if (!put(to, chunk, (size_t)got))
            break;
    }
    _exit(0);
}

static bool start_pump(struct input *input, struct error *err) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return error_set(err, "cannot hand on standard input: %s", strerror(errno));
    const pid_t self = getpid();
    input->pump = fork();
    if (input->pump == 0) {
        child_end_with(self);
        close(ends[0]);
        pump(input->from, input->copy, ends[1]);
    }
    close(ends[1]);
    input->pipe_end = ends[0];
    return input->pump > 0 || error_set(err, "cannot hand on standard input: %s", strerror(errno));
}

bool input_begin(struct input *input, int *descriptor, struct error *err) {
    *descriptor = input->kind == INPUT_NONE ? -1 : input->from;
    if (input->kind == INPUT_FILE)
        lseek(input->from, input->start, SEEK_SET);
    if (input->kind != INPUT_PIPE)
        return true;
    if (!input->kept) {
        bool started = start_pump(input, err);
        *descriptor = input->pipe_end;
        return started;
    }
    lseek(input->copy, 0, SEEK_SET);
    *descriptor = input->copy;
    return true;
}

/* The pump may wait for input that the program did not wait for. */
static int stop_pump(struct input *input) {
    int status = 0;
    if (input->pipe_end >= 0)
        close(input->pipe_end);
    input->pipe_end = -1;
    if (input->pump > 0) {
        kill(input->pump, SIGKILL);
        while (waitpid(input->pump, &status, 0) < 0 && errno == EINTR)
            ;
    }
    input->pump = 0;
    return status;
}

bool input_end(struct input *input, struct error *err) {
    if (input->kind != INPUT_PIPE || input->kept)
        return true;
    int status = stop_pump(input);
    input->kept = true;
    return !(WIFEXITED(status) && WEXITSTATUS(status) == PUMP_CANNOT_KEEP) ||
           error_set(err, "standard input is too large to be kept for the other runs; give it as a file (< FILE)");
}

void input_close(struct input *input) {
    stop_pump(input);
    if (input->copy >= 0)
        close(input->copy);
    input->copy = -1;
}
