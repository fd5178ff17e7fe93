/* SPDX-License-Identifier: BSD-3-Clause
 * Does a machine reach what its vendor states: FMA of each precision, loads from L1 and L2, memory, clocks? One verdict
 * per figure. Pure. */
#pragma once

#include "shortfall.h"

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
