/* SPDX-License-Identifier: BSD-3-Clause
 * `carmine sweep --dlp`: a measured map as text and as JSON. */
#ifndef CARM_REPORT_UNROLL_MAP_H
#define CARM_REPORT_UNROLL_MAP_H

#include <jansson.h>
#include <stdio.h>

#include "bench/kernels/unroll_map.h"
#include "carm/store/results.h"

struct unroll_map_view {
    const struct result *result; /* machine and conditions */
    const struct unroll_map *map;
    const char *name;            /* "avx512.f64.fma" */
    const char *level;           /* "L1"; "" for arithmetic */
    double documented_per_cycle; /* 0: not known */
    double elapsed_s;
};

/* The cells as a table, the winner marked, and what they say. */
void unroll_map_print(const struct unroll_map_view *view, FILE *out);

/* Schema "carmine.surface/1". */
json_t *unroll_map_json(const struct unroll_map_view *view);

/* Several, a row each: the best, what is documented, how few are enough, the latency. The JSON's schema is
 * "carmine.surfaces/1": a list of the above. */
void unroll_map_list_print(const struct unroll_map_view *views, size_t count, FILE *out);
json_t *unroll_map_list_json(const struct unroll_map_view *views, size_t count);

/* "flop/cycle" or "byte/cycle". */
const char *unroll_map_unit(const struct unroll_map *map);

/* Digits behind the point that tell the cells apart. */
int unroll_map_decimals(const struct unroll_map *map);

/* What the map says of the core where it is of one sort of instruction: its latency, from one accumulator, and how
 * many it starts per cycle, from the winner. False where it says nothing of the kind. */
bool unroll_map_latency(const struct unroll_map *map, double *latency_cycles, double *per_cycle);

#endif
