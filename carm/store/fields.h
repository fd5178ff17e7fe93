/* SPDX-License-Identifier: BSD-3-Clause
 * Plain structs ↔ JSON objects by tables of fields, with every value checked on reading. */
#ifndef CARM_FIELDS_H
#define CARM_FIELDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "probe/error.h"

enum field_type {
    FIELD_TEXT,       /* char[size] */
    FIELD_NUMBER,     /* double, finite and not negative */
    FIELD_AMOUNT,     /* the same of what is counted: exact in the file where it is whole */
    FIELD_NUMBERS,    /* doubles in a row, as many as fit `size`, as a list */
    FIELD_COUNT,      /* unsigned */
    FIELD_PLACE,      /* unsigned: 1 + the number in the file, so that zero is none */
    FIELD_WHOLE,      /* int, may be negative */
    FIELD_BYTES,      /* uint64_t */
    FIELD_BOOL,       /* bool */
    FIELD_DOUBTS,     /* uint32_t of enum doubt_bit, as names */
    FIELD_FEATURES,   /* uint32_t of enum cpu_feature, as names */
    FIELD_NAME,       /* an enum that counts from 0, as one of `names` */
    FIELD_STATISTICS, /* struct statistics, as [n, kept, min, q1, median, q3, max] */
};

struct field {
    const char *key;
    enum field_type type;
    size_t offset, size;
    bool optional;            /* left out where it is zero or empty; may be missing on reading, and then is */
    unsigned digits;          /* of numbers, significant; 0: as many as the file's writer keeps */
    const char *const *names; /* FIELD_NAME: NULL-terminated */
};

/* A row for member `of` of `struct record`. */
#define FIELD(record, of, kind)                                                                                        \
    { .key = #of, .type = kind, .offset = offsetof(struct record, of), .size = sizeof(((struct record *)0)->of) }
#define FIELD_OPTIONAL(record, of, kind)                                                                               \
    {                                                                                                                  \
        .key = #of, .type = kind, .offset = offsetof(struct record, of), .size = sizeof(((struct record *)0)->of),     \
        .optional = true                                                                                               \
    }

/* A new object. The table ends with a row whose key is NULL. */
json_t *fields_write(const struct field *fields, const void *record);

/* Error: what is wrong at `path` + key ("samples[3].threads: must be …"). */
bool fields_read(const struct field *fields, const json_t *object, void *record, const char *path, struct error *err);

/* The array at `key`, at most `max` long. Error: missing, not an array, too long. */
bool fields_array(const json_t *object, const char *key, size_t max, const json_t **out, const char *path,
                  struct error *err);

/* The JSON file's root, NULL on an error: cannot be read, longer than `most_bytes`, not JSON (with line and column).
 * Every message begins with the path. */
json_t *fields_load(const char *path, size_t most_bytes, struct error *err);

/* A text that may be anything: without what would steer a terminal, and as UTF-8. */
json_t *fields_text(const char *text);

/* What would steer the terminal of whoever reads the file: written as a blank, refused on reading. */
bool fields_is_control(char c);

/* On stdout, as every --json prints it; releases `value`. */
void fields_print(json_t *value);

#endif
