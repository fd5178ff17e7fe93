/* SPDX-License-Identifier: BSD-3-Clause
 * carmine sweep --dlp: the best number of accumulators (or streams) and unroll: of one operation with its map, of
 * several as a table. A part of cmd_sweep.c. */
#include <stdlib.h>
#include <string.h>

#include "asm/assemble.h"
#include "asm/element.h"
#include "carm/options/measure_options.h"
#include "carm/options/view_options.h"
#include "carm/session/measure.h"
#include "cmd_unroll_map.h"
#include "carm/chart/chart_unroll_map.h"
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
    if (options->type_count > 1 || options->level_count > 1 || options->thread_count > 1)
        return error_set(err, "with --dlp --%s takes one value",
                         options->type_count > 1    ? "type"
                         : options->level_count > 1 ? "level"
                                                    : "threads");
    if (options->type_count && element_find(options->types[0]) > TYPE_F32)
        return error_set(err, "--dlp searches operations of f64 and f32, not of %s", options->types[0]);
    return !cli_given(arguments, "output") ||
           error_set(err, "with --dlp no result is written: --plot FILE draws the surface, --json prints the numbers");
}

/* The kernel of the program that does the same; NULL when this CPU has none, or none that can be assembled. */
static const struct kernel *program_kernel(const struct machine *machine, const struct isa *isa, const char *op,
                                           const struct plan_options *options) {
    enum kernel_kind kind;
    char name[48];
    if (!assemble_knows(isa, op, &kind))
        return NULL;
    bool typed = kind == KERNEL_COMPUTE;
    snprintf(name, sizeof name, "%s%s%s.%s", isa->name, typed ? "." : "",
             !typed                ? ""
             : options->type_count ? options->types[0]
                                   : "f64",
             op);
    const struct kernel *const *found = kernel_find(name, NULL);
    return found && machine_has(machine, (*found)->needs) ? *found : NULL;
}

/* The kernels of one operation: in each ISA that was named, else in the widest that has it. */
static size_t add_kernels(const struct machine *machine, const struct plan_options *options, const char *op,
                          const struct kernel **out, size_t most) {
    size_t count = 0;
    for (size_t k = 0; k < options->isa_count && count < most; k++)
        if ((out[count] = program_kernel(machine, isa_find(options->isas[k]), op, options)))
            count++;
    for (size_t i = isa_count; i-- > 0 && options->isa_count == 0 && count == 0 && most > 0;)
        if ((out[count] = program_kernel(machine, &isa_table[i], op, options)))
            count++;
    return count;
}

/* All that was asked for; by default fma, or add where there is none. Error: nothing of it can run here. */
static size_t choose_kernels(const struct machine *machine, const struct plan_options *options,
                             const struct kernel **out, struct error *err) {
    size_t count = 0;
    for (size_t o = 0; o < options->mix_count; o++)
        count += add_kernels(machine, options, options->mixes[o], out + count, MAX_SUBJECTS - count);
    if (options->mix_count == 0 && (count = add_kernels(machine, options, "fma", out, MAX_SUBJECTS)) == 0)
        count = add_kernels(machine, options, "add", out, MAX_SUBJECTS);
    if (count > 0)
        return count;
    const struct isa *asked = options->isa_count ? isa_find(options->isas[0]) : NULL;
    if (asked && !machine_has(machine, asked->needs))
        error_set(err, "this CPU (or its operating system) does not have %s; see `carmine machine`", asked->label);
    else
        error_set(
            err,
            "no kernel %s%s%s whose accumulators or streams can be chosen runs on this CPU; --mix takes add, mul, "
            "addmul, add2mul, fma, fmaadd, or a pattern of loads and stores (see `carmine kernels`)",
            asked ? asked->name : "", asked ? "." : "", options->mix_count ? options->mixes[0] : "fma");
    return 0;
}

static bool make_plan(const struct session *session, const struct plan_options *options,
                      struct searched_operation *subject, struct error *err) {
    const struct kernel *kernel = subject->kernel;
    bool compute = kernel->kind == KERNEL_COMPUTE;
    if (compute && options->level_count)
        return error_set(err, "%s works in registers: --level goes with an access pattern, such as --mix load",
                         kernel->name);
    subject->level = compute ? "" : options->level_count ? options->levels[0] : "L1";
    const struct plan_options one = {.isas = {kernel->isa->name},
                                     .types = {compute ? element_table[kernel->type].name : "f64"},
                                     .mixes = {kernel->op},
                                     .levels = {subject->level},
                                     .threads = {options->thread_count ? options->threads[0] : 1},
                                     .isa_count = 1,
                                     .type_count = 1,
                                     .mix_count = 1,
                                     .level_count = !compute,
                                     .thread_count = 1,
                                     .only_kind = session->result.machine.kind_count > 1};
    return plan_roofs(&subject->plan, &session->result.machine, session->result.levels, &one, err);
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
    struct session_options how;
    for (size_t i = 0; i < count; i++)
        session_reserve(session, &subjects[i].plan);
    if (!measure_options_session(arguments, &how, err))
        return false;
    cli_catch_signals();
    return session_start(session, &how, err);
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
        (count = choose_kernels(&session.result.machine, &options, kernels, err)) == 0)
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
