/* SPDX-License-Identifier: BSD-3-Clause
 * The clock's history: a line per kind of load. */
#include "chart_clock.h"
#include "chart_parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "bench/kernels/clockcheck.h"
#include "probe/need.h"
#include "render/page/palette.h"
#include "render/page/plot.h"

enum { DRAWN_POINTS = 500, LABEL_BYTES = 96 }; /* of each load: more would only make the file larger */

/* The load's clock over time, thinned; a gap where another load ran. Returns how many vertices. */
static size_t trace(const struct clock_history *history, unsigned load, double *x, double *y) {
    size_t count = 0, stride = history->count / DRAWN_POINTS + 1;
    bool gap = true;
    for (size_t i = 0; i < history->count; i += stride) {
        const struct clock_point *point = &history->points[i];
        bool other = point->load != load;
        if (other ? !gap : point->slices_hz > 0) { /* a reading that did not agree with itself is no gap */
            x[count] = other ? NAN : point->at_s;
            y[count++] = other ? NAN : point->slices_hz;
        }
        gap = other || (gap && point->slices_hz == 0);
    }
    return count;
}

/* The lines of all loads, and how far they reach. */
struct clock_lines {
    size_t count;
    struct plot_line lines[CLOCKCHECK_MAX_LOADS];
    char labels[CLOCKCHECK_MAX_LOADS][LABEL_BYTES];
    double low, high, end;
};

/* `x` and `y` have room for a load's vertices. */
static void add_line(struct clock_lines *out, const struct clock_history *history, unsigned load, double *x,
                     double *y) {
    const struct plot_color colors[] = {PALETTE_GREY,       PALETTE_SKY,    PALETTE_BLUE,   PALETTE_GREEN,
                                        PALETTE_VERMILLION, PALETTE_PURPLE, PALETTE_ORANGE, PALETTE_BLACK};
    const struct clock_load *of = &history->loads[load];
    const size_t count = trace(history, load, x, y);
    for (size_t k = 0; k < count; k++)
        if (!isnan(y[k])) {
            out->low = fmin(out->low, y[k]);
            out->high = fmax(out->high, y[k]);
            out->end = fmax(out->end, x[k]);
        }
    snprintf(out->labels[load], LABEL_BYTES, "%s, %.2f GHz%s", of->name, of->slices_hz / 1e9,
             of->throttled ? " ▲ throttled" : "");
    if (count > 1)
        out->lines[out->count++] = (struct plot_line){.count = count,
                                                      .x = x,
                                                      .y = y,
                                                      .color = colors[load],
                                                      .width = 1.6,
                                                      .label = out->labels[load],
                                                      .label_place = PLOT_LABEL_LEGEND};
}

static bool draw(const struct clock_lines *lines, const char *cpu, const char *path, struct error *err) {
    char title[160];
    if (lines->count == 0)
        return error_set(err, "too few readings of the clock agree to draw them; follow it longer with --seconds");
    snprintf(title, sizeof title, "%s · core clock under load", cpu);
    struct plot plot = {
        .title = title,
        .subtitle = "read straight after bursts of 0.3 ms; the label's figure is the median",
        .x = {.title = "Time  [s]", .scale = PLOT_LINEAR, .min = 0, .max = lines->end > 0 ? lines->end : 1},
        .y = {.title = "Core clock  [GHz]",
              .scale = PLOT_LINEAR,
              .min = lines->low * 0.97,
              .max = lines->high * 1.02,
              .divisor = 1e9},
        .line_count = lines->count,
        .lines = lines->lines,
    };
    struct plot_error plot_err;
    return plot_write(&plot, path, 0, 400, &plot_err) || error_set(err, "%s", plot_err.text);
}

bool chart_clock(const struct clock_history *history, const char *cpu, const char *path, struct error *err) {
    const size_t size = 2 * (DRAWN_POINTS + 2);
    double *storage = need_calloc(2 * size * CLOCKCHECK_MAX_LOADS, sizeof *storage);
    struct clock_lines lines = {.low = DBL_MAX};
    for (unsigned i = 0; i < history->load_count; i++) {
        double *x = storage + 2 * size * i, *y = x + size;
        add_line(&lines, history, i, x, y);
    }
    const bool done = draw(&lines, cpu, path, err);
    free(storage);
    return done;
}
