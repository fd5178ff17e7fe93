/* SPDX-License-Identifier: BSD-3-Clause
 * The code cache (see cache.h). */
#include "cache.h"

#include "bench/count/base/fail.h"
#include "bench/count/base/system.h"
#include "context.h"
#include "emit.h"

enum {
    MAX_BLOCKS = 1 << 20,
    MAX_EXITS = 1 << 22,
    PLACES = 1 << 21, /* of the hash table */
    PLACE_BITS = 21,
    MAX_ARENAS = 64,
    ARENA_BYTES = 32 << 20,
    ARENA_SPARE_BYTES = 1 << 16, /* more than any block takes */
    STUB_BYTES = 40,
};
#define GONE       (~0ull)
#define AWAY       (1ull << 63)       /* no address of a program has it */
#define MAX_BYTES  (64ull << 20)      /* machine code of all blocks */
#define NEAR_BYTES ((int64_t)1 << 30) /* arenas closer than this to the code reach what that reaches */

static struct block *blocks;
static struct exit *exits;
/* The hash table: where in the program a block begins (0: the place is empty; GONE: its code is gone; with AWAY: it is
 * gone and may come back) and its copy. */
static struct bucket { uint64_t address, code; } * places;
static uint8_t *bytes;
static struct span { uint16_t begin, done; } * spans; /* distances from block.code */
static uint32_t block_count = 1, exit_count = 1, counter_count = 1;
static uint64_t byte_count, span_count;
static uint32_t *loops; /* by counter, the block whose rounds it counts; 0: none */
static struct code_arena arenas[MAX_ARENAS];
static uint32_t arena_count;
static bool shared;

bool cache_prepare(void) {
    blocks = system_map(0, sizeof *blocks * MAX_BLOCKS, false);
    exits = system_map(0, sizeof *exits * MAX_EXITS, false);
    places = system_map(0, sizeof *places * PLACES, false);
    bytes = system_map(0, MAX_BYTES, false);
    spans = system_map(0, sizeof *spans * MAX_BYTES / 2, false);
    loops = system_map(0, sizeof *loops * CONTEXT_COUNTERS, false);
    return blocks && exits && places && bytes && spans && loops;
}

static bool has_room(const struct code_arena *arena) {
    return arena->tail - arena->at > ARENA_SPARE_BYTES;
}

static uint8_t *map_near(uint64_t address) {
    enum { TRIES = 30 };
    uint64_t base = address & ~(uint64_t)(ARENA_BYTES - 1);
    for (uint64_t i = 1; i <= TRIES; i++) {
        uint8_t *below = base > i * ARENA_BYTES ? system_map(base - i * ARENA_BYTES, ARENA_BYTES, true) : NULL;
        if (below)
            return below;
        uint8_t *above = system_map(base + i * ARENA_BYTES, ARENA_BYTES, true);
        if (above)
            return above;
    }
    return system_map(0, ARENA_BYTES, true);
}

static bool is_near(uint64_t a, uint64_t b) {
    const int64_t distance = (int64_t)(a - b);
    return distance > -NEAR_BYTES && distance < NEAR_BYTES;
}

struct code_arena *cache_arena(uint64_t address) {
    for (uint32_t i = 0; i < arena_count; i++)
        if (is_near(arenas[i].serves, address) && has_room(&arenas[i]))
            return &arenas[i];
    if (arena_count == MAX_ARENAS)
        fail_program("it has more code than the code cache holds", 0);
    struct code_arena *arena = &arenas[arena_count];
    arena->start = arena->at = map_near(address);
    arena->blocks = system_map(0, sizeof *arena->blocks * MAX_BLOCKS, false);
    if (!arena->start || !arena->blocks)
        fail_program("there is no memory for the code cache", 0);
    arena->tail = arena->start + ARENA_BYTES;
    arena->serves = is_near((uint64_t)arena->start, address) ? (uint64_t)arena->start : address;
    __atomic_store_n(&arena_count, arena_count + 1, __ATOMIC_RELEASE);
    return arena;
}

void cache_share(void) {
    shared = true;
}

enum { JUMP = 0xe9, DISTANCE_BYTES = 4, JUMP_BYTES = 5 };

static void set_distance(uint8_t *distance, uint64_t target) {
    const uint32_t value = (uint32_t)(target - (uint64_t)(distance + DISTANCE_BYTES));
    __builtin_memcpy(distance, &value, sizeof value);
}

/* Makes a conditional branch, and the jump behind it, a branch by the opposite condition to where the jump led. */
static void invert(struct exit *exit) {
    uint8_t *condition = exit->branch - 1, *jump = exit->branch + DISTANCE_BYTES + 1;
    int32_t distance;
    __builtin_memcpy(&distance, jump, sizeof distance);
    *condition ^= 1;
    set_distance(exit->branch, (uint64_t)jump + DISTANCE_BYTES + (uint64_t)(int64_t)distance);
    if (exit[1].branch == jump)
        exit[1].branch = exit->branch;
}

/* Without a jump to what will be there; NULL: that cannot be. */
static uint8_t *behind(const struct code_arena *arena, struct exit *from) {
    uint8_t *branch = from ? from->branch : NULL, *end = branch + DISTANCE_BYTES;
    if (!branch || shared)
        return NULL;
    const bool jumps = end == arena->at && branch[-1] == JUMP,
               branches = end + JUMP_BYTES == arena->at && branch[-2] == 0x0f && *end == JUMP;
    if (!jumps && !branches)
        return NULL;
    if (branches)
        invert(from);
    from->branch = NULL; /* it leads there for good */
    return jumps ? branch - 1 : end;
}

uint8_t *cache_begin_code(struct code_arena *arena, struct exit *from) {
    uint8_t *kept = emit_at, *at = behind(arena, from);
    emit_at = at ? at : arena->at;
    emit_nops(emit_jump_padding(emit_at));
    at = emit_at;
    emit_at = kept;
    return at;
}

uint32_t cache_new_counter(void) {
    if (counter_count == CONTEXT_COUNTERS)
        fail_program("it has more code than there are counters", 0);
    return counter_count++;
}

struct block *cache_new_block(uint64_t address, uint32_t copies) {
    if (block_count == MAX_BLOCKS)
        fail_program("it has more code than the counter's tables hold", 0);
    struct block *block = &blocks[block_count];
    const uint32_t left_out = copies > 1 ? cache_new_counter() : 0; /* not behind the block's: its instructions' are */
    *block = (struct block){.address = address, .original = address, .copies = copies, .left_out = left_out};
    block->counter = cache_new_counter();
    loops[block->counter] = copies > 1 ? block_count : 0;
    return block;
}

/* Neighbours in the program are neighbours in the table: a new block seldom touches a page that none has touched. What
 * lies far apart is spread (Fibonacci hashing). */
static uint32_t hash(uint64_t address) {
    enum { NEAR_BITS = 16, GRAIN_BITS = 3 };
    const uint64_t spread = (address >> NEAR_BITS) * 0x9e3779b97f4a7c15ull >> (64 - PLACE_BITS);
    return (uint32_t)((address >> GRAIN_BITS) + spread) % PLACES;
}

/* Where to look next where that is taken: far away, so that neighbours do not pile up. */
static uint32_t next_place(uint32_t place, uint64_t address) {
    return (place + ((uint32_t)(address * 0x9e3779b97f4a7c15ull >> (64 - PLACE_BITS)) | 1)) % PLACES;
}

/* Of code that changes again and again so many versions are kept in mind. */
static void enter(uint64_t key, uint64_t code) {
    enum { VERSIONS = 8 };
    uint32_t place = hash(key & ~AWAY), versions = 0;
    while (places[place].address && (places[place].address != (key | AWAY) || ++versions < VERSIONS))
        place = next_place(place, key & ~AWAY);
    if (places[place].address)
        __atomic_store_n(&places[place].address, GONE, __ATOMIC_RELEASE);
    __atomic_store_n(&places[place].code, code, __ATOMIC_RELEASE);
    __atomic_store_n(&places[place].address, key, __ATOMIC_RELEASE);
}

void cache_publish(const struct block *block, struct code_arena *arena) {
    const uint32_t index = block_count++;
    arena->blocks[arena->block_count] = index;
    __atomic_store_n(&arena->block_count, arena->block_count + 1, __ATOMIC_RELEASE);
    if (block->checked)
        enter(block->original | AWAY, block->code);
    else if (block->address != GONE)
        enter(block->address, block->code);
}

static struct bucket *find(uint64_t address) {
    for (uint32_t place = hash(address);; place = next_place(place, address)) {
        const uint64_t found = __atomic_load_n(&places[place].address, __ATOMIC_ACQUIRE);
        if (found == address || !found)
            return found ? &places[place] : NULL;
    }
}

void cache_publish_part(const struct block *part, const struct block *whole) {
    blocks[block_count].part = whole->part;
    blocks[whole - blocks].part = (uint32_t)(part - blocks);
    block_count++;
}

uint64_t cache_find(uint64_t address) {
    const struct bucket *place = find(address);
    return place ? place->code : 0;
}

void cache_keep_bytes(struct block *block, const uint8_t *code, uint32_t count) {
    if (byte_count + count > MAX_BYTES || span_count + block->instruction_count * block->copies > MAX_BYTES / 2)
        fail_program("it has more code than the counter's tables hold", 0);
    __builtin_memcpy(bytes + byte_count, code, count);
    block->code_bytes = count;
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

struct exit *cache_new_exit(enum exit_kind kind, uint32_t *number) {
    if (exit_count == MAX_EXITS)
        fail_program("it has more code than the counter's tables hold", 0);
    *number = exit_count++;
    exits[*number] = (struct exit){.kind = kind};
    return &exits[*number];
}

struct exit *cache_exit(uint64_t number) {
    return &exits[number];
}

/* A stub leaves by its exit. It starts with a jump through a slot, which at first leads behind it: a branch that does
 * not reach its block goes on through the slot. */
static uint8_t *emit_stub(struct code_arena *arena, struct exit *exit, uint32_t number) {
    arena->tail -= STUB_BYTES;
    uint8_t *stub = arena->tail, *kept = emit_at;
    exit->slot = (uint64_t *)(stub + STUB_BYTES - 8);
    emit_at = stub;
    EMIT("\xff\x25"); /* jmp *slot(%rip) */
    emit_u32((uint32_t)((uint8_t *)exit->slot - (emit_at + 4)));
    *exit->slot = (uint64_t)emit_at;
    emit_exit(number);
    emit_at = kept;
    return stub;
}

void cache_emit_link(struct code_arena *arena, int condition, uint64_t target, const struct block *own) {
    const unsigned opcode_bytes = condition < 0 ? 1 : 2;
    uint64_t code = target == own->address ? own->code : cache_find(target);
    bool reaches = code && emit_reaches((uint64_t)emit_at + opcode_bytes + 4, code);
    /* The distance is replaced while other threads run, which takes an aligned one. */
    if (!reaches && shared)
        emit_nops((4 - ((uint64_t)emit_at + opcode_bytes) % 4) % 4);
    if (condition < 0) {
        emit_byte(0xe9); /* jmp */
    } else {
        emit_byte(0x0f); /* jcc */
        emit_byte(0x80 | (unsigned)condition);
    }
    uint8_t *branch = emit_at;
    emit_u32(0);
    uint64_t to = code;
    if (!reaches) {
        uint32_t number;
        struct exit *exit = cache_new_exit(EXIT_LINK, &number);
        exit->target = target;
        exit->branch = branch;
        to = (uint64_t)emit_stub(arena, exit, number);
        if (code)
            *exit->slot = code;
    }
    uint32_t distance = (uint32_t)(to - (uint64_t)emit_at);
    __builtin_memcpy(branch, &distance, sizeof distance);
}

void cache_link(struct exit *exit, uint64_t code) {
    const uint64_t branch = (uint64_t)exit->branch, end = branch + DISTANCE_BYTES;
    const bool at_one_stroke = !shared || branch % DISTANCE_BYTES == 0;
    if (!branch)
        return;
    if (at_one_stroke && emit_reaches(end, code))
        __atomic_store_n((uint32_t *)branch, (uint32_t)(code - end), __ATOMIC_RELEASE);
    else
        __atomic_store_n(exit->slot, code, __ATOMIC_RELEASE);
}

static struct code_arena *arena_of(uint64_t code) {
    uint32_t count = __atomic_load_n(&arena_count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 0; i < count; i++)
        if (code >= (uint64_t)arenas[i].start && code < (uint64_t)arenas[i].start + ARENA_BYTES)
            return &arenas[i];
    return NULL;
}

bool cache_holds(uint64_t code) {
    return arena_of(code) != NULL;
}

/* Stubs lie one below the other at the arena's end; what stands before the number of the exit: see emit_stub(). */
bool cache_stub_at(uint64_t code, uint64_t *target) {
    enum { NUMBER_AT = 6 + 9 };
    const struct code_arena *arena = arena_of(code);
    if (!arena || code < (uint64_t)__atomic_load_n(&arena->tail, __ATOMIC_RELAXED))
        return false;
    uint64_t end = (uint64_t)arena->start + ARENA_BYTES,
             stub = end - (end - code + STUB_BYTES - 1) / STUB_BYTES * STUB_BYTES;
    uint32_t number;
    __builtin_memcpy(&number, (const uint8_t *)stub + NUMBER_AT, sizeof number);
    *target = exits[number].target;
    return true;
}

const struct block *cache_block_at(uint64_t code, uint32_t *instruction) {
    const struct code_arena *arena = arena_of(code);
    uint32_t low = 0, high = arena ? __atomic_load_n(&arena->block_count, __ATOMIC_ACQUIRE) : 0;
    while (low < high) { /* the last block that starts at or before it */
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

static bool lies_in(const struct block *block, uint64_t low, uint64_t high) {
    return block->address != GONE && block->address < high && block->address + block->code_bytes > low;
}

static void forget(struct block *block, uint64_t instead) {
    struct bucket *place = find(block->address);
    if (place) /* a part of a block has none */
        __atomic_store_n(&place->address, block->address | instead, __ATOMIC_RELAXED);
    block->address = GONE;
}

void cache_forget(uint64_t low, uint64_t high) {
    for (uint32_t i = 1; i < block_count; i++)
        if (lies_in(&blocks[i], low, high))
            forget(&blocks[i], AWAY);
}

static struct block *block_of(uint64_t code) {
    uint32_t first;
    return &blocks[cache_block_at(code, &first) - blocks];
}

/* Of the blocks that began at an address and are not found there, one whose code is there now. */
static struct block *find_same(uint64_t address, uint32_t object, uint64_t high, bool checked, struct bucket **at) {
    for (uint32_t place = hash(address); places[place].address; place = next_place(place, address)) {
        struct block *block = places[place].address == (address | AWAY) ? block_of(places[place].code) : NULL;
        if (!block || block->checked != checked || (object && block->object != object) ||
            address + block->code_bytes > high ||
            __builtin_memcmp(bytes + block->first_byte, (const void *)address, block->code_bytes) != 0)
            continue;
        *at = &places[place];
        return block;
    }
    return NULL;
}

uint64_t cache_find_unchanged(uint64_t address) {
    struct bucket *place;
    const struct block *block = find_same(address, 0, ~0ull, true, &place);
    return block ? block->code : 0;
}

/* The first bytes of a copy, at one stroke: a jump this far, or the entry that it began with. */
static void put_entry(uint64_t code, uint8_t opcode, uint32_t operand) {
    uint64_t *word = (uint64_t *)(code & ~7ull), value = *word;
    uint8_t *begin = (uint8_t *)&value + code % sizeof value;
    *begin = opcode;
    __builtin_memcpy(begin + 1, &operand, sizeof operand);
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}
enum { ENTRY_OPCODE = 0x0f, ENTRY_OPERAND = 0x0000441f };

void cache_emit_entry(void) {
    emit_byte(ENTRY_OPCODE); /* nopl 0(%rax,%rax) */
    emit_u32(ENTRY_OPERAND);
}

const struct block *cache_revive(uint64_t address, uint32_t object, uint64_t high) {
    struct bucket *place;
    struct block *block = find_same(address, object, high, false, &place);
    if (!block)
        return NULL;
    if (block->way_out)
        put_entry(block->code, ENTRY_OPCODE, ENTRY_OPERAND);
    block->address = address;
    __atomic_store_n(&place->address, address, __ATOMIC_RELEASE);
    return block;
}

static void lead_to(const struct block *block, uint64_t code) {
    put_entry(block->code, JUMP, (uint32_t)(code - (block->code + JUMP_BYTES)));
}

/* Makes a copy begin with a jump out of the cache, by way of an arena that it reaches: its own may be full. */
static void redirect(struct block *block) {
    if (!block->way_out) {
        struct code_arena *own = arena_of(block->code), *arena = has_room(own) ? own : cache_arena(block->code);
        if (!is_near((uint64_t)arena->start, block->code))
            fail_program("it changes more code than the code cache holds", 0);
        struct exit *exit = cache_new_exit(EXIT_LEFT, &block->way_out);
        exit->target = block->original;
        exit->left = (uint32_t)(block - blocks);
        emit_stub(arena, exit, block->way_out);
    }
    lead_to(block, (uint64_t)exits[block->way_out].slot + 8 - STUB_BYTES);
}

void cache_link_left(const struct exit *exit) {
    const struct block *block = &blocks[exit->left];
    const uint64_t code = cache_find(exit->target);
    if (block->address == GONE && code && emit_reaches(block->code + JUMP_BYTES, code))
        lead_to(block, code);
}

void cache_leave(uint32_t index) {
    if (blocks[index].address == GONE)
        return;
    redirect(&blocks[index]);
    forget(&blocks[index], AWAY);
}

void cache_chain(uint32_t index, uint32_t next) {
    blocks[index].next_written = next;
}

/* As natively, no thread may be in code while it changes. Such a copy is not revived: it is redirected for good. */
void cache_change(uint64_t low, uint64_t high) {
    for (uint32_t i = 1; i < block_count; i++)
        if (blocks[i].code && lies_in(&blocks[i], low, high)) { /* not a part of a block */
            redirect(&blocks[i]);
            forget(&blocks[i], GONE);
        }
}

uint64_t cache_count(const uint64_t *counters, uint32_t counter) {
    if (!loops[counter])
        return counters[counter];
    const struct block *loop = &blocks[loops[counter]];
    uint64_t count = counters[counter] * loop->copies + counters[loop->left_out];
    /* A region that began while another thread was in a round may have of it only what was left out. */
    return (int64_t)count < 0 ? 0 : count;
}

uint32_t cache_counter_count(void) {
    return counter_count;
}

uint32_t cache_block_count(void) {
    return block_count;
}

const struct block *cache_block(uint32_t index) {
    return &blocks[index];
}

const uint8_t *cache_bytes(uint64_t first) {
    return bytes + first;
}
