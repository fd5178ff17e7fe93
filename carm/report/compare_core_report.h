/* SPDX-License-Identifier: BSD-3-Clause
 * Where measured cores differ: a note of a screen, a table, JSON and CSV. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "carm/compare/compare.h"
#include "screen.h"

enum { CORE_NOTE_LINES = 4 }; /* of 80 columns, at most */

/* The classes that differ, those first that readers want first. Nothing without cores that can be compared. */
void compare_core_note(const struct comparison *comparison, const struct screen *screen);

/* Every form that differs. Nothing without cores. */
void compare_core_print(const struct comparison *comparison, FILE *out);

/* Every form that several sides measured. */
json_t *compare_core_json(const struct comparison *comparison);

/* Likewise, a row per form, quantity and side, below the heading of compare_csv(). */
void compare_core_csv(const struct comparison *comparison, FILE *out);
