/* SPDX-License-Identifier: BSD-3-Clause
 * What was measured of one kernel under one condition, and how repetitions become a number. Pure.
 *
 * The core clock moves in steps between and inside repetitions, so a best-of-n rate is worth 5 to 14 %. What is stable
 * is the upper quartile of rate / clock over the repetitions whose own clock readings agree. L3 and DRAM are not paced
 * by the core clock: there it is the upper quartile of the rate itself. Never the maximum of a quotient. */
#ifndef BENCH_SAMPLE_H
#define BENCH_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SAMPLE_KEPT_AT_LEAST = 30 }; /* fewer repetitions are unstable */
#define SAMPLE_SLICES_AGREE 0.005   /* beyond this spread of its slices the clock moved while it was read */

enum sample_kind { SAMPLE_COMPUTE, SAMPLE_BANDWIDTH, SAMPLE_LATENCY };
enum sample_statistic { STATISTIC_UPPER_QUARTILE, STATISTIC_MEDIAN, STATISTIC_BEST };

struct repetition {
    double seconds;      /* from the first thread's start to the last thread's end */
    double clock_hz;     /* mean of all threads' slices straight after it */
    double clock_spread; /* (max - min) / mean of the slices, the worst thread's */
};

struct statistics {
    unsigned n, kept;
    double min, q1, median, q3, max;
};

struct sample {
    char kernel[48], variant[16]; /* as in the kernel registry */
    enum sample_kind kind;
    unsigned threads;
    unsigned cores;             /* that the threads run on, where those are fewer (SMT); 0: one for each thread */
    char cpus[64];              /* "0-1": OS indices */
    char core_kind[32];         /* "" unless the machine is hybrid */
    unsigned package, node;     /* only cores of this package, nearest to this memory node: 1 + its number; 0: any */
    unsigned memory_node;       /* all memory lies there: 1 + its OS index; 0: each thread's on its nearest node */
    char level[8];              /* "L1" … "DRAM"; "" for compute */
    uint64_t working_set_bytes; /* of one thread; 0 for compute */
    uint64_t page_bytes;        /* 0 for compute */
    bool small_pages;           /* asked for: what address translation costs. Else a lack of huge pages is a doubt */
    struct statistics rate;     /* of the kept repetitions: flop/s or bytes/s of all threads, or s per access */
    double value;               /* the number: same unit */
    double per_cycle;           /* per core: flop or bytes per cycle, or cycles per access; 0: clock unknown */
    double spread;              /* (q3 - q1) / median of what `value` rests on */
    double clock_hz;            /* median of the kept repetitions; with the two after it one list in files */
    double clock_min_hz, clock_max_hz;
    double repetition_s;         /* median */
    double documented_per_cycle; /* 0: not known */
    uint32_t doubts;             /* enum doubt_bit */
};

/* Sorts `values`. All zero when n is 0. Quantiles interpolate between neighbours (type 7). */
struct statistics sample_statistics(double *values, size_t n);

/* Fills the numbers of `out` (rate, value, per_cycle, spread, clocks, repetition_s) and its doubts too short, unstable,
 * clock drifted and clock unknown. `work` is what one repetition does on all threads: flop, bytes, or accesses for a
 * latency; `core_paced` is true where the core clock paces the work (registers, L1, L2). */
void sample_reduce(struct sample *out, const struct repetition *repetitions, size_t n, double work, bool core_paced,
                   enum sample_statistic statistic);

#endif
