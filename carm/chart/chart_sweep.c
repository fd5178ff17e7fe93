/* SPDX-License-Identifier: BSD-3-Clause
 * The staircase: bandwidth or latency against the working set, with marks at the caches' sizes. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carm/store/results.h"
#include "probe/error.h"
#include "render/page/palette.h"
#include "render/page/plot.h"
#include "render/page/units.h"
#include "chart.h"
#include "probe/need.h"

enum { MAX_CURVES = 12, LABEL_BYTES = 128 };

struct staircase {
    size_t count;
    struct plot_line lines[MAX_CURVES];
    double *storage[MAX_CURVES];
    char labels[MAX_CURVES][LABEL_BYTES];
    struct plot_axis x, y;
    struct plot_mark marks[CHART_MAX_MARKS];
    char mark_labels[CHART_MAX_MARKS][CHART_MARK_BYTES];
};

/* The value of a curve's point. Per cycle: of its own clock, of all threads together or of one core as requested;
 * NaN if the clock is unknown. */
static double value_of(const struct curve *curve, const struct curve_point *point,
                       const struct chart_options *options) {
    unsigned threads = curve->kind == SAMPLE_LATENCY || options->per_core ? 1 : curve->threads;
    return !options->per_cycle ? point->value : point->per_cycle > 0 ? point->per_cycle * threads : (double)NAN;
}

static void add_curve(struct staircase *s, const struct result *result, const struct curve *curve,
                      const struct chart_options *options) {
    const struct plot_color colors[] = {PALETTE_BLUE,   PALETTE_VERMILLION, PALETTE_GREEN,
                                        PALETTE_PURPLE, PALETTE_ORANGE,     PALETTE_BLACK};
    double *x = need_calloc(2 * curve->count, sizeof *x), *y = x + curve->count;
    char pages[UNITS_BYTES + 8] = "", unit[UNITS_BYTES];
    for (size_t i = 0; i < curve->count; i++) {
        x[i] = (double)curve->points[i].working_set_bytes;
        y[i] = value_of(curve, &curve->points[i], options);
        s->x.min = fmin(s->x.min, x[i]), s->x.max = fmax(s->x.max, x[i]);
        s->y.min = fmin(s->y.min, y[i]), s->y.max = fmax(s->y.max, y[i]);
    }
    if (curve->small_pages)
        snprintf(pages, sizeof pages, ", %s pages",
                 units_binary(unit, sizeof unit, (double)machine_page_bytes(&result->machine)));
    snprintf(s->labels[s->count], sizeof s->labels[0], "%s, %u thread%s%s%s%s", curve->kernel, curve->threads,
             curve->threads == 1 ? "" : "s", *curve->core_kind ? ", " : "", curve->core_kind, pages);
    s->storage[s->count] = x;
    s->lines[s->count] = (struct plot_line){.count = curve->count,
                                            .x = x,
                                            .y = y,
                                            .color = colors[s->count % 6],
                                            .width = 1.8,
                                            .dash = s->count < 6 ? PLOT_SOLID : PLOT_DASHED,
                                            .markers = true,
                                            .label = s->labels[s->count],
                                            .label_place = PLOT_LABEL_LEGEND,
                                            .source = curve};
    s->count++;
}

static bool is_wanted(const struct curve *curve, const struct chart_options *options) {
    bool known = !options->per_cycle;
    for (size_t i = 0; i < curve->count; i++)
        known |= curve->points[i].per_cycle > 0;
    return known && curve->count > 1 && (options->threads == 0 || options->threads == curve->threads);
}

/* The axis of bandwidth or latency, in seconds or cycles. */
static struct plot_axis value_axis(enum sample_kind kind, const struct chart_options *options) {
    const bool per_cycle = options->per_cycle;
    if (kind == SAMPLE_LATENCY)
        return (struct plot_axis){.title = per_cycle ? "Latency of a load  [cycles]" : "Latency of a load",
                                  .scale = PLOT_LOG10,
                                  .unit = per_cycle ? PLOT_UNIT_NONE : PLOT_UNIT_SECONDS,
                                  .min = DBL_MAX};
    return (struct plot_axis){.title = !per_cycle          ? "Bandwidth  [GB/s]"
                                       : options->per_core ? "Bandwidth  [B per cycle and core]"
                                                           : "Bandwidth  [B/cycle of all threads]",
                              .scale = PLOT_LOG10,
                              .min = DBL_MAX,
                              .divisor = per_cycle ? 1 : 1e9};
}

static bool draw(const struct model *model, const struct chart_options *options, enum sample_kind kind,
                 const char *path, struct error *err) {
    const struct result *result = model->result;
    struct staircase s = {0};
    s.x = (struct plot_axis){
        .title = "Working set of one thread", .scale = PLOT_LOG2, .unit = PLOT_UNIT_BINARY, .min = DBL_MAX};
    s.y = value_axis(kind, options);
    for (size_t i = 0; i < result->curve_count && s.count < MAX_CURVES; i++)
        if (result->curves[i].kind == kind && is_wanted(&result->curves[i], options))
            add_curve(&s, result, &result->curves[i], options);
    if (s.count == 0)
        return error_set(err, "the result holds no %s against size%s; `carmine sweep%s -o FILE` measures it",
                         kind == SAMPLE_LATENCY ? "latency" : "bandwidth",
                         options->per_cycle ? " with a known core clock" : "",
                         kind == SAMPLE_LATENCY ? " --mix chase" : "");
    s.y.min /= 1.3, s.y.max *= 1.5;
    char note_text[CHART_MAX_NOTES][CHART_NOTE_BYTES];
    const char *notes[CHART_MAX_NOTES];
    struct plot plot = {.note_count = chart_notes(result, NULL, 0, note_text, notes),
                        .notes = notes,
                        .x = s.x,
                        .y = s.y,
                        .line_count = s.count,
                        .lines = s.lines,
                        .mark_count = chart_cache_marks(&result->levels[0], s.marks, s.mark_labels),
                        .marks = s.marks};
    const char *what = kind == SAMPLE_LATENCY ? "latency against size" : "bandwidth against size";
    bool done = chart_write_titled(&plot, result, what, options, path, err);
    for (size_t i = 0; i < s.count; i++)
        free(s.storage[i]);
    return done;
}

bool chart_sweep(const struct model *model, const struct chart_options *options, const char *path, struct error *err) {
    return draw(model, options, SAMPLE_BANDWIDTH, path, err);
}

bool chart_latency(const struct model *model, const struct chart_options *options, const char *path,
                   struct error *err) {
    return draw(model, options, SAMPLE_LATENCY, path, err);
}
