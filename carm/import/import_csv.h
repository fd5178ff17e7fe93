/* SPDX-License-Identifier: BSD-3-Clause
 * Rows of a CSV file as RFC 4180 has it: cells in quotes may hold separators, line ends and doubled quotes. Reads on
 * where import_text_line stopped, so that a preamble can be skipped by lines. */
#ifndef CARM_IMPORT_CSV_H
#define CARM_IMPORT_CSV_H

#include "import_text.h"

enum { CSV_MAX_CELLS = 4096 };

struct csv_row {
    size_t count;  /* of cells; 0: there are no more rows */
    unsigned line; /* where it begins */
    char *cells[CSV_MAX_CELLS];
};

/* The next row that is not empty, at most CSV_MAX_CELLS long. Errors: a quote that is not closed or that stands inside
 * a cell, too many cells. */
bool csv_read(struct import_text *text, char separator, struct csv_row *out, struct error *err);

/* The separator that a heading uses most: ',', ';' or a tab. */
char csv_separator(const char *line);

/* The cell's number as csv cells count it, from 1; 0: there is no such cell. */
size_t csv_find(const struct csv_row *heading, const char *name);

/* Sets "PATH: line 3, column 2 (flop): …", where the column is a cell and its name comes from the heading (may be
 * NULL); returns false. */
bool csv_fail(const struct import_text *text, const struct csv_row *row, const struct csv_row *heading, size_t cell,
              struct error *err, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* The number in a cell (counted from 1). Error: there is no such cell, or no plain number in it. */
bool csv_number(const struct import_text *text, const struct csv_row *row, const struct csv_row *heading, size_t cell,
                double *out, struct error *err);

#endif
