/* SPDX-License-Identifier: BSD-3-Clause
 * A histogram of a workload's times: the repetitions of each point by their time over its median, as an outline. */
#include "chart.h"
#include "chart_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/programs/app_point.h"
#include "carm/store/results.h"
#include "probe/error.h"
#include "probe/need.h"
#include "render/page/palette.h"
#include "render/page/units.h"

enum { MAX_OUTLINES = 6, BINS = 40, VERTICES = 2 * BINS + 2, LABEL_BYTES = 128 };
static const double FARTHEST = 2; /* times the median; longer times are counted in the label */

/* Storage of the picture. */
struct histogram {
    size_t count, left_out; /* points drawn, and points without room */
    const struct app_point *points[MAX_OUTLINES];
    double low, high; /* of the axis: times the median */
    double x[MAX_OUTLINES][VERTICES], y[MAX_OUTLINES][VERTICES], most;
    char labels[MAX_OUTLINES][LABEL_BYTES], sublabels[MAX_OUTLINES][LABEL_BYTES];
    struct plot_line lines[MAX_OUTLINES];
};

static double relative_of(const struct app_point *point, unsigned i) {
    return point->repetitions[i].seconds / point->seconds.median;
}

static void collect_repeated(struct histogram *h, const struct result *result, const struct chart_options *options) {
    h->low = 1, h->high = 1;
    for (size_t i = 0; i < result->point_count; i++) {
        const struct app_point *point = &result->points[i];
        if (point->repetition_count < BOOTSTRAP_LEAST || !(point->seconds.median > 0) ||
            !points_chosen(point, options) || (options->threads && options->threads != point->threads))
            continue;
        if (h->count == MAX_OUTLINES) {
            h->left_out++;
            continue;
        }
        h->points[h->count++] = point;
        for (unsigned r = 0; r < point->repetition_count; r++) {
            h->low = fmin(h->low, relative_of(point, r));
            h->high = fmax(h->high, fmin(relative_of(point, r), FARTHEST));
        }
    }
    const double margin = fmax(0.02 * (h->high - h->low), 1e-4);
    h->low -= margin, h->high += margin;
}

/* Adds a step per bin. Returns how many repetitions are beyond the axis. */
static unsigned draw_outline(struct histogram *h, size_t n) {
    const struct app_point *point = h->points[n];
    const double width = (h->high - h->low) / BINS;
    unsigned counts[BINS] = {0}, beyond = 0;
    for (unsigned r = 0; r < point->repetition_count; r++) {
        const double at = (relative_of(point, r) - h->low) / width;
        if (at < BINS)
            counts[(size_t)fmax(at, 0)]++;
        else
            beyond++;
    }
    double *x = h->x[n], *y = h->y[n];
    size_t v = 0;
    x[v] = h->low, y[v++] = 0;
    for (size_t b = 0; b < BINS; b++) {
        x[v] = h->low + (double)b * width, y[v++] = counts[b];
        x[v] = h->low + (double)(b + 1) * width, y[v++] = counts[b];
        h->most = fmax(h->most, counts[b]);
    }
    x[v] = h->high, y[v++] = 0;
    return beyond;
}

static void add_outline(struct histogram *h, size_t n) {
    const struct plot_color COLORS[MAX_OUTLINES] = {PALETTE_BLUE,   PALETTE_VERMILLION, PALETTE_GREEN,
                                                    PALETTE_VIOLET, PALETTE_ORANGE,     PALETTE_BLACK};
    static const enum plot_dash DASHES[] = {PLOT_SOLID, PLOT_SOLID, PLOT_SOLID, PLOT_DASHED, PLOT_DASHED, PLOT_DASHED};
    const struct app_point *point = h->points[n];
    const struct median_interval interval = app_median_interval(point);
    const unsigned beyond = draw_outline(h, n);
    char median[UNITS_BYTES], more[48] = "";
    if (beyond > 0)
        snprintf(more, sizeof more, ", %u above %g times", beyond, FARTHEST);
    snprintf(h->labels[n], LABEL_BYTES, "%s", point->name);
    snprintf(h->sublabels[n], LABEL_BYTES, "%s −%.1f +%.1f %%, %u times%s",
             units_seconds(median, sizeof median, point->seconds.median),
             100 * (1 - interval.low / point->seconds.median), 100 * (interval.high / point->seconds.median - 1),
             point->repetition_count, more);
    h->lines[n] = (struct plot_line){.count = VERTICES,
                                     .x = h->x[n],
                                     .y = h->y[n],
                                     .color = COLORS[n],
                                     .width = 1.4,
                                     .dash = DASHES[n],
                                     .label = h->labels[n],
                                     .sublabel = h->sublabels[n],
                                     .label_place = PLOT_LABEL_LEGEND,
                                     .source = point};
}

bool chart_histogram(const struct model *model, const struct chart_options *options, const char *path,
                     struct error *err) {
    struct histogram *h = need_calloc(1, sizeof *h);
    collect_repeated(h, model->result, options);
    if (h->count == 0) {
        free(h);
        return error_set(err,
                         "the result holds no workload with times of %d repetitions: `carmine workload "
                         "--repeat 100 NAME -o FILE` measures some",
                         BOOTSTRAP_LEAST);
    }
    for (size_t n = 0; n < h->count; n++)
        add_outline(h, n);
    char left_out[96];
    const char *notes[] = {left_out};
    snprintf(left_out, sizeof left_out, "no room for %zu more points: --point chooses which to draw", h->left_out);
    const struct plot_mark one = {.vertical = true, .at = 1, .color = PALETTE_GREY, .dash = PLOT_DOTTED};
    const struct plot plot = {
        .note_count = h->left_out > 0,
        .notes = notes,
        .x = {.title = "Time / median", .min = h->low, .max = h->high},
        .y = {.title = "Repetitions", .unit = PLOT_UNIT_COUNT, .min = 0, .max = 1.08 * h->most},
        .line_count = h->count,
        .lines = h->lines,
        .mark_count = 1,
        .marks = &one,
        .footer = "Repetitions by their time. Beside the name: the median, its range in 95 of 100 cases "
                  "(bootstrap), and the number of repetitions.",
    };
    const bool done = chart_write_titled(&plot, model->result, "repetitions by their time", options, path, err);
    free(h);
    return done;
}
