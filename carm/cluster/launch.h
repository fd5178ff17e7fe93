/* SPDX-License-Identifier: BSD-3-Clause
 * A process of the engine: started, read line by line, and ended. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "command_words.h"

struct error;

enum launch_stream { LAUNCH_OUT, LAUNCH_ERR, LAUNCH_STREAMS };

struct launch {
    pid_t pid; /* 0: ended and waited for */
    int status;
    double ended_s; /* time of that; now_s() */
    struct launch_pipe {
        int descriptor; /* -1: at its end */
        char *text;     /* of the incomplete line */
        size_t length, capacity;
    } pipes[LAUNCH_STREAMS];
};

/* Gets each line, without its end. */
struct launch_reader {
    void (*line)(void *context, enum launch_stream from, char *line);
    void *context;
};

/* Finds the first word along PATH. Error: not found, or it cannot be started. */
bool launch_start(const struct command_words *words, struct launch *out, struct error *err);

/* Reads the available output; waits for some for at most `wait_ms`. */
void launch_read(struct launch *const *launches, const struct launch_reader *readers, size_t count, int wait_ms);

/* Whether the process ended and its output was read. Output of processes that it left behind is waited for only
 * briefly. */
bool launch_ended(struct launch *launch);
void launch_signal(const struct launch *launch, int number);

/* Kills a running process. */
void launch_free(struct launch *launch);

/* Runs the command and passes on its lines. False: it cannot be started, or fails; err has its last words. */
bool launch_run(const struct command_words *words, const struct launch_reader *reader, struct error *err);
