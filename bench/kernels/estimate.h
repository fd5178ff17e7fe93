/* SPDX-License-Identifier: BSD-3-Clause
 * Visits to one roof → its number and its interval; and a result's grade. Pure.
 *
 * A visit is a sample of some milliseconds. Longer disturbances show only as differences between visits: a neighbour on
 * the same core takes a third of it for seconds, memory is shared, the clock varies. Nearly all disturbances lower a
 * number, and a misread clock raises one now and then. So the number is the mean of the highest group of visits that
 * agree (number_thresholds.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "sample.h"

enum { ESTIMATE_MAX_VISITS = 16 };

/* Usual relative differences between visits on this machine; zeros: unknown. */
struct estimate_habit {
    double alone;     /* extent of the interval of a visit that no other agrees with, for nine in ten */
    double deviation; /* standard deviation of undisturbed visits to one roof */
};

/* Combines `count` visits (1 … ESTIMATE_MAX_VISITS) with one kernel and working set, in any order.
 *
 * A single visit above the group is more often right than misread, since nearly all disturbances lower a number: the
 * interval extends up to it until the group has `refuted` members for each such visit. If no clock is read that
 * could be misread, it always extends up to it.
 *
 * The interval (90 %) is Student's t on the members of the group (Student, The probable error of a mean, Biometrika 6,
 * 1908), with at least the usual deviation, since two visits may agree by chance. The order statistics inside the
 * visits (sample.h) are added as the root of the sum of squares. If all members are `SMT sibling busy`, it extends up
 * by what a sibling takes. If no two visits agree, the interval extends from the second highest visit to as far above
 * the highest.
 *
 * `out` is the group's visit nearest to the mean, with value, low, high, per_cycle and doubts of the whole group.
 * Visits above their documented limit count only if all are above it. Visits with an unknown clock (a rate per second
 * among rates per cycle) count only if it is unknown for all. Blank visits never count; if all are blank, `out` is,
 * too, with the first one's doubts. */
void estimate_combine(struct sample *out, const struct sample *visits, size_t count, bool paced,
                      struct estimate_habit habit);

/* The relative extent of the interval beyond the value, on its longer side; infinite if unknown. */
double estimate_uncertainty(const struct sample *sample);

/* The value for comparing samples, higher is better: per cycle if paced, else per second; the inverse for latencies. */
double estimate_merit(const struct sample *sample, bool paced);

/* A visit, or a number, that counts only where all do: above the documented limit; cores that lacked the cache that
 * they share; or, where the core does not pace the work, shared a core with others. */
bool estimate_counts_less(const struct sample *visit, bool paced);

/* Of two visits to one step, one without a number, its clock, or a cache that the cores should share, counts less; else
 * the lower one. */
bool estimate_is_lower(const struct sample *a, const struct sample *b, bool paced);

/* Whether a newer number of a roof replaces an older one: the more certain does if their intervals overlap. If not, one
 * of them was disturbed, and since that makes code slower the better one counts, unless only its clock is uncertain, or
 * only it is above its documented limit. A number of an uncertain clock is always replaced. */
bool estimate_replaces(const struct sample *newer, const struct sample *older);

bool estimate_above_documented(const struct sample *sample);

/* Whether the true value of a blank sample may be better than `best` of the same kind and place: their documented
 * limits do not exclude it. */
bool estimate_may_exceed(const struct sample *blank, const struct sample *best);

/* Whether a sample measures the peak of its type as vendors count it: FMA or dot products, unless a wider instruction
 * set without such a sample, blank or not, is faster at the same place. `at`: the sample's index. */
bool estimate_is_peak(const struct sample *samples, size_t count, size_t at);

/* How far a result as a whole can be trusted: a grade from the roofs that its answers rest on. */

/* The headline roofs of each place: the highest ceiling of each element type, and the highest bandwidth and the latency
 * of each level. Roofs in requested small pages do not count. A blank one is the headline if it may be the highest.
 * `is_headline` has one element per sample. */
void trust_headline(const struct sample *samples, size_t count, bool *is_headline);

/* A: all headline roofs are known to 1 %. B: all are known to 5 %. C: at most half of them are uncertain by more. D:
 * more than half of them are, or some sample's clock is uncertain, or nothing is measured yet. */
struct trust {
    char grade;                    /* 'A' … 'D'; '\0': no sample has an interval (older files, other tools' files) */
    unsigned headline;             /* roofs */
    unsigned beyond_1, beyond_5;   /* number uncertain by more than 1 % and 5 % */
    struct doubts doubts;          /* of the roofs that prevent a better grade */
    bool clock_uncertain, partial; /* partial: the plan is unfinished */
    char worst[128];               /* "L3 latency ±85 %, DRAM of 2 threads ±13 %": the most uncertain beyond 5 % */
};

struct trust trust_grade(const struct sample *samples, size_t count, bool partial);

/* "B: all 26 headline roofs are known to 5 %, 20 of them to 1 %"; or how many are uncertain, and the worst of them.
 * Adds the command that would improve the grade, `resume` (NULL: none). "" if there is no
 * grade. */
char *trust_text(const struct trust *trust, const char *resume, char *out, size_t size);
