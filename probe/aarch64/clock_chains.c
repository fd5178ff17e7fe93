/* SPDX-License-Identifier: BSD-3-Clause
 * The clock's chains in AArch64 (see probe/clock_chains.h). */
#include "probe/clock_chains.h"

/* Arm's software optimization guides: an addition of general registers takes one cycle on every Cortex-A, Neoverse and
 * X core, one of vectors two, a 32-bit multiplication two (Neoverse) or three. The slower chains are never the fastest,
 * as clock_chains.h allows. */
_Static_assert(CLOCK_PIECE_CYCLES == 252 && CLOCK_PIECE_NOOPS == 504, "pieces of all chains last equally long");
__asm__(".pushsection .text\n\t.balign 64\nclock_add_piece:\n\t"
        ".rept 252\n\tadd x0, x0, x1\n\t.endr\n\tret\n\t"
        ".balign 64\nclock_vector_piece:\n\t"
        ".rept 126\n\tadd v0.4s, v0.4s, v1.4s\n\t.endr\n\tret\n\t"
        ".balign 64\nclock_multiply_piece:\n\t"
        ".rept 126\n\tmul w0, w0, w1\n\t.endr\n\tret\n\t"
        ".balign 64\nclock_noop_piece:\n\t"
        ".rept 504\n\tnop\n\t.endr\n\tret\n\t.popsection");

#define DEFINE_CHAIN(name, piece)                                                                                      \
    static void name(uint64_t pieces) {                                                                                \
        register uint64_t value __asm__("x0") = 1;                                                                     \
        register uint64_t factor __asm__("x1") = 3;                                                                    \
        __asm__ volatile("1:\n\tbl " piece "\n\tsubs %[pieces], %[pieces], #1\n\tb.ne 1b"                              \
                         : "+r"(value), "+r"(factor), [pieces] "+r"(pieces)                                            \
                         :                                                                                             \
                         : "cc", "memory", "x30", "v0", "v1");                                                         \
    }
DEFINE_CHAIN(run_adds, "clock_add_piece")
DEFINE_CHAIN(run_vector_adds, "clock_vector_piece")
DEFINE_CHAIN(run_multiplies, "clock_multiply_piece")
DEFINE_CHAIN(run_noops, "clock_noop_piece")

void (*const clock_chains[CLOCK_SLICES])(uint64_t pieces) = {run_adds, run_vector_adds, run_multiplies};
void (*const clock_noops)(uint64_t pieces) = run_noops;

bool clock_counter_is_invariant(void) {
    return true; /* the architecture's counter of time */
}
