/* SPDX-License-Identifier: BSD-3-Clause
 * The code cache: the copies of the program's blocks, where each came from, and how one leads to the next. What changes
 * it is called under the lock; cache_find is not. */
#ifndef BENCH_COUNT_CACHE_H
#define BENCH_COUNT_CACHE_H

#include <stdbool.h>
#include <stdint.h>

struct block {
    uint64_t address;  /* in the program; ~0 once the code there is gone */
    uint64_t original; /* the same, for good */
    uint64_t code;     /* in the cache */
    uint32_t object;
    uint32_t counter;
    uint32_t code_bytes, instruction_count;
    uint32_t counted_at;   /* the instruction before whose copy it is counted */
    uint32_t copies;       /* of a loop, one after the other; its counter counts rounds of so many */
    uint32_t left_out;     /* counter of the copies that rounds did not come to, which falls; 0: no loop */
    uint64_t first_byte;   /* in cache_bytes: the machine code as it was */
    uint64_t first_offset; /* in cache_offsets: where each instruction's copy starts, from `code` */
};

/* Ways out of the cache. */
enum exit_kind { EXIT_LINK, EXIT_SYSTEM_CALL, EXIT_MARK };
struct exit {
    enum exit_kind kind;
    uint32_t mark;   /* of EXIT_MARK */
    uint64_t target; /* of EXIT_LINK: the block's address in the program that it leads to */
    uint8_t *branch; /* its 32-bit distance, and where that does not reach, the slot that it jumps through */
    uint64_t *slot;
    uint64_t resume; /* of the others: where to go on in the cache; of a system call, at the instruction itself */
    uint64_t next;   /* of a system call: the address in the program behind it */
    uint64_t child;  /* of a system call, once a thread was created there: where that one starts */
};

/* A piece of the cache near the code that it holds, so that 32-bit distances reach. */
struct code_arena {
    uint8_t *start, *at, *tail; /* blocks grow up, stubs down */
    uint32_t *blocks;           /* of this arena, rising */
    uint32_t block_count;
};

/* Reserves what grows. False: no memory. */
bool cache_prepare(void);

/* The arena for a block of the program's address, with room for any block. */
struct code_arena *cache_arena(uint64_t address);

/* A new block with a counter, seen by none until it is published: in its arena, for cache_find, or (NULL) as a part of
 * one, which is only counted. */
struct block *cache_new_block(uint64_t address, uint32_t copies);
void cache_publish(const struct block *block, struct code_arena *arena);
uint32_t cache_new_counter(void);
void cache_keep_bytes(struct block *block, const uint8_t *bytes, uint32_t count);
void cache_keep_offset(struct block *block, uint32_t instruction, uint64_t at); /* counted over all copies */

/* The copy of the block at an address in the program, 0: none yet. */
uint64_t cache_find(uint64_t address);

/* Emits a jump (condition < 0) or a conditional branch to a block, which is linked once it is there. `own` is the block
 * that is being made and its code: a loop's way back. */
void cache_emit_link(struct code_arena *arena, int condition, uint64_t target, const struct block *own);
void cache_link(struct exit *exit, uint64_t code);

struct exit *cache_new_exit(enum exit_kind kind, uint32_t *number);
struct exit *cache_exit(uint64_t number);

/* Whether an address lies in the cache, and which instruction (counted over all copies) of which block it belongs to
 * (NULL: of none). */
bool cache_holds(uint64_t code);
const struct block *cache_block_at(uint64_t code, uint32_t *instruction);

/* No block between the addresses is found any more: the program's code there is gone or may change. Counts stay. */
void cache_forget(uint64_t low, uint64_t high);

/* How often what a counter stands for was executed. */
uint64_t cache_count(const uint64_t *counters, uint32_t counter);
uint32_t cache_counter_count(void);
uint32_t cache_block_count(void);
const struct block *cache_block(uint32_t index);
const uint8_t *cache_bytes(uint64_t first);

#endif
