/* SPDX-License-Identifier: BSD-3-Clause
 * A result against a baseline: a verdict per roof. The baseline is a result, or the medians of several. Pure. */
#pragma once

#include "compare.h"
#include "bench/kernels/doubt.h"
#include "bench/kernels/doubts.h"

struct error;

/* The classes of roofs that share a tolerance. */
enum check_class { CHECK_COMPUTE, CHECK_L1, CHECK_L2, CHECK_L3, CHECK_DRAM, CHECK_LATENCY, CHECK_CLASSES };
extern const char *const check_class_names[]; /* "compute", "l1", …; NULL at the end */

/* The class of a roof. Caches beyond L3 count as L3, and all kinds of memory as DRAM. */
enum check_class check_class_of(const struct roof_key *key);

/* How much, relative, roofs may be worse than the baseline: by class, and for some roofs by name: a kernel
 * ("avx512.random") or a level and a kernel ("L3 avx512.random"). */
enum { CHECK_NAMED_LIMITS = 32 };
struct check_limits {
    double classes[CHECK_CLASSES];
    size_t named_count;
    struct check_named_limit {
        char roof[64];
        double tolerance;
    } named[CHECK_NAMED_LIMITS];
};

/* Sets the default limits and changes them by `text`, such as "compute=3%,dram=10%,L3 avx512.random=25%"; NULL changes
 * nothing. Error: an entry has no percentage, or there are more than CHECK_NAMED_LIMITS names. */
bool check_read_limits(const char *text, struct check_limits *limits, struct error *err);

/* The tolerance of a roof, relative. If several named limits fit, the last one counts. */
double check_tolerance(const struct check_limits *limits, const struct roof_key *key);

/* The tolerance of a roof that is slow alone, while others of its kind are not: twice as much, because there are
 * hundreds of roofs and chance finds one. A limit that names the roof is exact. For `check` and `fleet`. */
double check_tolerance_alone(const struct check_limits *limits, const struct roof_key *key);

/* The verdict on a roof: worse by more than its tolerance; not measured; undecidable because of a doubt; better by more
 * than its tolerance; within it. */
enum check_verdict { CHECK_FAIL, CHECK_MISSING, CHECK_DOUBTFUL, CHECK_BETTER, CHECK_PASS, CHECK_VERDICTS };
extern const char *const check_verdict_names[CHECK_VERDICTS]; /* "fail", … */

/* One roof over all results of the baseline. Values are in flop/s, bytes/s or s, divided as baseline.per says. */
struct baseline_roof {
    size_t count, capacity, doubt_counts[DOUBT_COUNT]; /* values; capacity; number of values with each doubt */
    double *values, *lows, *highs; /* each result's value and the ends of its interval (the value if unknown) */
    double *clocks_hz;             /* the core clocks of the values; 0: unknown */
    double median, low, high;      /* the medians of values, lows and highs */
    double clock_hz;               /* the median of the clocks */
    struct doubts doubts;          /* the doubts of more than half of the values */
};

/* The reference of a check. Start with zeros and `per`; then call baseline_add() for each result, and
 * baseline_finish(). */
struct baseline {
    enum compare_per per;        /* the unit of the values */
    size_t result_count;         /* added results */
    size_t quick_count;          /* of these, quick runs, which measure fewer roofs */
    struct roof_keys keys;       /* the roofs */
    struct baseline_roof *roofs; /* one for each of the keys */
};

/* Adds the roofs of one result; borrows nothing. */
void baseline_add(struct baseline *baseline, const struct model *model);

/* Finds the medians and drops roofs that at most half of the results have. */
void baseline_finish(struct baseline *baseline);

/* Frees what was added. */
void baseline_free(struct baseline *baseline);

/* One roof of the baseline, and the result's value. */
struct check_row {
    struct roof_key key;
    enum check_class class;
    enum check_verdict verdict;
    double value, low, high, baseline, baseline_low, baseline_high; /* in the roof's unit; NaN: the result lacks it */
    double ratio;                                                   /* value / baseline */
    double tolerance;     /* how much worse the value may be, relative; check_tolerance_alone() if it is slow alone */
    double clock_ratio;   /* of the core clocks; NaN: unknown */
    bool uncertain;       /* beyond the tolerance, but passes because the intervals allow it */
    struct doubts doubts; /* the doubts that make it doubtful */
    const struct roof *roof; /* the result's roof, borrowed; NULL: the result lacks it */
};

/* A verdict for each roof of the baseline. */
struct check {
    size_t count, counts[CHECK_VERDICTS]; /* rows; rows by verdict */
    size_t uncertain;                     /* rows that pass although uncertain */
    size_t more;                          /* roofs of the result that the baseline lacks */
    size_t unplanned;                 /* roofs of the baseline that the result's quick run does not measure; no rows */
    size_t unmeasured;                /* figures of the memory system in the baseline alone; no rows */
    double tolerances[CHECK_CLASSES]; /* of the classes; that of a row may differ */
    struct check_row *rows;           /* by verdict, then in the baseline's order */
};

/* Checks a result against a finished baseline. It borrows from the model; the caller ends with check_free(). */
struct check check_make(const struct model *model, const struct baseline *baseline, const struct check_limits *limits);

/* Frees what check_make() allocated. */
void check_free(struct check *check);

/* The passing values of a roof, in its unit; NaN: unbounded on that side. */
struct check_bounds {
    double lower, upper;
};
struct check_bounds check_bounds(const struct check_row *row);

/* The rows that characterise a machine: for whole machines, the best ceiling of each element type, and bandwidth and
 * latency of each level, as in the baseline, by one core and by all. In the baseline's order. Returns how many. */
enum { CHECK_MAX_HEADLINES = 64 };
size_t check_headlines(const struct check *check, const struct check_row *rows[CHECK_MAX_HEADLINES]);

/* How many of them are doubtful. */
size_t check_doubtful_headlines(const struct check *check);

/* Whether enough was judged to call the machine unchanged: a headline that is neither doubtful nor missing; without
 * headlines in the baseline, any roof. */
bool check_can_tell(const struct check *check);

/* The failing roofs, compared per cycle and core. */
struct check_clock {
    size_t failed, still; /* failing roofs; of these, the ones that fail per cycle too, or are missing there */
    double ratio;         /* the median of their clocks over the baseline's; NaN: unknown */
};

/* From a check, and one of the same result and baseline with values per cycle. */
struct check_clock check_clock_find(const struct check *check, const struct check *per_cycle);

/* Whether each named limit fits a roof of the baseline. Error: one fits none and is probably mistyped. */
bool check_limits_are_used(const struct check_limits *limits, const struct baseline *baseline, struct error *err);

/* The doubts that make a comparison of two values doubtful: doubts about the measurement of either, and doubts about
 * the conditions of only one. */
struct doubts check_doubts(struct doubts own, struct doubts other);
