/* SPDX-License-Identifier: BSD-3-Clause
 * A file of another tool, line by line, with the place of every fault; and numbers as such tools print them. */
#ifndef CARM_IMPORT_TEXT_H
#define CARM_IMPORT_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

#include "probe/error.h"

struct import_text {
    const char *path;
    char *text; /* ends in NUL; lines are cut in place */
    size_t length;
    char *next;    /* of what is left */
    char *begin;   /* the line that was read last */
    unsigned line; /* its number, from 1; 0: none yet */
    char *cut;     /* what the NUL behind it replaced, for import_text_back */
    char replaced;
};

/* Errors: cannot be read, empty, no text (with the place of the byte that is none), larger than any such file. */
bool import_text_read(struct import_text *out, const char *path, struct error *err);
void import_text_free(struct import_text *text);

/* The next line, without its end; NULL after the last. Valid as long as the text. */
char *import_text_line(struct import_text *text);

/* The line that was read last will be read again. */
void import_text_back(struct import_text *text);

/* Sets "PATH: line 3, column 7: …" and returns false; `at` points into the line, or is NULL: no column;
 * before the first line there is no place. */
bool import_text_fail(const struct import_text *text, const char *at, struct error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Sets "PATH: …", of the file as a whole, and returns false. */
bool import_file_fail(const struct import_text *text, struct error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A plain number, not negative, with blanks around it. NULL when it is one, else what is wrong: "has a unit". */
const char *import_number(const char *text, double *out);

/* The same where groups of three digits may be separated by commas. */
const char *import_grouped_number(const char *text, double *out);

/* Such a number as a count; what no counter can hold (from 2⁶³) is 0, as what is not told. */
uint64_t import_count(double number);

/* The text without blanks at its ends, cut in place. */
char *import_trim(char *text);

#endif
