/* SPDX-License-Identifier: BSD-3-Clause
 * The code cache: the copies of the program's blocks, and their origins. Everything that changes it is called under the
 * lock; cache_find() needs no lock. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define CACHE_GONE (~0ull) /* block.address if the code there is gone or checked */

/* A block of the program and its copy. Small, because a fork copies all that were written. */
struct block {
    uint64_t address;                      /* its address in the program; ~0 if the code there is gone or checked */
    uint64_t original;                     /* its address in the program, even if the code there is gone */
    uint64_t code;                         /* the address of its copy in the cache */
    uint32_t counter;                      /* number of its execution counter */
    uint32_t code_bytes : 31, checked : 1; /* size of its machine code in the program; checked: gone_find_unchanged()
                                              compares the code at each entry, and only it finds the block */
    uint16_t object;                       /* its mapping: an index for object_get() */
    uint16_t instruction_count, flop;      /* flop: for all lanes, ignoring masks */
    uint8_t counted_at;                    /* index of the instruction before whose copy the block is counted */
    uint8_t copies;        /* copies in a row of a loop; its counter counts rounds through all of them */
    int8_t held;           /* if it has a plan: the register that its copy holds meanwhile; -1: none */
    uint32_t left_out;     /* counter, which falls, of copies that rounds left out; 0: no loop */
    uint32_t part;         /* index of the first or next block that represents a part of it (signal.c); 0: none */
    uint32_t next_written; /* next block on the same page of code that the program writes (written.h); 0: none */
    uint32_t way_out;      /* exit at the begin of a copy that must not be entered; 0: never needed */
    uint32_t constant;     /* index of its branch's constant target (gone.h); 0: none */
    uint32_t record;       /* its plan (record.h); 0: none */
    uint32_t first_byte;   /* its stored machine code: an index for cache_bytes() */
    uint32_t first_span;   /* its instructions' stored addresses: see cache_begin() */
};

/* A piece of the cache near the original code, within reach of 32-bit distances. */
struct code_arena {
    uint8_t *start, *at, *tail; /* begin; end of the blocks, which grow up; begin of the stubs, which grow down */
    uint64_t *returns;          /* end of the return addresses that calls push; they grow up after the stubs */
    uint64_t serves;            /* it serves code near this address: its own, or code without a free place nearby */
    uint32_t *blocks;           /* indices of its blocks, by rising `code` */
    uint32_t block_count;
};

/* Reserves address space for all tables. Call once, before all others. */
void cache_prepare(void);

/* From now on several threads look up blocks. */
void cache_share(void);

/* An arena near an address in the program, with room for a block of any size. */
struct code_arena *cache_arena(uint64_t address);

/* The arena that holds an address in the cache, NULL: none; whether an arena has such room; whether 32-bit distances
 * reach from anywhere in an arena at one address to anywhere in an arena at the other. */
struct code_arena *cache_arena_of(uint64_t code);
bool cache_has_room(const struct code_arena *arena);
bool cache_is_near(uint64_t a, uint64_t b);
enum { CACHE_ARENA_BYTES = 32 << 20, CACHE_STUBS_END = CACHE_ARENA_BYTES - (4 << 20) };

/* Stores a return address in an arena and returns its place. Return addresses are stored together, away from the code:
 * reading them as data occupies cache lines of the data cache and pages of its TLB. */
const uint64_t *cache_keep_return(struct code_arena *arena, uint64_t return_address);

/* A new block with its own counter. Other threads do not see it before cache_publish(). */
struct block *cache_new_block(uint64_t address, uint32_t copies);

/* Adds a finished block to its arena. cache_find() finds it unless its address is ~0. */
void cache_publish(const struct block *block, struct code_arena *arena);

/* Adds a block that represents a part of another: it is counted, and never looked up. */
void cache_publish_part(const struct block *part, const struct block *whole);

/* A new block without a copy, never looked up. It is executed each time after the next new block, which must not be a
 * loop. Its count is the sum of two counters: its own, which holds corrections, and the one after it, the next
 * block's. */
struct block *cache_new_follower(uint64_t address, const uint8_t *bytes, uint32_t count, uint32_t instructions);

/* The number of a new counter. */
uint32_t cache_new_counter(void);

/* Stores the block's machine code as it is in the program. */
void cache_keep_bytes(struct block *block, const uint8_t *bytes, uint32_t count);

/* cache_keep_begin(): stores the address in the cache at which an instruction's copy begins, including the code before
 * it. cache_keep_done(): stores the address at which the instruction has been executed and the code after it begins.
 * Instructions are numbered over all copies. */
void cache_keep_begin(struct block *block, uint32_t instruction, uint64_t at);
void cache_keep_done(struct block *block, uint32_t instruction, uint64_t at);

/* The address of the copy of the block that begins at this address in the program; 0: there is none yet. */
uint64_t cache_find(uint64_t address);

/* Whether an address lies in the cache. */
bool cache_holds(uint64_t code);

/* The block whose copy contains this address in the cache, and the instruction there, numbered over all copies. NULL:
 * no copy contains the address. */
const struct block *cache_block_at(uint64_t code, uint32_t *instruction);

/* The stored addresses of an instruction of a block. */
uint64_t cache_begin(const struct block *block, uint32_t instruction);
uint64_t cache_done(const struct block *block, uint32_t instruction);

/* For gone.c. cache_hide(): cache_find() no longer finds the block, for good or until cache_show().
 * cache_next_hidden(): iterates over the blocks that may be shown again at an address; start with `block` 0.
 * cache_changing(): a block, for changes. */
struct cache_hidden {
    uint32_t place, block; /* place: in the table; block: index */
};
void cache_hide(uint32_t index, bool comes_back);
bool cache_next_hidden(uint64_t address, struct cache_hidden *at);
void cache_show(uint64_t address, const struct cache_hidden *at);
struct block *cache_changing(uint32_t index);

/* How often the code of this counter was executed, from a thread's counters. */
uint64_t cache_count(const uint64_t *counters, uint32_t counter);

/* The numbers of counters and of blocks. */
uint32_t cache_counter_count(void);
uint32_t cache_block_count(void);

/* Index of the block whose executions this counter counts; 0: a counter of another kind. Avoids a scan of all blocks
 * where only a few are needed. */
uint32_t cache_counter_block(uint32_t counter);

/* Whether that block follows another: its count is then the sum of two counters. */
bool cache_counter_follows(uint32_t counter);

/* The block of this index. */
const struct block *cache_block(uint32_t index);

/* The stored machine code from this index on (block.first_byte). */
const uint8_t *cache_bytes(uint64_t first);
