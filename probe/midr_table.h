/* SPDX-License-Identifier: BSD-3-Clause
 * The rows behind midr.h. Private to midr.c. */
#pragma once

#include <stddef.h>

struct midr_vendor {
    unsigned implementer;
    const char *name; /* of struct cpu_identity */
};

struct midr_part {
    unsigned implementer, part;
    const char *name;    /* of the core */
    const char *product; /* if the part number tells it; else NULL */
};

/* A product that the part and the firmware's words tell together; the first row that fits applies. */
struct midr_product {
    unsigned implementer, part;
    const char *platform; /* a part of midr_platform() */
    const char *name;
};

struct midr_caches {
    const char *brand; /* of struct cpu_identity, or its begin */
    unsigned line_bytes;
    struct {
        unsigned kib, ways, sharing_pu_count; /* ways 0: not documented */
    } levels[3];
};

enum { MIDR_ALL_CORES = 4096 }; /* share a cache */

/* Up to a row without a name. */
extern const struct midr_vendor midr_vendor_table[];
extern const struct midr_part midr_part_table[];
extern const struct midr_product midr_product_table[];
extern const struct midr_caches midr_caches_table[];
