/* SPDX-License-Identifier: BSD-3-Clause
 * A comparison as text for people, and as JSON and CSV for programs. */
#ifndef CARM_REPORT_COMPARE_REPORT_H
#define CARM_REPORT_COMPARE_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "carm/compare/compare.h"
#include "carm/text/columns.h"

/* Prints the roofs and applications of all sides, with values divided as `per` says. */
void compare_print(const struct comparison *comparison, enum compare_per per, FILE *out);

/* Prints what compare_print() prints of applications: time, flop/s and intensity of each side, its verdict, and the
 * ratio to the base. Nothing where there are no applications. */
void compare_print_applications(const struct comparison *comparison, FILE *out);

/* The columns of what one side measured of an application, against the base (`first`: in a table with its name), and of
 * a side's machine. */
void compare_application_columns(struct column_walk *to, const struct comparison *comparison,
                                 const struct compare_application *row, size_t side, bool first);
void compare_side_columns(struct column_walk *to, const struct compare_side *side, bool is_base);

/* The comparison as JSON of the schema "carmine.compare/1"; the caller releases it. */
json_t *compare_json(const struct comparison *comparison);

/* Prints the comparison as CSV: a row for each roof and side, and one for each application and side. */
void compare_csv(const struct comparison *comparison, FILE *out);

#endif
