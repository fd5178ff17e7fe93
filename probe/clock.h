/* SPDX-License-Identifier: BSD-3-Clause
 * Time and the core clock without a performance monitoring unit. A chain of n dependent register adds takes n cycles,
 * so its time tells the clock; read within microseconds of a kernel's end, it tells the clock that the kernel ran at.
 */
#ifndef PROBE_CLOCK_H
#define PROBE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"

enum { CLOCK_SLICES = 3 }; /* of a reading: one of each chain */

#define CLOCK_AGREES 0.005 /* two readings of one clock differ by less */

struct clock {
    double tick_hz;        /* of clock_tick() */
    bool uses_tsc;         /* false: CLOCK_MONOTONIC_RAW in nanoseconds, where the TSC is not invariant or disagrees */
    double step_ticks;     /* what the tick advances by: 1 or 2 on Intel, 10 ns on AMD's Zen */
    double overhead_ticks; /* of reading the tick around a slice; subtracted from it */
    unsigned slice_pieces; /* a slice's length in pieces, so that a step of the tick is 0.1 % of it */
    double within;         /* how well a reading taken after a kernel knows the clock during it, relative */
    double rest_hz;        /* core clock with nothing else running, median of many readings */
    double chain_hz[CLOCK_SLICES]; /* at rest, by one chain alone: adds, vector adds, 3-cycle multiplies */
    bool uncertain;                /* no two chains agreed within CLOCK_UNCERTAIN in CLOCK_PATIENCE_S */
    char doubt[160];               /* "" or why the clock is not to be believed, with all readings */
};

#define CLOCK_UNCERTAIN  0.01
#define CLOCK_PATIENCE_S 2.0

/* Validates the tick against CLOCK_MONOTONIC_RAW, and the core clock by chains on three different units of the core, in
 * turns, until two agree: in 20 ms on a quiet machine. On one too busy for that it gives up after CLOCK_PATIENCE_S,
 * uses what it has read, and says so in `uncertain` and `doubt`: a busy host is no reason not to measure. */
void clock_open(struct clock *out);

/* The tick, ordered against earlier and later instructions. */
uint64_t clock_tick(const struct clock *clock);

/* The core clock, read by a slice of each chain, of about a microsecond (10 µs where the tick is coarse). */
struct clock_reading {
    double hz;     /* the fastest slice: what disturbs a slice slows it, and nothing makes it faster */
    double spread; /* (fastest - second fastest) / fastest */
};

/* Call it straight after a kernel: a core that ran heavy vector code keeps the lower clock for only about 3 µs. A
 * piece of each chain runs untimed first, since a kernel, or a neighbour on the same core, has thrown their code and
 * page tables out of the caches. The chains need different units: a neighbour that keeps one of them busy slows the
 * chain that needs it, always by as much (seen on Zen 3: adds read 2.50 GHz for seconds on end, where vector adds
 * read 3.24), and no repetition of the same chain would show that. */
struct clock_reading clock_read(const struct clock *clock);

/* The reading that slices give which were timed before: `slices_hz` holds `count` of them, from two on, in any order.
 */
struct clock_reading clock_reading_of(const double *slices_hz, unsigned count);

double clock_seconds(const struct clock *clock, uint64_t from_tick, uint64_t to_tick);

#endif
