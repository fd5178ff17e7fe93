/* SPDX-License-Identifier: BSD-3-Clause
 * carmine memory: the memory system under load. */
#include "commands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "carm/options/measure_options.h"
#include "carm/options/view_options.h"
#include "carm/report/memory_report.h"
#include "carm/report/next_answers.h"
#include "carm/session/characterise.h"
#include "carm/session/partial.h"
#include "carm/session/result_target.h"
#include "carm/store/fields.h"
#include "carm/store/file_io.h"
#include "carm/text/notice.h"
#include "carm/text/shell_word.h"
#include "probe/error.h"
#include "probe/need.h"
#include "probe/text.h"

static const double BUDGET_S = 120, MOST_BUDGET_S = 600, BUDGET_PER_EXPECTED = 2;

static const struct cli_option OPTIONS[] = {
    {"output", 'o', "FILE|DIR",
     "write a result file, or a new file in a folder; add to a result of this machine what it lacks"},
    {"part", 0, "MEMORY,…", "only these parts: {} (default: all)"},
    {"budget", 0, "TIME",
     "time limit, such as 90 or 5m (default: twice the estimate, from 2m to 10m); ends sooner when all is known well "
     "enough"},
    CHOICE_PAGES,
    CHOICE_TOPOLOGY,
    {"dry-run", 0, NULL, "print the plan and measure nothing"},
    {"all", 0, NULL, "print every row, instead of one screen"},
    {0},
};

/* A command that runs. */
struct memory_command {
    struct session session;
    struct memory_plan plan;
    struct result_target target;
    const char *path; /* of -o; NULL: nothing is stored */
    bool adds;        /* to the result at `path` */
    bool parts[MEMORY_PARTS];
    char what[64]; /* "points", or of some parts: "points of mlp, pages" */
};

static bool read_parts(const struct arguments *arguments, bool parts[MEMORY_PARTS], struct error *err) {
    const char *names[MEMORY_PARTS];
    size_t count = 0;
    if (!cli_chosen(arguments, "part", names, MEMORY_PARTS, &count, err))
        return false;
    for (size_t part = 0; part < MEMORY_PARTS; part++) {
        parts[part] = count == 0;
        for (size_t i = 0; i < count; i++)
            parts[part] |= strcmp(names[i], memory_part_names[part]) == 0;
    }
    return true;
}

/* Takes levels, roofs and memory system from a result of this machine. */
static bool adopt(struct memory_command *command, struct error *err) {
    struct stat status;
    struct result old;
    struct error why;
    struct result *result = &command->session.result;
    const char *path = command->path;
    if (!path || stat(path, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0)
        return true;
    if (!results_read(path, &old, &why))
        return error_set(err, "%s; remove it, or write another file with -o", why.text);
    if (!session_is_here(&command->session, &old, path, "measure it", err)) {
        results_free(&old);
        return false;
    }
    command->adds = true;
    memcpy(result->levels, old.levels, sizeof result->levels);
    result->samples = old.samples, result->sample_count = old.sample_count;
    result->memory = old.memory;
    old.samples = NULL, old.sample_count = 0;
    old.memory = (struct memory_system){0};
    results_free(&old);
    return true;
}

static void name_parts(struct memory_command *command) {
    unsigned count = 0;
    for (unsigned part = 0; part < MEMORY_PARTS; part++)
        count += command->parts[part];
    snprintf(command->what, sizeof command->what, "points");
    for (unsigned part = 0, named = 0; part < MEMORY_PARTS && count < MEMORY_PARTS; part++)
        if (command->parts[part])
            text_append(command->what, sizeof command->what, "%s%s", named++ ? ", " : " of ", memory_part_names[part]);
}

static struct progress how_far(const struct memory_command *command) {
    const struct memory_progress state = memory_plan_progress(&command->plan);
    return (struct progress){"memory", state.visited, state.wanted, command->what};
}

/* A complete measurement of some parts does not complete others. */
static void mark(const struct memory_command *command, struct environment *environment) {
    const struct progress progress = how_far(command);
    const char *of = strstr(environment->partial, " points");
    if (progress.done < progress.planned)
        partial_mark(environment, &progress);
    else if (strcmp(command->what, "points") == 0 || (of && strcmp(of + 1, command->what) == 0))
        partial_clear(environment, "memory");
}

/* Puts the memory system into the current file under its lock. */
static bool add_to(const struct memory_command *command, struct error *err) {
    struct result now;
    int lock;
    if (!file_lock(command->path, &lock, err))
        return false;
    bool done = results_read(command->path, &now, err);
    if (done && !session_is_here(&command->session, &now, command->path, "measure it", err)) { /* replaced meanwhile */
        results_free(&now);
        done = false;
    }
    if (done) {
        memory_system_free(&now.memory);
        now.memory = command->session.result.memory; /* lent */
        if (!levels_are_judged(&now.levels[0]))      /* no sweep of the file has found their ends */
            memcpy(now.levels, command->session.result.levels, sizeof now.levels);
        mark(command, &now.environment);
        done = results_write(&now, command->path, false, err);
        now.memory = (struct memory_system){0};
        results_free(&now);
    }
    file_unlock(command->path, lock);
    return done;
}

static bool save(void *context, struct error *err) {
    struct memory_command *command = context;
    const struct progress progress = how_far(command);
    if (progress.done == 0)
        return true;
    return command->adds ? add_to(command, err)
                         : result_target_save(&command->target, &command->session, &progress, err);
}

/* Stores the measurement, and marks an incomplete one. */
static bool keep(struct memory_command *command, struct error *err) {
    if (!command->path)
        return true;
    if (command->adds)
        return add_to(command, err);
    struct environment *environment = &command->session.result.environment;
    const struct progress progress = how_far(command);
    session_finish(&command->session);
    if (progress.done < progress.planned)
        partial_mark(environment, &progress);
    return result_target_write(&command->target, &command->session, err);
}

static void print_plan(const struct memory_command *command, double budget_s) {
    const struct memory_plan *plan = &command->plan;
    for (size_t i = 0; i < plan->subject_count; i++) {
        const struct memory_subject *subject = &plan->subjects[i];
        size_t points = 0;
        for (size_t k = 0; k < plan->item_count; k++)
            points += plan->items[k].part != MEMORY_CORES && plan->items[k].subject == i;
        printf("%-7s %-16s in %-5s %3zu points", memory_part_names[subject->series.part], subject->series.kernel,
               subject->series.level, points);
        if (subject->loader_count > 0)
            printf(", %u core%s loading", subject->loader_count, subject->loader_count > 1 ? "s" : "");
        if (subject->series.memory_node)
            printf(", memory node %u from node %u", subject->series.memory_node - 1, subject->series.node - 1);
        if (subject->series.part == MEMORY_PAGES)
            printf(", pages of %llu KiB", (unsigned long long)(subject->series.page_bytes >> 10));
        putchar('\n');
    }
    if (plan->pair_count > 0)
        printf("cores   %zu of %u pairs of CPUs\n", plan->pair_count, plan->pairs_in_all);
    if (plan->omitted[0])
        printf("Left out: %s\n", plan->omitted);
    printf("about %.0f s, at most %.0f s\n", plan->expected_s, budget_s);
}

static void print(const struct memory_command *command, const struct arguments *arguments,
                  const struct plot_terminal *terminal) {
    const struct result *result = &command->session.result;
    unsigned parts = 0;
    for (unsigned part = 0; part < MEMORY_PARTS; part++)
        parts |= (unsigned)command->parts[part] << part;
    if (cli_given(arguments, "json"))
        fields_print(next_add(memory_json(result, parts), next_step_json(NEXT_NOTHING, "", NULL)));
    else if (cli_given(arguments, "csv"))
        memory_csv(result, parts, stdout);
    else if (cli_given(arguments, "all"))
        memory_print(result, parts, NO_DOUBTS, stdout);
    else
        memory_answer_print(result, parts, &(struct screen){terminal, stdout});
    fflush(stdout); /* the answer comes first if stdout and stderr are the same */
}

/* Measures, stores, prints. What was measured is printed even if it could not be stored. */
static bool run(struct memory_command *command, const struct arguments *arguments, const struct plot_terminal *terminal,
                double budget_s, struct error *err) {
    struct session *session = &command->session;
    const struct session_options how = measure_options_session(arguments);
    struct error unkept;
    cli_catch_signals(); /* the reader of the next line may be gone */
    notice_print("measuring %zu points%s, about %.0f s, at most %.0f s", command->plan.item_count,
                 command->plan.pair_count ? " and pairs" : "", command->plan.expected_s, budget_s);
    if (command->path)
        session->checkpoint = checkpoint_begin(save, command);
    const bool done = memory_session_run(session, &command->plan, command->parts, &how, budget_s, err);
    if (session->result.memory.series_count + session->result.memory.pair_count == 0)
        return done ? error_set(err, "interrupted before anything was measured; nothing was written") : false;
    const bool kept = keep(command, &unkept);
    print(command, arguments, terminal);
    if (!kept) {
        *err = unkept;
        return false;
    }
    char *word = shell_word(command->path ? command->adds ? command->path : command->target.path : "");
    if (command->path)
        notice_print("%.0f s · %s %s", session_elapsed_s(session), command->adds ? "added to" : "result in", word);
    else
        notice_print("%.0f s · not stored: `carmine memory -o FILE` stores it", session_elapsed_s(session));
    const bool whole =
        done && (!cli_stopped() || error_set(err, "interrupted%s%s", command->path ? "; the same command with -o " : "",
                                             command->path ? "measures the rest" : ""));
    free(word);
    return whole && session_all_lived(session, err);
}

static bool prepare(struct memory_command *command, const struct arguments *arguments, struct error *err) {
    const struct machine *machine = &command->session.result.machine;
    command->path = cli_value(arguments, "output");
    if (!read_parts(arguments, command->parts, err))
        return false;
    name_parts(command);
    return view_options_output(arguments, err) &&
           session_open(&command->session, cli_value(arguments, "topology"), arguments->line, err) &&
           measure_options_recorded_isas(&(struct plan_options){.isas = {kernel_vectors()->name}, .isa_count = 1},
                                         &command->session.result.machine, err) &&
           adopt(command, err) &&
           memory_plan_make(&command->plan, machine, command->session.result.levels, command->parts, err);
}

static int command(const struct arguments *arguments, struct error *err) {
    struct memory_command *command = need_calloc(1, sizeof *command); /* too large for the stack */
    struct plan_options budget;
    const struct plot_terminal terminal = terminal_find();
    bool done = measure_options_read(arguments, &budget, err) && prepare(command, arguments, err);
    const double usual_s = fmin(MOST_BUDGET_S, fmax(BUDGET_S, BUDGET_PER_EXPECTED * command->plan.expected_s)),
                 budget_s = done && budget.budget_s > 0 ? budget.budget_s : usual_s;
    if (done && cli_given(arguments, "dry-run"))
        print_plan(command, budget_s);
    else
        done = done && measure_options_measurable(&command->session.result.machine, err) &&
               (!command->path ||
                (command->adds ? file_writable(command->path, err)
                               : result_target_choose(&command->target, &command->session, command->path, err))) &&
               run(command, arguments, &terminal, budget_s, err);
    memory_plan_free(&command->plan);
    session_close(&command->session);
    free(command);
    return done ? CLI_DONE : CLI_ERROR;
}

static const struct cli_example EXAMPLES[] = {
    {"carmine memory", "loaded latency, lines in flight, core to core, stores, pages"},
    {"carmine memory -o my.json", "add all of it to the result of `carmine run -o my.json`"},
    {"carmine memory --part cores", "how long a cache line takes between every two cores"},
    {0},
};

const struct command command_memory = {
    .name = "memory",
    .operands = "",
    .summary = "memory under load: latency, lines in flight, core to core, stores, TLBs",
    .description =
        "Measures what a roof does not show. loaded: the latency of a load while other cores load the memory, from "
        "idle "
        "to full bandwidth. mlp: the bandwidth of 1 to 40 independent pointer chases in one core, which shows how many "
        "cache lines it can have in flight. cores: the time of a cache line between every two cores. writes: the "
        "traffic of stores, with and without write-allocates. pages: the reach of the TLBs and the cost of a page "
        "walk. Points are visited in rounds until their intervals are narrower than 5 %; Ctrl-C stores everything "
        "measured so far, and the same command measures the rest.",
    .options = OPTIONS,
    .forms = {[CLI_JSON] = "", [CLI_CSV] = "", [CLI_MARKDOWN] = ""},
    .examples = EXAMPLES,
    .run = command,
};
