/* SPDX-License-Identifier: BSD-3-Clause
 * The instruction roofline: counted instructions per second over instructions per byte (N. Ding, S. Williams, "An
 * Instruction Roofline Model for GPUs", PMBS 2019; here of CPUs, by the bytes of each link). It shows what rooflines of
 * flop leave out: programs of integers, pointers and branches.
 *
 * No kernel is made to execute as many instructions as the core can, so there is no measured ceiling. What is drawn is
 * what is known: the most that a kernel of the result executed, and as a dashed line how many the core can rename per
 * cycle by its documentation. */
#include "chart.h"
#include "chart_link_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asm/kernel.h"
#include "carm/model/describe.h"
#include "probe/need.h"
#include "probe/uarch.h"
#include "render/page/units.h"

static const struct link_rows_text TEXT = {
    .x_title = "Intensity  [instructions per byte that passes over the link]",
    .y_title = "Performance  [Ginstructions/s]",
    .divisor = 1e9,
    .footer = "Each application is a row of marks at its counted instructions per second, without those that wait for "
              "other threads; one per link at its instructions per byte of that link, or where no caches were "
              "simulated, per byte that the core asks for. Filled: the link that needs the longest; a dashed line "
              "leads to its own roof, an arrow to one above the picture.",
};

/* The most instructions per second that a kernel executed. */
struct instruction_peak {
    const struct sample *sample; /* NULL: none is known */
    double per_s;                /* of all threads */
};

/* Of the very code that was measured: others have another loop around them. 0: this program has no such code. */
static double instructions_per_s(const struct sample *sample) {
    const struct kernel *kernel = kernel_find_variant(sample->kernel, sample->variant);
    if (!kernel || kernel->kind == KERNEL_RANDOM || kernel->kind == KERNEL_CHASE)
        return 0;
    const uint32_t bytes = kernel->cost.load_bytes + kernel->cost.store_bytes,
                   work = sample->kind == SAMPLE_COMPUTE ? kernel->cost.flop : bytes;
    return work > 0 ? sample->value * kernel->cost.instructions / work : 0;
}

/* Among kernels of all types and instruction sets. */
static struct instruction_peak find_peak(const struct model *model, const struct model_view *view) {
    struct model_view any = *view;
    struct instruction_peak peak = {0};
    any.type = any.isa = any.op = NULL;
    for (size_t i = 0; i < model->count; i++) {
        const struct sample *sample = model->roofs[i].sample;
        const double per_s = model_in_view(&model->roofs[i], &any) ? instructions_per_s(sample) : 0;
        if (per_s > peak.per_s)
            peak = (struct instruction_peak){sample, per_s};
    }
    return peak;
}

static void add_ceiling(struct link_rows *rows, double value, enum plot_dash dash, const char *what) {
    struct link_ceiling *ceiling = &rows->ceilings[rows->ceiling_count++];
    char rate[UNITS_BYTES];
    ceiling->value = value;
    ceiling->dash = dash;
    snprintf(ceiling->label, sizeof ceiling->label, "%s  %s", what, units_si(rate, sizeof rate, value, "instr/s"));
}

/* The documented one first, where it is known: roofs end there. */
static void find_ceilings(struct link_rows *rows, const struct instruction_peak *peak) {
    const struct result *result = rows->model->result;
    const struct sample *sample = peak->sample;
    const unsigned width = *result->uarch_doubt ? 0 : uarch_issue_width(uarch_named(result->uarch));
    const double documented = sample ? width * sample->clock_hz * sample_cores(sample) : 0;
    char text[96];
    if (documented > peak->per_s) {
        snprintf(text, sizeof text, "%u per cycle, documented", width);
        add_ceiling(rows, documented, PLOT_DASHED, text);
    }
    if (sample) {
        snprintf(text, sizeof text, "most by a kernel: %s%s%s", sample->kernel, *sample->level ? " in " : "",
                 sample->level);
        add_ceiling(rows, peak->per_s, PLOT_SOLID, text);
        chart_cycle_axis(&sample, 1, "instructions", &rows->right);
    }
}

/* Where no caches were simulated: what the core asks for, from which level is not known. */
static struct link_times asked(const struct app_point *point) {
    struct link_times times = {.count = 1, .longest = LINK_TIMES_NONE, .second = LINK_TIMES_NONE};
    snprintf(times.link[0].name, sizeof times.link[0].name, "core");
    times.link[0].bytes = app_core_bytes(point);
    return times;
}

/* The link that needs the longest, or the documented ceiling: that of flop is none of instructions. */
static void find_binding(struct link_row *row, const struct link_ceiling *documented) {
    row->longest = LINK_TIMES_NONE;
    for (unsigned i = 0; i < row->times.count; i++)
        if (row->times.link[i].share > row->ratio)
            row->longest = (int)i, row->ratio = row->times.link[i].share;
    if (documented && row->longest != LINK_TIMES_NONE && row->per_s / documented->value > row->ratio)
        row->longest = LINK_TIMES_CEILING, row->ratio = row->per_s / documented->value;
}

static void describe_row(struct link_row *row) {
    const struct app_point *point = row->point;
    const double per_cycle = point->clock_hz > 0 ? row->per_s / point->clock_hz / fmax(1, point->threads) : 0;
    char rate[UNITS_BYTES], pace[48] = "", bound[64] = "";
    if (per_cycle > 0)
        snprintf(pace, sizeof pace, "%.2f per cycle", per_cycle);
    if (row->longest != LINK_TIMES_NONE)
        snprintf(bound, sizeof bound, "%s %.0f %%",
                 row->longest >= 0 ? row->times.link[row->longest].level : "instructions", 100 * row->ratio);
    snprintf(row->sublabel, sizeof row->sublabel, "%s%s%s", pace, *pace && *bound ? "; " : "", bound);
    snprintf(row->detail, sizeof row->detail, "%s: %s%s%s, %.3g instructions per byte that the core asks for.",
             point->name, units_si(rate, sizeof rate, row->per_s, "instr/s"), *row->sublabel ? "; " : "", row->sublabel,
             row->work / app_core_bytes(point));
}

static bool has_instructions(const struct app_point *point) {
    return point->has_count && point->count.instructions > 0 && point->seconds.median > 0 && app_core_bytes(point) > 0;
}

/* Those of the view's threads. */
static void find_rows(struct link_rows *rows, const struct chart_options *options, bool documented) {
    const struct result *result = rows->model->result;
    for (size_t i = 0; i < result->point_count; i++) {
        const struct app_point *point = &result->points[i];
        struct applicable_roofs applicable;
        if (!has_instructions(point) || !points_chosen(point, options) ||
            !applicable_make(rows->model, point, &applicable) || applicable.view.threads != rows->view.threads)
            continue;
        struct link_row *row = link_rows_add(rows);
        if (!row)
            continue;
        row->point = point;
        row->times = point->levels.links > 0 ? link_times_find(rows->model, point) : asked(point);
        row->work = (double)point->count.instructions, row->per_s = row->work / point->seconds.median;
        find_binding(row, documented ? &rows->ceilings[0] : NULL);
        describe_row(row);
    }
}

static bool find_all(struct link_rows *rows, const struct chart_options *options, struct error *err) {
    struct chart_options of_points = *options;
    struct model_view view;
    char name[160];
    if (!options->threads && points_view(rows->model, options, has_instructions, &view))
        of_points.threads = view.threads;
    if (!chart_view(rows->model, &of_points, &rows->view, err))
        return false;
    const struct instruction_peak peak = find_peak(rows->model, &rows->view);
    find_ceilings(rows, &peak);
    if (!peak.sample)
        return error_set(err, "how many instructions the kernels of the result executed is not known: they are of "
                              "another version of carmine, or of another tool; `carmine run -o FILE` measures anew");
    find_rows(rows, options, rows->ceiling_count > 1);
    snprintf(rows->title, sizeof rows->title, "%s · %u thread%s · instructions",
             describe_cpu(rows->model->result, name, sizeof name), rows->view.threads,
             rows->view.threads == 1 ? "" : "s");
    return rows->row_count > 0 ||
           error_set(err,
                     "the result holds no application of %u thread%s whose instructions were counted: `carmine app -o "
                     "FILE` counts them",
                     rows->view.threads, rows->view.threads == 1 ? "" : "s");
}

bool chart_instructions(const struct model *model, const struct chart_options *options, const char *path,
                        struct error *err) {
    struct link_rows *rows = need_calloc(1, sizeof *rows);
    rows->model = model;
    const bool done = find_all(rows, options, err) && link_rows_write(rows, &TEXT, options, path, err);
    free(rows);
    return done;
}
