/* SPDX-License-Identifier: BSD-3-Clause
 * Visits to one roof → its number and its interval. Pure.
 *
 * A visit is a sample of some milliseconds. What holds for longer than that shows only when visits differ: a neighbour
 * on the same core takes a third of it for seconds, memory is shared, the clock wanders. Nearly all of it lowers a
 * number, and a misread clock raises one now and then. So the number is that of the highest visits that vouch for each
 * other: the mean of the highest group whose members lie within ESTIMATE_*_AGREE. */
#ifndef BENCH_KERNELS_ESTIMATE_H
#define BENCH_KERNELS_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample.h"

/* Two visits vouch for each other when they differ by less: per cycle where the core clock paces the work, else per
 * second. */
#define ESTIMATE_PACED_AGREE     0.005
#define ESTIMATE_PACED_AGREE_MAX 0.015 /* where undisturbed visits were seen to differ by as much */
#define ESTIMATE_UNPACED_AGREE   0.05

/* A roof is settled when its interval reaches no further to either side; beyond it when the time is over it is
 * `unstable`. */
#define ESTIMATE_PACED_BOUND   0.01
#define ESTIMATE_UNPACED_BOUND 0.05

/* Starting and stopping together costs all lanes up to 1 µs of a repetition of 200. */
#define ESTIMATE_UNPACED_WITHIN 0.003

/* What the interval of a single visit reaches, where nothing is known of how visits differ on this machine. */
#define ESTIMATE_PACED_ALONE   0.03
#define ESTIMATE_UNPACED_ALONE 0.30

/* Up to here a value above its documented limit is the clock's error; beyond it something is wrong. */
#define ESTIMATE_ABOVE_DOCUMENTED 1.01

enum { ESTIMATE_MAX_VISITS = 16, ESTIMATE_REFUTED = 5 };

/* How visits were seen to differ on this machine, relative; zeros: nothing is known. */
struct estimate_habit {
    double alone;     /* how far the interval of a visit reaches that nothing vouches for: of nine in ten */
    double deviation; /* standard deviation of undisturbed visits to one roof */
};

/* Of `count` visits (1 … ESTIMATE_MAX_VISITS) with one kernel and working set, in any order.
 *
 * A visit above the group that nobody vouches for yet is more often the truth than a misreading, since nearly all that
 * disturbs lowers: the interval reaches up to it until the group has ESTIMATE_REFUTED members for each such visit;
 * where no clock is read that could be misread, for ever.
 *
 * The interval, 90 %: Student's t on the members of the group (Student, The probable error of a mean, Biometrika 6,
 * 1908), with no less than the deviation that is usual, since two may agree by chance; and the order statistics inside
 * the visits (sample.h), as the root of the sum of squares. Where no two visits agree it reaches from the second
 * highest to as far above the highest.
 *
 * `out` is the group's visit nearest to the mean with value, low, high and per_cycle of the whole group; doubts that
 * any member has are its own. A visit above its documented limit counts only where all are, one whose clock is unknown
 * (a rate per second among those per cycle) only where it is so of all; one without a number never: where there is no
 * other, `out` has none either (0). */
void estimate_combine(struct sample *out, const struct sample *visits, size_t count, bool paced,
                      struct estimate_habit habit);

/* How far the interval reaches beyond the value, relative, the further side; infinite where nothing is known. */
double estimate_uncertainty(const struct sample *sample);

/* Whether `value` of a sample that cost `per_cycle` beats another: higher per cycle where paced, else per second; of
 * latencies the lower. */
double estimate_merit(const struct sample *sample, bool paced);

bool estimate_above_documented(const struct sample *sample);

/* How far a result as a whole can be trusted: a grade by the roofs that its answers rest on. Pure. */

/* The roofs that answers rest on, place by place: the highest ceiling of each element type, the highest bandwidth of
 * each level, and the latency of each level. Not of 4 KiB pages that were asked for. `is_headline` has a member for
 * each sample. */
void trust_headline(const struct sample *samples, size_t count, bool *is_headline);

/* A: all headline roofs are known to 1 %. B: all are known to 5 %. C: at most half of them are uncertain by more.
 * D: more than half of them are, or some sample's clock is uncertain, or nothing is measured yet. */
struct trust {
    char grade;                    /* 'A' … 'D'; '\0': no sample has an interval (files of before, other tools') */
    unsigned headline;             /* roofs */
    unsigned beyond_1, beyond_5;   /* of them, uncertain by more than so many percent */
    struct doubts doubts;          /* of those that keep the grade from being better */
    bool clock_uncertain, partial; /* partial: the plan is not done */
    char worst[128]; /* "L3 latency ±85 %, DRAM of 2 threads ±13 %": the first of those beyond 5 %, worst first */
};

struct trust trust_grade(const struct sample *samples, size_t count, bool partial);

/* "B: all 26 headline roofs are known to 5 %, 20 of them to 1 %", or how many are not and the worst of them, with the
 * command that would improve it where `path` names the file (NULL: without). "" where there is no grade. */
char *trust_text(const struct trust *trust, const char *path, char *out, size_t size);

#endif
