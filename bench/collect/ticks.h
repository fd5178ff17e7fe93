/* SPDX-License-Identifier: BSD-3-Clause
 * The samples in order, with their times: how far each thread was when. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

struct tick_record {
    uint64_t wall_ns, cpu_ns,
        delay_ns;         /* clock_ns(); of the thread: CPU time, and time that it was ready without CPU */
    uint32_t place;       /* 1 + its index; 0: the thread's begin or end */
    _Atomic uint32_t tid; /* set last; 0: the rest is not there yet */
};

/* `every_ns`: COLLECTOR_EVERY; NULL: nothing is stored, and the functions below do nothing. */
void ticks_start(const char *every_ns);

/* The period of the samples' timers; 0: not requested. */
uint64_t ticks_period_ns(void);

/* Stores a tick of a thread of this process, which need not be the caller. For signal handlers, too. */
void ticks_add(uint32_t tid, uint32_t place);

/* The ticks, of which some may not be there yet; fewer than there were, if `*lost` is not 0. */
const struct tick_record *ticks_all(uint32_t *count, uint32_t *lost);

/* For the child of a fork. */
void ticks_forget(void);
