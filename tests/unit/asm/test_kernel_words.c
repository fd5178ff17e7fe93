/* SPDX-License-Identifier: BSD-3-Clause
 * The machine code of every kernel of AArch64; descriptors that are wrong in one way, which the verification must name;
 * denormal operands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "asm/decode.h"
#include "asm/kernel.h"
#include "probe/arch.h"
#include "probe/cpu.h"
#include "probe/error.h"

static void verify_accepts_every_kernel(void **state) {
    (void)state;
    struct error err;
    for (size_t i = 0; i < kernel_count; i++)
        if (!decode_verify(kernel_table[i], &err))
            fail_msg("%s", err.text);
    assert_true(kernel_count > 4000);
}

static const struct kernel *first(const char *name) {
    const struct kernel *const *found = kernel_find(name, NULL);
    if (!found)
        fail_msg("there is no %s", name);
    return *found;
}

static void check_refusal(const struct kernel *kernel, const char *message) {
    struct error err = {""};
    if (decode_verify(kernel, &err))
        fail_msg("%s is accepted without \"%s\"", kernel->name, message);
    if (!strstr(err.text, message) || !strstr(err.text, kernel->name))
        fail_msg("%s: \"%s\" instead of \"%s\"", kernel->name, err.text, message);
}

/* One more of each number, by its place in the descriptor. */
static void wrong_numbers_are_found(void **state) {
    (void)state;
    static const struct {
        const char *kernel;
        size_t at;
        const char *message;
    } rows[] = {
        {"neon.f64.fma", offsetof(struct kernel, cost.flop), "flop per iteration"},
        {"sve256.f32.fma", offsetof(struct kernel, cost.flop), "flop per iteration"},
        {"neon.bf16.mmla", offsetof(struct kernel, cost.flop), "flop per iteration"},
        {"sme512.f32.mopa", offsetof(struct kernel, cost.flop), "flop per iteration"},
        {"sme128.i8.mopa", offsetof(struct kernel, cost.mix.dot), "dot per iteration"},
        {"neon.load", offsetof(struct kernel, cost.load_bytes), "load_bytes per iteration"},
        {"sve2048.random", offsetof(struct kernel, cost.load_bytes), "load_bytes per iteration"},
        {"neon.ntstore", offsetof(struct kernel, cost.store_bytes), "store_bytes per iteration"},
        {"dczva", offsetof(struct kernel, cost.store_bytes), "store_bytes per iteration"},
        {"scalar.i64.add", offsetof(struct kernel, cost.instructions), "instructions per iteration"},
        {"neon.f64.div", offsetof(struct kernel, cost.mix.div), "div per iteration"},
        {"sve512.f64.sqrt", offsetof(struct kernel, cost.mix.sqrt), "sqrt per iteration"},
        {"neon.i8.dot", offsetof(struct kernel, cost.mix.dot), "dot per iteration"},
        {"sve128.i16.shift", offsetof(struct kernel, cost.mix.shift), "shift per iteration"},
        {"scalar.i32.cmp", offsetof(struct kernel, cost.mix.compare), "compare per iteration"},
        {"sve1024.i64.cmpgt", offsetof(struct kernel, cost.mix.greater), "greater per iteration"},
        {"sve512.2ld1st", offsetof(struct kernel, cost.mix.load), "load per iteration"},
        {"sve256.ntstore", offsetof(struct kernel, block_bytes), "block_bytes"},
        {"neon.axpy", offsetof(struct kernel, block_bytes), "block_bytes"},
        {"chase12", offsetof(struct kernel, block_bytes), "block_bytes"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct kernel wrong = *first(rows[i].kernel);
        uint32_t number;
        memcpy(&number, (char *)&wrong + rows[i].at, sizeof number);
        number++;
        memcpy((char *)&wrong + rows[i].at, &number, sizeof number);
        check_refusal(&wrong, rows[i].message);
    }
}

/* The function of another kernel. */
static void wrong_code_is_found(void **state) {
    (void)state;
    static const struct {
        const char *kernel, *other, *message;
    } rows[] = {
        {"neon.f64.fma", "neon.f32.fma", "not of the kernel's type"},
        {"neon.f32.add", "neon.i32.add", "not of the kernel's type"},
        {"neon.i8.dot", "neon.bf16.dot", "not of the kernel's type"},
        {"neon.f64.fma", "scalar.f64.fma", "works on 8 bytes, the kernel on 16"},
        {"sve256.f64.fma", "neon.f64.fma", "works on 16 bytes, the kernel on 32"},
        {"scalar.i64.load", "scalar.i32.load", "works on 4 bytes, the kernel on 8"},
        {"neon.f64.add", "neon.f64.mul", "add per iteration"},
        {"neon.i8.dot", "neon.i8.mmla", "needs i8mm, which the kernel does not declare"},
        {"neon.f64.fma", "sve128.f64.fma", "needs sve, which the kernel does not declare"},
        {"sme512.f64.mopa", "sme512.f32.mopa", "not of the kernel's type"},
        {"sme512.i8.mopauu", "neon.i8.dot", "works on 16 bytes, the kernel on 64"},
        {"sve512.bf16.dot", "sme512.bf16.mopa", "needs smeb16f32, which the kernel does not declare"},
        {"neon.load", "chase", "works on 8 bytes, the kernel on 16"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct kernel wrong = *first(rows[i].kernel);
        wrong.entry = first(rows[i].other)->entry;
        check_refusal(&wrong, rows[i].message);
    }
}

/* Each feature beside those of the instruction set: without it the descriptor is wrong. */
static void missing_features_are_found(void **state) {
    (void)state;
    size_t tried = 0;
    for (size_t i = 0; i < kernel_count; i++) {
        struct kernel wrong = *kernel_table[i];
        const cpu_features beside = wrong.isa ? wrong.needs & ~(wrong.isa->needs | CPU_ASIMD) : 0;
        for (cpu_features bit = 1; bit != 0; bit <<= 1)
            if (beside & bit) {
                wrong.needs = kernel_table[i]->needs & ~bit;
                check_refusal(&wrong, "which the kernel does not declare");
                tried++;
            }
    }
    assert_true(tried > 100);
}

/* A core raises a flag for denormal operands only where it takes them as zeros. */
static void operands_are_normal(void **state) {
    (void)state;
    enum { FLUSH = 1 << 24 | 1 << 19, AREA = 1 << 16 }; /* FZ and FZ16 of FPCR */
    struct cpu_identity cpu;
    uint64_t usual;
    char *const area = aligned_alloc(4096, AREA);
    assert_non_null(area);
    memset(area, 0, AREA);
    cpu_identify(&cpu);
    __asm__ volatile("mrs %0, fpcr" : "=r"(usual));
    for (size_t i = 0; i < kernel_count; i++) {
        const struct kernel *kernel = kernel_table[i];
        if ((kernel->needs & ~cpu.features) != 0 || kernel->cost.flop == 0 || kernel->cost.mix.outer ||
            2 * kernel->block_bytes > AREA)
            continue;
        arch_exceptions_clear();
        __asm__ volatile("msr fpcr, %0" ::"r"(usual | FLUSH));
        kernel->entry(&(struct kernel_call){.buffer = area, .blocks = 2, .passes = 20000 / kernel->cost.instructions});
        __asm__ volatile("msr fpcr, %0" ::"r"(usual));
        if (arch_exceptions_harmful())
            fail_msg("%s %s has a denormal operand", kernel->name, kernel->variant);
    }
    free(area);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verify_accepts_every_kernel), cmocka_unit_test(wrong_numbers_are_found),
        cmocka_unit_test(wrong_code_is_found),         cmocka_unit_test(missing_features_are_found),
        cmocka_unit_test(operands_are_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
