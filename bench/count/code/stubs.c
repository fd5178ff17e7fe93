/* SPDX-License-Identifier: BSD-3-Clause
 * Pieces of the cache that are no copies of the program (see stubs.h). */
#include "stubs.h"

#include <signal.h>
#include <sys/syscall.h>

#include "context.h"
#include "emit.h"

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
    arena->at = emit_at;
}

uint64_t stubs_child(struct exit *exit, void (*begin)(void)) {
    if (exit->child)
        return exit->child;
    struct code_arena *arena = cache_arena(exit->next);
    emit_at = arena->at;
    exit->child = (uint64_t)emit_at;
    EMIT("\x0f\x05");     /* syscall */
    EMIT("\x48\x85\xc0"); /* test %rax, %rax */
    EMIT("\x0f\x85");     /* jnz parent */
    uint8_t *parent = emit_at;
    emit_u32(0);
    EMIT("\x50\x51\x52\x56\x57");             /* push %rax, %rcx, %rdx, %rsi, %rdi */
    EMIT("\x41\x50\x41\x51\x41\x52\x41\x53"); /* push %r8 to %r11 */
    EMIT("\x55\x48\x89\xe5");                 /* push %rbp; mov %rsp, %rbp */
    EMIT("\x48\x83\xe4\xf0");                 /* and $-16, %rsp */
    emit_constant(RAX, (uint64_t)begin);
    EMIT("\xff\xd0");                         /* call *%rax */
    EMIT("\x48\x89\xec\x5d");                 /* mov %rbp, %rsp; pop %rbp */
    EMIT("\x41\x5b\x41\x5a\x41\x59\x41\x58"); /* pop %r11 to %r8 */
    EMIT("\x5f\x5e\x5a\x59\x58");             /* pop %rdi, %rsi, %rdx, %rcx, %rax */
    uint32_t distance = (uint32_t)(emit_at - (parent + 4));
    __builtin_memcpy(parent, &distance, sizeof distance);
    const struct block none = {.address = ~0ull};
    cache_emit_link(arena, -1, exit->next, &none);
    arena->at = emit_at;
    return exit->child;
}
