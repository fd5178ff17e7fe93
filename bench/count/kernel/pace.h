/* SPDX-License-Identifier: BSD-3-Clause
 * How the program knows the time: how often it asks, and a second counted run in which time passes twice as fast for
 * it. What it does the same then does not depend on time. */
#ifndef BENCH_COUNT_PACE_H
#define BENCH_COUNT_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/count/code/context.h"

/* With `fast`, time is to pass twice as fast. To be called once, first. */
void pace_prepare(bool fast);

/* Whether an address that a jump leads to has to be told to pace_clock() each time: it is the kernel's own clock, in
 * the vdso, and time passes fast. */
bool pace_is_clock(uint64_t target);

/* The thread is about to read a clock: with fast time it waits as long as it has taken since the last time. */
void pace_clock(const struct context *context);

/* The thread is about to make this system call. True where it was made here, of half the time; its result is in rax. */
bool pace_call(const struct context *context, struct registers *registers);

/* How many system calls so far read a clock; whether any slept, set a timer, or waited for a limited time. */
uint32_t pace_readings(void);
bool pace_timers(void);

#endif
