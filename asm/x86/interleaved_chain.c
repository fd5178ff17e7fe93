/* SPDX-License-Identifier: BSD-3-Clause
 * Vector work interleaved with a chain of adds. */
#include "asm/interleaved_chain.h"

#include "probe/isa.h"

enum { GROUPS = 11, GROUP_OPERATIONS = 12, GROUP_ADDS = 6, LAST_ADDS = 4 };
/* 132 operations take 66 cycles if two start per cycle; 70 adds, one after the other, take longer. */
enum { CHAIN_CYCLES = GROUPS * GROUP_ADDS + LAST_ADDS };

/* x ← x · 0.5 + 0.75 stays at 1.5, and x · 1 at 1. */
static const _Alignas(64) double half[8] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
static const _Alignas(64) double three_quarters[8] = {0.75, 0.75, 0.75, 0.75, 0.75, 0.75, 0.75, 0.75};
static const _Alignas(64) double one[8] = {1, 1, 1, 1, 1, 1, 1, 1};

#define ACCUMULATORS "0,1,2,3,4,5,6,7,8,9,10,11"

/* MOVE loads a register; WORK is one operation on accumulator \r with registers 14 and 15. */
#define DEFINE_CHAIN(name, REGISTER, MOVE, WORK, FIRST, SECOND, END)                                                   \
    static void name(uint64_t iterations) {                                                                            \
        uint64_t sum = 1, addend = 1;                                                                                  \
        __asm__ volatile(MOVE " %[first], %%" REGISTER "14\n\t" MOVE " %[second], %%" REGISTER "15\n\t"                \
                              ".irp r," ACCUMULATORS "\n\t" MOVE " %[start], %%" REGISTER "\\r\n\t.endr\n\t"           \
                              ".balign 64\n1:\n\t"                                                                     \
                              ".rept 11\n\t.irp r," ACCUMULATORS "\n\t" WORK "\n\t.endr\n\t"                           \
                              ".rept 6\n\tadd %[addend], %[sum]\n\t.endr\n\t.endr\n\t"                                 \
                              ".rept 4\n\tadd %[addend], %[sum]\n\t.endr\n\t"                                          \
                              "dec %[iterations]\n\tjnz 1b\n\t" END                                                    \
                         : [iterations] "+r"(iterations), [sum] "+r"(sum)                                              \
                         : [addend] "r"(addend), [first] "m"(FIRST), [second] "m"(SECOND), [start] "m"(one)            \
                         : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",       \
                           "xmm10", "xmm11", "xmm14", "xmm15");                                                        \
    }

DEFINE_CHAIN(run_sse, "xmm", "movapd", "mulpd %%xmm15, %%xmm\\r", half, one, "")
DEFINE_CHAIN(run_avx, "ymm", "vmovapd", "vmulpd %%ymm15, %%ymm\\r, %%ymm\\r", half, one, "vzeroupper")
DEFINE_CHAIN(run_avx2, "ymm", "vmovapd", "vfmadd213pd %%ymm15, %%ymm14, %%ymm\\r", half, three_quarters, "vzeroupper")
DEFINE_CHAIN(run_avx512, "zmm", "vmovapd", "vfmadd213pd %%zmm15, %%zmm14, %%zmm\\r", half, three_quarters, "vzeroupper")

const struct interleaved_chain interleaved_chain_table[] = {
    {"sse MUL", CPU_SSE2, CHAIN_CYCLES, run_sse},
    {"avx MUL", CPU_AVX, CHAIN_CYCLES, run_avx},
    {"avx2 FMA", CPU_AVX2 | CPU_FMA3, CHAIN_CYCLES, run_avx2},
    {"avx512 FMA", CPU_AVX512, CHAIN_CYCLES, run_avx512},
};
const size_t interleaved_chain_count = sizeof interleaved_chain_table / sizeof interleaved_chain_table[0];
