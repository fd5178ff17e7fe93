/* SPDX-License-Identifier: BSD-3-Clause
 * Measured cores side by side: the latency and throughput of every form that the base and another side measured. Pure.
 */
#pragma once

#include "asm/incore/core_measured.h"
#include "bench/core/core_classes.h"
#include "compare.h"

enum core_quantity { CORE_LATENCY, CORE_THROUGHPUT, CORE_QUANTITIES };

struct compared_form {
    const char *form;
    const struct core_class *class; /* NULL: none */
    enum core_quantity quantity;
    const struct core_value **values; /* one for each side; NULL: not measured there */
};
struct core_comparison {
    const struct comparison *of;
    size_t count;
    struct compared_form *rows; /* classes first, in their order */
    bool *alone;                /* for each side: no neighbour slowed its core */
};

/* Without rows if fewer than two sides hold a measured core, or all are one result. The caller frees it. */
struct core_comparison core_compare(const struct comparison *comparison);
void core_comparison_free(struct core_comparison *core);

/* Cycles with the interval; NULL: not measured. */
const double *core_cycles(const struct core_value *value, enum core_quantity quantity);

/* To the base's; NaN: unknown. */
double core_ratio(const struct core_comparison *core, const struct compared_form *row, size_t side);

/* A side differs from the base if it is more than 15 % off and the intervals do not meet. CORE_UNSURE: so it is, but
 * for another reason than the cores: the host disturbed one of them, a latency between kinds of registers is only a
 * share, or a neighbour on that core made the throughput longer. Each of these is possible, none is certain. */
enum core_difference { CORE_SAME, CORE_DIFFERS, CORE_UNSURE };
enum core_difference core_difference(const struct core_comparison *core, const struct compared_form *row, size_t side);

/* Whether any side differs so from the base. */
bool core_row_is(const struct core_comparison *core, const struct compared_form *row, enum core_difference difference);
