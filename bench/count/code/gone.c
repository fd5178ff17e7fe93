/* SPDX-License-Identifier: BSD-3-Clause
 * Copies that must not be entered any more, or not for now (see gone.h). */
#include "gone.h"

#include "bench/count/base/fail.h"
#include "emit.h"

static uint32_t changes;

uint32_t gone_changes(void) {
    return changes;
}

/* The constants that copies rely on; `place` is 0 when no copy does any more. */
enum { MAX_CONSTANTS = 1 << 20 };
static struct constant {
    uint64_t place, target;
    uint32_t block, follower;
} * constants;
static uint32_t constant_count = 1;

void gone_prepare(void) {
    constants = fail_or_map(sizeof *constants * MAX_CONSTANTS);
}

uint32_t gone_rely(uint32_t index, uint64_t place, uint64_t target, uint32_t follower) {
    /* There is room: no block has more than one. */
    constants[constant_count] = (struct constant){place, target, index, follower};
    return constant_count++;
}

uint64_t gone_constant(const struct block *block) {
    return constants[block->constant].target;
}

const struct block *gone_follower(const struct block *block) {
    const uint32_t follower = constants[block->constant].follower;
    return follower ? cache_block(follower) : NULL;
}

static bool overlaps(const struct block *block, uint64_t low, uint64_t high) {
    return block->original < high && block->original + block->code_bytes > low;
}

static bool lies_in(const struct block *block, uint64_t low, uint64_t high) {
    const struct block *follower = gone_follower(block);
    return block->address != CACHE_GONE && (overlaps(block, low, high) || (follower && overlaps(follower, low, high)));
}

static bool is_same(const struct block *block, uint64_t address) {
    return __builtin_memcmp(cache_bytes(block->first_byte), (const void *)address, block->code_bytes) == 0;
}

static bool is_followed_by_same(const struct block *block, uint32_t object) {
    const struct block *follower = gone_follower(block);
    return !follower || (follower->object == object && is_same(follower, follower->original));
}

/* A hidden block that began at this address and whose code is there now. */
static struct block *find_same(uint64_t address, uint32_t object, uint64_t high, bool checked,
                               struct cache_hidden *at) {
    *at = (struct cache_hidden){.block = 0};
    while (cache_next_hidden(address, at)) {
        struct block *block = cache_changing(at->block);
        if (block->checked == checked && (!block->constant || constants[block->constant].place) &&
            (!object || block->object == object) && address + block->code_bytes <= high && is_same(block, address) &&
            is_followed_by_same(block, object))
            return block;
    }
    return NULL;
}

uint64_t gone_find_unchanged(uint64_t address) {
    struct cache_hidden at;
    const struct block *block = find_same(address, 0, ~0ull, true, &at);
    return block ? block->code : 0;
}

/* Replaces a copy's first bytes in one store: by a jump over this distance, or by the original entry. */
static void put_entry(uint64_t code, uint8_t opcode, uint32_t operand) {
    uint64_t *word = (uint64_t *)(code & ~7ull), value = *word;
    uint8_t *begin = (uint8_t *)&value + code % sizeof value;
    *begin = opcode;
    __builtin_memcpy(begin + 1, &operand, sizeof operand);
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}
enum { ENTRY_OPCODE = 0x0f, ENTRY_OPERAND = 0x0000441f }; /* as long as a jump */

void gone_emit_entry(void) {
    emit_byte(ENTRY_OPCODE); /* nopl 0(%rax,%rax) */
    emit_u32(ENTRY_OPERAND);
}

const struct block *gone_revive(uint64_t address, uint32_t object, uint64_t high) {
    struct cache_hidden at;
    const struct block *block = find_same(address, object, high, false, &at);
    if (!block)
        return NULL;
    if (block->way_out)
        put_entry(block->code, ENTRY_OPCODE, ENTRY_OPERAND);
    cache_show(address, &at);
    return block;
}

static void lead_to(const struct block *block, uint64_t code) {
    put_entry(block->code, EMIT_JUMP, (uint32_t)(code - (block->code + EMIT_JUMP_BYTES)));
}

/* Makes a copy begin with a jump out of the cache, through an arena within its reach: its own may be full. */
static void redirect(uint32_t index) {
    struct block *block = cache_changing(index);
    if (!block->way_out) {
        struct code_arena *own = cache_arena_of(block->code),
                          *arena = cache_has_room(own) ? own : cache_arena(block->code);
        if (!cache_is_near((uint64_t)arena->start, block->code))
            fail_program("it changes more code than the code cache holds", 0);
        struct exit *exit = exit_new(EXIT_LEFT, &block->way_out);
        exit->target = block->original;
        exit->left = index;
        link_emit_stub(arena, exit, block->way_out);
    }
    lead_to(block, exit_stub(exit_get(block->way_out)));
}

void gone_forget(uint64_t low, uint64_t high) {
    changes++;
    for (uint32_t i = 1; i < cache_block_count(); i++) {
        if (!lies_in(cache_block(i), low, high))
            continue;
        const bool itself = overlaps(cache_block(i), low, high);
        if (!itself) /* its own code remains, and so do links to it */
            redirect(i);
        cache_hide(i, itself);
    }
    link_forget_guesses(low, high);
}

void gone_link_left(const struct exit *exit) {
    const struct block *block = cache_block(exit->left);
    const uint64_t code = cache_find(exit->target);
    if (block->address == CACHE_GONE && code && emit_reaches(block->code + EMIT_JUMP_BYTES, code))
        lead_to(block, code);
}

void gone_leave(uint32_t index) {
    if (cache_block(index)->address == CACHE_GONE)
        return;
    redirect(index);
    cache_hide(index, true);
}

void gone_chain(uint32_t index, uint32_t next) {
    cache_changing(index)->next_written = next;
}

/* As without the counter, no thread may be in code while it changes. Such a copy is redirected for good and not
 * revived. */
void gone_change(uint64_t low, uint64_t high) {
    changes++;
    for (uint32_t i = 1; i < cache_block_count(); i++)
        if (cache_block(i)->code && lies_in(cache_block(i), low, high)) { /* not a part of a block */
            redirect(i);
            cache_hide(i, false);
        }
}

/* Code that is already gone may come back, and links to its copy with it: such copies are redirected, too. */
void gone_change_constants(uint64_t low, uint64_t high) {
    for (uint32_t i = 1; i < constant_count; i++) {
        if (!constants[i].place || constants[i].place >= high || constants[i].place + sizeof(uint64_t) <= low)
            continue;
        constants[i].place = 0;
        changes++;
        redirect(constants[i].block);
        if (cache_block(constants[i].block)->address != CACHE_GONE)
            cache_hide(constants[i].block, false);
    }
}
