/* SPDX-License-Identifier: BSD-3-Clause
 * Fields and rows of CSV. */
#include "csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probe/need.h"
#include "render/page/safe_text.h"
#include "render/page/text_stream.h"

/* Beginnings that spreadsheets take for a formula (OWASP, CSV Injection). */
static const char FORMULA[] = "=+-@\t\r";

void csv_put_text(const char *text, FILE *out) {
    fputs(*text && strchr(FORMULA, *text) ? "\"'" : "\"", out);
    while (*text) {
        const char *instead;
        const size_t bytes = safe_text_next(text, &instead);
        fprintf(out, "%s%.*s", *text == '"' ? "\"" : "", instead ? 1 : (int)bytes, instead ? instead : text);
        text += bytes;
    }
    fputc('"', out);
}

void csv_put_next(const char *text, FILE *out) {
    fputc(',', out);
    csv_put_text(text, out);
}

void csv_put_number(double value, int digits, FILE *out) {
    fputc(',', out);
    if (isfinite(value))
        fprintf(out, "%.*g", digits, value);
}

void csv_put_value(const json_t *value, int digits, FILE *out) {
    if (json_is_string(value))
        csv_put_text(json_string_value(value), out);
    else if (json_is_integer(value))
        fprintf(out, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        fprintf(out, "%.*g", digits, json_real_value(value));
    else if (json_is_boolean(value))
        fputc(json_is_true(value) ? '1' : '0', out);
}

/* The first member of an object; any other value itself. */
static const json_t *name_of(json_t *value) {
    return json_is_object(value) ? json_object_iter_value(json_object_iter(value)) : value;
}

/* "clock; per_cycle" */
static json_t *list_text(const json_t *list) {
    char *text = NULL;
    size_t length = 0, i;
    json_t *entry;
    FILE *out = need_made(text_stream(&text, &length));
    json_array_foreach(list, i, entry) {
        fputs(i ? "; " : "", out);
        if (json_is_string(name_of(entry)))
            fputs(json_string_value(name_of(entry)), out);
        else
            csv_put_value(name_of(entry), CSV_DIGITS, out);
    }
    if (!text_stream_close(out))
        need_end();
    json_t *joined = json_string(text);
    free(text);
    return joined;
}

/* Adds an object's members to a row without objects, and the keys of objects within to `objects`. */
static void flatten(json_t *object, const char *before, json_t *row, json_t *objects) {
    enum { KEY_BYTES = 128 };
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value) {
        char key[KEY_BYTES];
        snprintf(key, sizeof key, "%s%s%s", before, *before ? "_" : "", name);
        if (json_is_object(value))
            json_object_set_new(objects, key, json_true()), flatten(value, key, row, objects);
        else if (json_is_array(value))
            json_object_set_new(row, key, list_text(value));
        else
            json_object_set(row, key, value);
    }
}

/* The keys in order of their first rows, without those that another row has an object for. Writes the rows to `out`. */
static json_t *heading_of(json_t *rows, json_t *out) {
    json_t *heading = json_object(), *objects = json_object(), *object, *ignored;
    const char *key;
    size_t i;
    json_array_foreach(rows, i, object) {
        json_t *row = json_object();
        flatten(object, "", row, objects);
        json_object_update_missing(heading, row);
        json_array_append_new(out, row);
    }
    json_object_foreach(objects, key, ignored) json_object_del(heading, key);
    json_decref(objects);
    return heading;
}

void csv_print_rows(json_t *rows, FILE *out) {
    json_t *flat = json_array(), *heading = heading_of(rows, flat), *row, *ignored;
    const char *key, *separator = "";
    size_t i;
    json_object_foreach(heading, key, ignored) {
        fprintf(out, "%s%s", separator, key);
        separator = ",";
    }
    fputc('\n', out);
    json_array_foreach(flat, i, row) {
        separator = "";
        json_object_foreach(heading, key, ignored) {
            fputs(separator, out);
            csv_put_value(json_object_get(row, key), CSV_DIGITS, out);
            separator = ",";
        }
        fputc('\n', out);
    }
    json_decref(heading);
    json_decref(flat);
    json_decref(rows);
}
