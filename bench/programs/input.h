/* SPDX-License-Identifier: BSD-3-Clause
 * The standard input of a program that is run several times: every run gets it from its start.
 *
 * A file is rewound. What comes through a pipe is handed on to the first run as it comes, so that a program that does
 * not read does not wait, and is kept for the others. A terminal or device is every run's own. */
#ifndef BENCH_PROGRAMS_INPUT_H
#define BENCH_PROGRAMS_INPUT_H

#include <stdbool.h>
#include <sys/types.h>

#include "probe/error.h"

enum input_kind { INPUT_NONE, INPUT_DEVICE, INPUT_FILE, INPUT_PIPE };
struct input {
    enum input_kind kind;
    int from;     /* our own standard input */
    off_t start;  /* of a file */
    int copy;     /* of a pipe: what went through it, in a file without a name; -1 */
    pid_t pump;   /* the process that hands it on; 0: none */
    int pipe_end; /* what the first run reads; -1 */
    bool kept;    /* the first run is over */
};

/* `folder` is for the copy. */
bool input_open(struct input *out, int from, const char *folder, struct error *err);

/* The descriptor for the next run; -1 for none. */
bool input_begin(struct input *input, int *descriptor, struct error *err);
/* After the run. Error: what came could not be kept. */
bool input_end(struct input *input, struct error *err);
void input_close(struct input *input);

#endif
