/* SPDX-License-Identifier: BSD-3-Clause
 * The arithmetic of compute kernels: all that is said of an operation stands in its row. The generator, the assembler,
 * the plan and the help of --mix walk the table. */
#ifndef ASM_ARITHMETIC_H
#define ASM_ARITHMETIC_H

#include <stdbool.h>
#include <stddef.h>

enum { ARITHMETIC_MAX_ORDERS = 4 };

/* One letter per operation, in the order in which they take turns: a(dd), m(ultiply), f(used), d(ivide), s(quare root),
 * p(roducts); of integers alone l(eft and right shifts), e(qual), g(reater), c(ompare, which sets flags). */
struct arithmetic_order {
    const char *parts;
    const char *owners; /* the letters that the accumulators belong to, in turn; NULL: as the parts */
};

struct arithmetic {
    const char *op;    /* "add2mul", the last part of the kernel's name */
    const char *label; /* in words; NULL: the op in capitals */
    enum arithmetic_sort { PLAIN, FUSED, DOT, INTEGER } sort;
    bool on_request;       /* measured only if it is named: far below every ceiling, it is no peak */
    bool quick;            /* quick runs measure it for types beyond f64 and f32, too */
    const char *assembled; /* the parts of kernels that are assembled while the program runs; NULL: there are none */
    struct arithmetic_order
        orders[ARITHMETIC_MAX_ORDERS]; /* of the generated variants; the row without parts ends it */
};
extern const struct arithmetic arithmetic_table[];
extern const size_t arithmetic_count;

/* The operation called `op`; NULL when there is none. */
const struct arithmetic *arithmetic_find(const char *op);

#endif
