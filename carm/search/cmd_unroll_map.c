/* SPDX-License-Identifier: BSD-3-Clause
 * carmine sweep --dlp: the best number of accumulators (or streams) and unroll: of one operation with its map, of
 * several as a table. */
#include "search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "carm/chart/chart_parts.h"
#include "carm/model/describe.h"
#include "carm/options/measure_options.h"
#include "carm/options/view_options.h"
#include "carm/report/next_answers.h"
#include "carm/session/measure.h"
#include "carm/store/fields.h"
#include "probe/error.h"
#include "probe/need.h"
#include "render/page/plot.h"
#include "render/page/units.h"

/* The picture of `carmine sweep --dlp`: a heat map with a cell for each number of accumulators (or streams) and
 * unroll. */

/* Cells of the map that the picture borrows. */
struct map_cells {
    char row_text[SEARCH_MAX_SIDE][12], column_text[SEARCH_MAX_SIDE][12];
    const char *rows[SEARCH_MAX_SIDE], *columns[SEARCH_MAX_SIDE];
    double values[SEARCH_MAX_SIDE * SEARCH_MAX_SIDE];
    double low, high; /* of the measured cells */
    bool empty;       /* some blocks do not fill the buffer */
};

static void fill(struct map_cells *cells, const struct unroll_map *map) {
    const struct unroll_search *search = &map->search;
    *cells = (struct map_cells){.low = INFINITY};
    for (unsigned r = 0; r < search->rows; r++) {
        snprintf(cells->row_text[r], sizeof cells->row_text[r], "%u", map->widths[r]);
        cells->rows[r] = cells->row_text[r];
        for (unsigned c = 0; c < search->columns; c++) {
            double value = search->values[r][c];
            cells->values[r * search->columns + c] = search->possible[r][c] ? value : INFINITY;
            cells->empty |= !search->possible[r][c];
            cells->low = fmin(cells->low, value); /* ignores NaN */
            cells->high = fmax(cells->high, value);
        }
    }
    for (unsigned c = 0; c < search->columns; c++) {
        snprintf(cells->column_text[c], sizeof cells->column_text[c], "%u", map->unrolls[c]);
        cells->columns[c] = cells->column_text[c];
    }
}

static struct plot_heat heat_of(const struct map_cells *cells, const struct unroll_map *map) {
    return (struct plot_heat){.rows = map->search.rows,
                              .columns = map->search.columns,
                              .row_names = cells->rows,
                              .column_names = cells->columns,
                              .values = cells->values,
                              .low = cells->low < cells->high ? cells->low : cells->high * 0.99,
                              .high = cells->high,
                              .decimals = unroll_map_decimals(map),
                              .title = unroll_map_unit(map),
                              .marked = true,
                              .marked_row = map->row,
                              .marked_column = map->column};
}

static void write_title(const struct unroll_map_view *view, char *out, size_t size) {
    char cpu[160];
    snprintf(out, size, "%s · %s%s%s", describe_cpu(view->result, cpu, sizeof cpu), view->name,
             view->level[0] ? " in " : "", view->level);
}

/* The best, the fewest accumulators or streams that come near it, and the instructions in flight there. */
static void write_subtitle(const struct unroll_map_view *view, char *out, size_t out_size) {
    const struct unroll_map *map = view->map;
    const unsigned enough = map->widths[map->enough_row];
    char documented[64] = "", latency_text[200] = "", size[32], walked[64] = "";
    double latency, starts;
    if (view->level[0])
        snprintf(walked, sizeof walked, " · working set %s",
                 units_binary(size, sizeof size, (double)map->working_set_bytes));
    if (view->documented_per_cycle > 0)
        snprintf(documented, sizeof documented, " of %.4g documented", view->documented_per_cycle);
    if (unroll_map_latency(map, &latency, &starts))
        snprintf(latency_text, sizeof latency_text, " · latency %.1f cycles × %.1f a cycle = %.0f in flight", latency,
                 starts, latency * starts);
    snprintf(out, out_size, "Best (outlined): %s, %.1f %s%s · %u %s%s reach%s 99 %% of it%s%s", map->winner.variant,
             map->winner.per_cycle, unroll_map_unit(map), documented, enough,
             map->kind == KERNEL_COMPUTE ? "accumulator" : "stream", enough == 1 ? "" : "s", enough == 1 ? "es" : "",
             latency_text, walked);
}

static void write_footer(const struct unroll_map_view *view, bool empty, char *out, size_t size) {
    const struct unroll_map *map = view->map;
    char conditions[400];
    describe_conditions(view->result, conditions, sizeof conditions);
    snprintf(out, size, "%u thread%s · %s%s%s", map->winner.threads, map->winner.threads == 1 ? "" : "s", conditions,
             map->complete ? "" : " · hatched: not measured",
             empty ? " · empty: such blocks do not fill the buffer" : "");
}

/* Draws the map into the file at `path`, whose ending sets the format. Error: the file cannot be written. */
static bool chart_unroll_map(const struct unroll_map_view *view, const char *path, struct error *err) {
    const struct unroll_map *map = view->map;
    const bool compute = map->kind == KERNEL_COMPUTE;
    char title[256], subtitle[512], footer[512], doubts[300];
    struct map_cells cells;
    fill(&cells, map);
    write_title(view, title, sizeof title);
    write_subtitle(view, subtitle, sizeof subtitle);
    write_footer(view, cells.empty, footer, sizeof footer);
    doubt_names(map->winner.doubts, doubts, sizeof doubts);
    const char *notes[] = {doubts};
    const struct plot_heat heat = heat_of(&cells, map);
    struct plot plot = {.title = title,
                        .subtitle = subtitle,
                        .note_count = doubts_any(map->winner.doubts),
                        .notes = notes,
                        .x = {.title = compute ? "Unroll: visits of each accumulator in one iteration"
                                               : "Unroll: lines of each stream in one iteration"},
                        .y = {.title = compute ? "Accumulators (DLP)" : "Streams"},
                        .heat = &heat,
                        .footer = footer};
    return chart_draw(&plot, path, 0, 0, err);
}

static const double DEFAULT_BUDGET_S = 15;
enum { MAX_SUBJECTS = 64 };

/* One operation: its plan as in `carmine run`, and the result of the search. */
struct searched_operation {
    const struct kernel *kernel; /* the program's own kernel, for its name and requirements */
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
           error_set(
               err,
               "with --dlp no result is written: --plot FILE draws the surface, --json and --csv print the numbers");
}

static bool make_plan(const struct session *session, const struct plan_options *options,
                      struct searched_operation *subject, struct error *err) {
    const bool compute = subject->kernel->kind == KERNEL_COMPUTE;
    if (compute && options->level_count)
        return error_set(err, "%s works in registers: --level needs an access pattern, such as --mix load",
                         subject->kernel->name);
    subject->level = compute ? "" : options->level_count ? options->levels[0] : "L1";
    return subject_plan(session, options, subject->kernel, subject->level, &subject->plan, err);
}

static bool measure(struct session *session, struct searched_operation *subject, double budget_s, struct error *err) {
    const double start_s = session_elapsed_s(session);
    const bool done = unroll_map_measure(&session->bench, &subject->plan, budget_s, &subject->map, err);
    if (cli_stopped())
        return error_set(err, "interrupted before the surface was measured; complete surfaces are printed");
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

/* Prints one map in full; several as rows of a table, but in JSON and CSV in full. */
static void print(const struct session *session, const struct arguments *arguments,
                  const struct searched_operation *subjects, size_t count) {
    struct unroll_map_view views[MAX_SUBJECTS];
    size_t done = 0;
    for (size_t i = 0; i < count; i++)
        if (subjects[i].done)
            views[done++] = view_of(session, &subjects[i]);
    if (cli_given(arguments, "csv")) {
        unroll_map_csv(views, done, stdout);
    } else if (cli_given(arguments, "json")) {
        json_t *json = count == 1 && done == 1 ? unroll_map_json(&views[0]) : unroll_map_list_json(views, done);
        fields_print(next_add(json, next_step_json(NEXT_NOTHING, "", NULL)));
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
        error_set(err, "a picture shows one surface: name one operation and one ISA, or leave out --plot");
        goto out;
    }
    if (!view_options_plot(arguments, err) || !start(&session, arguments, subjects, count, err))
        goto out;
    while (done < count &&
           measure(&session, &subjects[done], options.budget_s > 0 ? options.budget_s : DEFAULT_BUDGET_S, err))
        done++;
    session_finish(&session);
    if (done > 0)
        print(&session, arguments, subjects, count);
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
