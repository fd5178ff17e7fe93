/* SPDX-License-Identifier: BSD-3-Clause
 * carmine sweep --dlp: the best number of accumulators (or streams) and unroll of one operation. A part of cmd_sweep.c.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "../asm/assemble.h"
#include "../asm/element.h"
#include "../bench/doubt.h"
#include "choices.h"
#include "files.h"
#include "measure.h"
#include "surface.h"

static const double DEFAULT_BUDGET_S = 15, FINAL_S = 0.4; /* of it for measuring the best once more */

/* One operation: its name, and the plan of what `carmine run` would measure of it. */
struct subject {
    const struct isa *isa;
    enum element_type type;
    char name[48];
    struct plan plan;
};

static double since_s(const struct timespec *start) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) * 1e-9;
}

static bool check_options(const struct arguments *arguments, const struct plan_options *options, struct error *err) {
    static const char *const OTHERS[] = {"per-octave", "quick", "dry-run"};
    const struct {
        const char *name;
        size_t count;
    } single[] = {{"isa", options->isa_count},
                  {"type", options->type_count},
                  {"mix", options->mix_count},
                  {"level", options->level_count},
                  {"threads", options->thread_count}};
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
        if (cli_given(arguments, OTHERS[i]))
            return error_set(err, "--%s has no meaning with --dlp", OTHERS[i]);
    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
        if (single[i].count > 1)
            return error_set(err, "with --dlp --%s takes one value: one operation is searched at a time",
                             single[i].name);
    const char *path = cli_value(arguments, "output"), *ending = path ? strrchr(path, '.') : NULL;
    static const char *const PICTURES[] = {".svg", ".pdf", ".png"};
    bool picture = path == NULL;
    for (size_t i = 0; i < 3 && ending; i++)
        picture = picture || strcasecmp(ending, PICTURES[i]) == 0;
    return picture ||
           error_set(err, "%s: with --dlp -o names a picture: .svg, .pdf or .png (--json prints the numbers)", path);
}

/* The kernel of the program that does the same, for its name and needs; NULL when this CPU has none. */
static const struct kernel *program_kernel(const struct machine *machine, const struct isa *isa, const char *op,
                                           enum element_type type, enum kernel_kind *kind) {
    char name[48];
    if (!assemble_knows(isa, op, kind))
        return NULL;
    bool typed = *kind == KERNEL_COMPUTE;
    snprintf(name, sizeof name, "%s%s%s.%s", isa->name, typed ? "." : "", typed ? element_table[type].name : "", op);
    const struct kernel *const *found = kernel_find(name, NULL);
    return found && machine_has(machine, (*found)->needs) ? *found : NULL;
}

/* The widest ISA that has the operation; fma by default, or add where there is none. */
static bool choose_kernel(const struct machine *machine, const struct plan_options *options, struct subject *out,
                          enum kernel_kind *kind, struct error *err) {
    const char *const DEFAULTS[] = {"fma", "add"};
    size_t ops = options->mix_count ? 1 : 2;
    enum element_type type = options->type_count ? element_find(options->types[0]) : TYPE_F64;
    if (type > TYPE_F32)
        return error_set(err, "--dlp searches operations of f64 and f32, not of %s", options->types[0]);
    for (size_t o = 0; o < ops; o++)
        for (size_t i = isa_count; i-- > 0;) {
            const char *op = options->mix_count ? options->mixes[0] : DEFAULTS[o];
            if (options->isa_count && strcmp(options->isas[0], isa_table[i].name) != 0)
                continue;
            const struct kernel *kernel = program_kernel(machine, &isa_table[i], op, type, kind);
            if (kernel) {
                out->isa = kernel->isa;
                out->type = kernel->type;
                snprintf(out->name, sizeof out->name, "%s", kernel->name);
                return true;
            }
        }
    const struct isa *asked = options->isa_count ? isa_find(options->isas[0]) : NULL;
    if (asked && !machine_has(machine, asked->needs))
        return error_set(err, "this CPU (or its operating system) does not have %s; see `carmine machine`",
                         asked->label);
    return error_set(
        err,
        "no kernel %s%s%s whose accumulators or streams can be chosen runs on this CPU; --mix takes add, mul, "
        "addmul, add2mul, fma, fmaadd, load, store, 1ld1st, 2ld1st, 3ld1st, update, axpy",
        asked ? asked->name : "", asked ? "." : "", options->mix_count ? options->mixes[0] : "fma");
}

static bool make_plan(const struct session *session, struct plan_options *options, struct subject *out,
                      struct error *err) {
    const struct machine *machine = &session->result.machine;
    enum kernel_kind kind;
    if (!choose_kernel(machine, options, out, &kind, err))
        return false;
    if (kind == KERNEL_COMPUTE && options->level_count)
        return error_set(err, "%s works in registers: --level goes with an access pattern, such as --mix load",
                         out->name);
    if (kind == KERNEL_MEMORY && !options->level_count)
        options->levels[options->level_count++] = "L1";
    const struct levels *levels = &session->result.levels[0];
    if (options->level_count && strcmp(options->levels[0], levels->level[levels->count - 1].name) == 0)
        return error_set(err, "streams and unroll are searched in caches: --level L1, L2 or L3");
    const char *op = strrchr(out->name, '.') + 1;
    options->isas[0] = out->isa->name;
    options->mixes[0] = op;
    options->types[0] = out->type == TYPE_F32 ? "f32" : "f64";
    options->isa_count = options->mix_count = options->type_count = 1;
    if (!options->thread_count)
        options->threads[options->thread_count++] = 1;
    options->budget_s = 0; /* that of the search */
    return plan_roofs(&out->plan, machine, session->result.levels, options, err);
}

/* What the documents say of the winner, and whether it is beyond that. */
static double judge(const struct session *session, const struct subject *subject, struct surface *surface) {
    const struct plan_step *step = &subject->plan.steps[0];
    const struct uarch_match *match = &session->uarch[step->core_kind == TEAM_ANY_KIND ? 0 : step->core_kind];
    const struct kernel winner = {.kind = surface->kind,
                                  .isa = subject->isa,
                                  .type = subject->type,
                                  .op = strrchr(subject->name, '.') + 1,
                                  .cost = surface->winner_cost};
    double documented = bench_documented(match->uarch, &winner, (unsigned)(step->level + 1)).per_cycle;
    if (documented > 0 && surface->winner.per_cycle > 1.01 * documented)
        surface->winner.doubts |= DOUBT_ABOVE_DOCUMENTED | (match->doubt[0] ? DOUBT_MASKED_CPU : 0);
    surface->winner.doubts |= step->doubts;
    return documented;
}

static bool measure(struct session *session, const struct arguments *arguments, double budget_s,
                    const struct subject *subject, struct surface *out, struct error *err) {
    enum sample_statistic statistic;
    bool huge_pages;
    struct sample run;
    const struct plan_step *step = &subject->plan.steps[0];
    if (!choices_statistic(arguments, &statistic, err) || !choices_huge_pages(arguments, &huge_pages, err))
        return false;
    cli_catch_signals();
    if (!session_start(session, plan_node_bytes(&subject->plan, &session->result.machine), statistic, huge_pages,
                       err) ||
        !bench_run(&session->bench, step, &run, err))
        return false;
    const struct surface_request request = {.isa = subject->isa,
                                            .type = subject->type,
                                            .op = strrchr(subject->name, '.') + 1,
                                            .threads = step->threads,
                                            .core_kind = step->core_kind,
                                            .working_set_bytes = run.working_set_bytes,
                                            .paced = step->level < 2 && !step->memory,
                                            .reference = kernel_find_variant(run.kernel, run.variant),
                                            .until_s = (double)session->started.tv_sec +
                                                       (double)session->started.tv_nsec * 1e-9 + budget_s - FINAL_S};
    bool done = cli_stop || surface_measure(&session->bench, &request, out, err);
    session_finish(session);
    return cli_stop ? error_set(err, "interrupted before the surface was known") : done;
}

int surface_command(const struct arguments *arguments, struct error *err) {
    struct plan_options options;
    struct session session = {0};
    struct subject subject = {0};
    struct surface surface;
    int status = CLI_ERROR;
    const char *path = cli_value(arguments, "output");
    if (!choices_read(arguments, &options, err) || !check_options(arguments, &options, err) ||
        !session_open(&session, cli_value(arguments, "topology"), arguments->line, err))
        goto out;
    double budget_s = options.budget_s > 0 ? options.budget_s : DEFAULT_BUDGET_S;
    if (!choices_measurable(&session.result.machine, err) || !make_plan(&session, &options, &subject, err) ||
        (path && !files_writable(path, err)) || !measure(&session, arguments, budget_s, &subject, &surface, err))
        goto out;
    const struct surface_view view = {.result = &session.result,
                                      .surface = &surface,
                                      .name = subject.name,
                                      .level = options.level_count ? options.levels[0] : "",
                                      .documented_per_cycle = judge(&session, &subject, &surface),
                                      .elapsed_s = since_s(&session.started)};
    if (cli_given(arguments, "json")) {
        json_t *json = surface_json(&view);
        json_dumpf(json, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
        putchar('\n');
        json_decref(json);
    } else {
        surface_print(&view, stdout);
    }
    if (!path || chart_surface(&view, path, err))
        status = CLI_DONE;
out:
    plan_free(&subject.plan);
    session_close(&session);
    return status;
}
