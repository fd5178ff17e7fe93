/* SPDX-License-Identifier: BSD-3-Clause
 * Comparison functions of numbers for qsort(). */
#pragma once

/* Doubles, ascending. */
static inline int order_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
