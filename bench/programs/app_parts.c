/* SPDX-License-Identifier: BSD-3-Clause */
#include "annotate.h"
#include "app_points.h"
#include "app_runs.h"
#include "loop_time.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "probe/need.h"

static const double HOT = 0.05;   /* share of the program's time or flop */
static const double WORKS = 0.01; /* share of the busiest thread's instructions */
/* With fewer than LEAST_SAMPLES in the whole program no part gets a time: one sample alone would be 100 % of it. */
enum { FEW_SAMPLES = 100, LEAST_SAMPLES = 5, MOST_THREADS = 256 };

double app_parts_share(double part, double whole) {
    return whole > 0 ? fmin(1, part / whole) : 0;
}

/* Splits the program's time by the CPU samples of all runs. */
static void set_sampled_time(struct app_point *point, unsigned hits, unsigned all) {
    const struct statistics s = point->seconds; /* the program's */
    hits = all < LEAST_SAMPLES ? 0 : hits;
    double part = point->time_share = app_parts_share(hits, all);
    point->seconds =
        (struct statistics){s.n, s.kept, s.min * part, s.q1 * part, s.median * part, s.q3 * part, s.max * part};
    if (hits == 0)
        point->seconds = (struct statistics){0};
    point->seconds_source = hits ? SOURCE_SAMPLED : SOURCE_UNKNOWN;
    point->doubts = doubts_without(point->doubts, DOUBTS(DOUBT_TOO_SHORT, DOUBT_OPEN_REGION));
    if (hits < FEW_SAMPLES)
        doubts_add(&point->doubts, DOUBT_FEW_SAMPLES);
}

static bool name_taken(const struct app_points *points, const char *name) {
    for (size_t i = 0; i < points->count; i++)
        if (strcmp(points->points[i].name, name) == 0)
            return true;
    return false;
}

/* "program/label"; if this name is taken, `apart` is appended. */
static void set_name(struct app_point *point, const struct app_points *points, const char *label, const char *apart) {
    enum { LABEL = 60, SHORT_LABEL = 26, APART = 29, MOST_ALIKE = 10000 }; /* fit the name with the program's */
    char whole_label[LABEL + 1], short_label[SHORT_LABEL + 1], short_apart[APART + 1];
    snprintf(point->name, sizeof point->name, "%.31s/%s", point->program, part_cut(whole_label, LABEL, label));
    part_cut(short_label, SHORT_LABEL, label);
    part_cut(short_apart, APART, apart);
    for (unsigned i = 1; name_taken(points, point->name); i++)
        snprintf(point->name, sizeof point->name, i > 1 ? "%.31s/%s (%s) %u" : "%.31s/%s (%s)", point->program,
                 short_label, short_apart, i % MOST_ALIKE);
}

/* The context in which parts become points. */
struct part_making {
    const struct loop_core *core;
    const struct app_runs *runs;
    struct app_work work;
    struct app_points *out;
};

/* A part's simulated traffic; NULL: none. */
struct simulated_part {
    const struct profile_traffic *traffic;
    const struct touched *touched;
};

/* Makes the point without its name; false: it is not hot. */
static bool make_point(const struct part_making *making, enum app_part part, const struct count *count,
                       const struct simulated_part *simulated, const unsigned hits[2], struct app_point *out) {
    *out = making->out->program;
    out->waits = (struct waits){.samples = 0};
    out->part = part;
    out->calls = out->mpi_calls = out->mpi_instructions = out->mpi_bytes = 0;
    out->mpi_seconds = out->imbalance = (struct statistics){0};
    set_sampled_time(out, hits[0], hits[1]);
    out->doubts = doubts_without(out->doubts, DOUBTS(DOUBT_BYTES_UNKNOWN, DOUBT_UNKNOWN_INSTRUCTIONS, DOUBT_SIMULATED));
    app_point_set_count(out, count);
    app_work_apply(&making->work, out);
    out->dram_read_bytes = out->dram_write_bytes = (struct statistics){0};
    out->dram_source = SOURCE_UNKNOWN;
    app_point_set_levels(out, &making->runs->profile, simulated->traffic, simulated->touched, NULL, 1);
    return out->time_share >= HOT || app_parts_share(out->flop.median, making->out->program.flop.median) >= HOT;
}

/* Of a function, a loop or a line. */
static struct simulated_part simulated_code(const struct part_making *making, const struct profile_traffic *traffic,
                                            const struct touched *touched) {
    return (struct simulated_part){traffic, making->runs->profile.touches_unknown ? NULL : touched};
}

static void add_function(const struct part_making *making, const struct profile_function *function) {
    const struct app_runs *runs = making->runs;
    struct app_point point;
    unsigned hits[2] = {0, 0};
    char label[PART_LABEL_BYTES];
    const struct simulated_part simulated = simulated_code(making, function->traffic, &function->touched);
    for (size_t i = 0; i < runs->run_count; i++) {
        hits[0] += app_samples_find(&runs->runs[i].samples, function->name, function->object);
        hits[1] += runs->runs[i].samples.hits;
    }
    if (!make_point(making, APP_FUNCTION, &function->count, &simulated, hits, &point))
        return;
    char own[PART_FUNCTION_BYTES];
    part_function(point.function, function->name, function->object);
    own[part_function(own, function->name, function->object)] = '\0';
    part_cut(label, sizeof label - 1, own);
    set_name(&point, making->out, label, function->object);
    making->out->points[making->out->count++] = point;
}

/* Sets the innermost inlined function, and the function that contains it. Returns the length of its name without
 * arguments. */
static int set_source(struct app_point *point, const struct part_source *source) {
    if (*source->inlined)
        part_function(point->inlined_in, source->function, source->object);
    snprintf(point->file, sizeof point->file, "%s", source->file);
    point->line = source->line;
    return part_owner(point->function, source);
}

static void add_loop(const struct part_making *making, uint32_t index, const unsigned hits[2]) {
    const struct profile_loop *loop = &making->runs->profile.parts->loops[index];
    struct app_point point;
    char label[PART_LABEL_BYTES], place[32];
    const struct simulated_part simulated = simulated_code(making, loop->traffic, &loop->touched);
    if (!make_point(making, APP_LOOP, &loop->count, &simulated, hits, &point))
        return;
    set_source(&point, &loop->source);
    point.depth = loop->depth;
    point.iterations = loop->iterations;
    point.entries = loop->entries_known ? loop->entries : 0;
    loop_time_find(making->runs->profile.parts, index, making->core, &point.in_core);
    snprintf(place, sizeof place, "%#" PRIx64, loop->source.offset);
    part_loop_label(&loop->source, label);
    set_name(&point, making->out, label, place);
    making->out->points[making->out->count++] = point;
}

static void add_line(const struct part_making *making, const struct profile_line *line, const unsigned hits[2]) {
    struct app_point point;
    char label[PART_LABEL_BYTES];
    const struct simulated_part simulated = simulated_code(making, line->traffic, &line->touched);
    if (!make_point(making, APP_LINE, &line->count, &simulated, hits, &point))
        return;
    char own[PART_FUNCTION_BYTES], cut[PART_LABEL_BYTES];
    const int length = set_source(&point, &line->source);
    const char *slash = strrchr(point.file, '/');
    snprintf(own, sizeof own, "%.*s", length, point.function);
    if (point.line > 0)
        snprintf(label, sizeof label, "%s:%u", part_cut(cut, 48, slash ? slash + 1 : point.file), point.line);
    else
        snprintf(label, sizeof label, "%s+%#" PRIx64, part_cut(cut, 40, own), line->source.offset);
    set_name(&point, making->out, label, point.inlined_in[0] ? point.inlined_in : point.function);
    making->out->points[making->out->count++] = point;
}

static void add_functions(const struct part_making *making) {
    const struct profile_region *program = &making->runs->profile.regions[0];
    making->out->points = need_calloc(program->function_count + 1, sizeof *making->out->points);
    for (size_t i = 0; i < program->function_count; i++)
        add_function(making, &program->functions[i]);
}

static void add_loops_or_lines(const struct part_making *making, bool loops) {
    const struct profile_parts *parts = making->runs->profile.parts;
    struct app_hits hits;
    app_hits_find(making->runs, &hits);
    const size_t count = loops ? parts->loop_count : parts->line_count;
    making->out->parts = need_calloc(count + 1, sizeof *making->out->parts);
    for (uint32_t i = 0; i < count; i++) {
        const size_t before = making->out->count;
        const unsigned of_part[2] = {loops ? hits.loops[i] : hits.lines[i], hits.all};
        making->out->points = need_realloc(making->out->points, (making->out->count + 1) * sizeof *making->out->points);
        if (loops)
            add_loop(making, i, of_part);
        else
            add_line(making, &parts->lines[i], of_part);
        if (making->out->count > before)
            making->out->parts[before] = i;
    }
    app_hits_free(&hits);
}

static double work_of_thread(const struct part_making *making, const struct count *count) {
    return making->out->program.flop.median > 0 ? (double)count_flop(count) : (double)count->instructions;
}

static void add_thread(const struct part_making *making, size_t i) {
    const struct profile_region *program = &making->runs->profile.regions[0];
    const unsigned no_hits[2] = {0, 0};
    struct app_point point;
    char label[PART_LABEL_BYTES];
    const struct simulated_part simulated = {program->thread_traffic ? program->thread_traffic[i] : NULL,
                                             program->thread_touched ? &program->thread_touched[i] : NULL};
    make_point(making, APP_THREAD, &program->threads[i], &simulated, no_hits, &point);
    doubts_remove(&point.doubts, DOUBT_FEW_SAMPLES);
    point.threads = point.processes = 1;
    snprintf(label, sizeof label, "thread %zu", i + 1);
    set_name(&point, making->out, label, "thread");
    making->out->points[making->out->count++] = point;
}

/* Each thread's work, relative to the median thread's. */
static void set_imbalance(const struct part_making *making) {
    struct app_points *out = making->out;
    double *work = need_calloc(out->count + 1, sizeof *work);
    for (size_t i = 0; i < out->count; i++)
        work[i] = work_of_thread(making, &out->points[i].count);
    const double median = sample_statistics(work, out->count).median;
    for (size_t i = 0; i < out->count && median > 0; i++)
        out->points[i].imbalance = app_once(work_of_thread(making, &out->points[i].count) / median);
    free(work);
}

/* In the order of their creation. */
static void add_threads(const struct part_making *making) {
    const struct profile_region *program = &making->runs->profile.regions[0];
    uint64_t most = 0;
    for (size_t i = 0; i < program->thread_count; i++)
        most = program->threads[i].instructions > most ? program->threads[i].instructions : most;
    making->out->points = need_calloc(program->thread_count + 1, sizeof *making->out->points);
    for (size_t i = 0; i < program->thread_count && making->out->count < MOST_THREADS; i++)
        if ((double)program->threads[i].instructions >= WORKS * (double)most)
            add_thread(making, i);
    set_imbalance(making);
}

void app_parts_add(const struct app_request *request, const struct app_runs *runs, struct app_points *out) {
    if (!runs->counted)
        return;
    struct loop_core core = loop_core_find(request->machine, request->core);
    const struct part_making making = {&core, runs, app_work_find(runs, "", 1), out};
    if (request->by == APP_BY_FUNCTION)
        add_functions(&making);
    else if (request->by == APP_BY_THREAD)
        add_threads(&making);
    else if (request->by == APP_BY_PHASE)
        app_phases_add(request, runs, out);
    else if (runs->profile.parts)
        add_loops_or_lines(&making, request->by == APP_BY_LOOP);
    loop_core_free(&core);
}

bool app_parts_annotate(const struct app_request *request, const struct app_runs *runs, const struct app_points *points,
                        const char *wanted, struct annotation **out, size_t *count, struct error *err) {
    const struct profile_parts *parts = runs->profile.parts;
    const char **names = need_calloc(parts->loop_count + 1, sizeof *names);
    struct app_hits hits;
    struct loop_core core = loop_core_find(request->machine, request->core);
    for (size_t i = 0; i < points->count; i++)
        if (points->points[i].part == APP_LOOP)
            names[points->parts[i]] = points->points[i].name;
    app_hits_find(runs, &hits);
    const struct annotate_from from = {parts, hits.places, hits.all, points->program.program, &core, names};
    const bool done = annotate(&from, wanted, out, count, err);
    loop_core_free(&core);
    app_hits_free(&hits);
    free(names);
    return done;
}
