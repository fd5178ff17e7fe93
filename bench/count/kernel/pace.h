/* SPDX-License-Identifier: BSD-3-Clause
 * The program's time: how often the program reads it, and a second counted run in which time passes twice as fast. Work
 * that is the same in both runs does not depend on time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "bench/count/code/context.h"

/* `fast`: time passes twice as fast. Call once, before all others. */
void pace_prepare(bool fast);

/* Whether pace_clock() must be called for each jump to this address: it is the kernel's own clock, in the vdso, and
 * time is fast. */
bool pace_is_clock(uint64_t target);

/* The thread is about to read a clock. With fast time, it waits as long as has passed since its last reading,
 * without the time in which it may have waited for other processes. */
void pace_clock(const struct context *context);

/* The thread is about to make this system call. True: the call was made here with half the time; its result is in
 * rax. */
bool pace_call(const struct context *context, struct registers *registers);

/* How many system calls so far read a clock; whether any slept, set a timer, or waited with a time limit. */
uint32_t pace_readings(void);
bool pace_timers(void);
