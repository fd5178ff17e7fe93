/* SPDX-License-Identifier: BSD-3-Clause
 * Rows of a CSV file by RFC 4180: cells in quotes may hold separators, line ends and doubled quotes. Reading
 * continues where import_text_line stopped, so a preamble can be skipped by lines. */
#ifndef CARM_IMPORT_CSV_H
#define CARM_IMPORT_CSV_H

#include "import_text.h"

enum { CSV_MAX_CELLS = 4096 };

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

#endif
