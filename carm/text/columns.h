/* SPDX-License-Identifier: BSD-3-Clause
 * The columns of one kind of row, stated once: a function that calls column() for each, with its names, how it reads,
 * where it appears, and the row's cell. Text tables, CSV, JSON and the lists of the page walk that function. */
#ifndef CARM_COLUMNS_H
#define CARM_COLUMNS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "table.h"

#include "bench/kernels/doubt.h"

/* How numbers read in text tables, and by which name the page formats them. */
enum column_format {
    COLUMN_TEXT,      /* a text */
    COLUMN_NUMBER,    /* three significant digits: "0.125" */
    COLUMN_LIMIT,     /* four */
    COLUMN_PER_CYCLE, /* two digits behind the point, of large ones one */
    COLUMN_WHOLE,     /* "12" */
    COLUMN_DIGITS,    /* three digits always */
    COLUMN_FIXED,     /* so many digits behind the point */
    COLUMN_SI,        /* "89.4 GB/s", with the column's unit */
    COLUMN_ALIGNED,   /* the same with three digits always */
    COLUMN_CLOCK,     /* "2.99 GHz" */
    COLUMN_BINARY,    /* "48 KiB" */
    COLUMN_PERCENT,   /* of a fraction, with the column's digits behind the point */
    COLUMN_CHANGE,    /* the same with its sign */
    COLUMN_DOUBTS,    /* the names of doubts */
};

/* When a column of a text table goes where the terminal is too narrow: STAYS, or 1 to 9, the highest first. A kind of
 * row may have several tables, by an enum of its own. */
enum { STAYS = 10, COLUMN_TABLES = 9 };

enum column_page { NOT_ON_PAGE, ON_PAGE, IN_TABLE, IN_TIP, IN_TITLE, LEADS }; /* IN_TIP: when it is pointed at */

struct column {
    const char *title, *heading; /* heading: of text tables, where it is another */
    const char *key;             /* in CSV, JSON and the page's data */
    const char *unit;
    enum column_format format;
    int digits, csv_digits;            /* csv_digits: significant; 0: seven */
    unsigned char text[COLUMN_TABLES]; /* STAYS or its rank, for each table; 0: not there */
    unsigned char csv, json;           /* its place, from 1 and for ever; equal ones as stated. 0: not there */
    enum column_page page;
    bool right;                /* texts and their heading stand at the right */
    bool optional;             /* JSON leaves out what is not known, instead of null */
    bool raw_csv, raw_json;    /* what is not known is 0 there, or an empty text */
    bool rate, rate_per_cycle; /* the page takes the unit of each row's value, or that per cycle */
};

struct cell {
    enum { CELL_TEXT, CELL_NUMBER, CELL_AMOUNT, CELL_BOOL, CELL_DOUBTS, CELL_JSON } kind;
    bool known;
    double number;
    struct doubts doubts;
    const char *text; /* of a number: how it reads in text tables, where its format does not say that; NULL: it does */
    json_t *json;     /* taken over */
};

struct cell cell_text(const char *text);                     /* not known where it is empty */
struct cell cell_number(bool known, double number);          /* nor known where it is not finite */
struct cell cell_positive(double number);                    /* known above zero */
struct cell cell_amount(bool known, double amount);          /* exact where it is whole */
struct cell cell_read(struct cell number, const char *text); /* a number that reads so in text tables */
struct cell cell_place(unsigned place);                      /* 1 + its number; 0: none */
struct cell cell_bool(bool known, bool value);
struct cell cell_doubts(struct doubts doubts);
struct cell cell_json(json_t *value);

/* A walk in one form. */
enum { COLUMNS_MOST = 96 };
struct column_walk {
    enum { COLUMNS_TABLE, COLUMNS_CSV, COLUMNS_HEADING, COLUMNS_JSON, COLUMNS_PAGE } form;
    unsigned which; /* of the kind's text tables */
    struct table table;
    char alignment[TABLE_MAX_COLUMNS + 1], order[TABLE_MAX_COLUMNS + 1];
    size_t count; /* columns of the row so far */
    struct columns_value {
        unsigned place;
        const char *key;
        json_t *value;
        int digits;
    } values[COLUMNS_MOST]; /* of CSV and JSON */
    json_t *list;           /* of the page */
};

/* States a column: column(to, cell, .title = …, …). */
#define column(to, cell, ...) column_put(to, cell, &(struct column){__VA_ARGS__})
void column_put(struct column_walk *to, struct cell cell, const struct column *column);

/* A text table: begin; before each row columns_row(); then print, as table_print() and table_print_section() do. The
 * first row states the heading. */
struct column_walk columns_table(unsigned which);
void columns_row(struct column_walk *to);
void columns_print(struct column_walk *to, FILE *out);
void columns_print_section(struct column_walk *to, FILE *out);

/* The other forms: begin, walk the function, end. A heading is walked with an empty row. */
struct column_walk columns_csv(bool heading);
void columns_end_csv(struct column_walk *to, FILE *out);
struct column_walk columns_json(void);
json_t *columns_end_json(struct column_walk *to); /* the row's object */
struct column_walk columns_page(void); /* its list: [{"title", "key", "format", "unit", "where", …}, …] */

#endif
