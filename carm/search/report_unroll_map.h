/* SPDX-License-Identifier: BSD-3-Clause
 * `carmine sweep --dlp`: a measured map as text, JSON and CSV. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "bench/kernels/unroll_map.h"

struct result;

struct unroll_map_view {
    const struct result *result; /* machine and conditions */
    const struct unroll_map *map;
    const char *name;            /* "avx512.f64.fma" */
    const char *level;           /* "L1"; "" for arithmetic */
    double documented_per_cycle; /* 0: unknown */
    double elapsed_s;
};

/* Prints the cells as a table, the winner marked, and conclusions. */
void unroll_map_print(const struct unroll_map_view *view, FILE *out);

/* Schema "carmine.surface/1". */
json_t *unroll_map_json(const struct unroll_map_view *view);

/* Several maps, a row each: the best, the documented value, the fewest that are enough, the latency. The JSON's
 * schema is "carmine.surfaces/1": a list of maps. */
void unroll_map_list_print(const struct unroll_map_view *views, size_t count, FILE *out);
json_t *unroll_map_list_json(const struct unroll_map_view *views, size_t count);

/* A row for each measured cell of each map. */
void unroll_map_csv(const struct unroll_map_view *views, size_t count, FILE *out);

/* "flop/cycle" or "byte/cycle". */
const char *unroll_map_unit(const struct unroll_map *map);

/* Decimals needed to tell the cells apart. */
int unroll_map_decimals(const struct unroll_map *map);

/* For a map of one kind of instruction: its latency, from one accumulator, and its throughput per cycle, from the
 * winner. False: the map shows neither. */
bool unroll_map_latency(const struct unroll_map *map, double *latency_cycles, double *per_cycle);
