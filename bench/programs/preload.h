/* SPDX-License-Identifier: BSD-3-Clause
 * The libraries that are preloaded into measured programs: under which path the loader takes them, and what they find
 * in the environment. */
#ifndef BENCH_PROGRAMS_PRELOAD_H
#define BENCH_PROGRAMS_PRELOAD_H

#include "child.h"
#include "scratch.h"

#include "probe/marks/systems.h"

#define PRELOAD_TIMER    "libcarmine-papi.so"
#define PRELOAD_COUNTER  "libcarmine-count.so"
#define PRELOAD_MPI      "libcarmine-mpi.so"      /* beside the first two: stands before MPI's functions */
#define PRELOAD_ADAPTERS "libcarmine-marks.so"    /* beside one of these: other systems' functions taken over */
#define PRELOAD_TOOLS    "libcarmine-tools.so"    /* not preloaded: what other systems find by their variables */
enum { PRELOAD_PATH_BYTES = 4608, PRELOAD_LIST_BYTES = 3 * PRELOAD_PATH_BYTES };

/* The library's path in the folder of collectors. The loader takes blanks and colons in LD_PRELOAD for separators; then
 * a link without them, in `scratch`, stands for the library. Error: that folder's path holds blanks or colons too. */
bool preload_path(const char *collectors, const char *library, const struct scratch *scratch,
                  char out[PRELOAD_PATH_BYTES], struct error *err);

/* What makes regions of the marks that a program has. */
enum { PRELOAD_MARK_VARIABLES = 1 + MARKS_SYSTEMS };
struct preload_marks {
    bool any;
    char adapters[PRELOAD_PATH_BYTES], tools[PRELOAD_PATH_BYTES]; /* paths of the libraries */
    struct child_variable variables[PRELOAD_MARK_VARIABLES];      /* COLLECTOR_MARKS, and of systems */
    size_t variable_count;
    char elsewhere[256]; /* variables that are set already, so that these systems' marks go to another tool; "" none */
};

/* `list` as mark_systems_check() takes it; NULL: all systems. Errors: as of preload_path(). */
bool preload_marks_find(const char *list, const char *collectors, const struct scratch *scratch,
                        struct preload_marks *out, struct error *err);

/* What LD_PRELOAD gets: the collector's path, and with it those of what tells it of MPI and of others' marks. Errors:
 * as of preload_path(). */
bool preload_list(const struct preload_marks *marks, const char *collectors, const char *collector,
                  const struct scratch *scratch, char out[PRELOAD_LIST_BYTES], struct error *err);

/* Copies the variables; returns how many there are. */
size_t preload_mark_variables(const struct preload_marks *marks, struct child_variable out[PRELOAD_MARK_VARIABLES]);

#endif
