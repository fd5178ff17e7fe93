/* SPDX-License-Identifier: BSD-3-Clause
 * The result that gets imported points and roofs, and how they join its contents. */
#pragma once

#include "import.h"
#include "carm/store/results.h"

struct import_target {
    struct result result;
    bool other_machine; /* the points are of another machine than the result */
    size_t replaced;    /* number of replaced points and roofs */
};

/* Reads the file at `path`. If there is none, makes a new result of the machine `machine` (NULL: the import names
 * it). Errors: not a result; no machine is named; a GPU's data for a CPU's result or vice versa; roofs of another
 * machine. */
bool import_target_open(struct import_target *out, const char *path, const struct import_format *format,
                        const struct import *import, const char *machine, const char *command_line, struct error *err);

/* A point with an existing name takes the import's values and keeps the others, so several imports make one point.
 * Errors: a value measured by carmine would be replaced; another number of threads; a level that the result does not
 * have. */
bool import_target_add(struct import_target *target, const struct import *import, struct error *err);

void import_target_free(struct import_target *target);
