/* SPDX-License-Identifier: BSD-3-Clause
 * The arithmetic of compute kernels: one row per operation. The generator, the assembler, the plan and the help of
 * --mix use the table. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { ARITHMETIC_MAX_ORDERS = 5 };

/* One letter per operation, in execution order: a(dd), m(ultiply), f(used), t(erms, fused, added to a sum), d(ivide),
 * s(quare root), p(roducts), x (products of matrices), o(uter products); only for integers: l(eft and right shifts),
 * e(qual), g(reater), c(ompare, which sets flags). */
struct arithmetic_order {
    const char *parts;
    const char *owners; /* the letters that own the accumulators, in turn; NULL: same as parts. A letter that owns none
                           accumulates nothing */
};

struct arithmetic {
    const char *op;    /* "add2mul": last part of the kernel's name */
    const char *label; /* in words; NULL: the op in capitals */
    enum arithmetic_sort { PLAIN, FUSED, DOT, INTEGER } sort;
    bool on_request;       /* measured only by name: it is far below every ceiling, or equals another */
    bool quick;            /* quick runs also measure it for types beyond f64 and f32 */
    bool peak;             /* what vendors call the peak of a type */
    bool drawn;            /* charts draw its ceiling beside the peak: code without FMA */
    const char *assembled; /* the parts of kernels assembled at run time; NULL: none */
    struct arithmetic_order
        orders[ARITHMETIC_MAX_ORDERS]; /* of the generated variants; a row without parts ends the list */
};
extern const struct arithmetic arithmetic_table[];
extern const size_t arithmetic_count;

/* The operation named `op`; NULL: none. */
const struct arithmetic *arithmetic_find(const char *op);

/* Whether all of its instructions are of one operation. */
bool arithmetic_is_single(const struct arithmetic *arithmetic);

/* Whether a kernel, such as "avx2.f64.fma", measures what vendors call the peak of its type. */
bool arithmetic_is_peak(const char *kernel);
