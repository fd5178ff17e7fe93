/* SPDX-License-Identifier: BSD-3-Clause
 * A comparison as text for people, and as JSON and CSV for programs. */
#ifndef CARM_COMPARE_REPORT_H
#define CARM_COMPARE_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "carm/compare/compare.h"

/* Roofs and applications of all sides. */
void compare_print(const struct comparison *comparison, enum compare_per per, FILE *out);

/* Of it the part about applications: time, flop/s and intensity of each side, its verdict, and what the base gained. */
void compare_print_applications(const struct comparison *comparison, FILE *out);

/* Schema "carmine.compare/1". */
json_t *compare_json(const struct comparison *comparison);

/* A row per roof and side, and one per application and side. */
void compare_csv(const struct comparison *comparison, FILE *out);

#endif
