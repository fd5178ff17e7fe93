/* SPDX-License-Identifier: BSD-3-Clause
 * Data to curves on the page. */
#include "trace.h"
#include "ticks.h"

#include <math.h>
#include <stdlib.h>

struct vec trace_point(const struct plot *plot, const struct frame *frame, double x, double y) {
    double u = axis_position(&plot->x, x), v = axis_position(&plot->y, y);
    return (struct vec){frame->left + u * (frame->right - frame->left),
                        frame->bottom - v * (frame->bottom - frame->top)};
}

static bool push(struct trace *trace, struct vec at, bool begins) {
    void *items = trace->stops;
    if (!array_grow(&items, &trace->capacity, trace->count, sizeof *trace->stops))
        return false;
    trace->stops = items;
    trace->stops[trace->count++] = (struct stop){at, begins};
    return true;
}

bool trace_make(struct trace *trace, const struct plot *plot, const struct frame *frame, size_t count, const double *x,
                const double *y) {
    *trace = (struct trace){0};
    for (size_t i = 1; i < count; i++) {
        struct vec a = trace_point(plot, frame, x[i - 1], y[i - 1]), b = trace_point(plot, frame, x[i], y[i]);
        if (!isfinite(a.x) || !isfinite(a.y) || !isfinite(b.x) || !isfinite(b.y) || !frame_clip(frame, &a, &b))
            continue;
        const struct stop *last = trace->count ? &trace->stops[trace->count - 1] : NULL;
        if ((!last || last->at.x != a.x || last->at.y != a.y) && !push(trace, a, true))
            return false;
        if (!push(trace, b, false))
            return false;
    }
    return true;
}

void trace_free(struct trace *trace) {
    free(trace->stops);
    *trace = (struct trace){0};
}

size_t trace_run(const struct trace *trace, size_t first) {
    const double same_direction = 0.01; /* radians: half a point over a label's length stays on the line */
    size_t last = first;
    double direction = NAN;
    for (size_t i = first + 1; i < trace->count && !trace->stops[i].begins; i++) {
        struct vec a = trace->stops[first].at, b = trace->stops[i].at;
        struct vec before = trace->stops[i - 1].at;
        double overall = atan2(b.y - a.y, b.x - a.x), here = atan2(b.y - before.y, b.x - before.x);
        if (isnan(direction))
            direction = here;
        if (fabs(overall - direction) > same_direction || fabs(here - direction) > same_direction)
            break;
        last = i;
    }
    return last;
}
