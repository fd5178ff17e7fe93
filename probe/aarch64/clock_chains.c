/* SPDX-License-Identifier: BSD-3-Clause
 * The clock's chains in AArch64 (see probe/clock_chains.h). */
#include "probe/clock_chains.h"

/* Additions with carry and selections take one cycle in each model of LLVM 19 (llvm-mca, of 21 cores from Cortex-A53 to
 * Neoverse V2, A64FX, Apple's and Oryon) and in Arm's software optimization guides: these two chains agree wherever
 * nothing disturbs them. Additions without carry take two in four of the models, as if the second operand were shifted.
 * Additions of floats in vectors take two cycles on Neoverse N1 to V3 and Cortex-X2 to X925, three to nine on others,
 * where that chain is slower and never the fastest, and less on none, as those of integers do on Samsung's and
 * Qualcomm's. Multiplications take 2 to 5. All operands are registers, since newer cores add constants at rename. */
_Static_assert(CLOCK_PIECE_CYCLES == 252 && CLOCK_PIECE_NOOPS == 504, "pieces of all chains last equally long");
__asm__(".pushsection .text\n\t.balign 64\nclock_add_piece:\n\t"
        ".rept 252\n\tadc x0, x0, x1\n\t.endr\n\tret\n\t"
        ".balign 64\nclock_vector_piece:\n\t"
        ".rept 126\n\tfadd v0.2d, v0.2d, v1.2d\n\t.endr\n\tret\n\t"
        ".balign 64\nclock_select_piece:\n\t"
        ".rept 252\n\tcsel x0, x0, x1, eq\n\t.endr\n\tret\n\t"
        ".balign 64\nclock_noop_piece:\n\t"
        ".rept 504\n\tnop\n\t.endr\n\tret\n\t.popsection");

#define DEFINE_CHAIN(name, piece)                                                                                      \
    static void name(uint64_t pieces) {                                                                                \
        register uint64_t value __asm__("x0") = 1;                                                                     \
        register uint64_t addend __asm__("x1") = 3;                                                                    \
        register double sum __asm__("v0") = 0;                                                                         \
        register double part __asm__("v1") = 0;                                                                        \
        __asm__ volatile("1:\n\tbl " piece "\n\tsubs %[pieces], %[pieces], #1\n\tb.ne 1b"                              \
                         : "+r"(value), "+r"(addend), "+w"(sum), "+w"(part), [pieces] "+r"(pieces)                     \
                         :                                                                                             \
                         : "cc", "memory", "x30");                                                                     \
    }
DEFINE_CHAIN(run_adds, "clock_add_piece")
DEFINE_CHAIN(run_vector_adds, "clock_vector_piece")
DEFINE_CHAIN(run_selects, "clock_select_piece")
DEFINE_CHAIN(run_noops, "clock_noop_piece")

void (*const clock_chains[CLOCK_SLICES])(uint64_t pieces) = {run_adds, run_vector_adds, run_selects};
void (*const clock_noops)(uint64_t pieces) = run_noops;

bool clock_counter_is_invariant(void) {
    return true; /* by the architecture */
}
