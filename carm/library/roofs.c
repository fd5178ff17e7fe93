/* SPDX-License-Identifier: BSD-3-Clause
 * libcarmine-roofs. Of the rest of Carmine it contains the table of patterns; it needs only libjansson. */
#include "carmine_roofs.h"

#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "asm/pattern.h"

#define PUBLIC __attribute__((visibility("default")))

enum { ERROR_BYTES = 512 };
static const char SCHEMA[] = "carmine.result/1"; /* later schemas may change meanings */

struct measured_roof {
    const char *kernel, *level; /* in `document`; level is "" for a ceiling */
    const char *type, *op;      /* parts of the kernel's name: "f64.fma" of "avx2.f64.fma"; "chase" has no type */
    unsigned threads;
    bool latency;
    double value;                           /* 0: blank */
    double per_cycle, documented_per_cycle; /* 0: unknown */
};

struct carmine_roofs {
    json_t *document;
    unsigned cores;
    size_t count;
    struct measured_roof *roofs;
};

static _Thread_local char error[ERROR_BYTES];

__attribute__((format(printf, 1, 2))) static void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, sizeof error, format, arguments);
    va_end(arguments);
}

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static double number_of(const json_t *object, const char *key) {
    return json_number_value(json_object_get(object, key));
}

static unsigned count_of(const json_t *object, const char *key) {
    const json_int_t count = json_integer_value(json_object_get(object, key));
    return count > 0 && count < 1 << 24 ? (unsigned)count : 0;
}

/* No number is known. Older files kept numbers of repetitions that were too short. */
static bool is_blank(const json_t *sample) {
    const json_t *doubts = json_object_get(sample, "doubts"), *doubt;
    size_t i;
    json_array_foreach(doubts, i, doubt) if (json_is_string(doubt) &&
                                             strcmp(json_string_value(doubt), "too short") == 0) return true;
    return !(number_of(sample, "value") > 0);
}

/* Reads a roof of the whole machine, one thread per core, in the usual pages. False: not such a roof. */
static bool read_roof(const json_t *sample, struct measured_roof *out) {
    static const char *const PARTS[] = {"package", "node", "memory_node", "core_kind", "cores"};
    for (size_t i = 0; i < sizeof PARTS / sizeof PARTS[0]; i++)
        if (json_object_get(sample, PARTS[i]))
            return false;
    if (json_is_true(json_object_get(sample, "small_pages")))
        return false;
    *out = (struct measured_roof){.kernel = text_of(sample, "kernel"),
                                  .level = text_of(sample, "level"),
                                  .threads = count_of(sample, "threads"),
                                  .latency = strcmp(text_of(sample, "kind"), "latency") == 0,
                                  .value = is_blank(sample) ? 0 : number_of(sample, "value"),
                                  .per_cycle = number_of(sample, "per_cycle"),
                                  .documented_per_cycle = number_of(sample, "documented_per_cycle")};
    const char *first = strchr(out->kernel, '.'), *last = strrchr(out->kernel, '.');
    out->op = last ? last + 1 : out->kernel;
    out->type = first != last ? first + 1 : "";
    return out->kernel[0] && out->threads > 0;
}

static bool read_roofs(struct carmine_roofs *roofs, const char *path) {
    const json_t *samples = json_object_get(roofs->document, "samples"), *sample;
    size_t i;
    if (strcmp(text_of(roofs->document, "schema"), SCHEMA) != 0 || !json_is_array(samples)) {
        fail("%s: no result of carmine run with the schema %s", path, SCHEMA);
        return false;
    }
    roofs->cores = count_of(json_object_get(roofs->document, "machine"), "core_count");
    roofs->roofs = calloc(json_array_size(samples) + 1, sizeof *roofs->roofs);
    if (!roofs->roofs) {
        fail("%s: out of memory", path);
        return false;
    }
    json_array_foreach(samples, i, sample) roofs->count += read_roof(sample, &roofs->roofs[roofs->count]);
    return true;
}

PUBLIC struct carmine_roofs *carmine_roofs_open(const char *path) {
    struct carmine_roofs *roofs = calloc(1, sizeof *roofs);
    json_error_t why;
    error[0] = '\0';
    if (!path || !roofs) {
        fail("%s", path ? "out of memory" : "no path is given (NULL)");
        free(roofs);
        return NULL;
    }
    struct stat status;
    const bool folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
    roofs->document = folder ? NULL : json_load_file(path, 0, &why);
    if (folder)
        fail("%s: is a directory", path);
    else if (!roofs->document && why.line > 0)
        fail("%s: line %d: %s", path, why.line, why.text);
    else if (!roofs->document)
        fail("%s", why.text); /* "unable to open PATH: …" */
    if (roofs->document && read_roofs(roofs, path))
        return roofs;
    carmine_roofs_close(roofs);
    return NULL;
}

PUBLIC const char *carmine_roofs_error(void) {
    return error;
}

PUBLIC void carmine_roofs_close(struct carmine_roofs *roofs) {
    if (!roofs)
        return;
    json_decref(roofs->document);
    free(roofs->roofs);
    free(roofs);
}

/* "f64" of "f64.fma" */
static bool begins(const char *parts, const char *name) {
    const size_t length = strlen(name);
    return strncmp(parts, name, length) == 0 && parts[length] == '.';
}

/* Whether the name means this roof. */
static bool is_named(const struct measured_roof *roof, const char *name) {
    const size_t level = strlen(roof->level);
    if (level == 0)
        return begins(roof->type, name) || strcmp(roof->kernel, name) == 0;
    if (strncmp(roof->level, name, level) != 0)
        return false;
    if (name[level] == ' ')
        return strcmp(roof->kernel, name + level + 1) == 0;
    return name[level] == '\0' && !roof->latency && !pattern_is_random(pattern_of_kernel(roof->op));
}

/* Whether a blank roof may be better than `best`: documented limits do not exclude it. */
static bool may_exceed(const struct measured_roof *blank, const struct measured_roof *best) {
    return !(blank->documented_per_cycle > 0 && best->per_cycle > 0) || blank->documented_per_cycle > best->per_cycle;
}

static bool is_better(const struct measured_roof *roof, const struct measured_roof *best) {
    if (!(roof->value > 0) || !(best->value > 0))
        return best->value > 0 ? may_exceed(roof, best) : roof->value > 0 && !may_exceed(best, roof);
    return roof->latency ? roof->value < best->value : roof->value > best->value;
}

PUBLIC double carmine_roof_value(const struct carmine_roofs *roofs, const char *name, unsigned threads) {
    const struct measured_roof *best = NULL;
    for (size_t i = 0; roofs && name && i < roofs->count; i++) {
        const struct measured_roof *roof = &roofs->roofs[i];
        if (roof->threads == (threads == CARMINE_ALL_CORES ? roofs->cores : threads) && is_named(roof, name) &&
            (!best || is_better(roof, best)))
            best = roof;
    }
    return best && best->value > 0 ? best->value : NAN;
}

PUBLIC double carmine_roof_attainable(const struct carmine_roofs *roofs, const char *level, const char *type,
                                      double flop_per_byte, unsigned threads) {
    const double ceiling = carmine_roof_value(roofs, type, threads),
                 below = flop_per_byte * carmine_roof_value(roofs, level, threads);
    return isnan(ceiling) || isnan(below) || below < 0 ? NAN : below < ceiling ? below : ceiling;
}
