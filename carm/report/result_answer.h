/* SPDX-License-Identifier: BSD-3-Clause
 * A result on one screen: its machine, its trustworthiness, the main roofs, their meaning, and where to find the rest.
 */
#pragma once

#include "screen.h"

#include "bench/programs/annotation.h"
#include "carm/model/model.h"

struct result_answer {
    const struct model *model;
    const char *op;      /* the access pattern whose roof represents a level; NULL: the best of each */
    const char *file;    /* its name in remedies; NULL: none */
    const char *picture; /* drawn beside it; NULL: none */
};

/* False, with nothing printed, if the result holds no suitable roof. */
bool result_answer_print(const struct result_answer *answer, const struct screen *screen);

/* The code of a hot loop on a terminal: its source lines with their amounts, then its instructions. */

/* Prints one annotation; names the others. */
void annotation_answer_print(const struct annotation *shown, const struct annotation *annotations, size_t count,
                             const struct screen *screen);

/* The annotation with this name (with or without its program), or of this function; "": the first. NULL: none. */
const struct annotation *annotation_find(const struct annotation *annotations, size_t count, const char *name);
