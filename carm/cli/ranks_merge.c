/* SPDX-License-Identifier: BSD-3-Clause
 * Merged ranks (see ranks_merge.h). */
#include "ranks_merge.h"

#include <stdlib.h>

#include "bench/programs/app_merge.h"
#include "carm/chart/chart.h"
#include "carm/options/terminal.h"
#include "carm/options/view_options.h"
#include "carm/report/app_answer.h"
#include "carm/report/report_app.h"
#include "carm/session/measure.h"
#include "carm/store/fields.h"
#include "carm/text/notice.h"
#include "probe/need.h"

bool rank_results_read(struct rank_results *out, char **paths, size_t count, struct error *err) {
    *out = (struct rank_results){.paths = paths, .results = need_calloc(count + 1, sizeof *out->results)};
    for (; out->count < count; out->count++)
        if (!results_read(paths[out->count], &out->results[out->count], err))
            return false;
    return true;
}

void rank_results_free(struct rank_results *results) {
    for (size_t i = 0; i < results->count; i++)
        results_free(&results->results[i]);
    free(results->results);
    *results = (struct rank_results){0};
}

static void print_json(const struct app_points *points, const struct model *model, bool mix) {
    json_t *program = report_points_json(model, &points->program, 1),
           *parts = report_points_json(model, points->points, points->count);
    if (mix) {
        report_mix_add(program, &points->program, 1);
        report_mix_add(parts, points->points, points->count);
    }
    fields_print(json_pack("{s:s,s:i,s:i,s:[],s:O,s:o}", "schema", "carmine.app/1", "runs",
                           (int)points->program.seconds.n, "exit_status", 0, "notes", "program",
                           json_array_get(program, 0), "points", parts));
    json_decref(program);
}

static void tell(const struct app_points *points, const struct model *model, const struct arguments *arguments) {
    const bool parts = points->points[0].part != APP_PROGRAM, mix = cli_given(arguments, "instructions");
    const size_t count = points->count + parts;
    struct app_point *all = need_calloc(count, sizeof *all);
    struct plot_terminal terminal;
    struct error known; /* the options were read before */
    all[0] = points->program;
    for (size_t i = 0; i < points->count; i++)
        all[i + parts] = points->points[i];
    terminal_find(arguments, &terminal, &known);
    if (cli_given(arguments, "json")) {
        print_json(points, model, mix);
    } else if (cli_given(arguments, "all")) {
        report_points_print(model, all, count, stdout);
    } else {
        app_answer_print(model, all, count, &(struct screen){&terminal, stdout});
    }
    if (mix && !cli_given(arguments, "json"))
        report_mix_print(all, count, stdout);
    fflush(stdout);
    free(all);
}

/* What another launch would add. */
static void tell_lacking(const struct app_point *program) {
    if (program->seconds.n == 0)
        notice_print("counted, and not timed: a launch with --run time, and -o FILE as here, adds the time");
    if (!program->has_count)
        notice_print("timed, and not counted: a launch with --run count, and -o FILE as here, adds flop and bytes");
}

bool ranks_merge(const struct rank_results *results, struct app_target *target, const struct arguments *arguments,
                 struct error *err) {
    struct merge_source *sources = need_calloc(results->count + 1, sizeof *sources);
    struct app_points points;
    size_t replaced = 0;
    for (size_t i = 0; i < results->count; i++)
        sources[i] = (struct merge_source){results->paths[i], results->results[i].machine.cpu.brand,
                                           results->results[i].points, results->results[i].point_count};
    bool done = app_merge(sources, results->count, &points, err);
    free(sources);
    if (!done)
        return false;
    done = app_target_add(target, points.points, points.count, "app", NULL, &replaced, err);
    struct model model = model_build(target->result);
    tell(&points, &model, arguments);
    const char *plot = cli_value(arguments, "plot");
    done = done && (!plot || chart_roofline(&model, &(struct chart_options){0}, plot, err));
    if (done) {
        app_target_tell(target, points.count, replaced);
        tell_lacking(&points.program);
    }
    model_free(&model);
    app_points_free(&points);
    return done;
}

bool ranks_merge_files(const struct arguments *arguments, struct error *err) {
    struct session session = {0};
    struct app_target target = {0};
    struct rank_results results = {0};
    struct plot_terminal terminal;
    const char *output = cli_value(arguments, "output");
    bool done = output != NULL || error_set(err, "--merge needs -o FILE for the points");
    done = done && terminal_find(arguments, &terminal, err) && view_options_output(arguments, err) &&
           view_options_plot(arguments, err) &&
           rank_results_read(&results, (char **)arguments->operands, arguments->operand_count, err) &&
           session_open(&session, NULL, arguments->line, err) &&
           app_target_find(&target, output, &session.result, err) && ranks_merge(&results, &target, arguments, err);
    rank_results_free(&results);
    app_target_free(&target);
    session_close(&session);
    return done;
}
