/* SPDX-License-Identifier: BSD-3-Clause
 * The program's system calls (see syscalls.h). */
#include "syscalls.h"
#include "dump_write.h"
#include "follow.h"
#include "lessons.h"
#include "process.h"
#include "signal.h"
#include "threads.h"

#include <asm/prctl.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench/count/base/dump_file.h"
#include "bench/count/base/fail.h"
#include "bench/count/base/reach.h"
#include "bench/count/base/system.h"
#include "bench/count/code/emit.h"
#include "bench/count/code/gone.h"
#include "bench/count/code/restartable.h"
#include "bench/count/code/stubs.h"
#include "bench/count/kernel/closing.h"
#include "bench/count/kernel/exec.h"
#include "bench/count/kernel/filter.h"
#include "bench/count/kernel/mappings.h"
#include "bench/count/kernel/mask.h"
#include "bench/count/kernel/own_memory.h"
#include "bench/count/kernel/pace.h"
#include "bench/count/kernel/self.h"

enum { SYSCALL_BYTES = 2 };

/* Behind a call that was made here, with what the CPU leaves in two registers. */
static uint64_t behind(const struct exit *exit, struct registers *r) {
    r->rcx = exit->next;
    r->r11 = r->flags;
    return exit->resume + SYSCALL_BYTES;
}

/* Makes the call here, and goes on behind it. */
static uint64_t call_here(const struct exit *exit, struct registers *r) {
    r->rax = (uint64_t)system_call((long)r->rax, (long)r->rdi, (long)r->rsi, (long)r->rdx, (long)r->r10, (long)r->r8,
                                   (long)r->r9);
    return behind(exit, r);
}

/* Threads that another one has just created are on their way into our list. */
static bool all_threads_known(void) {
    enum { TRIES = 1000 };
    static char entries[1 << 15];
    for (unsigned attempt = 0; attempt < TRIES; attempt++) {
        uint32_t tasks = 0;
        long folder = reach_open(REACH_PROC, "self/task", O_RDONLY | O_DIRECTORY), got;
        if (system_failed(folder))
            return true;
        while ((got = SYSTEM_CALL(SYS_getdents64, folder, entries, sizeof entries)) > 0)
            for (long at = 0; at < got; at += *(const uint16_t *)(const void *)(entries + at + 16))
                tasks += entries[at + 19] != '.';
        SYSTEM_CALL(SYS_close, folder);
        const uint32_t known = threads_listed();
        /* One that ended for us may still be on its way out for the kernel. */
        if (tasks <= known || (tasks <= known + 1 && attempt > TRIES / 2))
            return true;
        SYSTEM_CALL(SYS_sched_yield, 0);
    }
    return false;
}

static void report(void) {
    if (!all_threads_known())
        fail_program("it has threads that were started before counting began", 0);
    system_lock();
    dump_write();
    system_unlock();
}

/* A program that has used up its descriptors leaves none for the report. It ends now, so it can spare one. */
static void spare_descriptor(void) {
    if (reach_holds())
        return;
    long file = SYSTEM_CALL(SYS_open, "/proc/self/task", O_RDONLY | O_CLOEXEC);
    SYSTEM_CALL(SYS_close, file == -EMFILE ? STDIN_FILENO : file);
}

static uint64_t end_thread(struct context *context, const struct exit *exit) {
    const bool own = process_is_own();
    if (own)
        signal_end(context);
    if (own && thread_end(context)) {
        spare_descriptor();
        system_lock();
        if (!threads_living()) /* as before: none has begun meanwhile */
            dump_write();
        system_unlock();
    }
    return exit->resume;
}

/* A signal that comes meanwhile is for this program: its handler runs first, and then the call is made again. Else the
 * next program would find all signals blocked. */
static uint64_t execute(const struct context *context, const struct exit *exit, struct registers *r) {
    const uint64_t path = self_path(r->rax == SYS_execve ? r->rdi : r->rsi), *stop = &context->passing.masked;
    bool own = process_is_own();
    long result;
    dump_announce_exec(path, own);
    if (own)
        report();
    mask_hand_over(context);
    if (r->rax == SYS_execve)
        result = exec_counted(path, r->rsi, r->rdx, stop);
    else
        result =
            system_call_unless(stop, SYS_execveat, (long)r->rdi, (long)r->rsi, (long)r->rdx, (long)r->r10, (long)r->r8);
    mask_take_back(context);
    dump_withdraw_exec(own);
    if (own)
        dump_go_on();
    if (result == -EINTR && *stop)
        return exit->resume - EMIT_EXIT_BYTES;
    r->rax = (uint64_t)result;
    return behind(exit, r);
}

/* Runs first in a new thread, on its own stack, with its creator's context still in gs. */
static void begin_thread(void) {
    struct context *creator;
    __asm__("mov %%gs:0, %0" : "=r"(creator));
    if (process_is_own()) {
        thread_create(creator, creator->dispatch);
        dump_unfinish(); /* the last thread that was known may have ended just now */
    } else
        process_forked(creator);
}

static uint64_t create(struct context *context, struct exit *exit, struct registers *r) {
    uint64_t flags = 0, stack = 0;
    if (r->rax == SYS_clone) {
        flags = r->rdi;
        stack = r->rsi;
    } else if (r->rax == SYS_clone3) {
        const struct clone_args *arguments = (const struct clone_args *)r->rdi;
        flags = arguments->flags;
        stack = arguments->stack;
    }
    /* Its parent waits while it borrows the memory: it may use the parent's context. */
    if (r->rax == SYS_vfork || ((flags & CLONE_VM) && (flags & CLONE_VFORK)))
        return exit->resume;
    if ((flags & CLONE_VM) && !(flags & CLONE_THREAD))
        fail_program("it creates processes that share its memory and are no threads (clone with CLONE_VM); "
                     "`--counters papi` counts it where the CPU's counters can be read",
                     0);
    if (stack) {
        system_lock();
        uint64_t child = stubs_child(exit, (uint32_t)context->passing.exit, begin_thread);
        system_unlock();
        return child;
    }
    follow_lessons(context);
    lessons_offer();
    system_lock();
    uint64_t resume = call_here(exit, r);
    system_unlock();
    if (r->rax == 0)
        process_forked(context);
    return resume;
}

/* Made here under the lock, since no code there may be copied before it is over. */
static uint64_t change_mappings(const struct exit *exit, struct registers *r, const struct memory_range *range) {
    system_lock();
    if (mappings_leave(r, range))
        threads_forget(range->low, range->high);
    const uint64_t resume = call_here(exit, r);
    system_unlock();
    return resume;
}

/* Makes a call here that writes to the process's own memory, and does not wait; code that it has changed is copied
 * anew. */
static uint64_t write_memory(const struct exit *exit, struct registers *r) {
    const struct registers arguments = *r;
    uint64_t resume = call_here(exit, r);
    if (system_failed((long)r->rax))
        return resume;
    const struct memory_range range = own_memory_range(&arguments);
    system_lock();
    gone_change(range.low, range.high);
    gone_change_constants(range.low, range.high);
    threads_forget(range.low, range.high);
    system_unlock();
    return resume;
}

/* Calls that are of interest for what they do to memory. */
static uint64_t call_for_memory(const struct exit *exit, struct registers *r) {
    struct memory_range range;
    if (mappings_change(r, &range))
        return change_mappings(exit, r, &range);
    if (own_memory_breaks_others(r))
        fail_program("it puts a breakpoint into the code of another process, of which copies are executed; count that "
                     "program by itself, without a debugger",
                     0);
    own_memory_open(r);
    return own_memory_is_written(r) ? write_memory(exit, r) : exit->resume;
}

static uint64_t end_process(struct context *context, const struct exit *exit) {
    if (process_is_own()) {
        signal_end(context);
        spare_descriptor();
        report();
    }
    return exit->resume;
}

static uint64_t end_by_kill(struct context *context, const struct exit *exit) {
    end_thread(context, exit);
    if (!threads_living())
        SYSTEM_CALL(SYS_kill, SYSTEM_CALL(SYS_getpid, 0), SIGKILL);
    context->passing.registers.rax = SYS_exit;
    return exit->resume;
}

/* A call that the program's own filters do not let through is made by the program: the kernel does what it does
 * natively. 0: they let it through. */
static uint64_t filtered(struct context *context, const struct exit *exit) {
    switch (filter_judge(context, exit->next)) {
    case FILTER_REFUSES:
        return exit->resume;
    case FILTER_ENDS_THREAD:
        return end_thread(context, exit);
    case FILTER_ENDS_PROCESS:
        return end_process(context, exit);
    case FILTER_KILLS:
        return end_by_kill(context, exit);
    case FILTER_PASSES:
        break;
    }
    return 0;
}

static uint64_t set_filter(struct context *context, const struct exit *exit) {
    system_lock();
    const bool done = filter_set(context, threads_first(), process_is_own());
    system_unlock();
    return done ? behind(exit, &context->passing.registers) : exit->resume;
}

static uint64_t change_mask(struct context *context, const struct exit *exit, struct registers *r) {
    if (!process_is_own()) /* it borrows its parent's context */
        return exit->resume;
    r->rax = (uint64_t)mask_change(context, r);
    return behind(exit, r);
}

uint64_t syscalls_enter(struct context *context, struct exit *exit) {
    struct registers *r = &context->passing.registers;
    const uint64_t refused = context->filters || context->strict ? filtered(context, exit) : 0;
    if (refused)
        return refused;
    if (filter_is_set_by(r))
        return set_filter(context, exit);
    mappings_open_arguments(r);
    if (closing_call(r, process_is_own()) || self_call(r) || pace_call(context, r))
        return behind(exit, r);
    switch (r->rax) {
    case SYS_exit_group:
        return end_process(context, exit);
    case SYS_exit:
        return end_thread(context, exit);
    case SYS_execve:
    case SYS_execveat:
        return execute(context, exit, r);
    case SYS_clone:
    case SYS_clone3:
    case SYS_fork:
    case SYS_vfork:
        return create(context, exit, r);
    case SYS_rseq:
        restartable_register(context, r);
        return exit->resume;
    case SYS_rt_sigaction:
        r->rax = (uint64_t)signal_set_action(r);
        return behind(exit, r);
    case SYS_rt_sigprocmask:
        return change_mask(context, exit, r);
    case SYS_rt_sigreturn:
        signal_return(context);
    case SYS_kill:
        if (r->rsi == SIGKILL && (int)r->rdi > 0)
            dump_announce_kill(r->rdi);
        return exit->resume;
    case SYS_arch_prctl:
        if (r->rdi == ARCH_SET_GS)
            fail_program("it uses the gs segment, which the counter needs", 0);
        return exit->resume;
    default:
        return call_for_memory(exit, r);
    }
}
