/* SPDX-License-Identifier: BSD-3-Clause
 * Visits of a memory plan's items on this machine. */
#pragma once

#include "memory_plan.h"

#include "bench/kernels/run.h"

struct memory_here;

/* `bench` is open, with levels, uarch and statistic set; it is used until memory_here_close(). Buffers come from its
 * memory, and those of background loads from an arena of their own. Error: no address space. */
struct memory_here *memory_here_open(struct bench *bench, const struct memory_plan *plan, struct error *err);
void memory_here_close(struct memory_here *here);

/* Address space that the plan's chases and stores need on each memory node, for bench_open(). */
uint64_t memory_here_node_bytes(const struct memory_plan *plan, const struct machine *machine);

/* memory_bench.visit; `here` is a struct memory_here. */
bool memory_here_visit(void *here, const struct memory_plan *plan, const struct memory_item *item,
                       struct memory_reading readings[MEMORY_AT_ONCE], unsigned *count, struct error *err);

/* Pages of 1 GiB that could not be had: the reason, with the remedy. "": none was missing. */
const char *memory_here_missing_pages(const struct memory_here *here);
