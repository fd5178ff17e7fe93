/* SPDX-License-Identifier: BSD-3-Clause
 * The code cache: the copies of the program's blocks, and where each came from. All that changes it is called under the
 * lock; cache_find() needs no lock. */
#ifndef BENCH_COUNT_CACHE_H
#define BENCH_COUNT_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#define CACHE_GONE (~0ull) /* block.address, where the code there is gone or checked */

/* A block of the program and its copy. Small: a fork copies what was written of them. */
struct block {
    uint64_t address;                      /* its address in the program; ~0 once the code there is gone, or checked */
    uint64_t original;                     /* its address in the program, also when the code there is gone */
    uint64_t code;                         /* the address of its copy in the cache */
    uint32_t counter;                      /* the number of the counter of how often it ran */
    uint32_t code_bytes : 31, checked : 1; /* its machine code in the program; it is compared with the program whenever
                                            * it is entered, by gone_find_unchanged() alone */
    uint16_t object;                       /* the mapping that it is of: an index for object_get() */
    uint16_t instruction_count, flop; /* flop: of all lanes, whatever masks say */
    uint8_t counted_at;    /* the index of the instruction before whose copy the block is counted */
    uint8_t copies;        /* a loop has several copies in a row, and its counter counts rounds through all of them */
    int8_t held;           /* of one that has a plan: the register that its copy holds meanwhile; -1: none */
    uint32_t left_out;     /* the counter, which falls, of copies that rounds did not come to; 0: it is no loop */
    uint32_t part;         /* the index of the first or next block that stands for a part of it (signal.c); 0: none */
    uint32_t next_written; /* the next block of the same page of code that the program writes (written.h); 0: none */
    uint32_t way_out;      /* the exit by which a copy is left at once that is entered no more; 0: it never was */
    uint32_t constant;     /* the index of where its branch leads by a constant (gone.h); 0: it does not */
    uint32_t record;       /* its plan (record.h); 0: none */
    uint32_t first_byte;   /* where its machine code is kept as it was: an index for cache_bytes() */
    uint32_t first_span;   /* where it is kept what stands for each of its instructions: see cache_begin() */
};

/* A piece of the cache near the code that it holds, so that 32-bit distances reach. */
struct code_arena {
    uint8_t *start, *at,
        *tail; /* its begin, the end of the blocks, which grow up, and the begin of the stubs, which grow down */
    uint64_t *returns; /* the end of the return addresses that calls push, which grow up behind the stubs */
    uint64_t serves;   /* it is for code near this address: its own, or where no place near that code was free */
    uint32_t *blocks;  /* the indices of its blocks, by rising `code` */
    uint32_t block_count;
};

/* Reserves address space for all that grows. To be called once, first. */
void cache_prepare(void);

/* From now on several threads look for blocks. */
void cache_share(void);

/* An arena near an address in the program, with room for a block of any size. */
struct code_arena *cache_arena(uint64_t address);

/* The arena that holds an address in the cache, NULL: none; whether there is such room in one; whether 32-bit distances
 * reach from all that is in an arena at one address to all that is in one at the other. */
struct code_arena *cache_arena_of(uint64_t code);
bool cache_has_room(const struct code_arena *arena);
bool cache_is_near(uint64_t a, uint64_t b);
enum { CACHE_ARENA_BYTES = 32 << 20, CACHE_STUBS_END = CACHE_ARENA_BYTES - (4 << 20) };

/* Keeps a return address in an arena, and gives its place. They lie side by side and not in the code: what is read as
 * data takes a line of the data cache and a page of its TLB. */
const uint64_t *cache_keep_return(struct code_arena *arena, uint64_t return_address);

/* A new block with a counter of its own. No other thread sees it before cache_publish(). */
struct block *cache_new_block(uint64_t address, uint32_t copies);

/* Makes a finished block known as one of this arena, which cache_find() finds unless its address is ~0. */
void cache_publish(const struct block *block, struct code_arena *arena);

/* Makes a block known that stands for a part of another one: it is counted, and never looked for. */
void cache_publish_part(const struct block *part, const struct block *whole);

/* A new block that has no copy, and is never looked for: it is executed whenever the next new one has been, which must
 * not be a loop. It counts as often as that one's counter says, the number behind its own; its own corrects that. */
struct block *cache_new_follower(uint64_t address, const uint8_t *bytes, uint32_t count, uint32_t instructions);

/* The number of a new counter. */
uint32_t cache_new_counter(void);

/* Keeps the machine code of a block as it is in the program. */
void cache_keep_bytes(struct block *block, const uint8_t *bytes, uint32_t count);

/* Keeps the addresses in the cache at which the copy of an instruction begins, with what is put before it, and from
 * which on it has been executed, with what is put behind it. Instructions are counted over all copies. */
void cache_keep_begin(struct block *block, uint32_t instruction, uint64_t at);
void cache_keep_done(struct block *block, uint32_t instruction, uint64_t at);

/* The address of the copy of the block that begins at this address in the program; 0: there is none yet. */
uint64_t cache_find(uint64_t address);

/* Whether an address lies in the cache. */
bool cache_holds(uint64_t code);

/* The block whose copy contains this address in the cache, and the instruction there, counted over all copies. NULL:
 * the address is in no copy. */
const struct block *cache_block_at(uint64_t code, uint32_t *instruction);

/* What was kept of an instruction of a block. */
uint64_t cache_begin(const struct block *block, uint32_t instruction);
uint64_t cache_done(const struct block *block, uint32_t instruction);

/* What gone.c is made of: from now on cache_find() does not find a block, for good or until it is shown again; one
 * after the other (`block` 0 to begin with) those that may be shown again at an address; and a block, to be changed. */
struct cache_hidden {
    uint32_t place, block; /* in the table; its index */
};
void cache_hide(uint32_t index, bool comes_back);
bool cache_next_hidden(uint64_t address, struct cache_hidden *at);
void cache_show(uint64_t address, const struct cache_hidden *at);
struct block *cache_changing(uint32_t index);

/* How often that was executed which the counter of this number stands for, by the counters of a thread. */
uint64_t cache_count(const uint64_t *counters, uint32_t counter);

/* How many counters, and how many blocks, there are. */
uint32_t cache_counter_count(void);
uint32_t cache_block_count(void);

/* The index of the block that the counter of this number counts how often it ran; 0: it is of another kind. Where only
 * few blocks are asked for, this spares looking at all of them. */
uint32_t cache_counter_block(uint32_t counter);

/* Whether that block follows another one: what is counted is then the sum of two counters. */
bool cache_counter_follows(uint32_t counter);

/* The block of this index. */
const struct block *cache_block(uint32_t index);

/* The machine code that is kept from this index on (block.first_byte). */
const uint8_t *cache_bytes(uint64_t first);

#endif
