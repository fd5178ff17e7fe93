/* SPDX-License-Identifier: BSD-3-Clause
 * Every kernel: its cost and name, and its effects on memory, floating-point state and caller. test_kernel_code proves
 * the cost from the machine code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <sys/mman.h>

#include "asm/arithmetic.h"
#include "asm/kernel.h"
#include "asm/pattern.h"
#include "carm/model/applicable_roofs.h"
#include "probe/arch.h"
#include "probe/cpu.h"

enum { PAGE = 4096, LINE = 64, AREA = 32 * PAGE };

static bool executable(const struct kernel *kernel) {
    struct cpu_identity cpu;
    cpu_identify(&cpu);
    bool refused = (kernel->needs & CPU_AMX_TILE) != 0 && cpu_tiles_refusal() != NULL;
    return (kernel->needs & ~cpu.features) == 0 && !refused;
}

/* An ISA of this architecture has kernels. */
static bool is_built(const struct isa *isa) {
    for (size_t k = 0; k < kernel_count; k++)
        if (kernel_table[k]->isa == isa)
            return true;
    return false;
}

static bool is_x86(void) {
    return is_built(isa_find("sse"));
}

static const struct kernel *variant(const char *name, const char *wanted) {
    size_t count = 0;
    const struct kernel *const *kernels = kernel_find(name, &count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(kernels[i]->variant, wanted) == 0)
            return kernels[i];
    fail_msg("there is no %s %s", name, wanted);
    return NULL;
}

struct known_cost {
    const char *name, *variant;
    unsigned flop, load_bytes, store_bytes, instructions;
};

static void check_costs(const struct known_cost *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct cost *cost = &variant(rows[i].name, rows[i].variant)->cost;
        if (cost->flop != rows[i].flop || cost->load_bytes != rows[i].load_bytes ||
            cost->store_bytes != rows[i].store_bytes || cost->instructions != rows[i].instructions)
            fail_msg("%s %s: %u flop, %u + %u bytes, %u instructions", rows[i].name, rows[i].variant, cost->flop,
                     cost->load_bytes, cost->store_bytes, cost->instructions);
    }
}

/* Derived by hand from the names. */
static void known_costs_are_exact(void **state) {
    (void)state;
    static const struct known_cost X86[] = {
        {"avx512.f64.fma", "12x2", 2 * 8 * 24, 0, 0, 24 + 2},
        {"avx512.f32.fma", "12x2", 2 * 16 * 24, 0, 0, 24 + 2},
        {"avx2.f64.fmaadd", "8+4x4", (2 * 8 + 4) * 4 * 4, 0, 0, 48 + 2},
        {"avx2.f64.fmaadd", "6+6x4", (2 * 6 + 6) * 4 * 4, 0, 0, 48 + 2},
        {"avx2.f64.fmaadd", "8+6x6.ffaa", (2 * 48 + 48) * 4, 0, 0, 96 + 2},
        {"avx2.f64.fmaadd", "10+0x4", (2 * 20 + 20) * 4, 0, 0, 40 + 2},
        {"avx.f32.addmul", "6+6x4", 8 * 48, 0, 0, 48 + 2},
        {"avx.f32.addmul", "0+10x4.maam", 8 * 40, 0, 0, 40 + 2},
        {"sse.f64.addmul", "0+10x4", 2 * 40, 0, 0, 40 + 20 + 2}, /* legacy code copies first */
        {"sse.f64.add2mul", "8+4x2", 2 * 24, 0, 0, 24 + 2},
        {"scalar.f32.fma", "12x2", 2 * 24, 0, 0, 24 + 2},
        {"x87.f64.add", "6x4", 24, 0, 0, 24 + 2},
        {"x87.f64.div", "6x4", 24, 0, 0, 24 + 2},
        {"x87.f64.sqrt", "6x4", 24, 0, 0, 3 * 24 + 2},
        {"scalar.f32.div", "12x2", 24, 0, 0, 24 + 2},
        {"sse.f64.sqrt", "12x2", 2 * 24, 0, 0, 24 + 2},
        {"avx.f32.sqrt", "12x2", 8 * 24, 0, 0, 24 + 2},
        {"avx512.f16.add", "12x2", 32 * 24, 0, 0, 24 + 2},
        {"avx512.f16.fma", "12x2", 2 * 32 * 24, 0, 0, 24 + 2},
        {"avx512.f16.div", "12x2", 32 * 24, 0, 0, 24 + 2},
        {"avx512.bf16.dot", "12x2", (2 + 2) * 16 * 24, 0, 0, 24 + 2},
        {"avx512.i8.dot", "12x2", (4 + 4) * 16 * 24, 0, 0, 24 + 2},
        {"avx2.i8.dot", "12x2", (4 + 4) * 8 * 24, 0, 0, 24 + 2},
        {"amx.bf16.dot", "4x4", 2 * 16 * 16 * 32 * 16, 0, 0, 16 + 2},
        {"amx.i8.dot", "4x4", 2 * 16 * 16 * 64 * 16, 0, 0, 16 + 2},
        {"amx.f16.dot", "4x4", 2 * 16 * 16 * 32 * 16, 0, 0, 16 + 2},
        {"avx2.i8.dotss", "12x2", (4 + 4) * 8 * 24, 0, 0, 24 + 2},
        {"avx2.i8.dotuu", "8x4", (4 + 4) * 8 * 32, 0, 0, 32 + 2},
        {"avx2.i16.dotus", "12x2", (2 + 2) * 8 * 24, 0, 0, 24 + 2},
        {"avx512.i16.dotss", "28x2", (2 + 2) * 16 * 56, 0, 0, 56 + 2},
        {"avx2.i8.add", "12x4", 32 * 48, 0, 0, 48 + 2},
        {"sse.i16.mul", "12x4", 8 * 48, 0, 0, 48 + 2},
        {"avx512.i64.mul", "12x4", 8 * 48, 0, 0, 48 + 2},
        {"avx512.i32.shift", "16x2", 16 * 32, 0, 0, 32 + 2},
        {"avx512.i8.cmpeq", "12x4", 64 * 48, 0, 0, 48 + 2}, /* into masks */
        {"avx2.i64.cmpgt", "12x4", 4 * 48, 0, 0, 48 + 2},
        {"scalar.i64.mul", "6x16", 96, 0, 0, 96 + 2},
        {"scalar.i8.cmp", "7x16", 112, 0, 0, 112 + 2},
        {"scalar.i8.load", "8", 0, 8 * 64, 0, 512 + 3},
        {"scalar.i32.store", "16", 0, 0, 16 * 64, 256 + 3},
        {"avx512.load", "16", 0, 16 * 64, 0, 16 + 3},
        {"avx2.load", "16", 0, 16 * 64, 0, 32 + 3},
        {"sse.2ld1st", "16", 0, 2 * 16 * 64, 16 * 64, 3 * 16 * 4 + 3},
        {"avx512.axpy", "32", 0, 2 * 32 * 64, 32 * 64, 3 * 32 + 3},
        {"x87.load", "16", 0, 16 * 64, 0, 2 * 16 * 8 + 3},
        {"scalar.ntstore", "16", 0, 0, 16 * 64, 16 * 8 + 3},
        {"avx512.f64.1fma16ld", "64", 2 * 8 * 4, 64 * 64, 0, 4 + 64 + 3},
        {"avx2.f64.3fma1x2ld1st", "64", 2 * 4 * 3 * 64, 2 * 64 * 32, 64 * 32, (3 + 3) * 64 + 3},
        {"avx512.f64.6fma1x2ld1st", "4.m", 2 * 8 * 24, 8 * 64, 4 * 64, 24 + 12 + 3},
        {"avx512.f64.256fma1ld", "3", 2 * 8 * 768, 3 * 64, 0, 768 + 3 + 3},
        {"avx.f32.768addmul1x2ld1st", "1", 8 * 768, 2 * 32, 32, 768 + 3 + 3},
        {"avx512.random", "4", 0, 4 * 64, 0, 4 * 6 + 2},
        {"chase", "8", 0, 8 * 8, 0, 8 + 2},
        {"chase2", "1", 0, 8 * 8, 0, 8 + 2},
        {"chase12", "1", 0, (8 + 2 * 4) * 8, 4 * 8, 8 + 3 * 4 + 2}, /* the last four wait in memory */
        {"avx512.ntzero", "32", 0, 0, 32 * 64, 32 + 3},
        {"avx2.demote", "32", 0, 0, 32 * 64, 3 * 32 + 3},
        {"clzero", "1", 0, 0, 64, 1 + 3},
    };
    static const struct known_cost AARCH64[] = {
        {"neon.f64.fma", "12x2", 2 * 2 * 24, 0, 0, 24 + 2},
        {"neon.f32.fma", "12x2", 2 * 4 * 24, 0, 0, 24 + 2},
        {"neon.f16.add", "12x2", 8 * 24, 0, 0, 24 + 2},
        {"neon.f64.fmaadd", "8+4x4", (2 * 8 + 4) * 4 * 2, 0, 0, 48 + 2},
        {"neon.bf16.dot", "12x2", (2 + 2) * 4 * 24, 0, 0, 24 + 2},
        {"neon.bf16.mmla", "12x2", 4 * (4 + 4) * 24, 0, 0, 24 + 2}, /* two by two sums of four products */
        {"neon.i8.dot", "12x2", (4 + 4) * 4 * 24, 0, 0, 24 + 2},
        {"neon.i8.mmla", "12x2", 4 * (8 + 8) * 24, 0, 0, 24 + 2},
        {"sve256.f64.fma", "12x2", 2 * 4 * 24, 0, 0, 24 + 2},
        {"sve2048.f32.fma", "28x2", 2 * 64 * 56, 0, 0, 56 + 2},
        {"sve512.i16.dotss", "12x2", (4 + 4) * 8 * 24, 0, 0, 24 + 2},
        {"sve256.i8.mmla", "12x2", 2 * 4 * (8 + 8) * 24, 0, 0, 24 + 2},
        {"sve1024.i8.cmpgt", "12x4", 128 * 48, 0, 0, 48 + 2},
        {"sme128.f64.mopa", "8x4", 2 * 2 * 2 * 32, 0, 0, 32 + 2},
        {"sme512.f32.mopa", "4x8", 2 * 16 * 16 * 32, 0, 0, 32 + 2},
        {"sme512.bf16.mopa", "4x8", 2 * 2 * 16 * 16 * 32, 0, 0, 32 + 2},
        {"sme2048.f16.mopa", "4x16", 2 * 2 * 64 * 64 * 64, 0, 0, 64 + 2},
        {"sme512.i8.mopa", "4x8", 2 * 4 * 16 * 16 * 32, 0, 0, 32 + 2},
        {"sme256.i16.mopauu", "8x4", 2 * 4 * 4 * 4 * 32, 0, 0, 32 + 2},
        {"scalar.f32.fma", "12x2", 2 * 24, 0, 0, 24 + 2},
        {"scalar.i64.mul", "6x16", 96, 0, 0, 96 + 2},
        {"scalar.i8.load", "8", 0, 8 * 64, 0, 512 + 3},
        {"neon.load", "16", 0, 16 * 64, 0, 64 + 3},
        /* Offsets of pairs reach 1 KiB: each further one takes an addition. */
        {"neon.load", "64.p", 0, 64 * 64, 0, 128 + 3 + 3},
        {"neon.2ld1st", "16.p", 0, 2 * 16 * 64, 16 * 64, 3 * 32 + 2 + 3},
        {"neon.2ld1st", "32", 0, 2 * 32 * 64, 32 * 64, 3 * 32 * 4 + 4},
        {"neon.ntstore", "64", 0, 0, 64 * 64, 128 + 3 + 3},
        {"neon.ntzero", "32", 0, 0, 32 * 64, 64 + 1 + 3},
        {"scalar.ntstore", "16", 0, 0, 16 * 64, 64 + 1 + 3},
        {"sve256.ntstore", "16", 0, 0, 16 * 64, 32 + 3 + 3}, /* eight vectors */
        {"sve128.load", "128", 0, 128 * 64, 0, 512 + 1 + 3}, /* 256 vectors */
        {"sve2048.load", "64", 0, 64 * 64, 0, 16 + 3},
        {"sve2048.f32.3fma32x2ld1st", "32", 2 * 64 * 3, 2 * 32 * 256, 32 * 256, 3 + 96 + 3},
        {"neon.random", "4", 0, 4 * 64, 0, 4 * 7 + 2},
        {"sve256.random", "4", 0, 4 * 64, 0, 4 * 5 + 2},
        {"sve2048.random", "4", 0, 4 * 64, 0, 4 * 4 + 2}, /* of a vector, the line */
        {"chase", "8", 0, 8 * 8, 0, 8 + 2},
        {"chase12", "1", 0, 12 * 8, 0, 12 + 2},
        {"chase16", "1", 0, (12 + 2 * 4) * 8, 4 * 8, 12 + 3 * 4 + 2}, /* the last four wait in memory */
        {"dczva", "1", 0, 0, 64, 1 + 3},
    };
    if (is_x86())
        check_costs(X86, sizeof X86 / sizeof *X86);
    else
        check_costs(AARCH64, sizeof AARCH64 / sizeof *AARCH64);
}

/* "1fma16ld" has one FMA per sixteen loads, "24addmul1x2ld1st" twelve adds and twelve multiplications per store. */
static void names_of_mixed_kernels_tell_the_ratio(void **state) {
    (void)state;
    for (size_t i = 0; i < kernel_count; i++) {
        const struct kernel *kernel = kernel_table[i];
        if (kernel->kind != KERNEL_MIXED)
            continue;
        const struct uarch_mix *mix = &kernel->cost.mix;
        unsigned m = 0, n = 0;
        bool fused = strstr(kernel->op, "fma") != NULL, stores = strstr(kernel->op, "x2ld1st") != NULL;
        assert_int_equal(sscanf(kernel->op, fused ? "%ufma%u" : "%uaddmul%u", &m, &n), 2);
        unsigned groups = stores ? mix->store : mix->load;
        if ((mix->add + mix->mul + mix->fma) * n != groups * m || mix->add != mix->mul || (mix->fma > 0) != fused ||
            (stores && mix->load != 2 * mix->store))
            fail_msg("%s %s: %u add, %u mul, %u fma, %u loads, %u stores", kernel->name, kernel->variant, mix->add,
                     mix->mul, mix->fma, mix->load, mix->store);
    }
}

static unsigned data_bytes(const struct kernel *kernel) {
    return kernel->cost.mix.vector_bytes;
}

/* From 1/64 to 64 flop per byte in steps of two, each with blocks that fit the smallest buffers, and bodies that fit an
 * L1 instruction cache. */
static void mixed_kernels_cover_all_intensities(void **state) {
    (void)state;
    enum { STEPS = 13, BODY_MAX = 1600, BLOCK_MAX = 12288 };
    for (size_t i = 0; i < isa_vector_count; i++)
        for (enum element_type type = TYPE_F64; is_built(&isa_table[i]) && type <= TYPE_F32; type++)
            for (int stores = 0; stores < 2; stores++)
                for (int step = 0; step < STEPS; step++) {
                    double wanted = (double)(1 << step) / 64;
                    size_t found = 0;
                    for (size_t k = 0; k < kernel_count; k++) {
                        const struct kernel *kernel = kernel_table[k];
                        const struct cost *cost = &kernel->cost;
                        if (kernel->kind != KERNEL_MIXED || kernel->isa != &isa_table[i] || kernel->type != type ||
                            (cost->store_bytes > 0) != stores)
                            continue;
                        found += cost->flop == wanted * (cost->load_bytes + cost->store_bytes);
                        if (cost->instructions > BODY_MAX ||
                            kernel->block_bytes > (data_bytes(kernel) > 128 ? 2 * BLOCK_MAX : BLOCK_MAX))
                            fail_msg("%s %s: %u instructions, %u bytes", kernel->name, kernel->variant,
                                     cost->instructions, kernel->block_bytes);
                    }
                    if (found == 0 && (type == TYPE_F64 || strcmp(isa_table[i].name, "x87") != 0))
                        fail_msg("%s %d%s: nothing of %g flop per byte", isa_table[i].name, type,
                                 stores ? " 2ld1st" : "", wanted);
                }
}

/* As few sums as two units of four cycles keep busy, or as a group per cycle needs beside stores; ".a": at least
 * twelve, on AArch64 eighteen, for units that take longer. */
static void mixed_kernels_have_as_many_sums_as_needed(void **state) {
    (void)state;
    static const struct {
        const char *name, *variant;
        unsigned sums;
    } rows[] = {
        {"avx2.f64.3fma4x2ld1st", "64", 3},      {"avx2.f32.3fma2x2ld1st", "32", 6},
        {"avx2.f64.3fma1x2ld1st", "8.m", 8},     {"avx2.f64.48fma1x2ld1st", "8", 8},
        {"avx2.f64.1fma16ld", "128", 8},         {"avx2.f64.48fma1x2ld1st", "8.a", 12},
        {"avx512.f64.6fma1x2ld1st", "16.a", 12}, {"avx.f64.24addmul1x2ld1st", "8", 12},
        {"sse.f64.24addmul1x2ld1st", "8", 12},   {"neon.f64.3fma4x2ld1st", "64", 3},
        {"neon.f64.48fma1x2ld1st", "8.a", 24},   {"sve2048.f64.3fma4x2ld1st", "16", 3},
        {"sve256.f64.3fma1x2ld1st", "8.m", 8},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char isa[16];
        snprintf(isa, sizeof isa, "%.*s", (int)strcspn(rows[i].name, "."), rows[i].name);
        if (!is_built(isa_find(isa)))
            continue;
        const unsigned sums = variant(rows[i].name, rows[i].variant)->accumulators;
        if (sums != rows[i].sums)
            fail_msg("%s %s has %u sums", rows[i].name, rows[i].variant, sums);
    }
}

/* ".m": blocks of four lines of each stream at most, the lines of a group side by side. */
static void short_blocks_have_their_lines_side_by_side(void **state) {
    (void)state;
    size_t found = 0;
    for (size_t i = 0; i < kernel_count; i++) {
        const struct kernel *kernel = kernel_table[i];
        const struct uarch_mix *mix = &kernel->cost.mix;
        if (kernel->kind != KERNEL_MIXED || strchr(kernel->variant, 'm') == NULL)
            continue;
        found++;
        assert_true(kernel->stretch_bytes <= (data_bytes(kernel) > LINE ? data_bytes(kernel) : LINE));
        assert_true(kernel->block_bytes <= 4 * 3 * LINE);
        assert_true(mix->load == 2 * mix->store && kernel->unroll == mix->store);
    }
    assert_true(found > 20);
}

/* Code with several streams has stretches that prefetchers can follow. Of vectors that are longer than two lines, a
 * stretch of eight is the shortest. */
static void several_streams_come_in_short_stretches_too(void **state) {
    (void)state;
    for (size_t i = 0; i < kernel_count; i++) {
        const struct kernel *kernel = kernel_table[i];
        size_t count;
        const struct kernel *const *variants = kernel_find(kernel->name, &count);
        unsigned least = kernel->stretch_bytes;
        for (size_t v = 0; v < count; v++)
            least = variants[v]->stretch_bytes < least ? variants[v]->stretch_bytes : least;
        assert_true(kernel->block_bytes == 0 || kernel->stretch_bytes <= kernel->block_bytes / 2);
        if (least > (data_bytes(kernel) > 2 * LINE ? 8u : 2u) * LINE && kernel->cost.instructions < 200)
            fail_msg("%s: stretches of %u bytes at least", kernel->name, least);
    }
}

static void names_are_unique_and_well_formed(void **state) {
    (void)state;
    static const char *const types[] = {"", ".f64", ".f32", ".f16", ".bf16", ".i8", ".i16", ".i32", ".i64"};
    for (size_t i = 0; i < kernel_count; i++) {
        const struct kernel *kernel = kernel_table[i];
        char name[128];
        snprintf(name, sizeof name, "%s%s%s%s", kernel->isa != NULL ? kernel->isa->name : "", types[kernel->type],
                 kernel->isa != NULL ? "." : "", kernel->op);
        assert_string_equal(name, kernel->name);
        assert_int_equal(strspn(kernel->op, "abcdefghijklmnopqrstuvwxyz0123456789"), strlen(kernel->op));
        assert_int_equal(strspn(kernel->variant, "0123456789+x.amnfp"), strlen(kernel->variant));
        if (kernel->isa != NULL)
            assert_int_equal(kernel->needs & kernel->isa->needs, kernel->isa->needs);
        for (size_t j = 0; j < i; j++)
            assert_false(strcmp(kernel_table[j]->name, kernel->name) == 0 &&
                         strcmp(kernel_table[j]->variant, kernel->variant) == 0);
        size_t count = 0;
        const struct kernel *const *first = kernel_find(kernel->name, &count);
        assert_true(first <= &kernel_table[i] && &kernel_table[i] < first + count);
    }
    assert_null(kernel_find("avx512.f64", NULL));
    assert_null(kernel_find("", NULL));
}

static void every_isa_has_its_kernels(void **state) {
    (void)state;
    static const char *const fused[] = {"f64.16fma1ld", "f32.1fma16ld", "f64.3fma16x2ld1st", NULL};
    static const char *const unfused[] = {"f64.16addmul1ld", "f64.1addmul8ld", "f64.3addmul1x2ld1st", NULL};
    for (size_t i = 0; i < isa_vector_count; i++) {
        const char *isa = isa_table[i].name;
        if (!is_built(&isa_table[i]))
            continue;
        const bool fma = isa_table[i].fma, both = is_x86() && isa_table[i].vector_bytes <= 16; /* FMA3 is extra */
        const char *const *const lists[] = {fma ? fused : NULL, !fma || both ? unfused : NULL};
        for (size_t a = 0; a < arithmetic_count; a++) {
            const enum arithmetic_sort sort = arithmetic_table[a].sort;
            char name[64];
            snprintf(name, sizeof name, "%s.f64.%s", isa, arithmetic_table[a].op);
            if ((kernel_find(name, NULL) != NULL) != (sort == PLAIN || (sort == FUSED && fma)))
                fail_msg("%s: there is none, or there should be none", name);
        }
        for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
            for (const char *const *op = lists[l]; op != NULL && *op != NULL; op++) {
                char name[64];
                snprintf(name, sizeof name, "%s.%s", isa, *op);
                if (kernel_find(name, NULL) == NULL)
                    fail_msg("there is no %s", name);
            }
    }
}

/* A row of pattern_table is a kernel in every ISA, and verdicts know its requests. */
static void every_pattern_has_its_kernels(void **state) {
    (void)state;
    for (size_t i = 0; i < pattern_count; i++) {
        const struct pattern *pattern = &pattern_table[i];
        const struct sample sample = {.kind = SAMPLE_BANDWIDTH};
        const double lines = pattern->loads + pattern->stores, used = pattern->scattered ? 0 : 1 / lines;
        struct roof roof = {.sample = &sample};
        snprintf(roof.op, sizeof roof.op, "%s", pattern->op);
        const struct pattern_share share = pattern_share(&roof);
        if (share.load != pattern->loads * used || share.store != pattern->stores * used ||
            share.read != pattern_reads(pattern) * used || share.written != share.store)
            fail_msg("verdicts take %s for something else", pattern->op);
        for (size_t k = 0; k < isa_vector_count; k++) {
            const bool x87 = isa_table[k].operands == ISA_STACK;
            char name[64];
            snprintf(name, sizeof name, "%s%s%s", pattern->isas == PATTERN_NO_ISA ? "" : isa_table[k].name,
                     pattern->isas == PATTERN_NO_ISA ? "" : ".", pattern->op);
            if (is_built(&isa_table[k]) && kernel_find(name, NULL) == NULL &&
                !(x87 && (pattern->nontemporal || pattern->scattered)))
                fail_msg("there is no %s", name);
        }
    }
}

/* The traffic between caches and memory, derived by hand for each way to store. */
static void patterns_move_what_their_stores_need(void **state) {
    (void)state;
    static const struct {
        const char *op, *ratio;
        unsigned reads;
    } rows[] = {{"load", "loads", 1},
                {"store", "stores", 1},
                {"ntstore", "stores", 0},
                {"update", "1 load : 1 store", 1},
                {"2ld1st", "2 loads : 1 store", 3},
                {"axpy", "2 loads : 1 store", 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct pattern *pattern = pattern_find(rows[i].op);
        char ratio[PATTERN_RATIO_BYTES];
        assert_string_equal(pattern_ratio(pattern, ratio), rows[i].ratio);
        assert_int_equal(pattern_reads(pattern), rows[i].reads);
    }
    assert_null(pattern_find("1ld"));
}

/* Narrow types exist where the hardware has them, and need the hardware's feature: f16 of AVX-512, NEON and SVE has
 * everything that f64 has, the others only dot products. */
static void narrow_types_need_their_features(void **state) {
    (void)state;
    static const struct {
        const char *isa, *type;
        cpu_features needs;
        const char *op; /* NULL: all that f64 has */
    } rows[] = {
        {"avx512", "f16", CPU_AVX512 | CPU_AVX512_FP16, NULL},
        {"avx512", "bf16", CPU_AVX512 | CPU_AVX512_BF16, "dot"},
        {"avx512", "i8", CPU_AVX512 | CPU_AVX512_VNNI, "dot"},
        {"avx512", "i16", CPU_AVX512 | CPU_AVX512_VNNI, "dotss"},
        {"avx2", "i8", CPU_AVX2 | CPU_FMA3 | CPU_AVX_VNNI, "dot"},
        {"avx2", "i8", CPU_AVX2 | CPU_FMA3 | CPU_AVX_VNNI_INT8, "dotss"},
        {"avx2", "i8", CPU_AVX2 | CPU_FMA3 | CPU_AVX_VNNI_INT8, "dotuu"},
        {"avx2", "i16", CPU_AVX2 | CPU_FMA3 | CPU_AVX_VNNI, "dotss"},
        {"avx2", "i16", CPU_AVX2 | CPU_FMA3 | CPU_AVX_VNNI_INT16, "dotus"},
        {"avx2", "i16", CPU_AVX2 | CPU_FMA3 | CPU_AVX_VNNI_INT16, "dotuu"},
        {"amx", "f16", CPU_AMX_TILE | CPU_AMX_FP16, "dot"},
        {"amx", "bf16", CPU_AMX_TILE | CPU_AMX_BF16, "dot"},
        {"amx", "i8", CPU_AMX_TILE | CPU_AMX_INT8, "dot"},
        {"neon", "f16", CPU_ASIMD | CPU_ASIMD_HP, NULL},
        {"neon", "bf16", CPU_ASIMD | CPU_BF16, "dot"},
        {"neon", "bf16", CPU_ASIMD | CPU_BF16, "mmla"},
        {"neon", "i8", CPU_ASIMD | CPU_ASIMD_DP, "dot"},
        {"neon", "i8", CPU_ASIMD | CPU_ASIMD_DP, "dotuu"},
        {"neon", "i8", CPU_ASIMD | CPU_I8MM, "dotus"},
        {"neon", "i8", CPU_ASIMD | CPU_I8MM, "mmla"},
#define SVE(isa, length)                                                                                               \
    {isa, "f16", length, NULL}, {isa, "bf16", length | CPU_SVE_BF16, "dot"},                                           \
        {isa, "bf16", length | CPU_SVE_BF16, "mmla"}, {isa, "i8", length, "dot"}, {isa, "i8", length, "dotuu"},        \
        {isa, "i8", length | CPU_SVE_I8MM, "dotus"}, {isa, "i8", length | CPU_SVE_I8MM, "mmla"},                       \
        {isa, "i16", length, "dotss"}, {isa, "i16", length, "dotuu"}
        SVE("sve128", CPU_SVE128),
        SVE("sve256", CPU_SVE256),
        SVE("sve512", CPU_SVE512),
        SVE("sve1024", CPU_SVE1024),
        SVE("sve2048", CPU_SVE2048),
#define SME(isa, length)                                                                                               \
    {isa, "f16", length | CPU_SME_F16F32, "mopa"}, {isa, "bf16", length | CPU_SME_B16F32, "mopa"},                     \
        {isa, "i8", length | CPU_SME_I8I32, "mopa"}, {isa, "i8", length | CPU_SME_I8I32, "mopauu"},                    \
        {isa, "i16", length | CPU_SME_I16I64, "mopa"}, {isa, "i16", length | CPU_SME_I16I64, "mopauu"}
        SME("sme128", CPU_SME128),
        SME("sme256", CPU_SME256),
        SME("sme512", CPU_SME512),
        SME("sme1024", CPU_SME1024),
        SME("sme2048", CPU_SME2048),
    };
    size_t found = 0, narrow = 0;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (size_t a = 0; a < arithmetic_count && is_built(isa_find(rows[r].isa)); a++) {
            const enum arithmetic_sort sort = arithmetic_table[a].sort;
            const bool wanted =
                rows[r].op ? strcmp(arithmetic_table[a].op, rows[r].op) == 0 : sort == PLAIN || sort == FUSED;
            char name[64];
            size_t variants = 0;
            snprintf(name, sizeof name, "%s.%s.%s", rows[r].isa, rows[r].type, arithmetic_table[a].op);
            const struct kernel *const *kernels = kernel_find(name, &variants);
            if (wanted && kernels == NULL)
                fail_msg("there is no %s", name);
            for (size_t v = 0; wanted && v < variants; v++) {
                assert_int_equal(kernels[v]->needs, rows[r].needs);
                found++;
            }
        }
    for (size_t i = 0; i < kernel_count; i++)
        narrow += kernel_table[i]->kind == KERNEL_COMPUTE && kernel_table[i]->type > TYPE_F32 &&
                  (!element_table[kernel_table[i]->type].integer || kernel_table[i]->cost.mix.dot > 0);
    assert_int_equal(found, narrow); /* there are no others */
    for (enum element_type type = TYPE_F64; type < TYPE_COUNT; type++)
        assert_int_equal(element_find(element_table[type].name), type);
    assert_int_equal(element_find("f8"), TYPE_NONE);
}

/* The operations of each ISA on integers of 8, 16, 32 and 64 bits: without an instruction there is no kernel. SSE4.1
 * brought the product of 32 bits and the equality comparison of 64, SSE4.2 the greater-than comparison of 64. */
static void integers_stand_where_there_are_instructions(void **state) {
    (void)state;
    static const char *const OPS[] = {"add", "mul", "shift", "cmpeq", "cmpgt", "cmp", "fma", "div", "addmul", "load"};
    static const struct {
        const char *of, *isa, *has[4]; /* letters: the first of the name; q(uite equal), g(reater) */
    } rows[] = {
        {"sse", "x87", {"", "", "", ""}},
        {"sse", "scalar", {"a-s--c---l", "ams--c---l", "ams--c---l", "ams--c---l"}},
        {"sse", "sse", {"a--qg-----", "amsqg-----", "amsqg-----", "a-sqg-----"}},
        {"sse", "avx", {"", "", "", ""}},
        {"sse", "avx2", {"a--qg-----", "amsqg-----", "amsqg-----", "a-sqg-----"}},
        {"sse", "avx512", {"a--qg-----", "amsqg-----", "amsqg-----", "amsqg-----"}},
        {"sse", "amx", {"", "", "", ""}},
        {"neon", "scalar", {"---------l", "---------l", "ams--c---l", "ams--c---l"}},
        {"neon", "neon", {"amsqg-----", "amsqg-----", "amsqg-----", "a-sqg-----"}},
        {"neon", "sve128", {"amsqg-----", "amsqg-----", "amsqg-----", "amsqg-----"}},
        {"neon", "sve2048", {"amsqg-----", "amsqg-----", "amsqg-----", "amsqg-----"}},
    };
    static const uint32_t SSE4[] = {CPU_SSE2, CPU_SSE2 | CPU_SSE4_1, CPU_SSE2 | CPU_SSE4_2};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned size = 0; size < 4 && is_built(isa_find(rows[i].of)); size++)
            for (size_t o = 0; o < sizeof OPS / sizeof *OPS; o++) {
                char name[64];
                const enum element_type type = TYPE_I8 + size;
                snprintf(name, sizeof name, "%s.%s.%s", rows[i].isa, element_table[type].name, OPS[o]);
                const struct kernel *const *kernel = kernel_find(name, NULL);
                const bool wanted = rows[i].has[size][0] != '\0' && rows[i].has[size][o] != '-';
                if ((kernel != NULL) != wanted)
                    fail_msg("there is %s %s", wanted ? "no" : "a", name);
                assert_true(kernel == NULL || ((*kernel)->cost.mix.integer && element_table[type].integer));
                const size_t level = size == 2 && o == 1 ? 1 : size == 3 && (o == 3 || o == 4) ? o - 2 : 0;
                if (kernel != NULL && strcmp(rows[i].isa, "sse") == 0)
                    assert_int_equal((*kernel)->needs, SSE4[level]);
            }
}

static void check_exceptions(const struct kernel *kernel) {
    if (arch_exceptions_harmful())
        fail_msg("%s %s raises a floating-point exception", kernel->name, kernel->variant);
}

/* An area between two inaccessible pages. */
static char *area;

static int area_make(void **state) {
    (void)state;
    char *map = mmap(NULL, AREA + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED)
        return -1;
    area = map + PAGE;
    return mprotect(area, AREA, PROT_READ | PROT_WRITE);
}

static int area_free(void **state) {
    (void)state;
    return munmap(area - PAGE, AREA + 2 * PAGE);
}

/* Normal as f64 and as two f32, and different from every value that a kernel stores. */
static void area_fill(void) {
    uint32_t words[] = {0x3f123457, 0x3ff12345};
    for (size_t i = 0; i < AREA; i += sizeof words)
        memcpy(area + i, words, sizeof words);
}

/* How many of the area's 4-byte words between the offsets have changed, in bytes. */
static size_t area_changed_bytes(size_t from, size_t to) {
    size_t changed = 0;
    for (size_t i = from; i < to; i += 4) {
        uint32_t word, filled = i % 8 == 0 ? 0x3f123457 : 0x3ff12345;
        memcpy(&word, area + i, sizeof word);
        changed += word != filled ? sizeof word : 0;
    }
    return changed;
}

static void check_run(const struct kernel *kernel, size_t blocks, size_t offset) {
    size_t bytes = blocks * kernel->block_bytes;
    struct kernel_call call = {.buffer = area + offset, .blocks = blocks, .passes = 2};
    area_fill();
    arch_exceptions_clear();
    void *end = kernel->entry(&call);
    check_exceptions(kernel);
    assert_ptr_equal(end, call.buffer);
    size_t inside = area_changed_bytes(offset, offset + bytes);
    if (inside != blocks * kernel->cost.store_bytes)
        fail_msg("%s %s changed %zu bytes in %zu blocks", kernel->name, kernel->variant, inside, blocks);
    if (area_changed_bytes(0, offset) + area_changed_bytes(offset + bytes, AREA) != 0)
        fail_msg("%s %s changed memory outside its blocks", kernel->name, kernel->variant);
}

/* At the front and at the back of the area, where reading one byte too far faults. */
static void kernels_stay_in_their_blocks(void **state) {
    (void)state;
    for (size_t i = 0; i < kernel_count; i++) {
        const struct kernel *kernel = kernel_table[i];
        if (!executable(kernel) || kernel->kind == KERNEL_CHASE || kernel->kind == KERNEL_RANDOM)
            continue;
        check_run(kernel, 1, 0);
        check_run(kernel, 3, 0);
        check_run(kernel, 3, AREA - 3 * (size_t)kernel->block_bytes);
    }
}

/* Under qemu, where most builds for AArch64 are tested, instructions take a hundred times as long. */
static void numbers_stay_normal(void **state) {
    (void)state;
    const uint64_t instructions = is_x86() ? 2000000 : 50000;
    for (size_t i = 0; i < kernel_count; i++) {
        const struct kernel *kernel = kernel_table[i];
        if (!executable(kernel) || kernel->cost.flop == 0 || kernel->cost.mix.outer) /* which raise no flags */
            continue;
        area_fill();
        arch_exceptions_clear();
        kernel->entry(
            &(struct kernel_call){.buffer = area, .blocks = 2, .passes = instructions / kernel->cost.instructions});
        check_exceptions(kernel);
    }
}

static void nothing_to_do_does_nothing(void **state) {
    (void)state;
    for (size_t i = 0; i < kernel_count; i++) {
        if (!executable(kernel_table[i]))
            continue;
        area_fill();
        assert_ptr_equal(area, kernel_table[i]->entry(&(struct kernel_call){.buffer = area, .passes = 1}));
        assert_ptr_equal(area, kernel_table[i]->entry(&(struct kernel_call){.buffer = area, .blocks = 1}));
        assert_int_equal(area_changed_bytes(0, AREA), 0);
    }
}

static void chase_returns_where_it_stopped(void **state) {
    (void)state;
    const struct kernel *kernel = *kernel_find("chase", NULL);
    enum { LINES = 61 };
    for (size_t i = 0; i < LINES; i++) {
        void *next = area + (i + 7) % LINES * LINE;
        memcpy(area + i * LINE, &next, sizeof next);
    }
    void *at = area;
    size_t hops = 0;
    for (uint64_t blocks = 1; blocks < 9; blocks++) {
        struct kernel_call call = {.buffer = at, .blocks = blocks, .passes = 3};
        at = kernel->entry(&call);
        hops += 3 * blocks * kernel->cost.mix.load;
        assert_ptr_equal(at, area + hops * 7 % LINES * LINE);
    }
}

/* Each chain goes on by itself, and all stop where the array says. */
static void several_chases_return_where_they_stopped(void **state) {
    (void)state;
    enum { LINES = 61 };
    void *heads[PATTERN_MOST_CHASES];
    for (size_t i = 0; i < LINES; i++) {
        void *next = area + (i + 7) % LINES * LINE;
        memcpy(area + i * LINE, &next, sizeof next);
    }
    for (size_t c = 1; pattern_chases[c]; c++) {
        const unsigned chains = pattern_chases[c];
        char name[16];
        snprintf(name, sizeof name, "chase%u", chains);
        const struct kernel *kernel = *kernel_find(name, NULL);
        assert_int_equal(kernel_hops(kernel) % chains, 0);
        for (unsigned i = 0; i < chains; i++)
            heads[i] = area + i * LINE;
        assert_ptr_equal(kernel->entry(&(struct kernel_call){.buffer = heads, .blocks = 5, .passes = 2}), heads);
        for (unsigned i = 0; i < chains; i++)
            assert_ptr_equal(heads[i], area + (i + 10 * kernel_hops(kernel) / chains * 7) % LINES * LINE);
    }
}

static bool stores_zeros(const struct kernel *kernel) {
    for (const struct store_way *way = store_ways; way->op; way++)
        if (strcmp(way->op, kernel->op) == 0)
            return way->zeros;
    return false;
}

/* Some cores store zeros with half of the traffic: no other kernel may do so. */
static void only_zero_stores_store_zeros(void **state) {
    (void)state;
    static const unsigned char zeros[LINE];
    unsigned found = 0;
    for (size_t i = 0; i < kernel_count; i++) {
        const struct kernel *kernel = kernel_table[i];
        if (!executable(kernel) || kernel->cost.store_bytes == 0 || kernel->kind == KERNEL_CHASE)
            continue;
        area_fill();
        kernel->entry(&(struct kernel_call){.buffer = area, .blocks = 1, .passes = 1});
        unsigned zero_lines = 0;
        for (size_t at = 0; at < kernel->block_bytes; at += LINE)
            zero_lines += memcmp(area + at, zeros, LINE) == 0;
        if ((zero_lines > 0) != stores_zeros(kernel))
            fail_msg("%s %s stored %u lines of zeros", kernel->name, kernel->variant, zero_lines);
        found += zero_lines > 0;
    }
    assert_true(found > 0);
}

static void random_stays_inside(void **state) {
    (void)state;
    static const size_t lines[] = {1, 2, 3, 61, AREA / LINE};
    for (size_t i = 0; i < kernel_count; i++) {
        const struct kernel *kernel = kernel_table[i];
        if (kernel->kind != KERNEL_RANDOM || !executable(kernel))
            continue;
        for (size_t l = 0; l < sizeof lines / sizeof *lines; l++)
            for (uint64_t seed = 0; seed < 64; seed++) {
                bool front = seed % 2 == 0;
                struct kernel_call call = {.buffer = front ? area : area + AREA - lines[l] * LINE,
                                           .blocks = 100,
                                           .passes = 2,
                                           .lines = lines[l],
                                           .seed = seed * 0x9e3779b97f4a7c15};
                arch_exceptions_clear();
                assert_ptr_equal(kernel->entry(&call), call.buffer);
                check_exceptions(kernel);
            }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_costs_are_exact),
        cmocka_unit_test(names_of_mixed_kernels_tell_the_ratio),
        cmocka_unit_test(mixed_kernels_cover_all_intensities),
        cmocka_unit_test(mixed_kernels_have_as_many_sums_as_needed),
        cmocka_unit_test(short_blocks_have_their_lines_side_by_side),
        cmocka_unit_test(several_streams_come_in_short_stretches_too),
        cmocka_unit_test(names_are_unique_and_well_formed),
        cmocka_unit_test(every_isa_has_its_kernels),
        cmocka_unit_test(every_pattern_has_its_kernels),
        cmocka_unit_test(patterns_move_what_their_stores_need),
        cmocka_unit_test(narrow_types_need_their_features),
        cmocka_unit_test(integers_stand_where_there_are_instructions),
        cmocka_unit_test_setup_teardown(kernels_stay_in_their_blocks, area_make, area_free),
        cmocka_unit_test_setup_teardown(numbers_stay_normal, area_make, area_free),
        cmocka_unit_test_setup_teardown(nothing_to_do_does_nothing, area_make, area_free),
        cmocka_unit_test_setup_teardown(chase_returns_where_it_stopped, area_make, area_free),
        cmocka_unit_test_setup_teardown(several_chases_return_where_they_stopped, area_make, area_free),
        cmocka_unit_test_setup_teardown(only_zero_stores_store_zeros, area_make, area_free),
        cmocka_unit_test_setup_teardown(random_stays_inside, area_make, area_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
