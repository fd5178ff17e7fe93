/* SPDX-License-Identifier: BSD-3-Clause
 * What an emulator of AArch64 does not obey, by its words; features by the system's bits; the vectors in use.
 * Encodings: Arm Architecture Reference Manual, DDI 0487. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>

#include <cmocka.h>

#include "probe/arch.h"
#include "probe/clock_chains.h"
#include "probe/cpu.h"

enum { RET = (int)0xd65f03c0, WORDS_MOST = 4096 };

/* In place of the C library's, for this program. */
static struct {
    bool pretended;
    unsigned long type, bits;
} auxiliary;

unsigned long getauxval(unsigned long type) {
    extern unsigned long __getauxval(unsigned long);
    return !auxiliary.pretended ? __getauxval(type) : type == auxiliary.type ? auxiliary.bits : 0;
}

/* The system has one bit alone, by the names of the C library (glibc 2.36 lacks that of SME). */
static void each_bit_is_its_feature(void **state) {
    (void)state;
    static const struct {
        unsigned long type, bit;
        const char *name;
    } ROWS[] = {
        {AT_HWCAP, HWCAP_ASIMD, "asimd"},       {AT_HWCAP, HWCAP_ASIMDHP, "asimdhp"},
        {AT_HWCAP, HWCAP_ASIMDDP, "asimddp"},   {AT_HWCAP2, HWCAP2_SVE2, "sve2"},
        {AT_HWCAP2, HWCAP2_SVEI8MM, "svei8mm"}, {AT_HWCAP2, HWCAP2_SVEBF16, "svebf16"},
        {AT_HWCAP2, HWCAP2_I8MM, "i8mm"},       {AT_HWCAP2, HWCAP2_BF16, "bf16"},
        {AT_HWCAP2, 1ul << 23, "sme"},          {AT_HWCAP2, 1ul << 24, "smei16i64"},
        {AT_HWCAP2, 1ul << 25, "smef64f64"},    {AT_HWCAP2, 1ul << 26, "smei8i32"},
        {AT_HWCAP2, 1ul << 27, "smef16f32"},    {AT_HWCAP2, 1ul << 28, "smeb16f32"},
        {AT_HWCAP2, 1ul << 29, "smef32f32"},
    };
    cpu_features all = 0;
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        all |= cpu_feature_find(ROWS[i].name);
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        struct cpu_identity cpu;
        auxiliary.type = ROWS[i].type;
        auxiliary.bits = ROWS[i].bit;
        auxiliary.pretended = true;
        cpu_identify(&cpu);
        auxiliary.pretended = false;
        if ((cpu.features & all) != cpu_feature_find(ROWS[i].name))
            fail_msg("%s is not its bit", ROWS[i].name);
    }
}

static void vectors_have_the_length_of_their_instruction_set(void **state) {
    (void)state;
    enum { GET_LENGTH = 51, GET_STREAMING_LENGTH = 64, LENGTH_MASK = 0xffff };
    struct cpu_identity cpu;
    cpu_identify(&cpu);
    const int bytes = prctl(GET_LENGTH), streaming_bytes = prctl(GET_STREAMING_LENGTH);
    bool streaming = false;
    for (size_t i = 0; i < isa_count; i++) {
        const bool has = (isa_table[i].needs & ~cpu.features) == 0;
        if (has && isa_named(&isa_table[i], "sve"))
            assert_int_equal(bytes & LENGTH_MASK, isa_table[i].vector_bytes);
        if (has && isa_named(&isa_table[i], "sme"))
            assert_int_equal(streaming_bytes & LENGTH_MASK, isa_table[i].vector_bytes);
        streaming |= has && isa_named(&isa_table[i], "sme");
    }
    assert_int_equal(bytes > 0, (cpu.features & CPU_SVE) != 0);
    assert_int_equal(streaming_bytes > 0, streaming);
}

static __attribute__((noinline)) uint64_t tick(void) {
    return arch_tick();
}
static __attribute__((noinline)) void flush(const char *line) {
    arch_flush_line(line, 0);
}
static __attribute__((noinline)) void fence(void) {
    arch_fence();
}
static __attribute__((noinline)) void take_a_pause(void) {
    arch_pause();
}

/* Side by side, before the first return; registers may be any. */
static bool has_words(const uint32_t *code, const uint32_t *words, size_t count) {
    for (size_t i = 0; i < WORDS_MOST && code[i] != (uint32_t)RET; i++) {
        size_t same = 0;
        while (same < count && (code[i + same] & ~0x1fu) == (words[same] & ~0x1fu))
            same++;
        if (same == count)
            return true;
    }
    return false;
}

static void barriers_are_there(void **state) {
    (void)state;
    enum { ISB = (int)0xd5033fdf };
    static const struct {
        const char *name;
        uintptr_t code;
        size_t count;
        uint32_t words[4];
    } ROWS[] = {
        {"dsb ishld, isb, mrs cntvct_el0, isb",
         (uintptr_t)tick,
         4,
         {0xd503399f, (uint32_t)ISB, 0xd53be040, (uint32_t)ISB}},
        {"dc civac", (uintptr_t)flush, 1, {0xd50b7e20}},
        {"dsb ish", (uintptr_t)fence, 1, {0xd5033b9f}},
        {"isb", (uintptr_t)take_a_pause, 1, {(uint32_t)ISB}},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        if (!has_words((const uint32_t *)ROWS[i].code, ROWS[i].words, ROWS[i].count))
            fail_msg("there is no %s", ROWS[i].name);
}

/* Where denormal operands are taken as zeros they raise a flag. */
static void denormals_are_harmful(void **state) {
    (void)state;
    const uint64_t flush_to_zero = 1 << 24;
    uint64_t usual;
    volatile double smallest = 0x1p-1074, result;
    __asm__ volatile("mrs %0, fpcr" : "=r"(usual));
    arch_exceptions_clear();
    __asm__ volatile("msr fpcr, %0" ::"r"(usual | flush_to_zero) : "memory");
    result = smallest * 3;
    __asm__ volatile("msr fpcr, %0" ::"r"(usual) : "memory");
    assert_true(arch_exceptions_harmful());
    arch_exceptions_clear();
    (void)result;
}

/* The code that a chain calls. */
static const uint32_t *piece_of(void (*chain)(uint64_t pieces)) {
    const uint32_t *code = (const uint32_t *)(uintptr_t)chain;
    size_t i = 0;
    while (i < WORDS_MOST && code[i] >> 26 != 0x25) /* bl */
        i++;
    assert_true(i < WORDS_MOST);
    return code + i + ((int32_t)(code[i] << 6) >> 6);
}

/* As many dependent instructions as their latency, in each model of LLVM, makes last as long as the others'. */
static void pieces_last_equally_long(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint32_t word;
        unsigned latency_cycles;
    } ROWS[CLOCK_SLICES] = {
        {"adc x0, x0, x1", 0x9a010000, 1},
        {"fadd v0.2d, v0.2d, v1.2d", 0x4e61d400, 2},
        {"csel x0, x0, x1, eq", 0x9a810000, 1},
    };
    for (size_t i = 0; i < CLOCK_SLICES; i++) {
        const uint32_t *piece = piece_of(clock_chains[i]);
        unsigned count = 0;
        while (piece[count] == ROWS[i].word)
            count++;
        if (piece[count] != (uint32_t)RET || count * ROWS[i].latency_cycles != CLOCK_PIECE_CYCLES)
            fail_msg("%u times %s, then 0x%08x", count, ROWS[i].name, piece[count]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_bit_is_its_feature),  cmocka_unit_test(vectors_have_the_length_of_their_instruction_set),
        cmocka_unit_test(barriers_are_there),       cmocka_unit_test(denormals_are_harmful),
        cmocka_unit_test(pieces_last_equally_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
