/* SPDX-License-Identifier: BSD-3-Clause
 * Multiplications and additions that one fused instruction could replace: blocks derived by hand, never executed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "asm/instruction.h"

/* Description, flop by pairs, code. */
#define BLOCKS(X)                                                                                                      \
    X(dot_product, 2, "1: movsd xmm0, [rdi]; mulsd xmm0, [rsi]; addsd xmm1, xmm0; dec rcx; jnz 1b")                    \
    X(into_product, 2, "1: movsd xmm0, [rdi]; mulsd xmm0, [rsi]; addsd xmm0, xmm1; dec rcx; jnz 1b")                   \
    X(triad_by_256_bits, 8, "vmulpd ymm0, ymm15, [rsi]; vaddpd ymm0, ymm0, [rdi]; vmovapd [rdx], ymm0")                \
    X(subtraction, 8, "vmulps xmm2, xmm0, xmm1; vsubps xmm3, xmm4, xmm2; ret")                                         \
    X(by_512_bits, 32, "vmulps zmm20, zmm1, zmm2; vaddps zmm3, zmm20, zmm3; ret")                                      \
    X(two_products_one_sum, 2, "mulsd xmm0, xmm2; mulsd xmm1, xmm3; addsd xmm0, xmm1; ret")                            \
    X(two_pairs, 4,                                                                                                    \
      "vmulsd xmm0, xmm2, xmm3; vaddsd xmm4, xmm4, xmm0; vmulsd xmm0, xmm5, xmm6; vaddsd xmm4, xmm4, "                 \
      "xmm0; ret")                                                                                                     \
    X(already_fused, 0, "vfmadd231pd ymm0, ymm1, ymm2; vaddpd ymm3, ymm3, ymm0; ret")                                  \
    X(product_is_stored, 0, "mulsd xmm0, xmm2; movsd [rdi], xmm0; addsd xmm1, xmm0; ret")                              \
    X(product_is_stored_later, 0, "mulsd xmm0, xmm2; addsd xmm1, xmm0; movsd [rdi], xmm0; ret")                        \
    X(product_is_copied, 0, "mulsd xmm0, xmm2; movapd xmm3, xmm0; addsd xmm1, xmm0; ret")                              \
    X(two_sums, 0, "mulsd xmm0, xmm2; addsd xmm1, xmm0; addsd xmm3, xmm0; ret")                                        \
    X(twice_itself, 0, "mulsd xmm0, xmm2; addsd xmm0, xmm0; ret")                                                      \
    X(overwritten_between, 0, "mulsd xmm0, xmm2; movsd xmm0, [rdi]; addsd xmm1, xmm0; ret")                            \
    X(overwritten_behind, 2, "mulsd xmm0, xmm2; addsd xmm1, xmm0; movsd xmm0, [rdi]; movsd [rdx], xmm0; ret")          \
    X(other_width, 0, "vmulpd ymm0, ymm1, ymm2; vaddpd xmm3, xmm3, xmm0; ret")                                         \
    X(other_type, 0, "mulpd xmm0, xmm1; addps xmm2, xmm0; ret")                                                        \
    X(sum_first, 0, "addsd xmm1, xmm0; mulsd xmm0, xmm2; ret")                                                         \
    X(masked, 0, "vmulpd zmm0{k1}, zmm1, zmm2; vaddpd zmm3, zmm3, zmm0; ret")                                          \
    X(kept_under_a_mask, 0, "vmulpd zmm0, zmm1, zmm2; vaddpd zmm3, zmm3, zmm0; vmovapd zmm0{k1}, zmm5; ret")           \
    X(power, 0, "1: mulsd xmm0, xmm1; addsd xmm2, xmm0; dec rcx; jnz 1b")                                              \
    X(left_in_its_register, 2, "mulsd xmm0, xmm1; addsd xmm2, xmm0; dec rcx; jnz 1f; 1: nop")                          \
    X(used_in_the_next_turn, 0, "1: addsd xmm3, xmm0; vmulsd xmm0, xmm1, xmm4; addsd xmm2, xmm0; dec rcx; jnz 1b")     \
    X(from_x87, 0, "fmul st(1); faddp st(2), st; ret")

#define AS_CODE(name, flop, text)                                                                                      \
    __asm__(".pushsection .text.unfused, \"ax\", @progbits\nunfused_" #name ":\n.intel_syntax noprefix\n" text         \
            "\n.att_syntax\nunfused_end_" #name ":\n.popsection");                                                     \
    extern const uint8_t unfused_##name[], unfused_end_##name[];
#define AS_ROW(name, flop, text) {#name, unfused_##name, unfused_end_##name, flop},
BLOCKS(AS_CODE)
static const struct {
    const char *name;
    const uint8_t *code, *end;
    uint64_t flop;
} blocks[] = {BLOCKS(AS_ROW)};

static void pairs_of_blocks(void **state) {
    (void)state;
    enum { MOST = 16 };
    bool right = true;
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        struct decoded_instruction instructions[MOST];
        size_t count = 0;
        uint64_t flop = 0;
        for (const uint8_t *at = blocks[i].code; at < blocks[i].end; at += instructions[count++].length_bytes)
            assert_true(count < MOST && instruction_decode(at, (size_t)(blocks[i].end - at), &instructions[count]));
        instructions_find_unfused(blocks[i].code, instructions, count);
        for (size_t j = 0; j < count; j++) {
            flop += instructions[j].effect.unfused_flop;
            assert_true(instructions[j].effect.unfused_flop <= instructions[j].effect.flop);
        }
        if (flop != blocks[i].flop)
            print_error("%s: %lu flop, not %lu\n", blocks[i].name, flop, blocks[i].flop);
        right &= flop == blocks[i].flop;
    }
    assert_true(right);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pairs_of_blocks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
