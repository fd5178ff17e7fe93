/* SPDX-License-Identifier: BSD-3-Clause
 * What bounds an application: the roofs of the model that fit its own code, and how far below them it is. Pure.
 *
 * Its ceiling is that of the element type that most of its flop are of. At each level it is judged against the access
 * pattern whose share of stores is nearest to its own. The level that binds it is the slowest one that still allows
 * what it reaches; in the end it is memory- or compute-bound by which of the two lines is lower at its intensity. */
#ifndef CARM_VERDICT_H
#define CARM_VERDICT_H

#include "../bench/app_point.h"
#include "model.h"

struct verdict {
    bool known;        /* false: no flop, no bytes or no time, or no roofs for its threads; `text` says why */
    bool memory_bound; /* at its intensity the binding level's line is lower than its ceiling */
    const struct roof *bandwidth; /* the binding level's pattern; NULL when only a compute ceiling is above it */
    const struct roof *peak;      /* the ceiling of its type that is the highest */
    const struct roof *own_peak;  /* the highest ceiling of the width that its code uses; may be `peak` */
    const char *bound_by;         /* "L1", "DRAM", "compute" */
    double attainable_flop_per_s; /* of what binds it, at its intensity */
    double ratio;                 /* reached / attainable */
    bool above_all;               /* above every roof: the ratio is over 1, and something is wrong or unexplained */
    char text[320];               /* one or two sentences for people */
};

/* The view: threads of the point, or where the result has no such roofs, the fewest threads that are more, which the
 * text says. */
struct verdict verdict_find(const struct model *model, const struct app_point *point);

#endif
