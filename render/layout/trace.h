/* SPDX-License-Identifier: BSD-3-Clause
 * A curve on the page: data turned into points of a frame, broken at NaN, clipped to the frame. Pure. */
#pragma once

#include "render/page/page.h"

struct stop {
    struct vec at;
    bool begins; /* no line leads here from the previous stop */
};

struct trace {
    size_t count, capacity;
    struct stop *stops;
};

/* The place of a data point if the plot area is this frame; a member is NaN if it has no logarithm. */
struct vec trace_point(const struct plot *plot, const struct frame *frame, double x, double y);

/* The places of `count` data points, x[i] and y[i] in the units of the axes, as stops on the page, clipped to the
 * frame. False: no memory; call trace_free() in any case. */
bool trace_make(struct trace *trace, const struct plot *plot, const struct frame *frame, size_t count, const double *x,
                const double *y);
void trace_free(struct trace *trace);

/* The straight run that begins at stop `first`: all following segments that keep their direction. Returns its last
 * stop, or `first` if no segment begins there. */
size_t trace_run(const struct trace *trace, size_t first);
