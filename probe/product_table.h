/* SPDX-License-Identifier: BSD-3-Clause
 * The rows behind product_wide_fma_units(). Private to product.c. */
#ifndef PROBE_PRODUCT_TABLE_H
#define PROBE_PRODUCT_TABLE_H

#include <stddef.h>

/* Models whose cores have so many 512-bit FMA units; the first row that fits applies. */
struct product_units {
    const char *series, *models; /* as in struct product; '?' is any digit, '*' at the end any letters */
    unsigned wide_fma_units;
    const char *source;
};

extern const struct product_units product_units_table[];
extern const size_t product_units_count;

#endif
