/* SPDX-License-Identifier: BSD-3-Clause
 * The program that a command executes in the end, and whether a library can be preloaded into it; found before it
 * runs. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "scratch.h"

struct error;

/* A user's workload file (bench/workloads/carmine_workload.h), compiled to the library that carmine-workload loads. */

struct compile_wish {
    const char *file;     /* my.c; .cc, .cpp, .cxx and .C are C++ */
    const char *compiler; /* its name, perhaps with options; NULL: $CC or cc, for C++ $CXX or c++ */
    const char *flags;    /* separated by blanks; NULL: COMPILE_FLAGS */
    const char *more;     /* further flags; "" */
};

#define COMPILE_FLAGS "-O3 -march=native"
/* Finds file and compiler, and the compiler's version: `out` gets "gcc (Debian 12.2.0-14) 12.2.0: -O3". Errors: the
 * file cannot be read; there is no such compiler. */
bool compile_describe(const struct compile_wish *wish, const struct scratch *scratch, char *out, size_t size,
                      struct error *err);

/* Writes the library to `path`. `*messages` gets the compiler's output, also after success ("": none; to be freed).
 * Error: it rejected the file, or could not run. */
bool compile_library(const struct compile_wish *wish, const struct scratch *scratch, const char *path, char **messages,
                     struct error *err);

/* The standard input of a program that runs several times: every run gets it from its start.
 *
 * A file is rewound. The data of a pipe is forwarded to the first run as it arrives, so a program that does not read it
 * need not wait. It is stored for the other runs. A terminal or device is passed to every run. */

enum input_kind { INPUT_NONE, INPUT_DEVICE, INPUT_FILE, INPUT_PIPE };

struct input {
    enum input_kind kind;
    int from;     /* our own standard input */
    off_t start;  /* of a file */
    int copy;     /* of a pipe: the forwarded data, in an unnamed file; -1 */
    pid_t pump;   /* the process that forwards it; 0: none */
    int pipe_end; /* read by the first run; -1 */
    bool kept;    /* the first run is over */
};

/* `folder` is for the copy. */
bool input_open(struct input *out, int from, const char *folder, struct error *err);

/* The descriptor for the next run; -1 for none. */
bool input_begin(struct input *input, int *descriptor, struct error *err);

/* After the run. Error: the data could not be stored. */
bool input_end(struct input *input, struct error *err);

void input_close(struct input *input);

enum program_kind {
    PROGRAM_DYNAMIC,    /* takes preloaded libraries */
    PROGRAM_STATIC,     /* no dynamic loader, or that of another C library */
    PROGRAM_PRIVILEGED, /* setuid, setgid or with capabilities: the loader ignores preloaded libraries */
    PROGRAM_FOREIGN,    /* of another architecture */
};

struct program {
    char path[4096];        /* the file that is executed */
    char interpreter[4096]; /* for a script: the program that runs it; "" */
    enum program_kind kind; /* the interpreter's, if there is one */
};

/* Searches like a shell: in PATH, unless `name` contains a slash. Errors: not found, not executable, a folder, neither
 * a program nor a script. */
bool program_find(const char *name, struct program *out, struct error *err);

/* Why nothing can be preloaded, with the alternative; "" for PROGRAM_DYNAMIC. */
const char *program_refusal(enum program_kind kind);
