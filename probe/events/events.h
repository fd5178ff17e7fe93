/* SPDX-License-Identifier: BSD-3-Clause
 * The native events behind each metric: formulas, one row per microarchitecture, with PAPI's presets as the
 * fallback. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "probe/cpu.h"

struct error;

enum metric {
    METRIC_F64_FLOP,
    METRIC_F32_FLOP,
    METRIC_F16_FLOP,
    METRIC_ANY_FLOP, /* f64 and f32 together, if the core does not separate them */
    METRIC_LOADS,    /* instructions */
    METRIC_STORES,
    METRIC_WIDTH_BYTES, /* of the arithmetic, a mean: the factors are bytes of an instruction (events_width_bytes()) */
    METRIC_TLB_MISSES,  /* page walks of loads and stores that missed every TLB level */
    METRIC_CYCLES,
    METRIC_INSTRUCTIONS,
    METRIC_DRAM_READ_BYTES, /* of the whole machine */
    METRIC_DRAM_WRITE_BYTES,
    METRIC_COUNT,
};
extern const char *const metric_names[METRIC_COUNT + 1]; /* "f64_flop", …; NULL at the end */

enum { EVENTS_MAX_TERMS = 16 };
struct event_term {
    char event[96]; /* native name, as PAPI and libpfm4 take it; a preset "PAPI_…"; or "uncore_imc/…/" (uncore.h) */
    double factor;
};
struct event_formula { /* value = sum of factor × event; no terms: the core does not count it */
    unsigned term_count;
    struct event_term terms[EVENTS_MAX_TERMS];
    unsigned sve_terms; /* bits of those whose factor includes the set's sve_parts */
};
struct event_set {     /* of one kind of core */
    char core[48];     /* "Sapphire Rapids (Golden Cove)"; "" if only presets remain */
    char pmu[32];      /* libpfm4's name of the core: "spr"; "" not known */
    char stand_in[32]; /* a core with the same events, names and codes, if libpfm4 does not know this core; "" none */
    char source[256];
    struct event_formula metrics[METRIC_COUNT];
    unsigned sve_parts; /* `sve` in a formula: parts of 128 bits in an SVE vector; 0: no SVE, or not known */
    bool f32_like_f64;  /* width_bytes: one event counts the scalars of f64 and f32, so 8 bytes of a scalar may be 4 */
    char doubt[METRIC_COUNT][96]; /* why a metric is doubtful, "dispatched, not retired", or missing; "" */
};

/* The CPU's row, else presets. Never fails. `pmu` chooses a row by libpfm4's name instead; NULL: by identity. For a
 * hybrid CPU, the P cores' row. */
void events_find(const struct cpu_identity *cpu, const char *pmu, struct event_set *out);

/* The row, or presets, for one kind of a hybrid CPU's cores ("P", "E"; "" if there is one kind). Never fails. */
void events_find_kind(const struct cpu_identity *cpu, const char *core_kind, struct event_set *out);

/* libpfm4's names of the cores that have a row, each once; NULL after the last. */
const char *events_pmu_at(size_t index);

/* A file of lines `metric = event * factor + event …` (a factor: numbers and `sve`), `#` comments; replaces the
 * formulas of the metrics it names. Error: file and line. */
bool events_load(const char *path, struct event_set *out, struct error *err);

/* Evaluates the formula of the metric with counted events; false when `names` lacks one of its events, or the metric
 * has no formula. */
bool events_evaluate(const struct event_formula *formula, size_t count, const char (*names)[96], const double *values,
                     double *out);

/* Why none of the set's metrics is flop; NULL: one is. */
const char *events_without_flop(const struct event_set *set);

/* The mean of width_bytes, whose terms were counted `counts` times; 0: not known, as the core has no such events, none
 * of them occurred, or it depends on the unknown type of the scalars. */
double events_width_bytes(const struct event_set *set, const double *counts);
