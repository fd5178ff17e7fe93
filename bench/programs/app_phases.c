/* SPDX-License-Identifier: BSD-3-Clause */
#include "app_points.h"
#include "app_runs.h"
#include "course.h"
#include "join.h"
#include "phases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "probe/need.h"

/* Bins in which borders lie: a few samples long. More than SHOWN phases are joined if they are alike. */
static const double LEAST_BIN_S = 0.01;
enum { MOST_BINS = 1000, SHOWN = 10 };

struct making {
    const struct app_runs *runs;
    const struct app_run *run; /* the one that is shown */
    struct joined *joined;
    unsigned *functions; /* by place */
    struct app_samples samples;
    size_t phase_count;
    struct phase phases[COURSE_PHASES];
    double bin_s;
    size_t bin_count;
    struct app_work work;
};

void course_free(struct app_course *course) {
    free(course->intervals);
    free(course->phases);
}

void courses_free(struct app_course *courses, size_t count) {
    for (size_t i = 0; i < count; i++)
        course_free(&courses[i]);
    free(courses);
}

/* The run with samples whose time is nearest to the median; NULL: none. */
static const struct app_run *usual_run(const struct app_runs *runs, double median_s) {
    const struct app_run *usual = NULL;
    for (size_t i = 0; i < runs->run_count; i++) {
        const struct app_run *run = &runs->runs[i];
        if (regions_in_time(&run->report) && (!usual || fabs(run->report.regions[0].seconds - median_s) <
                                                            fabs(usual->report.regions[0].seconds - median_s)))
            usual = run;
    }
    return usual;
}

static struct joined *join_runs(const struct app_runs *runs, const struct regions_report *report) {
    uint64_t *places = need_calloc(report->tick_count + 1, sizeof *places);
    for (size_t i = 0; i < report->tick_count; i++)
        if (report->ticks[i].place > 0) {
            const struct sampled_place *place = &report->places[report->ticks[i].place - 1];
            places[i] = profile_place(place->object, place->file_offset);
        }
    struct joined *joined =
        join(report->ticks, places, report->tick_count, runs->profile.slices, runs->profile.slice_count);
    free(places);
    return joined;
}

static double signed_words(uint64_t difference) {
    return (double)(int64_t)difference;
}

static struct count difference(const struct count *to, const struct count *from) {
    struct count out;
    for (size_t i = 0; i < COUNT_WORDS; i++)
        out.words[i] = to->words[i] - from->words[i];
    return out;
}

/* Slices are cut in the middle of a loop's rounds, so a count may be below zero by a few. */
static struct count without_negative(struct count count) {
    for (size_t i = 0; i < COUNT_WORDS; i++)
        count.words[i] = (int64_t)count.words[i] < 0 ? 0 : count.words[i];
    return count;
}

/* What happens between two moments. */
static struct joined_sum app_phases_between(const struct joined *joined, double from_s, double to_s) {
    struct joined_sum from, to;
    joined_until(joined, from_s, &from);
    joined_until(joined, to_s, &to);
    return (struct joined_sum){to.cpu_s - from.cpu_s, to.ready_s - from.ready_s, difference(&to.count, &from.count)};
}

static void set_work(struct phase_bin *bin, const struct joined_sum *sum) {
    const struct count count = without_negative(sum->count);
    bin->cpu_s = sum->cpu_s;
    bin->active_s = sum->cpu_s + sum->ready_s;
    bin->flop = (double)count_flop(&count);
    bin->bytes = (double)(count.load_bytes + count.store_bytes);
    bin->instructions = (double)count.instructions;
    for (unsigned k = 0; k < CLASS_COUNT; k++)
        bin->mix[k] = (double)count.mix[k];
}

static int app_phases_falling(const void *a, const void *b) {
    const struct app_sampled_function *const *x = a, *const *y = b;
    return ((*x)->hits < (*y)->hits) - ((*x)->hits > (*y)->hits);
}

/* By function: its index among the most sampled ones. To be freed. */
static unsigned *rank_functions(const struct app_samples *samples) {
    const struct app_sampled_function **order = need_calloc(samples->count + 1, sizeof *order);
    unsigned *ranks = need_calloc(samples->count + 1, sizeof *ranks);
    for (size_t i = 0; i < samples->count; i++)
        order[i] = &samples->functions[i];
    qsort(order, samples->count, sizeof *order, app_phases_falling);
    for (unsigned i = 0; i < samples->count; i++)
        ranks[order[i] - samples->functions] = i < PHASE_PLACES ? i : PHASE_PLACES - 1;
    free(order);
    return ranks;
}

static double begin_s(const struct regions_report *report) {
    uint64_t begin_ns = UINT64_MAX;
    for (size_t i = 0; i < report->tick_count; i++)
        begin_ns = report->ticks[i].wall_ns < begin_ns ? report->ticks[i].wall_ns : begin_ns;
    return 1e-9 * (double)begin_ns;
}

/* CPU time of a tick since the same thread's last one; 0 if it has none. */
static double cpu_of_tick(const struct regions_report *report, size_t i) {
    const struct sampled_tick *tick = &report->ticks[i];
    return i > 0 && tick->place > 0 && tick[-1].tid == tick->tid && tick[-1].pid == tick->pid
               ? 1e-9 * (double)(tick->cpu_ns - tick[-1].cpu_ns)
               : 0;
}

static double border_at(const struct making *making, size_t bin) {
    return bin == making->bin_count ? joined_seconds(making->joined) : (double)bin * making->bin_s;
}

/* What the threads of the bins did, if they were looked at. */
static void add_waits(const struct making *making, struct phase_bin *bins) {
    const struct wait_course *course = &making->run->wait_course;
    const double start_s = begin_s(&making->run->report) - course->began_s;
    for (size_t i = 0; i < making->bin_count; i++) {
        struct waits_part seen = {.kernel_s = 0};
        const double from_s = border_at(making, i), to_s = border_at(making, i + 1);
        waits_add_between(course, start_s + from_s, start_s + to_s, &seen);
        for (size_t kind = 0; kind < WAIT_KINDS; kind++) /* the last one has another length */
            bins[i].waits_s[kind] = 1e-9 * (double)seen.waits.ns[kind] * making->bin_s / (to_s - from_s);
    }
}

static void find_phases(struct making *making) {
    const double seconds = joined_seconds(making->joined), start_s = begin_s(&making->run->report);
    making->bin_s = fmax(LEAST_BIN_S, seconds / MOST_BINS);
    making->bin_count = (size_t)fmax(1, floor(seconds / making->bin_s)); /* the rest is part of the last one */
    struct phase_bin *bins = need_calloc(making->bin_count, sizeof *bins);
    unsigned *ranks = rank_functions(&making->samples);
    for (size_t i = 0; i < making->bin_count; i++) {
        const double from_s = border_at(making, i), to_s = border_at(making, i + 1);
        const struct joined_sum sum = app_phases_between(making->joined, from_s, to_s);
        set_work(&bins[i], &sum);
        if (to_s > from_s) /* the last one has another length */
            bins[i].active_s *= making->bin_s / (to_s - from_s);
    }
    for (size_t i = 0; i < making->run->report.tick_count; i++) {
        const double cpu_s = cpu_of_tick(&making->run->report, i),
                     at_s = 1e-9 * (double)making->run->report.ticks[i].wall_ns - start_s - cpu_s / 2;
        const size_t bin = (size_t)fmin((double)making->bin_count - 1, fmax(0, at_s / making->bin_s));
        if (cpu_s > 0)
            bins[bin].places_s[ranks[making->functions[making->run->report.ticks[i].place - 1]]] += cpu_s;
    }
    add_waits(making, bins);
    making->phase_count = phases_find(bins, making->bin_count, making->bin_s, making->phases, COURSE_PHASES);
    free(ranks);
    free(bins);
}

static bool app_phases_is_of(const struct making *making, size_t phase, unsigned number, bool by_kind) {
    return by_kind ? making->phases[phase].kind == number : phase == number;
}

/* The function with most samples in these phases. */
static void find_function(const struct making *making, unsigned number, bool by_kind, char *out, size_t size) {
    double *seconds = need_calloc(making->samples.count + 1, sizeof *seconds);
    const double start_s = begin_s(&making->run->report);
    size_t most = 0;
    for (size_t i = 0; i < making->run->report.tick_count; i++) {
        const double at_s = 1e-9 * (double)making->run->report.ticks[i].wall_ns - start_s;
        for (size_t k = 0; k < making->phase_count && cpu_of_tick(&making->run->report, i) > 0; k++)
            if (app_phases_is_of(making, k, number, by_kind) && at_s >= border_at(making, making->phases[k].first) &&
                at_s < border_at(making, making->phases[k].end))
                seconds[making->functions[making->run->report.ticks[i].place - 1]] +=
                    cpu_of_tick(&making->run->report, i);
    }
    for (size_t i = 1; i < making->samples.count; i++)
        most = seconds[i] > seconds[most] ? i : most;
    if (making->samples.count > 0 && seconds[most] > 0)
        snprintf(out, size, "%.*s", (int)size - 1, making->samples.functions[most].name);
    free(seconds);
}

/* The time, and the time without a CPU, of as many threads as were active. */
static void app_phases_set_time(struct app_point *point, double seconds, const struct joined_sum *sum,
                                double program_s) {
    const double active = seconds > 0 ? (sum->cpu_s + sum->ready_s) / seconds : 0;
    point->threads = (unsigned)fmax(1, fmin(fmax(1, point->threads), ceil(active - 0.1)));
    point->seconds = app_once(seconds);
    point->seconds_source = SOURCE_SAMPLED;
    point->time_share = program_s > 0 ? fmin(1, seconds / program_s) : 0;
    point->cpu_seconds = app_once(sum->cpu_s);
    point->idle_seconds = app_once(fmax(0, seconds - sum->cpu_s / point->threads));
    point->delay_seconds = app_once(sum->ready_s / point->threads);
}

static void app_phases_set_waits(struct app_point *point, struct waits_part *seen, double fault_s) {
    const bool known = seen->waits.samples >= WAITS_LEAST_SAMPLES;
    const double kernel_s = fmin(seen->kernel_s, point->cpu_seconds.median);
    waits_split_kernel(&seen->waits, point->cpu_seconds.median, kernel_s, seen->page_faults, fault_s);
    point->waits = seen->waits;
    point->kernel_seconds = known ? app_once(kernel_s) : (struct statistics){0};
    point->page_faults = known ? app_once(seen->page_faults) : (struct statistics){0};
}

/* A phase, or all phases of a kind. */
static struct app_point app_phases_make_point(const struct making *making, const struct app_point *program,
                                              unsigned number, bool by_kind) {
    struct app_point point = *program;
    struct joined_sum sum = {.cpu_s = 0};
    struct waits_part seen = {.kernel_s = 0};
    const double start_s = begin_s(&making->run->report) - making->run->wait_course.began_s;
    double seconds = 0;
    point.part = APP_PHASE;
    point.calls = point.mpi_calls = point.mpi_instructions = point.mpi_bytes = 0;
    point.mpi_seconds = point.imbalance = (struct statistics){0};
    point.from_s = INFINITY;
    for (size_t i = 0; i < making->phase_count; i++) {
        const double from_s = border_at(making, making->phases[i].first),
                     to_s = border_at(making, making->phases[i].end);
        if (!app_phases_is_of(making, i, number, by_kind))
            continue;
        const struct joined_sum more = app_phases_between(making->joined, from_s, to_s);
        waits_add_between(&making->run->wait_course, start_s + from_s, start_s + to_s, &seen);
        seconds += to_s - from_s;
        sum.cpu_s += more.cpu_s;
        sum.ready_s += more.ready_s;
        count_add(&sum.count, &more.count);
        point.from_s = fmin(point.from_s, from_s);
        point.to_s = to_s;
        point.calls++;
    }
    const struct count own = without_negative(sum.count);
    app_phases_set_time(&point, seconds, &sum, joined_seconds(making->joined));
    app_phases_set_waits(&point, &seen, making->runs->fault_s);
    point.doubts = doubts_without(point.doubts, DOUBTS(DOUBT_TOO_SHORT, DOUBT_OPEN_REGION, DOUBT_BYTES_UNKNOWN,
                                                       DOUBT_UNKNOWN_INSTRUCTIONS, DOUBT_SIMULATED, DOUBT_UNSTABLE));
    app_point_set_count(&point, &own);
    app_work_apply(&making->work, &point);
    point.dram_read_bytes = point.dram_write_bytes = point.tlb_misses = (struct statistics){0};
    point.dram_source = SOURCE_UNKNOWN;
    point.levels = (struct point_levels){0};
    snprintf(point.name, sizeof point.name, "%.63s/phase %u", point.program, number + 1);
    find_function(making, number, by_kind, point.function, sizeof point.function);
    return point;
}

static struct app_course_interval app_phases_interval_of(const struct joined *joined, double from_s, double to_s) {
    const struct joined_sum sum = app_phases_between(joined, from_s, to_s);
    double flop = 0;
    for (enum count_type type = 0; type < COUNT_TYPES; type++)
        for (enum count_width width = 0; width < COUNT_WIDTHS && !count_is_integer(type); width++)
            flop += fmax(0, signed_words(sum.count.flop[type][width]));
    return (struct app_course_interval){sum.cpu_s,
                                        sum.ready_s,
                                        fmax(0, signed_words(sum.count.instructions)),
                                        flop,
                                        fmax(0, signed_words(sum.count.load_bytes)),
                                        fmax(0, signed_words(sum.count.store_bytes))};
}

static struct app_course *make_course(const struct making *making, double every_s) {
    struct app_course *out = need_calloc(1, sizeof *out);
    const double seconds = joined_seconds(making->joined), times = ceil(seconds / every_s / COURSE_INTERVALS);
    out->seconds = seconds;
    out->every_s = every_s * fmax(1, times);
    out->border_s = making->bin_s / 2 + joined_border_s(making->joined);
    out->intervals = need_calloc(COURSE_INTERVALS, sizeof *out->intervals);
    for (double from_s = 0; from_s < seconds && out->interval_count < COURSE_INTERVALS; from_s += out->every_s)
        out->intervals[out->interval_count++] =
            app_phases_interval_of(making->joined, from_s, fmin(seconds, from_s + out->every_s));
    return out;
}

void app_phases_add(const struct app_request *request, const struct app_runs *runs, struct app_points *out) {
    const struct app_run *run = usual_run(runs, out->program.seconds.median);
    const struct regions_report *report = run ? &run->report : NULL;
    struct joined *joined = run && runs->counted ? join_runs(runs, report) : NULL;
    if (!joined)
        return;
    struct making *making = need_calloc(1, sizeof *making);
    making->runs = runs;
    making->run = run;
    making->joined = joined;
    making->work = app_work_find(runs, "", 1);
    making->functions = need_calloc(report->place_count + 1, sizeof *making->functions);
    app_samples_by_place(report, making->functions, &making->samples);
    find_phases(making);
    unsigned kinds = 0;
    for (size_t i = 0; i < making->phase_count; i++)
        kinds = making->phases[i].kind >= kinds ? making->phases[i].kind + 1 : kinds;
    const bool by_kind = making->phase_count > SHOWN;
    struct app_course *course = make_course(making, request->every_s);
    out->points = need_calloc(making->phase_count + 1, sizeof *out->points);
    for (unsigned i = 0; i < (by_kind ? kinds : making->phase_count); i++)
        out->points[out->count++] = app_phases_make_point(making, &out->program, i, by_kind);
    course->phases = need_calloc(making->phase_count + 1, sizeof *course->phases);
    for (size_t i = 0; i < making->phase_count; i++) {
        struct app_course_phase *phase = &course->phases[course->phase_count++];
        phase->from_s = border_at(making, making->phases[i].first);
        phase->to_s = border_at(making, making->phases[i].end);
        memcpy(phase->point, out->points[by_kind ? making->phases[i].kind : i].name, sizeof phase->point);
    }
    memcpy(course->program, out->program.program, sizeof course->program);
    out->course = course;
    app_samples_free(&making->samples);
    joined_free(joined);
    free(making->functions);
    free(making);
}
