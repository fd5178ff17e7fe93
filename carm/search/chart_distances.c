/* SPDX-License-Identifier: BSD-3-Clause
 * Bandwidth over the distance of prefetches (see chart_distances.h). Distances stand at equal steps: they begin with 0,
 * which a logarithmic axis has no place for. */
#include "chart_distances.h"

#include <math.h>

#include "bench/kernels/doubt.h"
#include "carm/model/describe.h"
#include "render/page/palette.h"
#include "render/page/plot.h"
#include "render/page/units.h"

enum { CURVES = PREFETCH_HINTS - 1, LABEL_BYTES = 96, NAME_BYTES = 16 };
static const double MARGIN = 0.12, LEAST_SPAN = 0.1; /* of what is shown, of the value without prefetch */
static const double BAND_ALPHA = 0.15;

/* What the picture borrows. */
struct distances_curves {
    double x[DISTANCES_COUNT], y[CURVES][DISTANCES_COUNT], low[CURVES][DISTANCES_COUNT], high[CURVES][DISTANCES_COUNT];
    char name_text[DISTANCES_COUNT][NAME_BYTES], labels[CURVES][LABEL_BYTES], none_label[LABEL_BYTES];
    const char *names[DISTANCES_COUNT];
    double none;
    struct plot_line lines[CURVES];
    struct plot_band bands[CURVES];
    struct plot_mark mark;
    struct plot_axis y_axis;
};

static void add_curve(struct distances_curves *curves, const struct distances_view *view, unsigned hint) {
    const struct plot_color colors[] = {PALETTE_BLUE, PALETTE_VERMILLION};
    const struct distances *distances = view->distances;
    const unsigned at = hint - 1;
    for (unsigned d = 0; d < DISTANCES_COUNT; d++) {
        const struct statistics *gain = &distances->gains[hint][d];
        curves->y[at][d] = curves->none * gain->median;
        curves->low[at][d] = curves->none * gain->q1;
        curves->high[at][d] = curves->none * gain->q3;
        curves->y_axis.min = fmin(curves->y_axis.min, curves->low[at][d]);
        curves->y_axis.max = fmax(curves->y_axis.max, curves->high[at][d]);
    }
    struct plot_color shade = colors[at]; /* so that two that lie on each other are told apart */
    shade.a *= BAND_ALPHA;
    snprintf(curves->labels[at], LABEL_BYTES, "%s", prefetch_instruction(hint));
    curves->lines[at] = (struct plot_line){.count = DISTANCES_COUNT,
                                           .x = curves->x,
                                           .y = curves->y[at],
                                           .color = colors[at],
                                           .width = 1.8,
                                           .dash = at == 0 ? PLOT_SOLID : PLOT_DASHED,
                                           .markers = true,
                                           .label = curves->labels[at],
                                           .label_place = PLOT_LABEL_LEGEND};
    curves->bands[at] = (struct plot_band){.count = DISTANCES_COUNT,
                                           .x = curves->x,
                                           .y_low = curves->low[at],
                                           .y_high = curves->high[at],
                                           .color = shade,
                                           .legend = at == 0 ? "shade around a line: half of the rounds" : NULL};
}

static void fill(struct distances_curves *curves, const struct distances_view *view) {
    const struct distances_unit unit = distances_unit(view);
    *curves = (struct distances_curves){.none = view->distances->without * unit.factor};
    curves->y_axis = (struct plot_axis){.min = curves->none * (1 - LEAST_SPAN), .max = curves->none * (1 + LEAST_SPAN)};
    for (unsigned d = 0; d < DISTANCES_COUNT; d++) {
        curves->x[d] = d;
        curves->names[d] = distances_text(curves->name_text[d], NAME_BYTES, distances_bytes[d]);
    }
    for (unsigned hint = 1; hint < PREFETCH_HINTS; hint++)
        add_curve(curves, view, hint);
    const double margin = MARGIN * (curves->y_axis.max - curves->y_axis.min);
    curves->y_axis.min = fmax(0, curves->y_axis.min - margin);
    curves->y_axis.max += margin;
    snprintf(curves->none_label, LABEL_BYTES, "without prefetch: %.*f %s", curves->none >= 10 ? 1 : 2, curves->none,
             unit.name);
    curves->mark = (struct plot_mark){
        .at = curves->none, .color = PALETTE_BLACK, .dash = PLOT_DASH_DOTTED, .label = curves->none_label};
}

static void write_subtitle(const struct distances_view *view, char *out, size_t size) {
    const struct distances *distances = view->distances;
    char text[32], median[32], low[32], high[32];
    snprintf(
        out, size, "Best: %s %s ahead, %s against none in %u pairs of its own (half of them %s to %s): %s",
        prefetch_instruction(distances->best.hint), distances_text(text, sizeof text, distances->best.distance_bytes),
        distances_percent(median, sizeof median, distances->pairs.median), distances->pairs.n,
        distances_percent(low, sizeof low, distances->pairs.q1),
        distances_percent(high, sizeof high, distances->pairs.q3), distances_helps(distances) ? "it helps" : "no gain");
}

bool chart_distances(const struct distances_view *view, const char *path, struct error *err) {
    const unsigned threads = view->distances->proper[0].threads;
    const struct doubts doubtful = doubts_union(view->distances->proper[0].doubts, view->distances->proper[1].doubts);
    char cpu[160], title[320], subtitle[320], conditions[400], footer[560], doubts[300], y_title[64], text[32];
    struct distances_curves curves;
    fill(&curves, view);
    snprintf(title, sizeof title, "%s · %s %ux%u in %s with prefetches", describe_cpu(view->result, cpu, sizeof cpu),
             view->name, view->width, view->unroll, view->level);
    write_subtitle(view, subtitle, sizeof subtitle);
    describe_conditions(view->result, conditions, sizeof conditions);
    snprintf(footer, sizeof footer, "%u thread%s · %s · %s walked over · bytes of loads and stores alone", threads,
             threads == 1 ? "" : "s", conditions, units_binary(text, sizeof text, (double)view->working_set_bytes));
    snprintf(y_title, sizeof y_title, "Bandwidth  [%s]", distances_unit(view).name);
    curves.y_axis.title = y_title;
    doubt_names(doubtful, doubts, sizeof doubts);
    const char *notes[] = {doubts};
    const struct plot plot = {.title = title,
                              .subtitle = subtitle,
                              .note_count = doubts_any(doubtful),
                              .notes = notes,
                              .x = {.title = "Prefetched so far ahead of the access, in its own stream",
                                    .min = -0.4,
                                    .max = DISTANCES_COUNT - 0.6,
                                    .name_count = DISTANCES_COUNT,
                                    .names = curves.names},
                              .y = curves.y_axis,
                              .band_count = CURVES,
                              .bands = curves.bands,
                              .line_count = CURVES,
                              .lines = curves.lines,
                              .mark_count = 1,
                              .marks = &curves.mark,
                              .footer = footer};
    struct plot_error plot_err;
    return plot_write(&plot, path, 0, 0, &plot_err) || error_set(err, "%s", plot_err.text);
}
