/* SPDX-License-Identifier: BSD-3-Clause
 * What the exact counter inserts changes nothing of the program. Each counting sequence states the flags that it
 * changes: decoded, it changes these and reads none; executed with all flags that there are, it keeps all others and
 * all registers. And wherever it may stand, the next instruction replaces these flags and reads none of them, by
 * Zydis's tables. */
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
#include "bench/count/code/sequence.h"
#include "tests/support/no_program.h"

/* Where the counter would end the program. */
void fail_program(const char *reason, uint64_t address) {
    print_error("%s %#lx\n", reason, (unsigned long)address);
    abort();
}

enum {
    DIRECTION = ZYDIS_CPUFLAG_DF,
    ALL_FLAGS = FLAGS_OF_ARITHMETIC | DIRECTION,
    R11 = 11,
    R12 = 12,
    R15 = 15,
    NONE = -1
};

enum { COUNTER = 5, MASK = 3 };

static void compare_with_memory(const uint8_t *code) {
    struct instruction instruction;
    unsigned index;
    assert_true(decode_instruction((uint64_t)code, ZYDIS_MAX_INSTRUCTION_LENGTH, &instruction));
    assert_true(decode_comparison(&instruction, &index));
    copy_comparison(&instruction);
}

static const uint8_t add[] = {0x4c, 0x03, 0x04, 0x24}, test[] = {0x48, 0x85, 0x04, 0x24}; /* (%rsp) and r8, rax */
static const uint64_t return_address = 1;

/* Each emits itself. */
#define SEQUENCE(name, ...)                                                                                            \
    static void name(void) {                                                                                           \
        __VA_ARGS__;                                                                                                   \
    }
SEQUENCE(count, emit_count(COUNTER, 1))
SEQUENCE(count_back, emit_count(COUNTER, -15))
SEQUENCE(count_restorably, emit_count_restorably(COUNTER))
SEQUENCE(count_plainly, emit_count_plainly(COUNTER))
SEQUENCE(count_by_rax, emit_count_by(COUNTER, RAX))
SEQUENCE(count_by_rdi, emit_count_by(COUNTER, RDI))
SEQUENCE(count_by_r15, emit_count_by(COUNTER, R15))
SEQUENCE(compare_as_add, compare_with_memory(add))
SEQUENCE(compare_as_test, compare_with_memory(test))
SEQUENCE(count_rcx, emit_count_rcx(COUNTER, false))
SEQUENCE(count_rcx_back, emit_count_rcx(COUNTER, true))
SEQUENCE(count_mask_of_8, emit_count_mask(COUNTER, MASK, 8))
SEQUENCE(count_mask_of_32, emit_count_mask(COUNTER, MASK, 32))
SEQUENCE(count_mask_of_64, emit_count_mask(COUNTER, MASK, 64))
SEQUENCE(count_mmx, emit_count_vector_mask(COUNTER, EMIT_MMX, 3, 1, 8); EMIT("\x0f\x77")) /* emms */
SEQUENCE(count_xmm, emit_count_vector_mask(COUNTER, EMIT_XMM, 9, 1, 16))
SEQUENCE(count_ymm, emit_count_vector_mask(COUNTER, EMIT_YMM, 2, 4, 8))
SEQUENCE(count_tile, emit_count_tile(COUNTER, 2))
SEQUENCE(count_tile_product, emit_count_tile_product(COUNTER, 2, 3, 2))
SEQUENCE(keep_tiles, emit_keep_tiles())
SEQUENCE(call, emit_call(&return_address))
SEQUENCE(guess, emit_guess())
SEQUENCE(indirect, emit_indirect())
SEQUENCE(indirect_return, emit_indirect_return())
SEQUENCE(indirect_again, emit_indirect_again(false); emit_indirect_again(true))
SEQUENCE(indirect_anew, emit_indirect_anew())
SEQUENCE(leave, emit_exit(1))

static const struct inserted {
    const char *name;
    void (*emit)(void);
    uint32_t changes;                                          /* flags */
    int overwrites;                                            /* the register that the next instruction overwrites */
    enum { RUNS, NEEDS_AVX512, NEEDS_AVX, DECODED_ALONE } way; /* what jumps or needs AMX is not executed */
} sequences[] = {
#define ROW(name, ...)                                                                                                 \
    { #name, name, __VA_ARGS__ }
    ROW(count, 0, NONE, RUNS),
    ROW(count_back, 0, NONE, RUNS),
    ROW(count_restorably, 0, NONE, RUNS),
    ROW(count_plainly, EMIT_COUNT_PLAINLY_FLAGS, NONE, RUNS),
    ROW(count_by_rax, 0, RAX, RUNS),
    ROW(count_by_rdi, 0, RDI, RUNS),
    ROW(count_by_r15, 0, R15, RUNS),
    ROW(compare_as_add, COPY_COMPARISON_FLAGS, NONE, RUNS),
    ROW(compare_as_test, COPY_COMPARISON_FLAGS, NONE, RUNS),
    ROW(count_rcx, 0, NONE, RUNS),
    ROW(count_rcx_back, 0, NONE, RUNS),
    ROW(count_mask_of_8, 0, NONE, NEEDS_AVX512),
    ROW(count_mask_of_32, 0, NONE, NEEDS_AVX512),
    ROW(count_mask_of_64, 0, NONE, NEEDS_AVX512),
    ROW(count_mmx, 0, NONE, RUNS),
    ROW(count_xmm, 0, NONE, RUNS),
    ROW(count_ymm, 0, NONE, NEEDS_AVX),
    ROW(count_tile, 0, NONE, RUNS),
    ROW(count_tile_product, 0, NONE, RUNS),
    ROW(keep_tiles, 0, NONE, DECODED_ALONE),
    ROW(call, 0, NONE, DECODED_ALONE),
    ROW(guess, 0, NONE, DECODED_ALONE),
    ROW(indirect, 0, NONE, DECODED_ALONE),
    ROW(indirect_return, 0, NONE, DECODED_ALONE),
    ROW(indirect_again, 0, NONE, DECODED_ALONE),
    ROW(indirect_anew, 0, NONE, DECODED_ALONE),
    ROW(leave, 0, NONE, DECODED_ALONE),
};
enum { SEQUENCES = sizeof sequences / sizeof *sequences };
static const struct inserted *inserted; /* the one in question */
static uint8_t *place;

static uint32_t changed_flags(const ZydisAccessedFlags *flags) {
    return flags ? (flags->modified | flags->set_0 | flags->set_1 | flags->undefined) & ALL_FLAGS : 0;
}

/* Zydis's tables of the code from `at` to emit_at. Between `lahf; seto` and `add $0x7f, %al; sahf` flags may change. */
static void check_decoded(const uint8_t *at) {
    uint32_t changed = 0;
    bool saved = false;
    ZydisMnemonic before = ZYDIS_MNEMONIC_INVALID;
    for (struct instruction next; at < emit_at; at += next.decoded.length, before = next.decoded.mnemonic) {
        assert_true(decode_instruction((uint64_t)at, (uint64_t)(emit_at - at), &next));
        const ZydisAccessedFlags *flags = next.decoded.cpu_flags;
        switch (next.decoded.mnemonic) {
        case ZYDIS_MNEMONIC_LAHF:
            assert_false(saved);
            saved = true;
            continue;
        case ZYDIS_MNEMONIC_SETO:
            assert_int_equal(before, ZYDIS_MNEMONIC_LAHF);
            continue;
        case ZYDIS_MNEMONIC_SAHF:
            assert_true(saved && before == ZYDIS_MNEMONIC_ADD);
            saved = false;
            continue;
        default:
            assert_true(saved || !flags || (flags->tested & ALL_FLAGS) == 0);
            changed |= saved ? 0 : changed_flags(flags);
            assert_false(saved && (changed_flags(flags) & DIRECTION));
        }
    }
    assert_false(saved);
    assert_int_equal(changed, inserted->changes);
}

enum { REGISTERS = 16, PLACE_BYTES = 4096 };
struct state {
    uint64_t registers[REGISTERS], flags;
};
static struct state given, seen;

static void emit_absolute(unsigned opcode, unsigned reg, const void *address) { /* by r12, which no sequence uses */
    emit_constant(R12, (uint64_t)address);
    emit_byte(0x49 | (reg >> 3) << 2);
    emit_byte(opcode);
    emit_byte(0x04 | (reg & 7) << 3);
    emit_byte(0x24);
}

/* A function that sets registers and flags, executes the sequence, and stores them. */
static void emit_harness(void) {
    EMIT("\x53\x55\x41\x54\x41\x55\x41\x56\x41\x57"); /* push %rbx, %rbp, %r12 to %r15 */
    emit_absolute(0xff, 6, &given.flags);             /* push */
    EMIT("\x9d");                                     /* popfq */
    for (unsigned reg = 0; reg < REGISTERS; reg++)
        if (reg != RSP && reg != R12)
            emit_absolute(0x8b, reg, &given.registers[reg]);
    inserted->emit();
    for (unsigned reg = 0; reg < REGISTERS; reg++)
        if (reg != R12)
            emit_absolute(0x89, reg, &seen.registers[reg]);
    EMIT("\x9c");                        /* pushfq */
    emit_absolute(0x8f, 0, &seen.flags); /* pop */
    EMIT("\xfc");                        /* cld */
    EMIT("\x41\x5f\x41\x5e\x41\x5d\x41\x5c\x5d\x5b\xc3");
}

static void execute(void) {
    void *code = place;
    void (*function)(void);
    memcpy(&function, &code, sizeof function);
    function();
}

static void check_executed(void) {
    static const unsigned places[] = {0, 2, 4, 6, 7, 10, 11}; /* CF, PF, AF, ZF, SF, DF, OF */
    emit_at = place;
    emit_harness();
    for (unsigned set = 0; set < 1u << 7; set++) {
        given.flags = 0x202;
        for (unsigned i = 0; i < 7; i++)
            given.flags |= (uint64_t)(set >> i & 1) << places[i];
        for (unsigned reg = 0; reg < REGISTERS; reg++)
            given.registers[reg] = 0x0101010101010101ull * (set + 1) + reg;
        execute();
        if ((seen.flags ^ given.flags) & ALL_FLAGS & ~inserted->changes)
            fail_msg("%s makes flags %#lx of %#lx", inserted->name, (unsigned long)seen.flags,
                     (unsigned long)given.flags);
        for (unsigned reg = 0; reg < REGISTERS; reg++)
            if (reg != RSP && reg != R12 && (int)reg != inserted->overwrites &&
                seen.registers[reg] != given.registers[reg])
                fail_msg("%s changes register %u", inserted->name, reg);
    }
}

static bool runs(void) {
    return inserted->way == RUNS || (inserted->way == NEEDS_AVX && __builtin_cpu_supports("avx")) ||
           (inserted->way == NEEDS_AVX512 && __builtin_cpu_supports("avx512bw"));
}

static void each_sequence_changes_the_flags_that_it_states(void **state) {
    (void)state;
    for (unsigned i = 0; i < SEQUENCES; i++) {
        inserted = &sequences[i];
        emit_at = place;
        inserted->emit();
        check_decoded(place);
        if (runs())
            check_executed();
    }
}

static unsigned places_by_flags, places_by_memory, places_by_register;

/* The counting sequence in front of this instruction is neutral. False: there is no instruction. */
static bool check_place(const uint8_t *bytes) {
    static struct sequence sequence;
    static struct instruction whole;
    if (!decode_instruction((uint64_t)bytes, ZYDIS_MAX_INSTRUCTION_LENGTH, &whole))
        return false;
    for (unsigned common = 0; common < 2; common++) {
        struct instruction *own = &sequence.instructions[0];
        *own = whole;
        if (common && !common_decode((uint64_t)bytes, 2 * ZYDIS_MAX_INSTRUCTION_LENGTH, own))
            continue;
        sequence.count = 1;
        const struct count_place chosen = sequence_count_place(&sequence);
        const uint32_t changes =
            (chosen.compares ? COPY_COMPARISON_FLAGS : 0) | (chosen.changes_flags ? EMIT_COUNT_PLAINLY_FLAGS : 0);
        const ZydisAccessedFlags *flags = whole.decoded.cpu_flags;
        if (changes & ((flags ? flags->tested : 0) | ~changed_flags(flags)))
            fail_msg("%s: flags %#x before %02x %02x %02x %02x", ZydisMnemonicGetString(whole.decoded.mnemonic),
                     changes, bytes[0], bytes[1], bytes[2], bytes[3]);
        places_by_flags += chosen.changes_flags && !chosen.compares;
        places_by_memory += chosen.compares;
        places_by_register += chosen.changes_register >= 0;
    }
    return true;
}

static void what_follows_needs_no_flag_that_counting_changes(void **state) {
    static const char *const begins[] = {
        "",     "\x66",     "\x48",     "\x4d",     "\x66\x45",     "\xf2",         "\xf3",         "\xf0",
        "\x0f", "\x66\x0f", "\x48\x0f", "\xf3\x0f", "\xf3\x48\x0f", "\x66\x0f\x38", "\xf3\x0f\x38", "\xf2\x48\x0f\x38"};
    unsigned known = 0;
    (void)state;
    for (unsigned i = 0; i < sizeof begins / sizeof *begins; i++)
        for (unsigned opcode = 0; opcode < 256; opcode++)
            for (unsigned modrm = 0; modrm < 256; modrm++) {
                uint8_t bytes[2 * ZYDIS_MAX_INSTRUCTION_LENGTH] = {0};
                const size_t length = strlen(begins[i]);
                memcpy(bytes, begins[i], length);
                bytes[length] = (uint8_t)opcode;
                bytes[length + 1] = (uint8_t)modrm;
                known += check_place(bytes);
            }
    assert_true(known > 100000 && places_by_flags > 1000 && places_by_memory > 1000 && places_by_register > 1000);
}

/* The program's thread has its data of the counter at the base of gs, which these tests do not use. */
static int prepare(void **state) {
    (void)state;
    struct context *context =
        mmap(NULL, sizeof *context, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    place = mmap(NULL, PLACE_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    decode_prepare();
    return context == MAP_FAILED || place == MAP_FAILED || syscall(SYS_arch_prctl, ARCH_SET_GS, context) != 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_sequence_changes_the_flags_that_it_states),
        cmocka_unit_test(what_follows_needs_no_flag_that_counting_changes),
    };
    return cmocka_run_group_tests(tests, prepare, NULL);
}
