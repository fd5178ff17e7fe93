/* SPDX-License-Identifier: BSD-3-Clause
 * The instruction sets that kernels are written in, one row each, and the CPU features that they need. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Features that the CPU has *and* the operating system allows: bits of a mask. The extension is for constants that are
 * no int. */
typedef uint64_t cpu_features;
__extension__ enum cpu_feature {
    CPU_SSE2 = 1u << 0,
    CPU_AVX = 1u << 1,
    CPU_AVX2 = 1u << 2,
    CPU_FMA3 = 1u << 3,
    CPU_AVX512 = 1u << 4, /* F, VL, DQ and BW together: what the avx512 kernels use */
    CPU_AVX512_FP16 = 1u << 5,
    CPU_AVX512_BF16 = 1u << 6,
    CPU_AVX512_VNNI = 1u << 7,
    CPU_AMX_TILE = 1u << 8,
    CPU_AMX_BF16 = 1u << 9,
    CPU_AMX_INT8 = 1u << 10,
    CPU_AVX10 = 1u << 11,
    CPU_INVARIANT_TSC = 1u << 12,
    CPU_RDTSCP = 1u << 13,
    CPU_HYPERVISOR = 1u << 14,
    CPU_HYBRID = 1u << 15,
    CPU_X87 = 1u << 16,
    CPU_AVX_VNNI = 1u << 17,
    CPU_AMX_FP16 = 1u << 18,
    CPU_PREFETCHI = 1u << 19,
    CPU_CLFLUSHOPT = 1u << 20,
    CPU_SSE4_1 = 1u << 21,
    CPU_SSE4_2 = 1u << 22,
    CPU_CLZERO = 1u << 23,
    CPU_CLDEMOTE = 1u << 24,
    CPU_AVX_VNNI_INT8 = 1u << 25,
    CPU_AVX_VNNI_INT16 = 1u << 26,
    CPU_AVX_NE_CONVERT = 1u << 27,
    CPU_AMX_COMPLEX = 1u << 28,
    CPU_AVX10_2 = 1u << 29,
    CPU_ASIMD = 1u << 30,
    CPU_ASIMD_HP = 1ull << 31, /* arithmetic of f16 */
    CPU_ASIMD_DP = 1ull << 32, /* dot products of i8 */
    CPU_BF16 = 1ull << 33,
    CPU_I8MM = 1ull << 34,
    CPU_SVE128 = 1ull << 35, /* of SVE exactly one: the length of a vector in use */
    CPU_SVE256 = 1ull << 36,
    CPU_SVE512 = 1ull << 37,
    CPU_SVE1024 = 1ull << 38,
    CPU_SVE2048 = 1ull << 39,
    CPU_SVE2 = 1ull << 40,
    CPU_SVE_BF16 = 1ull << 41,
    CPU_SVE_I8MM = 1ull << 42,
    CPU_SME = 1ull << 43,
    CPU_DC_ZVA = 1ull << 44, /* zeroes lines of 64 bytes */
    CPU_SME128 = 1ull << 45, /* of SME exactly one: the length of a streaming vector in use */
    CPU_SME256 = 1ull << 46,
    CPU_SME512 = 1ull << 47,
    CPU_SME1024 = 1ull << 48,
    CPU_SME2048 = 1ull << 49,
    CPU_SME_F64F64 = 1ull << 50, /* outer products of f64, and so on: factors, sums */
    CPU_SME_F32F32 = 1ull << 51,
    CPU_SME_F16F32 = 1ull << 52,
    CPU_SME_B16F32 = 1ull << 53,
    CPU_SME_I8I32 = 1ull << 54,
    CPU_SME_I16I64 = 1ull << 55,
};

/* From here on features are those of AArch64. */
#define CPU_AARCH64 (~(UINT64_C(1) * CPU_ASIMD - 1))

/* SVE of any length: one of these bits is enough. */
#define CPU_SVE (CPU_SVE128 | CPU_SVE256 | CPU_SVE512 | CPU_SVE1024 | CPU_SVE2048)

/* Arithmetic without kernels. AVX-NE-CONVERT only converts, which is no ceiling. */
#define CPU_UNMEASURED (CPU_AMX_COMPLEX | CPU_AVX10_2)

/* What the instructions of a set work on. */
enum isa_operands {
    ISA_STACK,   /* the registers of x87 */
    ISA_SINGLE,  /* one element of a register */
    ISA_VECTORS, /* all elements of a register */
    ISA_TILES,   /* registers of several rows; of SME, vectors whose outer products go there */
};

struct isa {
    const char *name;      /* "avx512", as in kernel names */
    const char *label;     /* "AVX-512", as people write it */
    unsigned vector_bytes; /* 64; 8 for x87 and scalar; of AMX a tile of 16 rows, 1024 */
    enum isa_operands operands;
    bool fma;           /* fused multiplications and additions, where the CPU has them */
    cpu_features needs; /* of every kernel */
};

/* Of all architectures, since results of each are read on any; on each from the narrowest to the widest. */
extern const struct isa isa_table[];
extern const size_t isa_count;
extern const size_t isa_vector_count; /* the first ones, which move data too; the others, of tiles, only compute */

const struct isa *isa_find(const char *name); /* NULL: no such name */

/* "sve" and "sme": each names the rows of all its vector lengths, of which a machine has one. Up to a NULL. */
extern const char *const isa_families[];
/* Whether a name is the row's own, or its family's. */
bool isa_named(const struct isa *isa, const char *name);
/* Whether one of these names is; without names every row is chosen. */
bool isa_chosen(const struct isa *isa, const char *const *names, size_t count);

struct cpu_feature_name {
    cpu_features bit; /* enum cpu_feature */
    const char *name; /* "avx512", "fma" */
};
extern const struct cpu_feature_name cpu_feature_names[]; /* up to a NULL */

/* The name of one feature bit; NULL beyond the last. */
const char *cpu_feature_name(cpu_features bit);
cpu_features cpu_feature_find(const char *name); /* 0 when unknown */
