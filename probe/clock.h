/* SPDX-License-Identifier: BSD-3-Clause
 * Time and the core clock without a performance monitoring unit. A chain of n dependent register adds takes n
 * cycles, so its time gives the clock. A reading within microseconds of a kernel's end gives the clock that the
 * kernel ran at. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct error;

enum { CLOCK_SLICES = 3 }; /* per reading: one of each chain */

#define CLOCK_AGREES 0.005 /* two readings of one clock differ by less */

struct clock {
    double tick_hz;         /* of clock_tick() */
    bool uses_tsc;          /* false: CLOCK_MONOTONIC_RAW in nanoseconds, where the TSC is not invariant or disagrees */
    double step_ticks;      /* step of the tick: 1 or 2 on Intel, 10 ns on AMD's Zen, 40 ns on Arm's older cores */
    double overhead_ticks;  /* cost of reading the tick around a slice; subtracted from it */
    unsigned slice_pieces;  /* a slice's length in pieces, so that a step of the tick is 0.1 % of it, or more of a
                               coarse tick */
    double within;          /* relative error of a reading after a kernel as the clock during the kernel */
    double rest_hz;         /* core clock with nothing else running, median of many readings */
    double noops_per_cycle; /* at rest: upper quartile of the same readings */
    double chain_hz[CLOCK_SLICES]; /* at rest, by one chain alone: adds, vector adds, ARCH_LAST_CHAIN */
    bool uncertain;                /* no two chains agreed within CLOCK_UNCERTAIN in CLOCK_PATIENCE_S */
    char doubt[160];               /* "" or why the clock is uncertain, with all readings */
};

#define CLOCK_UNCERTAIN  0.01
#define CLOCK_PATIENCE_S 2.0

/* Validates the tick against CLOCK_MONOTONIC_RAW, and the core clock by chains on three different units of the core,
 * in turns, until two agree: in 20 ms on a quiet machine. On a busy machine it gives up after CLOCK_PATIENCE_S, uses
 * the readings so far, and sets `uncertain` and `doubt`: a busy host can still be measured. Fails where the system's
 * clock is too coarse and the TSC cannot replace it. */
bool clock_open(struct clock *out, struct error *err);

/* The same without the core clock: `rest_hz` and what follows it is zero. */
bool clock_open_tick(struct clock *out, struct error *err);

/* Where ticks come from: "the TSC". */
const char *clock_tick_source(const struct clock *clock);

/* The tick, ordered against earlier and later instructions. */
uint64_t clock_tick(const struct clock *clock);

/* What is timed lasts at least so many steps of the tick: then a step is 0.2 % of it. */
enum { CLOCK_STEPS = 500 };

/* The step of the tick, s; and `seconds`, or CLOCK_STEPS if these are longer. */
double clock_step_s(const struct clock *clock);
double clock_at_least_s(const struct clock *clock, double seconds);

/* Reads the core clock by a slice of each chain, of about a microsecond (10 to 100 µs if the tick is coarse), and then
 * the core's width by one of independent no-ops. */
struct clock_reading {
    double hz;              /* of the fastest slice: disturbances only slow a slice down */
    double spread;          /* (fastest - second fastest) / fastest */
    double noops_per_cycle; /* that the core renames: fewer while another program uses its other hardware thread */
};

/* Call it straight after a kernel: a core that ran heavy vector code stays at the lower clock for only about 3 µs.
 * First a piece of each chain runs untimed: a kernel, or a neighbour on the same core, has evicted their code and
 * page tables from the caches. The chains use different units: a neighbour that keeps a unit busy slows the chain on
 * that unit by a constant factor, which no repetition of the same chain would show (seen on Zen 3: adds read 2.50
 * GHz for seconds on end while vector adds read 3.24). */
struct clock_reading clock_read(const struct clock *clock);

/* The reading from slices that were timed before: `slices_hz` holds `count` of them, at least two, in any order. */
struct clock_reading clock_reading_of(const double *slices_hz, unsigned count);

double clock_seconds(const struct clock *clock, uint64_t from_tick, uint64_t to_tick);
