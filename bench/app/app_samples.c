/* SPDX-License-Identifier: BSD-3-Clause
 * Sampled places → functions (see app_samples.h). */
#include "app_samples.h"

#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "bench/profile/names/symbols.h"
#include "bench/profile/profile_parts.h"
#include "probe/need.h"

/* The files that were opened, each once. */
struct opened {
    const char *path;
    struct symbols *symbols;
};

static struct symbols *open_once(struct opened *files, size_t *count, const char *path) {
    for (size_t i = 0; i < *count; i++)
        if (strcmp(files[i].path, path) == 0)
            return files[i].symbols;
    files[*count] = (struct opened){path, symbols_open(path)};
    return files[(*count)++].symbols;
}

static struct app_sampled_function *find(const struct app_samples *samples, const char *name, const char *object) {
    for (size_t i = 0; i < samples->count; i++)
        if (strcmp(samples->functions[i].name, name) == 0 && strcmp(samples->functions[i].object, object) == 0)
            return &samples->functions[i];
    return NULL;
}

static void add(struct app_samples *samples, const char *name, const char *path, unsigned hits) {
    struct app_sampled_function wanted = {.hits = 0};
    const char *slash = strrchr(path, '/');
    snprintf(wanted.name, sizeof wanted.name, "%s", name ? name : "");
    snprintf(wanted.object, sizeof wanted.object, "%.127s", slash ? slash + 1 : path);
    struct app_sampled_function *function = find(samples, wanted.name, wanted.object);
    if (!function) {
        function = &samples->functions[samples->count++];
        *function = wanted;
    }
    function->hits += hits;
    samples->hits += hits;
}

static int by_hits(const void *a, const void *b) {
    const struct app_sampled_function *x = a, *y = b;
    return (x->hits < y->hits) - (x->hits > y->hits);
}

void app_samples_resolve(const struct regions_report *report, struct app_samples *out) {
    *out = (struct app_samples){.functions = need_calloc(report->place_count + 1, sizeof *out->functions)};
    struct opened *files = need_calloc(report->place_count + 1, sizeof *files);
    size_t file_count = 0;
    for (size_t i = 0; i < report->place_count; i++) {
        const struct sampled_place *place = &report->places[i];
        struct symbols *symbols = open_once(files, &file_count, place->object);
        add(out, symbols ? symbols_find(symbols, place->file_offset) : NULL, place->object, place->hits);
    }
    for (size_t i = 0; i < file_count; i++)
        if (files[i].symbols)
            symbols_close(files[i].symbols);
    free(files);
    qsort(out->functions, out->count, sizeof *out->functions, by_hits);
}

void app_samples_free(struct app_samples *samples) {
    free(samples->functions);
    *samples = (struct app_samples){0};
}

unsigned app_samples_find(const struct app_samples *samples, const char *name, const char *object) {
    const struct app_sampled_function *function = find(samples, name, object);
    return function ? function->hits : 0;
}

static void add_hits(const struct profile_parts *parts, const struct profile_place *place, unsigned hits,
                     struct app_hits *out) {
    out->places[place - parts->places] += hits;
    out->lines[place->line] += hits;
    for (uint32_t loop = place->loop; loop != PART_NONE; loop = parts->loops[loop].parent)
        out->loops[loop] += hits;
}

void app_hits_find(const struct app_runs *runs, struct app_hits *out) {
    const struct profile_parts *parts = runs->profile.parts;
    *out = (struct app_hits){.loops = need_calloc(parts->loop_count + 1, sizeof *out->loops),
                             .lines = need_calloc(parts->line_count + 1, sizeof *out->lines),
                             .places = need_calloc(parts->place_count + 1, sizeof *out->places)};
    for (size_t r = 0; r < runs->run_count; r++)
        for (size_t i = 0; runs->runs[r].reported && i < runs->runs[r].report.place_count; i++) {
            const struct sampled_place *sampled = &runs->runs[r].report.places[i];
            const struct profile_place *place = profile_place_find(parts, sampled->object, sampled->file_offset);
            out->all += sampled->hits;
            if (place)
                add_hits(parts, place, sampled->hits, out);
        }
}

void app_hits_free(struct app_hits *hits) {
    free(hits->loops);
    free(hits->lines);
    free(hits->places);
    *hits = (struct app_hits){0};
}
