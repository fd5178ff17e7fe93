/* SPDX-License-Identifier: BSD-3-Clause */
#include "mask.h"

#include <sys/syscall.h>

#include "bench/count/base/system.h"

static const uint64_t FAULTS = 1ull << (SIGSEGV - 1);

static void change_faults(int how) {
    SYSTEM_CALL(SYS_rt_sigprocmask, how, &FAULTS, NULL, sizeof FAULTS);
}

void mask_begin(struct context *context, const struct context *creator) {
    uint64_t now = 0;
    if (creator) {
        context->blocks_faults = creator->blocks_faults;
        return;
    }
    SYSTEM_CALL(SYS_rt_sigprocmask, SIG_UNBLOCK, &FAULTS, &now, sizeof now);
    context->blocks_faults = (now & FAULTS) != 0;
}

uint64_t mask_of_program(const struct context *context, uint64_t mask) {
    return context->blocks_faults ? mask | FAULTS : mask;
}

uint64_t mask_for_kernel(struct context *context, uint64_t mask) {
    context->blocks_faults = (mask & FAULTS) != 0;
    return mask & ~FAULTS;
}

static uint64_t changed(uint64_t mask, uint64_t how, uint64_t set) {
    return how == SIG_BLOCK ? mask | set : how == SIG_UNBLOCK ? mask & ~set : set;
}

/* All signals stay blocked until the program's mask is set on the way back to it, including a signal that came
 * meanwhile. This call may change that mask. */
long mask_change(struct context *context, const struct registers *call) {
    struct passing *passing = &context->passing;
    uint64_t *old = (uint64_t *)call->rdx, set = 0, now;
    if (call->r10 != sizeof set || (call->rsi && system_copy(&set, call->rsi, sizeof set) != sizeof set) ||
        (call->rsi && call->rdi > SIG_SETMASK))
        return SYSTEM_CALL(SYS_rt_sigprocmask, call->rdi, call->rsi, call->rdx, call->r10);
    SYSTEM_CALL(SYS_rt_sigprocmask, SIG_SETMASK, &all_signals, &now, sizeof now);
    now = mask_of_program(context, passing->masked ? passing->mask : now);
    passing->mask = mask_for_kernel(context, call->rsi ? changed(now, call->rdi, set) : now);
    passing->masked = 1;
    const long result = SYSTEM_CALL(SYS_rt_sigprocmask, SIG_BLOCK, NULL, old, sizeof now); /* is it writable? */
    if (old && !system_failed(result))
        *old = now;
    return result;
}

void mask_on_alternate_stack(struct context *context) {
    struct passing *passing = &context->passing;
    if (passing->blocked && !passing->masked) { /* else a signal came first */
        passing->mask = passing->alternate_mask;
        passing->masked = PASSING_ALTERNATE;
    }
    passing->blocked = 0;
}

void mask_hand_over(const struct context *context) {
    if (context->blocks_faults)
        change_faults(SIG_BLOCK);
}

void mask_take_back(const struct context *context) {
    if (context->blocks_faults)
        change_faults(SIG_UNBLOCK);
}

void mask_postpone(siginfo_t *info, uint64_t *interrupted_mask) {
    *interrupted_mask |= FAULTS;
    if (info->si_code == SI_TKILL)
        system_signal_again(SIGSEGV, info);
    else
        SYSTEM_CALL(SYS_rt_sigqueueinfo, SYSTEM_CALL(SYS_getpid, 0), SIGSEGV, info);
}
