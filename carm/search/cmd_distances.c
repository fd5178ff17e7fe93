/* SPDX-License-Identifier: BSD-3-Clause
 * carmine sweep --prefetch: the gain of an access pattern by prefetches, over their distance, in the requested shape
 * or in the best one without prefetch. */
#include "search.h"

#include <string.h>

#include "asm/pattern.h"
#include "bench/kernels/distances.h"
#include "bench/kernels/unroll_map.h"
#include "carm/options/view_options.h"
#include "carm/report/next_answers.h"
#include "carm/store/fields.h"
#include "probe/error.h"

static const double DEFAULT_BUDGET_S = 15, MAP_SHARE = 0.5; /* of the budget, for the best shape */

/* The searched pattern and its shape. */
struct prefetched_pattern {
    const struct kernel *kernel;
    const char *level;
    struct plan plan;
    unsigned width, unroll; /* 0: not requested */
    uint64_t bytes;
    bool searched;
};

static bool read_shape(const struct arguments *arguments, struct prefetched_pattern *out, struct error *err) {
    const char *text = cli_value(arguments, "prefetch");
    char rest;
    if (*text && (sscanf(text, "%3ux%4u%c", &out->width, &out->unroll, &rest) != 2 || !out->width || !out->unroll))
        return error_set(err, "--prefetch=SHAPE takes streams x lines, such as 1x32 or 4x8, not '%s'", text);
    return true;
}

static bool check_options(const struct arguments *arguments, const struct plan_options *options, struct error *err) {
    static const char *const OTHERS[] = {"dlp", "per-octave", "quick", "dry-run", "smt", "type", "output"};
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
        if (cli_given(arguments, OTHERS[i]))
            return error_set(err, "--%s has no meaning with --prefetch", OTHERS[i]);
    const char *several = options->mix_count > 1      ? "mix"
                          : options->isa_count > 1    ? "isa"
                          : options->thread_count > 1 ? "threads"
                                                      : NULL;
    return !several || error_set(err, "with --prefetch --%s takes one value", several);
}

/* Finds the kernel and its plan, and checks that the shape is possible. */
static bool choose(const struct session *session, const struct plan_options *options, struct prefetched_pattern *out,
                   struct error *err) {
    static const char *const DEFAULTS[] = {"load", NULL};
    if (subject_kernels(session, options, DEFAULTS, &out->kernel, 1, err) == 0)
        return false;
    if (out->kernel->kind != KERNEL_MEMORY || pattern_of_kernel(out->kernel->op)->nontemporal)
        return error_set(err,
                         "%s has no cache lines to prefetch: --prefetch takes a pattern that loads, or stores into "
                         "caches, such as --mix load, store or 2ld1st",
                         out->kernel->name);
    const struct levels *own = &session->result.levels[0];
    out->level = options->level_count ? options->levels[0] : own->level[own->count - 1].name; /* memory */
    if (!subject_plan(session, options, out->kernel, out->level, &out->plan, err))
        return false;
    const struct plan_step *step = &out->plan.steps[0];
    out->bytes = step->size_bytes[step->middle_size];
    return out->width == 0 || distances_possible(out->kernel, out->width, out->unroll, out->bytes) ||
           error_set(err, "there is no %s of %ux%u in %s: its blocks do not fill the buffer, or its loop is too long",
                     out->kernel->name, out->width, out->unroll, out->level);
}

/* Finds the best shape that also allows prefetches. */
static bool find_shape(struct session *session, struct prefetched_pattern *pattern, double budget_s,
                       struct error *err) {
    struct unroll_map map;
    struct unroll_search_cell cells[SEARCH_MAX_SIDE * SEARCH_MAX_SIDE];
    if (!unroll_map_measure(&session->bench, &pattern->plan, budget_s, &map, err))
        return false;
    pattern->bytes = map.working_set_bytes;
    pattern->searched = true;
    pattern->width = map.widths[map.row];
    pattern->unroll = map.unrolls[map.column];
    const unsigned count = unroll_search_top(&map.search, 1, sizeof cells / sizeof *cells, cells);
    for (unsigned i = 0;
         i < count && !distances_possible(pattern->kernel, pattern->width, pattern->unroll, pattern->bytes); i++) {
        pattern->width = map.widths[cells[i].row];
        pattern->unroll = map.unrolls[cells[i].column];
    }
    return true;
}

static bool measure(struct session *session, struct prefetched_pattern *pattern, double budget_s, struct distances *out,
                    struct error *err) {
    const bool shaped = pattern->width > 0;
    if (!shaped && !find_shape(session, pattern, MAP_SHARE * budget_s, err))
        return cli_stopped() ? error_set(err, "interrupted before the best shape was found") : false;
    const struct campaign_bench bench = bench_for_campaign(&session->bench);
    const struct distances_request request = {.bench = &bench,
                                              .step = &pattern->plan.steps[0],
                                              .code = {pattern->kernel, pattern->width, pattern->unroll, {0}},
                                              .bytes = pattern->bytes,
                                              .budget_s = shaped ? budget_s : (1 - MAP_SHARE) * budget_s};
    if (!distances_search(&request, out, err))
        return false;
    if (session->bench.no_shapes[0])
        return error_set(err, "%s", session->bench.no_shapes);
    if (out->stopped)
        return error_set(err, "interrupted before every distance was measured");
    return out->rounds > 0 || error_set(err, "%s cannot run here", pattern->kernel->name);
}

static bool run(struct session *session, const struct arguments *arguments, struct prefetched_pattern *pattern,
                double budget_s, struct error *err) {
    const char *path = cli_value(arguments, "plot");
    const struct plan *plans[] = {&pattern->plan};
    struct distances distances;
    if (!view_options_plot(arguments, err) || !subject_start(session, arguments, plans, 1, err))
        return false;
    const bool done = measure(session, pattern, budget_s, &distances, err);
    session_finish(session);
    if (!done)
        return false;
    const struct distances_view view = {.result = &session->result,
                                        .distances = &distances,
                                        .name = pattern->kernel->name,
                                        .level = pattern->level,
                                        .width = pattern->width,
                                        .unroll = pattern->unroll,
                                        .searched = pattern->searched,
                                        .working_set_bytes = pattern->bytes,
                                        .paced = pattern->plan.steps[0].paced,
                                        .elapsed_s = session_elapsed_s(session)};
    if (cli_given(arguments, "json"))
        fields_print(next_add(distances_json(&view), next_step_json(NEXT_NOTHING, "", NULL)));
    else if (cli_given(arguments, "csv"))
        distances_csv(&view, stdout);
    else
        distances_print(&view, stdout);
    return !path || chart_distances(&view, path, err);
}

int distances_command(const struct arguments *arguments, struct error *err) {
    struct plan_options options;
    struct session session = {0};
    struct prefetched_pattern pattern = {0};
    const bool done =
        measure_options_read(arguments, &options, err) && check_options(arguments, &options, err) &&
        read_shape(arguments, &pattern, err) &&
        session_open(&session, cli_value(arguments, "topology"), arguments->line, err) &&
        measure_options_measurable(&session.result.machine, err) && choose(&session, &options, &pattern, err) &&
        run(&session, arguments, &pattern, options.budget_s > 0 ? options.budget_s : DEFAULT_BUDGET_S, err);
    plan_free(&pattern.plan);
    session_close(&session);
    return done ? CLI_DONE : CLI_ERROR;
}
