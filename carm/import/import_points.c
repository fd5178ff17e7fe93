/* SPDX-License-Identifier: BSD-3-Clause
 * Points, roofs and notes of an import (see import.h). */
#include "import.h"

#include <stdio.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "bench/programs/app_point.h"
#include "carm/store/result_fields.h"
#include "probe/error.h"

static struct app_point *new_point(struct import *import, const struct import_request *request) {
    if (import->point_count == IMPORT_MAX_POINTS)
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
    struct error inner;
    for (size_t i = 0; i < import->roof_count; i++) {
        const struct sample *other = &import->roofs[i];
        if (strcmp(other->kernel, roof->kernel) == 0 && strcmp(other->level, roof->level) == 0 &&
            strcmp(other->variant, roof->variant) == 0 && other->threads == roof->threads)
            return import_text_fail(text, NULL, err, "%s%s%s of %u threads occurs twice", roof->level,
                                    roof->level[0] ? " " : "", roof->kernel, roof->threads);
    }
    if (import->roof_count == IMPORT_MAX_ROOFS)
        return import_text_fail(text, NULL, err, "more than %d roofs", IMPORT_MAX_ROOFS);
    const bool possible = roof->value > 0 && result_sample_holds(roof, &inner);
    if (!possible)
        return import_text_fail(text, NULL, err, "%s %s%s", roof->kernel,
                                roof->value > 0 ? "is not possible: " : "is 0", roof->value > 0 ? inner.text : "");
    import->roofs[import->roof_count] = *roof;
    doubts_add(&import->roofs[import->roof_count++].doubts, DOUBT_IMPORTED);
    return true;
}
