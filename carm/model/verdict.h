/* SPDX-License-Identifier: BSD-3-Clause
 * What bounds an application: the roofs of the model that fit its own code, and how far below them it is. Pure.
 *
 * Its ceiling is that of the element type that most of its flop are of. At each level it is judged against the access
 * pattern whose share of stores is nearest to its own (see applicable_roofs.h). The level that binds it is the slowest
 * one that still allows what it reaches, or of a workload that streams, the one that its data are in; in the end it is
 * memory- or compute-bound by which of the two lines is lower at its intensity. Its ceiling is first that of its own
 * width, and where it exceeds that, the highest. */
#ifndef CARM_VERDICT_H
#define CARM_VERDICT_H

#include "bench/app/app_point.h"
#include "model.h"

struct verdict {
    bool known; /* false: no flop, no bytes or no time, or no roofs for its threads; `text` says why. Where only its
                   memory traffic is known, that is what it is judged by */
    bool memory_bound; /* at its intensity the binding level's line is lower than its ceiling */
    unsigned threads;  /* of the roofs that it is judged by: its own, or where there are none, the fewest that are more,
                          else all cores */
    const struct roof *bandwidth;    /* the binding level's pattern; NULL unless memory-bound */
    const struct roof *peak;         /* the ceiling of its type that is the highest */
    const struct roof *own_peak;     /* the highest ceiling of the width that its code uses; may be `peak` */
    const struct roof *ceiling;      /* `own_peak`, or where it exceeds that, `peak` */
    const char *bound_by;            /* "L1", "DRAM", "compute"; "" when not known */
    double attainable_flop_per_s;    /* of what binds it, at its intensity */
    double ratio;                    /* reached / attainable */
    const struct roof *next;         /* of the roofs above the one that binds it the lowest at its intensity: a faster
                                        level's, or a ceiling; NULL: there is none */
    double next_flop_per_s;          /* that it allows */
    bool above_all;                  /* above its roof by more than measuring explains: something is wrong */
    const struct roof *bytes_roof;   /* without flop: the roof of its bytes; NULL: not known, or it has flop */
    double bytes_ratio;              /* and how much of it is reached */
    uint32_t doubts;                 /* the point's own, and DOUBT_ABOVE_ROOF */
    const struct roof *dram_pattern; /* what its memory traffic is compared with; NULL: that is not known */
    double dram_ratio;               /* its memory traffic / what that pattern moves, write-allocate included */
    char text[768];                  /* sentences for people, without a full stop at the end */
};

struct verdict verdict_find(const struct model *model, const struct app_point *point);

#endif
