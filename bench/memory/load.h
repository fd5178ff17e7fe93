/* SPDX-License-Identifier: BSD-3-Clause
 * Cores that load a memory level in the background, at a rate set by counted no-ops between bursts. */
#pragma once

#include "memory_plan.h"

#include "bench/kernels/memory.h"

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
