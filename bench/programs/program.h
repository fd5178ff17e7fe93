/* SPDX-License-Identifier: BSD-3-Clause
 * What a command executes in the end, and whether a library can be preloaded into it: found out before it is run. */
#ifndef BENCH_PROGRAMS_PROGRAM_H
#define BENCH_PROGRAMS_PROGRAM_H

#include <stdbool.h>

#include "probe/error.h"

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
