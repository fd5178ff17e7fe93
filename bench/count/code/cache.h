/* SPDX-License-Identifier: BSD-3-Clause
 * The code cache: the copies of the program's blocks, where each came from, and how one leads to the next. All that
 * changes it is called under the lock; cache_find() needs no lock. */
#ifndef BENCH_COUNT_CACHE_H
#define BENCH_COUNT_CACHE_H

#include <stdbool.h>
#include <stdint.h>

/* A block of the program and its copy. */
struct block {
    uint64_t address;                       /* its address in the program; ~0 once the code there is gone, or checked */
    uint64_t original;                      /* its address in the program, also when the code there is gone */
    uint64_t code;                          /* the address of its copy in the cache */
    uint32_t object;                        /* the mapping that it is of: an index for object_get() */
    uint32_t counter;                       /* the number of the counter of how often it ran */
    uint32_t code_bytes, instruction_count; /* its machine code in the program */
    uint32_t counted_at;                    /* the index of the instruction before whose copy the block is counted */
    uint32_t copies;       /* a loop has several copies in a row, and its counter counts rounds through all of them */
    uint32_t left_out;     /* the counter, which falls, of copies that rounds did not come to; 0: it is no loop */
    uint32_t part;         /* the index of the first or next block that stands for a part of it (partial.h); 0: none */
    uint32_t next_written; /* the next block of the same page of code that the program writes (written.h); 0: none */
    uint32_t way_out;      /* the exit by which a copy is left at once that is entered no more; 0: it never was */
    bool checked;          /* it is compared with the program whenever it is entered, by cache_find_unchanged() alone */
    uint64_t first_byte;   /* where its machine code is kept as it was: an index for cache_bytes() */
    uint64_t first_span;   /* where it is kept what stands for each of its instructions: see cache_begin() */
};

/* Why the cache is left: for a block that has no copy yet, or whose copy is not entered any more, for a system call, at
 * a mark of a region, since the kernel has aborted a restartable sequence. */
enum exit_kind { EXIT_LINK, EXIT_LEFT, EXIT_SYSTEM_CALL, EXIT_MARK, EXIT_ABORT };

/* A way out of the cache. */
struct exit {
    enum exit_kind kind;
    uint32_t mark;   /* EXIT_MARK: which mark it is */
    uint32_t left;   /* EXIT_LEFT: the index of the block */
    uint64_t target; /* EXIT_LINK, EXIT_LEFT, EXIT_ABORT: the address in the program of the block that it leads to */
    uint8_t *branch; /* EXIT_LINK: the 32-bit distance of its branch; NULL: the block stands in its place */
    uint64_t *slot;  /* EXIT_LINK: the address that the branch jumps through where that distance does not reach */
    uint64_t resume; /* the other kinds: where to go on in the cache, which for a system call is the call itself */
    uint64_t next;   /* EXIT_SYSTEM_CALL: the address in the program behind the call */
    uint64_t child;  /* EXIT_SYSTEM_CALL: where a thread that is created by it starts; 0 as long as none was */
};

/* A piece of the cache near the code that it holds, so that 32-bit distances reach. */
struct code_arena {
    uint8_t *start, *at,
        *tail;        /* its begin, the end of the blocks, which grow up, and the begin of the stubs, which grow down */
    uint64_t serves;  /* it is for code near this address: its own, or where no place near that code was free */
    uint32_t *blocks; /* the indices of its blocks, by rising `code` */
    uint32_t block_count;
};

/* Reserves address space for all that grows. To be called once, first. False: there is not enough. */
bool cache_prepare(void);

/* An arena near an address in the program, with room for a block of any size. */
struct code_arena *cache_arena(uint64_t address);

/* From now on several threads execute the cache: code that may be executed is changed by single stores alone. */
void cache_share(void);

/* Where the copy of a block is to begin that is reached by this exit first, or by none (NULL): if the code that leads
 * there is the arena's last, then behind it and without a jump. So what is executed in a row lies in a row. A begin can
 * be replaced by a jump in one store (redirect()). */
uint8_t *cache_begin_code(struct code_arena *arena, struct exit *from);

/* A new block with a counter of its own. No other thread sees it before cache_publish(). */
struct block *cache_new_block(uint64_t address, uint32_t copies);

/* Makes a finished block known as one of this arena, which cache_find() finds unless its address is ~0. */
void cache_publish(const struct block *block, struct code_arena *arena);

/* Makes a block known that stands for a part of another one: it is counted, and never looked for. */
void cache_publish_part(const struct block *part, const struct block *whole);

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

/* The same of blocks that are checked: a copy of the code that is there now. */
uint64_t cache_find_unchanged(uint64_t address);

/* Emits a jump (`condition` < 0) or a conditional branch to the block at `target` in the program, as an exit that is
 * linked once that block has a copy. `own` is the block that is being made, whose code a loop leads back to. */
void cache_emit_link(struct code_arena *arena, int condition, uint64_t target, const struct block *own);

/* Makes the branch of the exit lead to this address in the cache. */
void cache_link(struct exit *exit, uint64_t code);

/* Makes a copy that is not entered any more lead to the one that has taken its place, as long as both are that. */
void cache_link_left(const struct exit *exit);

/* A new exit, and its number. */
struct exit *cache_new_exit(enum exit_kind kind, uint32_t *number);

/* The exit of this number. */
struct exit *cache_exit(uint64_t number);

/* Whether an address lies in the cache. */
bool cache_holds(uint64_t code);

/* The block whose copy contains this address in the cache, and the instruction there, counted over all copies. NULL:
 * the address is in no copy. */
const struct block *cache_block_at(uint64_t code, uint32_t *instruction);

/* What was kept of an instruction of a block. */
uint64_t cache_begin(const struct block *block, uint32_t instruction);
uint64_t cache_done(const struct block *block, uint32_t instruction);

/* Whether the address is in the stub of an exit; `target`: the address in the program that it leads to. */
bool cache_stub_at(uint64_t code, uint64_t *target);

/* From now on cache_find() finds no block between these addresses in the program, whose code is gone or may change.
 * Counts stay. */
void cache_forget(uint64_t low, uint64_t high);

/* The block that began at this address of the object, up to `high`, before its code was gone; from now on cache_find()
 * finds it again. NULL: there was none, or the code is not the same. */
const struct block *cache_revive(uint64_t address, uint32_t object, uint64_t high);

/* From now on the copy of this block, which begins with cache_emit_entry(), is not entered, not by way of other copies
 * either, until it is revived. */
void cache_leave(uint32_t index);

/* Emits what the copy of a block begins with that may be left and revived: it does nothing. */
void cache_emit_entry(void);

/* Says of a block of which index the next one of its page is. */
void cache_chain(uint32_t index, uint32_t next);

/* From now on no copy is entered of a block between these addresses in the program, where code has changed: not by way
 * of other copies either. What is executed there next has a copy made anew. */
void cache_change(uint64_t low, uint64_t high);

/* How often that was executed which the counter of this number stands for, by the counters of a thread. */
uint64_t cache_count(const uint64_t *counters, uint32_t counter);

/* How many counters, and how many blocks, there are. */
uint32_t cache_counter_count(void);
uint32_t cache_block_count(void);

/* The block of this index. */
const struct block *cache_block(uint32_t index);

/* The machine code that is kept from this index on (block.first_byte). */
const uint8_t *cache_bytes(uint64_t first);

#endif
