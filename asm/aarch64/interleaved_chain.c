/* SPDX-License-Identifier: BSD-3-Clause
 * Vector work interleaved with a chain of adds. */
#include "asm/interleaved_chain.h"

enum { GROUPS = 11, GROUP_ADDS = 6, LAST_ADDS = 4 };
/* 132 FMAs take 66 cycles if two start per cycle; 70 adds, one after the other, take longer. Each of 24 sums waits for
 * itself, twelve cycles: an A64FX's FMA takes nine. */
enum { CHAIN_CYCLES = GROUPS * GROUP_ADDS + LAST_ADDS };

#define FOUR(R, a, b, c, d) R(a) "," R(b) "," R(c) "," R(d)
#define EVEN(R)             FOUR(R, 0, 1, 2, 3) "," FOUR(R, 4, 5, 6, 7) "," FOUR(R, 8, 9, 10, 11)
#define ODD(R)              FOUR(R, 12, 13, 14, 15) "," FOUR(R, 16, 17, 18, 19) "," FOUR(R, 20, 21, 22, 23)
#define NEON(n)             "v" #n ".2d"
#define SVE(n)              "z" #n ".d"
#define ADDS(n)             ".rept " #n "\n\tadd %[sum], %[sum], %[addend]\n\t.endr\n\t"
#define GROUP(SUMS, FMA)    ".irp r," SUMS "\n\t" FMA "\n\t.endr\n\t" ADDS(6)

/* FMA adds the product of registers 30 and 31 to one of R: sums grow slowly. */
#define DEFINE_CHAIN(name, FIRST, R, FMA)                                                                              \
    static void name(uint64_t iterations) {                                                                            \
        uint64_t sum = 1, addend = 1;                                                                                  \
        __asm__ volatile(                                                                                              \
            ".arch_extension sve\n\t" FIRST ".irp r," EVEN(R) "," ODD(R) "," R(30) "," R(                              \
                31) "\n\tfmov \\r, #0.5\n\t.endr\n\t"                                                                  \
                    ".balign 64\n1:\n\t.rept 5\n\t" GROUP(EVEN(R), FMA)                                                \
                        GROUP(ODD(R), FMA) ".endr\n\t" GROUP(EVEN(R), FMA)                                             \
                            ADDS(4) "subs %[iterations], %[iterations], #1\n\tb.ne 1b\n\t.arch_extension nosve"        \
            : [iterations] "+r"(iterations), [sum] "+r"(sum)                                                           \
            : [addend] "r"(addend)                                                                                     \
            : "cc", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14",     \
              "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v30", "v31");                            \
    }

DEFINE_CHAIN(run_neon, "", NEON, "fmla \\r, v30.2d, v31.2d")
DEFINE_CHAIN(run_sve, "ptrue p0.b\n\t", SVE, "fmla \\r, p0/m, z30.d, z31.d")

const struct interleaved_chain interleaved_chain_table[] = {
    {"neon FMA", CPU_ASIMD, CHAIN_CYCLES, run_neon},     {"sve128 FMA", CPU_SVE128, CHAIN_CYCLES, run_sve},
    {"sve256 FMA", CPU_SVE256, CHAIN_CYCLES, run_sve},   {"sve512 FMA", CPU_SVE512, CHAIN_CYCLES, run_sve},
    {"sve1024 FMA", CPU_SVE1024, CHAIN_CYCLES, run_sve}, {"sve2048 FMA", CPU_SVE2048, CHAIN_CYCLES, run_sve},
};
const size_t interleaved_chain_count = sizeof interleaved_chain_table / sizeof interleaved_chain_table[0];
