/* SPDX-License-Identifier: BSD-3-Clause
 * What all lines would have counted, from those that were sampled. */
#ifndef BENCH_PROGRAMS_LEVELS_ESTIMATE_H
#define BENCH_PROGRAMS_LEVELS_ESTIMATE_H

#include "bench/caches/sampling.h"

struct levels_estimate {
    double value, low, high; /* an interval of 95 %; equal where nothing was sampled */
    bool crowded;            /* most of the interval's width is from classes with more accesses than others */
};

/* `of_group` is one count in each of the sampling's groups. The interval is Student's, of the groups' totals as a
 * sample without replacement (Cochran, "Sampling Techniques", 1977, chapter 2); no less wide than if one line more or
 * less were in each group.
 *
 * `changes` is the sum over threads of sampling.changes, or NULL: an access fetches one line over a link at most, which
 * may put others out (`lines_each` in all, for each that is fetched). So where classes that aren't sampled have more of
 * them than any sampled one, they may add that; and what sampled ones have above their share may be too much. Counts of
 * a single owner are told without it. */
struct levels_estimate levels_estimate(const struct sampling *sampling, const uint64_t *of_group,
                                       const uint64_t *changes, double lines_each);

#endif
