/* SPDX-License-Identifier: BSD-3-Clause
 * Measured against documented: how far each roof of a result is from its limit, and why. Pure.
 *
 * Reasons are rows of two tables, tested in order, the most specific first: one table for the clock that a roof ran at,
 * one for its value per cycle. A gap without a matching row is unexplained. model_thresholds.c has the thresholds.
 */
#pragma once

#include "model.h"
#include "model_thresholds.h"

#include "carm/store/spec.h"

struct shortfall;

/* The state of a roof against its documented limit, as the matching rule sets it. */
enum shortfall_standing { SHORTFALL_EXPLAINED, SHORTFALL_UNEXPLAINED, SHORTFALL_UNDOCUMENTED, SHORTFALL_CLOSE };
enum { SHORTFALL_STANDINGS = SHORTFALL_CLOSE + 1 };

struct shortfall_rule {
    const char *name;    /* "one FMA unit": in tables and JSON, never renamed */
    const char *meaning; /* a sentence or two: cause and remedy */
    bool (*applies)(const struct shortfall *about);
    /* This roof's numbers in words (shortfall_rules.c); NULL: nothing to add. */
    void (*detail)(const struct shortfall *about, char *out, size_t size);
    enum shortfall_standing standing;
    /* What it means for a figure that a vendor states (specification_judge()); not read of clocks. */
    enum shortfall_specified { SHORTFALL_BELOW, SHORTFALL_REACHED, SHORTFALL_UNCLEAR } specified;
};

extern const struct shortfall_rule shortfall_clock_rules[], shortfall_cause_rules[];
extern const size_t shortfall_clock_rule_count, shortfall_cause_rule_count;

/* Further facts about a roof (shortfall_gather()). */
struct shortfall_evidence {
    unsigned vector_bytes;     /* 0: unknown */
    unsigned cache_level;      /* 1, 2, …; 0 for compute and memory */
    bool memory;               /* DRAM, HBM */
    double lighter_clock_hz;   /* the median of narrower arithmetic on as many threads; 0: not measured */
    double turbo_clock_hz;     /* the highest that the vendor states; 0: unknown */
    const struct level *level; /* its level as detected; NULL: none of that name */
    double fewer_each;         /* the best value per thread of the same kernel and level on fewer threads; 0: none */
    bool fewer_get_more;       /* clearly more for each of them */
    bool other_gets_more;      /* another pattern of its level on as many threads has a higher value */
    double more;               /* the best total value on more threads; 0: none */
    unsigned package_cores;    /* as stated; 0: unknown */
    double sustained_bytes_per_cycle; /* as the vendor states it; 0: unknown */
    const char *sustained_source;
    struct doubts lowering_doubts; /* its doubts that can have lowered it and have no rule of their own */
    const char *seen_before;       /* the same shortfall on other machines with this core; NULL: none */
};

struct shortfall {
    const struct roof *roof;
    const struct machine *machine;
    double documented;       /* at the clock that it ran at; in the value's unit, all threads; 0: unknown */
    double ratio;            /* measured / documented; 0: unknown */
    double nominal_clock_hz; /* 0: unknown */
    double documented_nominal, nominal_ratio;
    const struct shortfall_rule *clock, *cause; /* NULL: nothing to explain */
    struct shortfall_evidence evidence;
};

struct shortfalls {
    size_t count;
    struct shortfall *shortfalls; /* one per roof, in the model's order */
};

/* `spec` may be NULL; the nominal clock is then that of the brand, if it has one. */
struct shortfalls shortfalls_find(const struct model *model, const struct spec *spec);

/* SHORTFALL_CLOSE, or the standing that the matching rule sets. */
enum shortfall_standing shortfall_standing(const struct shortfall *shortfall);

void shortfalls_free(struct shortfalls *shortfalls);

/* Further facts from result and specification about a roof: rules test them, texts quote them. Pure. */

enum { SHORTFALL_WIDE_BYTES = 64 };

/* Fills the evidence of a roof that was compared with its limit. `spec` may be NULL. */
void shortfall_gather(struct shortfall *shortfall, const struct model *model, const struct spec *spec);

bool shortfall_is_below(const struct shortfall *shortfall); /* below its limit by more than the tolerance */
bool shortfall_is_between(double ratio, const struct threshold *from, const struct threshold *to);

/* Does a machine reach what its vendor states: FMA of each precision, loads from L1 and L2, memory, clocks? One verdict
 * per figure. Pure. */

enum spec_verdict { SPEC_REACHED, SPEC_BELOW, SPEC_UNKNOWN, SPEC_VERDICTS };
extern const char *const spec_verdict_names[SPEC_VERDICTS]; /* "as specified", "below", "cannot tell" */

struct spec_figure {
    char name[12], kind[12]; /* "f64" "FMA", "L2" "", "memory" "", "base" "clock", or "clock" "" if none is stated */
    enum spec_verdict verdict;
    double stated;    /* per cycle and core; B/s of all packages; Hz; 0: unknown */
    const char *unit; /* "flop/cycle", "op/cycle", "B/cycle", "B/s", "Hz" */
    double one, all;  /* measured / stated, of one core and of all measured ones; 0: unknown */
    char why[192];    /* why it is below, or cannot be told; "" */
};

/* In the order of screens. Left out are what was not measured, and narrow types without a documented limit. */
enum { SPEC_MOST_FIGURES = 12 };
struct specification {
    unsigned threads; /* of "all" */
    size_t count;
    struct spec_figure figures[SPEC_MOST_FIGURES];
};

/* `spec` may be NULL. */
struct specification specification_judge(const struct model *model, const struct shortfalls *shortfalls,
                                         const struct spec *spec);

/* Below if any figure is; as specified if some are, and the others cannot be told. */
enum spec_verdict specification_verdict(const struct specification *specification);

/* "f64, f32 FMA, L1": the figures with this verdict; "" for none. `brief`: without narrow types that are as specified.
 * Returns `out`. */
enum { SPEC_NAMES_BYTES = 192 };
char *specification_names(const struct specification *specification, enum spec_verdict verdict, bool brief,
                          char out[SPEC_NAMES_BYTES]);
