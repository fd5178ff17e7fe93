/* SPDX-License-Identifier: BSD-3-Clause
 * Plain structs ↔ JSON objects by tables of fields, with every value checked on reading. A table has a row for each
 * member of a struct. A row may be a record or a list of records with its own table. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct error;

enum field_type {
    FIELD_TEXT,       /* char[size] */
    FIELD_LABEL,      /* char[size], never empty */
    FIELD_NUMBER,     /* double, finite and not negative */
    FIELD_AMOUNT,     /* double, finite and not negative; counted: exact in the file if whole */
    FIELD_NUMBERS,    /* consecutive doubles, as many as fit `size`, as a list */
    FIELD_COUNT,      /* unsigned */
    FIELD_PLACE,      /* unsigned: 1 + the number in the file; zero: none */
    FIELD_WHOLE,      /* int, may be negative */
    FIELD_BYTES,      /* uint64_t */
    FIELD_BOOL,       /* bool */
    FIELD_DOUBTS,     /* struct doubts, as names */
    FIELD_FEATURES,   /* cpu_features, enum cpu_feature, as names */
    FIELD_NAME,       /* an enum that counts from 0, as one of `names` */
    FIELD_STATISTICS, /* struct statistics, as [n, kept, min, q1, median, q3, max] */
    FIELD_CONSTANT,   /* no member: always the first of `names` */
    FIELD_TALLY,      /* a uint64_t for each of `names`, as {name: count}, without zeros */
    FIELD_TALLIES,    /* a tally for each of `types`, as {type: {name: count}} */
    FIELD_RECORD,     /* a struct with the table `of`; with a counter only if that is not zero */
    FIELD_LIST,       /* an array in the struct, of records with the table `of` */
    FIELD_ALLOCATED,  /* the same behind a pointer: allocated by calloc() on reading, with room for one more */
};

struct field {
    const char *key;     /* in the object; NULL ends the table */
    size_t offset, size; /* of the member, in bytes; for a list of one entry */
    enum field_type type;
    const char *unit, *meaning; /* for the document; NULL: no unit */
    const char *missing; /* meaning of a missing key: zero or empty, not written. NULL: always there; "": no comment */
    bool scanned;        /* also read by fields_scan() */
    bool bare;           /* the only row of its table: the record is this value, without an object around it */
    bool intervals;      /* of FIELD_NUMBERS: each three are a value and the ends of its interval */
    unsigned digits;     /* significant digits of numbers; 0: the writer's own */
    const char *const *names, *const *types; /* NULL-terminated */
    const struct field *of;                  /* table of a record, or of each entry of a list */
    struct field_counter {
        size_t offset, size; /* the number of entries: a bool, unsigned or size_t in the struct; size 0: none */
    } counter;
    size_t most;                             /* most entries of a list; longer lists are refused */
    const char *(*fits)(const void *record); /* whether an entry's numbers agree: NULL, or what they must do */
};

/* A row for a member of `struct record`: type, unit, meaning, then other members by name. */
#define FIELD(record, member, ...)                                                                                     \
    { .key = #member, FIELD_PLACED(record, member), __VA_ARGS__ }
#define FIELD_OPTIONAL(record, member, ...)                                                                            \
    { .key = #member, .missing = "", FIELD_PLACED(record, member), __VA_ARGS__ }
#define FIELD_PLACED(record, member)                                                                                   \
    .offset = offsetof(struct record, member), .size = sizeof(((struct record *)0)->member)

/* A row for a list. `number` is the member with the number of entries, then the entries' table, for allocated lists the
 * maximum, the meaning, and other members by name. FIELD_LIST_NAMED: its key first. */
#define FIELD_LIST_OF(record, member, number, table, ...)                                                              \
    {                                                                                                                  \
        .key = #member, .offset = offsetof(struct record, member), .size = sizeof(((struct record *)0)->member[0]),    \
        .of = table, .counter = FIELD_COUNTER(record, number),                                                         \
        .most = sizeof(((struct record *)0)->member) / sizeof(((struct record *)0)->member[0]), .type = FIELD_LIST,    \
        .meaning = __VA_ARGS__                                                                                         \
    }
#define FIELD_ALLOCATED_LIST(record, member, ...) FIELD_LIST_NAMED(#member, record, member, __VA_ARGS__)
#define FIELD_LIST_NAMED(name, record, member, number, table, maximum, ...)                                            \
    {                                                                                                                  \
        .key = name, .offset = offsetof(struct record, member), .size = sizeof(((struct record *)0)->member[0]),       \
        .of = table, .counter = FIELD_COUNTER(record, number), .most = maximum, .type = FIELD_ALLOCATED,               \
        .meaning = __VA_ARGS__                                                                                         \
    }
#define FIELD_COUNTER(record, number)                                                                                  \
    { offsetof(struct record, number), sizeof(((struct record *)0)->number) }

/* A new object (for a bare table its value), to be released by the caller. Cannot fail. */
json_t *fields_write(const struct field *fields, const void *record);

/* `record` must be zero. Error: the fault at `path` + key ("samples[3].threads: must be …"). The record then has
 * everything allocated so far. */
bool fields_read(const struct field *fields, const json_t *object, void *record, const char *path, struct error *err);

/* The root of the JSON file. NULL with an error: cannot be read, longer than `most_bytes`, not JSON (with line and
 * column). Every message begins with the path. */
json_t *fields_load(const char *path, size_t most_bytes, struct error *err);

/* Makes each text of the record safe to print (render/page/safe_text.h). fields_read() does this too. */
void fields_clean(const struct field *fields, void *record);

/* Any text, made safe. */
json_t *fields_text(const char *text);

/* Prints on stdout, as every --json does. Characters that control a terminal are escaped. Releases `value`. */
void fields_print(json_t *value);

/* The same, to another stream. */
void fields_print_to(json_t *value, FILE *out);

/* The number of entries of the row's list; for a record 0 or 1. */
size_t field_count(const struct field *field, const void *record);
void field_set_count(const struct field *field, void *record, size_t count);

/* The first entry of a list. The setter is for allocated lists. */
void *field_entries(const struct field *field, const void *record);
void field_set_entries(const struct field *field, void *record, void *entries);

/* JSON text → structs by rows that are `scanned`, without building the JSON. For thousands of files, of
 * which only a few values are needed. */

/* A walk through JSON text without building it. Every value must be taken or skipped, in order. The walk ends at text
 * that is not plain JSON; values after that are wrong. */

struct scan {
    const char *at; /* the next character; the text ends in NUL */
    bool failed;    /* if set, all takes do nothing and return false, 0 or "" */
};

/* Takes a number; fails for another type, or if it is negative or not finite. */
double scan_number(struct scan *scan);

/* Nothing failed, and only blanks remain. */
bool scan_is_end(struct scan *scan);

/* Reads the next value into `record`, which must be zero. The walk fails if a scanned field is missing (unless
 * optional), repeated, or not written like fields_write() does. The record then has everything allocated so far. Unused
 * types (FIELD_WHOLE, _FEATURES, _STATISTICS, _TALLY, _TALLIES) fail too. A table has at most 64 rows. */
void fields_scan(const struct field *fields, struct scan *scan, void *record);

/* Tables of fields as a document: each field, its unit, and the meaning of a missing key. */

/* Markdown: a heading and a table for the record `name`, then for each record and list in it, named by its path.
 * docs/result-file.md contains this; a test compares the two. */
void fields_markdown_print(const struct field *fields, const char *name, FILE *out);
