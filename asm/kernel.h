/* SPDX-License-Identifier: BSD-3-Clause
 * The microkernels: what each executes per iteration, and the registry of all that were generated. */
#ifndef ASM_KERNEL_H
#define ASM_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "element.h"

#include "probe/isa.h"
#include "probe/uarch.h"

/* Prefetches in kernels that walk over memory: which instruction, and how far ahead of the access. */

enum prefetch_hint {
    PREFETCH_NONE, /* no prefetch */
    PREFETCH_KEPT, /* into all levels: will be used again */
    PREFETCH_ONCE, /* as near to the core, to be used once: past levels where the core can */
    PREFETCH_HINTS,
};

/* Each line is prefetched once, just before the first access to the line that stands so much earlier in the same
 * stream: where several streams share a block, each goes on in its own part of the next block. */
struct prefetch {
    enum prefetch_hint hint;
    unsigned distance_bytes; /* whole lines; 0: the line that is accessed next */
};

/* The architecture's instruction, "prefetcht0", and what tells it from the others, "t0"; "" of PREFETCH_NONE. */
const char *prefetch_instruction(enum prefetch_hint hint);

const char *prefetch_suffix(enum prefetch_hint hint);

enum kernel_kind {
    KERNEL_COMPUTE, /* registers only */
    KERNEL_MEMORY,  /* walks the buffer from its start, block after block */
    KERNEL_MIXED,   /* walks the buffer and computes */
    KERNEL_RANDOM,  /* independent random lines of the buffer */
    KERNEL_CHASE,   /* each load's address comes from the load before it */
};

/* What one iteration executes, counted by the generator from the instructions that it emitted. */
struct cost {
    uint32_t flop;                    /* of integer types: operations, one per element but for dot products */
    uint32_t load_bytes, store_bytes; /* asked for by the core */
    uint32_t instructions;            /* loop control included */
    struct uarch_mix mix;             /* how many of each sort of instruction */
};

/* Runs `passes` times over `blocks` iterations, each pass from the buffer's start; a zero of either does nothing.
 * `buffer` is 4 KiB aligned and at least blocks * block_bytes long (compute kernels do not touch it). Random: the
 * buffer's line count, at least 1, is in `lines`. Chase: each element is a pointer to the next and `buffer` is the
 * first; a pass goes on where the one before stopped. Returns where a chase stopped (the next element), so that it can
 * go on there; otherwise the buffer.
 *
 * Trap: x87 loads convert. Zeros and what these kernels store are harmless, but the pointers of a chase are denormals,
 * which cost a microcode assist each (seen: 0.6 instead of 15 bytes/cycle). */
struct kernel_call {
    void *buffer;
    uint64_t blocks, passes;
    uint64_t lines; /* 64-byte lines in the buffer; used by KERNEL_RANDOM */
    uint64_t seed;  /* of the random sequence */
};
typedef void *kernel_entry(const struct kernel_call *call);

/* Names are `isa.pattern`, `isa.type.operation` or "chase". An addition, a multiplication, a division and a square root
 * count one, an FMA two; a dot product (`dot`) counts a multiplication and an addition for each pair of elements. Of
 * integers (`i8` to `i64`) there are `shift`, and the compares `cmpeq` and `cmpgt` of vectors and `cmp` of general
 * registers, too; `scalar.i8.load` and its kin move one element at a time. Mixed
 * kernels put arithmetic instructions among loads
 * (`8fma1ld`: eight FMA per load instruction) or among groups of two loads and a store (`3fma4x2ld1st`: three FMA per
 * four groups). Where there is no FMA, `8addmul1ld` alternates adds and multiplications, eight of both together. Both
 * patterns come in every intensity from 1/64 to 64 flop per byte by steps of two, for every ISA, f64 and f32:
 * cost.flop / (cost.load_bytes + cost.store_bytes) is exact. */
struct kernel {
    const char *name;      /* "avx512.f64.fma", "avx512.2ld1st", "chase", "avx512.f64.1fma16ld" */
    const char *variant;   /* "12x2": accumulators × unroll, "8+4x2" by operation; "64": `unroll` alone */
    const char *op;        /* "fma", "2ld1st", "chase", "1fma16ld": the name's last part */
    const struct isa *isa; /* NULL for the chase */
    enum element_type type;
    enum kernel_kind kind;
    uint32_t needs;                /* enum cpu_feature, the ISA's and the operation's */
    unsigned accumulators, unroll; /* per iteration: visits of each accumulator; else groups, lines or hops */
    unsigned block_bytes;          /* of the buffer that one iteration covers; 0 for compute and random; for the
                                      chase 64 per hop, so that size / block_bytes blocks go once around */
    unsigned stretch_bytes;   /* that one of several loads and stores walks of a block at a time; 0: there are not */
    struct prefetch prefetch; /* of every line of a block, once; not counted as bytes */
    struct cost cost;
    kernel_entry *entry;
};

/* Every generated kernel; variants of one name stand together, the generator's first guess at the best first. */
extern const struct kernel *const kernel_table[];
extern const size_t kernel_count;

/* The first variant of that name, NULL when there is none; `*variants` (may be NULL) gets how many there are. */
const struct kernel *const *kernel_find(const char *name, size_t *variants);

/* NULL when there is none. */
const struct kernel *kernel_find_variant(const char *name, const char *variant);

#endif
