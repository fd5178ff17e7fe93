/* SPDX-License-Identifier: BSD-3-Clause
 * The cache-aware roofline model: roofs derived from a result's samples, and what they allow. Pure.
 *
 * A level is a band: its roof is its best access pattern, named; its floor the weakest pattern of the same ISA. A
 * program is bound by min(peak, intensity × bandwidth), with intensity in flop per byte that the core asks for. */
#ifndef CARM_MODEL_H
#define CARM_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "carm/store/results.h"

struct roof {
    const struct sample *sample; /* name, kind, level, threads, value, per cycle, clock, doubts */
    char isa[16];                /* "avx512"; "" for the chase */
    char type[8];                /* "f64"; "" for memory, unless single elements are moved: "i8" */
    char op[24];                 /* "fma", "2ld1st" */
    double documented_ratio;     /* measured / documented per cycle, or / stated; 0: neither is known */
    bool other_memory;           /* its level is memory of another kind than the cores' own, such as HBM beside DRAM */
    bool cell;                   /* one cell of the matrix from node to node, no roof */
    bool stated_limit;           /* it only says what others could be (model_with_limits) */
    bool any_threads;            /* how many it is of is not told, and no other of its level (its type) tells either */
};

struct model {
    const struct result *result; /* borrowed */
    size_t count;
    struct roof *roofs; /* in the result's order */
    size_t median_count;
    struct roof *medians; /* of levels' sizes: only a view of MODEL_MEDIAN shows them */
    struct sample *median_samples;
};

/* Which of the roofs to look at. NULL or 0: any; but without package and node only roofs of no special place. One of
 * any threads is in the view of each number. */
struct model_view {
    unsigned threads;
    const char *core_kind;
    unsigned package, node, memory_node; /* 1 + number, as in samples */
    bool smt;                            /* several threads on a core */
    const char *isa, *type, *op;         /* op: of memory patterns, as in "--roof 2ld1st", or MODEL_MEDIAN */
    const char *elements;                /* loads and stores of single elements of this type, "i8"; NULL: the others */
};
#define MODEL_MEDIAN "median"

struct model_level {
    const struct roof *roof, *floor; /* the best and the weakest pattern */
};

/* A roof for each bandwidth curve and level of which it has three sizes at least: the median of bytes/s. `samples` is
 * what the roofs are of; both are the caller's to free. */
size_t model_medians(const struct result *result, struct roof **roofs, struct sample **samples);

struct model model_build(const struct result *result);
void model_free(struct model *model);

/* Theory beside measurement: the same model, where roofs that were stated, as by a data sheet, are no roofs but the
 * documented limits of those of their type or level that were measured, if there are any. Its roofs are the caller's to
 * free; the rest is the model's. */
struct model model_with_limits(const struct model *model);

/* False when the view holds no roof of that level. Random lines, chases and a memory's traffic are no patterns of a
 * band; random lines can be asked for by name. */
bool model_level(const struct model *model, const struct model_view *view, const char *level, struct model_level *out);

/* The pattern of `best`, the best of its level with any ISA, where it was not measured with the ISA of the view, whose
 * own best may be higher than any that was; NULL where it was. */
const char *model_untried(const struct model *model, const struct model_view *view, const struct roof *best);

/* Whether the roof is of the view's threads, core kind, ISA and, for a compute ceiling, type. */
bool model_in_view(const struct roof *roof, const struct model_view *view);

/* Whether it is what loads or stores of single elements move, as scalar code does. */
bool model_is_elementwise(const struct roof *roof);

/* Whether what it moves is what the view asks for: single elements, or anything but those. */
bool model_moves(const struct roof *roof, const struct model_view *view);

/* The highest compute ceiling of the view, NULL when there is none. */
const struct roof *model_peak(const struct model *model, const struct model_view *view);

/* The intensity at which a bandwidth meets a peak: flop per byte. */
double model_ridge(const struct roof *peak, const struct roof *bandwidth);

/* flop/s that the model allows at an intensity: min(peak, intensity × bandwidth). */
double model_attainable(const struct roof *peak, double bytes_per_s, double intensity_flop_per_byte);

/* The thread counts that the result holds, rising; returns how many there are, at most `max` are written. */
size_t model_threads(const struct model *model, unsigned *out, size_t max);

/* Every place that the result holds roofs of, by rising threads, as views of it; returns how many, at most `max`. Roofs
 * of any threads have none of their own where others tell of theirs. */
size_t model_places(const struct model *model, struct model_view *out, size_t max);

/* Where the sample's threads run and where their memory lies, without their number: "P cores", "node 0, memory on node
 * 1", "SMT"; "" for nothing special. */
const char *model_place_text(const struct sample *sample, char *out, size_t size);

/* The levels that a view has: those of its core kind, and memory of other kinds before the cores' own. */
struct levels model_levels(const struct model *model, const struct model_view *view);

/* Threads on the row's node, memory on the column's: loads by all of the node's cores, or one thread's latency. */
enum { MODEL_MATRIX_NODES = 16 };
struct model_matrix {
    size_t rows, columns;
    unsigned row_node[MODEL_MATRIX_NODES], column_node[MODEL_MATRIX_NODES]; /* OS indices, rising */
    const char *column_kind[MODEL_MATRIX_NODES];                            /* "DRAM", "HBM" */
    const struct roof *roof[MODEL_MATRIX_NODES][MODEL_MATRIX_NODES];        /* NULL: not measured */
};

/* False when the result holds no such matrix. */
bool model_matrix(const struct model *model, enum sample_kind kind, struct model_matrix *out);

/* Whether its operations are integer ones: counted as op, never as flop. */
bool model_is_integer(const struct roof *roof);

/* "flop/s", "B/s", "s": of a kind's value. */
const char *model_unit(enum sample_kind kind);

/* Of a roof's value, where integer operations are "op/s"; as files say it ("op_per_s"); and per cycle. */
const char *model_roof_unit(const struct roof *roof);
const char *model_roof_unit_name(const struct roof *roof);
const char *model_roof_unit_per_cycle(const struct roof *roof);

/* All doubts of the result's samples together, and of how many samples each is: counts[i] belongs to doubt_table[i]. */
void model_count_doubts(const struct result *result, unsigned *counts);

#endif
