/* SPDX-License-Identifier: BSD-3-Clause
 * JSON → structs by tables, with every value checked (see fields.h). */
#include "fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/sample/doubt.h"
#include "bench/sample/sample.h"
#include "probe/isa.h"
#include "file_io.h"

static bool read_integer(const json_t *value, double min, double max, json_int_t *out) {
    *out = json_integer_value(value);
    return json_is_integer(value) && (double)*out >= min && (double)*out <= max;
}

static bool read_bits(const json_t *value, enum field_type type, uint32_t *out) {
    *out = 0;
    for (size_t i = 0; i < json_array_size(value); i++) {
        const char *name = json_string_value(json_array_get(value, i));
        const struct doubt *doubt = name && type == FIELD_DOUBTS ? doubt_find(name) : NULL;
        uint32_t bit = doubt ? doubt->bit : name && type == FIELD_FEATURES ? cpu_feature_find(name) : 0;
        if (!bit)
            return false;
        *out |= bit;
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

/* NULL when the value is fine, else what it should have been. */
static const char *read_value(const struct field *field, const json_t *value, void *at) {
    json_int_t integer;
    switch (field->type) {
    case FIELD_TEXT:
        if (!json_is_string(value) || json_string_length(value) >= field->size)
            return "a text, and not so long";
        for (const char *c = json_string_value(value); *c; c++)
            if (fields_is_control(*c))
                return "a text without control characters";
        memcpy(at, json_string_value(value), json_string_length(value) + 1);
        return NULL;
    case FIELD_NUMBER:
    case FIELD_AMOUNT: {
        double number = json_number_value(value);
        if (!json_is_number(value) || !isfinite(number) || number < 0)
            return "a number that is not negative";
        *(double *)at = number;
        return NULL;
    }
    case FIELD_NUMBERS:
        return read_numbers(value, at, field->size / sizeof(double)) ? NULL
                                                                     : "a list of so many numbers, none negative";
    case FIELD_COUNT:
        if (!read_integer(value, 0, 1e9, &integer))
            return "a count from 0 to 10^9";
        *(unsigned *)at = (unsigned)integer;
        return NULL;
    case FIELD_PLACE:
        if (!read_integer(value, 0, 1e9, &integer))
            return "a number from 0 to 10^9";
        *(unsigned *)at = (unsigned)integer + 1;
        return NULL;
    case FIELD_WHOLE:
        if (!read_integer(value, -1e9, 1e9, &integer))
            return "a whole number";
        *(int *)at = (int)integer;
        return NULL;
    case FIELD_BYTES:
        if (!read_integer(value, 0, 0x1p62, &integer))
            return "a number of bytes";
        *(uint64_t *)at = (uint64_t)integer;
        return NULL;
    case FIELD_BOOL:
        if (!json_is_boolean(value))
            return "true or false";
        *(bool *)at = json_is_true(value);
        return NULL;
    case FIELD_DOUBTS:
        return read_bits(value, FIELD_DOUBTS, at) ? NULL : "a list of known doubts";
    case FIELD_FEATURES:
        return read_bits(value, FIELD_FEATURES, at) ? NULL : "a list of known CPU features";
    case FIELD_NAME:
        for (unsigned i = 0; json_is_string(value) && field->names[i]; i++)
            if (strcmp(field->names[i], json_string_value(value)) == 0) {
                *(unsigned *)at = i;
                return NULL;
            }
        return "one of the known names";
    case FIELD_STATISTICS:
        return read_statistics(value, at) ? NULL : "[n, kept, min, q1, median, q3, max]";
    }
    return "readable";
}

bool fields_read(const struct field *fields, const json_t *object, void *record, const char *path, struct error *err) {
    if (!json_is_object(object))
        return error_set(err, "%s: must be an object", *path ? path : "the whole file");
    for (; fields->key; fields++) {
        const json_t *value = json_object_get(object, fields->key);
        if (fields->optional && (!value || json_is_null(value)))
            continue;
        const char *wanted = value ? read_value(fields, value, (char *)record + fields->offset) : "there";
        if (wanted)
            return error_set(err, "%s%s%s: must be %s", path, *path ? "." : "", fields->key, wanted);
    }
    return true;
}

bool fields_array(const json_t *object, const char *key, size_t max, const json_t **out, const char *path,
                  struct error *err) {
    *out = json_object_get(object, key);
    if (!json_is_array(*out) || json_array_size(*out) > max)
        return error_set(err, "%s%s%s: must be a list of at most %zu entries", path, *path ? "." : "", key, max);
    return true;
}

json_t *fields_load(const char *path, size_t most_bytes, struct error *err) {
    char *text = NULL;
    size_t length = 0;
    if (!file_read(path, most_bytes, &text, &length, err))
        return NULL;
    json_error_t where;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &where);
    free(text);
    if (!root)
        error_set(err, "%s: line %d, column %d: %s; is the file complete?", path, where.line, where.column, where.text);
    return root;
}
