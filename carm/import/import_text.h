/* SPDX-License-Identifier: BSD-3-Clause
 * A file of another tool, line by line, with the place of each error; and numbers as such tools print them. Rows
 * of a CSV file by RFC 4180: cells in quotes may hold separators, line ends and doubled quotes. Reading continues where
 * import_text_line() stopped, so a preamble can be skipped by lines. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

struct error;

struct import_text {
    const char *path;
    char *text; /* ends in NUL; lines are cut in place */
    size_t length;
    char *next;    /* of the rest */
    char *begin;   /* the line that was read last */
    unsigned line; /* its number, from 1; 0: none yet */
    char *cut;     /* place of the NUL that ends it, and the character there before, for import_text_back */
    char replaced;
};

/* Errors: unreadable, empty, a binary form of a tool, not text (with the place of the bad byte), too large. */
bool import_text_read(struct import_text *out, const char *path, struct error *err);
void import_text_free(struct import_text *text);

/* A second reader of the rest of the same file, with text of its own. */
struct import_text import_text_copy(const struct import_text *text);

/* The next line, without its end; NULL after the last. Valid as long as the text. */
char *import_text_line(struct import_text *text);

/* Makes import_text_line return the last line again. */
void import_text_back(struct import_text *text);

/* Sets "PATH: line 3, column 7: …" and returns false; `at` points into the line, or is NULL: no column. Before the
 * first line there is no place. */
bool import_text_fail(const struct import_text *text, const char *at, struct error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Sets "PATH: …" for the file as a whole, and returns false. */
bool import_file_fail(const struct import_text *text, struct error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Forms of a tool's output that are not read: a table, with what each form is and the option that makes one that is
 * read. */
struct unread_form {
    const char *mark;     /* in a line of the text; after '^' at the line's beginning; NULL: end of the table */
    const char *sentence; /* "this is the text of perf stat: run it with -x," */
};

/* Whether the file has the mark of one of the forms. Then sets "PATH: " and the form's sentence. */
bool import_unread_form(const struct import_text *text, const struct unread_form *forms, struct error *err);

/* A plain number, not negative, with blanks around it. Returns NULL, or the fault: "has a unit". */
const char *import_number(const char *text, double *out);

/* The same, but commas may separate groups of three digits. */
const char *import_grouped_number(const char *text, double *out);

/* The same of something counted. Its only point with three digits behind it is between thousands, of another locale. */
const char *import_whole_number(const char *text, double *out);

/* Such a number as a count; 0, which means unknown, if no counter can hold it (from 2⁶³). */
uint64_t import_count(double number);

/* The text without blanks at its ends, cut in place. */
char *import_trim(char *text);

enum { CSV_MAX_CELLS = 2048 };

struct csv_row {
    size_t count;  /* of cells; 0: no more rows */
    unsigned line; /* its first line */
    char *cells[CSV_MAX_CELLS];
};

/* The next row that is not empty, at most CSV_MAX_CELLS long. Errors: an unclosed quote, a quote inside a cell, too
 * many cells. */
bool csv_read(struct import_text *text, char separator, struct csv_row *out, struct error *err);

/* The most frequent separator of a heading: ',', ';', a tab, '|' or '^'. */
char csv_separator(const char *line);

/* The cell's number in csv cells, counted from 1; 0: no such cell. */
size_t csv_find(const struct csv_row *heading, const char *name);

/* Sets "PATH: line 3, column 2 (flop): …" and returns false. The column is a cell's number, and its name is from the
 * heading (may be NULL). */
bool csv_fail(const struct import_text *text, const struct csv_row *row, const struct csv_row *heading, size_t cell,
              struct error *err, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* The number in a cell (counted from 1). Error: no such cell, or no plain number in it. */
bool csv_number(const struct import_text *text, const struct csv_row *row, const struct csv_row *heading, size_t cell,
                double *out, struct error *err);
