/* SPDX-License-Identifier: BSD-3-Clause
 * `carmine sweep --dlp`: a measured surface as text and as JSON. */
#ifndef CARM_REPORT_SURFACE_H
#define CARM_REPORT_SURFACE_H

#include <jansson.h>
#include <stdio.h>

#include "bench/run/surface.h"
#include "carm/store/results.h"

struct surface_view {
    const struct result *result; /* machine and conditions */
    const struct surface *surface;
    const char *name;            /* "avx512.f64.fma" */
    const char *level;           /* "L1"; "" for arithmetic */
    double documented_per_cycle; /* 0: not known */
    double elapsed_s;
};

/* The cells as a table, the winner marked, and what they say. */
void surface_print(const struct surface_view *view, FILE *out);

/* Schema "carmine.surface/1". */
json_t *surface_json(const struct surface_view *view);

/* Several, a row each: the best, what is documented, how few are enough, the latency. The JSON's schema is
 * "carmine.surfaces/1": a list of the above. */
void surface_list_print(const struct surface_view *views, size_t count, FILE *out);
json_t *surface_list_json(const struct surface_view *views, size_t count);

/* "flop/cycle" or "byte/cycle"; "accumulators (DLP)" or "streams". */
const char *surface_unit(const struct surface *surface);
const char *surface_width_name(const struct surface *surface);

/* Digits behind the point that tell the cells apart. */
int surface_decimals(const struct surface *surface);

/* What the surface says of the core where it is of one sort of instruction: its latency, from one accumulator, and how
 * many it starts per cycle, from the winner. False where it says nothing of the kind. */
bool surface_latency(const struct surface *surface, double *latency_cycles, double *per_cycle);

#endif
