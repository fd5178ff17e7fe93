/* SPDX-License-Identifier: BSD-3-Clause
 * Which samples to take, in which order, and for how long. Pure: made from the machine's description alone, so that it
 * can be printed, and tested with recorded machines.
 *
 * Two stages: a coarse sweep of sizes finds the levels; then each roof is measured inside its level. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "levels.h"
#include "sample.h"
#include "team.h"

#include "asm/kernel.h"

struct core_kind;
struct error;
struct machine;

enum { PLAN_MAX_SIZES = 5, PLAN_MAX_CHOICES = 16, PLAN_REGISTERS = -1 };
/* Thread counts: all cores, and the doublings between the counts before and after this one ("1,2,…,all"). */
enum { PLAN_ALL = 0, PLAN_DOUBLING = 1 << 30 };
enum { PLAN_MAX_THREADS = 64, PLAN_MATRIX_NODES = 16 };

struct plan_options {
    const char *isas[PLAN_MAX_CHOICES];   /* names; none: all that the machine can run */
    const char *types[PLAN_MAX_CHOICES];  /* "f64", …; none: f64 and f32, and the others in the widest ISA */
    const char *levels[PLAN_MAX_CHOICES]; /* "L1" … "DRAM", without compute; none: all, with compute */
    const char *mixes[PLAN_MAX_CHOICES]; /* "load", "2ld1st", "fma", …: operation names; none: the default selection */
    unsigned threads[PLAN_MAX_CHOICES];  /* PLAN_ALL, PLAN_DOUBLING or a count; none: one and all, and the parts of the
                                            machine: package, node, node to node, memory of other kinds */
    size_t isa_count, type_count, level_count, mix_count, thread_count;
    bool both_pages;    /* also in small pages, where pages matter */
    bool quick;         /* fewer operations */
    bool glance;        /* each roof once, with the program's own kernels, so that each can be repeated by name */
    unsigned only_kind; /* 1 + index of a core kind; 0: each kind and all together (a sweep: any) */
    bool smt;           /* every allowed PU of each core; without thread counts: of one core, and of all */
    double budget_s;    /* of the campaign; 0: the command's default */
};

struct plan_step {
    char kernel[48]; /* all its variants are tried */
    enum sample_kind kind;
    int level;            /* index into the levels, or PLAN_REGISTERS */
    bool memory;          /* the level is memory: read in as many segments as repetitions */
    bool paced;           /* by the core clock: registers, L1 and L2 only */
    uint64_t inner_bytes; /* > 0: reads single lines of a shared cache outside an inner cache of this size. A larger set
                             is read again before each repetition, and repetitions are short */
    int core_kind;        /* index, or TEAM_ANY_KIND */
    struct place place;
    unsigned threads;
    bool small_pages;                    /* small ones, whatever the session's page size is */
    unsigned size_count, middle_size;    /* index of the one that counts unless another is better */
    uint64_t size_bytes[PLAN_MAX_SIZES]; /* working sets of one thread, rising; the plateau among them counts */
    unsigned repetitions;
    double repetition_s;  /* target */
    double search_s;      /* per variant, before the best is measured */
    struct doubts doubts; /* known in advance */
    double swept;         /* value of this kernel in the run's sweep at such sizes, per cycle if paced; 0: unknown */
    double expected_s;
};

struct plan {
    size_t count, capacity;
    struct plan_step *steps;
    double expected_s;
    char note[512]; /* omissions and their reasons; "": none */
};

/* The place of the threads of some steps. */
struct spot {
    int kind; /* core kind: index, or TEAM_ANY_KIND */
    struct place place;
    unsigned threads;
    bool small_pages;
};

/* In all functions below, `levels` has one entry per core kind. */

/* A curve over sizes: its kernel (NULL: none), number of cores, and sizes per doubling. */
struct plan_curve {
    const char *kernel;
    unsigned per_octave, threads;
};

/* Stage 1: bandwidth or latency at sizes from 4 KiB to well beyond the last cache. Error: the machine cannot execute
 * the curve's kernel. */
bool plan_sweep(struct plan *out, const struct machine *machine, const struct levels *levels,
                const struct plan_options *options, const struct plan_curve *curve, struct error *err);

/* Stage 2: every ceiling and every roof, of one core, of all cores and of each core kind. If the machine has several:
 * also of a package and a memory node, from node to node, and of memory of another kind. The length grows with levels,
 * kinds and nodes, not with cores. Errors: the options leave nothing; an ISA or a level that the machine lacks; more
 * threads than cores. */
bool plan_roofs(struct plan *out, const struct machine *machine, const struct levels *levels,
                const struct plan_options *options, struct error *err);

/* Sets sizes, repetitions and times of the steps of plan_roofs() for the known levels. plan_roofs() calls it; call it
 * again after a sweep has found the levels' ends. */
void plan_size(struct plan *plan, const struct machine *machine, const struct levels *levels, bool quick);

/* Adds a copy of the step, and returns it. */
struct plan_step *plan_append(struct plan *plan, const struct plan_step *step);

void plan_free(struct plan *plan);

/* NULL: there is no such kernel, or the machine cannot execute it. */
const struct kernel *plan_find_kernel(const struct machine *machine, const char *name);

/* The name of the load kernel of the widest ISA that the machine and the options allow; NULL: none. */
const char *plan_widest_load(const struct machine *machine, const struct plan_options *options);

/* The requested counts for a capacity of `capacity` threads, in their order, none twice. Writes at most
 * PLAN_MAX_THREADS. Counts beyond the capacity stay in the list: the caller refuses them. */
size_t plan_threads(const struct plan_options *options, unsigned capacity, unsigned *out);

/* The levels of cores of this kind. For any kind: the levels common to all kinds, each with its smallest size. */
struct levels plan_levels(const struct machine *machine, const struct levels *levels, int core_kind);

/* Fills in the sample's properties that are known in advance: kind, threads, their place, their memory's place,
 * level. */
void plan_describe(const struct plan_step *step, const struct machine *machine, const struct levels *levels,
                   struct sample *out);

/* The largest buffer space of any step on one memory node. */
uint64_t plan_node_bytes(const struct plan *plan, const struct machine *machine);

/* The working set of one thread that reads only memory: four times the last-level caches in use (as detected; quick: as
 * found by the sweep). At most half of the free memory, and half of the spot's memory node; `*doubts` notes that
 * limit. */
uint64_t plan_memory_bytes(const struct machine *machine, const struct levels *levels, const struct spot *spot,
                           bool quick, struct doubts *doubts);

/* The plan that validates the model: mixed kernels of rising intensity in every level, with repeated measurements of
 * the two roofs that bound them. */

/* flop per byte that the core loads or stores. */
double plan_intensity(const struct kernel *mixed);

/* Whether arithmetic of this intensity, in vectors of this length, takes so much longer than its data that a smaller
 * working set gives the same result. Its repetitions then fit one time slice of a busy machine. */
bool plan_is_arithmetic(double flop_per_byte, double vector_bytes);

/* The operations of the compute kernel and the memory kernel that a mixed kernel combines: "fma" or "addmul"; "load" or
 * "2ld1st". */
const char *plan_mixed_peak(const struct kernel *mixed);
const char *plan_mixed_pattern(const struct kernel *mixed);

/* The kernels of that ISA, type and pattern whose intensities are nearest to the powers of two from 1/64 to 64 (quick:
 * every second one), by rising intensity. Returns their number; writes at most `max`. */
size_t plan_mixed_kernels(const struct isa *isa, enum element_type type, const char *pattern, bool quick,
                          const struct kernel **out, size_t max);

/* For each placement, level, ISA, type and pattern: both roofs and the mixed kernels, all with one working set (smaller
 * in outer levels for kernels that are mostly arithmetic). A mixed kernel's step has the kind SAMPLE_COMPUTE and a
 * level. Defaults: one thread, the widest ISA, f64, load. Errors: as plan_roofs(), and a mix without a mixed kernel. */
bool plan_validate(struct plan *out, const struct machine *machine, const struct levels *levels,
                   const struct plan_options *options, struct error *err);
