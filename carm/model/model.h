/* SPDX-License-Identifier: BSD-3-Clause
 * The cache-aware roofline model: roofs derived from a result's samples, and what they allow. Pure.
 *
 * A level is a band: its roof is its best access pattern, named; its floor the weakest pattern of the same ISA. A
 * program is bound by min(peak, intensity × bandwidth), with intensity in flop per byte that the core asks for. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "bench/kernels/sample.h"

struct result;

struct roof {
    const struct sample *sample; /* name, kind, level, threads, value, per cycle, clock, doubts */
    char isa[16];                /* "avx512"; "" for a pointer chase */
    char type[8];                /* "f64"; "" for memory, except of single elements: "i8" */
    char op[24];                 /* "fma", "2ld1st" */
    double documented_ratio;     /* measured / documented per cycle, or / stated; 0: neither is known */
    bool peak;                   /* as vendors count it (estimate_is_peak()) */
    bool other_memory;           /* its level is memory of another kind than the cores' own, such as HBM beside DRAM */
    bool cell;                   /* one cell of the matrix from node to node, not a roof */
    bool stated_limit;           /* only the limit of other roofs (model_with_limits) */
    bool figure;                 /* of the memory system under load, not a roof */
    bool any_threads; /* its number of threads is unknown, and so is that of all others of its level or type */
};

struct model {
    const struct result *result; /* borrowed */
    size_t count;
    struct roof *roofs; /* in the result's order */
    size_t blank_count;
    struct roof *blanks; /* samples without a number (sample_is_blank()): for tables, and for what they make unknown */
    size_t median_count;
    struct roof *medians; /* medians over the sizes of a level: only in a view of MODEL_MEDIAN */
    struct sample *median_samples;
    size_t figure_count;
    struct roof *figures; /* of the memory system under load (memory_model.h): compared as roofs, but no roofs */
    struct sample *figure_samples;
};

/* What results are compared by: roofs, then figures. */
size_t model_compared_count(const struct model *model);
const struct roof *model_compared(const struct model *model, size_t i);

/* The roofs to look at. NULL or 0: any; without package and node only roofs without a special place. A roof of any
 * threads is in every view. */
struct model_view {
    unsigned threads;
    const char *core_kind;
    unsigned package, node, memory_node; /* 1 + number, as in samples */
    bool smt;                            /* several threads on a core */
    const char *isa, *type, *op;         /* op: memory patterns, as in "--roof 2ld1st", or MODEL_MEDIAN */
    const char *elements;                /* loads and stores of single elements of this type, "i8"; NULL: the others */
};
#define MODEL_MEDIAN "median"

struct model_level {
    const struct roof *roof, *floor; /* the best and the weakest pattern */
};

struct model model_build(const struct result *result);
void model_free(struct model *model);

/* The same model, in which stated roofs (as from a data sheet) become documented limits of the measured roofs of their
 * type or level, if there are any. The caller frees its roofs; the rest belongs to the model. */
struct model model_with_limits(const struct model *model);

/* False if the view holds no roof of that level. Random lines, pointer chases and memory traffic are no patterns of a
 * band; random lines can be requested by name. */
bool model_level(const struct model *model, const struct model_view *view, const char *level, struct model_level *out);

/* The pattern of `best`, the best of its level with any ISA, if it was not measured with the view's ISA (whose true
 * best may be higher than its measured one); NULL if it was. */
const char *model_untried(const struct model *model, const struct model_view *view, const struct roof *best);

/* Whether the roof matches the view's threads, core kind, ISA and, for a compute ceiling, type. */
bool model_in_view(const struct roof *roof, const struct model_view *view);

/* Whether its accesses are to random lines: then it is no roof of its level's band, and no headline. */
bool model_is_random(const struct roof *roof);

/* Whether it moves single elements, as scalar code does. */
bool model_is_elementwise(const struct roof *roof);

/* The peak of the view as vendors count it: the highest ceiling of such operations; without any, the highest of all.
 * NULL: none. */
const struct roof *model_peak(const struct model *model, const struct model_view *view);

/* The highest compute ceiling of the view: beside FMA, some cores have ports for additions. NULL: none. */
const struct roof *model_highest(const struct model *model, const struct model_view *view);

/* Whether a roof stands for its type or level before another one: a peak as vendors count before other ceilings, so
 * that machines are compared by one operation; then the higher value or the shorter latency. */
bool model_goes_before(const struct roof *roof, const struct roof *other);

/* Whether the best of a type or level is not known because of a blank roof, whose true value may be higher: beside a
 * peak only that of another one matters. `best` NULL: no other is known. */
bool model_may_hide(const struct roof *blank, const struct roof *best);

/* A blank roof of the view and level ("": a ceiling) whose true value may be higher than that of `best` (NULL: no other
 * is known): then the highest (the peak) is not known. NULL: there is none. */
const struct roof *model_blank_above(const struct model *model, const struct model_view *view, const char *level,
                                     const struct roof *best);

/* The intensity at which a bandwidth meets a peak: flop per byte. */
double model_ridge(const struct roof *peak, const struct roof *bandwidth);

/* flop/s that the model allows at an intensity: min(peak, intensity × bandwidth). */
double model_attainable(const struct roof *peak, double bytes_per_s, double intensity_flop_per_byte);

/* The thread counts of the result, rising. Returns how many there are; writes at most `max`. */
size_t model_threads(const struct model *model, unsigned *out, size_t max);

/* Every place with roofs (with blank ones if all are), by rising threads, as views. Returns how many, at most `max`.
 * Roofs of any threads have no place of their own if others have a number. */
size_t model_places(const struct model *model, struct model_view *out, size_t max);

/* Where the sample's threads run and where their memory is, without their number: "P cores", "node 0, memory on node
 * 1", "SMT"; "" for nothing special. */
const char *model_place_text(const struct sample *sample, char *out, size_t size);

/* The levels of a view: those of its core kind, with memory of other kinds before the cores' own. */
struct levels model_levels(const struct model *model, const struct model_view *view);

/* Threads on the row's node, memory on the column's: loads by all of the node's cores, or the latency of one thread. */
enum { MODEL_MATRIX_NODES = 16 };
struct model_matrix {
    size_t rows, columns;
    unsigned row_node[MODEL_MATRIX_NODES], column_node[MODEL_MATRIX_NODES]; /* OS indices, rising */
    const char *column_kind[MODEL_MATRIX_NODES];                            /* "DRAM", "HBM" */
    const struct roof *roof[MODEL_MATRIX_NODES][MODEL_MATRIX_NODES];        /* NULL: not measured */
};

/* False if the result holds no such matrix. */
bool model_matrix(const struct model *model, enum sample_kind kind, struct model_matrix *out);

/* Whether its operations are on integers: counted as op, never as flop. */
bool model_is_integer(const struct roof *roof);

/* The unit of a kind's values: "flop/s", "B/s", "s". */
const char *model_unit(enum sample_kind kind);

/* The unit of a roof's value ("op/s" for integers), its name in files ("op_per_s"), and the unit per cycle. */
const char *model_roof_unit(const struct roof *roof);
const char *model_roof_unit_name(const struct roof *roof);
const char *model_roof_unit_per_cycle(const struct roof *roof);

/* All doubts of the result's samples, and the number of samples with each: counts[i] belongs to doubt_table[i]. */
void model_count_doubts(const struct result *result, unsigned *counts);
