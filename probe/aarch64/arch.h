/* SPDX-License-Identifier: BSD-3-Clause
 * Single instructions of AArch64 (see probe/arch.h, which includes this). */
#pragma once

#include <elf.h>
#include <stdbool.h>
#include <ucontext.h>

#include "probe/isa.h"

#define ARCH_NAME        "AArch64"
#define ARCH_ELF_MACHINE EM_AARCH64
#define ARCH_COUNTER     "system counter"
#define ARCH_CACHES      "the product's documents"
#define ARCH_CACHES_KEY  "documents"
#define ARCH_LAST_CHAIN  "selects"

/* A hint that no core knows does nothing; the constant lies before it in w9. */
#define ARCH_MARK(number) __asm__ volatile("mov w9, %w0\n\thint #0x60" ::"r"(number) : "x9", "memory")

/* The same with a text in x10. */
#define ARCH_MARK_TEXT(number, text)                                                                                   \
    __asm__ volatile("mov w9, %w0\n\tmov x10, %1\n\thint #0x60" ::"r"(number), "r"(text) : "x9", "x10", "memory")

#define ARCH_PERSONALITY(function) __asm__ volatile(".cfi_personality 0x1b, " #function) /* relative, 4 bytes */

/* The virtual counter, of 1 GHz since Armv8.6, of 24 to 100 MHz on older cores (Arm Architecture Reference Manual,
 * CNTFRQ_EL0). Instruction barriers order it: neither the read nor what follows runs ahead. They do not wait for data:
 * the data barrier completes earlier loads, as LFENCE does; kernels that stream end by one for stores, as x86's by
 * SFENCE. The self-synchronised counter of newer cores replaces the first instruction barrier alone. */
static inline uint64_t arch_tick(void) {
    uint64_t count;
    __asm__ volatile("dsb ishld\n\tisb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(count) : : "memory");
    return count;
}

static inline void arch_pause(void) {
    __asm__ volatile("isb" ::: "memory"); /* yield does nothing on most cores */
}

static inline void arch_noops(uint64_t count) {
    for (; count >= 8; count -= 8)
        __asm__ volatile("nop; nop; nop; nop; nop; nop; nop; nop");
}

static inline void arch_flush_line(const volatile void *line, cpu_features features) {
    (void)features;
    __asm__ volatile("dc civac, %0" ::"r"(line) : "memory");
}

static inline void arch_fence(void) {
    __asm__ volatile("dsb ish" ::: "memory");
}

/* Flags of FPSR: invalid, divide by zero, overflow, underflow, denormal input; the second mask adds inexact. A denormal
 * operand is flagged only where it is flushed to zero: with full denormals they cost nothing on Arm's cores. */
enum { ARCH_FPSR_HARMFUL = 0x8f, ARCH_FPSR_FLAGS = 0x9f };

static inline void arch_exceptions_clear(void) {
    uint64_t flags;
    __asm__ volatile("mrs %0, fpsr" : "=r"(flags));
    __asm__ volatile("msr fpsr, %0" ::"r"(flags & ~(uint64_t)ARCH_FPSR_FLAGS));
}

static inline bool arch_exceptions_harmful(void) {
    uint64_t flags;
    __asm__ volatile("mrs %0, fpsr" : "=r"(flags));
    return flags & ARCH_FPSR_HARMFUL;
}

static inline uint64_t arch_interrupted_at(const void *context) {
    return ((const ucontext_t *)context)->uc_mcontext.pc;
}
