/* SPDX-License-Identifier: BSD-3-Clause
 * A result against a baseline: a verdict per roof. The baseline is a result, or the medians of several. Pure. */
#ifndef CARM_CHECK_H
#define CARM_CHECK_H

#include "compare.h"

/* The classes of roofs that share a tolerance. */
enum check_class { CHECK_COMPUTE, CHECK_L1, CHECK_L2, CHECK_L3, CHECK_DRAM, CHECK_LATENCY, CHECK_CLASSES };
extern const char *const check_class_names[]; /* "compute", "l1", …; NULL at the end */
extern const double check_tolerances[];       /* the default of each class, relative: 0.03 is 3 % */

/* The class of a roof. Caches beyond L3 count as L3, and every kind of memory as DRAM. */
enum check_class check_class_of(const struct roof_key *key);

/* How much, relative, roofs may be worse than the baseline: by class, and for some roofs by name, which is a kernel
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

/* The tolerance of a roof, relative. Where several of the named limits fit, the last one counts. */
double check_tolerance(const struct check_limits *limits, const struct roof_key *key);

/* What is found of a roof: worse by more than its tolerance; not measured; not to be told, because of a doubt; better
 * by more than its tolerance; within it. */
enum check_verdict { CHECK_FAIL, CHECK_MISSING, CHECK_DOUBTFUL, CHECK_BETTER, CHECK_PASS, CHECK_VERDICTS };
extern const char *const check_verdict_names[CHECK_VERDICTS]; /* "fail", … */

/* One roof over all results of the baseline. Values are in flop/s, bytes/s or s, divided as baseline.per says. */
struct baseline_roof {
    size_t count, capacity, doubt_counts[DOUBT_COUNT]; /* values; room for values; values that have each doubt */
    double *values, *lows,
        *highs;               /* each result's value and the ends of its interval, which are the value if unknown */
    double *clocks_hz;        /* the core clocks that they were measured at; 0: not known */
    double median, low, high; /* the medians of values, lows and highs */
    double clock_hz;          /* and of the clocks */
    struct doubts doubts;     /* the doubts that more than half of the values have */
};

/* What results are checked against. It begins as zeros with `per` set; then baseline_add() takes each result, and
 * baseline_finish() follows. */
struct baseline {
    enum compare_per per;        /* what values are divided by */
    size_t result_count;         /* results that were added */
    size_t quick_count;          /* of them by quick runs, which measure fewer roofs */
    struct roof_keys keys;       /* the roofs that there are */
    struct baseline_roof *roofs; /* one for each of the keys */
};

/* Adds the roofs of one result, from which nothing is borrowed. */
void baseline_add(struct baseline *baseline, const struct model *model);

/* Finds the medians and drops the roofs that no more than half of the results have. */
void baseline_finish(struct baseline *baseline);

/* Frees what was added. */
void baseline_free(struct baseline *baseline);

/* One roof of the baseline, and what the result has of it. */
struct check_row {
    struct roof_key key;
    enum check_class class;
    enum check_verdict verdict;
    double value, low, high, baseline, baseline_low, baseline_high; /* in the roof's unit; NaN: the result lacks it */
    double ratio;                                                   /* value / baseline */
    double tolerance;                                               /* how much worse it may be, relative */
    double clock_ratio;                                             /* of the core clocks; NaN: not known */
    bool uncertain;       /* values differ by more than the tolerance, but it passes since the intervals allow that */
    struct doubts doubts; /* the doubts for which it is doubtful */
    const struct roof *roof; /* the result's roof, borrowed; NULL: the result lacks it */
};

/* A verdict for each roof of the baseline. */
struct check {
    size_t count, counts[CHECK_VERDICTS]; /* rows; rows by verdict */
    size_t uncertain;                     /* rows that pass although they are uncertain */
    size_t more;                          /* roofs of the result that the baseline lacks */
    size_t unplanned;       /* roofs of the baseline that a quick run does not measure, as the result's was; no rows */
    struct check_row *rows; /* by verdict, then in the baseline's order */
};

/* Checks a result against a finished baseline. It borrows from the model; the caller ends with check_free(). */
struct check check_make(const struct model *model, const struct baseline *baseline, const struct check_limits *limits);

/* Frees what check_make() allocated. */
void check_free(struct check *check);

/* Between which values the roof passes, in its unit; NaN: it is open on that side. */
struct check_bounds {
    double lower, upper;
};
struct check_bounds check_bounds(const struct check_row *row);

/* The rows that a machine is known by: of whole machines, the best ceiling of each element type, bandwidth and latency
 * of each level, as the baseline has them, by one core and by all. In the baseline's order. Returns how many. */
enum { CHECK_MAX_HEADLINES = 64 };
size_t check_headlines(const struct check *check, const struct check_row *rows[CHECK_MAX_HEADLINES]);

/* How many of them are doubtful. */
size_t check_doubtful_headlines(const struct check *check);

/* Whether enough was judged to say that the machine is as it was: a headline that is neither doubtful nor missing;
 * where the baseline has no headlines, any roof. */
bool check_can_tell(const struct check *check);

/* What roofs that fail are per cycle and core of the clock that they ran at. */
struct check_clock {
    size_t failed, still; /* roofs that fail, and those of them that fail per cycle too, or are missing there */
    double ratio;         /* the median of their clocks over the baseline's; NaN: not known */
};

/* From a check and another of the same result and baseline, which compares values per cycle. */
struct check_clock check_clock_find(const struct check *check, const struct check *per_cycle);

/* Whether each named limit fits a roof of the baseline. Error: one fits none, so that its name is probably mistyped. */
bool check_limits_are_used(const struct check_limits *limits, const struct baseline *baseline, struct error *err);

/* The doubts that make a comparison of two values doubtful: doubts about the measurement that either value has, and
 * doubts about the conditions that only one of them has. */
struct doubts check_doubts(struct doubts own, struct doubts other);

#endif
