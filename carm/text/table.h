/* SPDX-License-Identifier: BSD-3-Clause
 * A text table on a terminal: columns as wide as their widest cell. */
#ifndef CARM_TABLE_H
#define CARM_TABLE_H

#include <stdbool.h>
#include <stdio.h>

enum { TABLE_MAX_COLUMNS = 20, TABLE_CELL_BYTES = 160 };

struct table {
    size_t columns, rows, capacity;
    const char *alignment;                              /* a letter per column: 'l' or 'r' */
    bool brief;                                         /* leaves out columns with nothing below their heading */
    char (*cells)[TABLE_MAX_COLUMNS][TABLE_CELL_BYTES]; /* the first row is the heading */
};

struct table table_begin(const char *alignment);

/* A new, empty row; write into its cells. Valid until the next row is added. */
char (*table_row(struct table *table))[TABLE_CELL_BYTES];

void table_set(char (*row)[TABLE_CELL_BYTES], size_t column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints and frees. */
void table_print(struct table *table, FILE *out);

/* The same behind a blank line; prints nothing where there is no row below the heading. */
void table_print_section(struct table *table, FILE *out);

#endif
