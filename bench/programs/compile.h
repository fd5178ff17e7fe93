/* SPDX-License-Identifier: BSD-3-Clause
 * A user's file with a workload (bench/workloads/carmine_workload.h), compiled to the library that carmine-workload
 * loads. */
#ifndef BENCH_PROGRAMS_COMPILE_H
#define BENCH_PROGRAMS_COMPILE_H

#include "scratch.h"

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

#endif
