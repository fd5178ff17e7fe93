/* SPDX-License-Identifier: BSD-3-Clause
 * carmine sweep --dlp: the best number of accumulators (or streams) and unroll: of one operation with its map, of
 * several as a table. A part of cmd_sweep.c. */
#include <stdlib.h>
#include <string.h>

#include "asm/element.h"
#include "carm/options/measure_options.h"
#include "carm/options/view_options.h"
#include "carm/session/measure.h"
#include "cmd_unroll_map.h"
#include "subject.h"
#include "chart_unroll_map.h"
#include "probe/need.h"
#include "carm/store/fields.h"

static const double DEFAULT_BUDGET_S = 15;
enum { MAX_SUBJECTS = 64 };

/* One operation: what `carmine run` would measure of it, and what the search made of it. */
struct searched_operation {
    const struct kernel *kernel; /* the program's own, for its name and needs */
    const char *level;           /* "" for arithmetic */
    struct plan plan;
    struct unroll_map map;
    double documented_per_cycle, elapsed_s;
    bool done;
};

static bool check_options(const struct arguments *arguments, const struct plan_options *options, struct error *err) {
    static const char *const OTHERS[] = {"per-octave", "quick", "dry-run", "smt"};
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
        if (cli_given(arguments, OTHERS[i]))
            return error_set(err, "--%s has no meaning with --dlp", OTHERS[i]);
    if (options->thread_count > 1)
        return error_set(err, "with --dlp --threads takes one value");
    return !cli_given(arguments, "output") ||
           error_set(err, "with --dlp no result is written: --plot FILE draws the surface, --json prints the numbers");
}

static bool make_plan(const struct session *session, const struct plan_options *options,
                      struct searched_operation *subject, struct error *err) {
    const bool compute = subject->kernel->kind == KERNEL_COMPUTE;
    if (compute && options->level_count)
        return error_set(err, "%s works in registers: --level goes with an access pattern, such as --mix load",
                         subject->kernel->name);
    subject->level = compute ? "" : options->level_count ? options->levels[0] : "L1";
    return subject_plan(session, options, subject->kernel, subject->level, &subject->plan, err);
}

static bool measure(struct session *session, struct searched_operation *subject, double budget_s, struct error *err) {
    const double start_s = session_elapsed_s(session);
    const bool done = unroll_map_measure(&session->bench, &subject->plan, budget_s, &subject->map, err);
    if (cli_stop)
        return error_set(err, "interrupted before the surface was known; what was complete by then is printed");
    subject->elapsed_s = session_elapsed_s(session) - start_s;
    subject->documented_per_cycle = subject->map.winner.documented_per_cycle;
    return subject->done = done;
}

static bool start(struct session *session, const struct arguments *arguments, const struct searched_operation *subjects,
                  size_t count, struct error *err) {
    const struct plan *plans[MAX_SUBJECTS];
    for (size_t i = 0; i < count; i++)
        plans[i] = &subjects[i].plan;
    return subject_start(session, arguments, plans, count, err);
}

static struct unroll_map_view view_of(const struct session *session, const struct searched_operation *subject) {
    return (struct unroll_map_view){.result = &session->result,
                                    .map = &subject->map,
                                    .name = subject->kernel->name,
                                    .level = subject->level,
                                    .documented_per_cycle = subject->documented_per_cycle,
                                    .elapsed_s = subject->elapsed_s};
}

/* One map in full; several as rows of a table, or in JSON in full too. */
static void print(const struct session *session, const struct searched_operation *subjects, size_t count,
                  bool as_json) {
    struct unroll_map_view views[MAX_SUBJECTS];
    size_t done = 0;
    for (size_t i = 0; i < count; i++)
        if (subjects[i].done)
            views[done++] = view_of(session, &subjects[i]);
    if (as_json) {
        json_t *json = count == 1 && done == 1 ? unroll_map_json(&views[0]) : unroll_map_list_json(views, done);
        fields_print(json);
    } else if (count == 1 && done == 1) {
        unroll_map_print(&views[0], stdout);
    } else {
        unroll_map_list_print(views, done, stdout);
    }
}

int unroll_map_command(const struct arguments *arguments, struct error *err) {
    static const char *const DEFAULTS[] = {"fma", "add", NULL};
    struct plan_options options;
    struct session session = {0};
    const struct kernel *kernels[MAX_SUBJECTS];
    struct searched_operation *subjects = NULL;
    size_t count = 0, done = 0;
    int status = CLI_ERROR;
    const char *path = cli_value(arguments, "plot");
    if (!measure_options_read(arguments, &options, err) || !check_options(arguments, &options, err) ||
        !session_open(&session, cli_value(arguments, "topology"), arguments->line, err) ||
        !measure_options_measurable(&session.result.machine, err) ||
        (count = subject_kernels(&session, &options, DEFAULTS, kernels, MAX_SUBJECTS, err)) == 0)
        goto out;
    subjects = need_calloc(count, sizeof *subjects);
    for (size_t i = 0; i < count; i++) {
        subjects[i].kernel = kernels[i];
        if (!make_plan(&session, &options, &subjects[i], err))
            goto out;
    }
    if (path && count > 1) {
        error_set(err, "a picture shows one surface: name one operation and one ISA for --plot, or leave it out");
        goto out;
    }
    if (!view_options_plot(arguments, err) || !start(&session, arguments, subjects, count, err))
        goto out;
    while (done < count &&
           measure(&session, &subjects[done], options.budget_s > 0 ? options.budget_s : DEFAULT_BUDGET_S, err))
        done++;
    session_finish(&session);
    if (done > 0)
        print(&session, subjects, count, cli_given(arguments, "json"));
    const struct unroll_map_view first = view_of(&session, &subjects[0]);
    if (done == count && (!path || chart_unroll_map(&first, path, err)))
        status = CLI_DONE;
out:
    for (size_t i = 0; i < count && subjects; i++)
        plan_free(&subjects[i].plan);
    free(subjects);
    session_close(&session);
    return status;
}
