/* SPDX-License-Identifier: BSD-3-Clause
 * Fields of CSV that need more than printf. */
#ifndef CARM_CSV_H
#define CARM_CSV_H

#include <stdio.h>

/* Quoted by RFC 4180 and safe to print. A text that a spreadsheet would take for a formula gets an apostrophe first:
 * one that begins with = + - @, a tab or a carriage return. */
void csv_put_text(const char *text, FILE *out);

/* The same after a comma. */
void csv_put_next(const char *text, FILE *out);

/* After a comma, with `digits` digits; empty if not finite. */
void csv_put_number(double value, int digits, FILE *out);

#endif
