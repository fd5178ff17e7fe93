/* SPDX-License-Identifier: BSD-3-Clause
 * The columns of one kind of row, defined once by a function that calls column() for each. Text tables, CSV, JSON and
 * the lists of the page all walk that function. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "table.h"

#include "bench/kernels/doubts.h"

/* Formats of numbers in text tables, and of the page. */
enum column_format {
    COLUMN_TEXT,
    COLUMN_NUMBER,    /* three significant digits: "0.125" */
    COLUMN_LIMIT,     /* four */
    COLUMN_PER_CYCLE, /* two decimals, large numbers one */
    COLUMN_WHOLE,     /* "12" */
    COLUMN_DIGITS,    /* three digits always */
    COLUMN_FIXED,     /* `digits` decimals */
    COLUMN_SI,        /* "89.4 GB/s", with the column's unit */
    COLUMN_ALIGNED,   /* the same with three digits always */
    COLUMN_CLOCK,     /* "2.99 GHz" */
    COLUMN_BINARY,    /* "48 KiB" */
    COLUMN_PERCENT,   /* of a fraction, with `digits` decimals */
    COLUMN_CHANGE,    /* the same with a sign */
    COLUMN_DOUBTS,    /* the names of doubts */
};

/* STAYS, or the rank of removal on a narrow terminal: 1 to 9, the highest first. A kind of row may have several tables,
 * in an enum of its own. */
enum { STAYS = 10, COLUMN_TABLES = 10 };

enum column_page { NOT_ON_PAGE, ON_PAGE, IN_TABLE, IN_TIP, IN_TITLE, LEADS }; /* IN_TIP: tooltip */

/* What differs in the page's tooltip from the page's table. */
struct column_tip {
    const char *title, *unit;
    bool rate_per_cycle;
};

struct column {
    const char *title, *heading; /* heading: for text tables, if different */
    const char *key;             /* in CSV, JSON and the page's data */
    const char *unit;
    enum column_format format;
    int digits, csv_digits;            /* csv_digits: significant; 0: seven */
    unsigned char text[COLUMN_TABLES]; /* STAYS or rank, for each table; 0: not in it */
    unsigned char csv, json;           /* place from 1, never changed; equal places stay in order. 0: not in it */
    enum column_page page;
    const struct column_tip *tip; /* it is in the tooltip, too; NULL: only where `page` says */
    bool right;                   /* texts and heading are aligned right */
    bool optional;                /* JSON omits unknown values instead of null */
    bool raw_csv, raw_json;       /* unknown values are 0 or an empty text */
    bool rate, rate_per_cycle;    /* the page uses the unit of each row's value, or that per cycle */
};

struct cell {
    enum { CELL_TEXT, CELL_NUMBER, CELL_AMOUNT, CELL_BOOL, CELL_DOUBTS, CELL_JSON } kind;
    bool known;
    double number;
    struct doubts doubts;
    const char *text; /* of a number: its text in text tables; NULL: by format */
    json_t *json;     /* owned by the walk */
};

struct cell cell_text(const char *text);                     /* unknown if empty */
struct cell cell_number(bool known, double number);          /* also unknown if not finite */
struct cell cell_positive(double number);                    /* known above zero */
struct cell cell_amount(bool known, double amount);          /* exact if whole */
struct cell cell_read(struct cell number, const char *text); /* a number with this text in text tables */
struct cell cell_place(unsigned place);                      /* 1 + its number; 0: none */
struct cell cell_bool(bool known, bool value);
struct cell cell_doubts(struct doubts doubts);
struct cell cell_json(json_t *value);

/* A walk that writes one form. */
enum { COLUMNS_MOST = 96 };
struct column_walk {
    enum { COLUMNS_TABLE, COLUMNS_CSV, COLUMNS_HEADING, COLUMNS_JSON, COLUMNS_PAGE } form;
    unsigned which; /* index of the kind's text table */
    struct table table;
    char alignment[TABLE_MAX_COLUMNS + 1], order[TABLE_MAX_COLUMNS + 1];
    size_t count;    /* columns of the row so far */
    bool needs_keys; /* of CSV: the heading is printed before the next row */
    struct columns_value {
        unsigned place;
        const char *key;
        json_t *value;
        int digits;
        bool optional;
    } values[COLUMNS_MOST]; /* of CSV and JSON */
    json_t *list;           /* of the page */
};

/* Adds a column: column(to, cell, .title = …, …). */
#define column(to, cell, ...) column_put(to, cell, &(struct column){__VA_ARGS__})
void column_put(struct column_walk *to, struct cell cell, const struct column *column);

/* A text table: begin; columns_row() before each row; then print, like table_print() and table_print_section(). The
 * first row defines the heading. */
struct column_walk columns_table(unsigned which);
void columns_row(struct column_walk *to);
void columns_print(struct column_walk *to, FILE *out);
bool columns_lack(struct column_walk *to, size_t column); /* table_lacks() */
void columns_print_section(struct column_walk *to, FILE *out);

/* The other forms: begin, walk the function, end. For a heading, walk it with an empty row. */
struct column_walk columns_csv(bool heading);
struct column_walk columns_csv_rows(void); /* for at least one row: the first prints the heading, too */
void columns_end_csv(struct column_walk *to, FILE *out);
struct column_walk columns_json(void);
json_t *columns_end_json(struct column_walk *to); /* the row's object */
struct column_walk columns_page(void); /* its list: [{"title", "key", "format", "unit", "where", …}, …] */
