/* SPDX-License-Identifier: BSD-3-Clause
 * The searches of `carmine sweep`: their commands, subjects, answers and pictures. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "bench/kernels/distances.h"
#include "bench/kernels/unroll_map.h"
#include "carm/options/cli.h"
#include "carm/options/measure_options.h"
#include "carm/session/measure.h"

struct result;

/* The commands. */
int unroll_map_command(const struct arguments *arguments, struct error *err); /* --dlp */
int distances_command(const struct arguments *arguments, struct error *err);  /* --prefetch */

/* `carmine sweep --dlp`: a measured map as text, JSON and CSV. */

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

/* `carmine sweep --prefetch`: bandwidth by distance of prefetches, as text, JSON, CSV and a picture. */

struct distances_view {
    const struct result *result; /* machine and conditions */
    const struct distances *distances;
    const char *name, *level; /* "avx512.load", "DRAM" */
    unsigned width, unroll;   /* streams × lines of each stream */
    bool searched;            /* the shape is the best of its map, not a requested one */
    uint64_t working_set_bytes;
    bool paced;
    double elapsed_s;
};

/* Prints a row for each distance, two columns for each instruction, the best marked, and the gain of the best. */
void distances_print(const struct distances_view *view, FILE *out);

/* Schema "carmine.prefetch/1". */
json_t *distances_json(const struct distances_view *view);

/* A row without prefetch, and one for each prefetch and distance. */
void distances_csv(const struct distances_view *view, FILE *out);

/* Draws a curve for each instruction into the file at `path`, whose ending sets the format. Error: the file cannot be
 * written. */
bool chart_distances(const struct distances_view *view, const char *path, struct error *err);

/* The subjects: the requested operations, as kernels of the program, and a plan of one step for
 * each. */

/* All requested kernels, at most `most`, in each named ISA, else in the widest that has the operation. Without a
 * request: the first of `defaults` (ends with NULL) that this CPU has. Returns their number. Error: none of them
 * runs here; returns 0. */
size_t subject_kernels(const struct session *session, const struct plan_options *options, const char *const *defaults,
                       const struct kernel **out, size_t most, struct error *err);

/* The plan of `carmine run` for the kernel at that level (arithmetic: ""), with the requested threads. */
bool subject_plan(const struct session *session, const struct plan_options *options, const struct kernel *kernel,
                  const char *level, struct plan *out, struct error *err);

/* Allocates buffers and finds the clock for these plans; from here on signals stop the session. */
bool subject_start(struct session *session, const struct arguments *arguments, const struct plan *const *plans,
                   size_t count, struct error *err);
