/* SPDX-License-Identifier: BSD-3-Clause
 * The picture of `carmine sweep --prefetch`: bandwidth over distance, a curve for each instruction. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "bench/kernels/distances.h"

struct result;

/* `carmine sweep --prefetch`: bandwidth by distance of prefetches, as text, JSON and CSV. */

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

/* Draws into the file at `path`, whose ending sets the format. Error: the file cannot be written. */
bool chart_distances(const struct distances_view *view, const char *path, struct error *err);
