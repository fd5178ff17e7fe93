/* SPDX-License-Identifier: BSD-3-Clause
 * A text table on a terminal: columns as wide as their widest cell, and no line wider than the terminal, so that none
 * is broken inside a word: columns for which there is no room are left out, in an order that the table states. */
#ifndef CARM_TABLE_H
#define CARM_TABLE_H

#include <stdbool.h>
#include <stdio.h>

enum { TABLE_MAX_COLUMNS = 20, TABLE_CELL_BYTES = 160 };

struct table {
    size_t columns, rows, capacity;
    const char *alignment; /* a letter per column: 'l' or 'r' */
    size_t width;          /* places that a line may take; 0: as many as it needs */
    /* A digit per column: where a line is wider, columns go, the highest digit first and of equal ones the rightmost;
     * '0' stays. NULL: all but the first may go. */
    const char *order;
    size_t gap;                                         /* blanks between columns; 0: two */
    bool brief;                                         /* leaves out columns with nothing below their heading */
    bool quiet;                                         /* does not say what it leaves out */
    char (*cells)[TABLE_MAX_COLUMNS][TABLE_CELL_BYTES]; /* the first row is the heading */
};

/* From now on tables begin with this width: that of the terminal which standard output is. 0, as at first: any. */
void table_fit(size_t width);
size_t table_usual_width(void);

struct table table_begin(const char *alignment);

/* A new, empty row; write into its cells. Valid until the next row is added. */
char (*table_row(struct table *table))[TABLE_CELL_BYTES];

void table_set(char (*row)[TABLE_CELL_BYTES], size_t column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A row of these texts, such as the heading; there are at most as many as columns. */
void table_head(struct table *table, const char *const *names, size_t count);

/* Places that a text, or its first bytes, take: their characters. */
size_t table_width(const char *text);
size_t table_width_of(const char *text, size_t bytes);

/* Prints and frees. */
void table_print(struct table *table, FILE *out);

/* The same behind a blank line; prints nothing where there is no row below the heading. */
void table_print_section(struct table *table, FILE *out);

#endif
