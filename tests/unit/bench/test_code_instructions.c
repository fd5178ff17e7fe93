/* SPDX-License-Identifier: BSD-3-Clause
 * Decoded blocks: equal code is decoded once, also for the next process; an invalid instruction ends a block. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bench/profile/profile_cost.h"

/* `add (%rdi), %eax; ret`; `nop`; code that is cut off after its `nop`. */
static const uint8_t CODE[] = {0x03, 0x07, 0xc3, 0x90, 0x03, 0x07, 0xc3, 0x90, 0x0f, 0x03, 0x07, 0xc3};
static const struct dump_block BLOCKS[] = {
    {.address = 0x1000, .code_bytes = 3, .instruction_count = 2},
    {.address = 0x1003, .code_bytes = 1, .instruction_count = 1},
    {.address = 0x2000, .code_bytes = 3, .instruction_count = 2}, /* same as the first, at another place */
    {.address = 0x3000, .code_bytes = 2, .instruction_count = 2},
    {.address = 0x4000, .code_bytes = 3, .instruction_count = 1}, /* ends before its code */
};
enum { COUNT = sizeof BLOCKS / sizeof BLOCKS[0] };

static struct code_block *find(struct code_instructions *known) {
    const struct dump dump = {.header = {.block_count = COUNT}, .blocks = (const uint8_t *)BLOCKS, .code = CODE};
    return code_instructions_find(known, &dump);
}

static void blocks_of_a_dump(void **state) {
    (void)state;
    struct code_instructions known = {0};
    struct code_block *blocks = find(&known);
    static const uint32_t counts[COUNT] = {2, 1, 2, 1, 1};
    static const size_t begins[COUNT] = {0, 3, 4, 7, 9};
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(blocks[i].count, counts[i]);
        assert_ptr_equal(blocks[i].code, CODE + begins[i]);
    }
    assert_string_equal(blocks[0].instructions[0].mnemonic, "add");
    assert_int_equal(blocks[0].instructions[0].effect.load_bytes, 4);
    assert_int_equal(blocks[0].instructions[1].flow, FLOW_AWAY);
    assert_string_equal(blocks[1].instructions[0].mnemonic, "nop");
    assert_string_equal(blocks[3].instructions[0].mnemonic, "nop");
    free(blocks);
    code_instructions_free(&known);
}

static void the_same_code_once(void **state) {
    (void)state;
    struct code_instructions known = {0};
    struct code_block *blocks = find(&known), *again = find(&known);
    assert_ptr_equal(blocks[0].instructions, blocks[2].instructions);
    assert_ptr_not_equal(blocks[0].instructions, blocks[4].instructions);
    for (size_t i = 0; i < COUNT; i++)
        assert_ptr_equal(again[i].instructions, blocks[i].instructions);
    assert_int_equal(known.run_count, 4);
    free(blocks);
    free(again);
    code_instructions_free(&known);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_of_a_dump),
        cmocka_unit_test(the_same_code_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
