/* SPDX-License-Identifier: BSD-3-Clause
 * Kernels assembled at run time, with any accumulators × unroll or streams × unroll: far too many to generate at build
 * time. Each is decoded and proven before it is returned. */
#pragma once

#include "assemble_pages.h"
#include "kernel.h"

struct error;

/* What to assemble. `width` is the parallelism: accumulators of arithmetic, or streams of an access pattern. */
struct recipe {
    const struct isa *isa;
    enum element_type type; /* TYPE_F64, TYPE_F32; TYPE_NONE for memory */
    const char *op;         /* "fma", "2ld1st"; not an order such as "maam" */
    unsigned width, unroll;
    struct prefetch prefetch; /* only for memory patterns */
};

/* "12x4", "1x32 t0+512". */
void assemble_variant(const struct recipe *recipe, char *out, size_t size);

/* One kernel in pages of its own. */
struct assembled {
    struct kernel kernel;
    char name[48], variant[16]; /* "12x4"; "1x32 t0+512": prefetches 512 bytes ahead */
    struct pages pages;
};

/* Whether this ISA has the operation, and its kind. KERNEL_COMPUTE needs a type. */
bool assemble_knows(const struct isa *isa, const char *op, enum kernel_kind *kind);

/* The most accumulators that fit the ISA's registers beside the constants; for memory the most streams. */
unsigned assemble_width_max(const struct isa *isa, const char *op);

/* False for a body that is longer than a core's instruction caches are made for. */
bool assemble_fits(const struct recipe *recipe);

/* Bytes of the buffer per iteration; 0 for arithmetic. */
unsigned assemble_block_bytes(const struct recipe *recipe);

/* Errors: no executable memory (with the remedy); the encoder refuses; the machine code differs from the counted
 * cost. */
bool assemble_kernel(const struct recipe *recipe, struct assembled *out, struct error *err);
void assemble_free(struct assembled *assembled);
