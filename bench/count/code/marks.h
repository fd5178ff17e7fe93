/* SPDX-License-Identifier: BSD-3-Clause
 * The numbers of marks: `mov $number, %ebx; fs addr32 nop` in the program's code. SSC_MARK_BEGIN and SSC_MARK_END are
 * always marks, because libcarmine uses them; other pairs of SSC marks are marks if they are enabled. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/marks/collector.h"

/* Marks of the hooks for adapters of other systems' marks, in counter.c: begin and end a region, with its name in
 * rdi. */
enum { MARK_REGION_BEGIN = 0xca43, MARK_REGION_END = 0xca44 };

/* Two SSC marks that delimit a region. */
struct mark_pair {
    uint32_t begin, end;
    char region[COLLECTOR_NAME_BYTES];
};

/* Call once: `list` of the enabled marks, as in COLLECTOR_MARKS; NULL: all. */
void marks_prepare(const char *list);

/* Whether libcarmine's marks, or SSC marks, are enabled. */
bool marks_take_carmine(void);
bool marks_take_ssc(void);

/* Whether this is the number of a mark; whether a region ends at it, so that the code before it must be counted
 * separately. */
bool marks_know(uint32_t number);
bool marks_end_here(uint32_t number);

/* The pair that the mark begins, and the pair that it ends; NULL: none. A mark may do both. */
const struct mark_pair *marks_begun_pair(uint32_t number);
const struct mark_pair *marks_ended_pair(uint32_t number);
