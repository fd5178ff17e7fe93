/* SPDX-License-Identifier: BSD-3-Clause
 * Single instructions of the architecture that C cannot express, inlined. Each architecture has a header in its own
 * folder; only this file chooses the folder. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "isa.h"

/* ARCH_NAME           "x86-64", as people write it
 * ARCH_ELF_MACHINE    e_machine of its programs (elf.h)
 * ARCH_COUNTER        its counter of time, as people name it
 * ARCH_CACHES         the source of cpu_caches(); ARCH_CACHES_KEY in files
 * ARCH_LAST_CHAIN     what the last of the clock's chains does (probe/clock_chains.h)
 * ARCH_MARK(number)   marks the place with a constant: an instruction without effect that tools recognise (SSC marks)
 * ARCH_MARK_TEXT(number, text)   the same, with a text
 * ARCH_PERSONALITY(function)     in a function: sets the hidden function that the unwinder calls for its frames */

/* The CPU's own counter of time, ordered against earlier and later instructions. */
static inline uint64_t arch_tick(void);

/* For loops that wait. */
static inline void arch_pause(void);

/* `count` instructions without effect, in steps of 8. */
static inline void arch_noops(uint64_t count);

/* Evicts the cache line from all caches with the best instruction that these features (enum cpu_feature) allow. The
 * eviction is complete, and all earlier stores are visible, after arch_fence(). */
static inline void arch_flush_line(const volatile void *line, cpu_features features);
static inline void arch_fence(void);

/* Floating-point exceptions of this thread: clears them; whether one was raised, other than for inexact results.
 * Denormal operands count. */
static inline void arch_exceptions_clear(void);
static inline bool arch_exceptions_harmful(void);

/* The address at which a signal interrupted the program, from its handler's ucontext_t. */
static inline uint64_t arch_interrupted_at(const void *context);

#if defined __x86_64__
#include "x86/arch.h"
#elif defined __aarch64__
#include "aarch64/arch.h"
#else
#error "no architecture but x86-64 and AArch64 yet: docs/ARCHITECTURE.md lists what another one needs"
#endif
