/* SPDX-License-Identifier: BSD-3-Clause
 * Single instructions of x86-64 (see probe/arch.h, which includes this). */
#pragma once

#include <stdbool.h>
#include <elf.h>
#include <emmintrin.h>
#include <ucontext.h>

#include "probe/isa.h"

#define ARCH_NAME        "x86-64"
#define ARCH_ELF_MACHINE EM_X86_64
#define ARCH_COUNTER     "TSC"
#define ARCH_CACHES      "CPUID"
#define ARCH_CACHES_KEY  "cpuid"
#define ARCH_LAST_CHAIN  "multiplies"

/* An SSC mark, as recognised by Intel SDE and others: `mov $number, %ebx` and the bytes 64 67 90. */
#define ARCH_MARK(number) __asm__ volatile("movl %0, %%ebx\n\t.byte 0x64, 0x67, 0x90" ::"i"(number) : "ebx", "memory")

/* The same with a text in rdi. */
#define ARCH_MARK_TEXT(number, text)                                                                                   \
    __asm__ volatile("movl %0, %%ebx\n\t.byte 0x64, 0x67, 0x90" ::"i"(number), "D"(text) : "ebx", "memory")

#define ARCH_PERSONALITY(function) __asm__ volatile(".cfi_personality 0x1b, " #function) /* relative, 4 bytes */

static inline uint64_t arch_tick(void) {
    uint32_t low, high;
    __asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
    return (uint64_t)high << 32 | low;
}

static inline void arch_pause(void) {
    __builtin_ia32_pause();
}

static inline void arch_noops(uint64_t count) {
    for (; count >= 8; count -= 8)
        __asm__ volatile("nop; nop; nop; nop; nop; nop; nop; nop");
}

static inline void arch_flush_line(const volatile void *line, cpu_features features) {
    const volatile char *first = line;
    if (features & CPU_CLFLUSHOPT)
        __asm__ volatile(
            ".byte 0x66\n\tclflush %0" ::"m"(*first)); /* clflushopt, which does not wait for earlier ones */
    else
        __asm__ volatile("clflush %0" ::"m"(*first));
}

static inline void arch_fence(void) {
    __asm__ volatile("mfence" ::: "memory");
}

/* Flags of MXCSR: invalid, denormal, zero divide, overflow, underflow; the second mask adds inexact. */
enum { ARCH_MXCSR_HARMFUL = 0x1f, ARCH_MXCSR_FLAGS = 0x3f };

static inline void arch_exceptions_clear(void) {
    _mm_setcsr(_mm_getcsr() & ~(unsigned)ARCH_MXCSR_FLAGS);
}

static inline bool arch_exceptions_harmful(void) {
    return _mm_getcsr() & ARCH_MXCSR_HARMFUL;
}

static inline uint64_t arch_interrupted_at(const void *context) {
    return (uint64_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
}
