/* SPDX-License-Identifier: BSD-3-Clause
 * What all formats have in common (see import.h). */
#include "import.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/sample/doubt.h"

const struct import_format *const import_formats[] = {
    &import_likwid_perfctr, &import_likwid_bench, &import_sde,    &import_vtune, &import_perf, &import_ert,
    &import_stream,         &import_nvprof,       &import_nsight, &import_csv,   NULL,
};

const struct import_format *import_find(const char *name) {
    for (size_t i = 0; import_formats[i]; i++)
        if (strcmp(import_formats[i]->name, name) == 0)
            return import_formats[i];
    return NULL;
}

static struct app_point *new_point(struct import *import, const struct import_request *request) {
    if (import->point_count == IMPORT_MOST_POINTS)
        return NULL;
    struct app_point *point = &import->points[import->point_count++];
    *point = (struct app_point){.processes = 1};
    snprintf(point->program, sizeof point->program, "%s", request->name);
    return point;
}

struct app_point *import_region(struct import *import, const struct import_request *request, const char *region) {
    char cut[sizeof import->points->region];
    snprintf(cut, sizeof cut, "%s", region);
    for (size_t i = 0; i < import->point_count; i++)
        if (strcmp(import->points[i].region, cut) == 0)
            return &import->points[i];
    struct app_point *point = new_point(import, request);
    if (!point)
        return NULL;
    point->part = *region ? APP_REGION : APP_PROGRAM;
    memcpy(point->region, cut, sizeof cut);
    snprintf(point->name, sizeof point->name, "%.30s%s%.63s", point->program, *region ? "/" : "", cut);
    return point;
}

/* "void solve<float, 4>(float*, int)" → "solve". */
static void short_name(const char *kernel, char *out, size_t size) {
    size_t length = strcspn(kernel, "<(");
    size_t first = length;
    while (first > 0 && kernel[first - 1] != ' ')
        first--;
    snprintf(out, size, "%.*s", (int)(length - first), kernel + first);
}

struct app_point *import_kernel(struct import *import, const struct import_request *request, const char *kernel) {
    char name[64], cut[sizeof import->points->function];
    unsigned alike = 1;
    snprintf(cut, sizeof cut, "%s", kernel);
    short_name(kernel, name, sizeof name);
    for (size_t i = 0; i < import->point_count; i++) {
        char other[64];
        if (strcmp(import->points[i].function, cut) == 0)
            return &import->points[i];
        short_name(import->points[i].function, other, sizeof other);
        alike += strcmp(other, name) == 0;
    }
    struct app_point *point = new_point(import, request);
    if (!point)
        return NULL;
    point->part = APP_FUNCTION;
    memcpy(point->function, cut, sizeof cut);
    snprintf(point->name, sizeof point->name, alike > 1 ? "%.30s/%.50s (%u)" : "%.30s/%.50s", point->program, name,
             alike);
    return point;
}

void import_add(struct statistics *quantity, double value) {
    double sum = quantity->median + value;
    *quantity = (struct statistics){1, 1, sum, sum, sum, sum, sum};
}

bool import_roof(struct import *import, const struct sample *roof, const struct import_text *text, struct error *err) {
    for (size_t i = 0; i < import->roof_count; i++) {
        const struct sample *other = &import->roofs[i];
        if (strcmp(other->kernel, roof->kernel) == 0 && strcmp(other->level, roof->level) == 0 &&
            strcmp(other->variant, roof->variant) == 0 && other->threads == roof->threads)
            return import_text_fail(text, NULL, err, "%s%s%s of %u threads is there twice", roof->level,
                                    roof->level[0] ? " " : "", roof->kernel, roof->threads);
    }
    if (import->roof_count == IMPORT_MOST_ROOFS)
        return import_text_fail(text, NULL, err, "more than %d roofs", IMPORT_MOST_ROOFS);
    if (!(roof->value > 0))
        return import_text_fail(text, NULL, err, "%s is 0", roof->kernel);
    import->roofs[import->roof_count] = *roof;
    import->roofs[import->roof_count++].doubts |= DOUBT_IMPORTED;
    return true;
}

void import_note(struct import *import, const char *format, ...) {
    size_t length = strlen(import->note);
    va_list arguments;
    va_start(arguments, format);
    if (length > 0 && length + 2 < sizeof import->note)
        length += (size_t)snprintf(import->note + length, sizeof import->note - length, "; ");
    vsnprintf(import->note + length, sizeof import->note - length, format, arguments);
    va_end(arguments);
}

static void set_source(enum app_source *source, bool known) {
    *source = known ? SOURCE_IMPORTED : SOURCE_UNKNOWN;
}

/* What the format left open. Points of a whole program have all of its time. */
static void complete(struct app_point *point, const struct import_request *request, const char *format,
                     const char *now) {
    if (request->seconds > 0 && point->seconds.n == 0)
        import_add(&point->seconds, request->seconds);
    if (point->threads == 0)
        point->threads = request->threads;
    if (!point->origin[0])
        snprintf(point->origin, sizeof point->origin, "%s", format);
    if (point->part == APP_PROGRAM)
        point->time_share = 1;
    snprintf(point->measured_utc, sizeof point->measured_utc, "%s", now);
    set_source(&point->seconds_source, point->seconds.n > 0);
    set_source(&point->flop_source, point->flop.n > 0);
    set_source(&point->bytes_source, point->load_bytes.n > 0);
    set_source(&point->dram_source, point->dram_read_bytes.n > 0 || point->dram_write_bytes.n > 0);
    point->doubts |= DOUBT_IMPORTED;
}

static bool is_part(const struct app_point *point, const char *part) {
    return strcmp(point->region, part) == 0 || strcmp(point->function, part) == 0 || strcmp(point->name, part) == 0;
}

static bool keep_part(struct import *import, const char *part, const struct import_text *first, struct error *err) {
    char known[256] = "";
    size_t kept = 0;
    for (size_t i = 0, length = 0; i < import->point_count && length < sizeof known; i++)
        length += (size_t)snprintf(known + length, sizeof known - length, "%s%.60s", i ? ", " : "",
                                   import->points[i].region[0] ? import->points[i].region : import->points[i].name);
    for (size_t i = 0; i < import->point_count; i++)
        if (is_part(&import->points[i], part))
            import->points[kept++] = import->points[i];
    import->point_count = kept;
    return kept > 0 || import_file_fail(first, err, "holds no region '%.60s'; there are: %s", part, known);
}

bool import_read(const struct import_format *format, const struct import_request *request, char *const *paths,
                 size_t count, struct import *out, struct error *err) {
    char utc[32];
    time_t now = time(NULL);
    struct import_text *files = calloc(count, sizeof *files);
    *out = (struct import){.format = format->name,
                           .points = calloc(IMPORT_MOST_POINTS, sizeof *out->points),
                           .roofs = calloc(IMPORT_MOST_ROOFS, sizeof *out->roofs)};
    bool done = (files && out->points && out->roofs) || error_set(err, "out of memory");
    for (size_t i = 0; done && i < count; i++)
        done = import_text_read(&files[i], paths[i], err);
    done = done && format->read(request, files, count, out, err) &&
           (!request->region || keep_part(out, request->region, &files[0], err));
    strftime(utc, sizeof utc, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    for (size_t i = 0; done && i < out->point_count; i++)
        complete(&out->points[i], request, format->name, utc);
    for (size_t i = 0; files && i < count; i++)
        import_text_free(&files[i]);
    free(files);
    return done;
}

void import_free(struct import *import) {
    free(import->points);
    free(import->roofs);
    *import = (struct import){0};
}
