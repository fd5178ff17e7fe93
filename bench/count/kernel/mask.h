/* SPDX-License-Identifier: BSD-3-Clause
 * The program's signal mask. Writes to code that is watched come as SIGSEGV, and the kernel kills a thread that has it
 * blocked: so the kernel's mask is the program's without it, and whether the program's has it is kept here. */
#ifndef BENCH_COUNT_MASK_H
#define BENCH_COUNT_MASK_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "bench/count/code/context.h"

/* The thread begins: its mask is its creator's, or for the first one (NULL) what the kernel says. */
void mask_begin(struct context *context, const struct context *creator);

/* The program's mask, from the kernel's; and the other way round, from now on. */
uint64_t mask_of_program(const struct context *context, uint64_t mask);
uint64_t mask_for_kernel(struct context *context, uint64_t mask);

/* Does what the program's rt_sigprocmask asks for; gives the result that it sees. */
long mask_change(struct context *context, const struct registers *call);

/* The kernel's mask is the program's as long as another program is being executed, which inherits it. */
void mask_hand_over(const struct context *context);
void mask_take_back(const struct context *context);

/* Somebody sent the SIGSEGV that has interrupted, and the program has it blocked: lets it wait in the kernel. */
void mask_postpone(siginfo_t *info, uint64_t *interrupted_mask);

#endif
