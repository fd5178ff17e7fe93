/* SPDX-License-Identifier: BSD-3-Clause
 * What was measured of one kernel under one condition, and how repetitions become a number. Pure.
 *
 * The core clock moves in steps between and within repetitions, so a best-of-n rate is uncertain by 5 to 14 %. The
 * upper quartile of rate / clock is stable, over the repetitions of all lanes whose own clock readings agree. The core
 * clock does not pace L3 and DRAM: there, the upper quartile of the rate itself counts. Never use the maximum of a
 * quotient.
 *
 * A lane is one thread of the team. Lanes are judged one by one: a disturbance of one lane does not spoil the
 * others. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "doubts.h"

/* A mixed kernel in one level, with the two roofs measured just before and after it. In L1 and L2, which the core clock
 * paces, the roofs are taken per cycle and multiplied by the mixed kernel's clock: heavy vector code and loads run at
 * different clocks, and both vary. Per cycle, the higher of the two measurements of a roof counts. Further out all
 * three are taken per second, and the mean of the two counts. carm/model/validate.h compares kernel and model. */
struct validation_point {
    char kernel[48], variant[16];
    unsigned threads;
    char core_kind[32]; /* "" unless the machine is hybrid */
    char level[8];
    uint64_t working_set_bytes; /* of one thread */
    double flop_per_byte;       /* per byte that the core loads or stores */
    double flop_per_s;          /* of all threads */
    double per_cycle;           /* flop per cycle and core; 0 if the core clock does not pace it, or is unknown */
    double clock_hz;            /* core clock during the kernel; 0 if it does not pace it, or is unknown */
    double spread;
    char peak_kernel[48], bandwidth_kernel[48];
    double peak_flop_per_s, bandwidth_bytes_per_s; /* π and β */
    double port_limit_per_cycle;                   /* documented limit (ports, issue width), data in L1; 0: unknown */
    struct doubts doubts;                          /* union over the three samples */
};

/* An interval of the repetitions' median that assumes no distribution. */

struct median_interval {
    double low, high; /* 95 % interval; 0, 0 with fewer values than BOOTSTRAP_LEAST */
};

/* With five values or fewer, resampling gives only their extremes. */
enum { BOOTSTRAP_LEAST = 6, BOOTSTRAP_DRAWS = 2000 };

/* The percentile bootstrap (Efron 1979): draws as many values with replacement, BOOTSTRAP_DRAWS times, and takes the
 * interval of 95 % of the draws' medians. The same values in any order give the same result. */
struct median_interval bootstrap_median(const double *values, size_t n);

enum sample_kind { SAMPLE_COMPUTE, SAMPLE_BANDWIDTH, SAMPLE_LATENCY };
enum sample_statistic { STATISTIC_UPPER_QUARTILE, STATISTIC_MEDIAN, STATISTIC_BEST };
extern const char *const sample_statistic_names[]; /* values of --statistic; NULL at the end */

/* What one lane did in one repetition. */
struct repetition {
    double seconds;         /* from its own start to its own end */
    double team_s;          /* from the first lane's start to the last lane's end */
    double clock_hz;        /* read right after it: the fastest slice */
    double clock_spread;    /* relative difference of the two fastest slices */
    double noops_per_cycle; /* that the core renamed right after it */
    bool interrupted;       /* the scheduler took the core away meanwhile */
};

/* The length of repetitions is judged by each lane's own time. The team's time is no measure of it: a lane that the
 * scheduler holds back starts another program's time slice late, some milliseconds. */

/* The fastest of `n` lane's times; infinite if n is 0. */
double repetitions_fastest_s(const struct repetition *of, size_t n);

/* Sets the count of iterations, so that a repetition whose fastest lane took `seconds` with the present count takes
 * about `aim_s`. False: that was too short to tell; the count is larger now, and is to be timed again. */
bool repetitions_lengthen(uint64_t *count, double seconds, double aim_s);

/* Half of them took less than half of their aim. */
bool repetitions_are_short(const struct repetition *of, size_t n, double aim_s);

struct statistics {
    unsigned n, kept;
    double min, q1, median, q3, max;
};

struct sample {
    char kernel[48], variant[16]; /* as in the kernel registry */
    enum sample_kind kind;
    unsigned threads;
    unsigned cores;             /* used cores, if fewer than threads (SMT); 0: one per thread */
    char cpus[64];              /* "0-1": OS indices */
    char core_kind[32];         /* "" unless the machine is hybrid */
    unsigned package, node;     /* 1 + number: only cores of this package, of this memory node; 0: any */
    unsigned memory_node;       /* 1 + OS index of the node with all memory; 0: each thread's nearest node */
    char level[8];              /* "L1" … "DRAM"; "" for compute */
    uint64_t working_set_bytes; /* of one thread; 0 for compute */
    uint64_t page_bytes;        /* 0 for compute */
    bool small_pages;           /* small pages were requested; otherwise they are a doubt
                                 */
    struct statistics rate;     /* of the accepted repetitions: flop/s or bytes/s of all threads, or s per access */
    double value;               /* the result, in the same unit; 0: blank */
    double low, high;           /* 90 % interval, in the same unit; 0, 0 in older files */
    double per_cycle;           /* per core: flop or bytes per cycle, or cycles per access; 0: clock unknown */
    double spread;              /* (q3 - q1) / median of the values behind `value` */
    double clock_hz;            /* median of the accepted repetitions; in files one list with the next two */
    double clock_min_hz, clock_max_hz;
    double repetition_s;         /* median */
    double documented_per_cycle; /* 0: unknown */
    double handover_s;           /* of a line between two of its cores that share the outermost cache; 0: not timed */
    struct doubts doubts;
};

/* No number is known, and the doubts say why. Older files kept numbers of repetitions that were too short. */
bool sample_is_blank(const struct sample *sample);
void sample_blank(struct sample *sample);

/* One outlier among three does not count. */
double sample_median_of_three(double a, double b, double c);

/* Sorts `values`. All zero when n is 0. Quantiles interpolate between neighbours (type 7). */
struct statistics sample_statistics(double *values, size_t n);

/* The median alone, several times faster for thousands of values. Reorders `values`, which must not contain NaN. 0 when
 * n is 0. */
double sample_median(double *values, size_t n);

/* 90 % of a normal distribution lies within this many standard deviations of its mean. */
#define SAMPLE_NORMAL_90 1.645
/* Standard deviations of a normal distribution in its median absolute deviation: 1 / its 75 % quantile. */
#define SAMPLE_MAD_TO_SIGMA 1.4826

/* The 90 % confidence interval of the quantile `q`, for any distribution: between two order statistics, by the binomial
 * distribution's normal approximation (H. A. David, H. N. Nagaraja, Order Statistics, 3rd edition, section 7.1; J.-Y.
 * Le Boudec, Performance Evaluation of Computer and Communication Systems, section 2.2). `sorted` is ascending; zeros
 * when n is 0. */
void sample_quantile_interval(const double *sorted, size_t n, double q, double *low, double *high);

/* The repetitions of one visit. */
struct repetitions {
    const struct repetition *of; /* [i * lanes + lane], by time */
    size_t count;                /* repetitions of each lane */
    unsigned lanes;
    double work;                         /* per lane and repetition: flop, bytes, or accesses for a latency */
    bool core_paced;                     /* the core clock paces the work: registers, L1, L2 */
    bool lanes_differ;                   /* they run on cores of several kinds: each lane has its own quantile */
    double step_s;                       /* of the tick that timed them; 0: not known */
    double clock_within;                 /* relative uncertainty of a clock reading */
    const double *alone_noops_per_cycle; /* [lane]: if nothing else uses the lane's core; NULL: unknown, or lanes share
                                            cores */
};

/* Fills in the numbers of `out` (rate, value, low, high, per_cycle, spread, clocks, repetition_s) and the doubts too
 * short, clock drifted, clock unknown, core shared and sibling busy. Interrupted repetitions count only if few others
 * are left, and paced ones beside another program on the core's other hardware thread likewise. `out->cores`, if set,
 * is the number of cores that the lanes use. */
void sample_reduce(struct sample *out, const struct repetitions *repetitions, enum sample_statistic statistic);

/* Number of cores that a sample's threads use: fewer than threads if two share a core. */
unsigned sample_cores(const struct sample *sample);

/* Cores of one kind in the same part of the machine, with memory in the same place, whatever their number. */
bool sample_same_part(const struct sample *a, const struct sample *b);

/* The same numbers of threads and cores in the same part. */
bool sample_same_place(const struct sample *a, const struct sample *b);
