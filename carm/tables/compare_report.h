/* SPDX-License-Identifier: BSD-3-Clause
 * A comparison as text for people, and as JSON and CSV for programs. */
#ifndef CARM_COMPARE_REPORT_H
#define CARM_COMPARE_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "carm/compare/compare.h"

enum { COMPARE_COLUMNS = 6 }; /* so many sides stand beside each other; of more there is the range */

/* "A", "B", … of those that stand beside each other; in pictures too. */
const char *compare_letter(size_t side, char out[2]);

#define COMPARE_SAME 5e-4 /* a deviation that no decimal of a percentage shows */

void compare_print(const struct comparison *comparison, enum compare_per per, FILE *out);

/* Of it the part about applications: time, flop/s and intensity of each side, its verdict, and what the base gained. */
void compare_print_applications(const struct comparison *comparison, FILE *out);

/* Schema "carmine.compare/1". */
json_t *compare_json(const struct comparison *comparison);

/* A row per roof and side, and one per application and side. */
void compare_csv(const struct comparison *comparison, FILE *out);

#endif
