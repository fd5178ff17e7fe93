/* SPDX-License-Identifier: BSD-3-Clause */
#include "cache.h"

#include <sys/syscall.h>

#include "bench/count/base/fail.h"
#include "bench/count/base/system.h"
#include "context.h"

enum {
    MAX_BLOCKS = 1 << 20,
    FIRST_PLACES = 1 << 11, /* of the hash table */
    MAX_PLACES = 1 << 21,
    PLACE_BITS = 21,
    SPARSE = 4, /* the table doubles when more than one in SPARSE places are taken */
    MAX_ARENAS = 64,
    ARENA_SPARE_BYTES = 1 << 17, /* more than any block needs */
};
#define GONE       CACHE_GONE
#define AWAY       (1ull << 63)       /* no address of a program has this bit */
#define FOLLOWS    (1u << 31)         /* set in an owner that follows another block; no index has this bit */
#define MAX_BYTES  (64u << 20)        /* machine code of all blocks */
#define HEAP_BYTES (1ull << 40)       /* no heap grows beyond this */
#define NEAR_BYTES ((int64_t)1 << 30) /* arenas closer than this to the code reach everything that it reaches */

static struct block *blocks;
/* The hash table: a block's address in the program (0: the place is empty; GONE: its code is gone; with AWAY: it is
 * gone and may come back) and its copy's. Other threads may still read a table that has become too small. */
struct bucket {
    uint64_t address, code;
};
static struct block_table {
    uint32_t place_count, taken;
    uint8_t *begins; /* one bit per address modulo 8 × place_count; 0: no block that can be found begins there */
    struct bucket places[];
} * table;
static bool shared;
static uint8_t *bytes;
static struct span { uint16_t begin, done; } * spans; /* distances from block.code */
static uint32_t block_count = 1, counter_count = 1;
static uint32_t byte_count, span_count;
static uint32_t *owners; /* by counter: the block whose executions it counts; 0: a counter of another kind */
static struct code_arena arenas[MAX_ARENAS];
static uint32_t arena_count;

static size_t table_bytes(uint32_t place_count) {
    return sizeof *table + place_count * (sizeof *table->places + sizeof *table->begins);
}

static struct block_table *new_table(uint32_t place_count) {
    struct block_table *made = fail_or_map(table_bytes(place_count));
    made->place_count = place_count;
    made->begins = (uint8_t *)&made->places[place_count];
    return made;
}

void cache_share(void) {
    shared = true;
}

void cache_prepare(void) {
    blocks = fail_or_map(sizeof *blocks * MAX_BLOCKS);
    table = new_table(FIRST_PLACES);
    bytes = fail_or_map(MAX_BYTES);
    spans = fail_or_map(sizeof *spans * MAX_BYTES / 2);
    owners = fail_or_map(sizeof *owners * CONTEXT_COUNTERS);
}

bool cache_has_room(const struct code_arena *arena) {
    return arena->tail - arena->at > ARENA_SPARE_BYTES && (uint8_t *)arena->returns < arena->start + CACHE_ARENA_BYTES;
}

const uint64_t *cache_keep_return(struct code_arena *arena, uint64_t return_address) {
    *arena->returns = return_address;
    return arena->returns++;
}

/* The program's heap (brk) grows up from its break until something is in its way. */
static uint8_t *map_beside_heap(uint64_t address) {
    const uint64_t above_break = address + CACHE_ARENA_BYTES - (uint64_t)SYSTEM_CALL(SYS_brk, 0);
    return above_break < HEAP_BYTES ? NULL : system_map(address, CACHE_ARENA_BYTES, true);
}

/* Maps an arena below the code, else above it, else anywhere: even from there, copy_instruction() reaches operands
 * below 4 GiB, as in programs with a fixed address. */
static uint8_t *map_near(uint64_t address) {
    enum { TRIES = 30 };
    const uint64_t base = address & ~(uint64_t)(CACHE_ARENA_BYTES - 1);
    uint8_t *at = NULL;
    for (uint64_t i = 1; i <= TRIES && !at && base > i * CACHE_ARENA_BYTES; i++)
        at = map_beside_heap(base - i * CACHE_ARENA_BYTES);
    for (uint64_t i = 1; i <= TRIES && !at; i++)
        at = map_beside_heap(base + i * CACHE_ARENA_BYTES);
    return at ? at : system_map(0, CACHE_ARENA_BYTES, true);
}

bool cache_is_near(uint64_t a, uint64_t b) {
    const int64_t distance = (int64_t)(a - b);
    return distance > -NEAR_BYTES && distance < NEAR_BYTES;
}

struct code_arena *cache_arena(uint64_t address) {
    for (uint32_t i = 0; i < arena_count; i++)
        if (cache_is_near(arenas[i].serves, address) && cache_has_room(&arenas[i]))
            return &arenas[i];
    if (arena_count == MAX_ARENAS)
        fail_program("it has more code than the code cache holds", 0);
    struct code_arena *arena = &arenas[arena_count];
    arena->start = arena->at = map_near(address);
    arena->blocks = system_map(0, sizeof *arena->blocks * MAX_BLOCKS, false);
    if (!arena->start || !arena->blocks)
        fail_program("there is no memory for the code cache: raise the limit (`ulimit -v`, or RLIMIT_AS or "
                     "RLIMIT_DATA, which the program may have set itself)",
                     0);
    arena->tail = arena->start + CACHE_STUBS_END;
    arena->returns = (uint64_t *)(void *)arena->tail;
    arena->serves = cache_is_near((uint64_t)arena->start, address) ? (uint64_t)arena->start : address;
    __atomic_store_n(&arena_count, arena_count + 1, __ATOMIC_RELEASE);
    return arena;
}

uint32_t cache_new_counter(void) {
    if (counter_count == CONTEXT_COUNTERS - 1) /* each has a next one, which may be read with it */
        fail_program("it has more code than there are counters", 0);
    return counter_count++;
}

struct block *cache_new_block(uint64_t address, uint32_t copies) {
    if (block_count == MAX_BLOCKS)
        fail_program("it has more code than the counter's tables hold", 0);
    struct block *block = &blocks[block_count];
    /* Before the block's counter, which must be followed by the counters of its instructions. */
    const uint32_t left_out = copies > 1 ? cache_new_counter() : 0;
    *block = (struct block){.address = address, .original = address, .copies = (uint8_t)copies, .left_out = left_out};
    block->counter = cache_new_counter();
    owners[block->counter] = block_count;
    return block;
}

/* Neighbours in the program are neighbours in the table: a new block seldom touches a new page. Distant addresses are
 * spread (Fibonacci hashing). */
static uint32_t hash(const struct block_table *in, uint64_t address) {
    enum { NEAR_BITS = 16, GRAIN_BITS = 3 };
    const uint64_t spread = (address >> NEAR_BITS) * 0x9e3779b97f4a7c15ull >> (64 - PLACE_BITS);
    return (uint32_t)((address >> GRAIN_BITS) + spread) % in->place_count;
}

/* The next place to try: far away, so that neighbours do not cluster. */
static uint32_t next_place(const struct block_table *in, uint32_t place, uint64_t address) {
    const uint32_t step = (uint32_t)(address * 0x9e3779b97f4a7c15ull >> (64 - PLACE_BITS)) | 1;
    return (place + step) % in->place_count;
}

/* Keeps up to VERSIONS versions of code that changes repeatedly. */
static void cache_put(struct block_table *in, uint64_t key, uint64_t code) {
    enum { VERSIONS = 8 };
    struct bucket *places = in->places;
    uint32_t place = hash(in, key & ~AWAY), versions = 0;
    in->begins[(key & ~AWAY) / 8 % in->place_count] |= (uint8_t)(1 << key % 8);
    while (places[place].address && (places[place].address != (key | AWAY) || ++versions < VERSIONS))
        place = next_place(in, place, key & ~AWAY);
    if (places[place].address)
        __atomic_store_n(&places[place].address, GONE, __ATOMIC_RELEASE);
    else
        in->taken++;
    __atomic_store_n(&places[place].code, code, __ATOMIC_RELEASE);
    __atomic_store_n(&places[place].address, key, __ATOMIC_RELEASE);
}

static void cache_enter(uint64_t key, uint64_t code) {
    if (table->taken > table->place_count / SPARSE && table->place_count < MAX_PLACES) {
        struct block_table *larger = new_table(2 * table->place_count);
        for (uint32_t i = 0; i < table->place_count; i++)
            if (table->places[i].address && table->places[i].address != GONE)
                cache_put(larger, table->places[i].address, table->places[i].code);
        struct block_table *smaller = table;
        __atomic_store_n(&table, larger, __ATOMIC_RELEASE);
        if (!shared)
            SYSTEM_CALL(SYS_munmap, smaller, table_bytes(smaller->place_count));
    }
    cache_put(table, key, code);
}

void cache_publish(const struct block *block, struct code_arena *arena) {
    const uint32_t index = block_count;
    arena->blocks[arena->block_count] = index;
    __atomic_store_n(&arena->block_count, arena->block_count + 1, __ATOMIC_RELEASE);
    __atomic_store_n(&block_count, index + 1, __ATOMIC_RELEASE);
    if (block->checked)
        cache_enter(block->original | AWAY, block->code);
    else if (block->address != GONE)
        cache_enter(block->address, block->code);
}

static struct bucket *cache_bucket(uint64_t address) {
    struct block_table *in = __atomic_load_n(&table, __ATOMIC_ACQUIRE);
    if (!(in->begins[address / 8 % in->place_count] >> address % 8 & 1))
        return NULL;
    for (uint32_t place = hash(in, address);; place = next_place(in, place, address)) {
        const uint64_t found = __atomic_load_n(&in->places[place].address, __ATOMIC_ACQUIRE);
        if (found == address || !found)
            return found ? &in->places[place] : NULL;
    }
}

void cache_publish_part(const struct block *part, const struct block *whole) {
    blocks[block_count].part = whole->part;
    blocks[whole - blocks].part = (uint32_t)(part - blocks);
    block_count++;
}

struct block *cache_new_follower(uint64_t address, const uint8_t *code, uint32_t count, uint32_t instructions) {
    struct block *block = cache_new_block(address, 1);
    block->address = GONE;
    block->instruction_count = (uint16_t)instructions;
    cache_keep_bytes(block, code, count);
    owners[block->counter] |= FOLLOWS;
    __atomic_store_n(&block_count, block_count + 1, __ATOMIC_RELEASE);
    return block;
}

uint64_t cache_find(uint64_t address) {
    const struct bucket *place = cache_bucket(address);
    return place ? place->code : 0;
}

void cache_keep_bytes(struct block *block, const uint8_t *code, uint32_t count) {
    if (byte_count + count > MAX_BYTES || span_count + block->instruction_count * block->copies > MAX_BYTES / 2)
        fail_program("it has more code than the counter's tables hold", 0);
    __builtin_memcpy(bytes + byte_count, code, count);
    block->code_bytes = count & INT32_MAX;
    block->first_byte = byte_count;
    block->first_span = span_count;
    byte_count += count;
    span_count += block->instruction_count * block->copies;
}

void cache_keep_begin(struct block *block, uint32_t instruction, uint64_t at) {
    spans[block->first_span + instruction].begin = (uint16_t)(at - block->code);
}

void cache_keep_done(struct block *block, uint32_t instruction, uint64_t at) {
    spans[block->first_span + instruction].done = (uint16_t)(at - block->code);
}

uint64_t cache_begin(const struct block *block, uint32_t instruction) {
    return block->code + spans[block->first_span + instruction].begin;
}

uint64_t cache_done(const struct block *block, uint32_t instruction) {
    return block->code + spans[block->first_span + instruction].done;
}

struct code_arena *cache_arena_of(uint64_t code) {
    uint32_t count = __atomic_load_n(&arena_count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < count; i++)
        if (code >= (uint64_t)arenas[i].start && code < (uint64_t)arenas[i].start + CACHE_ARENA_BYTES)
            return &arenas[i];
    return NULL;
}

bool cache_holds(uint64_t code) {
    return cache_arena_of(code) != NULL;
}

const struct block *cache_block_at(uint64_t code, uint32_t *instruction) {
    const struct code_arena *arena = cache_arena_of(code);
    uint32_t low = 0, high = arena ? __atomic_load_n(&arena->block_count, __ATOMIC_ACQUIRE) : 0;
    while (low < high) { /* the last block that starts at or before `code` */
        uint32_t middle = (low + high) / 2;
        if (blocks[arena->blocks[middle]].code <= code)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    const struct block *block = &blocks[arena->blocks[low - 1]];
    *instruction = 0;
    while (*instruction + 1 < block->instruction_count * block->copies && cache_begin(block, *instruction + 1) <= code)
        ++*instruction;
    return block;
}

void cache_hide(uint32_t index, bool comes_back) {
    struct block *block = &blocks[index];
    struct bucket *place = cache_bucket(block->address);
    if (place) /* part of a block: not in the table */
        __atomic_store_n(&place->address, comes_back ? block->address | AWAY : GONE, __ATOMIC_RELAXED);
    block->address = GONE;
}

static uint32_t block_of(uint64_t code) {
    uint32_t first;
    return (uint32_t)(cache_block_at(code, &first) - blocks);
}

bool cache_next_hidden(uint64_t address, struct cache_hidden *at) {
    const struct block_table *in = __atomic_load_n(&table, __ATOMIC_ACQUIRE);
    const struct bucket *places = in->places;
    at->place = at->block ? next_place(in, at->place, address) : hash(in, address);
    while (places[at->place].address && places[at->place].address != (address | AWAY))
        at->place = next_place(in, at->place, address);
    at->block = places[at->place].address ? block_of(places[at->place].code) : 0;
    return at->block != 0;
}

void cache_show(uint64_t address, const struct cache_hidden *at) {
    blocks[at->block].address = address;
    __atomic_store_n(&table->places[at->place].address, address, __ATOMIC_RELEASE);
}

struct block *cache_changing(uint32_t index) {
    return &blocks[index];
}

uint64_t cache_count(const uint64_t *counters, uint32_t counter) {
    if (cache_counter_follows(counter))
        return counters[counter] + counters[counter + 1];
    if (!counters[counter]) /* most of a forked process's: this avoids a look at the block */
        return 0;
    const struct block *loop = &blocks[owners[counter]];
    if (!loop->left_out)
        return counters[counter];
    uint64_t count = counters[counter] * loop->copies + counters[loop->left_out];
    /* A region that began while another thread was in a round may include only the left-out copies of that round. */
    return (int64_t)count < 0 ? 0 : count;
}

uint32_t cache_counter_count(void) {
    return counter_count;
}

uint32_t cache_counter_block(uint32_t counter) {
    return owners[counter] & ~FOLLOWS;
}

bool cache_counter_follows(uint32_t counter) {
    return owners[counter] & FOLLOWS;
}

uint32_t cache_block_count(void) {
    return __atomic_load_n(&block_count, __ATOMIC_ACQUIRE);
}

const struct block *cache_block(uint32_t index) {
    return &blocks[index];
}

const uint8_t *cache_bytes(uint64_t first) {
    return bytes + first;
}
