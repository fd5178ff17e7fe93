/* SPDX-License-Identifier: BSD-3-Clause
 * A process of the engine: started, read line by line, and ended. */
#ifndef CARM_LAUNCH_H
#define CARM_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "command_words.h"
#include "probe/error.h"

enum launch_stream { LAUNCH_OUT, LAUNCH_ERR, LAUNCH_STREAMS };

struct launch {
    pid_t pid; /* 0: it has been waited for */
    int status;
    double ended_s; /* when that was; now_s() */
    struct launch_pipe {
        int descriptor; /* -1: it is at its end */
        char *text;     /* of the line that has not ended */
        size_t length, capacity;
    } pipes[LAUNCH_STREAMS];
};

/* Who is told each line, without its end. */
struct launch_reader {
    void (*line)(void *context, enum launch_stream from, char *line);
    void *context;
};

/* The first word is looked for along PATH. Error: it is not there, or cannot be started. */
bool launch_start(const struct command_words *words, struct launch *out, struct error *err);

/* Reads what there is, waiting at most so long for more of any of them. */
void launch_read(struct launch *const *launches, const struct launch_reader *readers, size_t count, int wait_ms);

/* Whether it has ended, and all that it wrote was read; what it left behind and still holds its output is not waited
 * for. */
bool launch_ended(struct launch *launch);
void launch_signal(const struct launch *launch, int number);

/* Kills what is left. */
void launch_free(struct launch *launch);

/* Runs the command and tells its lines. False: it cannot be started, or fails; err says so with its last words. */
bool launch_run(const struct command_words *words, const struct launch_reader *reader, struct error *err);

#endif
