/* SPDX-License-Identifier: BSD-3-Clause
 * Which samples to take, in which order, and how long that should last. Pure: made from the machine's description
 * alone, so that it can be printed and tested for machines that nobody has at hand.
 *
 * Two stages: a coarse sweep of sizes finds where the levels are; then each roof is measured inside its level. */
#ifndef BENCH_KERNELS_PLAN_H
#define BENCH_KERNELS_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "levels.h"
#include "sample.h"
#include "team.h"

#include "asm/kernel.h"
#include "probe/error.h"
#include "probe/machine.h"

enum { PLAN_MAX_SIZES = 3, PLAN_MAX_CHOICES = 16, PLAN_REGISTERS = -1 };
/* Thread counts: all cores, and the doublings between the counts before and after it ("1,2,…,all"). */
enum { PLAN_ALL = 0, PLAN_DOUBLING = 1 << 30 };
enum { PLAN_MAX_THREADS = 64, PLAN_MATRIX_NODES = 16 };

struct plan_options {
    const char *isas[PLAN_MAX_CHOICES];   /* names; none: all that the machine has */
    const char *types[PLAN_MAX_CHOICES];  /* "f64", …; none: f64 and f32, and the others in the widest ISA */
    const char *levels[PLAN_MAX_CHOICES]; /* "L1" … "DRAM"; none: all. Given without mixes or isas, still no compute */
    const char *mixes[PLAN_MAX_CHOICES]; /* "load", "2ld1st", "fma", …: operation names; none: the default selection */
    unsigned threads[PLAN_MAX_CHOICES];  /* PLAN_ALL, PLAN_DOUBLING or a count; none: one and all, and the parts of the
                                            machine: package, node, node to node, memory of other kinds */
    size_t isa_count, type_count, level_count, mix_count, thread_count;
    bool both_pages;    /* where pages matter, 4 KiB pages beside the huge ones */
    bool quick;         /* fewer operations */
    bool glance;        /* each roof once, with the program's own kernels: these can be measured again by name */
    unsigned only_kind; /* cores of this kind: 1 + index; 0: each kind and all together, a sweep any */
    bool smt;           /* every allowed PU of each core. Without thread counts: of one core, and of all */
    double budget_s;    /* of the campaign that runs the plan; 0: the command's own */
};

struct plan_step {
    char kernel[48]; /* all its variants are tried */
    enum sample_kind kind;
    int level;            /* index into the levels, or PLAN_REGISTERS */
    bool memory;          /* that level is the memory: read in as many segments as repetitions */
    bool paced;           /* by the core's clock: registers, L1 and L2. The rest is not */
    uint64_t inner_bytes; /* > 0: single lines of a shared cache, with a cache of so many bytes inside it. Then a set
                             beyond that is read in again before each repetition, which is short */
    int core_kind;        /* index, or TEAM_ANY_KIND */
    struct place place;
    unsigned threads;
    bool small_pages; /* 4 KiB, whatever the session's pages are */
    unsigned size_count;
    uint64_t size_bytes[PLAN_MAX_SIZES]; /* working sets of one thread; the plateau among them counts */
    unsigned repetitions;
    double repetition_s;  /* aimed at */
    double search_s;      /* spent on each variant before the best is measured */
    struct doubts doubts; /* known beforehand */
    double expected_s;
};

/* Only to foretell how long a step lasts: the speed of a pass over L3 or memory, and what starting together, settling
 * and reading the clock add to a step's own time, and to that of a search for code. */
#define PLAN_GUESSED_BYTES_PER_S 15e9
#define PLAN_OVERHEAD            1.15
#define PLAN_SEARCH_OVERHEAD     1.3

struct plan {
    size_t count, capacity;
    struct plan_step *steps;
    double expected_s;
    char note[128]; /* what was left out and why; "" for nothing */
};

/* Where the threads of some steps run. */
struct spot {
    int kind; /* of cores: index, or TEAM_ANY_KIND */
    struct place place;
    unsigned threads;
    bool small_pages;
};

/* In all of these `levels` has one entry per core kind. */

/* A curve over sizes: of which kernel (NULL: there is none), by how many cores, at how many sizes a doubling. */
struct plan_curve {
    const char *kernel;
    unsigned per_octave, threads;
};

/* Stage 1. Bandwidth or latency at sizes from 4 KiB to well beyond the last cache. Errors: no kernel is left by the
 * options. */
bool plan_sweep(struct plan *out, const struct machine *machine, const struct levels *levels,
                const struct plan_options *options, const struct plan_curve *curve, struct error *err);

/* Stage 2. Every ceiling and every roof: of one core, all cores, each core kind; and, where there are several, of a
 * package and a memory node, from node to node, and of memory of another kind. Its length grows with levels, kinds and
 * nodes, not with cores. Errors: the options leave nothing, an ISA or a level that the machine lacks, more threads than
 * cores. */
bool plan_roofs(struct plan *out, const struct machine *machine, const struct levels *levels,
                const struct plan_options *options, struct error *err);

/* Sets how large, how often repeated and how long the steps of plan_roofs() are, in the levels as they are known: done
 * by plan_roofs() itself, and again when a sweep has found where the levels end. */
void plan_size(struct plan *plan, const struct machine *machine, const struct levels *levels, bool quick);

/* Adds a copy of the step, and returns it. */
struct plan_step *plan_append(struct plan *plan, const struct plan_step *step);

void plan_free(struct plan *plan);

/* NULL: the machine cannot execute it, or there is none. */
const struct kernel *plan_find_kernel(const struct machine *machine, const char *name);

/* The name of the load kernel of the widest ISA that the machine and the options allow; NULL when there is none. */
const char *plan_widest_load(const struct machine *machine, const struct plan_options *options);

/* The counts that the options ask for where `capacity` threads fit, in their order, none twice; at most
 * PLAN_MAX_THREADS are written. A count beyond the capacity is kept: the caller refuses it. */
size_t plan_threads(const struct plan_options *options, unsigned capacity, unsigned *out);

/* The levels that cores of this kind see. Of any kind: those that all kinds have, each as large as the smallest. */
struct levels plan_levels(const struct machine *machine, const struct levels *levels, int core_kind);

/* Sets what is known of the step's sample beforehand: kind, threads, where they run, where their memory lies, the
 * level. */
void plan_describe(const struct plan_step *step, const struct machine *machine, const struct levels *levels,
                   struct sample *out);

/* The most buffer space that any step takes on one memory node. */
uint64_t plan_node_bytes(const struct plan *plan, const struct machine *machine);

/* The working set of one thread that reads memory alone: four times the last-level caches in use (as detected; when
 * quick as the sweep found them), bounded by half of the free memory, and of the memory node that the spot names (then
 * `*doubts` says so). */
uint64_t plan_memory_bytes(const struct machine *machine, const struct levels *levels, const struct spot *spot,
                           bool quick, struct doubts *doubts);

/* The plan that tries the model: mixed kernels of rising intensity in every level, with the two roofs that bound them
 * measured again and again in between. Pure. */

/* flop per byte that the core asks for. */
double plan_intensity(const struct kernel *mixed);

/* The operation of the compute kernel, and of the memory kernel, whose instructions a mixed kernel is made of: "fma" or
 * "addmul"; "load" or "2ld1st". */
const char *plan_mixed_peak(const struct kernel *mixed);
const char *plan_mixed_pattern(const struct kernel *mixed);

/* The kernels of that ISA, type and pattern whose intensities are nearest to the powers of two from 1/64 to 64 (when
 * quick: to every second one), by rising intensity. Returns how many; at most `max` are written. */
size_t plan_mixed_kernels(const struct isa *isa, enum element_type type, const char *pattern, bool quick,
                          const struct kernel **out, size_t max);

/* For each placement, level, ISA, type and pattern: both roofs, a few mixed kernels, both roofs, … and both roofs at
 * the end, all with one working set, but
 * for a smaller one in outer levels where a kernel is mostly arithmetic. A mixed kernel's step has the kind
 * SAMPLE_COMPUTE and a level. Defaults: one thread, the widest ISA, f64, load. Errors: as plan_roofs(), and a mix that
 * no mixed kernel has. */
bool plan_validate(struct plan *out, const struct machine *machine, const struct levels *levels,
                   const struct plan_options *options, struct error *err);

#endif
