/* SPDX-License-Identifier: BSD-3-Clause
 * carmine run: characterises this machine. Plans, sweeps, measures, writes, draws, prints. */
#include "commands.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "carm/chart/chart.h"
#include "carm/options/measure_options.h"
#include "carm/options/view_options.h"
#include "carm/report/next_answers.h"
#include "carm/report/report.h"
#include "carm/report/result_answer.h"
#include "carm/session/characterise.h"
#include "carm/session/partial.h"
#include "carm/session/result_target.h"
#include "carm/store/fields.h"
#include "carm/store/file_io.h"
#include "carm/text/notice.h"
#include "carm/text/pager.h"
#include "carm/text/shell_word.h"
#include "probe/error.h"
#include "render/page/plot.h"

static const struct cli_option OPTIONS[] = {
    {"output", 'o', "FILE|DIR",
     "the result file, replaced if it exists, or a folder (default: results/); the picture is written beside it"},
    {"plot", 0, "FILE", "write the picture here (" PLOT_FORMATS ") instead of beside the result"},
    {"resume", 0, "FILE", "measure only the roofs that FILE lacks and those that lower its grade; add them to FILE"},
    CHOICE_ISA,
    CHOICE_TYPE,
    CHOICE_THREADS,
    CHOICE_SMT,
    CHOICE_LEVEL,
    CHOICE_MIX,
    CHOICE_QUICK,
    CHOICE_BUDGET,
    CHOICE_STATISTIC,
    CHOICE_PAGES,
    CHOICE_ROOF,
    CHOICE_TOPOLOGY,
    {"dry-run", 0, NULL, "print the plan and measure nothing"},
    {"all", 0, NULL, "print every row, as `carmine show --all`, instead of one screen"},
    {0},
};

/* Progress of the campaign. An earlier plan of the file may be larger than this one. */
static struct progress how_far(const struct result *result, size_t planned) {
    const size_t once = result->environment.planned_samples;
    return (struct progress){"run", result->sample_count, once > planned ? once : planned, "samples"};
}

static bool measure(struct session *session, const struct arguments *arguments, const struct plan_options *options,
                    struct plan *plan, struct error *err) {
    const struct session_options how = measure_options_session(arguments);
    cli_catch_signals(); /* the reader of the next line may be gone */
    notice_print("measuring %zu roof%s, at most %.0f s", plan->count, plan->count == 1 ? "" : "s",
                 characterise_budget_s(options));
    if (plan->note[0])
        notice_print("%s", plan->note);
    return characterise(session, &how, options, plan, err);
}

/* A partial sweep shows no levels and is repeated. */
static void drop_partial_curves(struct result *result) {
    size_t kept = 0;
    for (size_t i = 0; i < result->curve_count; i++) {
        if (result->curves[i].partial)
            free(result->curves[i].points);
        else
            result->curves[kept++] = result->curves[i];
    }
    result->curve_count = kept;
}

static bool resume(struct session *session, const char *path, struct error *err) {
    struct result old;
    if (!results_read(path, &old, err))
        return false;
    struct result *result = &session->result;
    if (!session_is_here(session, &old, path, "resume it", err)) {
        results_free(&old);
        return false;
    }
    drop_partial_curves(&old);
    result->environment.planned_samples = old.environment.planned_samples;
    partial_inherit(&result->environment, &old.environment);
    session_inherit_others(session, &old.environment);
    memcpy(result->levels, old.levels, sizeof result->levels);
    result->samples = old.samples, result->sample_count = old.sample_count;
    result->curves = old.curves, result->curve_count = old.curve_count;
    result->validation = old.validation, result->validation_count = old.validation_count;
    result->points = old.points, result->point_count = old.point_count;
    result->annotations = old.annotations, result->annotation_count = old.annotation_count;
    result->memory = old.memory;
    result->core = old.core;
    old.samples = NULL, old.curves = NULL, old.validation = NULL, old.points = NULL, old.annotations = NULL;
    old.sample_count = old.curve_count = old.annotation_count = 0;
    old.memory = (struct memory_system){0};
    old.core = (struct core_measured){0};
    results_free(&old);
    return true;
}

/* False without a peak (no roofline), and for what is no file, as /dev/null. */
static bool drawable(const struct model *model, const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
           (model_peak(model, &(struct model_view){0}) || model->result->curve_count > 0);
}

static bool draw(const struct model *model, const struct arguments *arguments, const char *path, struct error *err) {
    const struct roof *any = model_peak(model, &(struct model_view){0});
    struct chart_options options = {.op = cli_value(arguments, "roof"), .type = any ? any->type : NULL};
    if (model_peak(model, &(struct model_view){.type = "f64"}))
        options.type = "f64";
    if (any && !any->sample->level[0])
        return chart_roofline(model, &options, path, err);
    return chart_sweep(model, &options, path, err);
}

/* Error: why there is nothing to store. */
static void none_measured(const struct result_target *target, const struct error *failure, struct error *err) {
    const char *saved = result_target_saved(target);
    char *word = shell_word(saved ? saved : "");
    if (cli_stopped() && saved)
        error_set(err, "interrupted before a roof was measured; carmine run --resume %s continues there", word);
    else if (cli_stopped())
        error_set(err, "interrupted before anything was measured; nothing was written");
    else
        *err = *failure;
    free(word);
}

/* The picture, beside the result or as named by --plot. */
struct result_picture {
    char path[sizeof((struct result_target *)0)->path + 8];
    bool wanted, drawn;
    struct error why_not;
};

static void print_all(const struct model *model, const char *op) {
    pager_begin();
    report_print(model, op, stdout);
    pager_end();
}

/* Draws the picture and prints the answer, the rows or JSON. `path` is NULL if the result could not be stored: then all
 * rows are printed. */
static void tell(const struct result *result, const struct arguments *arguments, const char *path,
                 struct result_picture *picture) {
    struct model model = model_build(result);
    const struct plot_terminal terminal = terminal_find();
    const char *op = cli_value(arguments, "roof");
    picture->wanted = path && (cli_given(arguments, "plot") || drawable(&model, path));
    picture->drawn = picture->wanted && draw(&model, arguments, picture->path, &picture->why_not);
    const struct result_answer answer = {&model, op, path, picture->drawn ? picture->path : NULL};
    if (cli_given(arguments, "json"))
        fields_print(next_add(report_json(&model), next_of_result(&model, path)));
    else if (cli_given(arguments, "csv"))
        report_csv(&model, stdout);
    else if (!path || cli_given(arguments, "all") || !result_answer_print(&answer, &(struct screen){&terminal, stdout}))
        print_all(&model, op);
    model_free(&model);
    fflush(stdout); /* the answer comes first if stdout and stderr are the same */
}

/* Everything after the options: measures, stores the result, and prints it even if it could not be stored. */
static int run(struct session *session, const struct arguments *arguments, const struct plan_options *options,
               struct plan *plan, struct result_target *target, struct error *err) {
    struct result *result = &session->result;
    size_t had = result->sample_count;
    struct error failure = {""};
    struct result_saving saving = {session, target, plan->count, how_far};
    session->checkpoint = checkpoint_begin(result_target_checkpoint, &saving);
    bool done = measure(session, arguments, options, plan, &failure);
    session_finish(session);
    if (result->sample_count == had && !(done && !cli_stopped() && had > 0)) { /* a resumed file may be complete */
        none_measured(target, &failure, err);
        return CLI_ERROR;
    }
    struct result_picture picture = {.wanted = false};
    const bool kept = result_target_write(target, session, err);
    const char *path = target->path;
    if (cli_given(arguments, "plot"))
        snprintf(picture.path, sizeof picture.path, "%s", cli_value(arguments, "plot"));
    else
        result_target_picture(target, picture.path, sizeof picture.path);
    tell(result, arguments, kept ? path : NULL, &picture);
    if (!kept)
        return CLI_ERROR;
    char *word = shell_word(path);
    notice_print("%.0f s · result in %s%s%s", result->environment.elapsed_s, path,
                 picture.drawn ? " · picture in " : "", picture.drawn ? picture.path : "");
    if (!done)
        *err = failure;
    else if (cli_stopped() && result->environment.interrupted)
        done = error_set(
            err, "interrupted: %zu of %u roofs are measured and stored; carmine run --resume %s measures the rest",
            result->sample_count, result->environment.planned_samples, word);
    else if (picture.wanted && !picture.drawn)
        *err = picture.why_not;
    else
        done = session_all_lived(session, err);
    free(word);
    return done && picture.wanted == picture.drawn ? CLI_DONE : CLI_ERROR;
}

static int command(const struct arguments *arguments, struct error *err) {
    struct plan_options options;
    struct session session = {0};
    struct plan plan = {0};
    int status = CLI_ERROR;
    struct result_target target;
    const char *resumed = cli_value(arguments, "resume"), *named = resumed ? resumed : cli_value(arguments, "output"),
               *roof;
    if (resumed && cli_given(arguments, "output")) {
        error_set(err, "--resume adds to its FILE: leave out -o, or use -o FILE alone to measure everything anew");
        goto out;
    }
    if (!measure_options_read(arguments, &options, err) || !measure_options_roof(arguments, false, &roof, err) ||
        !view_options_output(arguments, err) || !view_options_plot(arguments, err) ||
        !session_open(&session, cli_value(arguments, "topology"), arguments->line, err))
        goto out;
    struct machine *machine = &session.result.machine;
    options.both_pages = !cli_given(arguments, "pages");
    if (!measure_options_recorded_isas(&options, machine, err) || (resumed && !resume(&session, resumed, err)) ||
        !plan_roofs(&plan, machine, session.result.levels, &options, err))
        goto out;
    if (cli_given(arguments, "dry-run")) {
        if (named && !file_is_folder(named) && !file_writable(named, err))
            goto out;
        plan_report_print(&plan, &session.result, characterise_budget_s(&options), stdout);
        if (characterise_has_core(&session.result, &options))
            printf("then the best-known instructions of the core, in at most %.0f s of these\n",
                   characterise_core_s(&options));
        status = CLI_DONE;
        goto out;
    }
    if (!measure_options_measurable(machine, err))
        goto out;
    if ((resumed ? result_target_choose_same : result_target_choose)(&target, &session, named, err) &&
        (cli_given(arguments, "plot") || result_target_picture_writable(&target, err)))
        status = run(&session, arguments, &options, &plan, &target, err);
out:
    plan_free(&plan);
    session_close(&session);
    return status;
}

static const struct cli_example EXAMPLES[] = {
    {"carmine run", "this machine in a minute; result and picture in results/"},
    {"carmine run --quick -o my.json", "a rougher result, in 10 s"},
    {"carmine run --type f64,f32 --threads 1,all -o my.json", "only these roofs"},
    {"carmine run --threads 1,..,all -o my.json", "on 1, 2, 4, … cores, to see how it scales"},
    {"carmine run --resume my.json --budget 300", "measure again what lowers the grade"},
    {0},
};

const struct command command_run = {
    .name = "run",
    .operands = "",
    .summary = "characterise this machine: table, result file and picture",
    .description = "Draws the cache-aware roofline of this machine: the compute ceilings of every instruction set and "
                   "the bandwidth of every memory level, with one thread and with all cores. A first sweep finds the "
                   "effective capacity of each level. The run ends when all roofs are known well enough, in half a "
                   "minute on a quiet machine, and after 60 s at the latest (--budget). The first line grades the "
                   "result, A to D. Ctrl-C stores everything measured so far; a killed run loses the last two seconds.",
    .options = OPTIONS,
    .forms = {[CLI_JSON] = "schema carmine.roofs/1", [CLI_CSV] = "a row per roof", [CLI_MARKDOWN] = ""},
    .examples = EXAMPLES,
    .run = command,
};
