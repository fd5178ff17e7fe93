/* SPDX-License-Identifier: BSD-3-Clause
 * How one copy leads to the next: without a jump if the next one follows, also when other threads may execute the
 * changed code, and then by a single store. How copies reach the thread's data of the counter. What calls push. */
#include <asm/prctl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/count/base/fail.h"
#include "bench/count/code/context.h"
#include "bench/count/code/emit.h"
#include "bench/count/code/links.h"

/* Functions that cache.c and links.c call. */
void fail_program(const char *reason, uint64_t address) {
    print_error("%s %#lx\n", reason, (unsigned long)address);
    abort();
}
void *fail_or_map(uint64_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(memory != MAP_FAILED);
    return memory;
}

static const uint64_t program = 0x10000; /* address of the program's blocks, for the cache */

static int prepare(void **state) {
    (void)state;
    links_prepare();
    cache_prepare();
    return 0;
}

static struct block *begin(struct code_arena *arena, uint64_t address, struct exit *from) {
    struct block *block = cache_new_block(address, 1);
    emit_at = link_begin_code(arena, from);
    block->code = (uint64_t)emit_at;
    return block;
}

static void end(struct code_arena *arena, const struct block *block) {
    arena->at = emit_at;
    cache_publish(block, arena);
}

/* A copy that begins this many bytes after a word and leads to the next one by a jump (`condition` < 0) or branch; then
 * the next one. Returns the first one's address; `second`: the second one's. */
static uint64_t two_copies(uint64_t address, unsigned bytes, int condition, uint64_t *second) {
    struct code_arena *arena = cache_arena(program);
    while ((uint64_t)arena->at % 8 != bytes)
        arena->at++;
    struct block *first = begin(arena, address, NULL);
    EMIT("\x39\xc0"); /* cmp %eax, %eax */
    if (condition >= 0)
        link_emit(arena, condition, address + 2, first);
    const uint32_t number = exit_next();
    link_emit(arena, -1, address + 1, first);
    end(arena, first);
    struct exit *exit = exit_get(number);
    struct block *next = begin(arena, address + 1, exit);
    EMIT("\xb8\x2a\0\0\0\xc3"); /* mov $42, %eax; ret */
    end(arena, next);
    link_set(exit, next->code);
    *second = next->code;
    return first->code;
}

static unsigned jumps_between(uint64_t from, uint64_t to) {
    unsigned jumps = 0;
    for (const uint8_t *at = (const uint8_t *)from + 2; at < (const uint8_t *)to; at++)
        jumps += *at == EMIT_JUMP;
    return jumps;
}

static int call(uint64_t code) {
    int (*function)(void);
    memcpy(&function, &code, sizeof function);
    return function();
}

/* For a branch by "not equal" the jump after it is taken. */
static void what_follows_has_no_jump(uint64_t address) {
    enum { NOT_EQUAL = 5 };
    uint64_t second;
    for (unsigned bytes = 0; bytes < 8; bytes++)
        for (int condition = -1; condition <= NOT_EQUAL; condition += NOT_EQUAL + 1, address += 16) {
            const uint64_t first = two_copies(address, bytes, condition, &second);
            assert_int_equal(jumps_between(first, second), 0);
            assert_int_equal(call(first), 42);
        }
}

static void copies_of_one_thread(void **state) {
    (void)state;
    what_follows_has_no_jump(program);
}

static void copies_that_others_execute(void **state) {
    (void)state;
    links_share();
    what_follows_has_no_jump(program + 4096);
}

/* The replaced part lies within an aligned word: the distance of a branch to a block without a copy. */
static void distances_are_replaced_by_one_store(void **state) {
    struct code_arena *arena = cache_arena(program);
    uint64_t address = program + 8192;
    (void)state;
    for (unsigned bytes = 0; bytes < 8; bytes++, address += 16)
        for (int condition = -1; condition < 1; condition++) {
            while ((uint64_t)arena->at % 8 != bytes)
                arena->at++;
            struct block *block = begin(arena, address + (unsigned)(condition + 1), NULL);
            const uint32_t number = exit_next();
            link_emit(arena, condition, address + 8, block);
            end(arena, block);
            assert_true((uint64_t)exit_get(number)->branch % 8 <= 8 - EMIT_DISTANCE_BYTES);
        }
}

/* Counts at a place in the cache, in each way: with the first and the last counter, and one in between. */
static uint64_t emit_counts(uint8_t *code) {
    static const uint32_t counters[] = {1, 1000, CONTEXT_COUNTERS - 1};
    emit_at = code;
    for (unsigned i = 0; i < 3; i++) {
        emit_count(counters[i], -1);
        emit_count_plainly(counters[i]);
        emit_count_by(counters[i], 11);
    }
    emit_store(RSP, PASSING_OFFSET(relative));
    EMIT("\x58"); /* pop %rax: the return address */
    emit_store(RAX, PASSING_OFFSET(resume));
    emit_load(RSP, PASSING_OFFSET(relative));
    EMIT("\x48\x8d\x64\x24\x08"); /* lea 8(%rsp), %rsp */
    emit_jump_through(PASSING_OFFSET(resume));
    return (uint64_t)code;
}

/* From the lowest 32 bits that code can have, the highest ones, and those between, with the context anywhere. */
static void the_context_is_reached_from_anywhere(void **state) {
    static const uint64_t places[] = {0x10000, 0x7fff0000, 0x100000000, 0x5555fffff000, 0x7f0080000000, 0x7fff7fff8000};
    struct context *context = fail_or_map(sizeof *context);
    (void)state;
    syscall(SYS_arch_prctl, ARCH_SET_GS, context);
    unsigned runs = 0;
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        uint8_t *code = mmap((void *)places[i], 8192, PROT_READ | PROT_WRITE | PROT_EXEC,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (code != (uint8_t *)places[i])
            continue; /* another mapping is there */
        call(emit_counts(code + 4000));
        runs++;
        munmap(code, 8192);
    }
    syscall(SYS_arch_prctl, ARCH_SET_GS, 0);
    assert_true(runs >= 2);
    assert_int_equal(context->counters[1], runs);
    assert_int_equal(context->counters[1000], runs);
    assert_int_equal(context->counters[CONTEXT_COUNTERS - 1], runs);
    munmap(context, sizeof *context);
}

/* A call pushes the program's return address, which is stored beside those of other calls and not in the code, and the
 * stubs before them are still found. An arena accepts no more code once there is no room for another return address. */
static void return_addresses_lie_together(void **state) {
    (void)state;
    struct code_arena *arena = cache_arena(program);
    const uint64_t wanted = program + 0x700, *first = cache_keep_return(arena, program + 1),
                   *kept = cache_keep_return(arena, wanted);
    assert_ptr_equal(kept, first + 1);
    assert_true((const uint8_t *)first >= arena->tail &&
                (const uint8_t *)(kept + 1) <= arena->start + CACHE_ARENA_BYTES);
    uint32_t number;
    struct exit *exit = exit_new(EXIT_LINK, &number);
    exit->target = program + 0x800;
    uint64_t target, code = (uint64_t)link_emit_stub(arena, exit, number);
    assert_true(exit_at_stub(code + 6, 0, &target));
    assert_int_equal(target, exit->target);
    emit_at = arena->at;
    code = (uint64_t)emit_at;
    uint8_t *landing = emit_call(kept);
    assert_int_equal((uint64_t)landing, code + EMIT_CALL_LANDING_AT);
    assert_int_equal((uint64_t)emit_at, code + EMIT_CALL_BYTES);
    EMIT("\x58\xc3"); /* pop %rax; ret */
    arena->at = emit_at;
    assert_int_equal(call(code), wanted);
    while (cache_has_room(arena))
        kept = cache_keep_return(arena, wanted);
    assert_true((const uint8_t *)(kept + 1) == arena->start + CACHE_ARENA_BYTES);
    assert_ptr_not_equal(cache_arena(program), arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_of_one_thread),
        cmocka_unit_test(copies_that_others_execute), /* from here on other threads execute the copies */
        cmocka_unit_test(distances_are_replaced_by_one_store),
        cmocka_unit_test(the_context_is_reached_from_anywhere),
        cmocka_unit_test(return_addresses_lie_together),
    };
    return cmocka_run_group_tests(tests, prepare, NULL);
}
