/* SPDX-License-Identifier: BSD-3-Clause
 * Calls of MPI (see mpi.h). */
#include "mpi.h"
#include "threads.h"

#include <asm/prctl.h>
#include <signal.h>
#include <sys/syscall.h>

#include "bench/count/base/system.h"
#include "bench/count/caches/levels.h"
#include "probe/marks/collector.h"

/* Part of the MPI library, if one is loaded with the program. */
extern void PMPI_Init(void) __attribute__((weak, visibility("default")));

bool mpi_is_mark(uint32_t mark) {
    return mark == MPI_MARK_BEGIN || mark == MPI_MARK_END;
}

/* With signals blocked: a signal in between would be stored in the context that the thread is about to leave. */
static struct context *move(struct context *from, struct context *to) {
    const uint64_t all = ~0ull;
    uint64_t before = 0;
    SYSTEM_CALL(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof all);
    to->passing = from->passing;
    to->filters = from->filters;
    to->strict = from->strict;
    to->blocks_faults = from->blocks_faults;
    __builtin_memcpy(to->tiles, from->tiles, sizeof to->tiles);
    to->rseq = from->rseq == (uint64_t)from->no_rseq ? (uint64_t)to->no_rseq : from->rseq;
    to->busy = true;
    if (to->core)
        levels_move(from, to);
    SYSTEM_CALL(SYS_arch_prctl, ARCH_SET_GS, to);
    from->busy = false;
    SYSTEM_CALL(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof before);
    return to;
}

/* Signal handlers may run on a separate stack. */
static bool on_signal_stack(uint64_t address) {
    stack_t stack = {.ss_flags = SS_DISABLE};
    SYSTEM_CALL(SYS_sigaltstack, NULL, &stack);
    return !(stack.ss_flags & SS_DISABLE) && address - (uint64_t)stack.ss_sp <= stack.ss_size;
}

/* In the call and its callees the stack is no shorter than at the mark. A jump out of the call is noticed here, because
 * the target is new to the inner context. */
struct context *mpi_notice_jump(struct context *context) {
    const uint64_t stack = context->passing.registers.rsp;
    if (!context->outside || stack <= context->mpi_stack ||
        on_signal_stack(stack) != on_signal_stack(context->mpi_stack))
        return context;
    context->mpi_depth = 0;
    context->before_main = false;
    return move(context, context->outside);
}

static struct context *enter(struct context *context) {
    struct context *inside = move(context, thread_inside(context));
    inside->mpi_stack = inside->passing.registers.rsp;
    return inside;
}

void mpi_start(struct context *context, char *const *argv) {
    if (!PMPI_Init)
        return;
    struct context *inside = move(context, thread_inside(context));
    inside->mpi_stack = (uint64_t)(argv - 2); /* argv[-1] is the number of arguments */
    inside->before_main = true;
}

struct context *mpi_mark(struct context *context, uint32_t mark) {
    if (mark == MPI_MARK_BEGIN && !context->in_mpi)
        return enter(context);
    if (mark == MPI_MARK_BEGIN)
        context->mpi_depth++;
    else if (context->mpi_depth > 0)
        context->mpi_depth--;
    else if (context->outside)
        return move(context, context->outside);
    return context;
}
