/* SPDX-License-Identifier: BSD-3-Clause */
#include "counter.h"

#include <cpuid.h>

#include "bench/count/base/fail.h"

static uint64_t mask; /* for xsave: all state that the CPU saves, except the kernel's protection keys */

void vector_state_prepare(void) {
    enum { XSAVE_LEAF = 0xd };
    const uint64_t PROTECTION_KEYS = 1ull << 9;
    uint32_t eax, ebx, ecx, edx;
    __cpuid_count(XSAVE_LEAF, 0, eax, ebx, ecx, edx);
    if (ebx > CONTEXT_STATE_BYTES)
        fail_program("the CPU's vector state is larger than the counter supports", 0);
    __asm__("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
    mask = ((uint64_t)edx << 32 | eax) & ~PROTECTION_KEYS;
}

void vector_state_save(struct context *context) {
    __asm__ volatile("xsave64 %0" ::"m"(context->state), "a"((uint32_t)mask), "d"((uint32_t)(mask >> 32)) : "memory");
}

void vector_state_restore(struct context *context) {
    __asm__ volatile("xrstor64 %0" ::"m"(context->state), "a"((uint32_t)mask), "d"((uint32_t)(mask >> 32)) : "memory");
}

void vector_state_clear(struct context *context) {
    enum { MXCSR_AT = 24, MXCSR = 0x1f80, HEADER_AT = 512, HEADER_BYTES = 64 };
    const uint32_t mxcsr = MXCSR;
    __builtin_memset(context->state + HEADER_AT, 0, HEADER_BYTES); /* none saved: all are initial */
    __builtin_memcpy(context->state + MXCSR_AT, &mxcsr, sizeof mxcsr);
    vector_state_restore(context);
}
