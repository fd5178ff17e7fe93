/* SPDX-License-Identifier: BSD-3-Clause
 * Parts of the cache that are not copies of the program (see stubs.h). */
#include "stubs.h"

#include <signal.h>
#include <sys/syscall.h>

#include "context.h"
#include "emit.h"

enum { STEP_BYTES = 512 };
static struct stubs stubs;

const struct stubs *stubs_get(void) {
    return &stubs;
}

void stubs_make(uint64_t near) {
    static const uint8_t registers[] = {RAX, RDI, RSI, RDX, 10, RCX, 11};
    struct code_arena *arena = cache_arena(near);
    emit_at = arena->at;
    stubs.target = (uint64_t)emit_at;
    emit_exit(0);
    stubs.wild = (uint64_t)emit_at;
    emit_jump_through(PASSING_OFFSET(target));
    stubs.mask = (uint64_t)emit_at;
    for (unsigned i = 0; i < sizeof registers; i++)
        emit_store(registers[i], PASSING_OFFSET(unmask) + 8 * i);
    emit_load(RSI, CONTEXT_OFFSET(self));
    EMIT("\x48\x8d\xb6"); /* lea mask(%rsi), %rsi */
    emit_u32(PASSING_OFFSET(mask));
    emit_constant(RAX, SYS_rt_sigprocmask);
    emit_constant(RDI, SIG_SETMASK);
    emit_constant(RDX, 0);
    emit_constant(10, sizeof(uint64_t));
    EMIT("\x0f\x05"); /* syscall */
    stubs.mask_set = (uint64_t)emit_at;
    for (unsigned i = 0; i < sizeof registers; i++)
        emit_load(registers[i], PASSING_OFFSET(unmask) + 8 * i);
    stubs.mask_end = (uint64_t)emit_at;
    emit_jump_through(PASSING_OFFSET(after));
    stubs.anew = (uint64_t)emit_at;
    emit_indirect_anew();
    stubs.again = (uint64_t)emit_at;
    emit_indirect_again(false);
    stubs.again_returns = (uint64_t)emit_at;
    stubs.again_returned = (uint64_t)emit_indirect_again(true);
    stubs.step = (uint64_t)emit_at;
    arena->at = emit_at + STEP_BYTES;
}

/* A copy of the system call alone, for signals that interrupt it: not counted and never looked up. */
static struct block *new_call(struct code_arena *arena, const struct exit *exit) {
    static const uint8_t call[] = {0x0f, 0x05};
    struct block *block = cache_new_block(~0ull, 1);
    emit_at = arena->at;
    block->original = exit->next - sizeof call;
    block->code = (uint64_t)emit_at;
    block->instruction_count = block->counted_at = 1;
    cache_keep_bytes(block, call, sizeof call);
    cache_keep_begin(block, 0, block->code);
    return block;
}

uint64_t stubs_child(struct exit *exit, uint32_t number, void (*begin)(void)) {
    if (exit->child)
        return exit->child;
    struct code_arena *arena = cache_arena(exit->next);
    struct block *block = new_call(arena, exit);
    emit_exit(number);
    exit->child = (uint64_t)emit_at;
    EMIT("\x0f\x05"); /* syscall */
    cache_keep_done(block, 0, (uint64_t)emit_at);
    EMIT("\x48\x89\xc1"); /* mov %rax, %rcx */
    EMIT("\xe3");         /* jrcxz child */
    uint8_t *child = emit_at++;
    uint8_t *parent = emit_at;
    emit_constant(RCX, exit->next);
    link_emit(arena, -1, exit->next, block);
    *child = (uint8_t)(emit_at - (child + 1));
    EMIT("\x9c\x50\x51\x52\x56\x57");         /* pushfq; push %rax, %rcx, %rdx, %rsi, %rdi */
    EMIT("\x41\x50\x41\x51\x41\x52\x41\x53"); /* push %r8 to %r11 */
    EMIT("\x55\x48\x89\xe5");                 /* push %rbp; mov %rsp, %rbp */
    EMIT("\x48\x83\xe4\xf0");                 /* and $-16, %rsp */
    emit_constant(RAX, (uint64_t)begin);
    EMIT("\xff\xd0");                         /* call *%rax */
    EMIT("\x48\x89\xec\x5d");                 /* mov %rbp, %rsp; pop %rbp */
    EMIT("\x41\x5b\x41\x5a\x41\x59\x41\x58"); /* pop %r11 to %r8 */
    EMIT("\x5f\x5e\x5a\x59\x58\x9d");         /* pop %rdi, %rsi, %rdx, %rcx, %rax; popfq */
    EMIT("\xe9");                             /* jmp parent */
    emit_u32((uint32_t)(parent - (emit_at + 4)));
    arena->at = emit_at;
    cache_publish(block, arena);
    return exit->child;
}
