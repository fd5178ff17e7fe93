/* SPDX-License-Identifier: BSD-3-Clause
 * Measures one size of a workload (see workload.h). */
#include "workload.h"
#include "annotate.h"
#include "app_events.h"
#include "child.h"
#include "loop_time.h"
#include "preload.h"
#include "regions.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/kernels/doubt.h"
#include "probe/error.h"
#include "probe/events/uncore.h"
#include "probe/marks/collector.h"
#include "probe/need.h"
#include "probe/text.h"

/* The arguments of one carmine-workload process.
 *
 * The arguments of carmine-workload. */

enum { WORKLOAD_MAX_WORDS = 18, WORKLOAD_WORD_BYTES = 32 };

struct workload_words {
    size_t count; /* of words in `text` */
    char text[WORKLOAD_MAX_WORDS][WORKLOAD_WORD_BYTES];
    char file[608];                     /* the library of a user's workload */
    char *argv[WORKLOAD_MAX_WORDS + 4]; /* for execv(), after listing: program, workload, `text`, `file`, NULL */
};

const struct workload_state workload_states[WORKLOAD_STATES] = {
    {"cold", offsetof(struct workload_request, data), STATE_COLD, NULL},
    {"warm", offsetof(struct workload_request, data), STATE_WARM, NULL},
    {"code-cold", offsetof(struct workload_request, code), STATE_COLD, NULL},
    {"code-warm", offsetof(struct workload_request, code), STATE_WARM, NULL},
    {"tlb-cold", offsetof(struct workload_request, tlb), STATE_COLD, NULL},
    {"write-back-counted", offsetof(struct workload_request, write_back), STATE_UNKNOWN, "counted"},
    {"write-back-left-out", offsetof(struct workload_request, write_back), STATE_UNKNOWN, "left-out"},
};

/* Adds a word KEY=VALUE, printf-like; bench/workloads/request.h lists them. */
static void workload_words_add(struct workload_words *words, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words->text[words->count++], WORKLOAD_WORD_BYTES, format, arguments);
    va_end(arguments);
}

/* Makes `argv` from the words so far. It points into `out` and the request. */
static void workload_words_list(const struct workload_request *request, struct workload_words *out) {
    size_t listed = 0;
    out->argv[listed++] = (char *)request->program;
    out->argv[listed++] = (char *)request->name;
    for (size_t i = 0; i < out->count; i++)
        out->argv[listed++] = out->text[i];
    if (request->own) {
        snprintf(out->file, sizeof out->file, "file=%s", request->own->library);
        out->argv[listed++] = out->file;
    }
    out->argv[listed] = NULL;
}

/* The arguments for so many repetitions, with as many runs each as the threshold of cycles needs. 0: a single run, to
 * be counted. They are listed, too. */
static void workload_words_make(const struct workload_request *request, unsigned repetitions,
                                struct workload_words *out) {
    out->count = 0;
    workload_words_add(out, "size=%" PRIu64, request->size);
    workload_words_add(out, "type=%s", request->type);
    workload_words_add(out, "threads=%u", request->threads);
    workload_words_add(out, "data=%s", app_state_names[request->data]);
    workload_words_add(out, "code=%s", app_state_names[request->code]);
    if (request->tlb == STATE_COLD)
        workload_words_add(out, "tlb=%s", app_state_names[request->tlb]);
    workload_words_add(out, "repeat=%u", repetitions ? repetitions : 1);
    if (!repetitions) { /* for one run one copy: making more would be counted, too, or simulated */
        workload_words_add(out, "runs=1");
        workload_words_add(out, "counted=1");
        workload_words_add(out, "cold-by=flush");
    } else if (request->cycles > 0)
        workload_words_add(out, "cycles=%.0f", request->cycles);
    if (repetitions && request->budget_s > 0)
        workload_words_add(out, "budget=%g", request->budget_s);
    if (request->isa)
        workload_words_add(out, "isa=%s", request->isa);
    if (request->block)
        workload_words_add(out, "block=%u", request->block);
    workload_words_list(request, out);
}

/* The command line as one text: "carmine-workload daxpy size=1000 …". */
static void workload_words_join(const struct workload_words *words, char *out, size_t size) {
    snprintf(out, size, "carmine-workload");
    for (size_t i = 1; words->argv[i]; i++)
        text_append(out, size, " %s", words->argv[i]);
}

enum { FOLDER_BYTES = 600, OUTPUT_BYTES = 1 << 20 };
/* Less data has too few cache lines for a sample. It is simulated in full, which is quick. */
static const double SAMPLED_LEAST_BYTES = 1 << 20;

struct workload_session {
    const struct workload_request *request;
    struct scratch scratch;
    struct dram_traffic dram;
};

static int open_output(const struct workload_session *session, const char *name) {
    char path[FOLDER_BYTES];
    snprintf(path, sizeof path, "%s/%s", session->scratch.path, name);
    return open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

/* The content of the file as a text, to be freed. */
static char *take_output(int file) {
    char *text = need_calloc(1, OUTPUT_BYTES);
    ssize_t length = pread(file, text, OUTPUT_BYTES - 1, 0);
    if (length < 0)
        free(text);
    return length < 0 ? NULL : text;
}

/* The last line of the program's error output, without its name before it. */
static bool complain(const struct workload_request *request, char *complaint, const char *how, int status,
                     struct error *err) {
    static const char NAME[] = "carmine-workload: ";
    char text[96];
    const char *line = child_last_line(complaint);
    line += strncmp(line, NAME, strlen(NAME)) == 0 ? strlen(NAME) : 0;
    if (*line && WIFEXITED(status))
        return error_set(err, "%s", line);
    return error_set(err, "%s %" PRIu64 ": carmine-workload ended with %s %s", request->name, request->size,
                     child_status_text(status, text, sizeof text), how);
}

/* Handles the end of a process: its report, or the reason for none. After a wrong result the exit status is 1. */
static bool take_report(const struct workload_session *session, int out, int complaints, int status, const char *how,
                        struct workload_report *report, struct error *err) {
    const struct workload_request *request = session->request;
    char *text = take_output(out), *complaint = take_output(complaints);
    bool done = text && complaint ? true : error_set(err, "cannot read the output of carmine-workload");
    *report = (struct workload_report){0};
    if (done && child_stopped())
        done = error_set(err, "interrupted");
    if (done && status != 0 && !(WIFEXITED(status) && WEXITSTATUS(status) == 1 && *text))
        done = complain(request, complaint, how, status, err);
    if (done && !*text && request->own)
        done =
            error_set(err, "%s: it ended the program, or closed its output, at size %" PRIu64 " %s; run() must return",
                      request->own->file, request->size, how);
    done = done && workload_report_read(text, report, err);
    if (done && (!report->ok || status != 0)) {
        done = request->own ? error_set(err,
                                        "%s: check() says that the result of size %" PRIu64 " is wrong %s; "
                                        "nothing was added",
                                        request->own->file, request->size, how)
                            : error_set(err, "%s %" PRIu64 ": its result is wrong %s, by %.3g; nothing was added",
                                        request->name, request->size, how, report->check_error);
        workload_report_free(report);
    }
    free(text);
    free(complaint);
    return done;
}

/* A library that watches a process (NULL: none): it counts events and reports to a folder. */
struct watch {
    const char *library, *folder, *events;
    const char *how; /* in words, for messages */
};

static bool run_with(struct workload_session *session, const struct workload_words *words, const struct watch *watch,
                     struct workload_report *report, struct error *err) {
    char preload[PRELOAD_PATH_BYTES];
    if (child_stopped())
        return error_set(err, "interrupted");
    if (watch->library && !preload_path(session->request->collectors, watch->library, &session->scratch, preload, err))
        return false;
    int out = open_output(session, "out"), complaints = open_output(session, "err");
    const struct child_variable variables[] = {{COLLECTOR_FOLDER, watch->folder}, {COLLECTOR_EVENTS, watch->events}};
    const struct child child = {.path = session->request->program,
                                .argv = words->argv,
                                .preload = watch->library ? preload : NULL,
                                .variables = variables,
                                .variable_count = watch->library ? 2 : 0,
                                .in = -1,
                                .out = out,
                                .err = complaints};
    struct child_end end;
    bool done = (out >= 0 && complaints >= 0) || error_set(err, "cannot write to %s", session->scratch.path);
    done = done && child_run(&child, &end, err) &&
           take_report(session, out, complaints, end.status, watch->how, report, err);
    close(out);
    close(complaints);
    return done;
}

/* Annotates run(): two runs, one checked and one counted. There is no annotation if run() has no name that the counter
 * finds, for example after inlining. */
static void annotate_run(const struct profile *profile, const struct machine *machine, struct workload_outcome *out) {
    struct error ignored;
    unsigned *hits = need_calloc(profile->parts->place_count + 1, sizeof *hits);
    const char **names = need_calloc(profile->parts->loop_count + 1, sizeof *names);
    struct loop_core core = loop_core_find(machine, NULL);
    const struct annotate_from from = {profile->parts, hits, 0, out->point.program, &core, names};
    if (!annotate(&from, "run", &out->annotations, &out->annotation_count, &ignored))
        out->annotations = NULL, out->annotation_count = 0;
    for (; out->annotation_count > 1; out->annotation_count--) /* hot loops of other functions */
        annotation_free(&out->annotations[out->annotation_count - 1]);
    loop_core_free(&core);
    free(names);
    free(hits);
}

static void take_count(const struct workload_request *request, const struct profile *profile,
                       const struct profile_region *region, struct app_point *point) {
    app_point_set_count(point, &region->count);
    app_point_set_levels(point, profile, region->traffic, &region->touched, region, 1);
    doubts_add_if(&point->doubts, request->levels.wish_count > 0, DOUBT_OTHER_CACHE);
}

static void add_write_back(const struct workload_request *request, struct workload_words *words) {
    if (request->write_back)
        workload_words_add(words, "write-back=%s", request->write_back);
}

/* Requests simulated caches from the counter, and makes the workload empty them. Flushes do not affect these caches, so
 * other data fills them. Each thread's part is as large as all levels together, because the other threads' parts may be
 * simulated earlier. The inner levels are added once more, because they first push the data out into the last one. */
static bool workload_request_levels(const struct workload_request *request, const struct levels_how *how,
                                    const char *folder, struct workload_words *words, struct levels_geometry *out,
                                    struct error *err) {
    uint64_t bytes = 0;
    if (!levels_geometry(request->machine, 0, request->own_llc_bytes, request->levels.wishes,
                         request->levels.wish_count, out, err) ||
        !levels_request_write(folder, &out->hierarchy, how, err))
        return false;
    for (unsigned i = 0; i < out->hierarchy.level_count; i++) {
        const struct hierarchy_level *level = &out->hierarchy.levels[i];
        const unsigned instances = (request->threads + level->sharing_cores - 1) / level->sharing_cores,
                       times = i + 1 < out->hierarchy.level_count ? 2 : 1;
        bytes += level->set_count * level->ways * HIERARCHY_LINE_BYTES * instances * times * request->threads;
    }
    workload_words_add(words, "last-level=%" PRIu64, bytes);
    workload_words_add(words, "simulated=1");
    add_write_back(request, words);
    workload_words_list(request, words);
    return true;
}

/* Counts one run exactly, and the given sample of cache lines (one_of 0: none). */
static bool workload_count_lines(struct workload_session *session, const struct levels_how *how,
                                 struct workload_outcome *out, struct error *err) {
    struct workload_words words;
    struct workload_report report;
    struct profile profile;
    char folder[FOLDER_BYTES], name[48];
    const struct workload_request *request = session->request;
    const struct watch watch = {
        .library = PRELOAD_COUNTER, .folder = folder, .events = "", .how = "when it was counted"};
    request->progress(request, "count");
    workload_words_make(request, 0, &words);
    snprintf(name, sizeof name, "count-%u-%" PRIu64, how->one_of, how->seed);
    if (!scratch_folder(&session->scratch, name, folder, sizeof folder, err) ||
        (how->one_of > 0 && !workload_request_levels(request, how, folder, &words, &out->levels, err)) ||
        !run_with(session, &words, &watch, &report, err))
        return false;
    workload_take_theory(&report, out);
    workload_report_free(&report);
    if (!(request->annotate ? profile_read_parts(folder, 0, &profile, err) : profile_read(folder, &profile, err)))
        return false;
    const struct profile_region *region = profile_region_find(&profile, request->name);
    bool done = region && region->calls >= 1 && region->calls <= request->threads; /* each thread marks its part */
    if (done)
        take_count(request, &profile, region, &out->point);
    if (request->annotate && profile.parts && !out->annotations)
        annotate_run(&profile, request->machine, out);
    profile_free(&profile);
    return done || error_set(err, "carmine-workload did not mark its one run with the region %s", request->name);
}

/* Repeats the simulation as often as traffic is requested: DRAM bytes become statistics, the links are the last one's.
 * If no other size shows that a sample would be too small, a run does. */
static bool workload_counted(struct workload_session *session, struct workload_outcome *out, struct error *err) {
    const unsigned wanted = session->request->traffic_repeat;
    struct app_point *point = &out->point;
    double *read = need_calloc(2 * (size_t)wanted, sizeof *read), *written = read + wanted;
    struct levels_how how = {.one_of = session->request->levels.one_of,
                             .seed = 1,
                             .in_step = true,
                             .write_back = workload_counts_write_back(session->request)};
    bool done = !session->request->uncounted;
    if (how.one_of > 1 && workload_has_less(session->request, SAMPLED_LEAST_BYTES))
        how.one_of = 1;
    for (; done && how.seed <= wanted; how.seed++) {
        done = workload_count_lines(session, &how, out, err);
        if (done && how.one_of > 1 && (double)point->working_set_bytes < SAMPLED_LEAST_BYTES) {
            how.one_of = 1;
            done = workload_count_lines(session, &how, out, err);
        }
        read[how.seed - 1] = point->dram_read_bytes.median;
        written[how.seed - 1] = point->dram_write_bytes.median;
    }
    if (done && wanted > 1) {
        point->dram_read_bytes = sample_statistics(read, wanted);
        point->dram_write_bytes = sample_statistics(written, wanted);
    }
    free(read);
    return done || session->request->uncounted;
}

/* The memory controllers' events, one per line, if readable, and those of TLB misses; "" none. */
static void name_events(struct workload_session *session, char *out, size_t size) {
    const struct event_formula *tlb_misses = &session->request->events->metrics[METRIC_TLB_MISSES];
    dram_traffic_open(&session->dram, session->request->events);
    *out = '\0';
    for (size_t i = 0; session->dram.counting && i < session->dram.event_count; i++)
        text_append(out, size, "%s\n", session->dram.names[i]);
    dram_traffic_close(&session->dram);
    for (unsigned i = 0; session->request->tlb_misses && i < tlb_misses->term_count; i++)
        text_append(out, size, "%s\n", tlb_misses->terms[i].event);
}

/* Whether a reported failure, "EVENT: reason", is of the formula's event. */
static bool fails(const struct event_formula *formula, const char *failure) {
    for (unsigned t = 0; t < formula->term_count; t++) {
        const size_t length = strlen(formula->terms[t].event);
        if (strncmp(failure, formula->terms[t].event, length) == 0 && failure[length] == ':')
            return true;
    }
    return false;
}

/* DRAM bytes and TLB misses per run: the mean, because the controllers count from the first run to the last. */
static void take_events(struct workload_session *session, const char *folder, double runs, struct app_point *point) {
    const struct workload_request *request = session->request;
    const struct event_formula *metrics = request->events->metrics;
    struct regions_report report;
    struct error ignored;
    if (!regions_read(folder, &report, &ignored))
        return;
    const char(*names)[96] = (const char(*)[96])report.events;
    const bool no_tlb = fails(&metrics[METRIC_TLB_MISSES], report.failure);
    const bool no_dram = fails(&metrics[METRIC_DRAM_READ_BYTES], report.failure) ||
                         fails(&metrics[METRIC_DRAM_WRITE_BYTES], report.failure);
    for (size_t r = 0; r < report.region_count; r++) {
        const struct region_times *region = &report.regions[r];
        double read_bytes, write_bytes, tlb_misses;
        if (strcmp(region->name, request->name) != 0 || (report.failure[0] && !no_tlb && !no_dram))
            continue;
        if (!no_tlb &&
            events_evaluate(&metrics[METRIC_TLB_MISSES], report.event_count, names, region->events, &tlb_misses))
            point->tlb_misses = app_once(tlb_misses / runs);
        if (!no_dram &&
            events_evaluate(&metrics[METRIC_DRAM_READ_BYTES], report.event_count, names, region->events, &read_bytes) &&
            events_evaluate(&metrics[METRIC_DRAM_WRITE_BYTES], report.event_count, names, region->events,
                            &write_bytes)) {
            point->dram_read_bytes = app_once(read_bytes / runs);
            point->dram_write_bytes = app_once(write_bytes / runs);
            point->dram_source = SOURCE_COUNTERS;
            point->doubts = doubts_without(point->doubts, DOUBTS(DOUBT_SIMULATED, DOUBT_OTHER_CACHE));
        }
    }
    regions_free(&report);
}

static bool measure_time(struct workload_session *session, struct workload_outcome *out, struct error *err) {
    const struct workload_request *request = session->request;
    struct workload_words words;
    struct workload_report report;
    char folder[FOLDER_BYTES], events[APP_GROUP_BYTES];
    name_events(session, events, sizeof events);
    const struct watch watch = {
        .library = *events ? PRELOAD_TIMER : NULL, .folder = folder, .events = events, .how = "in another run"};
    request->progress(request, "run");
    workload_words_make(request, request->repeat * request->least_of, &words);
    if (*events) /* otherwise the default */
        add_write_back(request, &words);
    workload_words_list(request, &words);
    if (!scratch_folder(&session->scratch, "run", folder, sizeof folder, err) ||
        !run_with(session, &words, &watch, &report, err))
        return false;
    if (request->command)
        snprintf(out->point.command, sizeof out->point.command, "%s", request->command);
    else
        workload_words_join(&words, out->point.command, sizeof out->point.command);
    if (*events)
        take_events(session, folder, (double)report.runs * (double)report.seconds_count, &out->point);
    workload_take_theory(&report, out);
    if (request->uncounted)
        workload_state_work(request, out);
    workload_take_time(request, &report, out);
    workload_report_free(&report);
    return true;
}

bool workload_count(const struct workload_request *request, struct workload_outcome *out, struct error *err) {
    struct workload_session session = {.request = request};
    *out = (struct workload_outcome){.wanted = request->repeat};
    struct app_point *point = &out->point;
    point->part = APP_REGION;
    point->processes = 1;
    point->calls = 1;
    point->time_share = 1;
    point->cores = request->cores;
    point->cpus = request->cpus;
    snprintf(point->program, sizeof point->program, "%s", request->own ? request->own->label : request->name);
    snprintf(point->region, sizeof point->region, "%s", request->name);
    snprintf(point->compiler, sizeof point->compiler, "%s", request->own ? request->own->compiler : "");
    workload_series(request, point->series, sizeof point->series);
    workload_point_name(request, point->name, sizeof point->name);
    bool done = scratch_make(&session.scratch, err) && workload_counted(&session, out, err);
    request->progress(request, NULL);
    scratch_remove(&session.scratch);
    return done;
}

bool workload_time(const struct workload_request *request, struct workload_outcome *out, struct error *err) {
    struct workload_session session = {.request = request};
    const time_t now = time(NULL);
    strftime(out->point.measured_utc, sizeof out->point.measured_utc, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    bool done = scratch_make(&session.scratch, err) && measure_time(&session, out, err);
    request->progress(request, NULL);
    scratch_remove(&session.scratch);
    return done;
}
