/* SPDX-License-Identifier: BSD-3-Clause
 * Measured against documented: how far each roof of a result is from its limit, and why. Pure.
 *
 * Reasons are rows of two tables, tested in order, the most specific first: one for the clock that a roof ran at, one
 * for what it reached per cycle of that clock. What no row explains is called unexplained. How close
 * is close is in shortfall_evidence.h. */
#ifndef CARM_MODEL_SHORTFALL_H
#define CARM_MODEL_SHORTFALL_H

#include "model.h"

#include "carm/store/spec.h"

struct shortfall;

/* What a roof is, beside what is documented; what a rule that speaks makes of it. */
enum shortfall_standing { SHORTFALL_EXPLAINED, SHORTFALL_UNEXPLAINED, SHORTFALL_UNDOCUMENTED, SHORTFALL_CLOSE };
enum { SHORTFALL_STANDINGS = SHORTFALL_CLOSE + 1 };

struct shortfall_rule {
    const char *name;    /* "one FMA unit": in tables and JSON, never renamed */
    const char *meaning; /* a sentence or two: cause, and what to do */
    bool (*applies)(const struct shortfall *about);
    /* This roof's numbers in words (shortfall_rules.c); NULL: nothing to add. */
    void (*detail)(const struct shortfall *about, char *out, size_t size);
    enum shortfall_standing standing;
};

extern const struct shortfall_rule shortfall_clock_rules[], shortfall_cause_rules[];
extern const size_t shortfall_clock_rule_count, shortfall_cause_rule_count;

/* What else is known about a roof (see shortfall_evidence.h). */
struct shortfall_evidence {
    unsigned vector_bytes;     /* 0: not known */
    unsigned cache_level;      /* 1, 2, …; 0 for compute and memory */
    bool memory;               /* DRAM, HBM */
    double lighter_clock_hz;   /* the median of narrower arithmetic on as many threads; 0: none was measured */
    double turbo_clock_hz;     /* the highest that the vendor states; 0: not known */
    const struct level *level; /* that it is of, as it was found; NULL: none of its name */
    double fewer_each;         /* the best value per thread of the same kernel and level on fewer threads; 0: none */
    bool fewer_get_more;       /* each of them, clearly */
    double more;               /* the best value on more threads, all together; 0: none */
    unsigned package_cores;    /* as stated; 0: not known */
    double sustained_bytes_per_cycle; /* as the vendor states it; 0: not known */
    const char *sustained_source;
    struct doubts lowering_doubts; /* those of its doubts that can have lowered it and have no rule of their own */
    const char *seen_before;       /* what other machines with this core showed alike; NULL: nothing */
};

struct shortfall {
    const struct roof *roof;
    const struct machine *machine;
    double documented;       /* at the clock that it ran at; the value's unit, all threads; 0: not known */
    double ratio;            /* measured / documented; 0: not known */
    double nominal_clock_hz; /* 0: not known */
    double documented_nominal, nominal_ratio;
    const struct shortfall_rule *clock, *cause; /* NULL: nothing to explain */
    struct shortfall_evidence evidence;
};

struct shortfalls {
    size_t count;
    struct shortfall *shortfalls; /* one per roof, in the model's order */
};

/* `spec` may be NULL; then the brand tells the nominal clock, if anything does. */
struct shortfalls shortfalls_find(const struct model *model, const struct spec *spec);

/* Close to its limit, or what the rule for it says. */
enum shortfall_standing shortfall_standing(const struct shortfall *shortfall);

void shortfalls_free(struct shortfalls *shortfalls);

#endif
