/* SPDX-License-Identifier: BSD-3-Clause
 * Tables with a row for a roof and columns for the sides of a comparison: the values of each and their ratios to the
 * base; of more sides than COMPARE_COLUMNS the range of the ratios. */
#ifndef CARM_COMPARE_ROWS_H
#define CARM_COMPARE_ROWS_H

#include "carm/compare/compare.h"
#include "carm/text/table.h"

/* What a table's columns look like; it lives as long as the table. */
struct compare_shape {
    char alignment[TABLE_MAX_COLUMNS + 1], order[TABLE_MAX_COLUMNS + 1];
};

/* The table with its heading, whose first two columns are called `first` and `second`. Where a terminal has no room the
 * doubts go first, then the second column unless rows are named by it, then values; ratios stay. */
struct table compare_rows_begin(const struct comparison *comparison, struct compare_shape *shape, const char *first,
                                const char *second, bool named_by_second);

/* A row, with values divided as `per` says, behind the two texts. */
void compare_rows_add(struct table *table, const struct comparison *comparison, const struct compare_row *row,
                      enum compare_per per, const char *first, const char *second);

/* Writes "f64 peak", "DRAM bandwidth", "L1 latency" to `out`, and returns it. */
const char *compare_headline_name(const struct compare_row *row, char *out, size_t size);

#endif
