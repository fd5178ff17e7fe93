/* SPDX-License-Identifier: BSD-3-Clause
 * What vendors state of single CPU models, beyond their microarchitecture: the memory, and 512-bit FMA units. Models
 * are found by their name in the brand; the first row that fits applies. A hypervisor that hides the name ("AMD EPYC
 * Processor") hides the model. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Models of one series with the same memory. */
struct product {
    const char *series;            /* the brand up to the model's name: "Intel(R) Xeon(R) Gold" */
    const char *models;            /* names, separated by blanks: "6126 6126F" */
    unsigned memory_channels;      /* of a package */
    double memory_transfers_per_s; /* of each, with the fastest modules that the vendor states */
    const char *memory;            /* "DDR4-2666" */
    const char *source;
};

/* The models of an architecture; those of all are in every build. */
struct product_list {
    const struct product *rows;
    size_t count;
};
extern const struct product_list product_x86, product_aarch64;

/* Row by row; NULL after the last. */
const struct product *product_at(size_t index);

/* Models whose cores have so many 512-bit FMA units; the first row that fits applies. */
struct product_units {
    const char *series, *models; /* as above; '?' is any digit, '*' at the end any letters */
    unsigned wide_fma_units;
    const char *source;
};

extern const struct product_units product_units_table[];
extern const size_t product_units_count;

/* The row of a brand; NULL: the brand names no model of the table. */
const struct product *product_find(const char *brand);

/* 512-bit FMA units of a core of Skylake-SP and Cascade Lake, where models differ: 1 or 2; 0: the brand does not tell.
 */
unsigned product_wide_fma_units(const char *brand);
