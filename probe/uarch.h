/* SPDX-License-Identifier: BSD-3-Clause
 * The vendor's documented ports per operation and bytes per cycle of each microarchitecture, with a source on every
 * row. Limits of a mix of operations are derived from the ports, so one table serves every kernel. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "cpu.h"
#include "isa.h"

struct uarch; /* a row of the table */
struct port_model;

struct uarch_match {
    const struct uarch *uarch; /* NULL: not known */
    char doubt[256];           /* "" or why the identity is uncertain: a hypervisor masks the CPU, say */
};

struct uarch_match uarch_find(const struct cpu_identity *cpu, const char *core_kind_name);
const char *uarch_name(const struct uarch *uarch);   /* "Sapphire Rapids (Golden Cove)" */
const char *uarch_vendor(const struct uarch *uarch); /* "GenuineIntel" */

/* The row with that name, "Haswell" or "Sapphire Rapids" for "Sapphire Rapids (Golden Cove)" too; NULL: none. */
const struct uarch *uarch_named(const char *name);

/* Row by row, for listings; NULL after the last. */
const struct uarch *uarch_at(size_t index);

/* The features that every CPU of the product has, as documented: for recorded machines, which have none. */
cpu_features uarch_features(const struct uarch *uarch);

/* Width of the product's widest vectors: 64, 32 or 16. */
unsigned uarch_vector_bytes(const struct uarch *uarch);

/* f64 flop per cycle and core, as vendors state a peak: FMA (an add and a multiplication without FMA) on the
 * product's widest vectors. 0: not known. */
double uarch_peak_flop_per_cycle(const struct uarch *uarch);

/* Sustained bytes per cycle and core of loads from a level, if the vendor states them besides the peak; the source
 * in `*source`. 0: not stated. */
double uarch_sustained_bytes_per_cycle(const struct uarch *uarch, unsigned level, const char **source);

/* The data cache between L1 and L2 that CPUID does not report; NULL: none. */
struct uarch_between {
    const struct port_model *core;
    uint64_t bytes;
    unsigned ways;
    const char *source;
};
const struct uarch_between *uarch_between(const struct uarch *uarch);

/* Instructions renamed per cycle; on x86 an operation with its load counts as one; 0: not known. */
unsigned uarch_issue_width(const struct uarch *uarch);

/* Its core's table in asm/incore/x86/cores, "zen4"; NULL: none. */
const char *uarch_in_core(const struct uarch *uarch);

/* Whether a source has its core's ports. */
bool uarch_has_ports(const struct uarch *uarch);

/* Why limits of its links, or of its core, are not known; NULL: all are. */
const char *uarch_unknown(const struct uarch *uarch, bool links);

/* The sources of the row's figures: for its ports, for its links. "" when nothing is cited. Returns `out`. */
char *uarch_sources(const struct uarch *uarch, char *out, size_t size);

/* Instructions of each sort in one iteration of a kernel; all have the same vector width. */
struct uarch_mix {
    unsigned vector_bytes;  /* of the data, 4 or 8 for scalar, 1024 for tiles */
    unsigned element_bytes; /* of the arithmetic; 0 when there is none */
    bool x87;
    bool integer; /* the operations or moves are on integers; in general registers if vector_bytes is 8 at most */
    bool half;    /* the arithmetic is on f16, which has as many bytes as bf16 */
    bool matrix;  /* the dot products are those of two small matrices in each 128 bits (BFMMLA, SMMLA) */
    bool outer;   /* they are outer products of two vectors, summed in tiles (FMOPA, SMOPA) */
    bool sve;     /* the instructions are SVE's, whose compares write a predicate */
    unsigned add, mul, fma, div, sqrt;
    unsigned dot;                   /* dot products of pairs (2 bytes) or quadruples (1 byte) into 32 bits */
    unsigned shift, equal, greater; /* of integers in vectors, shifts of general registers too */
    unsigned compare;               /* in general registers; sets flags */
    unsigned load, store;
    unsigned touched_bytes; /* bytes of memory, each counted once: traffic of an outer level; 0: not known */
};

/* The documented ceiling of a mix with data in `level` (0: registers only, 1: L1, …), in iterations per cycle and
 * core. value 0 and source NULL when not known. */
struct uarch_limit {
    double per_cycle;
    const char *source;
};
struct uarch_limit uarch_limit(const struct uarch *uarch, const struct uarch_mix *mix, unsigned level);
