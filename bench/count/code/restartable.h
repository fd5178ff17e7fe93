/* SPDX-License-Identifier: BSD-3-Clause
 * Restartable sequences (rseq): the kernel aborts a thread that it interrupts between two addresses, given by a
 * descriptor in the thread's memory. The copy of such a sequence is contiguous and has its own descriptor with the
 * copy's addresses, which replaces the program's just before the sequence. */
#pragma once

#include <ucontext.h>

#include "context.h"
#include "decode.h"
#include "links.h"

struct restartable {
    uint64_t start, end, abort; /* addresses in the program: first instruction, end, abort handler */
};

/* For the first thread, which libc has already registered. restartable_register(): a thread's system call that
 * registers. */
void restartable_begin(struct context *context);
void restartable_register(struct context *context, const struct registers *call);

/* Remembers the sequence if the instruction loads the address of its descriptor. */
void restartable_look_for(const struct instruction *instruction);

/* The sequence that starts at an address; NULL: none. */
const struct restartable *restartable_at(uint64_t address);

/* Makes its copy. Ends the program if an instruction cannot be aborted everywhere. */
uint64_t restartable_translate(const struct restartable *restartable, struct code_arena *arena, uint32_t object);

/* The kernel has aborted a copy: sets in the context's `passing` where the program continues, and its registers. */
void restartable_abort(struct context *context, const struct exit *exit);

/* The same for a thread that a signal has interrupted. */
void restartable_restore(struct context *context, greg_t *registers);
