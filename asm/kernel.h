/* SPDX-License-Identifier: BSD-3-Clause
 * The microkernels: their cost per iteration, and the registry of all generated ones. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "element.h"

#include "probe/isa.h"
#include "probe/uarch.h"

struct arithmetic;

/* Prefetches in kernels that walk over memory: the instruction, and the distance ahead of the access. */

enum prefetch_hint {
    PREFETCH_NONE, /* no prefetch */
    PREFETCH_KEPT, /* into all levels, for repeated use */
    PREFETCH_ONCE, /* close to the core, for one use: skips levels where the core can */
    PREFETCH_HINTS,
};

/* Each line is prefetched once, just before the first access to the line that is `distance_bytes` earlier in the same
 * stream. If several streams share a block, each continues in its own part of the next block. */
struct prefetch {
    enum prefetch_hint hint;
    unsigned distance_bytes; /* whole lines; 0: the line of the next access */
};

/* The architecture's instruction ("prefetcht0") and its short form ("t0"); "" for PREFETCH_NONE. */
const char *prefetch_instruction(enum prefetch_hint hint);

const char *prefetch_suffix(enum prefetch_hint hint);

enum kernel_kind {
    KERNEL_COMPUTE, /* registers only */
    KERNEL_MEMORY,  /* walks the buffer from its start, block after block */
    KERNEL_MIXED,   /* walks the buffer and computes */
    KERNEL_RANDOM,  /* independent random lines of the buffer */
    KERNEL_CHASE,   /* each load's address comes from the load before it */
};

/* The cost of one iteration, counted by the generator from the emitted instructions. */
struct cost {
    uint32_t flop;                    /* for integer types: operations, one per element except for dot products */
    uint32_t load_bytes, store_bytes; /* accessed by the core */
    uint32_t instructions;            /* including loop control */
    struct uarch_mix mix;             /* number of each sort of instruction */
};

/* Runs `passes` times over `blocks` iterations, each pass from the buffer's start; with zero passes or blocks it does
 * nothing. `buffer` is 4 KiB aligned and at least blocks * block_bytes long (compute kernels ignore it). Random:
 * `lines` is the buffer's line count, at least 1. Pointer chase: each element is a pointer to the next, and `buffer` is
 * the first; a pass continues where the last one stopped. Returns the next element of a pointer chase, so that it can
 * continue there; otherwise the buffer. Independent chases at once ("chase12"): `buffer` is an array of their first
 * elements, which become the next ones.
 *
 * Trap: x87 loads convert. Zeros and these kernels' stored values are harmless, but the pointers of a chase are
 * denormals, which cost a microcode assist each (seen: 0.6 instead of 15 bytes/cycle). */
enum { KERNEL_LINE_BYTES = 64 }; /* what kernels call a line, on any machine: a longer one is whole ones of these */

struct kernel_call {
    void *buffer;
    uint64_t blocks, passes;
    uint64_t lines; /* in the buffer; used by KERNEL_RANDOM */
    uint64_t seed;  /* of the random sequence */
};
typedef void *kernel_entry(const struct kernel_call *call);

/* Names are `isa.pattern`, `isa.type.operation` or "chase". An addition, a multiplication, a division and a square root
 * count one, an FMA two. A dot product (`dot`) counts a multiplication and an addition per pair of elements, and so
 * does a product of two small matrices (`mmla`), or an outer product (`mopa`); of integers `dotss`, `dotus`, `dotuu`
 * and `mopauu` name the signs of both factors. `i8.dot` is the oldest of its architecture: unsigned by signed on
 * x86-64, signed on AArch64. Integers (`i8` to `i64`) also have `shift`, the vector compares `cmpeq` and `cmpgt`, and
 * `cmp` of general registers; `scalar.i8.load` and similar kernels move one element at a time. Mixed kernels combine
 * arithmetic with loads (`8fma1ld`: eight FMA per load instruction) or with groups of two loads and a store
 * (`3fma4x2ld1st`: three FMA per four groups). Without FMA, `8addmul1ld` alternates adds and multiplications, eight in
 * total. Both patterns exist in every intensity from 1/64 to 64 flop per byte in steps of two, for every ISA, f64 and
 * f32: cost.flop / (cost.load_bytes + cost.store_bytes) is exact. */
struct kernel {
    const char *name;      /* "avx512.f64.fma", "avx512.2ld1st", "chase", "avx512.f64.1fma16ld" */
    const char *variant;   /* "12x2": accumulators × unroll, "8+4x2" by operation; "64": `unroll` alone */
    const char *op;        /* last part of the name: "fma", "2ld1st", "chase", "1fma16ld" */
    const struct isa *isa; /* NULL for the pointer chase */
    enum element_type type;
    enum kernel_kind kind;
    cpu_features needs;            /* enum cpu_feature of the ISA and the operation */
    unsigned accumulators, unroll; /* per iteration: visits of each accumulator; otherwise groups, lines or hops.
                                      Several chases: their number, and the hops of each */
    unsigned block_bytes; /* bytes of the buffer per iteration; 0 for compute and random; pointer chase: 64 per hop, so
                             that size / block_bytes blocks make one round */
    unsigned stretch_bytes;   /* part of a block that each of several streams walks; 0: one stream */
    struct prefetch prefetch; /* for every line of a block, once; not counted as bytes */
    struct cost cost;
    kernel_entry *entry;
};

/* The hops of a pointer chase per iteration. A chase that waits in memory loads and stores its element for each. */
static inline unsigned kernel_hops(const struct kernel *kernel) {
    return kernel->cost.mix.load - kernel->cost.mix.store;
}

/* Every generated kernel. Variants of one name are adjacent, with the generator's first guess first. */
extern const struct kernel *const kernel_table[];
extern const size_t kernel_count;

/* The ISAs that kernels of this architecture are written in, from the narrowest; NULL after the last. */
const struct isa *kernel_isa(size_t index);

/* The narrowest vectors, which every CPU of this architecture has. */
const struct isa *kernel_vectors(void);

/* The arithmetic of kernels of this architecture, in measuring order; NULL after the last. */
const struct arithmetic *kernel_arithmetic(size_t index);

/* The last part of a kernel's name, also of one that this program lacks: "fma" of "avx2.f64.fma". */
const char *kernel_operation(const char *name);

/* The middle part: "f64" of "avx2.f64.fma". TYPE_NONE: there is none. */
enum element_type kernel_type(const char *name);

/* The first variant of that name, or NULL; `*variants` (may be NULL) gets the number of variants. */
const struct kernel *const *kernel_find(const char *name, size_t *variants);

/* NULL: none. */
const struct kernel *kernel_find_variant(const char *name, const char *variant);
