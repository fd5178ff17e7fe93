/* SPDX-License-Identifier: BSD-3-Clause
 * The result file (see results.h): one table of fields per struct, and the lists around them. */
#include "results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fields.h"
#include "file_io.h"
#include "results_points.h"

static const char SCHEMA[] = "carmine.result/1";
enum { MOST_FILE_BYTES = 16 << 20, MOST_SAMPLES = 100000, MOST_CURVES = 1000, MOST_POINTS = 10000 };

const char *const results_kind_names[] = {"compute", "bandwidth", "latency", NULL};

static const struct field CPU_FIELDS[] = {
    FIELD(cpu_identity, vendor, FIELD_TEXT),     FIELD(cpu_identity, brand, FIELD_TEXT),
    FIELD(cpu_identity, family, FIELD_COUNT),    FIELD(cpu_identity, model, FIELD_COUNT),
    FIELD(cpu_identity, stepping, FIELD_COUNT),  FIELD(cpu_identity, features, FIELD_FEATURES),
    FIELD(cpu_identity, hypervisor, FIELD_TEXT), {0},
};
static const struct field MACHINE_FIELDS[] = {
    FIELD(machine, host, FIELD_TEXT),
    FIELD(machine, cache_source, FIELD_TEXT),
    FIELD(machine, package_count, FIELD_COUNT),
    FIELD(machine, machine_core_count, FIELD_COUNT),
    FIELD(machine, core_count, FIELD_COUNT),
    FIELD(machine, pu_count, FIELD_COUNT),
    FIELD(machine, allowed_pu_count, FIELD_COUNT),
    FIELD(machine, memory_total_bytes, FIELD_BYTES),
    FIELD(machine, memory_available_bytes, FIELD_BYTES),
    {0},
};
static const struct field KIND_FIELDS[] = {
    FIELD(core_kind, name, FIELD_TEXT),
    FIELD(core_kind, core_count, FIELD_COUNT),
    {0},
};
static const struct field CACHE_FIELDS[] = {
    FIELD(cache, level, FIELD_COUNT),
    FIELD(cache, size_bytes, FIELD_BYTES),
    FIELD(cache, line_bytes, FIELD_COUNT),
    FIELD(cache, associativity, FIELD_WHOLE),
    FIELD(cache, sharing_core_count, FIELD_COUNT),
    FIELD(cache, instance_count, FIELD_COUNT),
    {0},
};
static const struct field NODE_FIELDS[] = {
    FIELD(memory_node, os_index, FIELD_COUNT),
    FIELD(memory_node, memory_bytes, FIELD_BYTES),
    FIELD(memory_node, kind, FIELD_TEXT),
    FIELD(memory_node, core_count, FIELD_COUNT),
    {0},
};
static const struct field RESULT_FIELDS[] = {
    FIELD(result, uarch, FIELD_TEXT),
    FIELD_OPTIONAL(result, uarch_doubt, FIELD_TEXT),
    FIELD_OPTIONAL(result, documented_sources, FIELD_TEXT),
    {0},
};
static const struct field ENVIRONMENT_FIELDS[] = {
    FIELD(environment, version, FIELD_TEXT),
    FIELD(environment, started_utc, FIELD_TEXT),
    FIELD(environment, elapsed_s, FIELD_NUMBER),
    FIELD(environment, command_line, FIELD_TEXT),
    FIELD(environment, kernel, FIELD_TEXT),
    FIELD(environment, governor, FIELD_TEXT),
    FIELD(environment, huge_pages, FIELD_TEXT),
    FIELD(environment, microcode, FIELD_TEXT),
    FIELD(environment, load_average, FIELD_NUMBER),
    FIELD(environment, tick_hz, FIELD_NUMBER),
    FIELD(environment, rest_clock_hz, FIELD_NUMBER),
    FIELD(environment, clock_doubt, FIELD_TEXT),
    FIELD(environment, statistic, FIELD_TEXT),
    FIELD_OPTIONAL(environment, planned_samples, FIELD_COUNT),
    FIELD(environment, interrupted, FIELD_BOOL),
    FIELD_OPTIONAL(environment, partial, FIELD_TEXT),
    {0},
};
static const struct field LEVEL_FIELDS[] = {
    FIELD(level, name, FIELD_TEXT),
    FIELD(level, detected_bytes, FIELD_BYTES),
    FIELD(level, effective_bytes, FIELD_BYTES),
    FIELD_OPTIONAL(level, found_bytes, FIELD_BYTES),
    FIELD(level, judged, FIELD_BOOL),
    FIELD(level, disagrees, FIELD_BOOL),
    {0},
};
static const struct field CURVE_FIELDS[] = {
    FIELD(curve, kernel, FIELD_TEXT),
    {.key = "kind", .type = FIELD_NAME, .offset = offsetof(struct curve, kind), .names = results_kind_names},
    FIELD(curve, threads, FIELD_COUNT),
    FIELD_OPTIONAL(curve, core_kind, FIELD_TEXT),
    FIELD_OPTIONAL(curve, small_pages, FIELD_BOOL),
    FIELD_OPTIONAL(curve, partial, FIELD_BOOL),
    {0},
};
static const struct field POINT_FIELDS[] = {
    FIELD(curve_point, working_set_bytes, FIELD_BYTES),
    {.key = "value", .type = FIELD_NUMBER, .offset = offsetof(struct curve_point, value), .digits = 5},
    {.key = "per_cycle", .type = FIELD_NUMBER, .offset = offsetof(struct curve_point, per_cycle), .digits = 5},
    {.key = "clock_hz", .type = FIELD_NUMBER, .offset = offsetof(struct curve_point, clock_hz), .digits = 4},
    FIELD_OPTIONAL(curve_point, doubts, FIELD_DOUBTS),
    {0},
};
static const struct field SAMPLE_FIELDS[] = {
    FIELD(sample, kernel, FIELD_TEXT),
    FIELD(sample, variant, FIELD_TEXT),
    /* left out for a compute ceiling */
    {.key = "kind",
     .type = FIELD_NAME,
     .offset = offsetof(struct sample, kind),
     .size = sizeof(enum sample_kind),
     .optional = true,
     .names = results_kind_names},
    FIELD(sample, threads, FIELD_COUNT),
    FIELD(sample, cpus, FIELD_TEXT),
    FIELD_OPTIONAL(sample, cores, FIELD_COUNT),
    FIELD_OPTIONAL(sample, core_kind, FIELD_TEXT),
    FIELD_OPTIONAL(sample, package, FIELD_PLACE),
    FIELD_OPTIONAL(sample, node, FIELD_PLACE),
    FIELD_OPTIONAL(sample, memory_node, FIELD_PLACE),
    FIELD_OPTIONAL(sample, level, FIELD_TEXT),
    FIELD_OPTIONAL(sample, working_set_bytes, FIELD_BYTES),
    FIELD_OPTIONAL(sample, page_bytes, FIELD_BYTES),
    FIELD_OPTIONAL(sample, small_pages, FIELD_BOOL),
    {.key = "rate", .type = FIELD_STATISTICS, .offset = offsetof(struct sample, rate), .digits = 4},
    FIELD(sample, value, FIELD_NUMBER),
    {.key = "low",
     .type = FIELD_NUMBER,
     .offset = offsetof(struct sample, low),
     .size = sizeof(double),
     .optional = true,
     .digits = 5},
    {.key = "high",
     .type = FIELD_NUMBER,
     .offset = offsetof(struct sample, high),
     .size = sizeof(double),
     .optional = true,
     .digits = 5},
    FIELD_OPTIONAL(sample, per_cycle, FIELD_NUMBER),
    {.key = "spread", .type = FIELD_NUMBER, .offset = offsetof(struct sample, spread), .digits = 3},
    /* median, min, max */
    {.key = "clock_hz",
     .type = FIELD_NUMBERS,
     .offset = offsetof(struct sample, clock_hz),
     .size = 3 * sizeof(double),
     .digits = 5},
    FIELD_OPTIONAL(sample, documented_per_cycle, FIELD_NUMBER),
    FIELD_OPTIONAL(sample, doubts, FIELD_DOUBTS),
    {0},
};

static const struct field VALIDATION_FIELDS[] = {
    FIELD(validation_point, kernel, FIELD_TEXT),
    FIELD(validation_point, variant, FIELD_TEXT),
    FIELD(validation_point, level, FIELD_TEXT),
    FIELD(validation_point, threads, FIELD_COUNT),
    FIELD_OPTIONAL(validation_point, core_kind, FIELD_TEXT),
    FIELD(validation_point, working_set_bytes, FIELD_BYTES),
    FIELD(validation_point, flop_per_byte, FIELD_NUMBER),
    FIELD(validation_point, flop_per_s, FIELD_NUMBER),
    FIELD_OPTIONAL(validation_point, per_cycle, FIELD_NUMBER),
    FIELD_OPTIONAL(validation_point, clock_hz, FIELD_NUMBER),
    {.key = "spread", .type = FIELD_NUMBER, .offset = offsetof(struct validation_point, spread), .digits = 3},
    FIELD(validation_point, peak_kernel, FIELD_TEXT),
    FIELD(validation_point, peak_flop_per_s, FIELD_NUMBER),
    FIELD(validation_point, bandwidth_kernel, FIELD_TEXT),
    FIELD(validation_point, bandwidth_bytes_per_s, FIELD_NUMBER),
    FIELD_OPTIONAL(validation_point, port_limit_per_cycle, FIELD_NUMBER),
    FIELD_OPTIONAL(validation_point, doubts, FIELD_DOUBTS),
    {0},
};

/* A list of records that stand one after the other in memory. */
static json_t *write_list(const struct field *fields, const void *records, size_t size, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, fields_write(fields, (const char *)records + i * size));
    return list;
}

static bool read_list(const struct field *fields, const json_t *object, const char *key, void *records, size_t size,
                      size_t max, size_t *count, const char *path, struct error *err) {
    const json_t *list;
    if (!fields_array(object, key, max, &list, path, err))
        return false;
    *count = json_array_size(list);
    for (size_t i = 0; i < *count; i++) {
        char at[96];
        snprintf(at, sizeof at, "%s%s%s[%zu]", path, *path ? "." : "", key, i);
        if (!fields_read(fields, json_array_get(list, i), (char *)records + i * size, at, err))
            return false;
    }
    return true;
}

static json_t *write_machine(const struct machine *machine) {
    json_t *object = fields_write(MACHINE_FIELDS, machine), *kinds = json_array();
    json_object_set_new(object, "cpu", fields_write(CPU_FIELDS, &machine->cpu));
    for (unsigned i = 0; i < machine->kind_count; i++) {
        const struct core_kind *kind = &machine->kinds[i];
        json_t *entry = fields_write(KIND_FIELDS, kind);
        json_object_set_new(entry, "caches",
                            write_list(CACHE_FIELDS, kind->caches, sizeof kind->caches[0], kind->cache_count));
        json_array_append_new(kinds, entry);
    }
    json_object_set_new(object, "kinds", kinds);
    json_object_set_new(object, "nodes",
                        write_list(NODE_FIELDS, machine->nodes, sizeof machine->nodes[0], machine->node_count));
    return object;
}

static bool read_machine(const json_t *object, struct machine *out, struct error *err) {
    const json_t *kinds;
    size_t count;
    if (!fields_read(MACHINE_FIELDS, object, out, "machine", err) ||
        !fields_read(CPU_FIELDS, json_object_get(object, "cpu"), &out->cpu, "machine.cpu", err) ||
        !fields_array(object, "kinds", MACHINE_MAX_KINDS, &kinds, "machine", err))
        return false;
    out->recorded = true;
    out->kind_count = (unsigned)json_array_size(kinds);
    for (unsigned i = 0; i < out->kind_count; i++) {
        char at[32];
        snprintf(at, sizeof at, "machine.kinds[%u]", i);
        const json_t *entry = json_array_get(kinds, i);
        struct core_kind *kind = &out->kinds[i];
        if (!fields_read(KIND_FIELDS, entry, kind, at, err) ||
            !read_list(CACHE_FIELDS, entry, "caches", kind->caches, sizeof kind->caches[0], MACHINE_MAX_CACHES, &count,
                       at, err))
            return false;
        kind->cache_count = (unsigned)count;
    }
    out->nodes = calloc(MACHINE_MAX_NODES, sizeof *out->nodes);
    bool done = read_list(NODE_FIELDS, object, "nodes", out->nodes, sizeof *out->nodes, MACHINE_MAX_NODES, &count,
                          "machine", err);
    out->node_count = done ? (unsigned)count : 0;
    return done;
}

static json_t *write_levels(const struct result *result) {
    json_t *kinds = json_array();
    for (unsigned i = 0; i < result->kind_count; i++) {
        const struct levels *levels = &result->levels[i];
        json_array_append_new(kinds, write_list(LEVEL_FIELDS, levels->level, sizeof levels->level[0], levels->count));
    }
    return kinds;
}

static bool read_levels(const json_t *root, struct result *out, struct error *err) {
    const json_t *kinds;
    if (!fields_array(root, "levels", MACHINE_MAX_KINDS, &kinds, "", err))
        return false;
    out->kind_count = (unsigned)json_array_size(kinds);
    for (unsigned i = 0; i < out->kind_count; i++) {
        /* The list itself stands in the list of kinds, so it is read as the only member of an object around it. */
        json_t *around = json_pack("{s:O}", "kind", json_array_get(kinds, i));
        size_t count = 0;
        struct levels *levels = &out->levels[i];
        bool done = around && read_list(LEVEL_FIELDS, around, "kind", levels->level, sizeof levels->level[0],
                                        MACHINE_MAX_CACHES + 1, &count, "levels", err);
        json_decref(around);
        if (!done)
            return false;
        levels->count = (unsigned)count;
    }
    return true;
}

static json_t *write_curves(const struct result *result) {
    json_t *curves = json_array();
    for (size_t i = 0; i < result->curve_count; i++) {
        const struct curve *curve = &result->curves[i];
        json_t *entry = fields_write(CURVE_FIELDS, curve);
        json_object_set_new(entry, "points",
                            write_list(POINT_FIELDS, curve->points, sizeof curve->points[0], curve->count));
        json_array_append_new(curves, entry);
    }
    return curves;
}

static bool read_curves(const json_t *root, struct result *out, struct error *err) {
    const json_t *curves;
    if (!fields_array(root, "curves", MOST_CURVES, &curves, "", err))
        return false;
    out->curves = calloc(json_array_size(curves) + 1, sizeof *out->curves);
    for (size_t i = 0; i < json_array_size(curves); i++) {
        char at[32];
        snprintf(at, sizeof at, "curves[%zu]", i);
        const json_t *entry = json_array_get(curves, i);
        struct curve *curve = &out->curves[out->curve_count++];
        size_t points = json_array_size(json_object_get(entry, "points"));
        curve->points = calloc((points <= MOST_POINTS ? points : 0) + 1, sizeof *curve->points);
        if (!fields_read(CURVE_FIELDS, entry, curve, at, err) ||
            !read_list(POINT_FIELDS, entry, "points", curve->points, sizeof *curve->points, MOST_POINTS, &curve->count,
                       at, err))
            return false;
    }
    return true;
}

/* Files of older versions have none. */
static bool read_validation(const json_t *root, struct result *out, struct error *err) {
    size_t count = json_array_size(json_object_get(root, "validation"));
    out->validation = calloc((count <= MOST_POINTS ? count : 0) + 1, sizeof *out->validation);
    return !json_object_get(root, "validation") ||
           read_list(VALIDATION_FIELDS, root, "validation", out->validation, sizeof *out->validation, MOST_POINTS,
                     &out->validation_count, "", err);
}

static bool read_root(const json_t *root, struct result *out, struct error *err) {
    const char *schema = json_string_value(json_object_get(root, "schema"));
    if (!schema || strcmp(schema, SCHEMA) != 0)
        return error_set(err, "schema: must be \"%s\"%s%s; is this a carmine result?", SCHEMA, schema ? ", not " : "",
                         schema ? schema : "");
    size_t samples = json_array_size(json_object_get(root, "samples"));
    out->samples = calloc((samples <= MOST_SAMPLES ? samples : 0) + 1, sizeof *out->samples);
    return fields_read(RESULT_FIELDS, root, out, "", err) &&
           read_machine(json_object_get(root, "machine"), &out->machine, err) &&
           fields_read(ENVIRONMENT_FIELDS, json_object_get(root, "environment"), &out->environment, "environment",
                       err) &&
           read_levels(root, out, err) && read_curves(root, out, err) && read_validation(root, out, err) &&
           results_points_read(root, out, err) &&
           read_list(SAMPLE_FIELDS, root, "samples", out->samples, sizeof *out->samples, MOST_SAMPLES,
                     &out->sample_count, "", err);
}

bool results_of_gpu(const struct result *result) {
    return result->machine.node_count > 0 && strcmp(result->machine.nodes[0].kind, "GPU") == 0;
}

bool results_read(const char *path, struct result *out, struct error *err) {
    *out = (struct result){0};
    json_t *root = fields_load(path, MOST_FILE_BYTES, err);
    if (!root)
        return false;
    struct error inner;
    bool done = read_root(root, out, &inner);
    json_decref(root);
    if (!done) {
        results_free(out);
        return error_set(err, "%s: %s", path, inner.text);
    }
    return true;
}

/* One entry of a long list per line: such a file is short, and a person can still read and compare it. */
static bool print_root(const json_t *root, FILE *out) {
    const char *key;
    json_t *value;
    bool first = true;
    fputs("{", out);
    json_object_foreach((json_t *)root, key, value) {
        fprintf(out, "%s\n\"%s\": ", first ? "" : ",", key);
        first = false;
        if (!json_is_array(value)) {
            json_dumpf(value, out, JSON_ENCODE_ANY | JSON_REAL_PRECISION(7));
            continue;
        }
        for (size_t i = 0; i < json_array_size(value); i++) {
            fputs(i ? ",\n  " : "[\n  ", out);
            json_dumpf(json_array_get(value, i), out, JSON_COMPACT | JSON_REAL_PRECISION(6));
        }
        fputs(json_array_size(value) ? "\n]" : "[]", out);
    }
    fputs("\n}\n", out);
    return !ferror(out);
}

json_t *results_json(const struct result *result) {
    json_t *root = json_pack("{s:s}", "schema", SCHEMA);
    json_object_update_new(root, fields_write(RESULT_FIELDS, result));
    json_object_set_new(root, "machine", write_machine(&result->machine));
    json_object_set_new(root, "environment", fields_write(ENVIRONMENT_FIELDS, &result->environment));
    json_object_set_new(root, "levels", write_levels(result));
    json_object_set_new(root, "samples",
                        write_list(SAMPLE_FIELDS, result->samples, sizeof *result->samples, result->sample_count));
    json_object_set_new(root, "curves", write_curves(result));
    if (result->validation_count)
        json_object_set_new(
            root, "validation",
            write_list(VALIDATION_FIELDS, result->validation, sizeof *result->validation, result->validation_count));
    if (result->point_count)
        json_object_set_new(root, "points", results_points_write(result));
    return root;
}

bool results_write(const struct result *result, const char *path, bool fresh, struct error *err) {
    json_t *root = results_json(result);
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    bool done = memory && print_root(root, memory);
    done = memory && fclose(memory) == 0 && done;
    json_decref(root);
    done = done ? file_write(path, text, length, fresh, err) : error_set(err, "out of memory");
    free(text);
    return done;
}

void results_free(struct result *result) {
    machine_free(&result->machine);
    for (size_t i = 0; i < result->curve_count; i++)
        free(result->curves[i].points);
    free(result->curves);
    free(result->samples);
    free(result->validation);
    free(result->points);
    *result = (struct result){0};
}
