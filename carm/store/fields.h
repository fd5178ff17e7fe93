/* SPDX-License-Identifier: BSD-3-Clause
 * Plain structs ↔ JSON objects by tables of fields, with every value checked on reading. A table has a row for each
 * member of a struct; a row may be a record or a list of records with a table of its own. */
#ifndef CARM_FIELDS_H
#define CARM_FIELDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "probe/error.h"

enum field_type {
    FIELD_TEXT,       /* char[size] */
    FIELD_LABEL,      /* char[size], never empty */
    FIELD_NUMBER,     /* double, finite and not negative */
    FIELD_AMOUNT,     /* double, finite and not negative, of what is counted: exact in the file where it is whole */
    FIELD_NUMBERS,    /* doubles in a row, as many as fit `size`, as a list */
    FIELD_COUNT,      /* unsigned */
    FIELD_PLACE,      /* unsigned: 1 + the number in the file, so that zero is none */
    FIELD_WHOLE,      /* int, may be negative */
    FIELD_BYTES,      /* uint64_t */
    FIELD_BOOL,       /* bool */
    FIELD_DOUBTS,     /* struct doubts, as names */
    FIELD_FEATURES,   /* uint32_t of enum cpu_feature, as names */
    FIELD_NAME,       /* an enum that counts from 0, as one of `names` */
    FIELD_STATISTICS, /* struct statistics, as [n, kept, min, q1, median, q3, max] */
    FIELD_CONSTANT,   /* no member: the first of `names`, and nothing else */
    FIELD_TALLY,      /* a uint64_t for each of `names`, as {name: count} of those that are not zero */
    FIELD_TALLIES,    /* a tally for each of `types`, as {type: {name: count}} */
    FIELD_RECORD,     /* a struct with the table `of`; with a counter only where that is not zero */
    FIELD_LIST,       /* an array in the struct, of records with the table `of` */
    FIELD_ALLOCATED,  /* the same behind a pointer: on reading from calloc(), with room for one more */
};

struct field {
    const char *key;     /* in the object; NULL: the table ends here */
    size_t offset, size; /* of the member, in bytes; the size of a list is that of an entry */
    enum field_type type;
    const char *unit, *meaning; /* in words, for the document; NULL: it has no unit */
    const char *missing;        /* what it means that it is not there: then it is zero or empty, and is not written.
                                   NULL: it is always there; "": there is nothing to say of it */
    bool scanned;               /* fields_scan() takes it too */
    bool bare;                  /* the table's only row: the record is this value, without an object around it */
    unsigned digits;            /* of numbers, significant; 0: as many as the file's writer keeps */
    const char *const *names, *const *types; /* NULL-terminated */
    const struct field *of;                  /* the table of a record, or of each entry of a list */
    struct field_counter {
        size_t offset, size; /* of a bool, unsigned or size_t in the struct: how many there are; size 0: none */
    } counter;
    size_t most; /* entries that a list may have: longer ones are refused */
};

/* A row for a member of `struct record`: type, unit, meaning, and whatever else by its name. */
#define FIELD(record, member, ...)                                                                                     \
    { .key = #member, FIELD_PLACED(record, member), __VA_ARGS__ }
#define FIELD_OPTIONAL(record, member, ...)                                                                            \
    { .key = #member, .missing = "", FIELD_PLACED(record, member), __VA_ARGS__ }
#define FIELD_PLACED(record, member)                                                                                   \
    .offset = offsetof(struct record, member), .size = sizeof(((struct record *)0)->member)

/* A row for a list: how many there are is in `number`; then the entries' table, for the allocated how many there may
 * be, the meaning, and whatever else by its name. */
#define FIELD_LIST_OF(record, member, number, table, ...)                                                              \
    {                                                                                                                  \
        .key = #member, .offset = offsetof(struct record, member), .size = sizeof(((struct record *)0)->member[0]),    \
        .of = table, .counter = FIELD_COUNTER(record, number),                                                         \
        .most = sizeof(((struct record *)0)->member) / sizeof(((struct record *)0)->member[0]), .type = FIELD_LIST,    \
        .meaning = __VA_ARGS__                                                                                         \
    }
#define FIELD_ALLOCATED_LIST(record, member, number, table, maximum, ...)                                              \
    {                                                                                                                  \
        .key = #member, .offset = offsetof(struct record, member), .size = sizeof(((struct record *)0)->member[0]),    \
        .of = table, .counter = FIELD_COUNTER(record, number), .most = maximum, .type = FIELD_ALLOCATED,               \
        .meaning = __VA_ARGS__                                                                                         \
    }
#define FIELD_COUNTER(record, number)                                                                                  \
    { offsetof(struct record, number), sizeof(((struct record *)0)->number) }

/* A new object (of a bare table: its value), which the caller releases. Cannot fail. */
json_t *fields_write(const struct field *fields, const void *record);

/* `record` has to be zero. Error: what is wrong at `path` + key ("samples[3].threads: must be …"); what was allocated
 * until then is in the record. */
bool fields_read(const struct field *fields, const json_t *object, void *record, const char *path, struct error *err);

/* The JSON file's root, NULL on an error: cannot be read, longer than `most_bytes`, not JSON (with line and column).
 * Every message begins with the path. */
json_t *fields_load(const char *path, size_t most_bytes, struct error *err);

/* Makes each text of the record safe to print (render/page/safe_text.h): fields_read() has done so. */
void fields_clean(const struct field *fields, void *record);

/* A text that may be anything, made safe. */
json_t *fields_text(const char *text);

/* On stdout, as every --json prints it: in texts, what would steer a terminal is escaped. Releases `value`. */
void fields_print(json_t *value);

/* The same, elsewhere. */
void fields_print_to(json_t *value, FILE *out);

/* How many entries of the list (or whether there is the record, 0 or 1) that the row speaks of. */
size_t field_count(const struct field *field, const void *record);
void field_set_count(const struct field *field, void *record, size_t count);

/* A list's first entry. An allocated list is given its entries. */
void *field_entries(const struct field *field, const void *record);
void field_set_entries(const struct field *field, void *record, void *entries);

#endif
