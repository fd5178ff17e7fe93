/* SPDX-License-Identifier: BSD-3-Clause
 * Fields of CSV that need more than printf. */
#ifndef CARM_CSV_H
#define CARM_CSV_H

#include <stdio.h>

/* In quotes, by RFC 4180, and safe to print; behind an apostrophe where a spreadsheet would take it for a formula:
 * where it begins with = + - @, a tab or a carriage return. */
void csv_put_text(const char *text, FILE *out);

/* The same behind a comma. */
void csv_put_next(const char *text, FILE *out);

/* Behind a comma, with so many digits; empty where it is no finite number. */
void csv_put_number(double value, int digits, FILE *out);

#endif
