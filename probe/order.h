/* SPDX-License-Identifier: BSD-3-Clause
 * What qsort() is told to sort numbers by. */
#ifndef PROBE_ORDER_H
#define PROBE_ORDER_H

/* Doubles, rising. */
static inline int order_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#endif
