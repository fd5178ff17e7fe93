/* SPDX-License-Identifier: BSD-3-Clause
 * A verdict in words: the only source for tables, JSON, pictures and pages. */
#pragma once

#include <stddef.h>

#include "verdict.h"
#include "carm/text/next_step.h"

enum { VERDICT_WORDS_BYTES = 1024 };

/* Sentences for people, without a full stop at the end. The point is the one that was judged. */
const char *verdict_words(const struct verdict *verdict, const struct app_point *point, char out[VERDICT_WORDS_BYTES]);

/* It had no CPU for much of its time, because other programs had it. */
bool verdict_is_delayed(const struct verdict *verdict);

/* The command that would say more of it: NEXT_NOTHING, NEXT_RUN, NEXT_CORE, NEXT_LOOPS or NEXT_LEVELS. `loops`: its
 * program was examined by loops. */
enum next_id verdict_next(const struct verdict *verdict, const struct app_point *point, bool loops);

/* "L1", "DRAM", "compute"; for a waiting program "waiting" (it mostly had no CPU), "MPI" or "kernel", and with
 * simulated traffic "latency", "dependency" or "latency- or dependency"; "instruction" by the accounts of its loops.
 * "": not judged, level unknown, or an unknown wait. For a loop the part that binds it: "chain", "ports", "renaming",
 * "divider", "fetch", "latency", or a link. In a cell: "chain of vaddsd"; "unknown" in place of "" if it is judged. */
const char *verdict_bound_by(const struct verdict *verdict);
const char *verdict_bound_cell(const struct verdict *verdict);
const char *verdict_work_cell(const struct verdict *verdict); /* of work without flop, the level of its bytes */

/* The level of the roof of `ratio` (without flop, of `bytes_ratio`), or "compute"; "": none. */
const char *verdict_ratio_of(const struct verdict *verdict);

/* For the cell beside it: "82 %"; "≤ 22 % of DRAM" if the level is unknown; "2 % of compute" if that does not limit it;
 * "": not judged. */
const char *verdict_reached_cell(const struct verdict *verdict, char *out, size_t size);

/* For cells: the reached share of a roof, "82 %"; the next roof and its gain over the binding roof, "L2 ×4.1", or "" if
 * there is none; its gain over the reached value, "L2, 5.2×". */
const char *verdict_ratio_cell(double ratio, char *out, size_t size);
const char *verdict_next_cell(const struct verdict *verdict, char *out, size_t size);
const char *verdict_gain_cell(const struct verdict *verdict, const struct app_point *point, char *out, size_t size);

/* For a page's notes on a point, "" if there are none: "memory-bound", "level not known"; "DRAM, 82 % of 2.1 Gflop/s",
 * "at most 22 % of 2.1 Gflop/s (DRAM)", "chain of mulsd: 7 of 7.1 cycles"; "L2 allows 8.4 Gflop/s". */
const char *verdict_zone(const struct verdict *verdict);
const char *verdict_bound_line(const struct verdict *verdict, char *out, size_t size);
const char *verdict_next_line(const struct verdict *verdict, char *out, size_t size);

/* Beside a marker: "DRAM 82 %", the binding roof and its reached share; "≤ 22 % of DRAM" if the level is unknown; "not
 * judged". */
const char *verdict_mark(const struct verdict *verdict, const char *by, double ratio, bool at_most, char *out,
                         size_t size);
