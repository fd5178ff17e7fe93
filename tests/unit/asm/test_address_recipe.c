/* SPDX-License-Identifier: BSD-3-Clause
 * Which register values must be recorded to know all addresses: machine code with accesses derived by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "asm/x86/address_recipe.h"

enum { MOST = 32, BEGIN = 0x1000 };
static ZydisDecodedInstruction instructions[MOST];
static ZydisDecodedOperand operands[MOST][ZYDIS_MAX_OPERAND_COUNT];
static uint64_t ends[MOST];
static struct address_recipe recipe;

static const ZydisDecodedInstruction *get(const void *code, uint32_t index, const ZydisDecodedOperand **out,
                                          uint64_t *next) {
    (void)code;
    *out = operands[index];
    *next = ends[index];
    return &instructions[index];
}

static void make_of(const char *code, size_t bytes, uint32_t copies, bool loops) {
    ZydisDecoder decoder;
    uint32_t count = 0;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    for (size_t at = 0; at < bytes; at += instructions[count++].length) {
        assert_true(ZYAN_SUCCESS(
            ZydisDecoderDecodeFull(&decoder, code + at, bytes - at, &instructions[count], operands[count])));
        ends[count] = BEGIN + at + instructions[count].length;
    }
    address_recipe_make(&(struct recipe_code){.instruction_count = count, .copies = copies, .loops = loops, .get = get},
                        &recipe);
}
static void make(const char *code, size_t bytes, uint32_t copies) {
    make_of(code, bytes, copies, false);
}
#define MAKE(code)              make(code, sizeof(code) - 1, 1)
#define MAKE_LOOP(code, copies) make_of(code, sizeof(code) - 1, copies, true)

static void assert_value(unsigned value, unsigned instruction, unsigned reg) {
    assert_int_equal(recipe.values[value].instruction, instruction);
    assert_int_equal(recipe.values[value].reg, reg);
}

static void assert_access(unsigned access, unsigned kind, unsigned base, unsigned index, int64_t offset,
                          unsigned bytes) {
    assert_true(access < recipe.access_count);
    assert_int_equal(recipe.accesses[access].kind, kind);
    assert_int_equal(recipe.accesses[access].base, base);
    assert_int_equal(recipe.accesses[access].index, index);
    assert_int_equal(recipe.accesses[access].offset, offset);
    assert_int_equal(recipe.accesses[access].bytes, bytes);
}

static void constants_are_known(void **state) {
    (void)state;
    MAKE("\x48\x8b\x08"     /* mov (%rax), %rcx */
         "\x48\x83\xc0\x08" /* add $8, %rax */
         "\x48\x8b\x50\x10" /* mov 16(%rax), %rdx */
         "\x48\x8d\x40\xf0" /* lea -16(%rax), %rax */
         "\x48\xff\xc8"     /* dec %rax */
         "\x88\x10");       /* mov %dl, (%rax) */
    assert_int_equal(recipe.value_count, 1);
    assert_value(0, 0, 0);
    assert_int_equal(recipe.access_count, 3);
    assert_access(0, RECIPE_LOAD, 0, RECIPE_NONE, 0, 8);
    assert_access(1, RECIPE_LOAD, 0, RECIPE_NONE, 24, 8);
    assert_access(2, RECIPE_STORE, 0, RECIPE_NONE, -9, 1);
}

static void what_is_loaded_is_kept_anew(void **state) {
    (void)state;
    MAKE("\x48\x8b\x00"     /* mov (%rax), %rax */
         "\x48\x8b\x40\x08" /* mov 8(%rax), %rax */
         "\x01\xc0"         /* add %eax, %eax */
         "\x8b\x00");       /* mov (%rax), %eax */
    assert_int_equal(recipe.value_count, 3);
    assert_value(0, 0, 0);
    assert_value(1, 1, 0);
    assert_value(2, 3, 0);
    assert_access(1, RECIPE_LOAD, 1, RECIPE_NONE, 8, 8);
    assert_access(2, RECIPE_LOAD, 2, RECIPE_NONE, 0, 4);
}

static void half_a_register_is_another(void **state) {
    (void)state;
    MAKE("\x8b\x08"     /* mov (%rax), %ecx */
         "\x83\xc0\x04" /* add $4, %eax: the upper half becomes 0 */
         "\x8b\x08");   /* mov (%rax), %ecx */
    assert_int_equal(recipe.value_count, 2);
    assert_access(1, RECIPE_LOAD, 1, RECIPE_NONE, 0, 4);
}

static void the_stack_is_known(void **state) {
    (void)state;
    MAKE("\x53"                 /* push %rbx */
         "\x48\x8b\x44\x24\x08" /* mov 8(%rsp), %rax */
         "\x5b"                 /* pop %rbx */
         "\xe8\0\0\0\0");       /* call */
    assert_int_equal(recipe.value_count, 1);
    assert_value(0, 0, 4);
    assert_int_equal(recipe.access_count, 4);
    assert_access(0, RECIPE_STORE, 0, RECIPE_NONE, -8, 8);
    assert_access(1, RECIPE_LOAD, 0, RECIPE_NONE, 0, 8);
    assert_access(2, RECIPE_LOAD, 0, RECIPE_NONE, -8, 8);
    assert_access(3, RECIPE_STORE, 0, RECIPE_NONE, -8, 8);
}

static void an_index_counts_by_its_scale(void **state) {
    (void)state;
    MAKE("\x48\x8b\x44\xcb\x04"         /* mov 4(%rbx,%rcx,8), %rax */
         "\x48\xff\xc1"                 /* inc %rcx */
         "\x48\x01\x44\xcb\x04"         /* add %rax, 4(%rbx,%rcx,8) */
         "\x48\x8b\x04\xcd\x10\0\0\0"); /* mov 16(,%rcx,8), %rax */
    assert_int_equal(recipe.value_count, 2);
    assert_value(0, 0, 3);
    assert_value(1, 0, 1);
    assert_access(0, RECIPE_LOAD, 0, 1, 4, 8);
    assert_access(1, RECIPE_UPDATE, 0, 1, 12, 8);
    assert_access(2, RECIPE_LOAD, RECIPE_NONE, 1, 24, 8);
    assert_int_equal(recipe.accesses[2].scale, 8);
}

static void copies_follow_each_other(void **state) {
    (void)state;
    const char loop[] = "\xf2\x0f\x58\x04\xc6" /* addsd (%rsi,%rax,8), %xmm0 */
                        "\x48\xff\xc0"         /* inc %rax */
                        "\x48\x39\xd0"         /* cmp %rdx, %rax */
                        "\x75\xf3";            /* jne */
    make(loop, sizeof loop - 1, 4);
    assert_int_equal(recipe.value_count, 2);
    assert_int_equal(recipe.access_count, 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_access(i, RECIPE_LOAD, 0, 1, 8 * i, 8);
        assert_int_equal(recipe.accesses[i].instruction, 4 * i);
    }
    assert_true(recipe.unused >= 0 && recipe.unused != 0 && recipe.unused != 2 && recipe.unused != 4 &&
                recipe.unused != 6);
}

static void a_loop_by_constants_is_kept_once(void **state) {
    (void)state;
    MAKE_LOOP("\x48\x83\xc1\xf0"     /* add $-16, %rcx */
              "\xf2\x0f\x58\x04\xc6" /* addsd (%rsi,%rax,8), %xmm0 */
              "\xf2\x0f\x58\x01"     /* addsd (%rcx), %xmm0 */
              "\x48\xff\xc0"         /* inc %rax */
              "\x48\x39\xd0"         /* cmp %rdx, %rax */
              "\x75\xeb",            /* jne */
              4);
    assert_int_equal(recipe.value_count, 3);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(recipe.values[i].instruction, 0);
    assert_value(0, 0, 0);
    assert_value(1, 0, 1);
    assert_value(2, 0, 6);
    assert_int_equal(recipe.values[0].step, 4);
    assert_int_equal(recipe.values[1].step, -64);
    assert_int_equal(recipe.values[2].step, 0);
    assert_true(recipe.rounds_by == 0 || recipe.rounds_by == 1);
    assert_access(0, RECIPE_LOAD, 2, 0, 0, 8);
    assert_access(1, RECIPE_LOAD, 1, RECIPE_NONE, -16, 8);
    assert_access(7, RECIPE_LOAD, 1, RECIPE_NONE, -64, 8);
}

/* All of them are recorded in each round, as if there were no loop. */
static void loops_by_more_than_constants(void **state) {
    (void)state;
    MAKE_LOOP("\x48\x8b\x00" /* mov (%rax), %rax */
              "\x48\xff\xc1" /* inc %rcx */
              "\x75\xf8",    /* jne */
              1);
    assert_int_equal(recipe.rounds_by, RECIPE_NONE);
    MAKE_LOOP("\x8b\x04\x8b" /* mov (%rbx,%rcx,4), %eax */
              "\xff\xc1"     /* inc %ecx: the upper half becomes 0 */
              "\x75\xf9",    /* jne */
              1);
    assert_int_equal(recipe.rounds_by, RECIPE_NONE);
    MAKE_LOOP("\x8b\x04\x8b" /* mov (%rbx,%rcx,4), %eax */
              "\x8b\x04\x83" /* mov (%rbx,%rax,4), %eax */
              "\x48\xff\xc1" /* inc %rcx */
              "\x75\xf5",    /* jne */
              2);
    assert_int_equal(recipe.rounds_by, RECIPE_NONE);
    assert_int_equal(recipe.value_count, 4);
    MAKE_LOOP("\x8b\x03"  /* mov (%rbx), %eax: the same in each round; no register tells the number of rounds */
              "\xff\xc1"  /* inc %ecx */
              "\x75\xfa", /* jne */
              1);
    assert_int_equal(recipe.rounds_by, RECIPE_NONE);
    MAKE_LOOP("\x48\x8b\x03"     /* mov (%rbx), %rax */
              "\x48\xff\xc3"     /* inc %rbx */
              "\x48\x83\xeb\x09" /* sub $9, %rbx: between the two, the number of rounds cannot be derived */
              "\x75\xf4",        /* jne */
              1);
    assert_int_equal(recipe.rounds_by, RECIPE_NONE);
}

static void places_that_need_no_register(void **state) {
    (void)state;
    MAKE("\x8b\x05\x10\0\0\0"             /* mov 16(%rip), %eax */
         "\x64\x48\x8b\x04\x25\x28\0\0\0" /* mov %fs:40, %rax */
         "\x67\x8b\x03");                 /* mov (%ebx), %eax */
    assert_access(0, RECIPE_LOAD, RECIPE_NONE, RECIPE_NONE, BEGIN + 6 + 16, 4);
    assert_access(1, RECIPE_LOAD, RECIPE_NONE, RECIPE_NONE, 40, 8);
    assert_true(recipe.accesses[1].in_thread);
    assert_true(recipe.accesses[2].is_32_bit);
    assert_false(recipe.accesses[1].is_32_bit);
}

static void what_accesses_nothing(void **state) {
    (void)state;
    MAKE("\x0f\x1f\x44\x00\x00" /* nopl (%rax,%rax) */
         "\x48\x8d\x04\x03"     /* lea (%rbx,%rax), %rax */
         "\x0f\xae\x38"         /* clflush (%rax) */
         "\x0f\x18\x08");       /* prefetcht0 (%rax) */
    assert_int_equal(recipe.access_count, 1);
    assert_int_equal(recipe.accesses[0].kind, RECIPE_TOUCH);
}

static void stores_past_the_caches(void **state) {
    (void)state;
    MAKE("\xc5\xfd\x2b\x00" /* vmovntpd %ymm0, (%rax) */
         "\x0f\xc3\x08");   /* movnti %ecx, (%rax) */
    assert_access(0, RECIPE_NONTEMPORAL, 0, RECIPE_NONE, 0, 32);
    assert_access(1, RECIPE_NONTEMPORAL, 0, RECIPE_NONE, 0, 4);
}

static void repetitions_have_an_end(void **state) {
    (void)state;
    MAKE("\xf3\xa4"); /* rep movsb */
    assert_int_equal(recipe.access_count, 2);
    for (unsigned i = 0; i < 2; i++) {
        const struct recipe_access *access = &recipe.accesses[i];
        const unsigned reg = access->kind == RECIPE_LOAD ? 6 : 7;
        assert_value(access->base, 0, reg);
        assert_value(access->end, 1, reg); /* after it: the direction flag and comparisons decide */
        assert_int_equal(access->bytes, 1);
    }
    MAKE("\x48\xab\x48\xab"); /* stosq, twice, each alone: the direction flag decides how rdi moves */
    assert_int_equal(recipe.value_count, 2);
    assert_int_equal(recipe.accesses[0].end, RECIPE_NONE);
}

static void lanes_of_gathers(void **state) {
    (void)state;
    MAKE("\xc4\xe2\xed\x92\x04\xc8"); /* vgatherdpd %ymm2, (%rax,%xmm1,8), %ymm0 */
    const struct recipe_access *access = &recipe.accesses[0];
    assert_int_equal(recipe.access_count, 1);
    assert_int_equal(access->lanes, 4);
    assert_int_equal(access->bytes, 8);
    assert_int_equal(access->index_bytes, 4);
    assert_int_equal(access->mask_bytes, 8);
    assert_int_equal(recipe.values[access->index].kind, RECIPE_VECTOR);
    assert_int_equal(recipe.values[access->index].reg, 1);
    assert_int_equal(recipe.values[access->index].bytes, 16);
    assert_int_equal(recipe.values[access->mask].reg, 2);
    MAKE("\x62\xf2\x7d\x49\x93\x04\x88"); /* vgatherqps (%rax,%zmm1,4), %ymm0{%k1} */
    assert_int_equal(access->lanes, 8);
    assert_int_equal(access->bytes, 4);
    assert_int_equal(access->index_bytes, 8);
    assert_int_equal(access->mask_bytes, 0);
    assert_int_equal(recipe.values[access->mask].kind, RECIPE_MASK);
}

static void all_registers_in_use(void **state) {
    (void)state;
    MAKE("\x48\x01\xc8\x48\x01\xd3\x48\x01\xfe\x4c\x01\xc5" /* adds of rax, rcx, rbx, rdx, rsi, rdi, rbp, r8 */
         "\x4d\x01\xd1\x4d\x01\xe3\x4d\x01\xf5");           /* r9 to r14 */
    assert_int_equal(recipe.unused, 15);
    MAKE("\x48\x01\xc8\x48\x01\xd3\x48\x01\xfe\x4c\x01\xc5"
         "\x4d\x01\xd1\x4d\x01\xe3\x4d\x01\xf5\x4d\x89\x3f"); /* mov %r15, (%r15) */
    assert_int_equal(recipe.unused, -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_are_known),
        cmocka_unit_test(what_is_loaded_is_kept_anew),
        cmocka_unit_test(half_a_register_is_another),
        cmocka_unit_test(the_stack_is_known),
        cmocka_unit_test(an_index_counts_by_its_scale),
        cmocka_unit_test(copies_follow_each_other),
        cmocka_unit_test(a_loop_by_constants_is_kept_once),
        cmocka_unit_test(loops_by_more_than_constants),
        cmocka_unit_test(places_that_need_no_register),
        cmocka_unit_test(what_accesses_nothing),
        cmocka_unit_test(stores_past_the_caches),
        cmocka_unit_test(repetitions_have_an_end),
        cmocka_unit_test(lanes_of_gathers),
        cmocka_unit_test(all_registers_in_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
