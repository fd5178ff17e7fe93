/* SPDX-License-Identifier: BSD-3-Clause
 * Slices: what each thread executed from one tick of a timer of its CPU time to the next, and the code at the tick. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "bench/count/code/context.h"

struct slice_value {
    uint32_t counter;
    uint64_t difference; /* of this counter of the context, since the thread's last slice; wraps around */
};
struct slice {
    uint64_t wall_ns, cpu_ns; /* CLOCK_MONOTONIC at its end, and its CPU time */
    uint32_t block, offset;   /* the interrupted block, 0: unknown; of the instruction there, in bytes */
    uint32_t value_count;
    struct slice_value values[];
};

/* `every_ns`: COLLECTOR_EVERY; NULL: no slices, and all functions do nothing. Call once, before all others. */
void slices_prepare(const char *every_ns);

/* The calling thread begins, in the parent's place after a fork, or ends. Under the lock. */
void slices_begin(struct context *context);
void slices_end(struct context *context);

/* A signal interrupted this code in the cache or elsewhere. True: it was the timer, and the program does not see it. */
bool slices_receive(struct context *context, int number, const siginfo_t *info, uint64_t code);

/* Ends the slices of all threads now; then visits a thread's slices in order. Under the lock. */
void slices_close(struct context *threads);
void slices_each(const struct context *context, void (*each)(const struct context *context, const struct slice *slice));

/* Moves the slices of a thread that has ended to another one, in the child of a fork to none (NULL). Under the lock. */
void slices_fold(struct context *context, struct context *into);
