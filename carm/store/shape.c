/* SPDX-License-Identifier: BSD-3-Clause
 * Schemas of tables and of answers (see shape.h). */
#include "shape.h"
#include "fields.h"

#include <stdio.h>
#include <string.h>

/* In a described answer. No key of an answer begins with these. */
static const char ANY[] = "\1", NULLABLE[] = "\2", OPTIONAL = '\3', ANY_KEY[] = "\4";
enum { KEY_BYTES = 96, STATISTICS_NUMBERS = 7, ID_BYTES = 64 };

static bool describes;

void shape_want(bool wanted) {
    describes = wanted;
}

bool shape_wanted(void) {
    return describes;
}

json_t *shape_any(json_t *schema) {
    return json_pack("{s:o}", ANY, schema);
}

json_t *shape_unknown(const char *type) {
    return describes ? shape_any(json_pack("{s:[s,s]}", "type", type, "null")) : json_null();
}

json_t *shape_nullable(json_t *value) {
    return describes ? json_pack("{s:o}", NULLABLE, value) : value;
}

const char *shape_key(const char *name) {
    return describes ? ANY_KEY : name;
}

void shape_set_optional(json_t *object, const char *key, json_t *value) {
    char marked[KEY_BYTES];
    snprintf(marked, sizeof marked, "%c%s", OPTIONAL, key);
    json_object_set_new(object, describes ? marked : key, value);
}

size_t shape_count(size_t count) {
    return describes && count == 0 ? 1 : count;
}

/* Tables of fields. */

static json_t *names_of(const char *const *names) {
    json_t *list = json_array();
    for (; names && *names; names++)
        json_array_append_new(list, json_string(*names));
    return list;
}

static json_t *numbers_schema(size_t least, size_t most) {
    return json_pack("{s:s,s:{s:s,s:i},s:I,s:I}", "type", "array", "items", "type", "number", "minimum", 0, "minItems",
                     (json_int_t)least, "maxItems", (json_int_t)most);
}

/* An object with any of these names as keys. */
static json_t *tally_schema(const char *const *names, json_t *each) {
    return json_pack("{s:s,s:{s:o},s:o}", "type", "object", "propertyNames", "enum", names_of(names),
                     "additionalProperties", each);
}

static json_t *value_schema(const struct field *field) {
    switch (field->type) {
    case FIELD_TEXT:
        return json_pack("{s:s}", "type", "string");
    case FIELD_LABEL:
        return json_pack("{s:s,s:i}", "type", "string", "minLength", 1);
    case FIELD_NUMBER:
    case FIELD_AMOUNT:
        return json_pack("{s:s,s:i}", "type", "number", "minimum", 0);
    case FIELD_NUMBERS:
        return numbers_schema(0, field->size / sizeof(double));
    case FIELD_COUNT:
    case FIELD_PLACE:
    case FIELD_BYTES:
        return json_pack("{s:s,s:i}", "type", "integer", "minimum", 0);
    case FIELD_WHOLE:
        return json_pack("{s:s}", "type", "integer");
    case FIELD_BOOL:
        return json_pack("{s:s}", "type", "boolean");
    case FIELD_DOUBTS:
    case FIELD_FEATURES:
        return json_pack("{s:s,s:{s:s}}", "type", "array", "items", "type", "string");
    case FIELD_NAME:
        return json_pack("{s:o}", "enum", names_of(field->names));
    case FIELD_STATISTICS:
        return numbers_schema(STATISTICS_NUMBERS, STATISTICS_NUMBERS);
    case FIELD_CONSTANT:
        return json_pack("{s:s}", "const", field->names[0]);
    case FIELD_TALLY:
        return tally_schema(field->names, json_pack("{s:s,s:i}", "type", "integer", "minimum", 0));
    case FIELD_TALLIES:
        return tally_schema(field->types,
                            tally_schema(field->names, json_pack("{s:s,s:i}", "type", "integer", "minimum", 0)));
    case FIELD_RECORD:
        return fields_schema(field->of);
    case FIELD_LIST:
    case FIELD_ALLOCATED:
        return json_pack("{s:s,s:o,s:I}", "type", "array", "items", fields_schema(field->of), "maxItems",
                         (json_int_t)field->most);
    }
    return NULL;
}

json_t *fields_schema(const struct field *fields) {
    if (fields->bare)
        return value_schema(fields);
    json_t *properties = json_object(), *required = json_array();
    for (; fields->key; fields++) {
        json_t *value = value_schema(fields);
        if (fields->meaning)
            json_object_set_new(value, "description", json_string(fields->meaning));
        if (fields->unit)
            json_object_set_new(value, "unit", json_string(fields->unit));
        json_object_set_new(properties, fields->key, value);
        if (!fields->missing)
            json_array_append_new(required, json_string(fields->key));
    }
    return json_pack("{s:s,s:o,s:o}", "type", "object", "properties", properties, "required", required);
}

/* Described answers. */

static json_t *schema_of(const json_t *value);

static bool lists(const json_t *list, const json_t *value) {
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_equal(json_array_get(list, i), value))
            return true;
    return false;
}

/* What the lists or words of both have; `all`: of any. */
static json_t *joined(const json_t *a, const json_t *b, bool all) {
    json_t *list = json_array();
    const json_t *const both[] = {a, b};
    for (int k = 0; k < 2; k++) {
        json_t *own = json_is_array(both[k]) ? json_copy((json_t *)both[k]) : json_pack("[O]", both[k]);
        for (size_t i = 0; i < json_array_size(own); i++) {
            json_t *value = json_array_get(own, i);
            if (!lists(list, value) && (all || (k == 0 && lists(b, value))))
                json_array_append(list, value);
        }
        json_decref(own);
    }
    return list;
}

/* A schema that holds for what either of the schemas describes. */
static json_t *merged(json_t *a, json_t *b) {
    const char *key;
    json_t *value, *out = json_copy(a), *types = json_object_get(a, "type"), *others = json_object_get(b, "type"),
                   *properties = json_object_get(b, "properties"), *own = json_object_get(a, "properties");
    if (types && others && !json_equal(types, others))
        json_object_set_new(out, "type", joined(types, others, true));
    if (!own && properties)
        json_object_update_missing(out, b);
    if (own && properties) {
        json_t *all = json_copy(own);
        json_object_foreach(properties, key, value) {
            json_t *mine = json_object_get(own, key);
            json_object_set_new(all, key, mine ? merged(mine, value) : json_incref(value));
        }
        json_object_set_new(out, "properties", all);
        json_object_set_new(out, "required",
                            joined(json_object_get(a, "required"), json_object_get(b, "required"), false));
    }
    json_t *items = json_object_get(a, "items"), *more = json_object_get(b, "items");
    if (items && more)
        json_object_set_new(out, "items", merged(items, more));
    else if (more)
        json_object_set(out, "items", more);
    return out;
}

static json_t *list_schema(const json_t *list) {
    json_t *items = NULL;
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *next = schema_of(json_array_get(list, i)), *both = items ? merged(items, next) : json_incref(next);
        json_decref(items);
        json_decref(next);
        items = both;
    }
    return json_pack("{s:s,s:o*}", "type", "array", "items", items);
}

static json_t *object_schema(const json_t *object) {
    const char *key;
    json_t *each = json_object_get(object, ANY_KEY);
    if (each)
        return json_pack("{s:s,s:o}", "type", "object", "additionalProperties", schema_of(each));
    json_t *value, *properties = json_object(), *required = json_array();
    json_object_foreach((json_t *)object, key, value) {
        const bool optional = *key == OPTIONAL, named = strcmp(key, "schema") == 0;
        json_object_set_new(properties, key + optional, named ? json_pack("{s:O}", "const", value) : schema_of(value));
        if (!optional)
            json_array_append_new(required, json_string(key));
    }
    return json_pack("{s:s,s:o,s:o}", "type", "object", "properties", properties, "required", required);
}

static json_t *schema_of(const json_t *value) {
    static const char *const TYPES[] = {[JSON_STRING] = "string", [JSON_INTEGER] = "integer", [JSON_REAL] = "number",
                                        [JSON_TRUE] = "boolean",  [JSON_FALSE] = "boolean",   [JSON_NULL] = "null"};
    json_t *inner = json_object_get(value, ANY);
    if (inner)
        return json_deep_copy(inner);
    if ((inner = json_object_get(value, NULLABLE))) {
        json_t *schema = schema_of(inner), *null = json_pack("{s:s}", "type", "null"), *either = merged(schema, null);
        json_decref(schema);
        json_decref(null);
        return either;
    }
    return json_is_array(value)    ? list_schema(value)
           : json_is_object(value) ? object_schema(value)
                                   : json_pack("{s:s}", "type", TYPES[json_typeof(value)]);
}

json_t *shape_schema(const char *name, json_t *answer) {
    char id[ID_BYTES];
    snprintf(id, sizeof id, "urn:%s", name);
    id[strcspn(id, "/")] = ':';
    json_t *schema = schema_of(answer),
           *all = json_pack("{s:s,s:s,s:s}", "$schema", "https://json-schema.org/draft/2020-12/schema", "$id", id,
                            "title", name);
    json_object_update(all, schema);
    json_decref(schema);
    json_decref(answer);
    return all;
}
