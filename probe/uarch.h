/* SPDX-License-Identifier: BSD-3-Clause
 * What the vendor documents of each microarchitecture: ports per operation and bytes per cycle, a source on every row.
 * Limits of a mix of operations are derived from the ports, so that one table serves every kernel. */
#ifndef PROBE_UARCH_H
#define PROBE_UARCH_H

#include <stdbool.h>
#include <stddef.h>

#include "cpu.h"
#include "isa.h"

struct uarch; /* a row of the table */

struct uarch_match {
    const struct uarch *uarch; /* NULL: not known */
    char doubt[256];           /* "" or why the identity is not certain, such as a model number that contradicts the
                                  features (a hypervisor that masks the CPU) */
};

struct uarch_match uarch_find(const struct cpu_identity *cpu, const char *core_kind_name);
const char *uarch_name(const struct uarch *uarch);   /* "Sapphire Rapids (Golden Cove)" */
const char *uarch_vendor(const struct uarch *uarch); /* "GenuineIntel" */

/* The row of that name, "Haswell" or "Sapphire Rapids" for "Sapphire Rapids (Golden Cove)" too; NULL: none. */
const struct uarch *uarch_named(const char *name);

/* Row by row, for whoever lists them; NULL after the last. */
const struct uarch *uarch_at(size_t index);

/* What every CPU of the product executes, as far as it is documented: for recorded machines, which do not tell. */
uint32_t uarch_features(const struct uarch *uarch);

/* Of the widest vectors that the product has: 64, 32 or 16. */
unsigned uarch_vector_bytes(const struct uarch *uarch);

/* f64 flop per cycle and core as vendors state a peak: FMA, or an add and a multiplication where there is no FMA, of
 * the product's widest vectors. 0: not known. */
double uarch_peak_flop_per_cycle(const struct uarch *uarch);

/* Bytes per cycle and core that the vendor says loads from a level sustain, where it states that beside the peak; the
 * source in `*source`. 0: not stated. */
double uarch_sustained_bytes_per_cycle(const struct uarch *uarch, unsigned level, const char **source);

/* Instructions renamed per cycle, an operation with its load being one; 0: not known. */
unsigned uarch_issue_width(const struct uarch *uarch);

/* Where the row's figures come from: of its ports, of its links. "" when nothing is cited. Returns `out`. */
char *uarch_sources(const struct uarch *uarch, char *out, size_t size);

/* How many instructions of each sort one iteration of a kernel executes; all of one vector width. */
struct uarch_mix {
    unsigned vector_bytes;  /* of the data, 4 or 8 for scalar, 1024 for tiles */
    unsigned element_bytes; /* of the arithmetic; 0 when there is none */
    bool x87;
    bool integer; /* what is done, or moved, is integers; where vector_bytes is 8 at most in general registers */
    unsigned add, mul, fma, div, sqrt;
    unsigned dot; /* dot products: of bf16 pairs (2 bytes) or of i8 quadruples (1 byte) into 32 bits */
    unsigned shift, equal, greater; /* of integers in vectors, shifts of general registers too */
    unsigned compare;               /* of general registers, which sets flags */
    unsigned load, store;
    unsigned touched_bytes; /* of memory, each byte counted once: what an outer level has to send; 0: not told */
};

/* The documented ceiling of a mix whose data is in `level` (0: registers only, 1: L1, …), as iterations per cycle and
 * core. value 0 and source NULL when it is not known. */
struct uarch_limit {
    double per_cycle;
    const char *source;
};
struct uarch_limit uarch_limit(const struct uarch *uarch, const struct uarch_mix *mix, unsigned level);

#endif
