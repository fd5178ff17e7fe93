/* SPDX-License-Identifier: BSD-3-Clause
 * Applications ↔ JSON (see results_points.h). Of the counts only what is not zero is written. */
#include "results_points.h"

#include <stdlib.h>
#include <string.h>

#include "fields.h"

enum { MOST_POINTS = 10000 };

#define OPTIONAL_NAME(member, all_names)                                                                               \
    {                                                                                                                  \
        .key = #member, .type = FIELD_NAME, .offset = offsetof(struct app_point, member),                              \
        .size = sizeof(((struct app_point *)0)->member), .optional = true, .names = all_names                          \
    }
#define SOURCE(member) OPTIONAL_NAME(member, app_source_names)

static const struct field POINT_FIELDS[] = {
    FIELD(app_point, name, FIELD_TEXT),
    FIELD(app_point, program, FIELD_TEXT),
    {.key = "part",
     .type = FIELD_NAME,
     .offset = offsetof(struct app_point, part),
     .size = sizeof(enum app_part),
     .names = app_part_names},
    FIELD_OPTIONAL(app_point, region, FIELD_TEXT),
    FIELD_OPTIONAL(app_point, function, FIELD_TEXT),
    FIELD(app_point, command, FIELD_TEXT),
    FIELD(app_point, measured_utc, FIELD_TEXT),
    FIELD(app_point, threads, FIELD_COUNT),
    FIELD(app_point, processes, FIELD_COUNT),
    FIELD_OPTIONAL(app_point, calls, FIELD_BYTES),
    FIELD_OPTIONAL(app_point, seconds, FIELD_STATISTICS),
    SOURCE(seconds_source),
    FIELD_OPTIONAL(app_point, time_share, FIELD_NUMBER),
    FIELD_OPTIONAL(app_point, clock_hz, FIELD_NUMBER),
    FIELD_OPTIONAL(app_point, flop, FIELD_STATISTICS),
    SOURCE(flop_source),
    FIELD_OPTIONAL(app_point, load_bytes, FIELD_STATISTICS),
    FIELD_OPTIONAL(app_point, store_bytes, FIELD_STATISTICS),
    SOURCE(bytes_source),
    FIELD_OPTIONAL(app_point, dram_read_bytes, FIELD_STATISTICS),
    FIELD_OPTIONAL(app_point, dram_write_bytes, FIELD_STATISTICS),
    SOURCE(dram_source),
    FIELD_OPTIONAL(app_point, tlb_misses, FIELD_STATISTICS),
    FIELD_OPTIONAL(app_point, origin, FIELD_TEXT),
    FIELD_OPTIONAL(app_point, flop_type, FIELD_TEXT),
    FIELD_OPTIONAL(app_point, doubts, FIELD_DOUBTS),
    FIELD_OPTIONAL(app_point, series, FIELD_TEXT),
    FIELD_OPTIONAL(app_point, size, FIELD_BYTES),
    FIELD_OPTIONAL(app_point, working_set_bytes, FIELD_BYTES),
    OPTIONAL_NAME(data, app_state_names),
    OPTIONAL_NAME(code, app_state_names),
    FIELD_OPTIONAL(app_point, analytic_flop, FIELD_AMOUNT),
    FIELD_OPTIONAL(app_point, analytic_load_bytes, FIELD_AMOUNT),
    FIELD_OPTIONAL(app_point, analytic_store_bytes, FIELD_AMOUNT),
    FIELD_OPTIONAL(app_point, compulsory_read_bytes, FIELD_AMOUNT),
    FIELD_OPTIONAL(app_point, compulsory_write_bytes, FIELD_AMOUNT),
    FIELD_OPTIONAL(app_point, pseudo_flop, FIELD_AMOUNT),
    {0},
};
static const struct field COUNT_FIELDS[] = {
    FIELD_OPTIONAL(count, instructions, FIELD_BYTES),
    FIELD_OPTIONAL(count, load_instructions, FIELD_BYTES),
    FIELD_OPTIONAL(count, store_instructions, FIELD_BYTES),
    FIELD_OPTIONAL(count, full_flop, FIELD_BYTES),
    FIELD_OPTIONAL(count, load_bytes, FIELD_BYTES),
    FIELD_OPTIONAL(count, store_bytes, FIELD_BYTES),
    FIELD_OPTIONAL(count, full_load_bytes, FIELD_BYTES),
    FIELD_OPTIONAL(count, full_store_bytes, FIELD_BYTES),
    FIELD_OPTIONAL(count, stack_load_bytes, FIELD_BYTES),
    FIELD_OPTIONAL(count, stack_store_bytes, FIELD_BYTES),
    FIELD_OPTIONAL(count, bytes_unknown, FIELD_BYTES),
    FIELD_OPTIONAL(count, fused_flop, FIELD_BYTES),
    {0},
};

/* {"f64": 12}: of a list of numbers, by their names. */
static json_t *write_named(const char *const *names, const uint64_t *numbers) {
    json_t *object = json_object();
    for (size_t i = 0; names[i]; i++)
        if (numbers[i])
            json_object_set_new(object, names[i], json_integer((json_int_t)numbers[i]));
    return object;
}

static bool read_named(const json_t *object, const char *const *names, uint64_t *numbers, const char *path,
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
        numbers[i] = (uint64_t)json_integer_value(value);
    }
    return true;
}

/* Sets `key`, unless the object says nothing. */
static void set_unless_empty(json_t *in, const char *key, json_t *object) {
    if (json_object_size(object) > 0)
        json_object_set_new(in, key, object);
    else
        json_decref(object);
}

static json_t *write_count(const struct count *count) {
    json_t *object = fields_write(COUNT_FIELDS, count), *flop = json_object();
    for (size_t type = 0; type < COUNT_TYPES; type++)
        set_unless_empty(flop, count_type_names[type], write_named(count_width_names, count->flop[type]));
    set_unless_empty(object, "flop", flop);
    set_unless_empty(object, "mix", write_named(effect_class_names, count->mix));
    return object;
}

static bool read_count(const json_t *object, struct count *out, const char *path, struct error *err) {
    char at[160];
    const json_t *flop = json_object_get(object, "flop"), *mix = json_object_get(object, "mix");
    if (!fields_read(COUNT_FIELDS, object, out, path, err))
        return false;
    if (flop && !json_is_object(flop))
        return error_set(err, "%s.flop: must be an object", path);
    const char *name;
    json_t *widths;
    json_object_foreach((json_t *)flop, name, widths) {
        size_t type = 0;
        while (type < COUNT_TYPES && strcmp(count_type_names[type], name) != 0)
            type++;
        snprintf(at, sizeof at, "%s.flop.%.32s", path, name);
        if (type == COUNT_TYPES)
            return error_set(err, "%s: must be a known type", at);
        if (!read_named(widths, count_width_names, out->flop[type], at, err))
            return false;
    }
    snprintf(at, sizeof at, "%s.mix", path);
    return !mix || read_named(mix, effect_class_names, out->mix, at, err);
}

json_t *results_points_write(const struct result *result) {
    json_t *list = json_array();
    for (size_t i = 0; i < result->point_count; i++) {
        const struct app_point *point = &result->points[i];
        json_t *entry = fields_write(POINT_FIELDS, point);
        if (point->has_count)
            json_object_set_new(entry, "count", write_count(&point->count));
        json_array_append_new(list, entry);
    }
    return list;
}

bool results_points_read(const json_t *root, struct result *out, struct error *err) {
    const json_t *list;
    if (!json_object_get(root, "points"))
        return true;
    if (!fields_array(root, "points", MOST_POINTS, &list, "", err))
        return false;
    out->points = calloc(json_array_size(list) + 1, sizeof *out->points);
    for (size_t i = 0; i < json_array_size(list); i++) {
        char at[64];
        snprintf(at, sizeof at, "points[%zu]", i);
        struct app_point *point = &out->points[i];
        const json_t *entry = json_array_get(list, i), *count = json_object_get(entry, "count");
        if (!fields_read(POINT_FIELDS, entry, point, at, err))
            return false;
        if (!point->name[0])
            return error_set(err, "%s.name: must not be empty", at);
        snprintf(at, sizeof at, "points[%zu].count", i);
        point->has_count = count != NULL;
        if (count && !read_count(count, &point->count, at, err))
            return false;
        out->point_count++;
    }
    return true;
}
