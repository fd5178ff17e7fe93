/* SPDX-License-Identifier: BSD-3-Clause
 * A text table on a terminal. Columns are as wide as their widest cell, and no line is wider than the terminal: columns
 * without room are omitted, in an order set by the table. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { TABLE_MAX_COLUMNS = 20, TABLE_CELL_BYTES = 160 };

struct table {
    size_t columns, rows, capacity;
    const char *alignment; /* a letter per column: 'l' or 'r' */
    size_t width;          /* most places of a line; 0: no limit */
    /* A digit per column: if a line is too wide, columns are omitted, the highest digit first, the rightmost of equal
     * ones; '0' stays. NULL: all but the first may be omitted. */
    const char *order;
    size_t gap;                                         /* blanks between columns; 0: two */
    bool brief;                                         /* omits columns that are empty below their heading */
    bool quiet;                                         /* does not mark omitted columns */
    bool headless;                                      /* the first row is one as the others */
    char (*cells)[TABLE_MAX_COLUMNS][TABLE_CELL_BYTES]; /* the first row is the heading, if there is one */
};

/* Width of tables begun from now on: that of the terminal on standard output. 0, the initial value: no limit. */
void table_fit(size_t width);
size_t table_usual_width(void);

/* The form of tables from now on. Markdown and LaTeX (booktabs) have all columns, whatever the width. */
enum table_form { TABLE_TEXT, TABLE_MARKDOWN, TABLE_LATEX };
void table_use(enum table_form form);
enum table_form table_form(void);

struct table table_begin(const char *alignment);

/* Adds an empty row, valid until the next row is added. Write into its cells. */
char (*table_row(struct table *table))[TABLE_CELL_BYTES];

void table_set(char (*row)[TABLE_CELL_BYTES], size_t column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds a row of these texts, such as the heading; at most as many as columns. */
void table_head(struct table *table, const char *const *names, size_t count);

/* Places of a text, or of its first bytes: the number of characters. */
size_t table_width(const char *text);
size_t table_width_of(const char *text, size_t bytes);

/* Places of a column's widest cell; 0 if the column is omitted because it is empty. */
size_t table_column_width(const struct table *table, size_t column);

/* Whether a column that is not empty will be omitted for lack of room. */
bool table_lacks(const struct table *table, size_t column);

/* Leaves at most so many places of a text, 3 or more: its middle becomes "…". */
void table_shorten(char *text, size_t most);

/* Prints and frees. */
void table_print(struct table *table, FILE *out);

/* The same after a blank line. Prints nothing without rows below the heading. */
void table_print_section(struct table *table, FILE *out);

/* Text broken between words.
 *
 * Prints lines of up to `columns` characters; a longer word has its own line. '\n' in the text ends a line too. Blanks
 * at its beginning stay. Continued lines begin with `indent`. A number stays with the next word, and × or → with both
 * sides. Ends in '\n'. In Markdown the text is one line. */
void wrap_print(const char *text, size_t columns, const char *indent, FILE *out);

/* The same, limited to the width of tables (table_fit()); no limit in a pipe. */
void wrap_fitted(const char *text, const char *indent, FILE *out);

/* wrap_fitted() of a formatted text. */
void wrap_format(FILE *out, const char *indent, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Text for LaTeX: its signs in ASCII, letters in UTF-8; without packages. */

/* Prints the text so that LaTeX shows it, also at the start of a row, where [ and * have a meaning. Signs without a
 * form in LaTeX (bars, control characters) are left out. */
void latex_print(const char *text, FILE *out);

/* Turns all lines of stdout into comments from now on, except those that begin with latex_line(). */
void latex_comment_rest(void);

/* Begins a line of LaTeX. */
void latex_line(FILE *out);
