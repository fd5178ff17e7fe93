/* SPDX-License-Identifier: BSD-3-Clause
 * Which result imported points and roofs belong to, and how they join what it holds. */
#ifndef CARM_IMPORT_RESULT_H
#define CARM_IMPORT_RESULT_H

#include "import.h"
#include "carm/store/results.h"

struct import_target {
    struct result result;
    bool other_machine; /* the points are of another one than the result's roofs */
    size_t replaced;    /* points and roofs that were there before */
};

/* The file at `path` where there is one, else a new result of the machine that `machine` (NULL: the import itself)
 * names. Errors: no result; no machine is named; a GPU's data for a CPU's result or the other way round; roofs of
 * another machine. */
bool import_target_open(struct import_target *out, const char *path, const struct import_format *format,
                        const struct import *import, const char *machine, const char *command_line, struct error *err);

/* A point of a name that is there takes what the import knows and keeps the rest, so that several imports make one
 * point. Errors: that would replace what carmine measured; other threads; a level that the result does not have. */
bool import_target_add(struct import_target *target, const struct import *import, struct error *err);

void import_target_free(struct import_target *target);

#endif
