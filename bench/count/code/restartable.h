/* SPDX-License-Identifier: BSD-3-Clause
 * Restartable sequences (rseq): the kernel aborts a thread that it interrupts between two addresses, which a descriptor
 * in the thread's memory names. The copy of such a sequence lies in one piece and has a descriptor of its own, with the
 * addresses of the copy, which is put in place of the program's right before. */
#ifndef BENCH_COUNT_RESTARTABLE_H
#define BENCH_COUNT_RESTARTABLE_H

#include <ucontext.h>

#include "context.h"
#include "decode.h"
#include "links.h"

struct restartable {
    uint64_t start, end, abort; /* addresses in the program: its first instruction, behind its last, where to go on */
};

/* The first thread, which libc has registered already; and what a thread registers by its system call. */
void restartable_begin(struct context *context);
void restartable_register(struct context *context, const struct registers *call);

/* Keeps in mind the sequence whose descriptor an instruction takes the address of, if it does. */
void restartable_look_for(const struct instruction *instruction);

/* The sequence that starts at an address; NULL: none is known. */
const struct restartable *restartable_at(uint64_t address);

/* Its copy. Ends the program where it has instructions that cannot be aborted anywhere. */
uint64_t restartable_translate(const struct restartable *restartable, struct code_arena *arena, uint32_t object);

/* The kernel has aborted a copy: says by the context's `passing` where the program goes on, and with which registers.
 */
void restartable_abort(struct context *context, const struct exit *exit);

/* The same for a thread that a signal has interrupted. */
void restartable_restore(struct context *context, greg_t *registers);

#endif
