/* SPDX-License-Identifier: BSD-3-Clause
 * What C has no word for, and what has to stand where it is used instead of behind a call: single instructions of the
 * architecture, in a header of its folder. This is the one place that chooses the folder. */
#ifndef PROBE_ARCH_H
#define PROBE_ARCH_H

#include <stdbool.h>
#include <stdint.h>

/* ARCH_NAME           "x86-64", as people write it
 * ARCH_ELF_MACHINE    e_machine of its programs (elf.h)
 * ARCH_MARK(number)   a constant, as an instruction without an effect that tools look for (SSC marks)
 * ARCH_MARK_TEXT(number, text)   the same, with a text that belongs to it
 * ARCH_PERSONALITY(function)     in a function: what the unwinder of exceptions calls for its frames, a hidden function
 */

/* The CPU's own counter of time, ordered against earlier and later instructions. */
static inline uint64_t arch_tick(void);

/* In a loop that waits. */
static inline void arch_pause(void);

/* Puts the line out of all caches, the way that is best with these features (enum cpu_feature). It is out, and all that
 * was stored is seen, after arch_fence(). */
static inline void arch_flush_line(const volatile void *line, uint32_t features);
static inline void arch_fence(void);

/* Floating-point exceptions of this thread: forget those that were raised; whether one was but for inexact results,
 * denormal operands included. */
static inline void arch_exceptions_clear(void);
static inline bool arch_exceptions_harmful(void);

/* Where a signal interrupted the program, from its handler's ucontext_t. */
static inline uint64_t arch_interrupted_at(const void *context);

#if defined __x86_64__
#include "x86/arch.h"
#else
#error "no architecture but x86-64 yet: docs/ARCHITECTURE.md says what another one has to bring"
#endif

#endif
