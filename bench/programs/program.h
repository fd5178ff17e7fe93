/* SPDX-License-Identifier: BSD-3-Clause
 * What a command executes in the end, and whether a library can be preloaded into it: found out before it is run. */
#ifndef BENCH_PROGRAMS_PROGRAM_H
#define BENCH_PROGRAMS_PROGRAM_H

#include <stdbool.h>
#include <sys/types.h>

#include "scratch.h"

#include "probe/error.h"

/* A user's file with a workload (bench/workloads/carmine_workload.h), compiled to the library that carmine-workload
 * loads. */

struct compile_wish {
    const char *file;     /* my.c; of .cc, .cpp, .cxx and .C it is C++ */
    const char *compiler; /* its name, perhaps with options; NULL: $CC or cc, of C++ $CXX or c++ */
    const char *flags;    /* separated by blanks; NULL: COMPILE_FLAGS */
    const char *more;     /* as well; "" */
};

#define COMPILE_FLAGS "-O3 -march=native"
/* Looks for file and compiler, and asks that for its version: `out` gets "gcc (Debian 12.2.0-14) 12.2.0: -O3". Errors:
 * the file cannot be read; there is no such compiler. */
bool compile_describe(const struct compile_wish *wish, const struct scratch *scratch, char *out, size_t size,
                      struct error *err);

/* Writes the library to `path`. `*messages` gets what the compiler said, also where it took the file ("" nothing; to
 * be freed). Error: it did not take it, or could not be run. */
bool compile_library(const struct compile_wish *wish, const struct scratch *scratch, const char *path, char **messages,
                     struct error *err);

/* The standard input of a program that is run several times: every run gets it from its start.
 *
 * A file is rewound. What comes through a pipe is handed on to the first run as it comes, so that a program that does
 * not read does not wait, and is kept for the others. A terminal or device is every run's own. */

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

enum program_kind {
    PROGRAM_DYNAMIC,    /* takes preloaded libraries */
    PROGRAM_STATIC,     /* has no dynamic loader, or that of another C library */
    PROGRAM_PRIVILEGED, /* setuid, setgid or with capabilities: the loader ignores what is preloaded */
    PROGRAM_FOREIGN,    /* of another architecture */
};

struct program {
    char path[4096];        /* of the file that is executed */
    char interpreter[4096]; /* of a script: the program that runs it; "" */
    enum program_kind kind; /* of the interpreter, where there is one */
};

/* `name` is looked for as a shell does: along PATH, unless it holds a slash. Errors: not found, not executable, a
 * folder, neither a program nor a script. */
bool program_find(const char *name, struct program *out, struct error *err);

/* Why nothing can be preloaded and what else there is, "" for PROGRAM_DYNAMIC. */
const char *program_refusal(enum program_kind kind);

#endif
