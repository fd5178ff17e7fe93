/* SPDX-License-Identifier: BSD-3-Clause */
#include "shell.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/programs/child.h"
#include "carm/options/cli.h"
#include "probe/error.h"
#include "probe/need.h"
#include "probe/now.h"

enum { CHUNK_BYTES = 16384, STEP_MS = 250 };
static const double LEFT_BEHIND_S = 2; /* processes that it left behind may hold its output open */
static const double END_S = 20;        /* its time to end after the signal */

struct shell_process {
    pid_t pid; /* 0: ended */
    int out, status;
    double ended_s, stopped_s; /* now_s(); 0: not yet */
    char *text;                /* of the incomplete line */
    size_t length, capacity;
};

/* Passes on the complete lines; at the end also a line without an end. */
static void pass_on(struct shell_process *run, const struct shell_reader *reader, bool end) {
    char *begin = run->text, *stop;
    run->text[run->length] = '\0';
    while ((stop = memchr(begin, '\n', run->length - (size_t)(begin - run->text)))) {
        *stop = '\0';
        if (reader->line)
            reader->line(reader->context, begin);
        begin = stop + 1;
    }
    run->length -= (size_t)(begin - run->text);
    if (run->length > 0 && end && reader->line)
        reader->line(reader->context, begin);
    else
        memmove(run->text, begin, run->length);
}

static void read_some(struct shell_process *run, const struct shell_reader *reader) {
    struct pollfd polled = {.fd = run->out, .events = POLLIN};
    if (poll(&polled, 1, STEP_MS) <= 0)
        return;
    if (run->capacity < run->length + CHUNK_BYTES + 1)
        run->text = need_realloc(run->text, run->capacity = 2 * run->capacity + CHUNK_BYTES + 1);
    const ssize_t bytes = read(run->out, run->text + run->length, CHUNK_BYTES);
    if (bytes < 0 && errno == EINTR)
        return;
    run->length += bytes > 0 ? (size_t)bytes : 0;
    pass_on(run, reader, bytes <= 0);
    if (bytes <= 0) {
        close(run->out);
        run->out = -1;
    }
}

/* Notes its end. Without output to wait for, waits for the end itself. */
static void look_for_end(struct shell_process *run) {
    if (run->pid > 0 &&
        waitpid(run->pid, &run->status, run->out < 0 && run->stopped_s <= 0 ? 0 : WNOHANG) == run->pid) {
        run->pid = 0;
        run->ended_s = now_s();
    }
    if (run->pid == 0 && run->out >= 0 && now_s() - run->ended_s > LEFT_BEHIND_S) {
        close(run->out);
        run->out = -1;
    }
}

static void stop(struct shell_process *run, int stop_signal) {
    if (!cli_stopped() || !stop_signal || run->pid == 0)
        return;
    if (run->stopped_s <= 0) {
        kill(run->pid, stop_signal);
        run->stopped_s = now_s();
    } else if (now_s() - run->stopped_s > END_S) {
        kill(run->pid, SIGKILL);
    }
}

static char *written_to(int file) {
    const off_t bytes = lseek(file, 0, SEEK_END);
    char *text = need_malloc((size_t)(bytes > 0 ? bytes : 0) + 1);
    const ssize_t got = bytes > 0 ? pread(file, text, (size_t)bytes, 0) : 0;
    text[got > 0 ? got : 0] = '\0';
    return text;
}

int shell_run(const char *text, int stop_signal, const struct shell_reader *reader, char **said, struct error *err) {
    struct shell_process run = {.out = -1, .status = -1};
    int ends[2] = {-1, -1};
    char *copy = need_strdup(text), *words[] = {"sh", "-c", copy, NULL};
    const int errors = memfd_create("errors", MFD_CLOEXEC);
    const bool open = errors >= 0 && pipe2(ends, O_CLOEXEC) == 0;
    const struct child child = {.path = "/bin/sh", .argv = words, .in = -1, .out = ends[1], .err = errors};
    const bool begun =
        open ? child_start(&child, &run.pid, err) : error_set(err, "cannot make a pipe: %s", strerror(errno));
    if (open)
        close(ends[1]);
    if (open && !begun)
        close(ends[0]);
    for (run.out = begun ? ends[0] : -1; begun && (run.pid > 0 || run.out >= 0);) {
        if (run.out >= 0)
            read_some(&run, reader);
        else if (run.stopped_s > 0)
            poll(NULL, 0, STEP_MS);
        look_for_end(&run);
        stop(&run, stop_signal);
    }
    *said = begun ? written_to(errors) : need_strdup("");
    if (errors >= 0)
        close(errors);
    free(run.text);
    free(copy);
    return begun ? run.status : -1;
}

bool shell_lines(const char *text, const struct shell_reader *reader, struct error *err) {
    char *said, how[64];
    const int status = shell_run(text, 0, reader, &said, err);
    const char *last = child_last_line(said);
    if (status > 0)
        error_set(err, "%s%s%s", *last ? "" : text, *last ? last : ": ",
                  *last ? "" : child_status_text(status, how, sizeof how));
    free(said);
    return status == 0;
}
