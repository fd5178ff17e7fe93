/* SPDX-License-Identifier: BSD-3-Clause
 * Gaps between measured and documented as text, as JSON, and on one screen: how many roofs reach their limits, how
 * many do not and why. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "screen.h"

#include "carm/model/shortfall.h"

struct uarch;

/* One screen: the verdict on what the vendor states, the roofs at their limits, and the reasons for others. `spec` may
 * be NULL. */
struct spec_answer {
    const struct model *model;
    const struct shortfalls *shortfalls;
    const struct specification *specification;
    const struct spec *spec;
};
void spec_answer_print(const struct spec_answer *answer, const struct screen *screen);

/* Prints the vendor's figures and their consequences. */
void shortfall_report_spec(const struct spec *spec, FILE *out);

/* Prints a table per thread count, then each occurring reason with its meaning. `spec` may be NULL. */
void shortfall_report_print(const struct model *model, const struct shortfalls *shortfalls, const struct spec *spec,
                            FILE *out);

/* Schema "carmine.gaps/1". Model and specification, or `spec`, may be NULL. */
json_t *shortfall_report_json(const struct spec_answer *answer);

/* The verdicts on what a vendor states, as a line, as a table with reasons, and as JSON. */

/* "as specified: f64, f32 FMA, L1; cannot tell: memory"; `brief` as of specification_names(). Returns `out`. */
enum { SPECIFICATION_LINE_BYTES = 512 };
char *specification_line(const struct specification *specification, bool brief, char out[SPECIFICATION_LINE_BYTES]);

/* The same as a note of at most one line. */
void specification_note(const struct specification *specification, const struct screen *screen);

/* The table and the reasons, one line per cause. Returns the rows of the table. */
size_t specification_print(const struct specification *specification, const struct screen *screen);

/* The verdict, and a list of the figures. */
json_t *specification_json(const struct specification *specification);

/* The table of documented limits as a document: the limits of each microarchitecture, with sources. */

/* Prints Markdown. docs/documented-limits.md is this text; a test compares the two. */
void limits_markdown_print(FILE *out);

enum limits_unit { LIMITS_FLOP, LIMITS_BYTES, LIMITS_ELEMENTS, LIMITS_INSTRUCTIONS, LIMITS_PRODUCTS };
extern const char *const limits_unit_names[]; /* "flop", "B", … */

/* One of its figures: a column of its tables. */
struct limits_row {
    const char *name; /* "L1 load" */
    enum limits_unit unit;
    unsigned level;   /* 0: registers only */
    double per_cycle; /* 0: not known, or there are no such instructions */
};

/* Column by column; false after the last. `uarch` may not be NULL. */
bool limits_row_at(const struct uarch *uarch, size_t index, struct limits_row *out);
