/* SPDX-License-Identifier: BSD-3-Clause
 * Signals (see signal.h). */
#include "signal.h"

#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "bench/count/base/fail.h"
#include "bench/count/base/system.h"
#include "bench/count/code/cache.h"
#include "bench/count/code/partial.h"
#include "bench/count/code/stubs.h"
#include "process.h"

/* As the kernel takes it. */
struct action {
    uint64_t handler, flags, restorer, mask;
};
enum { SIGNALS = 65 };
static struct action actions[SIGNALS]; /* the program's own, where it has a handler */

/* Addresses of the assembly (see signal_prepare). */
static uint64_t signal_entry, dispatch_tail, dispatch_end;

static const uint64_t DEFAULT = 0, IGNORE = 1, ALL_SIGNALS = ~0ull;

void signal_prepare(uint64_t entry, uint64_t tail, uint64_t end) {
    signal_entry = entry;
    dispatch_tail = tail;
    dispatch_end = end;
}

long signal_set_action(const struct registers *registers) {
    const struct action *wanted = (const struct action *)registers->rsi;
    struct action *old = (struct action *)registers->rdx;
    uint64_t number = registers->rdi;
    if (number == 0 || number >= SIGNALS || !process_is_own())
        return SYSTEM_CALL(SYS_rt_sigaction, number, wanted, old, registers->r10);
    struct action previous = actions[number], given = {0};
    if (wanted) {
        given = *wanted;
        if (given.handler != DEFAULT && given.handler != IGNORE) {
            actions[number] = *wanted;
            given.handler = signal_entry;
            given.flags &= ~(uint64_t)(SA_RESETHAND | SA_NODEFER);
            given.flags |= SA_SIGINFO; /* or the kernel leaves the information away */
            given.mask = ALL_SIGNALS;
        }
    }
    long result = SYSTEM_CALL(SYS_rt_sigaction, number, wanted ? &given : NULL, old, registers->r10);
    if (system_failed(result))
        actions[number] = previous;
    else if (old && old->handler == signal_entry)
        *old = previous;
    return result;
}

static bool is_fault(int number, const siginfo_t *info) {
    return info->si_code > 0 &&
           (number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE || number == SIGTRAP);
}

static uint64_t *mask_of(ucontext_t *interrupted) {
    return (uint64_t *)(void *)&interrupted->uc_sigmask;
}

/* Back to the dispatcher, with all signals blocked until it is in the cache again. */
static void defer(struct context *context, int number, siginfo_t *info, ucontext_t *interrupted) {
    struct passing *passing = &context->passing;
    uint64_t rip = (uint64_t)interrupted->uc_mcontext.gregs[REG_RIP];
    SYSTEM_CALL(SYS_rt_tgsigqueueinfo, SYSTEM_CALL(SYS_getpid, 0), SYSTEM_CALL(SYS_gettid, 0), number, info);
    passing->mask = *mask_of(interrupted);
    *mask_of(interrupted) = ALL_SIGNALS;
    if (rip >= dispatch_tail && rip < dispatch_end) {
        passing->after = passing->resume;
        passing->resume = stubs_get()->mask;
    } else {
        passing->masked = 1;
    }
}

/* While the mask is being set the registers hold what that takes: the program never sees it. */
static void leave_mask_stub(const struct passing *passing, ucontext_t *interrupted) {
    static const int places[] = {REG_RAX, REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_RCX, REG_R11};
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
        interrupted->uc_mcontext.gregs[places[i]] = (greg_t)passing->unmask[i];
    interrupted->uc_mcontext.gregs[REG_RIP] = (greg_t)passing->after;
}

bool signal_receive(int number, siginfo_t *info, ucontext_t *interrupted, uint64_t frame, struct context *context) {
    const struct stubs *stubs = stubs_get();
    greg_t *rip = &interrupted->uc_mcontext.gregs[REG_RIP];
    if (!cache_holds((uint64_t)*rip)) {
        if (!is_fault(number, info)) {
            defer(context, number, info, interrupted);
            return false;
        }
        if (context->busy)
            fail_program("the counter itself failed, at", (uint64_t)*rip);
    } else if ((uint64_t)*rip >= stubs->mask_set && (uint64_t)*rip <= stubs->mask_end) {
        leave_mask_stub(&context->passing, interrupted);
    }
    if (context->interruption_count == CONTEXT_SIGNALS) { /* handlers that were left by a jump: the oldest is one */
        for (unsigned i = 1; i < CONTEXT_SIGNALS; i++)
            context->interruptions[i - 1] = context->interruptions[i];
        context->interruption_count--;
    }
    struct interruption *interruption = &context->interruptions[context->interruption_count++];
    *interruption = (struct interruption){.frame = frame, .cache_rip = (uint64_t)*rip, .passing = context->passing};
    partial_find(interruption, is_fault(number, info), (uint64_t)interrupted->uc_mcontext.gregs[REG_RCX]);
    partial_leave(context, interruption);
    *rip = (greg_t)interruption->program_rip;

    struct action *action = &actions[number];
    context->passing.mask = *mask_of(interrupted) | action->mask;
    if (!(action->flags & SA_NODEFER))
        context->passing.mask |= 1ull << (number - 1);
    context->passing.masked = 1;
    context->passing.target = action->handler;
    context->passing.exit = 0;
    if (action->flags & SA_RESETHAND) {
        const struct action none = {.flags = action->flags, .restorer = action->restorer};
        SYSTEM_CALL(SYS_rt_sigaction, number, &none, NULL, sizeof none.mask);
    }
    return true;
}

void signal_return(struct context *context) {
    uint64_t stack = context->passing.registers.rsp; /* the frame, without the return address */
    ucontext_t *interrupted = (ucontext_t *)stack;
    uint64_t *rip = (uint64_t *)(void *)&interrupted->uc_mcontext.gregs[REG_RIP], resumed = *rip;
    SYSTEM_CALL(SYS_rt_sigprocmask, SIG_SETMASK, &ALL_SIGNALS, NULL, sizeof ALL_SIGNALS);
    context->passing.masked = 0;
    for (unsigned i = context->interruption_count; i-- > 0;) {
        const struct interruption *interruption = &context->interruptions[i];
        if (interruption->frame + 8 != stack)
            continue;
        context->passing = interruption->passing;
        if (interruption->program_rip == *rip) {
            resumed = interruption->cache_rip;
            partial_resume(context, interruption);
        }
        context->interruption_count = i;
        break;
    }
    if (!cache_holds(resumed)) { /* the handler chose another place, or it was a wild jump */
        context->passing.target = resumed;
        resumed = stubs_get()->target;
    }
    *rip = resumed;
    context->busy = false;
    __asm__ volatile("mov %0, %%rsp\n\tmov %1, %%eax\n\tsyscall" ::"r"(stack), "i"(SYS_rt_sigreturn) : "memory");
    __builtin_unreachable();
}
