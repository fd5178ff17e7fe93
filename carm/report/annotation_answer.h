/* SPDX-License-Identifier: BSD-3-Clause
 * The code of a hot loop on a terminal: its source lines with what each did, then its instructions. */
#ifndef CARM_REPORT_ANNOTATION_ANSWER_H
#define CARM_REPORT_ANNOTATION_ANSWER_H

#include "screen.h"

#include "bench/programs/annotation.h"

/* One of them; the others are named. */
void annotation_answer_print(const struct annotation *shown, const struct annotation *annotations, size_t count,
                             const struct screen *screen);

/* The one of that name, with the program before it or without, or of that function; "": the first. NULL: none. */
const struct annotation *annotation_find(const struct annotation *annotations, size_t count, const char *name);

#endif
