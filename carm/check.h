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

/* "compute=3%,dram=10%" changes `tolerances`. Error: an unknown class, or no percentage. */
bool check_read_tolerances(const char *text, double *tolerances, struct error *err);

enum check_verdict { CHECK_FAIL, CHECK_MISSING, CHECK_DOUBTFUL, CHECK_BETTER, CHECK_PASS, CHECK_VERDICTS };
extern const char *const check_verdict_names[CHECK_VERDICTS]; /* "fail", … */

/* All results' values of one roof, and what follows. */
struct baseline_roof {
    size_t count, capacity, doubt_counts[32];
    double *values;
    double median;
    uint32_t doubts; /* that more than half of the values have */
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
    double value, baseline;  /* NaN: missing */
    double ratio;            /* value / baseline */
    uint32_t doubts;         /* why it is doubtful */
    const struct roof *roof; /* of the result; NULL: missing */
};

struct check {
    size_t count, counts[CHECK_VERDICTS], more; /* more: roofs that the baseline lacks */
    struct check_row *rows;                     /* by verdict, then in the baseline's order */
};

struct check check_make(const struct model *model, const struct baseline *baseline, const double *tolerances);
void check_free(struct check *check);

/* Doubts that make a comparison doubtful: those about the measurement on either side, and those about the conditions
 * that only one side has. */
uint32_t check_doubts(uint32_t own, uint32_t other);

#endif
