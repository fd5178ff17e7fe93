/* SPDX-License-Identifier: BSD-3-Clause
 * Loops that wait, and loops that only look like it: blocks of machine code that never runs, with made-up
 * executions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bench/profile/code_graph.h"

/* Two loops that wait: on a lock, inside a working loop; and by calling functions. */
void waiting_code(void);
__asm__(".pushsection .text\n"
        "waiting_code:\n"
        "b_look: cmpl $0, (%rdi)\n je b_work\n"
        "b_pause: pause\n dec %ecx\n jnz b_look\n"
        "b_flag: movl $1, 8(%rdi)\n jmp b_look\n"
        "b_work: mov %rcx, (%rdx)\n jmp b_look\n"
        "b_add: addsd (%rdx), %xmm0\n jmp b_look\n"
        "b_read: cmpl $0, (%rdi)\n je b_read\n"
        "b_call: call b_pauser\n"
        "b_ask: call b_answer\n"
        "b_again: test %eax, %eax\n jnz b_call\n"
        "b_pauser: pause\n ret\n"
        "b_answer: mov (%rdi), %eax\n ret\n"
        "b_end:\n"
        ".popsection\n");
extern const uint8_t b_look[], b_pause[], b_flag[], b_work[], b_add[], b_read[], b_call[], b_ask[], b_again[],
    b_pauser[], b_answer[], b_end[];
enum { LOOK, PAUSE, FLAG, WORK, ADD, READ, CALL, ASK, AGAIN, PAUSER, ANSWER, BLOCKS };
static const unsigned INSTRUCTIONS[BLOCKS] = {2, 3, 2, 2, 2, 2, 1, 1, 2, 2, 2};

/* The waiting blocks, by the executions of each. */
static void find(const uint64_t executions[BLOCKS], bool waits[BLOCKS]) {
    const uint8_t *const starts[] = {b_look, b_pause, b_flag,  b_work,   b_add,    b_read,
                                     b_call, b_ask,   b_again, b_pauser, b_answer, b_end};
    struct dump_block blocks[BLOCKS];
    struct dump_value values[BLOCKS];
    static const struct dump_object objects[2] = {{.path = ""}, {.high = ~0ull, .path = "/opt/program"}};
    for (uint32_t i = 0; i < BLOCKS; i++) {
        blocks[i] = (struct dump_block){.address = (uint64_t)starts[i],
                                        .object = 1,
                                        .counter = i,
                                        .code_bytes = (uint32_t)(starts[i + 1] - starts[i]),
                                        .instruction_count = INSTRUCTIONS[i]};
        values[i] = (struct dump_value){i, executions[i]};
    }
    struct dump_record record = {.value_count = BLOCKS, .values = (const uint8_t *)values};
    const struct dump dump = {
        .header = {.block_count = BLOCKS, .counter_count = BLOCKS, .object_count = 2, .count_count = 1},
        .objects = (const uint8_t *)objects,
        .blocks = (const uint8_t *)blocks,
        .code = b_look,
        .records = &record};
    memset(waits, 0, BLOCKS * sizeof *waits);
    struct code_instructions instructions = {0};
    struct code_block *code = code_instructions_find(&instructions, &dump);
    waiting_find(&dump, code, waits);
    free(code);
    code_instructions_free(&instructions);
}

static void loops_around_pauses_wait(void **state) {
    (void)state;
    const uint64_t executions[BLOCKS] = {
        [LOOK] = 900, [PAUSE] = 890, [CALL] = 1000, [ASK] = 1000, [AGAIN] = 1000, [PAUSER] = 1000, [ANSWER] = 1000};
    bool waits[BLOCKS];
    find(executions, waits);
    assert_true(waits[LOOK] && waits[PAUSE]);
    assert_true(waits[FLAG]); /* stores a constant that other threads may wait for */
    assert_true(waits[CALL] && waits[ASK] && waits[AGAIN] && waits[PAUSER]);
    assert_true(waits[ANSWER]);
}

static void work_does_not(void **state) {
    (void)state;
    uint64_t executions[BLOCKS] = {[CALL] = 1000, [ASK] = 1000, [AGAIN] = 1000, [ANSWER] = 1000};
    bool waits[BLOCKS];
    find(executions, waits);
    assert_false(waits[WORK]); /* stores visible data, although it leads back to the pause */
    assert_false(waits[ADD]);  /* computes */
    assert_false(waits[READ]); /* a loop without a pause */
    executions[ANSWER] = 1200; /* a function with other callers, too */
    find(executions, waits);
    assert_false(waits[ANSWER]);
    assert_true(waits[ASK]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(loops_around_pauses_wait), cmocka_unit_test(work_does_not)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
