/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/programs/child.h"
#include "bench/programs/program.h"
#include "probe/error.h"
#include "probe/need.h"
#include "probe/now.h"

enum { CHUNK_BYTES = 16384, LINE_BYTES_MOST = 1 << 20, STEP_MS = 100 };
static const double LEFT_BEHIND_S = 2;

bool launch_start(const struct command_words *words, struct launch *out, struct error *err) {
    struct program program;
    int ends[LAUNCH_STREAMS][2] = {{-1, -1}, {-1, -1}};
    bool done = program_find(words->list[0], &program, err);
    *out = (struct launch){.pipes = {{.descriptor = -1}, {.descriptor = -1}}};
    for (unsigned i = 0; i < LAUNCH_STREAMS && done; i++)
        done = pipe2(ends[i], O_CLOEXEC) == 0 || error_set(err, "cannot make a pipe: %s", strerror(errno));
    const int input = done && words->input ? open(words->input, O_RDONLY | O_CLOEXEC) : -1;
    done = done && (!words->input || input >= 0 || error_set(err, "%s: %s", words->input, strerror(errno)));
    const struct child child = {
        .path = program.path, .argv = words->list, .in = input, .out = ends[LAUNCH_OUT][1], .err = ends[LAUNCH_ERR][1]};
    done = done && child_start(&child, &out->pid, err);
    if (input >= 0)
        close(input);
    for (unsigned i = 0; i < LAUNCH_STREAMS; i++) {
        if (ends[i][1] >= 0)
            close(ends[i][1]);
        if (done)
            out->pipes[i].descriptor = ends[i][0];
        else if (ends[i][0] >= 0)
            close(ends[i][0]);
    }
    return done;
}

/* Passes on the complete lines; at the end also a line without an end. */
static void tell_lines(struct launch_pipe *pipe, enum launch_stream from, const struct launch_reader *reader,
                       bool end) {
    char *begin = pipe->text, *stop;
    if (!pipe->text)
        return;
    pipe->text[pipe->length] = '\0';
    while ((stop = memchr(begin, '\n', pipe->length - (size_t)(begin - pipe->text)))) {
        *stop = '\0';
        reader->line(reader->context, from, begin);
        begin = stop + 1;
    }
    const size_t rest = pipe->length - (size_t)(begin - pipe->text);
    if (rest > 0 && (end || rest > LINE_BYTES_MOST)) {
        reader->line(reader->context, from, begin);
        pipe->length = 0;
        return;
    }
    memmove(pipe->text, begin, rest);
    pipe->length = rest;
}

static void read_some(struct launch_pipe *pipe, enum launch_stream from, const struct launch_reader *reader) {
    if (pipe->capacity < pipe->length + CHUNK_BYTES + 1) {
        pipe->capacity = 2 * pipe->capacity + CHUNK_BYTES + 1;
        pipe->text = need_realloc(pipe->text, pipe->capacity);
    }
    const ssize_t bytes = read(pipe->descriptor, pipe->text + pipe->length, CHUNK_BYTES);
    if (bytes < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (bytes > 0)
        pipe->length += (size_t)bytes;
    tell_lines(pipe, from, reader, bytes <= 0);
    if (bytes <= 0) {
        close(pipe->descriptor);
        pipe->descriptor = -1;
    }
}

void launch_read(struct launch *const *launches, const struct launch_reader *readers, size_t count, int wait_ms) {
    struct pollfd *polled = need_calloc(count * LAUNCH_STREAMS + 1, sizeof *polled);
    for (size_t i = 0; i < count * LAUNCH_STREAMS; i++)
        polled[i] =
            (struct pollfd){.fd = launches[i / LAUNCH_STREAMS]->pipes[i % LAUNCH_STREAMS].descriptor, .events = POLLIN};
    if (poll(polled, count * LAUNCH_STREAMS, wait_ms) > 0)
        for (size_t i = 0; i < count * LAUNCH_STREAMS; i++)
            if (polled[i].fd >= 0 && polled[i].revents)
                read_some(&launches[i / LAUNCH_STREAMS]->pipes[i % LAUNCH_STREAMS],
                          (enum launch_stream)(i % LAUNCH_STREAMS), &readers[i / LAUNCH_STREAMS]);
    free(polled);
}

bool launch_ended(struct launch *launch) {
    if (launch->pid > 0 && waitpid(launch->pid, &launch->status, WNOHANG) == launch->pid) {
        launch->pid = 0;
        launch->ended_s = now_s();
    }
    const bool read = launch->pipes[LAUNCH_OUT].descriptor < 0 && launch->pipes[LAUNCH_ERR].descriptor < 0;
    return launch->pid == 0 && (read || now_s() - launch->ended_s > LEFT_BEHIND_S);
}

void launch_signal(const struct launch *launch, int number) {
    if (launch->pid > 0)
        kill(launch->pid, number);
}

void launch_free(struct launch *launch) {
    launch_signal(launch, SIGKILL);
    while (launch->pid > 0 && waitpid(launch->pid, &launch->status, 0) < 0 && errno == EINTR)
        ;
    for (unsigned i = 0; i < LAUNCH_STREAMS; i++) {
        if (launch->pipes[i].descriptor >= 0)
            close(launch->pipes[i].descriptor);
        free(launch->pipes[i].text);
    }
    *launch = (struct launch){.pipes = {{.descriptor = -1}, {.descriptor = -1}}};
}

/* Passes on the lines of standard output; stores the last line of standard error. */
struct told {
    const struct launch_reader *reader;
    char words[400];
};

static void tell(void *context, enum launch_stream from, char *line) {
    struct told *told = context;
    if (from == LAUNCH_OUT)
        told->reader->line(told->reader->context, from, line);
    else if (*line)
        snprintf(told->words, sizeof told->words, "%s", line);
}

bool launch_run(const struct command_words *words, const struct launch_reader *reader, struct error *err) {
    struct launch launch, *only = &launch;
    struct told told = {.reader = reader};
    char how[64];
    if (!launch_start(words, &launch, err))
        return false;
    while (!launch_ended(&launch))
        launch_read(&only, &(struct launch_reader){tell, &told}, 1, STEP_MS);
    const int status = launch.status;
    launch_free(&launch);
    return status == 0 || error_set(err, "%s: %s", words->list[0],
                                    *told.words ? told.words : child_status_text(status, how, sizeof how));
}
