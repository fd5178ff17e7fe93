/* SPDX-License-Identifier: BSD-3-Clause
 * The code of a hot loop on a terminal: its source lines with their amounts, then its instructions. */
#pragma once

#include "screen.h"

#include "bench/programs/annotation.h"

/* Prints one annotation; names the others. */
void annotation_answer_print(const struct annotation *shown, const struct annotation *annotations, size_t count,
                             const struct screen *screen);

/* The annotation with this name (with or without its program), or of this function; "": the first. NULL: none. */
const struct annotation *annotation_find(const struct annotation *annotations, size_t count, const char *name);
