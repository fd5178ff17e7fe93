/* SPDX-License-Identifier: BSD-3-Clause
 * The program's signal mask. Writes to watched code arrive as SIGSEGV, and the kernel kills a thread that blocks it. So
 * the kernel's mask never blocks SIGSEGV; the counter stores whether the program's mask does. */
#pragma once

#include <signal.h>
#include <stdint.h>

#include "bench/count/code/context.h"

/* The thread begins with its creator's mask; the first one (NULL): with the kernel's. */
void mask_begin(struct context *context, const struct context *creator);

/* The program's mask, from the kernel's; and from now on, the kernel's from the program's. */
uint64_t mask_of_program(const struct context *context, uint64_t mask);
uint64_t mask_for_kernel(struct context *context, uint64_t mask);

/* Makes the program's rt_sigprocmask; returns the result for the program. */
long mask_change(struct context *context, const struct registers *call);

/* Until mask_take_back(), the kernel's mask is the program's: an executed program inherits it. */
void mask_hand_over(const struct context *context);
void mask_take_back(const struct context *context);

/* The interrupting SIGSEGV was sent, and the program blocks it: leaves it pending in the kernel. */
void mask_postpone(siginfo_t *info, uint64_t *interrupted_mask);

/* While the program's handler runs on the alternate stack, the dispatcher blocks all signals before it leaves that
 * stack: the kernel would take the stack for unused, and put the next signal's frame over that of the handler. Call on
 * entering the dispatcher: the program's mask is set on the way back. */
void mask_on_alternate_stack(struct context *context);
