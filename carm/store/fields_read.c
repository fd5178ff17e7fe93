/* SPDX-License-Identifier: BSD-3-Clause
 * JSON → structs by tables, with every value checked. */
#include "fields.h"
#include "file_io.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "bench/kernels/sample.h"
#include "probe/error.h"
#include "probe/isa.h"
#include "probe/need.h"
#include "render/page/safe_text.h"

enum { PATH_BYTES = 160 }; /* of the longest path: points[9999].count.flop.bf16.scalar */

static bool read_integer(const json_t *value, double min, double max, json_int_t *out) {
    *out = json_integer_value(value);
    return json_is_integer(value) && (double)*out >= min && (double)*out <= max;
}

/* Both leave out names that only a newer carmine knows; doubts are noted (environment.unknown_doubts). */
static bool read_doubts(const json_t *value, struct doubts *out) {
    *out = NO_DOUBTS;
    for (size_t i = 0; i < json_array_size(value); i++) {
        const char *name = json_string_value(json_array_get(value, i));
        if (!name)
            return false;
        doubts_add_if(out, doubt_find(name) != DOUBT_COUNT, doubt_find(name));
    }
    return json_is_array(value);
}

static bool read_features(const json_t *value, cpu_features *out) {
    *out = 0;
    for (size_t i = 0; i < json_array_size(value); i++) {
        const char *name = json_string_value(json_array_get(value, i));
        if (!name)
            return false;
        *out |= cpu_feature_find(name);
    }
    return json_is_array(value);
}

static bool read_numbers(const json_t *value, double *out, size_t count) {
    if (!json_is_array(value) || json_array_size(value) != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        out[i] = json_number_value(json_array_get(value, i));
        if (!json_is_number(json_array_get(value, i)) || !isfinite(out[i]) || out[i] < 0)
            return false;
    }
    return true;
}

static bool read_statistics(const json_t *value, struct statistics *out) {
    double number[7];
    if (!read_numbers(value, number, 7) || number[0] > 1e9 || number[1] > 1e9)
        return false;
    *out = (struct statistics){(unsigned)number[0], (unsigned)number[1], number[2], number[3],
                               number[4],           number[5],           number[6]};
    return true;
}

/* NULL if the value is valid, else what it must be. */
static const char *read_text(const json_t *value, size_t size, char *out) {
    if (!json_is_string(value) || json_string_length(value) >= size)
        return "be a text, and shorter";
    memcpy(out, json_string_value(value), json_string_length(value) + 1);
    safe_text_clean(out);
    return NULL;
}

static const char *read_number(const json_t *value, double *out) {
    const double number = json_number_value(value);
    if (!json_is_number(value) || !isfinite(number) || number < 0)
        return "be a number, not negative";
    *out = number;
    return NULL;
}

static const char *read_name(const json_t *value, const char *const *names, unsigned *out) {
    for (unsigned i = 0; json_is_string(value) && names[i]; i++)
        if (strcmp(names[i], json_string_value(value)) == 0) {
            *out = i;
            return NULL;
        }
    return "be one of the known names";
}

static const char *read_whole(const struct field *field, const json_t *value, void *at) {
    json_int_t integer;
    switch (field->type) {
    case FIELD_COUNT:
        if (!read_integer(value, 0, 1e9, &integer))
            return "be a count from 0 to 10^9";
        *(unsigned *)at = (unsigned)integer;
        return NULL;
    case FIELD_PLACE:
        if (!read_integer(value, 0, 1e9, &integer))
            return "be a number from 0 to 10^9";
        *(unsigned *)at = (unsigned)integer + 1;
        return NULL;
    case FIELD_WHOLE:
        if (!read_integer(value, -1e9, 1e9, &integer))
            return "be a whole number";
        *(int *)at = (int)integer;
        return NULL;
    default:
        if (!read_integer(value, 0, 0x1p62, &integer))
            return "be a number of bytes";
        *(uint64_t *)at = (uint64_t)integer;
        return NULL;
    }
}

static const char *read_bool(const json_t *value, bool *out) {
    *out = json_is_true(value);
    return json_is_boolean(value) ? NULL : "be true or false";
}

static const char *read_value(const struct field *field, const json_t *value, void *at) {
    const char *wanted;
    switch (field->type) {
    case FIELD_TEXT:
        return read_text(value, field->size, at);
    case FIELD_LABEL:
        wanted = read_text(value, field->size, at);
        return wanted || *(const char *)at ? wanted : "not be empty";
    case FIELD_NUMBER:
    case FIELD_AMOUNT:
        return read_number(value, at);
    case FIELD_NUMBERS:
        return read_numbers(value, at, field->size / sizeof(double))
                   ? NULL
                   : "be a list of numbers, none negative, and not longer";
    case FIELD_COUNT:
    case FIELD_PLACE:
    case FIELD_WHOLE:
    case FIELD_BYTES:
        return read_whole(field, value, at);
    case FIELD_BOOL:
        return read_bool(value, at);
    case FIELD_DOUBTS:
        return read_doubts(value, at) ? NULL : "be a list of names of doubts";
    case FIELD_FEATURES:
        return read_features(value, at) ? NULL : "be a list of names of CPU features";
    case FIELD_NAME:
        return read_name(value, field->names, at);
    case FIELD_STATISTICS:
        return read_statistics(value, at) ? NULL : "be [n, kept, min, q1, median, q3, max]";
    case FIELD_CONSTANT:
        return json_is_string(value) && strcmp(json_string_value(value), field->names[0]) == 0 ? NULL
                                                                                               : "be the known schema";
    default:
        return "be readable";
    }
}

static bool read_tally(const char *const *names, const json_t *object, uint64_t *counts, const char *path,
                       struct error *err) {
    const char *key;
    json_t *value;
    if (!json_is_object(object))
        return error_set(err, "%s: must be an object", path);
    json_object_foreach((json_t *)object, key, value) {
        size_t i = 0;
        while (names[i] && strcmp(names[i], key) != 0)
            i++;
        if (!names[i] || !json_is_integer(value) || json_integer_value(value) < 0)
            return error_set(err, "%s.%.32s: must be a known name and a count", path, key);
        counts[i] = (uint64_t)json_integer_value(value);
    }
    return true;
}

static bool read_tallies(const struct field *field, const json_t *object, uint64_t *counts, const char *path,
                         struct error *err) {
    const char *key;
    json_t *tally;
    size_t names = 0;
    while (field->names[names])
        names++;
    if (!json_is_object(object))
        return error_set(err, "%s: must be an object", path);
    json_object_foreach((json_t *)object, key, tally) {
        char at[PATH_BYTES];
        size_t i = 0;
        while (field->types[i] && strcmp(field->types[i], key) != 0)
            i++;
        snprintf(at, sizeof at, "%s.%.32s", path, key);
        if (!field->types[i])
            return error_set(err, "%s: must be a known type", at);
        if (!read_tally(field->names, tally, counts + i * names, at, err))
            return false;
    }
    return true;
}

static bool read_list(const struct field *field, const json_t *list, void *record, const char *path,
                      struct error *err) {
    const size_t count = json_array_size(list);
    if (!json_is_array(list) || count > field->most)
        return error_set(err, "%s: must be a list of at most %zu entries", path, field->most);
    if (field->type == FIELD_ALLOCATED)
        field_set_entries(field, record, need_calloc(count + 1, field->size));
    field_set_count(field, record, count);
    char *entries = field_entries(field, record);
    for (size_t i = 0; i < count; i++) {
        char at[PATH_BYTES];
        snprintf(at, sizeof at, "%s[%zu]", path, i);
        if (!fields_read(field->of, json_array_get(list, i), entries + i * field->size, at, err))
            return false;
    }
    return true;
}

/* Reads a value with parts, at `path`; `value` NULL: missing. */
static bool read_parts(const struct field *field, const json_t *value, void *record, const char *path,
                       struct error *err) {
    void *at = (char *)record + field->offset;
    if (field->type == FIELD_TALLY)
        return read_tally(field->names, value, at, path, err);
    if (field->type == FIELD_TALLIES)
        return read_tallies(field, value, at, path, err);
    if (field->type != FIELD_RECORD)
        return read_list(field, value, record, path, err);
    field_set_count(field, record, 1);
    return fields_read(field->of, value, at, path, err);
}

static bool has_parts(const struct field *field) {
    return field->of || field->type == FIELD_TALLY || field->type == FIELD_TALLIES;
}

bool fields_read(const struct field *fields, const json_t *object, void *record, const char *path, struct error *err) {
    if (fields->bare && has_parts(fields))
        return read_parts(fields, object, record, path, err);
    if (fields->bare) {
        const char *wanted = read_value(fields, object, (char *)record + fields->offset);
        return !wanted || error_set(err, "%s: must %s", path, wanted);
    }
    if (!json_is_object(object))
        return error_set(err, "%s: must be an object", *path ? path : "the whole file");
    for (; fields->key; fields++) {
        const json_t *value = json_object_get(object, fields->key);
        const char *dot = *path ? "." : "";
        char at[PATH_BYTES];
        if (fields->missing && (!value || json_is_null(value)))
            continue;
        if (has_parts(fields)) {
            snprintf(at, sizeof at, "%s%s%s", path, dot, fields->key);
            if (!read_parts(fields, value, record, at, err))
                return false;
            continue;
        }
        const char *wanted = value ? read_value(fields, value, (char *)record + fields->offset) : "be there";
        if (wanted)
            return error_set(err, "%s%s%s: must %s", path, dot, fields->key, wanted);
    }
    return true;
}

/* The encoding of a byte order mark, which some editors write and JSON does not allow; NULL: no mark. */
static const char *byte_order_mark(const char *text) {
    static const struct {
        const char *bytes, *encoding;
    } MARKS[] = {{"\xEF\xBB\xBF", "UTF-8"}, {"\xFF\xFE", "UTF-16"}, {"\xFE\xFF", "UTF-16"}};
    for (size_t i = 0; i < sizeof MARKS / sizeof MARKS[0]; i++)
        if (strncmp(text, MARKS[i].bytes, strlen(MARKS[i].bytes)) == 0)
            return MARKS[i].encoding;
    return NULL;
}

json_t *fields_load(const char *path, size_t most_bytes, struct error *err) {
    char *text = NULL;
    size_t length = 0;
    if (!file_read(path, most_bytes, &text, &length, err))
        return NULL;
    json_error_t where;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &where);
    const char *mark = root ? NULL : byte_order_mark(text);
    free(text);
    if (mark)
        error_set(err, "%s: begins with a byte order mark of %s; store it as UTF-8 without one", path, mark);
    else if (!root)
        error_set(err, "%s: line %d, column %d: %s; is the file complete?", path, where.line, where.column, where.text);
    return root;
}
