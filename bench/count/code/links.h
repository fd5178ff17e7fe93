/* SPDX-License-Identifier: BSD-3-Clause
 * Ways out of the cache, and how one copy leads to the next. All that changes them is called under the lock. */
#ifndef BENCH_COUNT_LINKS_H
#define BENCH_COUNT_LINKS_H

#include "cache.h"

/* Why the cache is left: for a block that has no copy yet, or whose copy is not entered any more, by an indirect branch
 * that has not led twice to the same target yet, for a system call, at a mark of a region, since the kernel has aborted
 * a restartable sequence. */
enum exit_kind { EXIT_LINK, EXIT_LEFT, EXIT_GUESS, EXIT_SYSTEM_CALL, EXIT_MARK, EXIT_ABORT };

/* A way out of the cache. Small: a fork copies what was written of them. */
struct exit {
    enum exit_kind kind;
    union {
        uint32_t mark; /* EXIT_MARK: which mark it is */
        uint32_t left; /* EXIT_LEFT: the index of the block; EXIT_GUESS: how many targets it had */
    };
    union {
        uint64_t target; /* EXIT_LINK, EXIT_LEFT, EXIT_ABORT: the address in the program of the block that it leads to;
                          * EXIT_GUESS: the last target. Its next exit is the link to the one that is expected */
        uint64_t next;   /* EXIT_SYSTEM_CALL: the address in the program behind the call */
    };
    union {
        uint8_t *branch;    /* EXIT_LINK: the 32-bit distance of its branch; NULL: the block stands in its place */
        uint64_t *expected; /* EXIT_GUESS: see emit_guess() */
        uint64_t resume; /* EXIT_SYSTEM_CALL, EXIT_MARK: where to go on in the cache, of a call: at the call itself */
    };
    union {
        uint64_t *slot; /* EXIT_LINK: the address that the branch jumps through where that distance does not reach;
                         * EXIT_GUESS: the one that it jumps through for targets that are not expected */
        uint64_t child; /* EXIT_SYSTEM_CALL: where a thread that is created by it starts; 0 as long as none was */
    };
};

/* Reserves address space. To be called once, first. */
void links_prepare(void);

/* From now on several threads execute the cache: code that may be executed is changed by single stores alone. */
void links_share(void);

/* Where the copy of a block is to begin that is reached by this exit first, or by none (NULL): if the code that leads
 * there is the arena's last, then behind it and without a jump. So what is executed in a row lies in a row. A begin can
 * be replaced by a jump in one store (gone.c). */
uint8_t *link_begin_code(struct code_arena *arena, struct exit *from);

/* Emits a jump (`condition` < 0) or a conditional branch to the block at `target` in the program, as an exit that is
 * linked once that block has a copy. `own` is the block that is being made, whose code a loop leads back to. */
void link_emit(struct code_arena *arena, int condition, uint64_t target, const struct block *own);

/* Emits an indirect branch that is expected to lead to the target that it leads to twice in a row first. Others it
 * looks up. */
void link_emit_guess(struct code_arena *arena);

/* Where such a branch leads now; the target's copy; where others are looked up. */
void link_guess(struct exit *guess, uint64_t target, uint64_t code, uint64_t others);

/* No branch expects a target in [low, high) any more. */
void link_forget_guesses(uint64_t low, uint64_t high);

/* Makes the branch of the exit lead to this address in the cache. */
void link_set(struct exit *exit, uint64_t code);

/* A new exit, and its number. */
struct exit *exit_new(enum exit_kind kind, uint32_t *number);

/* The exit of this number; the number that the next new one has. */
struct exit *exit_get(uint64_t number);
uint32_t exit_next(void);

/* Whether the address is in the stub of an exit; `target`: the address in the program that it leads to, which of an
 * indirect branch is `indirect`. */
bool exit_at_stub(uint64_t code, uint64_t indirect, uint64_t *target);

/* Emits the stub of an exit, which leaves by it, and gives the stub's address. */
uint8_t *link_emit_stub(struct code_arena *arena, struct exit *exit, uint32_t number);

/* The stub of an exit. */
uint64_t exit_stub(const struct exit *exit);

#endif
