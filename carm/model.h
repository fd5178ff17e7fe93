/* SPDX-License-Identifier: BSD-3-Clause
 * The cache-aware roofline model: roofs derived from a result's samples, and what they allow. Pure.
 *
 * A level is a band: its roof is its best access pattern, named; its floor the weakest pattern of the same ISA. A
 * program is bound by min(peak, intensity × bandwidth), with intensity in flop per byte that the core asks for. */
#ifndef CARM_MODEL_H
#define CARM_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "results.h"

struct roof {
    const struct sample *sample; /* name, kind, level, threads, value, per cycle, clock, doubts */
    char isa[16];                /* "avx512"; "" for the chase */
    char type[8];                /* "f64"; "" for memory */
    char op[24];                 /* "fma", "2ld1st" */
    double documented_ratio;     /* measured / documented per cycle; 0: not documented */
};

struct model {
    const struct result *result; /* borrowed */
    size_t count;
    struct roof *roofs; /* in the result's order */
};

/* Which of the roofs to look at. NULL or 0: any. */
struct model_view {
    unsigned threads;
    const char *core_kind;
    const char *isa, *type, *op; /* op: of memory patterns, as in "--roof 2ld1st" */
};

struct model_level {
    const struct roof *roof, *floor; /* the best and the weakest pattern */
};

struct model model_build(const struct result *result);
void model_free(struct model *model);

/* False when the view holds no roof of that level. Random lines and chases are no patterns of a band. */
bool model_level(const struct model *model, const struct model_view *view, const char *level, struct model_level *out);

/* Whether the roof is of the view's threads, core kind, ISA and, for a compute ceiling, type. */
bool model_in_view(const struct roof *roof, const struct model_view *view);

/* The highest compute ceiling of the view, NULL when there is none. */
const struct roof *model_peak(const struct model *model, const struct model_view *view);

/* The intensity at which a bandwidth meets a peak: flop per byte. */
double model_ridge(const struct roof *peak, const struct roof *bandwidth);

/* flop/s that the model allows at an intensity: min(peak, intensity × bandwidth). */
double model_attainable(const struct roof *peak, const struct roof *bandwidth, double intensity_flop_per_byte);

/* The thread counts that the result holds, rising; returns how many there are, at most `max` are written. */
size_t model_threads(const struct model *model, unsigned *out, size_t max);

/* "flop/s", "B/s", "s": of a kind's value. */
const char *model_unit(enum sample_kind kind);

/* All doubts of the result's samples together, and of how many samples each is: counts[i] belongs to doubt_table[i]. */
void model_count_doubts(const struct result *result, unsigned *counts);

#endif
