/* SPDX-License-Identifier: BSD-3-Clause
 * Series of workloads as text: a row per size, with measurement and theory. */
#pragma once

#include <stdio.h>

#include "bench/programs/workload.h"
#include "carm/model/model.h"

/* Prints the `count` points of one series, a row for each size. Prints nothing where there are none. */
void report_workload_print(const struct model *model, const struct app_point *points, size_t count, FILE *out);

/* Prints notes about them, a line each: the code, the numbers of runs, the simulation. */
void report_workload_notes_print(const struct workload_request *request, const struct workload_outcome *outcomes,
                                 size_t count, FILE *out);

/* Counted flop, or bytes that the core requests, over theory; 1 if there are none and should be none, NaN without a
 * theory. */
double report_workload_flop_ratio(const struct app_point *point);
double report_workload_bytes_ratio(const struct app_point *point);

/* Bytes read from DRAM, written to it, or both, over the compulsory ones; NaN if either is unknown. */
double report_workload_read_ratio(const struct app_point *point);
double report_workload_write_ratio(const struct app_point *point);
double report_workload_dram_ratio(const struct app_point *point);
