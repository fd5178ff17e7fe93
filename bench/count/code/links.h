/* SPDX-License-Identifier: BSD-3-Clause
 * Exits from the cache, and links from one copy to the next. Everything that changes them is called under the lock. */
#pragma once

#include "cache.h"

/* Why the cache is left, in this order: the block has no copy yet; its copy must not be entered any more; an indirect
 * branch has not led to the same target twice yet; a system call; a mark of a region; the kernel has aborted a
 * restartable sequence. */
enum exit_kind { EXIT_LINK, EXIT_LEFT, EXIT_GUESS, EXIT_SYSTEM_CALL, EXIT_MARK, EXIT_ABORT };

/* An exit from the cache. Small, because a fork copies all that were written. */
struct exit {
    enum exit_kind kind;
    union {
        uint32_t mark; /* EXIT_MARK: the mark */
        uint32_t left; /* EXIT_LEFT: index of the block; EXIT_GUESS: number of targets so far */
    };
    union {
        uint64_t target; /* EXIT_LINK, EXIT_LEFT, EXIT_ABORT: address of the target block in the program; EXIT_GUESS:
                            the last target. The next exit is the link to the expected one */
        uint64_t next;   /* EXIT_SYSTEM_CALL: the address in the program after the call */
    };
    union {
        uint8_t *branch;    /* EXIT_LINK: the 32-bit distance of its branch; NULL: the block has replaced it */
        uint64_t *expected; /* EXIT_GUESS: see emit_guess() */
        uint64_t resume;    /* EXIT_SYSTEM_CALL, EXIT_MARK: where to continue in the cache; system call: at the call */
    };
    union {
        uint64_t *slot; /* EXIT_LINK: the branch jumps through this address if the distance does not reach; EXIT_GUESS:
                           the jump for unexpected targets does */
        uint64_t child; /* EXIT_SYSTEM_CALL: where a thread created by it starts; 0: none was yet */
    };
};

/* Reserves address space. Call once, before all others. */
void links_prepare(void);

/* From now on several threads execute the cache: executable code is changed only by single stores. */
void links_share(void);

/* Where the copy of a block begins that this exit reaches first (NULL: no exit). If the code before it is the last in
 * the arena, the copy follows directly, without a jump, so that code executed in sequence is contiguous. One store can
 * replace the begin by a jump (gone.c). */
uint8_t *link_begin_code(struct code_arena *arena, struct exit *from);

/* Emits a jump (`condition` < 0) or a conditional branch to the block at `target` in the program, as an exit that is
 * linked once that block has a copy. `own`: the block in the making, to which a loop leads back. */
void link_emit(struct code_arena *arena, int condition, uint64_t target, const struct block *own);

/* Emits an indirect branch that expects the first target that it reaches twice in a row. Other targets are looked
 * up. */
void link_emit_guess(struct code_arena *arena);

/* The current target of such a branch; its copy; where other targets are looked up. */
void link_guess(struct exit *guess, uint64_t target, uint64_t code, uint64_t others);

/* No branch expects a target in [low, high) any more. */
void link_forget_guesses(uint64_t low, uint64_t high);

/* Makes the branch of the exit lead to this address in the cache. */
void link_set(struct exit *exit, uint64_t code);

/* A new exit, and its number. */
struct exit *exit_new(enum exit_kind kind, uint32_t *number);

/* The exit of this number; the number of the next new exit. */
struct exit *exit_get(uint64_t number);
uint32_t exit_next(void);

/* Whether the address is in the stub of an exit. `target`: the exit's target in the program; for an indirect branch,
 * `indirect`. */
bool exit_at_stub(uint64_t code, uint64_t indirect, uint64_t *target);

/* Emits the stub of an exit, which leaves by it, and returns its address. */
uint8_t *link_emit_stub(struct code_arena *arena, struct exit *exit, uint32_t number);

/* The stub of an exit. */
uint64_t exit_stub(const struct exit *exit);
