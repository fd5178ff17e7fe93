/* SPDX-License-Identifier: BSD-3-Clause
 * The element types of kernels. */
#pragma once

#include <stdbool.h>

enum element_type {
    TYPE_NONE,
    TYPE_F64,
    TYPE_F32,
    TYPE_F16,
    TYPE_BF16,
    TYPE_I8,
    TYPE_I16,
    TYPE_I32,
    TYPE_I64,
    TYPE_COUNT
};

struct element {
    const char *name; /* "f64", as in kernel names; "" for TYPE_NONE */
    unsigned bytes;   /* for TYPE_NONE the size of a scalar load */
    bool integer;     /* its operations count as op, never as flop */
};
extern const struct element element_table[TYPE_COUNT];

/* TYPE_NONE if no type has that name. */
enum element_type element_find(const char *name);
