/* SPDX-License-Identifier: BSD-3-Clause
 * A result as text, JSON and CSV; the plan of a run; warnings and trust in the words that every table uses. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "screen.h"

#include "bench/kernels/plan.h"
#include "bench/programs/workload.h"
#include "carm/model/model.h"
#include "carm/model/verdict.h"
#include "carm/text/columns.h"

struct result;

/* Prints the cause and remedy of each doubt in the set. */
void report_doubts_print(struct doubts doubts, FILE *out);

/* Writes the trust in the result (trust_text() of bench/kernels/estimate.h) to `out`, cut to `size` bytes, and returns
 * `out`; "" if the result has no grade. */
char *report_trust_text(const struct result *result, char *out, size_t size);

/* Prints the steps that the plan would measure on this machine and its levels, a row each, with their number and cost;
 * `budget_s` is the whole run's. */
void plan_report_print(const struct plan *plan, const struct result *result, double budget_s, FILE *out);

/* Prints the machine, every ceiling and roof, the band and the ridge point of each level, and the warnings with their
 * remedies. `op` names the access pattern whose roof represents a level ("2ld1st"); NULL: the best of each level. */
void report_print(const struct model *model, const char *op, FILE *out);

/* The result as JSON of the schema "carmine.roofs/1"; the caller releases it. */
json_t *report_json(const struct model *model);

/* The columns of a roof, for one walk; the text table has either intervals or spread. */
void report_roof_columns(struct column_walk *to, const struct roof *roof, bool intervals);

/* A table of the view's roofs of a kind; integer ceilings have their own, because of their unit. */
void report_roofs_print(const struct model *model, const struct model_view *view, enum sample_kind kind, bool integer,
                        FILE *out);
json_t *report_roofs_json(const struct model *model);

/* Prints the roofs as CSV, a row for each. */
void report_csv(const struct model *model, FILE *out);

/* Curves of a sweep as text, CSV and JSON. The result has at least one. */

/* One screen: where each level ends, the median rate in it, and the staircase, drawn for the terminal. */
void curves_answer_print(const struct result *result, const char *staircase, const struct screen *screen);

/* A row for each size of each curve. */
void curves_print(const struct result *result, FILE *out);
void curves_csv(const struct result *result, FILE *out);

/* Schema "carmine.curves/1"; the caller releases it. */
json_t *curves_json(const struct result *result);

/* Traffic between simulated caches as text and JSON: for each point the bytes of each link, the time that it would need
 * alone and its share; and the touched memory. */

struct point_link;

/* "68.8 GB ±3 %"; without the interval if half of it is at most `wide` × the bytes. Returns `out`. */
enum { REPORT_LEVELS_BYTES = 64 };
const char *report_levels_bytes(const struct point_link *moved, double wide, char out[REPORT_LEVELS_BYTES]);

/* A table of links and one of footprints; nothing if no point has any. `verdicts`: one per point. */
void report_levels_print(const struct app_point *points, const struct verdict *verdicts, size_t count, FILE *out);

/* In JSON, at this place, the keys "links" (a list), "ceiling_seconds_alone" and "simulated" (caches, footprint, TLB
 * misses); null without a simulation. */
void report_levels_columns(struct column_walk *to, const struct link_times *times, const struct app_point *point,
                           unsigned char place);

/* Series of workloads as text: a row per size, with measurement and theory. */

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
