/* SPDX-License-Identifier: BSD-3-Clause
 * The time that a core needs for a counted loop with its data in L1. */
#pragma once

#include "asm/incore/core_measured.h"
#include "asm/incore/in_core.h"
struct app_point;
struct core;
struct machine;
struct point_in_core;
struct profile_parts;

/* What is known of the core that ran a program. */
struct loop_core {
    const struct core_table *table; /* NULL: it has none, and was not measured */
    unsigned issue_width;           /* 0: unknown */
    struct core_table *overlaid;    /* allocated; NULL: `table` is as typed */
};

/* `measured`: values that go before the table's, or in place of one unless they are of classes alone, and must outlive
 * it; NULL or without values: none. */
struct loop_core loop_core_find(const struct machine *machine, const struct core_measured *measured);
void loop_core_free(struct loop_core *core);

/* For the loop's own code, without inner loops. All zero if the core has no table. */
void loop_time_find(const struct profile_parts *parts, uint32_t loop, const struct loop_core *core,
                    struct point_in_core *out);

/* The same in detail, with the places that it is of; false: unknown. `places` and `in_core` are allocated. */
struct loop_detail {
    const struct core_table *table;
    size_t count;
    const struct profile_place **places; /* by address */
    struct in_core in_core;
};
bool loop_detail_find(const struct profile_parts *parts, uint32_t loop, const struct loop_core *core,
                      struct loop_detail *out);
void loop_detail_free(struct loop_detail *detail);
