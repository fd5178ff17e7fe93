/* SPDX-License-Identifier: BSD-3-Clause
 * The numbers of marks: `mov $number, %ebx; fs addr32 nop`, in the program's code. SSC_MARK_BEGIN and SSC_MARK_END are
 * always marks, since libcarmine's are; other pairs of SSC marks are if they are taken. */
#ifndef BENCH_COUNT_MARKS_H
#define BENCH_COUNT_MARKS_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/marks/collector.h"

/* Of the hooks for adapters of other systems' marks, in counter.c: they begin and end a region, with its name in rdi.
 */
enum { MARK_REGION_BEGIN = 0xca43, MARK_REGION_END = 0xca44 };

/* Two SSC marks that are a region. */
struct mark_pair {
    uint32_t begin, end;
    char region[COLLECTOR_NAME_BYTES];
};

/* To be called once: what is taken, as in COLLECTOR_MARKS; NULL: everything. */
void marks_prepare(const char *list);

/* Whether libcarmine's marks are taken, and SSC marks. */
bool marks_take_carmine(void);
bool marks_take_ssc(void);

/* Whether the number is one of a mark; and of one at which a region ends, so that what stands before it has to be
 * counted apart. */
bool marks_know(uint32_t number);
bool marks_end_here(uint32_t number);

/* The pair that it begins, and the one that it ends; NULL: none. A mark may do both. */
const struct mark_pair *marks_begun_pair(uint32_t number);
const struct mark_pair *marks_ended_pair(uint32_t number);

#endif
