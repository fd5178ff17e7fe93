/* SPDX-License-Identifier: BSD-3-Clause
 * Kernels assembled at run time: the proof from machine code holds for each; they run, stay in their buffer, and
 * compute with normal numbers for any number of visits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xmmintrin.h>

#include "asm/arithmetic.h"
#include "asm/assemble.h"
#include "asm/decode.h"
#include "asm/pattern.h"
#include "probe/cpu.h"
#include "probe/error.h"

enum { PAGE = 4096, LINE = 64, BUFFER_BYTES = 256 * 1024, MXCSR_HARMFUL = 0x1f, MXCSR_FLAGS = 0x3f };

static bool can_run(const struct kernel *kernel) {
    struct cpu_identity cpu;
    cpu_identify(&cpu);
    return (kernel->needs & ~cpu.features) == 0;
}

static struct assembled made(const struct recipe *recipe) {
    struct assembled out;
    struct error err = {""};
    if (!assemble_kernel(recipe, &out, &err))
        fail_msg("%s %s %ux%u: %s", recipe->isa->name, recipe->op, recipe->width, recipe->unroll, err.text);
    return out;
}

/* Every operation in every ISA and type, at the corners of its surface: the proof holds, whatever this CPU can run. */
static void all_are_proven(void **state) {
    (void)state;
    unsigned count = 0;
    for (size_t i = 0; i < isa_vector_count; i++)
        for (size_t o = 0; o < arithmetic_count; o++) {
            enum kernel_kind kind;
            const struct isa *isa = &isa_table[i];
            const char *op = arithmetic_table[o].op;
            if (!assemble_knows(isa, op, &kind))
                continue;
            const bool shorter = strcmp(isa->name, "x87") == 0 && strcmp(op, "addmul") == 0;
            const unsigned letters = shorter ? 2 : (unsigned)strlen(arithmetic_table[o].assembled);
            assert_int_equal(kind, KERNEL_COMPUTE);
            unsigned most = assemble_width_max(isa, op);
            const unsigned registers = isa->vector_bytes == 64 ? 32 : isa->operands == ISA_STACK ? 8 : 16;
            assert_in_range(most, registers - 3, registers - 1);
            for (enum element_type type = TYPE_F64; type <= (strcmp(isa->name, "x87") ? TYPE_F32 : TYPE_F64); type++)
                for (unsigned unroll = 1; unroll <= 19; unroll += 9)
                    for (unsigned width = 1; width <= most; width += width < 4 ? 1 : most - 4) {
                        const struct recipe recipe = {isa, type, op, width, unroll, {0}};
                        struct assembled a = made(&recipe);
                        const struct uarch_mix *mix = &a.kernel.cost.mix;
                        unsigned operations = mix->add + mix->mul + mix->fma;
                        assert_in_range(operations, width * unroll, width * unroll + letters - 1);
                        assert_int_equal(operations % letters, 0);
                        assert_int_equal(a.kernel.cost.instructions, operations + 2);
                        assemble_free(&a);
                        count++;
                    }
        }
    assert_true(count > 500);
}

/* How often the bytes occur in the code. */
static unsigned occurs(const struct assembled *a, const void *bytes, size_t count) {
    unsigned found = 0;
    const unsigned char *at = a->pages.code, *end = a->pages.base + a->pages.bytes;
    while ((at = memmem(at, (size_t)(end - at), bytes, count)))
        at += count, found++;
    return found;
}

/* A fence is only where stores bypass the caches: it waits for them. */
static void memory_is_proven(void **state) {
    static const unsigned char SFENCE[] = {0x0f, 0xae, 0xf8};
    (void)state;
    for (size_t i = 0; i < isa_vector_count; i++)
        for (size_t o = 0; o < pattern_count; o++) {
            enum kernel_kind kind;
            if (!assemble_knows(&isa_table[i], pattern_table[o].op, &kind))
                continue;
            assert_int_equal(kind, KERNEL_MEMORY);
            for (unsigned unroll = 1; unroll <= 16; unroll *= 4)
                for (unsigned width = 1; width <= 8; width += 3) {
                    const struct recipe recipe = {&isa_table[i], TYPE_NONE, pattern_table[o].op, width, unroll, {0}};
                    if (!assemble_fits(&recipe))
                        continue;
                    struct assembled a = made(&recipe);
                    unsigned loads = pattern_table[o].loads, lines = width * unroll;
                    assert_int_equal(a.kernel.cost.load_bytes, loads * lines * LINE);
                    assert_true(a.kernel.block_bytes >= lines * LINE);
                    assert_int_equal(a.kernel.block_bytes % (lines * LINE), 0);
                    assert_int_equal(occurs(&a, SFENCE, sizeof SFENCE), pattern_table[o].nontemporal);
                    assemble_free(&a);
                }
        }
}

/* Every pattern, with and without several streams, near and beyond a block: each line once, the same bytes as without
 * streams. */
static void prefetches_are_proven(void **state) {
    (void)state;
    static const unsigned DISTANCES[] = {0, 64, 192, 512, 4096, 8192};
    for (size_t o = 0; o < pattern_count; o++)
        for (unsigned hint = PREFETCH_KEPT; hint < PREFETCH_HINTS && !pattern_table[o].scattered; hint++)
            for (size_t d = 0; d < sizeof DISTANCES / sizeof *DISTANCES; d++)
                for (unsigned width = 1; width <= 4; width += 3) {
                    struct recipe recipe = {isa_find("sse"), TYPE_NONE, pattern_table[o].op,
                                            width,           3,         {hint, DISTANCES[d]}};
                    struct assembled with = made(&recipe);
                    recipe.prefetch.hint = PREFETCH_NONE;
                    struct assembled without = made(&recipe);
                    const struct cost *a = &with.kernel.cost, *b = &without.kernel.cost;
                    assert_int_equal(a->instructions - b->instructions, with.kernel.block_bytes / LINE);
                    assert_int_equal(a->load_bytes, b->load_bytes);
                    assert_int_equal(a->store_bytes, b->store_bytes);
                    assert_memory_equal(&a->mix, &b->mix, sizeof a->mix);
                    assemble_free(&with);
                    assemble_free(&without);
                }
}

/* Copies contain the names of the assembled code. */
static void refused_as(const struct kernel *kernel, const char *why) {
    struct error err = {""};
    struct kernel named = *kernel;
    named.name = "a kernel", named.variant = "of these";
    assert_false(decode_verify(&named, &err));
    if (!strstr(err.text, why))
        fail_msg("%s", err.text);
}

/* A kernel must execute exactly its declared prefetches, else it is rejected. */
static void prefetches_are_as_declared(void **state) {
    (void)state;
    struct assembled a = made(&(struct recipe){isa_find("sse"), TYPE_NONE, "2ld1st", 2, 4, {PREFETCH_ONCE, 512}});
    assert_string_equal(a.variant, "2x4 nta+512");
    struct kernel declared = a.kernel;
    declared.prefetch.distance_bytes = 576;
    refused_as(&declared, "not 576 bytes ahead");
    declared.prefetch.distance_bytes = 448;
    refused_as(&declared, "not 448 bytes ahead");
    declared.prefetch = (struct prefetch){PREFETCH_KEPT, 512};
    refused_as(&declared, "does not declare");
    declared.prefetch.hint = PREFETCH_NONE;
    refused_as(&declared, "does not declare");
    declared = a.kernel;
    declared.stretch_bytes = 0;
    refused_as(&declared, "ahead of a line of its stream");
    assemble_free(&a);
    a = made(&(struct recipe){isa_find("sse"), TYPE_NONE, "load", 1, 8, {0}});
    declared = a.kernel;
    declared.prefetch = (struct prefetch){PREFETCH_KEPT, 512};
    refused_as(&declared, "prefetched lines per iteration: declared 8, executed 0");
    assemble_free(&a);
}

static void what_there_is_not(void **state) {
    (void)state;
    enum kernel_kind kind;
    assert_false(assemble_knows(isa_find("x87"), "fma", &kind));
    assert_false(assemble_knows(isa_find("avx"), "fma", &kind));
    assert_false(assemble_knows(isa_find("sse"), "chase", &kind));
    assert_false(assemble_knows(isa_find("scalar"), "ntstore", &kind));
    assert_true(assemble_knows(isa_find("sse"), "ntstore", &kind));
    assert_true(assemble_knows(isa_find("sse"), "fma", &kind));
    assert_false(assemble_fits(&(struct recipe){isa_find("scalar"), TYPE_NONE, "2ld1st", 8, 64, {0}}));
    assert_true(assemble_fits(&(struct recipe){isa_find("avx512"), TYPE_F64, "fma", 30, 19, {0}}));
}

/* An executable page is not writable, and vice versa. */
static void pages_never_are_both(void **state) {
    (void)state;
    struct assembled a = made(&(struct recipe){isa_find("sse"), TYPE_F64, "mul", 2, 2, {0}});
    FILE *maps = fopen("/proc/self/maps", "r");
    assert_non_null(maps);
    char line[512], rights[8];
    unsigned long low, high, at = (unsigned long)(uintptr_t)a.kernel.entry;
    bool found = false;
    while (fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx %7s", &low, &high, rights) == 3 && low <= at && at < high) {
            assert_memory_equal(rights, "r-x", 3);
            found = true;
        }
    fclose(maps);
    assert_true(found);
    assemble_free(&a);
    assert_null(a.pages.base);
}

/* Whole passes over a buffer between two forbidden pages: every line of a stored pattern changes, none outside. */
static void memory_stays_in_its_buffer(void **state) {
    (void)state;
    unsigned char *area =
        mmap(NULL, BUFFER_BYTES + 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(area != MAP_FAILED);
    unsigned char *buffer = area + PAGE;
    assert_int_equal(mprotect(area, PAGE, PROT_NONE) | mprotect(buffer + BUFFER_BYTES, PAGE, PROT_NONE), 0);
    for (size_t i = 0; i < isa_vector_count; i++)
        for (size_t o = 0; o < pattern_count; o++) {
            enum kernel_kind kind;
            if (!assemble_knows(&isa_table[i], pattern_table[o].op, &kind))
                continue;
            struct assembled a = made(&(struct recipe){&isa_table[i], TYPE_NONE, pattern_table[o].op, 3, 4, {0}});
            if (can_run(&a.kernel)) {
                uint64_t blocks = BUFFER_BYTES / a.kernel.block_bytes;
                memset(buffer, 0, BUFFER_BYTES);
                /* The last blocks end exactly where the buffer does. */
                unsigned char *start = buffer + BUFFER_BYTES - blocks * a.kernel.block_bytes;
                const struct kernel_call call = {.buffer = start, .blocks = blocks, .passes = 2};
                assert_ptr_equal(a.kernel.entry(&call), start);
                uint64_t changed = 0;
                for (size_t at = 0; at < BUFFER_BYTES; at += 8)
                    changed += memcmp(buffer + at, "\0\0\0\0\0\0\0", 8) != 0;
                assert_int_equal(changed * 8, blocks * a.kernel.cost.store_bytes);
            }
            assemble_free(&a);
        }
    munmap(area, BUFFER_BYTES + 2 * PAGE);
}

/* In a child, because it cannot be undone. */
static void where_memory_must_not_become_executable(void **state) {
    (void)state;
    enum { REFUSE_EXEC_GAIN = 1, CANNOT = 3 };
    const int set_mdwe = 65; /* PR_SET_MDWE, since Linux 6.3 */
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct assembled a;
        struct error err = {""};
        if (prctl(set_mdwe, REFUSE_EXEC_GAIN, 0, 0, 0) != 0)
            _exit(CANNOT);
        bool made_it = assemble_kernel(&(struct recipe){isa_find("sse"), TYPE_F64, "mul", 2, 2, {0}}, &a, &err);
        _exit(made_it || strstr(err.text, "executable") == NULL || strstr(err.text, "MemoryDenyWriteExecute") == NULL ||
              a.pages.base != NULL);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == CANNOT)
        skip();
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void nothing_to_do(void **state) {
    (void)state;
    struct assembled a = made(&(struct recipe){isa_find("sse"), TYPE_NONE, "store", 1, 1, {0}});
    assert_null(a.kernel.entry(&(struct kernel_call){.buffer = NULL, .blocks = 0, .passes = 1}));
    assert_null(a.kernel.entry(&(struct kernel_call){.buffer = NULL, .blocks = 1, .passes = 0}));
    assemble_free(&a);
}

/* Half a million visits, also odd numbers per iteration, raise no flag except inexact. */
static void numbers_stay_normal(void **state) {
    (void)state;
    for (size_t i = 0; i < isa_vector_count; i++)
        for (size_t o = 0; o < arithmetic_count; o++)
            for (enum element_type type = TYPE_F64; type <= TYPE_F32; type++)
                for (unsigned unroll = 1; unroll <= 2; unroll++) {
                    enum kernel_kind kind;
                    const struct isa *isa = &isa_table[i];
                    bool x87 = strcmp(isa->name, "x87") == 0;
                    if (!assemble_knows(isa, arithmetic_table[o].op, &kind) || (x87 && type == TYPE_F32))
                        continue;
                    unsigned most = assemble_width_max(isa, arithmetic_table[o].op);
                    struct assembled a = made(&(struct recipe){isa, type, arithmetic_table[o].op, most, unroll, {0}});
                    if (can_run(&a.kernel)) {
                        unsigned saved = _mm_getcsr();
                        uint16_t x87_status;
                        _mm_setcsr(saved & ~(unsigned)MXCSR_FLAGS);
                        a.kernel.entry(&(struct kernel_call){.blocks = 500000, .passes = 1});
                        unsigned raised = _mm_getcsr() & MXCSR_HARMFUL;
                        __asm__ volatile("fnstsw %0" : "=a"(x87_status));
                        _mm_setcsr(saved);
                        if (raised != 0 || (x87_status & MXCSR_HARMFUL) != 0)
                            fail_msg("%s %s: flags %#x, x87 %#x", a.name, a.variant, raised, x87_status);
                        assert_int_equal(x87_status >> 11 & 7, 0); /* the stack is unchanged */
                    }
                    assemble_free(&a);
                }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prefetches_are_proven), cmocka_unit_test(prefetches_are_as_declared),
        cmocka_unit_test(all_are_proven),        cmocka_unit_test(memory_is_proven),
        cmocka_unit_test(what_there_is_not),     cmocka_unit_test(pages_never_are_both),
        cmocka_unit_test(nothing_to_do),         cmocka_unit_test(memory_stays_in_its_buffer),
        cmocka_unit_test(numbers_stay_normal),   cmocka_unit_test(where_memory_must_not_become_executable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
