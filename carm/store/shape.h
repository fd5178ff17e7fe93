/* SPDX-License-Identifier: BSD-3-Clause
 * JSON Schemas (draft 2020-12). A table of fields becomes one directly. An answer is described by the code that writes
 * it: after shape_want(true) that code writes for each value what it may be, and shape_schema() makes a schema of that.
 * The answer must be of a result with an entry in each list. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct field;

/* The schema of a record with this table (fields.h): types, units, meanings, and which keys are always there. */
json_t *fields_schema(const struct field *fields);

/* Starts and ends describing. */
void shape_want(bool wanted);
bool shape_wanted(void);

/* JSON's null for an unknown value; described: a value of the type, "number", or null. */
json_t *shape_unknown(const char *type);

/* The value, which may be null; described: the value or null. */
json_t *shape_nullable(json_t *value);

/* A value that may be anything of a schema, for descriptions alone. */
json_t *shape_any(json_t *schema);

/* A key that is a name among data; described: any key. */
const char *shape_key(const char *name);

/* Sets a key that is not always there. */
void shape_set_optional(json_t *object, const char *key, json_t *value);

/* The count of a list; described: at least one. */
size_t shape_count(size_t count);

/* The schema of a described answer, which it releases: "$id" is urn:NAME with ':' for '/'. */
json_t *shape_schema(const char *name, json_t *answer);
