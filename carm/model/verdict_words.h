/* SPDX-License-Identifier: BSD-3-Clause
 * A verdict in words: the only place where tables, JSON, pictures and pages have them from. */
#ifndef CARM_VERDICT_WORDS_H
#define CARM_VERDICT_WORDS_H

#include <stddef.h>

#include "verdict.h"

enum { VERDICT_WORDS_BYTES = 1024 };

/* Sentences for people, without a full stop at the end. The point is the one that was judged. */
const char *verdict_words(const struct verdict *verdict, const struct app_point *point, char out[VERDICT_WORDS_BYTES]);

/* "L1", "DRAM", "compute"; of what waits "waiting" (it mostly had no CPU), "MPI", "kernel", and where traffic was
 * simulated "latency", "dependency" or "latency- or dependency"; "" when it is not judged, or when its level was not
 * looked at, or when it waits for what is not known. In a cell, if it is judged, "unknown" in place of "". */
const char *verdict_bound_by(const struct verdict *verdict);
const char *verdict_bound_cell(const struct verdict *verdict);

/* The level whose roof `ratio` is of, or "compute"; of what has no flop that of `bytes_ratio`; "": none. */
const char *verdict_ratio_of(const struct verdict *verdict);

/* For a cell beside that: "82 %"; "≤ 22 % of DRAM", where its level was not looked at; "2 % of compute", where that is
 * not what limits it; "" when it is not judged. */
const char *verdict_reached_cell(const struct verdict *verdict, char *out, size_t size);

/* For cells: how much of a roof is reached, "82 %"; the next roof and how many times as much it allows, "L2 ×4.1", or
 * "" where there is none; the same over what is reached now, "L2, 5.2×". */
const char *verdict_ratio_cell(double ratio, char *out, size_t size);
const char *verdict_next_cell(const struct verdict *verdict, char *out, size_t size);
const char *verdict_gain_cell(const struct verdict *verdict, const struct app_point *point, char *out, size_t size);

/* For a page's notes on a point, "" where there is nothing to say: "memory-bound", "level not known"; "DRAM, 82 %
 * of 2.1 Gflop/s", "at most 22 % of 2.1 Gflop/s (DRAM)"; "L2 allows 8.4 Gflop/s". */
const char *verdict_zone(const struct verdict *verdict);
const char *verdict_bound_line(const struct verdict *verdict, char *out, size_t size);
const char *verdict_next_line(const struct verdict *verdict, char *out, size_t size);

/* Beside a marker: "DRAM 82 %", of what binds and how much of it is reached there; "≤ 22 % of DRAM"
 * where that level was not looked at; "not judged". */
const char *verdict_mark(const struct verdict *verdict, const char *by, double ratio, bool at_most, char *out,
                         size_t size);

#endif
