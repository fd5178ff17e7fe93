/* SPDX-License-Identifier: BSD-3-Clause
 * Reads, writes and frees result files. Their fields are in result_fields.c. */
#include "results.h"
#include "fields.h"
#include "file_io.h"
#include "ranges.h"
#include "result_fields.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asm/pattern.h"
#include "bench/kernels/doubt.h"
#include "probe/memory_kind.h"
#include "probe/error.h"
#include "probe/need.h"
#include "probe/text.h"
#include "render/page/safe_text.h"
#include "render/page/text_stream.h"

unsigned results_kind(const struct result *result, const char *core_kind) {
    for (unsigned k = 0; k < result->kind_count && k < result->machine.kind_count && core_kind; k++)
        if (strcmp(result->machine.kinds[k].name, core_kind) == 0)
            return k;
    return 0;
}

void results_judge(struct levels *levels, const struct curve *curve) {
    if (curve->threads != 1 || curve->small_pages || pattern_is_random(pattern_of_kernel(curve->kernel)))
        return;
    struct sweep_point *points = need_calloc(curve->count + 1, sizeof *points);
    for (size_t i = 0; i < curve->count; i++) {
        const double value = curve->points[i].value;
        points[i] =
            (struct sweep_point){curve->points[i].working_set_bytes, curve->kind == SAMPLE_LATENCY ? 1 / value : value};
    }
    levels_judge(levels, points, curve->count);
    free(points);
}

bool results_of_gpu(const struct result *result) {
    return result->machine.node_count > 0 && memory_kind_of(result->machine.nodes[0].kind)->foreign;
}

/* Older files kept blank points of curves as zeros. */
static void drop_blank_points(struct result *result) {
    size_t curves = 0;
    for (size_t i = 0; i < result->curve_count; i++) {
        struct curve curve = result->curves[i];
        const size_t had = curve.count;
        curve.count = 0;
        for (size_t k = 0; k < had; k++)
            if (curve.points[k].value > 0)
                curve.points[curve.count++] = curve.points[k];
        if (curve.count > 0 || had == 0)
            result->curves[curves++] = curve;
        else
            free(curve.points);
    }
    result->curve_count = curves;
}

/* The last step of reading. False: numbers are out of range or contradict each other. */
static bool complete(struct result *result, struct error *err) {
    if (!ranges_hold(result_fields, result, err))
        return false;
    drop_blank_points(result);
    return true;
}

/* Notes the doubts that only a newer carmine knows, wherever they are. */
static void note_unknown_doubts(const json_t *at, char *out, size_t size) {
    const char *key;
    json_t *value;
    size_t i;
    json_array_foreach(at, i, value) note_unknown_doubts(value, out, size);
    json_object_foreach((json_t *)at, key, value) {
        const bool named = strcmp(key, "doubts") == 0;
        for (i = 0; named && i < json_array_size(value); i++) {
            const char *name = json_string_value(json_array_get(value, i));
            if (name && doubt_find(name) == DOUBT_COUNT && !strstr(out, name))
                text_append(out, size, "%s%s", *out ? ", " : "", name);
        }
        if (!named)
            note_unknown_doubts(value, out, size);
    }
}

static bool read_root(const json_t *root, struct result *out, struct error *err) {
    const char *schema = json_string_value(json_object_get(root, "schema")), *wanted = result_schema[0];
    if (!schema || strcmp(schema, wanted) != 0)
        return error_set(err, "schema: must be \"%s\"%s%s; is this a carmine result?", wanted, schema ? ", not " : "",
                         schema ? schema : "");
    out->machine.recorded = true;
    struct error inner;
    if (!fields_read(result_fields, root, out, "", &inner) || !complete(out, &inner))
        return error_set(err, "%s; the file was cut or edited: restore it, or measure again (`carmine run -o FILE`)",
                         inner.text);
    note_unknown_doubts(root, out->environment.unknown_doubts, sizeof out->environment.unknown_doubts);
    safe_text_clean(out->environment.unknown_doubts);
    return true;
}

bool results_read(const char *path, struct result *out, struct error *err) {
    *out = (struct result){0};
    json_t *root = fields_load(path, RESULT_MOST_BYTES, err);
    if (!root && access(path, F_OK) != 0 && errno == ENOENT)
        return error_set(err, RESULTS_NO_FILE, path);
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

/* One entry of a long list per line: the file is short, and people can read and compare it. */
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
    return fields_write(result_fields, result);
}

/* Checks the limits of the readers: an unreadable file must not replace a readable one. */
static bool is_readable(const char *text, size_t length, struct error *err) {
    json_error_t where;
    struct result again = {0};
    if (length > RESULT_MOST_BYTES)
        return error_set(err, "it would be larger than %d MiB", RESULT_MOST_BYTES >> 20);
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &where);
    const bool done = root ? read_root(root, &again, err) : error_set(err, "%s", where.text);
    json_decref(root);
    results_free(&again);
    return done;
}

bool results_write(const struct result *result, const char *path, bool fresh, struct error *err) {
    json_t *root = results_json(result);
    char *text = NULL;
    size_t length = 0;
    FILE *memory = text_stream(&text, &length);
    bool done = memory && print_root(root, memory);
    done = memory && text_stream_close(memory) && done;
    json_decref(root);
    struct error why;
    if (!done)
        error_set(err, "out of memory");
    else if (!is_readable(text, length, &why))
        done = error_set(
            err, "%s is unchanged, because the new content could not be read again: %s; name another file with -o",
            path, why.text);
    else
        done = file_write(path, text, length, fresh, err);
    free(text);
    return done;
}

void results_clean(struct result *result) {
    fields_clean(result_fields, result);
}

void results_free(struct result *result) {
    machine_free(&result->machine);
    for (size_t i = 0; i < result->curve_count; i++)
        free(result->curves[i].points);
    free(result->curves);
    free(result->samples);
    free(result->validation);
    free(result->points);
    annotations_free(result->annotations, result->annotation_count);
    courses_free(result->courses, result->course_count);
    free(result->deaths);
    memory_system_free(&result->memory);
    core_measured_free(&result->core);
    *result = (struct result){0};
}

/* The fast reader. */

bool results_scan(const char *path, struct result *out) {
    struct error err;
    char *text;
    size_t length;
    *out = (struct result){0};
    if (!file_read(path, RESULT_MOST_BYTES, &text, &length, &err))
        return false;
    struct scan scan = {.at = text};
    fields_scan(result_fields, &scan, out);
    const bool done = scan_is_end(&scan) && (size_t)(scan.at - text) == length && complete(out, &err);
    free(text);
    if (!done)
        results_free(out);
    return done;
}

bool results_read_values(const char *path, struct result *out, struct error *err) {
    *out = (struct result){0};
    if (file_is_stream(path))
        return error_set(err, "%s: a pipe or a device, not a file", path);
    return results_scan(path, out) || results_read(path, out, err);
}
