/* SPDX-License-Identifier: BSD-3-Clause
 * The clock's history: a line per kind of load. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "bench/run/clockcheck.h"
#include "render/page/palette.h"
#include "render/page/plot.h"
#include "chart_clock.h"
#include "carm/marks/chart_parts.h"

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

bool chart_clock(const struct clock_history *history, const char *cpu, const char *path, struct error *err) {
    const struct plot_color colors[] = {PALETTE_GREY,       PALETTE_SKY,    PALETTE_BLUE,   PALETTE_GREEN,
                                        PALETTE_VERMILLION, PALETTE_PURPLE, PALETTE_ORANGE, PALETTE_BLACK};
    struct plot_line lines[CLOCKCHECK_MAX_LOADS];
    char labels[CLOCKCHECK_MAX_LOADS][LABEL_BYTES], title[160];
    size_t size = 2 * (DRAWN_POINTS + 2), line_count = 0;
    double *storage = calloc(2 * size * CLOCKCHECK_MAX_LOADS, sizeof *storage), low = DBL_MAX, high = 0, end = 0;
    for (unsigned i = 0; i < history->load_count; i++) {
        const struct clock_load *load = &history->loads[i];
        double *x = storage + 2 * size * i, *y = x + size;
        size_t count = trace(history, i, x, y);
        for (size_t k = 0; k < count; k++)
            if (!isnan(y[k])) {
                low = fmin(low, y[k]);
                high = fmax(high, y[k]);
                end = fmax(end, x[k]);
            }
        snprintf(labels[i], LABEL_BYTES, "%s, %.2f GHz%s", load->name, load->slices_hz / 1e9,
                 load->throttled ? " ▲ throttled" : "");
        if (count > 1)
            lines[line_count++] = (struct plot_line){.count = count,
                                                     .x = x,
                                                     .y = y,
                                                     .color = colors[i],
                                                     .width = 1.6,
                                                     .label = labels[i],
                                                     .label_place = PLOT_LABEL_LEGEND};
    }
    bool done = false;
    if (line_count == 0) {
        error_set(err, "too few readings of the clock agree to draw them; follow it longer with --seconds");
    } else {
        snprintf(title, sizeof title, "%s · core clock under load", cpu);
        struct plot plot = {
            .title = title,
            .subtitle = "read straight after bursts of 0.3 ms; the label's figure is the median",
            .x = {.title = "Time  [s]", .scale = PLOT_LINEAR, .min = 0, .max = end > 0 ? end : 1},
            .y = {.title = "Core clock  [GHz]",
                  .scale = PLOT_LINEAR,
                  .min = low * 0.97,
                  .max = high * 1.02,
                  .divisor = 1e9},
            .line_count = line_count,
            .lines = lines,
        };
        struct plot_error plot_err;
        done = plot_write(&plot, path, 0, 400, &plot_err) || error_set(err, "%s", plot_err.text);
    }
    free(storage);
    return done;
}
