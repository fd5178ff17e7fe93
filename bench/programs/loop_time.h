/* SPDX-License-Identifier: BSD-3-Clause
 * The time that a core needs for a counted loop with its data in L1. */
#ifndef BENCH_PROGRAMS_LOOP_TIME_H
#define BENCH_PROGRAMS_LOOP_TIME_H

#include "app_point.h"

#include "asm/incore/in_core.h"
#include "bench/profile/profile_parts.h"
#include "probe/machine.h"

/* For the loop's own code, without inner loops. All zero if the core has no table. */
void loop_time_find(const struct profile_parts *parts, uint32_t loop, const struct machine *machine,
                    struct point_in_core *out);

/* The same in detail, with the places that it is of; false: unknown. `places` and `in_core` are allocated. */
struct loop_detail {
    const struct core_table *table;
    size_t count;
    const struct profile_place **places; /* by address */
    struct in_core in_core;
};
bool loop_detail_find(const struct profile_parts *parts, uint32_t loop, const struct machine *machine,
                      struct loop_detail *out);
void loop_detail_free(struct loop_detail *detail);

#endif
