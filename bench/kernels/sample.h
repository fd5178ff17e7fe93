/* SPDX-License-Identifier: BSD-3-Clause
 * What was measured of one kernel under one condition, and how repetitions become a number. Pure.
 *
 * The core clock moves in steps between and inside repetitions, so a best-of-n rate is worth 5 to 14 %. What is stable
 * is the upper quartile of rate / clock, over the repetitions of all lanes whose own clock readings agree. L3 and DRAM
 * are not paced by the core clock: there it is the upper quartile of the rate itself. Never the maximum of a quotient.
 *
 * A lane is one thread of the team. Lanes are judged one by one: what disturbs one does not spoil the others. */
#ifndef BENCH_KERNELS_SAMPLE_H
#define BENCH_KERNELS_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "doubt.h"

/* A kernel of known intensity as it was measured, with the two roofs beside it. What the model makes of them, and how
 * far it is off, is carm/model/validate.h. */

/* A mixed kernel in one level, with the two roofs measured just before and after it. In L1 and L2, which the core's
 * clock paces, the roofs are taken per cycle and multiplied by the mixed kernel's clock: that of heavy vector code is
 * another than that of loads, and both wander. Per cycle the higher of the two measurements of a roof counts. Further
 * out all three are taken per second, and the mean of the two. */
struct validation_point {
    char kernel[48], variant[16];
    unsigned threads;
    char core_kind[32]; /* "" unless the machine is hybrid */
    char level[8];
    uint64_t working_set_bytes; /* of one thread */
    double flop_per_byte;       /* of bytes that the core asks for */
    double flop_per_s;          /* of all threads */
    double per_cycle;           /* flop per cycle and core; 0 where the core's clock does not pace it, or is unknown */
    double clock_hz;            /* the core clock during the kernel; 0 where it does not pace it, or is not known */
    double spread;
    char peak_kernel[48], bandwidth_kernel[48];
    double peak_flop_per_s, bandwidth_bytes_per_s; /* π and β */
    double port_limit_per_cycle; /* documented: what ports and issue width allow this mix with its data in L1; 0: not
                                    known */
    struct doubts doubts;        /* of the three samples together */
};

/* Where the median of repetitions lies, told from these alone: whatever way they are spread. */

struct median_interval {
    double low, high; /* in 95 of 100 cases between these; 0, 0 of fewer than BOOTSTRAP_LEAST */
};

/* Of five values resampling tells no more than their extremes. */
enum { BOOTSTRAP_LEAST = 6, BOOTSTRAP_DRAWS = 2000 };

/* The percentile bootstrap (Efron 1979): so many times as many values are drawn from these, each as often as chance has
 * it; of the draws' medians 95 % lie between the two. The same values give the same answer, in whatever order. */
struct median_interval bootstrap_median(const double *values, size_t n);

enum sample_kind { SAMPLE_COMPUTE, SAMPLE_BANDWIDTH, SAMPLE_LATENCY };
enum sample_statistic { STATISTIC_UPPER_QUARTILE, STATISTIC_MEDIAN, STATISTIC_BEST };
extern const char *const sample_statistic_names[]; /* as --statistic takes them; NULL at the end */

/* What one lane did in one repetition. */
struct repetition {
    double seconds;      /* from its own start to its own end */
    double team_s;       /* from the first lane's start to the last lane's end */
    double clock_hz;     /* read straight after it: the fastest slice */
    double clock_spread; /* between the two fastest slices, relative */
    bool interrupted;    /* the scheduler took the core away meanwhile */
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
    double low, high;           /* where it lies, in nine of ten cases: same unit; 0, 0 in files of before */
    double per_cycle;           /* per core: flop or bytes per cycle, or cycles per access; 0: clock unknown */
    double spread;              /* (q3 - q1) / median of what `value` rests on */
    double clock_hz;            /* median of the kept repetitions; with the two after it one list in files */
    double clock_min_hz, clock_max_hz;
    double repetition_s;         /* median */
    double documented_per_cycle; /* 0: not known */
    struct doubts doubts;
};

/* One outlier among three does not count. */
double sample_median_of_three(double a, double b, double c);

/* Sorts `values`. All zero when n is 0. Quantiles interpolate between neighbours (type 7). */
struct statistics sample_statistics(double *values, size_t n);

/* Their median alone, several times faster where there are thousands. Moves `values`, of which none may be NaN. 0 when
 * n is 0. */
double sample_median(double *values, size_t n);

/* So many standard deviations to either side of a normal distribution's middle hold 90 % of it. */
#define SAMPLE_NORMAL_90 1.645

/* The interval that the true quantile `q` lies in with 90 % confidence, whatever the distribution: between two order
 * statistics, by the binomial distribution's normal approximation (H. A. David, H. N. Nagaraja, Order Statistics, 3rd
 * edition, section 7.1; J.-Y. Le Boudec, Performance Evaluation of Computer and Communication Systems, section 2.2).
 * `sorted` rises; n of 0 gives zeros. */
void sample_quantile_interval(const double *sorted, size_t n, double q, double *low, double *high);

/* The repetitions of one visit. */
struct repetitions {
    const struct repetition *of; /* [i * lanes + lane], in the order of time */
    size_t count;                /* repetitions of each lane */
    unsigned lanes;
    double work;         /* of one lane and repetition: flop, bytes, or accesses for a latency */
    bool core_paced;     /* the core clock paces the work: registers, L1, L2 */
    bool lanes_differ;   /* they run on cores of several kinds: then each has a quantile of its own */
    double clock_within; /* how well a reading knows the clock, relative */
};

/* Fills the numbers of `out` (rate, value, low, high, per_cycle, spread, clocks, repetition_s) and its doubts too
 * short, clock drifted, clock unknown and core shared. Repetitions that were interrupted count only where hardly any
 * other is left. `out->cores`, if it is set, is how many cores the lanes run on. */
void sample_reduce(struct sample *out, const struct repetitions *repetitions, enum sample_statistic statistic);

/* Cores that a sample's threads run on: fewer than threads where two share a core. */
unsigned sample_cores(const struct sample *sample);

/* Cores of one kind in the same part of the machine, with their memory in the same place; however many they are. */
bool sample_same_part(const struct sample *a, const struct sample *b);

/* As many threads on as many cores of the same part. */
bool sample_same_place(const struct sample *a, const struct sample *b);

#endif
