/* SPDX-License-Identifier: BSD-3-Clause */
#include "app_samples.h"
#include "app.h"

#include <stdlib.h>
#include <string.h>

#include "bench/names/symbols.h"
#include "bench/names/written_names.h"
#include "probe/marks/collector.h"
#include "probe/need.h"

/* The opened files, each once; for code that a process wrote itself, its names. */
struct opened {
    const char *path;
    uint32_t pid; /* process that wrote it; 0: a file */
    struct symbols *symbols;
    struct written_names *written;
};
struct opened_files {
    struct opened *files;
    size_t count;
};

static const struct opened *open_once(struct opened_files *opened, const struct sampled_place *place) {
    const char *written = written_names_dump(place->object);
    const uint32_t pid = written ? place->pid : 0;
    for (size_t i = 0; i < opened->count; i++)
        if (opened->files[i].pid == pid && strcmp(opened->files[i].path, place->object) == 0)
            return &opened->files[i];
    opened->files = need_realloc(opened->files, (opened->count + 1) * sizeof *opened->files);
    struct opened *file = &opened->files[opened->count++];
    *file = (struct opened){.path = place->object, .pid = pid};
    if (pid)
        file->written = written_names_open(pid, written);
    else
        file->symbols = symbols_open(place->object);
    return file;
}

/* The function at a place, and its start; NULL: unknown. */
static const char *function_at(const struct opened *file, const struct sampled_place *place, uint64_t *start) {
    return file->written   ? written_names_find_start(file->written, place->file_offset, start)
           : file->symbols ? symbols_find(file->symbols, place->file_offset, start)
                           : NULL;
}

static void close_all(struct opened_files *opened) {
    for (size_t i = 0; i < opened->count; i++) {
        if (opened->files[i].symbols)
            symbols_close(opened->files[i].symbols);
        written_names_close(opened->files[i].written);
    }
    free(opened->files);
}

static struct app_sampled_function *find(const struct app_samples *samples, const char *name, const char *object) {
    for (size_t i = 0; i < samples->count; i++)
        if (strcmp(samples->functions[i].name, name) == 0 && strcmp(samples->functions[i].object, object) == 0)
            return &samples->functions[i];
    return NULL;
}

/* Returns the function's index. */
static unsigned add(struct app_samples *samples, const char *name, const char *path, unsigned hits) {
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
    return (unsigned)(function - samples->functions);
}

static int by_hits(const void *a, const void *b) {
    const struct app_sampled_function *x = a, *y = b;
    return (x->hits < y->hits) - (x->hits > y->hits);
}

void app_samples_by_place(const struct regions_report *report, unsigned *functions, struct app_samples *out) {
    *out = (struct app_samples){.functions = need_calloc(report->place_count + 1, sizeof *out->functions)};
    struct opened_files opened = {0};
    for (size_t i = 0; i < report->place_count; i++) {
        const struct sampled_place *place = &report->places[i];
        uint64_t start;
        functions[i] = add(out, function_at(open_once(&opened, place), place, &start),
                           written_names_dump(place->object) ? COLLECTOR_WRITTEN : place->object, place->hits);
    }
    close_all(&opened);
}

void app_samples_resolve(const struct regions_report *report, struct app_samples *out) {
    unsigned *functions = need_calloc(report->place_count + 1, sizeof *functions);
    app_samples_by_place(report, functions, out);
    free(functions);
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

/* An instruction of written code, by its function: its address differs between runs. */
struct written_place {
    const char *function;
    uint64_t offset; /* from the function's start */
    const struct profile_place *place;
};

static int by_function(const void *a, const void *b) {
    const struct written_place *x = a, *y = b;
    const int order = strcmp(x->function, y->function);
    return order != 0 ? order : (x->offset > y->offset) - (x->offset < y->offset);
}

/* Those in functions with a name; allocated, sorted. */
static struct written_place *find_written(const struct profile_parts *parts, size_t *count) {
    struct written_place *list = need_calloc(parts->place_count + 1, sizeof *list);
    *count = 0;
    for (size_t i = 0; i < parts->place_count; i++) {
        const struct profile_place *place = &parts->places[i];
        const char *function = parts->lines[place->line].source.function;
        if (written_names_dump(place->path) && *function)
            list[(*count)++] = (struct written_place){function, place->start - place->function_start, place};
    }
    if (*count > 0)
        qsort(list, *count, sizeof *list, by_function);
    return list;
}

static const struct profile_place *place_written(struct opened_files *opened, const struct sampled_place *sampled,
                                                 const struct written_place *written, size_t count) {
    struct written_place wanted = {.offset = sampled->file_offset};
    uint64_t start;
    wanted.function = count > 0 ? function_at(open_once(opened, sampled), sampled, &start) : NULL;
    if (!wanted.function)
        return NULL;
    wanted.offset -= start;
    const struct written_place *found = bsearch(&wanted, written, count, sizeof wanted, by_function);
    return found ? found->place : NULL;
}

void app_hits_find(const struct app_runs *runs, struct app_hits *out) {
    const struct profile_parts *parts = runs->profile.parts;
    struct opened_files opened = {0};
    size_t written_count;
    struct written_place *written = find_written(parts, &written_count);
    *out = (struct app_hits){.loops = need_calloc(parts->loop_count + 1, sizeof *out->loops),
                             .lines = need_calloc(parts->line_count + 1, sizeof *out->lines),
                             .places = need_calloc(parts->place_count + 1, sizeof *out->places)};
    for (size_t r = 0; r < runs->run_count; r++)
        for (size_t i = 0; runs->runs[r].reported && i < runs->runs[r].report.place_count; i++) {
            const struct sampled_place *sampled = &runs->runs[r].report.places[i];
            const struct profile_place *place = written_names_dump(sampled->object)
                                                    ? place_written(&opened, sampled, written, written_count)
                                                    : profile_place_find(parts, sampled->object, sampled->file_offset);
            out->all += sampled->hits;
            if (place)
                add_hits(parts, place, sampled->hits, out);
        }
    close_all(&opened);
    free(written);
}

void app_hits_free(struct app_hits *hits) {
    free(hits->loops);
    free(hits->lines);
    free(hits->places);
    *hits = (struct app_hits){0};
}
