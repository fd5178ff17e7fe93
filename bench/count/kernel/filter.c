/* SPDX-License-Identifier: BSD-3-Clause
 * Filters of system calls (see filter.h): programs for the kernel's classic BPF machine, with struct seccomp_data as
 * input (linux/seccomp.h, linux/filter.h). */
#include "filter.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "bench/count/base/system.h"
#include "bench/count/code/stubs.h"

struct call_filter {
    const struct call_filter *before; /* the thread's previous filter; NULL: none */
    uint32_t length;
    struct sock_filter code[BPF_MAXINSNS];
};

/* An address takes PER_ADDRESS instructions: a load and a comparison for each half. */
enum { ADDRESSES = SYSTEM_OWN_CALLS + 1, PER_ADDRESS = 4, BEFORE = ADDRESSES * PER_ADDRESS + 3 };

static bool is_call(const struct registers *r, uint64_t by_prctl, uint64_t by_seccomp) {
    return (r->rax == SYS_prctl && r->rdi == PR_SET_SECCOMP && r->rsi == by_prctl) ||
           (r->rax == SYS_seccomp && r->rdi == by_seccomp);
}

/* With other arguments the call fails; libraries use that to test whether the kernel has filters. */
static bool sets_strict(const struct registers *r) {
    return is_call(r, SECCOMP_MODE_STRICT, SECCOMP_SET_MODE_STRICT) &&
           (r->rax == SYS_prctl || (r->rsi == 0 && r->rdx == 0));
}

bool filter_is_set_by(const struct registers *r) {
    return sets_strict(r) || is_call(r, SECCOMP_MODE_FILTER, SECCOMP_SET_MODE_FILTER);
}

/* Lets our calls pass: compares with each address; then starts the program's filter in the machine's initial state. */
static void put_before(struct sock_filter *code) {
    const uint32_t low = offsetof(struct seccomp_data, instruction_pointer), high = low + 4;
    const uint64_t addresses[ADDRESSES] = {system_own_call(0), system_own_call(1), stubs_get()->mask_set};
    for (unsigned i = 0; i < ADDRESSES; i++, code += PER_ADDRESS) {
        const uint8_t to_allowed = (uint8_t)((ADDRESSES - 1 - i) * PER_ADDRESS + 1);
        code[0] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, high);
        code[1] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(addresses[i] >> 32), 0, 2);
        code[2] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, low);
        code[3] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)addresses[i], to_allowed, 0);
    }
    code[0] = (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, 1);
    code[1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    code[2] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_IMM, 0);
}

/* The program's filter, unchanged. NULL: it cannot be read, or there is no memory, or no room for ours before it. */
static struct call_filter *take(uint64_t address) {
    struct sock_fprog program;
    struct call_filter *filter;
    if (system_copy(&program, address, sizeof program) != sizeof program || program.len > BPF_MAXINSNS - BEFORE ||
        !(filter = system_map(0, sizeof *filter, false)))
        return NULL;
    filter->length = program.len;
    const size_t bytes = program.len * sizeof *program.filter;
    if (system_copy(filter->code, (uint64_t)program.filter, bytes) == bytes)
        return filter;
    SYSTEM_CALL(SYS_munmap, filter, sizeof *filter);
    return NULL;
}

static bool was_set(const struct registers *r, uint64_t flags) {
    return r->rax == 0 || (flags & SECCOMP_FILTER_FLAG_NEW_LISTENER && !system_failed((long)r->rax));
}

bool filter_set(struct context *context, struct context *threads, bool own) {
    static struct sock_filter code[BPF_MAXINSNS];
    struct registers *r = &context->passing.registers;
    if (sets_strict(r)) {
        context->strict = own;
        r->rax = 0;
        return own;
    }
    const uint64_t flags = r->rax == SYS_seccomp ? r->rsi : 0;
    struct call_filter *filter = take(r->rdx);
    if (!filter)
        return false;
    put_before(code);
    __builtin_memcpy(code + BEFORE, filter->code, filter->length * sizeof *code);
    const struct sock_fprog program = {.len = (unsigned short)(filter->length + BEFORE), .filter = code};
    r->rax = (uint64_t)SYSTEM_CALL((long)r->rax, r->rdi, r->rsi, &program, r->r10, r->r8);
    if (!own || !was_set(r, flags)) {
        SYSTEM_CALL(SYS_munmap, filter, sizeof *filter);
        return true;
    }
    filter->before = context->filters;
    context->filters = filter;
    for (; flags & SECCOMP_FILTER_FLAG_TSYNC && threads; threads = threads->next)
        threads->filters = filter;
    return true;
}

/* The kernel's machine: an accumulator, an index register, and sixteen words. */
struct machine_of_filters {
    uint32_t a, x, words[BPF_MEMWORDS];
};

static uint32_t compute(uint32_t operation, uint32_t a, uint32_t b) {
    switch (operation) {
    case BPF_ADD:
        return a + b;
    case BPF_SUB:
        return a - b;
    case BPF_MUL:
        return a * b;
    case BPF_DIV:
        return b ? a / b : 0;
    case BPF_AND:
        return a & b;
    case BPF_OR:
        return a | b;
    case BPF_XOR:
        return a ^ b;
    case BPF_LSH:
        return a << (b & 31);
    case BPF_RSH:
        return a >> (b & 31);
    default:
        return -a; /* BPF_NEG */
    }
}

static bool compares(uint32_t operation, uint32_t a, uint32_t b) {
    return operation == BPF_JEQ   ? a == b
           : operation == BPF_JGT ? a > b
           : operation == BPF_JGE ? a >= b
                                  : (a & b) != 0; /* BPF_JSET */
}

/* The result of a load: from the call's data, the machine's words, or a constant. */
static uint32_t load(const struct machine_of_filters *machine, const struct sock_filter *at,
                     const struct seccomp_data *data) {
    uint32_t value = at->k;
    if (BPF_MODE(at->code) == BPF_ABS && at->k <= sizeof *data - sizeof value)
        __builtin_memcpy(&value, (const uint8_t *)data + at->k, sizeof value);
    else if (BPF_MODE(at->code) == BPF_MEM)
        value = machine->words[at->k % BPF_MEMWORDS];
    else if (BPF_MODE(at->code) == BPF_LEN)
        value = sizeof *data;
    return value;
}

/* The kernel has accepted the filter: it jumps only forward and ends with a return. */
static uint32_t run(const struct call_filter *filter, const struct seccomp_data *data) {
    struct machine_of_filters machine = {.a = 0};
    for (uint32_t i = 0; i < filter->length; i++) {
        const struct sock_filter *at = &filter->code[i];
        const uint32_t operand = BPF_SRC(at->code) == BPF_X ? machine.x : at->k;
        switch (BPF_CLASS(at->code)) {
        case BPF_LD:
            machine.a = load(&machine, at, data);
            break;
        case BPF_LDX:
            machine.x = load(&machine, at, data);
            break;
        case BPF_ST:
            machine.words[at->k % BPF_MEMWORDS] = machine.a;
            break;
        case BPF_STX:
            machine.words[at->k % BPF_MEMWORDS] = machine.x;
            break;
        case BPF_ALU:
            machine.a = compute(BPF_OP(at->code), machine.a, operand);
            break;
        case BPF_JMP:
            if (BPF_OP(at->code) == BPF_JA)
                i += at->k;
            else
                i += compares(BPF_OP(at->code), machine.a, operand) ? at->jt : at->jf;
            break;
        case BPF_RET:
            return BPF_RVAL(at->code) == BPF_A ? machine.a : at->k;
        default: /* BPF_MISC */
            if (BPF_MISCOP(at->code) == BPF_TAX)
                machine.x = machine.a;
            else
                machine.a = machine.x;
        }
    }
    return SECCOMP_RET_ALLOW;
}

static bool passes_strict(uint64_t call) {
    return call == SYS_read || call == SYS_write || call == SYS_exit || call == SYS_rt_sigreturn;
}

/* With several filters the lowest action wins, as a signed number. */
enum filter_verdict filter_judge(const struct context *context, uint64_t next) {
    const struct registers *r = &context->passing.registers;
    if (context->strict)
        return passes_strict(r->rax) ? FILTER_PASSES : FILTER_KILLS;
    const struct seccomp_data data = {.nr = (int)r->rax,
                                      .arch = AUDIT_ARCH_X86_64,
                                      .instruction_pointer = next,
                                      .args = {r->rdi, r->rsi, r->rdx, r->r10, r->r8, r->r9}};
    int32_t action = (int32_t)SECCOMP_RET_ALLOW;
    for (const struct call_filter *filter = context->filters; filter; filter = filter->before) {
        const int32_t its = (int32_t)(run(filter, &data) & SECCOMP_RET_ACTION_FULL);
        action = its < action ? its : action;
    }
    switch ((uint32_t)action) {
    case SECCOMP_RET_ALLOW:
    case SECCOMP_RET_LOG:
    case SECCOMP_RET_TRACE:
    case SECCOMP_RET_USER_NOTIF:
        return FILTER_PASSES;
    case SECCOMP_RET_ERRNO:
    case SECCOMP_RET_TRAP:
        return FILTER_REFUSES;
    case SECCOMP_RET_KILL_THREAD:
        return FILTER_ENDS_THREAD;
    default:
        return FILTER_ENDS_PROCESS;
    }
}
