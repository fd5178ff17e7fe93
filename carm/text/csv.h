/* SPDX-License-Identifier: BSD-3-Clause
 * CSV: fields that need more than printf, and rows of JSON. */
#pragma once

#include <jansson.h>
#include <stdio.h>

enum { CSV_DIGITS = 7 }; /* significant digits where the caller names none */

/* Quoted by RFC 4180 and safe to print. A text that a spreadsheet would take for a formula gets an apostrophe first:
 * one that begins with = + - @, a tab or a carriage return. */
void csv_put_text(const char *text, FILE *out);

/* The same after a comma. */
void csv_put_next(const char *text, FILE *out);

/* After a comma, with `digits` digits; empty if not finite. */
void csv_put_number(double value, int digits, FILE *out);

/* A scalar, numbers with `digits` digits, true as 1; empty if null. */
void csv_put_value(const json_t *value, int digits, FILE *out);

/* Prints a list of objects, a row for each, below one heading, and releases it. A member is a column of its key, a
 * member of an object within it of both keys ("a_value"), a list one text: its entries, of objects the first member of
 * each. */
void csv_print_rows(json_t *rows, FILE *out);
