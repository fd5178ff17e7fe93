/* SPDX-License-Identifier: BSD-3-Clause
 * carmine validate: compares mixed kernels of known intensity with the model, level by level. */
#include "commands.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/plan.h"
#include "carm/model/validate.h"
#include "carm/options/measure_options.h"
#include "carm/options/view_options.h"
#include "carm/report/next_answers.h"
#include "carm/report/validate_report.h"
#include "carm/session/measure.h"
#include "carm/session/partial.h"
#include "carm/session/result_target.h"
#include "carm/store/fields.h"
#include "carm/store/file_io.h"
#include "carm/text/notice.h"
#include "probe/error.h"
#include "probe/need.h"

static const struct cli_option OPTIONS[] = {
    {"output", 'o', "FILE|DIR", "write the points and the roofs beside them into a result file"},
    {"isa", 0, "ISA,…", "instruction sets with f64 or f32: {} (default: the widest)"},
    {"type", 0, "FLOAT,…", "{} (default: f64)"},
    {"threads", 0, "N|all,…", "thread counts, one thread per core, such as 1,2,all (default: 1)"},
    {"level", 0, "LEVEL,…", "memory levels: {} (default: all)"},
    {"mix", 0, "LIST", "patterns of loads and stores: load (default), 2ld1st"},
    {"tolerance", 0, "PERCENT", "exit status 1 if a side of a level is farther off in the median, such as 5%"},
    {"quick", 0, NULL, "fewer intensities and repetitions"},
    CHOICE_STATISTIC,
    CHOICE_PAGES,
    {"all", 0, NULL, "print a row for each point, too"},
    {0},
};

static const double BUDGET_S = 30; /* a quiet machine needs a third of it */

/* "5%" or "5" → 0.05; without the option: no limit. */
static bool read_tolerance(const struct arguments *arguments, double *out, struct error *err) {
    const char *text = cli_value(arguments, "tolerance");
    char *end;
    *out = INFINITY;
    if (!text)
        return true;
    errno = 0;
    double percent = strtod(text, &end);
    bool number = end != text && errno == 0 && isfinite(percent) && percent >= 0;
    if (!number || (*end && strcmp(end, "%") != 0))
        return error_set(err, "--tolerance takes a percentage such as 5%%, not '%s'", text);
    *out = percent / 100;
    return true;
}

/* The file must be of this machine. Its levels are used. */
static bool cmd_validate_adopt(struct session *session, const struct result *file, const char *path,
                               struct error *err) {
    struct result *result = &session->result;
    if (!session_is_here(session, file, path, "validate it", err))
        return false;
    if (file->kind_count)
        memcpy(result->levels, file->levels, sizeof result->levels);
    return true;
}

static bool needs_sweep(const struct plan *plan, const struct levels *levels) {
    for (size_t i = 0; i < plan->count; i++)
        if (plan->steps[i].level + 2 >= (int)levels->count) /* memory, or the last cache, whose size may be wrong */
            return true;
    return false;
}

/* Adds the points to the current file under its lock. `progress` is not NULL if more will follow. */
static bool cmd_validate_add_to(const char *path, const struct validation_point *points, size_t count,
                                const struct progress *progress, struct error *err) {
    struct result now;
    int lock;
    if (!file_lock(path, &lock, err))
        return false;
    bool done = results_read(path, &now, err);
    if (done) {
        validation_merge(&now.validation, &now.validation_count, points, count);
        if (progress)
            partial_mark(&now.environment, progress);
        else
            partial_clear(&now.environment, "validate");
        done = results_write(&now, path, false, err);
        results_free(&now);
    }
    file_unlock(path, lock);
    return done;
}

/* The state to save during the measurement: the samples that the points are made of. */
struct validation_saving {
    struct session *session;
    const char *input;            /* gets the points; NULL: `target` does */
    struct result_target *target; /* gets a result */
    const struct uarch *uarch;
    size_t taken, planned; /* samples */
    size_t left_out;       /* mixed kernels, for lack of time, and their levels: "L3,DRAM" */
    char left_out_levels[64];
};

/* A file holds roofs and points. The session's result holds the samples of both during the measurement. */
static bool save_result(struct validation_saving *saving, const struct validation_point *points, size_t count,
                        const struct progress *progress, struct error *err) {
    struct result *result = &saving->session->result;
    struct sample *samples = result->samples;
    const size_t taken = result->sample_count;
    result->samples = need_calloc(taken + 1, sizeof *result->samples);
    result->sample_count = validation_roofs(samples, taken, result->samples);
    validation_merge(&result->validation, &result->validation_count, points, count);
    const bool done = result_target_save(saving->target, saving->session, progress, err);
    free(result->samples);
    free(result->validation);
    result->samples = samples, result->validation = NULL;
    result->sample_count = taken, result->validation_count = 0;
    return done;
}

static bool cmd_validate_save(void *context, struct error *err) {
    struct validation_saving *saving = context;
    const struct result *result = &saving->session->result;
    const struct progress progress = {"validate", result->sample_count, saving->planned, "samples"};
    if (progress.done == 0) /* nothing to lose */
        return true;
    struct validation_point *points = need_calloc(result->sample_count + 1, sizeof *points);
    const size_t count = validation_compare(result->samples, result->sample_count, saving->uarch, points);
    bool done = true;
    if (!saving->input)
        done = save_result(saving, points, count, &progress, err);
    else if (count > 0)
        done = cmd_validate_add_to(saving->input, points, count, &progress, err);
    free(points);
    return done;
}

struct compared {
    struct validation_point *points;
    size_t count;
};

/* Makes points of the samples. The result gets only the roofs. */
static void cmd_validate_take_points(struct validation_saving *saving, struct compared *out) {
    struct result *result = &saving->session->result;
    struct sample *samples = result->samples;
    const size_t taken = saving->taken = result->sample_count;
    out->points = need_calloc(taken + 1, sizeof *out->points);
    out->count = validation_compare(samples, taken, saving->uarch, out->points);
    result->samples = need_calloc(taken + 1, sizeof *result->samples);
    result->sample_count = validation_roofs(samples, taken, result->samples);
    result->environment.planned_samples = 0; /* the plan includes the mixed kernels */
    free(samples);
}

static void find_left_out(struct validation_saving *saving, const struct plan *plan) {
    const struct session *session = saving->session;
    const struct result *result = &session->result;
    struct sample *wanted = need_calloc(plan->count + 1, sizeof *wanted);
    size_t count = 0;
    for (size_t i = 0; i < plan->count; i++)
        if (!bench_has_died(&session->bench, plan->steps[i].kernel)) {
            plan_describe(&plan->steps[i], &result->machine, result->levels, &wanted[count]);
            snprintf(wanted[count].kernel, sizeof wanted[count].kernel, "%s", plan->steps[i].kernel);
            count++;
        }
    saving->left_out = validation_left_out(wanted, count, result->samples, result->sample_count,
                                           saving->left_out_levels, sizeof saving->left_out_levels);
    free(wanted);
}

/* Measures the plan and the roofs to compare with. Everything measured before an error or an interruption is returned
 * too. */
static bool cmd_validate_measure(struct validation_saving *saving, const struct arguments *arguments,
                                 const struct plan_options *options, struct plan *plan, struct compared *out,
                                 struct error *err) {
    struct session *session = saving->session;
    struct result *result = &session->result;
    const struct machine *machine = &result->machine;
    const struct session_options how = measure_options_session(arguments);
    const bool sweeps = !saving->input && needs_sweep(plan, &result->levels[0]);
    const struct plan_curve curve = {
        .kernel = plan_widest_load(machine, options), .per_octave = options->quick ? 1 : 2, .threads = 1};
    struct plan sweep = {0};
    if (sweeps && !plan_sweep(&sweep, machine, &result->levels[0], options, &curve, err))
        return false;
    session_reserve(session, plan);
    session_reserve(session, &sweep);
    cli_catch_signals(); /* the reader of the next line may be gone */
    notice_print("measuring %zu roofs and mixed kernels, at most %.0f s", plan->count, BUDGET_S);
    if (saving->input || saving->target)
        session->checkpoint = checkpoint_begin(cmd_validate_save, saving);
    saving->planned = plan->count;
    /* Cores of several kinds have several limits. */
    saving->uarch = machine->kind_count == 1 ? session->uarch[0].uarch : NULL;
    bool done = session_start(session, &how, err);
    if (done && sweeps) {
        done = session_sweep(session, &sweep, &(struct campaign_options){.budget_s = BUDGET_S / 3, .first_only = true},
                             err);
        plan_free(plan);
        done = done && plan_validate(plan, machine, result->levels, options, err);
    }
    const struct campaign_options campaign = {.budget_s = BUDGET_S - session_elapsed_s(session),
                                              .first_only = options->quick};
    saving->planned = plan->count;
    done = done && !cli_stopped() && session_run(session, plan, &campaign, err);
    saving->planned -= session->impossible;
    if (!cli_stopped())
        find_left_out(saving, plan);
    cmd_validate_take_points(saving, out);
    plan_free(&sweep);
    session_finish(session);
    return done;
}

static void cmd_validate_print(const struct validation_point *points, size_t count, const struct arguments *arguments) {
    const struct plot_terminal terminal = terminal_find();
    if (cli_given(arguments, "json"))
        fields_print(next_add(validation_json(points, count), next_step_json(NEXT_NOTHING, "", NULL)));
    else if (cli_given(arguments, "csv"))
        validation_csv(points, count, stdout);
    else if (cli_given(arguments, "all"))
        validation_print(points, count, stdout);
    else
        validation_answer_print(points, count, &(struct screen){&terminal, stdout});
}

/* CLI_NO if the median of a level's side is beyond the tolerance; stderr shows which. */
static int cmd_validate_judge(const struct validation_point *points, size_t count, double tolerance) {
    struct validation_summary *summaries = need_calloc(VALIDATION_MAX_SERIES, sizeof *summaries);
    size_t series = validation_summarise(points, count, summaries, VALIDATION_MAX_SERIES);
    int status = CLI_DONE;
    for (size_t i = 0; i < series; i++)
        for (enum validation_side side = 0; side < VALIDATION_SIDES; side++) {
            const struct validation_side_summary *one = &summaries[i].sides[side];
            if (one->count == 0 || one->median <= tolerance)
                continue;
            char text[256];
            validation_name_worst(one, text, sizeof text);
            notice_print("%s: more than %.3g %%", text, 100 * tolerance);
            status = CLI_NO;
        }
    free(summaries);
    return status;
}

/* The file of the points; NULL: none. */
static const char *file_of(const struct validation_saving *saving) {
    return saving->input ? saving->input : saving->target ? saving->target->path : NULL;
}

static bool cmd_validate_keep(struct validation_saving *saving, const struct compared *compared, struct error *err) {
    struct result *result = &saving->session->result;
    const struct progress cut_off = {"validate", saving->taken, saving->planned, "samples"};
    if (saving->input)
        return cmd_validate_add_to(saving->input, compared->points, compared->count,
                                   saving->taken < saving->planned ? &cut_off : NULL, err);
    if (!saving->target)
        return true;
    validation_merge(&result->validation, &result->validation_count, compared->points, compared->count);
    return result_target_write(saving->target, saving->session, err);
}

enum { LEFT_OUT_BYTES = 4096 + 256 }; /* with a path */

/* What the time did not suffice for, and the remedy; "" if nothing. */
static char *tell_left_out(const struct validation_saving *saving, char out[LEFT_OUT_BYTES]) {
    const char *path = file_of(saving);
    if (saving->left_out == 0)
        return strcpy(out, "");
    snprintf(out, LEFT_OUT_BYTES,
             "time was up before %zu mixed kernel%s of %s; `carmine validate %s%s--level %s` measures them (with the "
             "other options)",
             saving->left_out, saving->left_out == 1 ? "" : "s", saving->left_out_levels, path ? path : "",
             path ? " " : "", saving->left_out_levels);
    return out;
}

static void nothing_compared(const struct validation_saving *saving, struct error *err) {
    const char *saved = saving->target ? result_target_saved(saving->target) : NULL;
    char left_out[LEFT_OUT_BYTES];
    if (!session_all_lived(saving->session, err))
        return;
    if (*tell_left_out(saving, left_out)) {
        error_set(err, "no comparison: %s", left_out);
        return;
    }
    error_set(err, "interrupted before any comparison%s%s",
              saved             ? "; the measurements are in "
              : file_of(saving) ? "; nothing was written"
                                : "",
              saved ? saved : "");
}

/* Everything after planning: measures, stores, prints. Points are printed even if they cannot be stored. */
static int cmd_validate_run(struct validation_saving *saving, const struct arguments *arguments,
                            const struct plan_options *options, struct plan *plan, double tolerance,
                            struct error *err) {
    struct compared compared = {0};
    struct error unkept;
    char left_out[LEFT_OUT_BYTES];
    bool done = cmd_validate_measure(saving, arguments, options, plan, &compared, err);
    int status = CLI_ERROR;
    if (compared.count == 0) {
        if (done)
            nothing_compared(saving, err);
        goto out;
    }
    const bool kept = cmd_validate_keep(saving, &compared, &unkept);
    const char *path = file_of(saving);
    cmd_validate_print(compared.points, compared.count, arguments);
    fflush(stdout);
    if (!kept) {
        *err = unkept;
        goto out;
    }
    notice_print("%.0f s%s%s", saving->session->result.environment.elapsed_s, path ? " · points in " : "",
                 path ? path : "");
    if (*tell_left_out(saving, left_out))
        notice_print("%s", left_out);
    if (done && cli_stopped())
        done = error_set(err, "interrupted: the points so far are above%s", path ? " and in the file" : "");
    done = done && session_all_lived(saving->session, err);
    status = done ? cmd_validate_judge(compared.points, compared.count, tolerance) : CLI_ERROR;
out:
    free(compared.points);
    return status;
}

static int cmd_validate_command(const struct arguments *arguments, struct error *err) {
    struct plan_options options;
    struct session session = {0};
    struct result file = {0};
    struct plan plan = {0};
    double tolerance;
    const char *input = arguments->operand_count ? arguments->operands[0] : NULL;
    const char *path = input ? input : cli_value(arguments, "output");
    struct result_target target;
    if (input && cli_given(arguments, "output")) {
        error_set(err, "name one file: points are added to FILE, and -o FILE writes a new one");
        return CLI_ERROR;
    }
    if (!measure_options_read(arguments, &options, err) || !read_tolerance(arguments, &tolerance, err) ||
        !view_options_output(arguments, err) || (input && !results_read(input, &file, err)))
        return CLI_ERROR;
    const bool ready =
        session_open(&session, NULL, arguments->line, err) &&
        (!input || cmd_validate_adopt(&session, &file, input, err)) &&
        measure_options_measurable(&session.result.machine, err) &&
        plan_validate(&plan, &session.result.machine, session.result.levels, &options, err) &&
        (!path || (input ? file_writable(path, err) : result_target_choose(&target, &session, path, err)));
    struct validation_saving saving = {.session = &session, .input = input, .target = path && !input ? &target : NULL};
    const int status = ready ? cmd_validate_run(&saving, arguments, &options, &plan, tolerance, err) : CLI_ERROR;
    plan_free(&plan);
    results_free(&file);
    session_close(&session);
    return status;
}

static const struct cli_example EXAMPLES[] = {
    {"carmine validate", "this machine against the model"},
    {"carmine validate my.json --level L1,L2 --tolerance 5%", "status 1 if a level exceeds it"},
    {0},
};

const struct command command_validate = {
    .name = "validate",
    .operands = "[FILE]",
    .operands_max = 1,
    .summary = "mixed kernels of known intensity against the model, level by level",
    .description = "Shows how well the roofline model predicts this machine. Runs kernels of 1/64 to 64 flop per byte "
                   "in every level and compares each with min(π, I·β): π is the ceiling of the same operation, β the "
                   "bandwidth of the same access pattern, both measured in the same run. FILE, a result of this "
                   "machine, gets the points (`carmine show` lists and `carmine plot` draws them).",
    .options = OPTIONS,
    .forms = {[CLI_JSON] = "schema carmine.validation/2", [CLI_CSV] = "", [CLI_MARKDOWN] = ""},
    .examples = EXAMPLES,
    .run = cmd_validate_command,
};
