/* SPDX-License-Identifier: BSD-3-Clause */
#include "app_points.h"
#include "app_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "probe/marks/systems.h"
#include "probe/need.h"
#include "probe/order.h"

/* The number of threads for a program's roofs: as many as worked at the same time while HALF of the work was done. But
 * always so many that the work, as it was distributed, cannot exceed the roofs by more than the factor ABOVE. */
static const double HALF = 0.5, ABOVE = 1.1;
static const double WORTH = 0.01; /* flop per byte: with fewer, only the bytes count as work */

static double app_points_flop_of(const struct count *count) {
    return (double)count_flop(count);
}

static double bytes_of(const struct count *count) {
    return (double)(count->load_bytes + count->store_bytes);
}

static int app_points_falling(const void *a, const void *b) {
    return order_doubles(b, a);
}

/* `least`, or more. The model: all threads begin together; all work until the one with the least work is done, and so
 * on. */
static unsigned threads_by(double (*work_of)(const struct count *), const struct count *threads, size_t count,
                           unsigned least) {
    double *work = need_calloc(count + 1, sizeof *work), all = 0, less = 0;
    for (size_t i = 0; i < count; i++)
        all += work[i] = work_of(&threads[i]);
    qsort(work, count, sizeof *work, app_points_falling);
    unsigned at_work = (unsigned)count;
    for (; at_work > 1; at_work--) { /* `less`: the work of all threads after the first `at_work` */
        if (work[at_work - 1] > 0 && at_work * work[at_work - 1] + less >= HALF * all)
            break;
        less += work[at_work - 1];
    }
    const double bound = work[0] > 0 ? ceil(all / (ABOVE * work[0])) : 0;
    free(work);
    return (unsigned)fmax(least, fmax(at_work, bound));
}

unsigned app_threads_at_work(const struct count *threads, size_t count) {
    double flop = 0, bytes = 0;
    for (size_t i = 0; i < count; i++) {
        flop += app_points_flop_of(&threads[i]);
        bytes += bytes_of(&threads[i]);
    }
    const unsigned by_bytes = threads_by(bytes_of, threads, count, 1);
    return flop >= WORTH * bytes ? threads_by(app_points_flop_of, threads, count, by_bytes) : by_bytes;
}

const char *app_points_program(const struct app_request *request, const struct app_runs *runs) {
    return runs->name[0] ? runs->name : request->name;
}

/* The region's index in a run; -1: it was not entered. */
static long region_of_run(const struct app_run *run, const char *name) {
    for (size_t i = 0; run->reported && i < run->report.region_count; i++)
        if (strcmp(run->report.regions[i].name, name) == 0)
            return (long)i;
    return -1;
}

/* A region's times, from all runs. */
struct region_timing {
    struct statistics seconds;
    uint64_t calls;
    unsigned threads, processes;
    bool unpaired; /* begins and ends do not match */
};

static struct region_timing time_region(const struct app_runs *runs, const char *name) {
    struct region_timing out = {.processes = 1};
    double *seconds = need_calloc(runs->run_count + 1, sizeof *seconds);
    uint64_t *calls = need_calloc(runs->run_count + 1, sizeof *calls);
    size_t n = 0;
    for (size_t i = 0; i < runs->run_count; i++) {
        const struct app_run *run = &runs->runs[i];
        long r = region_of_run(run, name);
        if (r < 0) {
            if (!*name) /* the program without its report: from outside */
                seconds[n++] = run->seconds;
            continue;
        }
        const struct region_times *times = &run->report.regions[r];
        seconds[n++] = times->seconds;
        calls[n - 1] = times->calls;
        out.calls = times->calls;
        out.threads = times->threads;
        out.processes = run->report.process_count;
        out.unpaired |= times->open > 0 || times->mismatched > 0;
    }
    for (size_t i = 0; *name && i < n; i++) /* scaled to the number of calls in the last run */
        seconds[i] *= calls[i] > 0 ? (double)out.calls / (double)calls[i] : 1;
    out.seconds = sample_statistics(seconds, n);
    free(seconds);
    free(calls);
    return out;
}

static void app_points_set_time(struct app_point *point, const struct region_timing *timing) {
    app_point_set_time(point, timing->seconds, (double)timing->calls);
    point->calls = timing->calls;
    point->processes = timing->processes;
    if (timing->unpaired)
        doubts_add(&point->doubts, DOUBT_OPEN_REGION);
}

/* How many threads ran at a time, on average. */
static unsigned parallelism(const struct app_runs *runs) {
    double cpu_s = 0, seconds = 0;
    for (size_t i = 0; i < runs->run_count; i++) {
        cpu_s += runs->runs[i].cpu_s;
        seconds += runs->runs[i].seconds;
    }
    return seconds > 0 ? (unsigned)fmax(1, round(cpu_s / seconds)) : 1;
}

/* Threads with a good part of the region's work, at most as many as worked at the same time. */
static unsigned counted_threads(const struct profile *profile, const struct count *threads, size_t count) {
    const unsigned at_work = app_threads_at_work(threads, count), together = profile->threads_together;
    return together > 0 && together < at_work ? together : at_work;
}

/* The threads at work, if counted. Otherwise threads may wait, and the threads of several processes may run one after
 * the other. Then CPU time gives the number, at least the threads that entered the region. */
static unsigned find_threads(const struct app_runs *runs, const struct region_timing *timing,
                             const struct profile_region *counted, bool is_program) {
    unsigned of_ranks = 0;
    for (size_t i = 0; counted && i < counted->rank_count; i++)
        of_ranks += counted_threads(&runs->profile, counted->ranks[i].threads, counted->ranks[i].thread_count);
    if (of_ranks > 0)
        return of_ranks;
    if (counted && counted->thread_count > 0 && timing->processes <= 1)
        return counted_threads(&runs->profile, counted->threads, counted->thread_count);
    unsigned marked = is_program || timing->processes > 1 ? 1 : timing->threads, ran = parallelism(runs);
    return marked > ran ? marked : ran;
}

/* CPU time of a run before and after its timed part: the kernel starts the program and releases its memory. Ranks may
 * do so at the same time. Children of a program, such as a shell's, start and end within its time. */
static double outside_s(const struct app_run *run) {
    const unsigned at_a_time = run->report.ranks > 0 ? run->report.ranks : 1;
    const double seconds = run->seconds - run->outside_ready_s;
    return run->reported ? at_a_time * fmax(0, seconds - run->report.regions[0].seconds) : 0;
}

/* The kernel's time, page faults, and time without a CPU, of the whole program only. */
static void set_kernel(struct app_point *point, const struct app_runs *runs) {
    const double threads = fmax(1, app_point_at_a_time(point));
    double *cpu_s = need_calloc(5 * runs->run_count + 1, sizeof *cpu_s), *kernel_s = cpu_s + runs->run_count,
           *page_faults = kernel_s + runs->run_count, *idle_s = page_faults + runs->run_count,
           *delay_s = idle_s + runs->run_count;
    for (size_t i = 0; i < runs->run_count; i++) {
        const struct app_run *run = &runs->runs[i];
        kernel_s[i] = fmax(0, run->kernel_s - outside_s(run));
        cpu_s[i] = fmax(kernel_s[i], run->cpu_s - outside_s(run));
        page_faults[i] = (double)runs->runs[i].page_faults;
        const double inside_s = run->reported ? run->report.regions[0].seconds : run->seconds;
        idle_s[i] = fmax(0, inside_s - run->cpu_s / threads); /* a lower bound: the CPU time includes start and end */
        delay_s[i] = run->delay_s;
    }
    point->cpu_seconds = sample_statistics(cpu_s, runs->run_count);
    point->kernel_seconds = sample_statistics(kernel_s, runs->run_count);
    point->page_faults = sample_statistics(page_faults, runs->run_count);
    point->idle_seconds = sample_statistics(idle_s, runs->run_count);
    point->delay_seconds = sample_statistics(delay_s, runs->run_count);
    free(cpu_s);
}

/* What its threads do, over all runs, in a run of the median time. */
static void app_points_set_waits(struct app_point *point, const struct app_runs *runs) {
    struct waits *out = &point->waits;
    double seen_s = 0, slept_s = 0;
    for (size_t i = 0; i < runs->run_count; i++) {
        const struct waits *waits = &runs->runs[i].waits;
        out->samples += waits->samples;
        seen_s += waits->samples > 0 ? runs->runs[i].waits_s : 0;
        slept_s += waits->samples * waits->interval_s;
        for (size_t kind = 0; kind < WAIT_KINDS; kind++)
            out->ns[kind] += waits->ns[kind];
    }
    if (!(seen_s > 0))
        return;
    for (size_t kind = 0; kind < WAIT_KINDS; kind++)
        out->ns[kind] = (uint64_t)((double)out->ns[kind] * point->seconds.median / seen_s);
    out->interval_s = slept_s / out->samples;
    waits_split_kernel(out, point->cpu_seconds.median, point->kernel_seconds.median, point->page_faults.median,
                       runs->fault_s);
}

/* Uses the CPU's counters for values without a better source. */
static void set_metrics(struct app_point *point, const char *name, const struct app_runs *runs) {
    const struct regions_report **reports = need_calloc(runs->run_count + 1, sizeof *reports);
    long *regions = need_calloc(runs->run_count + 1, sizeof *regions);
    for (size_t i = 0; i < runs->run_count; i++) {
        reports[i] = &runs->runs[i].report;
        regions[i] = region_of_run(&runs->runs[i], name);
    }
    struct app_metrics metrics;
    app_events_evaluate(runs->event_set, runs->run_count, reports, regions, &metrics);
    point->tlb_misses = metrics.tlb_misses;
    if (!point->has_count && metrics.flop.n > 0) {
        point->flop = metrics.flop;
        point->flop_source = SOURCE_COUNTERS;
        doubts_add(&point->doubts, DOUBT_NOT_CALIBRATED);
        doubts_add_if(&point->doubts, metrics.multiplexed, DOUBT_MULTIPLEXED);
    }
    if (!point->has_count && metrics.load_bytes.n > 0 && metrics.store_bytes.n > 0) {
        point->load_bytes = metrics.load_bytes;
        point->store_bytes = metrics.store_bytes;
        point->bytes_source = SOURCE_ESTIMATED;
        doubts_add(&point->doubts, DOUBT_ESTIMATED_BYTES);
    }
    doubts_add_if(&point->doubts, !point->has_count && metrics.no_width, DOUBT_WIDTH_UNKNOWN);
    free(reports);
    free(regions);
}

/* From the whole machine, so only for the program as a whole. */
static void set_dram(struct app_point *point, const struct app_runs *runs) {
    double *read = need_calloc(2 * runs->run_count + 1, sizeof *read), *written = read + runs->run_count;
    size_t n = 0;
    for (size_t i = 0; i < runs->run_count; i++)
        if (runs->runs[i].has_dram) {
            read[n] = runs->runs[i].dram_read_bytes;
            written[n++] = runs->runs[i].dram_write_bytes;
        }
    point->dram_read_bytes = sample_statistics(read, n);
    point->dram_write_bytes = sample_statistics(written, n);
    point->dram_source = n ? SOURCE_COUNTERS : SOURCE_UNKNOWN;
    free(read);
}

/* Names of regions and arguments may contain anything; a line break would damage the table. */
static void app_points_set_text(char *out, size_t size, const char *text) {
    snprintf(out, size, "%s", text);
    for (char *c = out; *c; c++)
        *c = (unsigned char)*c < ' ' || *c == 0x7f ? ' ' : *c;
}

/* The median over the runs that read it; 0: none did. */
static double clock_of_runs(const struct app_runs *runs) {
    double *clocks_hz = need_calloc(runs->run_count + 1, sizeof *clocks_hz);
    size_t n = 0;
    for (size_t i = 0; i < runs->run_count; i++)
        if (runs->runs[i].reported && runs->runs[i].report.clock_count > 0)
            clocks_hz[n++] = regions_clock_hz(&runs->runs[i].report);
    const double clock_hz = n > 0 ? sample_statistics(clocks_hz, n).median : 0;
    free(clocks_hz);
    return clock_hz;
}

/* The share of the looks at which something else used the program's core: no-ops were slower than at the best of all
 * looks. 0: nobody did, or there are too few looks. */
static double neighbour_of_runs(const struct app_runs *runs) {
    enum { ENOUGH = 10 };
    double best_cycles = INFINITY;
    struct neighbour_looks looks = {0};
    for (size_t i = 0; i < runs->run_count; i++)
        for (size_t k = 0; runs->runs[i].reported && k < runs->runs[i].report.clock_count; k++)
            best_cycles = fmin(best_cycles, runs->runs[i].report.clocks[k].noop_cycles);
    for (size_t i = 0; i < runs->run_count; i++)
        if (runs->runs[i].reported)
            regions_neighbour_add(&runs->runs[i].report, best_cycles, &looks);
    return looks.looks < ENOUGH ? 0 : (double)looks.beside / (double)looks.looks;
}

static struct app_point point_of_region(const struct app_request *request, const struct app_runs *runs,
                                        const char *name) {
    struct app_point point = {.part = *name ? APP_REGION : APP_PROGRAM};
    char label[sizeof point.name];
    const char *program = app_points_program(request, runs);
    snprintf(label, sizeof label, *name ? "%.31s/%.63s" : "%.95s", program, name);
    app_points_set_text(point.name, sizeof point.name, label);
    app_points_set_text(point.program, sizeof point.program, program);
    app_points_set_text(point.region, sizeof point.region, name);
    app_points_set_text(point.command, sizeof point.command, request->command);
    snprintf(point.measured_utc, sizeof point.measured_utc, "%s", runs->started_utc);
    struct region_timing timing = time_region(runs, name);
    app_points_set_time(&point, &timing);
    const struct profile_region *counted = runs->counted ? profile_region_find(&runs->profile, name) : NULL;
    point.threads = find_threads(runs, &timing, counted, !*name);
    set_kernel(&point, runs);
    point.clock_hz = clock_of_runs(runs);
    point.neighbour_share = neighbour_of_runs(runs);
    if (!*name)
        app_points_set_waits(&point, runs);
    if (runs->counted && runs->profile.killed_count > 0)
        doubts_add(&point.doubts, DOUBT_KILLED);
    doubts_add_if(&point.doubts, runs->other_output[0] != '\0', DOUBT_OTHER_OUTPUT);
    if (counted) {
        const struct app_work work = app_work_find(runs, name, point.calls);
        const struct count count = app_work_scale(&counted->count, work.scale);
        app_point_set_count(&point, &count);
        if (counted->open > 0 || counted->mismatched > 0)
            doubts_add(&point.doubts, DOUBT_OPEN_REGION);
        app_work_apply(&work, &point);
    }
    if (runs->events.group_count > 0)
        set_metrics(&point, name, runs);
    doubts_add_if(&point.doubts, runs->p_cores_only, DOUBT_P_CORES_ONLY);
    if (!*name)
        set_dram(&point, runs);
    if (counted)
        app_point_set_levels(&point, &runs->profile, counted->traffic, &counted->touched, counted,
                             app_work_find(runs, name, point.calls).scale);
    doubts_add_if(&point.doubts, counted && request->levels.wish_count > 0, DOUBT_OTHER_CACHE);
    app_ranks_describe(runs, name, &point);
    return point;
}

static struct app_point point_of_rank(const struct app_runs *runs, const struct app_point *whole, unsigned rank) {
    struct app_point point = app_ranks_point(runs, whole, rank);
    const struct profile_rank *counted = app_ranks_counted(runs, point.region, rank);
    if (counted)
        point.threads = counted_threads(&runs->profile, counted->threads, counted->thread_count);
    return point;
}

/* Carmine is a rank itself, and makes points of that rank alone. */
static void add_own_rank(const struct app_request *request, const struct app_runs *runs, struct app_points *out) {
    const bool timed = runs->run_count > 0;
    const size_t count = timed ? runs->runs[0].report.region_count : runs->profile.region_count;
    out->points = need_calloc(count, sizeof *out->points);
    for (size_t r = 0; r < count && (r == 0 || request->by != APP_BY_PROGRAM); r++) {
        const char *region = timed ? runs->runs[0].report.regions[r].name : runs->profile.regions[r].name;
        struct app_point whole = point_of_region(request, runs, region);
        whole.ranks = request->rank.count;
        out->points[out->count++] = point_of_rank(runs, &whole, request->rank.number);
    }
    out->program = out->points[0];
}

static bool is_untimed(const struct app_runs *runs, const struct profile_region *region) {
    return region->calls > 0 && mark_systems_untimed(region->name) && region_of_run(&runs->runs[0], region->name) < 0;
}

size_t app_regions_untimed(const struct app_runs *runs) {
    size_t count = 0;
    for (size_t i = 1; runs->counted && i < runs->profile.region_count; i++)
        count += is_untimed(runs, &runs->profile.regions[i]);
    return count;
}

static void add_untimed(const struct app_request *request, const struct app_runs *runs, struct app_points *out) {
    for (size_t i = 1; runs->counted && i < runs->profile.region_count; i++) {
        const struct profile_region *region = &runs->profile.regions[i];
        if (!is_untimed(runs, region))
            continue;
        struct app_point *point = &out->points[out->count++];
        *point = point_of_region(request, runs, region->name);
        point->calls = region->calls;
        point->seconds_source = SOURCE_UNKNOWN;
        doubts_remove(&point->doubts, DOUBT_UNSTABLE);
    }
}

/* In the order of their first entry in the first run. A region that only the counted run entered has no time. */
static void add_regions(const struct app_request *request, const struct app_runs *runs, struct app_points *out) {
    const struct app_run *first = &runs->runs[0];
    size_t count = first->reported ? first->report.region_count : 0;
    out->points = need_calloc(count + app_regions_untimed(runs) + 1, sizeof *out->points);
    for (size_t r = 1; r < count; r++) {
        struct app_point *point = &out->points[out->count++];
        *point = point_of_region(request, runs, first->report.regions[r].name);
        point->time_share = app_parts_share(point->seconds.median, out->program.seconds.median);
    }
    if (out->count > 0 || request->by == APP_BY_REGION)
        add_untimed(request, runs, out);
}

/* Adds, after each point, those of the ranks that took part. */
static void add_ranks(const struct app_runs *runs, struct app_points *out) {
    const size_t parts = out->count;
    out->points = need_realloc(out->points, parts * (out->program.ranks + 1) * sizeof *out->points);
    for (size_t i = 0; i < parts; i++)
        for (unsigned rank = 0; rank < out->program.ranks; rank++) {
            const struct app_point point = point_of_rank(runs, &out->points[i], rank);
            if (point.seconds.n > 0 || point.has_count)
                out->points[out->count++] = point;
        }
}

static void state(const struct app_request *request, struct app_point *point) {
    if (request->stated_flop > 0) {
        point->flop = app_once(request->stated_flop);
        point->flop_source = SOURCE_STATED;
    }
    if (request->stated_bytes > 0) { /* loads and stores in the known ratio, else loads */
        double known_bytes = app_core_bytes(point);
        double share_of_stores = known_bytes > 0 ? point->store_bytes.median / known_bytes : 0;
        point->store_bytes = app_once(round(request->stated_bytes * share_of_stores));
        point->load_bytes = app_once(request->stated_bytes - point->store_bytes.median);
        point->bytes_source = SOURCE_STATED;
        point->doubts = doubts_without(point->doubts, DOUBTS(DOUBT_BYTES_UNKNOWN, DOUBT_ESTIMATED_BYTES));
    }
    if (request->stated_flop > 0 && request->stated_bytes > 0)
        doubts_remove(&point->doubts, DOUBT_UNKNOWN_INSTRUCTIONS);
}

void app_points_make(const struct app_request *request, const struct app_runs *runs, struct app_points *out) {
    *out = (struct app_points){.count = 0};
    if (request->rank.count > 0) {
        add_own_rank(request, runs, out);
        return;
    }
    out->program = point_of_region(request, runs, "");
    out->program.time_share = 1;
    if (app_by_counts(request->by))
        app_parts_add(request, runs, out);
    else if (request->by != APP_BY_PROGRAM)
        add_regions(request, runs, out);
    if (out->count == 0) {
        free(out->points);
        out->points = need_malloc(sizeof *out->points);
        out->points[out->count++] = out->program;
    }
    if (out->count == 1)
        state(request, &out->points[0]);
    if (out->points[0].part == APP_PROGRAM)
        out->program = out->points[0];
    if (!app_by_counts(request->by) && out->program.ranks > 1)
        add_ranks(runs, out);
}

void app_points_free(struct app_points *points) {
    free(points->points);
    free(points->parts);
    courses_free(points->course, points->course != NULL);
    *points = (struct app_points){0};
}
