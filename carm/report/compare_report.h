/* SPDX-License-Identifier: BSD-3-Clause
 * A comparison as text, JSON and CSV, and the table of roofs that its screen uses too. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "screen.h"

#include "carm/compare/compare.h"
#include "carm/model/describe.h"
#include "carm/text/columns.h"

/* Tables with a row per roof and columns for the sides of a comparison: their values and ratios to the base; for more
 * sides than COMPARE_COLUMNS the range of ratios. */

/* An unfinished table; columns_print(&rows.to, …) prints it. */
struct compare_rows {
    struct column_walk to;
    const struct comparison *of;
    enum compare_per per;
    const char *second; /* the heading of the second column */
    bool named_by_second;
};

/* Values are divided by `per`. If a terminal has no room, the warnings are removed first, then the second column unless
 * rows are named by it, then values; ratios stay. */
struct compare_rows compare_rows_begin(const struct comparison *comparison, enum compare_per per, const char *second,
                                       bool named_by_second);

/* Adds a row after the two texts. */
void compare_rows_add(struct compare_rows *rows, const struct compare_row *row, const char *first, const char *second);

/* Whether the values of a side, other than the base of at most COMPARE_COLUMNS, have no room. */
bool compare_rows_lack(struct compare_rows *rows, size_t side);

/* A side's value with its unit ("–": not measured), and its ratio to the base with "≈" for overlapping intervals and
 * "▲" for values that may be off by more than 25 %; no ratio for the base. */
struct compare_cell {
    char value[DESCRIBE_VALUE_BYTES], ratio[32];
};
struct compare_cell compare_cell(const struct comparison *comparison, const struct compare_row *row, size_t side,
                                 enum compare_per per);

/* Writes "f64 peak", "DRAM bandwidth", "L1 latency" to `out`, and returns it. */
const char *compare_headline_name(const struct compare_row *row, char *out, size_t size);

/* The names of a row's best roofs: the base's, and those of other sides if they differ: "amx.bf16.dot; B:
 * avx512.bf16.dot". `brief`: of others the instruction set, if that differs, and the operation, if one is FMA and
 * the other is not. */
void compare_best_names(const struct comparison *c, const struct compare_row *row, bool brief, char *out, size_t size);

/* Prints the roofs and applications of all sides, with values divided by `per`. */
void compare_print(const struct comparison *comparison, enum compare_per per, FILE *out);

/* The columns of one side's application against the base (`first`: with its name in a table), and of a side's machine.
 */
void compare_application_columns(struct column_walk *to, const struct comparison *comparison,
                                 const struct compare_application *row, size_t side, bool first);
void compare_side_columns(struct column_walk *to, const struct compare_side *side, bool is_base);

/* The comparison as JSON of the schema "carmine.compare/1"; the caller releases it. */
json_t *compare_json(const struct comparison *comparison);

/* Prints the comparison as CSV: a row for each roof and side, and one for each application and side. */
void compare_csv(const struct comparison *comparison, FILE *out);

/* One screen of a comparison: how fast each side is against the base, how much of that is due to clock and cores, and
 * the roofs that differ most. */

/* Prints the first lines. Values are divided by `per`. */
void sentences_print(const struct comparison *comparison, enum compare_per per, const struct screen *screen);

/* Prints a line per side after a blank line: letter, name, cores, clock and file. */
void sentences_print_sides(const struct comparison *comparison, const struct screen *screen);

/* Prints the whole screen. Values are divided by `per`. False, with nothing printed, if there is no roof to compare. */
bool compare_answer_print(const struct comparison *comparison, enum compare_per per, const struct screen *screen);

/* Where measured cores differ: a note of a screen, a table, JSON and CSV. */

enum { CORE_NOTE_LINES = 4 }; /* of 80 columns, at most */

/* The classes that differ, those first that readers want first. Nothing without cores that can be compared. */
void compare_core_note(const struct comparison *comparison, const struct screen *screen);

/* Every form that differs. Nothing without cores. */
void compare_core_print(const struct comparison *comparison, FILE *out);

/* Every form that several sides measured. */
json_t *compare_core_json(const struct comparison *comparison);

/* Likewise, a row per form, quantity and side, below the heading of compare_csv(). */
void compare_core_csv(const struct comparison *comparison, FILE *out);
