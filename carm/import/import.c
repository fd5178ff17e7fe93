/* SPDX-License-Identifier: BSD-3-Clause
 * The common part of all formats (see import.h). */
#include "import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/kernels/doubt.h"
#include "bench/programs/app_point.h"
#include "carm/store/ranges.h"
#include "carm/store/result_fields.h"
#include "probe/error.h"
#include "probe/need.h"
#include "probe/text.h"
#include "render/page/safe_text.h"

/* One file for each format. */
extern const struct import_format import_csv, import_ert, import_likwid_bench, import_likwid_perfctr, import_nsight,
    import_nvprof, import_perf, import_sde, import_stream, import_vtune;

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

static void set_source(enum app_source *source, bool known) {
    *source = known ? SOURCE_IMPORTED : SOURCE_UNKNOWN;
}

/* Fills in what the format left open. The point of a whole program has all of its time. */
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
    doubts_add(&point->doubts, DOUBT_IMPORTED);
}

static bool is_part(const struct app_point *point, const char *part) {
    return strcmp(point->region, part) == 0 || strcmp(point->function, part) == 0 || strcmp(point->name, part) == 0;
}

static bool keep_part(struct import *import, const char *part, const struct import_text *first, struct error *err) {
    char known[256] = "";
    size_t kept = 0;
    for (size_t i = 0; i < import->point_count; i++)
        text_append(known, sizeof known, "%s%.60s", i ? ", " : "",
                    import->points[i].region[0] ? import->points[i].region : import->points[i].name);
    for (size_t i = 0; i < import->point_count; i++)
        if (is_part(&import->points[i], part))
            import->points[kept++] = import->points[i];
    import->point_count = kept;
    return kept > 0 || import_file_fail(first, err, "has no region '%.60s'; there are: %s", part, known);
}

/* Makes the texts safe to print, and checks what the file's numbers became. */
static bool finish(struct import *import, const struct import_request *request, const struct import_text *first,
                   struct error *err) {
    char utc[32];
    time_t now = time(NULL);
    struct error inner;
    strftime(utc, sizeof utc, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    safe_text_clean(import->machine);
    for (size_t i = 0; i < import->point_count; i++) {
        struct app_point *point = &import->points[i];
        complete(point, request, import->format, utc);
        fields_clean(result_point_fields, point);
        if (!ranges_hold(result_point_fields, point, &inner))
            return import_file_fail(first, err, "%s: %s", point->name, inner.text);
    }
    for (size_t i = 0; i < import->roof_count; i++) {
        struct sample *roof = &import->roofs[i];
        fields_clean(result_sample_fields, roof);
        if (!result_sample_holds(roof, &inner))
            return import_file_fail(first, err, "%s: %s", roof->kernel, inner.text);
    }
    return true;
}

bool import_read(const struct import_format *format, const struct import_request *request, char *const *paths,
                 size_t count, struct import *out, struct error *err) {
    struct import_text *files = need_calloc(count, sizeof *files);
    *out = (struct import){.format = format->name,
                           .points = need_calloc(IMPORT_MAX_POINTS, sizeof *out->points),
                           .roofs = need_calloc(IMPORT_MAX_ROOFS, sizeof *out->roofs)};
    bool done = true;
    for (size_t i = 0; done && i < count; i++)
        done = import_text_read(&files[i], paths[i], err);
    done = done && format->read(request, files, count, out, err) &&
           (!request->region || keep_part(out, request->region, &files[0], err)) &&
           finish(out, request, &files[0], err);
    for (size_t i = 0; i < count; i++)
        import_text_free(&files[i]);
    free(files);
    return done;
}

void import_free(struct import *import) {
    free(import->points);
    free(import->roofs);
    *import = (struct import){0};
}
