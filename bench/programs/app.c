/* SPDX-License-Identifier: BSD-3-Clause */
#include "app.h"
#include "app_points.h"
#include "app_runs.h"
#include "child.h"
#include "preload.h"
#include "run_output.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "asm/instruction.h"
#include "bench/names/symbols.h"
#include "probe/error.h"
#include "probe/events/papi.h"
#include "probe/marks/collector.h"
#include "probe/need.h"
#include "probe/now.h"
#include "probe/text.h"

const char *const app_counters_names[] = {"auto", "count", "papi", NULL};

enum { RUNS_AT_LEAST = 3 };

struct app_session {
    const struct app_request *request;
    struct app_runs *out;
    struct scratch scratch;
    struct input input;
    struct dram_traffic dram;
    struct preload_marks marks;
    struct app_cores cores;
    unsigned native_starts;
    bool alone; /* native runs preload nothing, because the program does not tolerate it */
    struct run_output native, counted, again; /* of the silent runs */
    double silent_s;                          /* when the first silent native run began */
};

static bool find_preload(const struct app_session *session, const char *collector, char out[PRELOAD_LIST_BYTES],
                         struct error *err) {
    return preload_list(&session->marks, session->request->collectors, collector, &session->scratch, out, err);
}

/* Whether the run ended like the first one. `how`: kind of run, for the message. */
static bool ended_alike(const struct app_session *session, int status, const char *how, struct error *err) {
    const char *name = session->request->argv[0];
    char text[2][96];
    if (child_stopped())
        return error_set(err, "interrupted; nothing was added");
    if (WIFSIGNALED(session->out->status))
        return error_set(err, "%s was %s; nothing was added", name,
                         child_status_text(session->out->status, text[0], sizeof text[0]));
    return status == session->out->status ||
           error_set(err, "%s ended with %s %s, and with %s the first time: its runs differ, so they make no point",
                     name, child_status_text(status, text[0], sizeof text[0]), how,
                     child_status_text(session->out->status, text[1], sizeof text[1]));
}

static bool run_child(struct app_session *session, struct child *child, struct child_end *end, struct error *err) {
    if (!input_begin(&session->input, &child->in, err))
        return false;
    bool done = child_run(child, end, err);
    struct error of_input;
    if (!input_end(&session->input, &of_input) && done) {
        *err = of_input;
        done = false;
    }
    return done;
}

/* Before and after a run without the user's terminal, also a timed one: all write into files, because some programs
 * (grep, tar) do less work if their output is /dev/null. */
static bool silence(struct app_session *session, struct child *child, struct output_capture *out, struct error *err) {
    if (!run_output_begin(out, err))
        return false;
    child->out = out->to[0];
    child->err = out->to[1];
    session->silent_s = session->native.run_count == 0 ? now_s() : session->silent_s;
    return true;
}
static void listen(struct app_session *session, struct output_capture *capture, struct run_output *all) {
    struct run_output output = run_output_end(capture, session->request->result_path);
    run_output_merge(all, &output);
}

static void app_read_report(struct app_session *session, const char *folder, struct app_run *run) {
    struct error err;
    run->reported = regions_read(folder, &run->report, &err);
    if (!run->reported)
        snprintf(session->out->no_report, sizeof session->out->no_report, "%.500s", err.text);
    else if (session->request->by == APP_BY_FUNCTION)
        app_samples_resolve(&run->report, &run->samples);
    const bool of_ranks = run->reported && run->report.ranks > 0;
    if (run->reported && !of_ranks && run->report.killed_count > 0) /* it may contain the other processes */
        run->report.regions[0].seconds = run->seconds;
}

/* The time that its threads had been ready for a CPU, by the sample before. */
static double ready_at(const struct wait_course *course, double at_s) {
    double ready_ns = 0;
    for (size_t i = 0; i < course->count && course->moments[i].seconds <= at_s; i++)
        ready_ns = course->moments[i].ready_ns;
    return 1e-9 * ready_ns;
}

/* What was seen while the report's time went on: before, the program was loaded and linked, which takes long on a busy
 * host. Ranks may have another host's clock. */
static void cut_waits(struct app_run *run) {
    const double from_s = 1e-9 * (double)run->report.begin_ns - run->wait_course.began_s,
                 to_s = 1e-9 * (double)run->report.end_ns - run->wait_course.began_s;
    struct waits_part inside = {.kernel_s = 0};
    if (!run->reported || run->report.ranks > 0 || run->report.killed_count > 0 || run->wait_course.count < 2 ||
        !(from_s > 0 && from_s < to_s))
        return;
    waits_add_between(&run->wait_course, from_s, to_s, &inside);
    run->waits = inside.waits;
    run->waits_s = to_s - from_s;
    run->outside_ready_s = ready_at(&run->wait_course, from_s) + ready_at(&run->wait_course, (double)INFINITY) -
                           ready_at(&run->wait_course, to_s);
}

/* Whether the kernel may have killed it for a forbidden system call: by a seccomp filter or in strict mode. */
static bool was_refused_calls(int status) {
    return WIFSIGNALED(status) && (WTERMSIG(status) == SIGSYS || WTERMSIG(status) == SIGKILL);
}

/* Runs it, with everything that is measured from outside. */
static bool run_watched(struct app_session *session, struct child *child, struct app_run *out, int *status,
                        struct error *err) {
    struct wait_course course = {.count = 0};
    const bool phases = session->request->by == APP_BY_PHASE;
    struct wait_watch watch = {.course = &course, .often_s = phases ? session->request->every_s / 10 : 0};
    struct child_end end;
    struct output_capture capture;
    const bool silent = child->out < 0;
    child->tick = wait_watch_look;
    child->context = &watch;
    if (silent && !silence(session, child, &capture, err))
        return false;
    dram_traffic_begin(&session->dram);
    const bool ran = run_child(session, child, &end, err);
    const struct waits waits = wait_watch_end(&watch, ran ? end.seconds : 0);
    *out = (struct app_run){.waits = waits, .wait_course = course};
    out->has_dram = dram_traffic_end(&session->dram, &out->dram_read_bytes, &out->dram_write_bytes);
    if (silent)
        listen(session, &capture, &session->native);
    if (!ran) {
        free(course.moments);
        return false;
    }
    out->seconds = end.seconds, out->cpu_s = end.cpu_s, out->kernel_s = end.kernel_s, out->delay_s = end.delay_s;
    out->waits_s = end.seconds;
    out->page_faults = end.page_faults;
    *status = end.status;
    return true;
}

/* The period of the samples' timers in ns, so that an interval has a good number of them; "": without times. */
enum { TICK_BYTES = 32 };
static const char *tick_text(const struct app_request *request, char out[TICK_BYTES]) {
    const double least_s = 0.004, most_s = 0.02; /* the kernel's own tick, and two bins of phases */
    out[0] = '\0';
    if (request->by == APP_BY_PHASE)
        snprintf(out, TICK_BYTES, "%.0f", 1e9 * fmin(most_s, fmax(least_s, request->every_s / 25)));
    return out;
}

/* One run at full speed. `events` are counted meanwhile; "": none. */
static bool run_natively(struct app_session *session, const char *events, struct error *err) {
    const struct app_request *request = session->request;
    struct app_runs *out = session->out;
    bool first = out->run_count == 0, preloads = out->program.kind == PROGRAM_DYNAMIC && !session->alone;
    const bool heard = session->native_starts > 0; /* the user has its output */
    char name[32], folder[600], library[PRELOAD_LIST_BYTES], tick[TICK_BYTES];
    snprintf(name, sizeof name, "run.%u", session->native_starts++);
    if (!scratch_folder(&session->scratch, name, folder, sizeof folder, err) ||
        !find_preload(session, PRELOAD_TIMER, library, err))
        return false;
    struct child_variable variables[4 + PRELOAD_MARK_VARIABLES] = {
        {COLLECTOR_FOLDER, folder},
        {COLLECTOR_EVENTS, events},
        {COLLECTOR_SAMPLE, app_by_code(request->by) || request->by == APP_BY_PHASE ? "1" : "0"},
        {COLLECTOR_EVERY, tick_text(request, tick)}};
    const size_t variable_count = 4 + preload_mark_variables(&session->marks, variables + 4);
    struct child child = {.path = out->program.path,
                          .argv = request->argv,
                          .preload = preloads ? library : NULL,
                          .variables = variables,
                          .variable_count = preloads ? variable_count : 0,
                          .out = heard ? -1 : request->out,
                          .err = heard ? -1 : STDERR_FILENO};
    struct app_run run;
    int status;
    request->progress("run", (unsigned)out->run_count + 1, out->wanted_runs);
    if (!run_watched(session, &child, &run, &status, err))
        return false;
    if (first)
        out->status = status;
    const bool refused = first && preloads && !child_stopped() && was_refused_calls(status); /* see fails_by_itself() */
    if (!refused && !ended_alike(session, status, "in another run", err)) {
        free(run.wait_course.moments);
        return false;
    }
    if (preloads)
        app_read_report(session, folder, &run);
    cut_waits(&run);
    if (first && !request->named && request->rank.count == 0)
        app_ranks_name(request->argv, &run.report, out->name);
    out->runs[out->run_count++] = run;
    return !run.reported || request->rank.count > 0 || app_ranks_complete(&run.report, err);
}

static void run_free(struct app_run *run) {
    if (run->reported)
        regions_free(&run->report);
    app_samples_free(&run->samples);
    free(run->wait_course.moments);
}

static void forget_first_run(struct app_runs *out) {
    run_free(&out->runs[0]);
    out->runs[0] = (struct app_run){.seconds = 0};
    out->run_count = 0;
}

/* A program under a seccomp filter or in strict mode may be killed for the system calls that write the report of a
 * native run. */
static bool run_alone(struct app_session *session, struct error *err) {
    struct app_runs *out = session->out;
    char text[96];
    snprintf(out->no_report, sizeof out->no_report, "it does not let a library write a report: with one it was %s",
             child_status_text(out->status, text, sizeof text));
    forget_first_run(out);
    session->alone = true;
    return run_natively(session, "", err);
}

/* A preloaded library may be the reason for a failure. The run without it shows how the program ends by itself. */
static bool fails_by_itself(struct app_session *session, struct error *err) {
    struct app_runs *out = session->out;
    char text[2][96], runtime[64];
    if (out->status == 0 || out->program.kind != PROGRAM_DYNAMIC || child_stopped())
        return true;
    struct child child = {.path = out->program.path, .argv = session->request->argv, .in = -1, .out = -1, .err = -1};
    struct child_end end;
    session->request->progress("run without libraries, because it failed", 0, 0);
    if (!run_child(session, &child, &end, err))
        return false;
    if (child_stopped() || end.status == out->status)
        return ended_alike(session, end.status, "by itself", err);
    if (was_refused_calls(out->status))
        return run_alone(session, err);
    child_status_text(out->status, text[0], sizeof text[0]);
    child_status_text(end.status, text[1], sizeof text[1]);
    if (symbols_sanitizer(out->program.path, runtime, sizeof runtime))
        return error_set(
            err,
            "%s ends with %s when a library is preloaded to measure it, and with %s by itself: it is built with a "
            "sanitizer (%s), whose checks are not its own work; measure a build without -fsanitize",
            session->request->argv[0], text[0], text[1], runtime);
    return error_set(
        err,
        "%s ends with %s when a library is preloaded to measure it, and with %s by itself; its output may show why",
        session->request->argv[0], text[0], text[1]);
}

static const char WAY_OUT[] =
    "--flop N --bytes N state what it does, and `carmine import csv` takes what another tool counted";

/* A program that cannot be counted still makes a point if the user states its work. */
static bool counts_optional(const struct app_request *request) {
    return request->stated_flop > 0 && request->stated_bytes > 0;
}

/* Whether the counted run wrote something else, as far as is known so far. */
static bool output_differs(struct app_session *session) {
    struct app_runs *out = session->out;
    out->other_output[0] = '\0';
    return out->counted && run_output_differs(&session->native, &session->counted, &session->again, out->other_output,
                                              sizeof out->other_output);
}

/* Saves once each group of events has had a run and all other inputs of points are known. */
static void app_save(struct app_session *session) {
    struct app_runs *out = session->out;
    out->enough = out->run_count > out->events.group_count && (session->request->force || !output_differs(session));
    if (out->enough && session->request->save)
        session->request->save(session->request->context, out);
}

static void list_events(const struct app_session *session, size_t group, char out[APP_GROUP_BYTES]) {
    app_events_list(&session->out->events, group, out);
    if (session->cores.p_only) /* other counters than those of the group, so it fits */
        text_append(out, APP_GROUP_BYTES, "%s\n", session->cores.strays);
}

/* The runs after the first; the groups of events take turns. */
static bool run_repeatedly(struct app_session *session, struct error *err) {
    const struct app_request *request = session->request;
    struct app_runs *out = session->out;
    size_t groups = out->events.group_count,
           at_least = RUNS_AT_LEAST < request->repeat ? RUNS_AT_LEAST : request->repeat;
    at_least = at_least < groups + 1 ? groups + 1 : at_least;
    double spent_s = out->runs[0].seconds;
    if (out->wanted_runs < groups + 1)
        out->wanted_runs = (unsigned)groups + 1;
    app_save(session);
    for (size_t i = 1; i < out->wanted_runs; i++) {
        if (i >= at_least && request->budget_s > 0 && spent_s > request->budget_s)
            break;
        char events[APP_GROUP_BYTES] = "";
        if (groups)
            list_events(session, (i - 1) % groups, events);
        if (!run_natively(session, events, err))
            return false;
        if (groups && !app_cores_kept(&session->cores, &out->runs[i].report, err))
            return false;
        spent_s += out->runs[i].seconds;
        const char *failure = out->runs[i].reported ? out->runs[i].report.failure : "";
        if (groups && *failure && !counts_optional(request))
            return error_set(err, "events were not counted: %s", failure);
        app_save(session);
    }
    return true;
}

/* As multiples of the native time: docs/counting.md; with simulated caches, docs/traffic.md. */
static const double COUNTED_AT_LEAST = 1, COUNTED_AT_MOST = 4, SAMPLED_AT_MOST = 20, SIMULATED_AT_MOST = 100;

static int app_tell_time(void *context, pid_t process, double seconds) {
    enum { EACH_MS = 1000 };
    const struct app_session *session = context;
    (void)process;
    if (1e3 * seconds < EACH_MS)
        return EACH_MS;
    const double native_s = session->out->runs[0].seconds;
    const bool again = session->out->counted; /* this run waits at most as long as it works */
    const unsigned one_of = again ? 0 : session->request->levels.one_of;
    const double most = one_of == 0 ? COUNTED_AT_MOST : one_of == 1 ? SIMULATED_AT_MOST : SAMPLED_AT_MOST;
    session->request->waiting(again ? "count again" : "count", seconds,
                              (const double[2]){COUNTED_AT_LEAST * native_s, (again ? 2 : 1) * most * native_s});
    return EACH_MS;
}

/* If the program takes no preloaded library, the counter is executed in its place and loads it (bench/count/load.c). To
 * be freed by the caller. */
static char **words_of_counter(const struct app_session *session, const char *library, const char *folder) {
    enum { BEFORE = 4 };
    char *const *argv = session->request->argv;
    size_t count = 0;
    while (argv[count])
        count++;
    char **words = need_calloc(BEFORE + count + 1, sizeof *words);
    const char *const before[BEFORE] = {library, folder, session->out->program.path, "--"};
    memcpy(words, before, sizeof before);
    memcpy(words + BEFORE, argv, count * sizeof *words);
    return words;
}

/* A run under the counter, which leaves its report in the folder. With `fast`, time passes twice as fast for it. */
static bool run_counted(struct app_session *session, const char *folder, bool fast, struct child_end *end,
                        struct error *err) {
    struct app_runs *out = session->out;
    char library[PRELOAD_LIST_BYTES];
    const bool first = out->run_count == 0; /* the only one: a rank runs once */
    const bool preloads = out->program.kind == PROGRAM_DYNAMIC;
    if (!(preloads ? find_preload(session, PRELOAD_COUNTER, library, err)
                   : preload_path(session->request->collectors, PRELOAD_COUNTER, &session->scratch, library, err)))
        return false;
    char tick[TICK_BYTES];
    struct child_variable variables[3 + PRELOAD_MARK_VARIABLES] = {{COLLECTOR_FOLDER, folder}};
    size_t variable_count = 1;
    variables[variable_count++] =
        (struct child_variable){COLLECTOR_EVERY, fast ? "" : tick_text(session->request, tick)};
    if (fast)
        variables[variable_count++] = (struct child_variable){COLLECTOR_FAST, "1"};
    variable_count += preload_mark_variables(&session->marks, variables + variable_count);
    char **words = preloads ? NULL : words_of_counter(session, library, folder);
    struct child child = {.path = preloads ? out->program.path : library,
                          .argv = preloads ? session->request->argv : words,
                          .preload = preloads ? library : NULL,
                          .variables = variables,
                          .variable_count = variable_count,
                          .out = first ? session->request->out : -1,
                          .err = first ? STDERR_FILENO : -1,
                          .tick = session->request->waiting && !first ? app_tell_time : NULL,
                          .context = session};
    session->request->progress(fast ? "count again, with faster clocks" : "count", 0, 0);
    struct output_capture capture;
    const bool silent = !first, began = !silent || silence(session, &child, &capture, err),
               ran = began && run_child(session, &child, end, err);
    if (silent && began)
        listen(session, &capture, fast ? &session->again : &session->counted);
    free(words);
    if (!ran)
        return false;
    if (first)
        out->status = end->status;
    return !child_stopped() || error_set(err, "interrupted; nothing was added");
}

/* Checks whether the program does the same work when time passes faster, if it looked at the time and was timed. */
static bool count_again(struct app_session *session, struct error *err) {
    struct app_runs *out = session->out;
    struct child_end end;
    struct error ignored;
    char folder[600];
    if (out->run_count == 0 || !app_work_may_be_timed(&out->profile) || counts_optional(session->request))
        return true;
    if (!scratch_folder(&session->scratch, "again", folder, sizeof folder, err) ||
        !scratch_share(&session->scratch, folder, err) || !run_counted(session, folder, true, &end, err))
        return false;
    out->counted_again =
        end.status == out->status && profile_read_ended(folder, out->profile.killed_count, &out->again, &ignored);
    out->again_differs = !out->counted_again;
    return true;
}

/* Requests simulated caches from the counter. */
static bool app_request_levels(const struct app_session *session, const char *folder, struct error *err) {
    const struct app_request *request = session->request;
    return request->levels.one_of == 0 ||
           (levels_geometry(request->machine, 0, request->llc_bytes, request->levels.wishes, request->levels.wish_count,
                            &session->out->levels, err) &&
            levels_request_write(
                folder, &session->out->levels.hierarchy,
                &(struct levels_how){.one_of = request->levels.one_of, .seed = 1, .by_code = app_by_code(request->by)},
                err));
}

/* Counts in the process itself. `*refused`: it cannot be counted this way; the reason is in out->not_counted. */
static bool count_exactly(struct app_session *session, bool *refused, struct error *err) {
    struct app_runs *out = session->out;
    char folder[600];
    struct error refusal;
    struct child_end end;
    if (!scratch_folder(&session->scratch, "count", folder, sizeof folder, err) ||
        !scratch_share(&session->scratch, folder, err) || !app_request_levels(session, folder, err) ||
        !run_counted(session, folder, false, &end, err))
        return false;
    /* A process that is killed under the counter alone may be the victim of an error of the counter. */
    const unsigned killed_most = out->run_count > 0 && out->runs[0].reported ? out->runs[0].report.killed_count : 0;
    const bool parts = session->request->by == APP_BY_LOOP || session->request->by == APP_BY_LINE;
    out->counted = (parts ? profile_read_parts : profile_read_ended)(folder, killed_most, &out->profile, &refusal);
    out->counted_cpu_s = end.cpu_s;
    *refused = !out->counted;
    if (*refused) {
        snprintf(out->not_counted, sizeof out->not_counted, "%s", refusal.text);
        return true;
    }
    return ended_alike(session, end.status, "when it was counted", err) && count_again(session, err);
}

/* Counts exactly, in the requested way, or in the first available one if none was requested. */
static bool app_count(struct app_session *session, struct error *err) {
    const struct app_request *request = session->request;
    struct app_runs *out = session->out;
    enum program_kind kind = out->program.kind;
    bool refused = false, automatic = request->counters == APP_AUTO;
    if (request->counters == APP_PAPI || *out->not_counted)
        return true;
    if (kind == PROGRAM_DYNAMIC || kind == PROGRAM_STATIC)
        return count_exactly(session, &refused, err) &&
               (!refused || automatic || counts_optional(request) || error_set(err, "%s", out->not_counted));
    snprintf(out->not_counted, sizeof out->not_counted, "%s: %s", request->argv[0], program_refusal(kind));
    return automatic || counts_optional(request) || error_set(err, "%s", out->not_counted);
}

static bool fit_here(void *context, size_t count, const char (*names)[96]) {
    (void)context;
    return papi_events_fit(count, names);
}

/* Events of the program itself need no counters. */
static bool fit_always(void *context, size_t count, const char (*names)[96]) {
    (void)context;
    (void)count;
    (void)names;
    return true;
}

/* The first run may have used others. */
static bool stay_on_counting_cores(struct app_session *session, struct error *err) {
    struct app_runs *out = session->out;
    if (!app_cores_keep(session->request->machine, &session->cores, err))
        return false;
    out->p_cores_only = session->cores.p_only;
    if (!out->p_cores_only || out->run_count == 0)
        return true;
    forget_first_run(out);
    return run_natively(session, "", err);
}

/* Plans the groups of CPU events, if they are needed and can be counted. */
static bool plan_events(struct app_session *session, struct error *err) {
    const struct app_request *request = session->request;
    struct app_runs *out = session->out;
    bool demanded = request->counters == APP_PAPI;
    if (out->counted || request->counters == APP_COUNT || out->event_set)
        return true;
    if (out->program.kind != PROGRAM_DYNAMIC)
        return !demanded || error_set(err, "%s: %s", request->argv[0], program_refusal(out->program.kind));
    struct papi_status papi;
    struct error ignored;
    papi_probe(&papi);
    if (!papi.counters && !request->own_events)
        return !demanded ||
               error_set(err, "--counters papi: the CPU's counters cannot be read here: %s; %s", papi.reason,
                         instruction_readable(&ignored) ? "--counters count counts exactly without them" : WAY_OUT);
    out->event_set = papi.counters ? request->events : request->own_events;
    app_events_plan(out->event_set, papi.counters ? fit_here : fit_always, NULL, &out->events);
    if (papi.counters && out->events.group_count > 0 && !stay_on_counting_cores(session, err))
        return false;
    return !demanded || out->events.group_count > 0 ||
           error_set(err, "--counters papi: no events are known for this CPU; name them in a file with --events");
}

/* Checked after the first run and the count rather than after all runs. */
static bool marks_fit(struct app_session *session, struct error *err) {
    const struct app_request *request = session->request;
    const struct app_run *first = &session->out->runs[0];
    size_t regions = first->reported && first->report.region_count > 0 ? first->report.region_count - 1 : 0;
    if (regions > 0 || request->by == APP_BY_REGION)
        regions += app_regions_untimed(session->out);
    if (request->by == APP_BY_REGION && regions == 0)
        return error_set(err, "--by region: %s marks none%s%s", request->argv[0],
                         session->out->no_report[0] ? ", or did not report them: " : "", session->out->no_report);
    if (request->by != APP_BY_PROGRAM && regions > 1 && (request->stated_flop > 0 || request->stated_bytes > 0))
        return error_set(err, "--flop and --bytes describe one point, and %s marks %zu regions; --by program makes one",
                         request->argv[0], regions);
    return true;
}

/* A point needs counts, CPU events that replace them, or stated work. */
static bool known_enough(struct app_session *session, struct error *err) {
    const struct app_runs *out = session->out;
    const enum app_by by = session->request->by;
    const bool told = by == APP_BY_FUNCTION ? true
                      : by == APP_BY_PHASE  ? out->profile.slice_count > 0 && regions_in_time(&out->runs[0].report)
                      : by == APP_BY_THREAD ? out->profile.region_count > 0 && out->profile.regions[0].thread_count > 0
                                            : out->profile.parts != NULL;
    if (by == APP_BY_PHASE && out->counted && !told)
        return error_set(err, "--by phase needs samples of the program: %s",
                         out->no_report[0]                  ? out->no_report
                         : out->runs[0].report.unsampled[0] ? out->runs[0].report.unsampled
                                                            : "it took none");
    if (app_by_counts(by) && (!out->counted || !told))
        return error_set(err, "--by %s needs exact counts: %s", app_by_names[by],
                         out->not_counted[0] ? out->not_counted : "use --counters count");
    if (out->counted || out->events.group_count > 0 || counts_optional(session->request))
        return true;
    return error_set(err, "%s; the CPU's counters cannot be read here, but %s", out->not_counted, WAY_OUT);
}

/* One more native run, for its output alone. */
static bool run_for_output(struct app_session *session, struct error *err) {
    struct app_runs *out = session->out;
    struct child child = {.path = out->program.path, .argv = session->request->argv};
    struct child_end end;
    struct output_capture capture;
    session->request->progress("run for its output", 0, 0);
    if (!silence(session, &child, &capture, err))
        return false;
    const bool ran = run_child(session, &child, &end, err);
    listen(session, &capture, &session->native);
    return ran && ended_alike(session, end.status, "in another run", err);
}

/* Whether the output depends on something else than the program's work, as times do: a counted run with faster clocks,
 * and a native run in another second of the clock than the first one, show it. */
static bool find_other_causes(struct app_session *session, struct error *err) {
    char folder[600];
    struct child_end end;
    if (session->again.run_count == 0 &&
        (!scratch_folder(&session->scratch, "output", folder, sizeof folder, err) ||
         !scratch_share(&session->scratch, folder, err) || !run_counted(session, folder, true, &end, err)))
        return false;
    const double rest_s = fmin(fmax(session->silent_s + 1 - now_s(), 0), 1);
    nanosleep(&(struct timespec){.tv_sec = (time_t)rest_s, .tv_nsec = (long)(1e9 * fmod(rest_s, 1))}, NULL);
    return run_for_output(session, err);
}

/* A counted run with another output did other work, or the counter made an error: no points, unless they are forced. */
static bool compare_output(struct app_session *session, struct error *err) {
    const struct app_request *request = session->request;
    struct app_runs *out = session->out;
    if (!out->counted)
        return true;
    if (session->native.run_count == 0 && !run_for_output(session, err))
        return false;
    if (output_differs(session) && !find_other_causes(session, err))
        return false;
    run_output_varies(&session->native, &session->counted, &session->again, out->varying_output,
                      sizeof out->varying_output);
    return !output_differs(session) || request->force ||
           error_set(err,
                     "%s wrote something else when it was counted: %s; nothing was added, because its counts may be of "
                     "other work or wrong%s; --force adds it all the same",
                     request->argv[0], out->other_output,
                     out->profile.time_readings ? " (it reads clocks: CPU time, too, is longer when counted)" : "");
}

/* Finds the program, and makes what each of its runs needs. end() follows in any case. */
static bool app_begin(struct app_session *session, struct error *err) {
    const struct app_request *request = session->request;
    struct app_runs *out = session->out;
    const time_t now = time(NULL);
    out->fault_s = waits_fault_seconds();
    strftime(out->started_utc, sizeof out->started_utc, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    return program_find(request->argv[0], &out->program, err) && scratch_make(&session->scratch, err) &&
           preload_marks_find(request->marks, request->collectors, &session->scratch, &session->marks, err) &&
           input_open(&session->input, STDIN_FILENO, session->scratch.path, err);
}

static void app_end(struct app_session *session) {
    snprintf(session->out->marks_elsewhere, sizeof session->out->marks_elsewhere, "%s", session->marks.elsewhere);
    session->request->progress(NULL, 0, 0);
    run_output_free(&session->native);
    run_output_free(&session->counted);
    run_output_free(&session->again);
    app_cores_release(&session->cores);
    dram_traffic_close(&session->dram);
    input_close(&session->input);
    scratch_remove(&session->scratch);
}

static bool run_once(struct app_session *session, struct error *err) {
    return run_natively(session, "", err) &&
           (session->out->runs[0].reported || error_set(err, "%s", session->out->no_report));
}

static bool count_once(struct app_session *session, struct error *err) {
    bool refused;
    return count_exactly(session, &refused, err) && (!refused || error_set(err, "%s", session->out->not_counted));
}

bool app_measure_once(const struct app_request *request, bool timed, struct app_runs *out, struct error *err) {
    *out = (struct app_runs){.wanted_runs = 1, .runs = need_calloc(1, sizeof *out->runs)};
    struct app_session session = {.request = request, .out = out, .input.copy = -1};
    bool done = app_begin(&session, err);
    if (done && out->program.kind != PROGRAM_DYNAMIC)
        done = error_set(err, "%s: %s", request->argv[0], program_refusal(out->program.kind));
    done = done && (timed ? run_once : count_once)(&session, err);
    app_end(&session);
    return done;
}

/* Events that the user demands, or that a build without the exact counter has instead, are planned before the program
 * has run for long. */
static bool plan_demanded(struct app_session *session, struct error *err) {
    struct app_runs *out = session->out;
    struct error refusal;
    if (session->request->counters == APP_PAPI)
        return plan_events(session, err);
    if (instruction_readable(&refusal))
        return true;
    snprintf(out->not_counted, sizeof out->not_counted, "%s", refusal.text);
    return plan_events(session, err) && known_enough(session, err);
}

static bool run_first(struct app_session *session, struct error *err) {
    return run_natively(session, "", err) && fails_by_itself(session, err);
}

typedef bool app_step(struct app_session *session, struct error *err);

bool app_measure(const struct app_request *request, struct app_runs *out, struct error *err) {
    static app_step *const STEPS[] = {
        app_begin,      /* finds the program, its marks and input; makes a folder */
        plan_demanded,  /* CPU events that the user demands */
        run_first,      /* natively, for its time, status and regions */
        app_count,      /* under the counter, for its work */
        marks_fit,      /* do they make the requested points? */
        plan_events,    /* of the CPU, if it was not counted */
        known_enough,   /* for points */
        run_repeatedly, /* for times and events; saves after each run */
        compare_output, /* did it do the same when it was counted? */
    };
    *out = (struct app_runs){.wanted_runs = request->repeat};
    struct app_session session = {.request = request, .out = out, .input.copy = -1};
    out->runs = need_calloc(request->repeat + APP_MAX_EVENTS + 1, sizeof *out->runs);
    dram_traffic_open(&session.dram, request->events);
    bool done = true;
    for (size_t i = 0; done && i < sizeof STEPS / sizeof *STEPS; i++)
        done = STEPS[i](&session, err);
    app_end(&session);
    return done;
}

void app_runs_free(struct app_runs *runs) {
    for (size_t i = 0; i < runs->run_count; i++)
        run_free(&runs->runs[i]);
    free(runs->runs);
    if (runs->counted)
        profile_free(&runs->profile);
    if (runs->counted_again)
        profile_free(&runs->again);
    *runs = (struct app_runs){0};
}
