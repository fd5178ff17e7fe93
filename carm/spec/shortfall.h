/* SPDX-License-Identifier: BSD-3-Clause
 * Measured against documented: how far each roof of a result is from its limit, and why. Pure.
 *
 * Reasons are rows of two tables, tested in order, the most specific first: one for the clock that a roof ran at, one
 * for what it reached per cycle of that clock. What no row explains is called unexplained. How close
 * is close is in shortfall_thresholds.h. */
#ifndef CARM_SHORTFALL_H
#define CARM_SHORTFALL_H

#include "probe/uarch.h"
#include "carm/model/model.h"
#include "spec.h"

struct shortfall;

/* One roof, with all that a rule may look at. */
struct shortfall_case {
    const struct model *model;
    const struct spec *spec; /* may be NULL */
    const struct shortfall *shortfall;
    const struct sample *sample;
    const struct uarch *uarch; /* NULL: not known */
    unsigned vector_bytes;     /* 0: not known */
    unsigned cache_level;      /* 1, 2, …; 0 for compute and memory */
    bool memory;               /* DRAM, HBM */
};

struct shortfall_rule {
    const char *name;    /* "one FMA unit": in tables and JSON, never renamed */
    const char *meaning; /* a sentence or two: cause, and what to do */
    bool (*applies)(const struct shortfall_case *about);
    void (*detail)(const struct shortfall_case *about, char *out,
                   size_t size); /* this roof's numbers; NULL: nothing to add */
};

extern const struct shortfall_rule shortfall_clock_rules[], shortfall_cause_rules[];
extern const size_t shortfall_clock_rule_count, shortfall_cause_rule_count;

struct shortfall {
    const struct roof *roof;
    double documented;       /* at the clock that it ran at; the value's unit, all threads; 0: not known */
    double ratio;            /* measured / documented; 0: not known */
    double nominal_clock_hz; /* 0: not known */
    double documented_nominal, nominal_ratio;
    const struct shortfall_rule *clock, *cause; /* NULL: nothing to explain */
    char clock_detail[128], cause_detail[192];
};

struct shortfalls {
    size_t count;
    struct shortfall *shortfalls; /* one per roof, in the model's order */
};

/* `spec` may be NULL; then the brand tells the nominal clock, if anything does. */
struct shortfalls shortfalls_find(const struct model *model, const struct spec *spec);
void shortfalls_free(struct shortfalls *shortfalls);

#endif
