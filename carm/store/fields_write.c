/* SPDX-License-Identifier: BSD-3-Clause
 * Structs → JSON by tables. */
#include "fields.h"
#include "ranges.h"
#include "shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "bench/kernels/sample.h"
#include "probe/isa.h"
#include "probe/need.h"
#include "render/page/safe_text.h"

static json_t *names_of_features(cpu_features bits) {
    json_t *names = json_array();
    for (unsigned i = 0; i < 64; i++)
        if (bits >> i & 1 && cpu_feature_name(UINT64_C(1) << i))
            json_array_append_new(names, json_string(cpu_feature_name(UINT64_C(1) << i)));
    return names;
}

static json_t *names_of_doubts(struct doubts doubts) {
    json_t *names = json_array();
    for (unsigned id = 0; id < DOUBT_COUNT; id++)
        if (doubts_has(doubts, id))
            json_array_append_new(names, json_string(doubt_table[id].name));
    return names;
}

/* Rounds to `digits` significant digits; 0: unchanged. */
static double rounded(double value, unsigned digits) {
    if (digits == 0 || value == 0)
        return value;
    double unit = pow(10, floor(log10(value)) + 1 - digits);
    return round(value / unit) * unit;
}

/* Whole numbers without rounding are counts, and exact in the file. */
static json_t *write_number(double value, unsigned digits) {
    bool exact = digits == 0 && value == floor(value) && value < 0x1p53;
    return exact ? json_integer((json_int_t)value) : json_real(rounded(value, digits));
}

static json_t *write_statistics(const struct field *field, const struct statistics *s) {
    const double numbers[] = {s->min, s->q1, s->median, s->q3, s->max};
    json_t *list = json_pack("[i,i]", (int)s->n, (int)s->kept);
    for (size_t i = 0; i < 5; i++)
        json_array_append_new(list, write_number(range_floor(field->unit, numbers[i]), field->digits));
    return list;
}

json_t *fields_text(const char *text) {
    char *clean = need_made(safe_text_copy(text));
    json_t *value = json_string(clean);
    free(clean);
    return value;
}

static json_t *write_tally(const char *const *names, const uint64_t *counts) {
    json_t *object = json_object();
    for (size_t i = 0; names[i]; i++)
        if (counts[i])
            json_object_set_new(object, names[i], json_integer((json_int_t)counts[i]));
    return object;
}

static json_t *write_tallies(const struct field *field, const uint64_t *counts) {
    json_t *object = json_object();
    size_t names = 0;
    while (field->names[names])
        names++;
    for (size_t i = 0; field->types[i]; i++) {
        json_t *tally = write_tally(field->names, counts + i * names);
        if (json_object_size(tally) > 0)
            json_object_set(object, field->types[i], tally);
        json_decref(tally);
    }
    return object;
}

static json_t *write_numbers(const struct field *field, const double *numbers) {
    json_t *list = json_array();
    for (size_t i = 0; i < field->size / sizeof *numbers; i++)
        json_array_append_new(list, json_real(rounded(range_floor(field->unit, numbers[i]), field->digits)));
    return list;
}

static json_t *write_list(const struct field *field, const void *record) {
    json_t *list = json_array();
    const char *entries = field_entries(field, record);
    for (size_t i = 0; i < field_count(field, record); i++)
        json_array_append_new(list, fields_write(field->of, entries + i * field->size));
    return list;
}

static json_t *write_value(const struct field *field, const void *record) {
    const void *at = (const char *)record + field->offset;
    switch (field->type) {
    case FIELD_TEXT:
    case FIELD_LABEL:
        return fields_text(at);
    case FIELD_NUMBER:
        return json_real(rounded(range_floor(field->unit, *(const double *)at), field->digits));
    case FIELD_AMOUNT:
        return write_number(range_floor(field->unit, *(const double *)at), 0);
    case FIELD_NUMBERS:
        return write_numbers(field, at);
    case FIELD_COUNT:
        return json_integer(*(const unsigned *)at);
    case FIELD_PLACE:
        return json_integer((json_int_t) * (const unsigned *)at - 1);
    case FIELD_WHOLE:
        return json_integer(*(const int *)at);
    case FIELD_BYTES:
        return json_integer((json_int_t) * (const uint64_t *)at);
    case FIELD_BOOL:
        return json_boolean(*(const bool *)at);
    case FIELD_DOUBTS:
        return names_of_doubts(*(const struct doubts *)at);
    case FIELD_FEATURES:
        return names_of_features(*(const cpu_features *)at);
    case FIELD_NAME:
        return json_string(field->names[*(const unsigned *)at]);
    case FIELD_STATISTICS:
        return write_statistics(field, at);
    case FIELD_CONSTANT:
        return json_string(field->names[0]);
    case FIELD_TALLY:
        return write_tally(field->names, at);
    case FIELD_TALLIES:
        return write_tallies(field, at);
    case FIELD_RECORD:
        return fields_write(field->of, at);
    case FIELD_LIST:
    case FIELD_ALLOCATED:
        return write_list(field, record);
    }
    return NULL;
}

/* Only zero bytes, an empty text, or no entries. */
static bool says_nothing(const struct field *field, const void *record) {
    if (field->of)
        return field_count(field, record) == 0;
    const char *at = (const char *)record + field->offset;
    const size_t size = field->type == FIELD_TEXT ? 1 : field->size;
    for (size_t i = 0; i < size; i++)
        if (at[i])
            return false;
    return true;
}

json_t *fields_write(const struct field *fields, const void *record) {
    if (shape_wanted())
        return shape_any(fields_schema(fields));
    if (fields->bare)
        return write_value(fields, record);
    json_t *object = json_object();
    for (; fields->key; fields++)
        if (!fields->missing || !says_nothing(fields, record))
            json_object_set_new(object, fields->key, write_value(fields, record));
    return object;
}

/* Only texts have characters beyond ASCII; parsers restore the escaped ones. */
void fields_print_to(json_t *value, FILE *out) {
    char *text = need_made(json_dumps(value, JSON_INDENT(1) | JSON_REAL_PRECISION(7)));
    for (const char *c = text; *c;) {
        const char *instead = NULL;
        const size_t bytes = *c == '\n' ? 1 : safe_text_next(c, &instead);
        if (instead)
            fprintf(out, "\\u%04x", (unsigned)safe_text_code(c));
        else
            fwrite(c, 1, bytes, out);
        c += bytes;
    }
    fputc('\n', out);
    free(text);
    json_decref(value);
}

void fields_print(json_t *value) {
    fields_print_to(value, stdout);
}
