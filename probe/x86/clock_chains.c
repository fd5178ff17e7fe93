/* SPDX-License-Identifier: BSD-3-Clause
 * The clock's chains in x86-64 (see probe/clock_chains.h). */
#include "probe/clock_chains.h"

#include <cpuid.h>

enum { MULTIPLY_LATENCY = 3 }; /* latency of 32-bit imul on every x86-64 core since 2008 (uops.info) */

/* The addend is a register because newer cores execute `add reg, imm` at rename, in zero cycles. A vector add takes
 * one cycle on every Intel core since Core 2 and on Zen (uops.info). */
_Static_assert(CLOCK_PIECE_CYCLES == 252 && CLOCK_PIECE_CYCLES == 84 * MULTIPLY_LATENCY,
               "pieces of all chains last equally long");
__asm__(".pushsection .text\n\t.balign 64\nclock_add_piece:\n\t"
        ".rept 252\n\tadd %rdx, %rax\n\t.endr\n\tret\n\t"
        ".balign 64\nclock_vector_piece:\n\t"
        ".rept 252\n\tpaddd %xmm1, %xmm0\n\t.endr\n\tret\n\t"
        ".balign 64\nclock_multiply_piece:\n\t"
        ".rept 84\n\timul %edx, %eax\n\t.endr\n\tret\n\t"
        ".balign 64\nclock_noop_piece:\n\t"
        ".rept 504\n\tnop\n\t.endr\n\tret\n\t.popsection");
_Static_assert(CLOCK_PIECE_NOOPS == 504, "as above");

/* The red zone below the stack pointer may hold the caller's data. */
#define DEFINE_CHAIN(name, piece)                                                                                      \
    static void name(uint64_t pieces) {                                                                                \
        uint64_t value = 1, factor = 3;                                                                                \
        __asm__ volatile("lea -128(%%rsp), %%rsp\n1:\n\tcall " piece "\n\tdec %[pieces]\n\tjnz 1b\n\t"                 \
                         "lea 128(%%rsp), %%rsp"                                                                       \
                         : "+a"(value), "+d"(factor), [pieces] "+r"(pieces)                                            \
                         :                                                                                             \
                         : "cc", "memory", "xmm0", "xmm1");                                                            \
    }
DEFINE_CHAIN(run_adds, "clock_add_piece")
DEFINE_CHAIN(run_vector_adds, "clock_vector_piece")
DEFINE_CHAIN(run_multiplies, "clock_multiply_piece")
DEFINE_CHAIN(run_noops, "clock_noop_piece")

void (*const clock_chains[CLOCK_SLICES])(uint64_t pieces) = {run_adds, run_vector_adds, run_multiplies};
void (*const clock_noops)(uint64_t pieces) = run_noops;

bool clock_counter_is_invariant(void) {
    uint32_t a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & (1u << 8));
}
