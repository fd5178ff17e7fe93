/* SPDX-License-Identifier: BSD-3-Clause
 * The verdicts on what a vendor states, as a line, as a table with reasons, and as JSON. */
#pragma once

#include <jansson.h>

#include "screen.h"

#include "carm/model/specification.h"

/* "as specified: f64, f32 FMA, L1; cannot tell: memory"; `brief` as of specification_names(). Returns `out`. */
enum { SPECIFICATION_LINE_BYTES = 512 };
char *specification_line(const struct specification *specification, bool brief, char out[SPECIFICATION_LINE_BYTES]);

/* The same as a note of at most one line. */
void specification_note(const struct specification *specification, const struct screen *screen);

/* The table and the reasons, one line per cause. Returns the rows of the table. */
size_t specification_print(const struct specification *specification, const struct screen *screen);

/* The verdict, and a list of the figures. */
json_t *specification_json(const struct specification *specification);
