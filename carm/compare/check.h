/* SPDX-License-Identifier: BSD-3-Clause
 * A result against a baseline: a verdict per roof. The baseline is a result, or the medians of several. Pure. */
#ifndef CARM_CHECK_H
#define CARM_CHECK_H

#include "compare.h"

/* Roofs that one tolerance is for. */
enum check_class { CHECK_COMPUTE, CHECK_L1, CHECK_L2, CHECK_L3, CHECK_DRAM, CHECK_LATENCY, CHECK_CLASSES };
extern const char *const check_class_names[]; /* "compute", "l1", …; NULL at the end */
extern const double check_tolerances[];       /* the defaults: 0.03 is 3 % */

/* Caches beyond L3 count as L3, and every memory as DRAM. */
enum check_class check_class_of(const struct roof_key *key);

/* What roofs may lose: by class, and some by name, "avx512.random" or "L3 avx512.random". */
enum { CHECK_NAMED_LIMITS = 32 };
struct check_limits {
    double classes[CHECK_CLASSES];
    size_t named_count;
    struct check_named_limit {
        char roof[64];
        double tolerance;
    } named[CHECK_NAMED_LIMITS];
};

/* The defaults (`text` NULL), changed by "compute=3%,dram=10%,L3 avx512.random=25%". Error: no percentage. */
bool check_read_limits(const char *text, struct check_limits *limits, struct error *err);

/* Of several names for one roof the last counts. */
double check_tolerance(const struct check_limits *limits, const struct roof_key *key);

enum check_verdict { CHECK_FAIL, CHECK_MISSING, CHECK_DOUBTFUL, CHECK_BETTER, CHECK_PASS, CHECK_VERDICTS };
extern const char *const check_verdict_names[CHECK_VERDICTS]; /* "fail", … */

/* All results' values of one roof, and what follows. */
struct baseline_roof {
    size_t count, capacity, doubt_counts[32];
    double *values, *lows, *highs; /* without an interval all three are the value */
    double median, low, high;      /* the medians of each */
    uint32_t doubts;               /* that more than half of the values have */
};

/* Begin with zero and `per` set, add the results, finish. */
struct baseline {
    enum compare_per per;
    size_t result_count;
    struct roof_keys keys;
    struct baseline_roof *roofs; /* in the order of the keys */
};
void baseline_add(struct baseline *baseline, const struct model *model);

/* Finds the medians, and leaves only roofs that more than half of the results hold. */
void baseline_finish(struct baseline *baseline);
void baseline_free(struct baseline *baseline);

struct check_row {
    struct roof_key key;
    enum check_class class;
    enum check_verdict verdict;
    double value, low, high, baseline, baseline_low, baseline_high; /* NaN: missing */
    double ratio;                                                   /* value / baseline */
    double tolerance;
    bool uncertain;          /* passes because both intervals allow it: the values differ by more than the tolerance */
    uint32_t doubts;         /* why it is doubtful */
    const struct roof *roof; /* of the result; NULL: missing */
};

struct check {
    size_t count, counts[CHECK_VERDICTS];
    size_t uncertain;       /* of those that pass */
    size_t more;            /* roofs that the baseline lacks */
    struct check_row *rows; /* by verdict, then in the baseline's order */
};

struct check check_make(const struct model *model, const struct baseline *baseline, const struct check_limits *limits);
void check_free(struct check *check);

/* Error: a limit's name is no class, and no roof of the baseline has it. */
bool check_limits_are_used(const struct check_limits *limits, const struct baseline *baseline, struct error *err);

/* Doubts that make a comparison doubtful: those about the measurement on either side, and those about the conditions
 * that only one side has. */
uint32_t check_doubts(uint32_t own, uint32_t other);

#endif
