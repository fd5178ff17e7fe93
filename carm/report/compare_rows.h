/* SPDX-License-Identifier: BSD-3-Clause
 * Tables with a row for a roof and columns for the sides of a comparison: the values of each and their ratios to the
 * base; of more sides than COMPARE_COLUMNS the range of the ratios. */
#ifndef CARM_REPORT_COMPARE_ROWS_H
#define CARM_REPORT_COMPARE_ROWS_H

#include "carm/compare/compare.h"
#include "carm/text/columns.h"

/* A table being filled; columns_print(&rows.to, …) prints it. */
struct compare_rows {
    struct column_walk to;
    const struct comparison *of;
    enum compare_per per;
    const char *second; /* the heading of the second column */
    bool named_by_second;
};

/* Values are divided as `per` says. Where a terminal has no room the doubts go first, then the second column unless
 * rows are named by it, then values; ratios stay. */
struct compare_rows compare_rows_begin(const struct comparison *comparison, enum compare_per per, const char *second,
                                       bool named_by_second);

/* A row behind the two texts. */
void compare_rows_add(struct compare_rows *rows, const struct compare_row *row, const char *first, const char *second);

/* Writes "f64 peak", "DRAM bandwidth", "L1 latency" to `out`, and returns it. */
const char *compare_headline_name(const struct compare_row *row, char *out, size_t size);

#endif
