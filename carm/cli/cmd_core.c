/* SPDX-License-Identifier: BSD-3-Clause
 * carmine core: what the core needs for instructions, measured. */
#include "commands.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "carm/options/measure_options.h"
#include "carm/options/view_options.h"
#include "carm/report/machine_report.h"
#include "carm/report/next_answers.h"
#include "carm/session/characterise.h"
#include "carm/session/result_target.h"
#include "carm/store/fields.h"
#include "carm/store/file_io.h"
#include "carm/text/notice.h"
#include "carm/text/shell_word.h"
#include "probe/error.h"
#include "probe/need.h"

static const double BUDGET_S = 10, LEAST_BUDGET_S = 5;

static const struct cli_option OPTIONS[] = {
    {"output", 'o', "FILE|DIR",
     "write a result file, or a new file in a folder; into a result of this machine, in place of its older values"},
    {"budget", 0, "TIME", "time limit, such as 30 or 1m (default: 10s); longer, it measures disturbed values again"},
    {"all", 0, "[=differing]",
     "print every form, instead of one screen; differing: only the forms that differ from the core's table"},
    {0},
};

/* A command that runs. */
struct core_command {
    struct session session;
    struct result_target target;
    const char *path; /* of -o; NULL: nothing is stored */
    bool adds;        /* to the result at `path` */
    double budget_s;
};

static bool read_budget(const struct arguments *arguments, double *out, struct error *err) {
    const char *value = cli_value(arguments, "budget");
    *out = BUDGET_S;
    return !value || (cli_duration(value, "--budget", out, err) &&
                      (*out >= LEAST_BUDGET_S || error_set(err,
                                                           "--budget must be at least %.0f s: each form takes "
                                                           "some milliseconds",
                                                           LEAST_BUDGET_S)));
}

/* Whether the file holds a result of this machine already. Error: of another one, or none. */
static bool look_at(struct core_command *command, struct error *err) {
    struct stat status;
    struct result old;
    struct error why;
    if (!command->path || stat(command->path, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0)
        return true;
    if (!results_read(command->path, &old, &why))
        return error_set(err, "%s; remove it, or write another file with -o", why.text);
    command->adds = session_is_here(&command->session, &old, command->path, "measure it", err);
    results_free(&old);
    return command->adds;
}

static bool measure(struct core_command *command, struct error *err) {
    struct session *session = &command->session;
    struct core_plan plan;
    bool done = core_session_plan(&plan, &session->result.machine, false, err);
    if (done)
        notice_print("measuring %zu chains and rows of instructions, at most %.0f s", plan.count, command->budget_s);
    done = done && session_start(session, &(struct session_options){.stop = &cli_stop}, err) &&
           core_session_run(session, &plan, false, command->budget_s - session_elapsed_s(session), &cli_stop, err);
    core_plan_free(&plan);
    return done;
}

/* Puts the values into the current file under its lock. */
static bool add_to(const struct core_command *command, struct error *err) {
    struct result now;
    int lock;
    if (!file_lock(command->path, &lock, err))
        return false;
    bool done = results_read(command->path, &now, err);
    if (done) {
        done = session_is_here(&command->session, &now, command->path, "measure it", err); /* replaced meanwhile? */
        core_measured_free(&now.core);
        now.core = command->session.result.core; /* lent */
        done = done && results_write(&now, command->path, false, err);
        now.core = (struct core_measured){0};
        results_free(&now);
    }
    file_unlock(command->path, lock);
    return done;
}

static bool keep(struct core_command *command, struct error *err) {
    if (!command->path)
        return true;
    if (command->adds)
        return add_to(command, err);
    session_finish(&command->session);
    return result_target_write(&command->target, &command->session, err);
}

static void print(const struct result *result, const struct arguments *arguments,
                  const struct plot_terminal *terminal) {
    const char *all = cli_value(arguments, "all");
    if (cli_given(arguments, "json"))
        fields_print(next_add(core_json(result), next_step_json(NEXT_NOTHING, "", NULL)));
    else if (cli_given(arguments, "csv"))
        core_csv(result, stdout);
    else if (all)
        core_print(result, *all != '\0', stdout);
    else
        core_answer_print(result, &(struct screen){terminal, stdout});
    fflush(stdout); /* the answer comes first if stdout and stderr are the same */
}

/* Measures, stores, prints. What was measured is printed even if it could not be stored. */
static bool run(struct core_command *command, const struct arguments *arguments, const struct plot_terminal *terminal,
                struct error *err) {
    struct error unkept;
    cli_catch_signals();
    if (!measure(command, err))
        return false;
    const struct core_measured *measured = &command->session.result.core;
    const bool believed = core_measured_believed(measured), kept = cli_stopped() || !believed || keep(command, &unkept);
    print(&command->session.result, arguments, terminal);
    if (cli_stopped())
        return error_set(err, "interrupted; what was measured before is printed%s",
                         command->path ? ", and not stored" : "");
    if (!believed)
        return error_set(err,
                         "%zu of %zu values were disturbed, so none can be believed%s: run again when other programs "
                         "are quiet, or give it time to measure them again (--budget 60)",
                         core_measured_disturbed(measured), measured->count,
                         command->path ? ", and none is stored" : "");
    if (!kept) {
        *err = unkept;
        return false;
    }
    char *word = shell_word(command->path ? command->adds ? command->path : command->target.path : "");
    if (command->path)
        notice_print("%.0f s · %s %s", session_elapsed_s(&command->session), command->adds ? "added to" : "result in",
                     word);
    else
        notice_print("%.0f s · not stored: `carmine core -o FILE` stores it", session_elapsed_s(&command->session));
    free(word);
    return true;
}

static int command(const struct arguments *arguments, struct error *err) {
    struct core_command *command = need_calloc(1, sizeof *command); /* too large for the stack */
    const struct plot_terminal terminal = terminal_find();
    command->path = cli_value(arguments, "output");
    const bool done = view_options_output(arguments, err) && read_budget(arguments, &command->budget_s, err) &&
                      session_open(&command->session, NULL, arguments->line, err) &&
                      measure_options_measurable(&command->session.result.machine, err) && look_at(command, err) &&
                      (!command->path || (command->adds ? file_writable(command->path, err)
                                                        : result_target_choose(&command->target, &command->session,
                                                                               command->path, err))) &&
                      run(command, arguments, &terminal, err);
    session_close(&command->session);
    free(command);
    return done ? CLI_DONE : CLI_ERROR;
}

static const struct cli_example EXAMPLES[] = {
    {"carmine core", "loads, stores in flight, branches, renaming"},
    {"carmine core --all", "latency and throughput of every form of an instruction"},
    {"carmine core -o my.json", "add them to the result of `carmine run -o my.json`"},
    {0},
};

const struct command command_core = {
    .name = "core",
    .operands = "",
    .summary = "latency and throughput of instructions, mispredicted branches",
    .description = "Times forms of instructions (about 1100 on x86-64, 500 to 800 on AArch64) on one core in at most "
                   "10 s (--budget): in a chain, where each one "
                   "needs the result of the one before it, and many independent ones. Also loads, stores in flight, "
                   "branches and renaming. Each value is the first quartile of at least 20 slices of some "
                   "microseconds, in cycles of the clock that is read beside each slice; its interval goes from the "
                   "first tenth to the median. Needs no counters and no rights.",
    .options = OPTIONS,
    .forms = {[CLI_JSON] = "", [CLI_CSV] = "", [CLI_MARKDOWN] = ""},
    .examples = EXAMPLES,
    .run = command,
};
