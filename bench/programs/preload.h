/* SPDX-License-Identifier: BSD-3-Clause
 * The libraries to preload into measured programs: their paths for the loader, and their environment variables. */
#pragma once

#include "child.h"
#include "scratch.h"

#include "probe/marks/systems.h"

#define PRELOAD_TIMER    "libcarmine-papi.so"
#define PRELOAD_COUNTER  "libcarmine-count.so"
#define PRELOAD_MPI      "libcarmine-mpi.so"   /* in addition to one of the first two: wraps MPI's functions */
#define PRELOAD_ADAPTERS "libcarmine-marks.so" /* in addition to one of these: replaces other systems' functions */
#define PRELOAD_TOOLS    "libcarmine-tools.so" /* not preloaded: other systems find it by their variables */
enum { PRELOAD_PATH_BYTES = 4608, PRELOAD_LIST_BYTES = 3 * PRELOAD_PATH_BYTES };

/* The library's path in the folder of collectors. The loader treats blanks and colons in LD_PRELOAD as separators; then
 * a link in `scratch` replaces the path. Error: that folder's path contains blanks or colons too. */
bool preload_path(const char *collectors, const char *library, const struct scratch *scratch,
                  char out[PRELOAD_PATH_BYTES], struct error *err);

/* The libraries that turn a program's own marks into regions. */
enum { PRELOAD_MARK_VARIABLES = 1 + MARKS_SYSTEMS };
struct preload_marks {
    bool any;
    char adapters[PRELOAD_PATH_BYTES], tools[PRELOAD_PATH_BYTES]; /* paths of the libraries */
    struct child_variable variables[PRELOAD_MARK_VARIABLES];      /* COLLECTOR_MARKS, and of systems */
    size_t variable_count;
    char elsewhere[256]; /* variables that are set already, so these systems' marks go to another tool; "" none */
};

/* `list` as for mark_systems_check(); NULL: all systems. Errors: as for preload_path(). */
bool preload_marks_find(const char *list, const char *collectors, const struct scratch *scratch,
                        struct preload_marks *out, struct error *err);

/* The value of LD_PRELOAD: the collector's path, and those of the libraries for MPI and other marks. Errors: as for
 * preload_path(). */
bool preload_list(const struct preload_marks *marks, const char *collectors, const char *collector,
                  const struct scratch *scratch, char out[PRELOAD_LIST_BYTES], struct error *err);

/* Copies the variables; returns their number. */
size_t preload_mark_variables(const struct preload_marks *marks, struct child_variable out[PRELOAD_MARK_VARIABLES]);
