/* SPDX-License-Identifier: BSD-3-Clause
 * Visits of a memory plan's items on this machine, and what they consist of: hand-overs, background loads. */
#pragma once

#include "memory_plan.h"

#include "bench/kernels/memory.h"
#include "bench/kernels/run.h"
#include "probe/clock.h"

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

/* The time that a cache line takes from one CPU to another, measured by handing a number back and forth. */

/* MEMORY_AT_ONCE readings of the pair, each in two fresh pages: one that the first CPU touches first, and one of the
 * second. So the line's home is with one of the two, wherever the machine has homes. Error: as team_run(). */
bool handover_measure(const struct clock *clock, uint64_t page_bytes, const struct handover *pair,
                      struct memory_reading readings[MEMORY_AT_ONCE], struct error *err);

/* Cores that load a memory level in the background, at a rate set by counted no-ops between bursts. */

struct load;

/* Starts a thread on each of the subject's loader cores, each with a buffer of its own in `memory`; all wait. Error: a
 * thread cannot start or be pinned; no memory. */
struct load *load_begin(const struct memory_subject *subject, const struct machine *machine, struct memory *memory,
                        struct error *err);

/* Runs all threads with `noops` for each burst of 32 lines (of each stream) (MEMORY_IDLE: all wait), and returns when
 * each has begun and the rate is steady. */
void load_set(struct load *load, double noops);

/* So far, of all threads: bytes between cores and memory, and CPU time. */
struct load_reading {
    double bytes, cpu_s;
};
struct load_reading load_read(const struct load *load);

/* Ends the threads and frees all; NULL: nothing. */
void load_end(struct load *load);
