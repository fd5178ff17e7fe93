/* SPDX-License-Identifier: BSD-3-Clause */
#include "links.h"

#include "bench/count/base/fail.h"
#include "emit.h"

enum { MAX_EXITS = 1 << 22, STUB_BYTES = 40, WORD_BYTES = 8 };
enum { MAX_BRANCH_BYTES = 16 }; /* including the padding before it */
#define NO_TARGET (~0ull)       /* no target is expected: EMIT_GUESS_NONE, negated */
static struct exit *exits;
static uint32_t exit_count = 1;
static bool shared;

void links_prepare(void) {
    exits = fail_or_map(sizeof *exits * MAX_EXITS);
}

void links_share(void) {
    shared = true;
    cache_share();
}

/* Replaces a conditional branch and the jump after it by one branch with the opposite condition to the jump's
 * target. */
static void invert(struct exit *exit) {
    uint8_t *condition = exit->branch - 1, *jump = exit->branch + EMIT_DISTANCE_BYTES + 1;
    int32_t distance;
    __builtin_memcpy(&distance, jump, sizeof distance);
    *condition ^= 1;
    emit_set_distance(exit->branch, (uint64_t)jump + EMIT_DISTANCE_BYTES + (uint64_t)(int64_t)distance);
    if (exit[1].kind == EXIT_LINK && exit[1].branch == jump)
        exit[1].branch = exit->branch;
}

/* The place of a block that directly follows the exit's branch and needs no jump; NULL: not possible. */
static uint8_t *behind(const struct code_arena *arena, struct exit *from) {
    uint8_t *branch = from && from->kind == EXIT_LINK ? from->branch : NULL;
    if (!branch || shared)
        return NULL;
    uint8_t *end = branch + EMIT_DISTANCE_BYTES;
    const bool jumps = end == arena->at && branch[-1] == EMIT_JUMP,
               branches = end + EMIT_JUMP_BYTES == arena->at && branch[-2] == 0x0f && *end == EMIT_JUMP;
    if (!jumps && !branches)
        return NULL;
    if (branches)
        invert(from);
    from->branch = NULL; /* final: the exit leads there for good */
    return jumps ? branch - 1 : end;
}

uint8_t *link_begin_code(struct code_arena *arena, struct exit *from) {
    uint8_t *kept = emit_at, *at = behind(arena, from);
    emit_at = at ? at : arena->at;
    emit_nops(emit_jump_padding(emit_at));
    at = emit_at;
    emit_at = kept;
    return at;
}

struct exit *exit_new(enum exit_kind kind, uint32_t *number) {
    if (exit_count == MAX_EXITS)
        fail_program("it has more code than the counter's tables hold", 0);
    *number = exit_count++;
    exits[*number] = (struct exit){.kind = kind};
    return &exits[*number];
}

struct exit *exit_get(uint64_t number) {
    return &exits[number];
}

uint32_t exit_next(void) {
    return exit_count;
}

/* A stub leaves by its exit. It starts with a jump through a slot, which at first leads to the code after it. A branch
 * that cannot reach its block continues through the slot. */
uint8_t *link_emit_stub(struct code_arena *arena, struct exit *exit, uint32_t number) {
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

/* After a conditional branch comes a jump, or a block in its place. While other threads run, link_set() replaces the
 * distance and the jump with single stores: a jump begins a word, and a distance lies within a word. */
static void emit_padding(bool conditional, bool replaced) {
    const uint8_t *jump = emit_at + (conditional ? 2 + EMIT_DISTANCE_BYTES : 0);
    if (shared && replaced)
        emit_nops((WORD_BYTES - (uint64_t)jump % WORD_BYTES) % WORD_BYTES);
    else if (conditional)
        emit_nops(emit_jump_padding(jump));
}

void link_emit(struct code_arena *arena, int condition, uint64_t target, const struct block *own) {
    uint64_t code = target == own->address ? own->code : cache_find(target);
    bool reaches = code && emit_reaches((uint64_t)emit_at + MAX_BRANCH_BYTES, code);
    emit_padding(condition >= 0, !reaches);
    if (condition < 0) {
        emit_byte(EMIT_JUMP);
    } else {
        emit_byte(0x0f); /* jcc */
        emit_byte(0x80 | (unsigned)condition);
    }
    uint8_t *branch = emit_at;
    emit_u32(0);
    uint64_t to = code;
    if (!reaches) {
        uint32_t number;
        struct exit *exit = exit_new(EXIT_LINK, &number);
        exit->target = target;
        exit->branch = branch;
        to = (uint64_t)link_emit_stub(arena, exit, number);
        if (code)
            *exit->slot = code;
    }
    emit_set_distance(branch, to);
}

/* Replaces a jump to the code after it, in its word or at the word's end, by a nop. */
static bool go_straight_on(struct exit *exit, uint64_t code) {
    const uint64_t jump = (uint64_t)exit->branch - 1, bytes = code - jump;
    uint8_t *kept = emit_at;
    uint64_t word = 0;
    if (exit->branch[-1] != EMIT_JUMP || jump % WORD_BYTES != 0 || bytes < EMIT_JUMP_BYTES || bytes > WORD_BYTES)
        return false;
    __builtin_memcpy(&word, (const void *)jump, sizeof word);
    emit_at = (uint8_t *)&word;
    emit_nops((unsigned)bytes);
    emit_at = kept;
    __atomic_store_n((uint64_t *)jump, word, __ATOMIC_RELEASE);
    exit->branch = NULL; /* final: it leads there for good */
    return true;
}

void link_set(struct exit *exit, uint64_t code) {
    const uint64_t branch = (uint64_t)exit->branch, end = branch + EMIT_DISTANCE_BYTES;
    const bool at_one_stroke = !shared || branch % WORD_BYTES <= WORD_BYTES - EMIT_DISTANCE_BYTES;
    if (!branch || go_straight_on(exit, code))
        return;
    if (at_one_stroke && emit_reaches(end, code))
        __atomic_store_n((uint32_t *)branch, (uint32_t)(code - end), __ATOMIC_RELEASE);
    else
        __atomic_store_n(exit->slot, code, __ATOMIC_RELEASE);
}

void link_emit_guess(struct code_arena *arena) {
    uint32_t number, linked;
    struct exit *guess = exit_new(EXIT_GUESS, &number), *link = exit_new(EXIT_LINK, &linked);
    const struct emit_guess emitted = emit_guess();
    guess->expected = emitted.expected;
    guess->target = link->target = NO_TARGET;
    link->branch = emitted.met;
    emit_set_distance(emitted.missed, (uint64_t)link_emit_stub(arena, guess, number));
    emit_set_distance(emitted.met, (uint64_t)link_emit_stub(arena, link, linked));
}

/* The expected target is never replaced: threads may be between the comparison and the jump. */
void link_guess(struct exit *guess, uint64_t target, uint64_t code, uint64_t others) {
    enum { MAX_TARGETS = 16 };
    struct exit *link = guess + 1;
    const bool expected = link->target == NO_TARGET && guess->target == target;
    if (expected) {
        link->target = target;
        link_set(link, code);
        __atomic_store_n(guess->expected, -target, __ATOMIC_RELEASE);
    }
    if (expected || ++guess->left == MAX_TARGETS)
        __atomic_store_n(guess->slot, others, __ATOMIC_RELEASE);
    guess->target = target;
}

void link_forget_guesses(uint64_t low, uint64_t high) {
    for (uint32_t i = 1; i < exit_count; i++)
        if (exits[i].kind == EXIT_GUESS && exits[i + 1].target >= low && exits[i + 1].target < high)
            __atomic_store_n(exits[i].expected, EMIT_GUESS_NONE, __ATOMIC_RELEASE);
}

/* Stubs are stacked downwards from the arena's end. For the code before the exit's number see link_emit_stub(). */
bool exit_at_stub(uint64_t code, uint64_t indirect, uint64_t *target) {
    enum { NUMBER_AT = 6 + 9 };
    const struct code_arena *arena = cache_arena_of(code);
    if (!arena || code < (uint64_t)__atomic_load_n(&arena->tail, __ATOMIC_RELAXED))
        return false;
    uint64_t end = (uint64_t)arena->start + CACHE_STUBS_END,
             stub = end - (end - code + STUB_BYTES - 1) / STUB_BYTES * STUB_BYTES;
    uint32_t number;
    __builtin_memcpy(&number, (const uint8_t *)stub + NUMBER_AT, sizeof number);
    *target = exits[number].kind == EXIT_GUESS ? indirect : exits[number].target;
    return true;
}

uint64_t exit_stub(const struct exit *exit) {
    return (uint64_t)exit->slot + 8 - STUB_BYTES;
}
