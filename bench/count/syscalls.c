/* SPDX-License-Identifier: BSD-3-Clause */
#include "counter.h"
#include "process.h"
#include "signal.h"
#include "threads.h"

#include <asm/prctl.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "bench/count/base/dump_file.h"
#include "bench/count/base/fail.h"
#include "bench/count/base/reach.h"
#include "bench/count/base/system.h"
#include "bench/count/code/cache.h"
#include "bench/count/code/emit.h"
#include "bench/count/code/gone.h"
#include "bench/count/code/object.h"
#include "bench/count/code/restartable.h"
#include "bench/count/code/stubs.h"
#include "bench/count/code/written.h"
#include "bench/count/kernel/exec.h"
#include "bench/count/kernel/filter.h"
#include "bench/count/kernel/mask.h"
#include "bench/count/kernel/pace.h"

/* System calls that change mappings or their protection, and memory that the kernel writes for the program. */

/* Code that the program changes by system calls: writes to /proc/PID/mem, and process_vm_writev. They need no
 * permission to write to the memory, and no visible store instruction. */

/* The addresses that a system call may change. */
struct memory_range {
    uint64_t low, high;
};

/* A just-in-time compiler maps the file in which it lists its code, for perf to find. */
static void syscalls_note_names(uint64_t descriptor) {
    char path[256];
    const long length = reach_path((uint32_t)descriptor, path, sizeof path - 1);
    if (system_failed(length))
        return;
    path[length] = '\0';
    const char *name = path + length;
    while (name > path && name[-1] != '/')
        name--;
    if (text_starts(name, "jit-") && text_equal(path + length - 5, ".dump"))
        object_names_written(path);
}

static bool drops_contents(uint64_t advice) {
    return advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE;
}

/* Whether the call changes mappings, and the range in which code may be gone or different afterwards. */
static bool mappings_change(const struct registers *call, struct memory_range *out) {
    *out = (struct memory_range){call->rdi, call->rdi + call->rsi};
    switch (call->rax) {
    case SYS_mmap:
        if ((call->rdx & PROT_EXEC) && !(call->r10 & MAP_ANONYMOUS))
            syscalls_note_names(call->r8);
        return (call->r10 & MAP_FIXED) != 0;
    case SYS_munmap:
    case SYS_mprotect:
    case SYS_pkey_mprotect:
    case SYS_mremap:
        return true;
    case SYS_madvise:
        return drops_contents(call->rdx);
    default:
        return false;
    }
}

/* Changes whole pages. */
static void leave_constants(uint64_t low, uint64_t high) {
    enum { PAGE_BYTES = 4096 };
    low &= ~(uint64_t)(PAGE_BYTES - 1);
    high = (high + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);
    object_forget_constants(low, high);
    gone_change_constants(low, high);
}

/* Called under the lock, right before such a call: code in the range is copied anew when it is next executed. True: the
 * threads' look-ups for code there must also be forgotten. */
static bool mappings_leave(const struct registers *call, const struct memory_range *range) {
    const bool may_write = (call->rax == SYS_mprotect || call->rax == SYS_pkey_mprotect) && (call->rdx & PROT_WRITE);
    written_forget(range->low, range->high);
    leave_constants(range->low, range->high);
    if (call->rax == SYS_mremap && (call->r10 & MREMAP_FIXED)) {
        written_forget(call->r8, call->r8 + call->rdx);
        leave_constants(call->r8, call->r8 + call->rdx);
    }
    if (!object_forget(range->low, range->high))
        return false;
    if (may_write) /* a part of it may change, and the rest still leads there */
        gone_change(range->low, range->high);
    else
        gone_forget(range->low, range->high);
    return true;
}

static void open_pieces(uint64_t pieces, uint64_t count) {
    enum { MOST_PIECES = 1024 };
    struct iovec piece;
    for (uint64_t i = 0; i < count && i < MOST_PIECES; i++)
        if (system_copy(&piece, pieces + i * sizeof piece, sizeof piece) == sizeof piece)
            written_open((uint64_t)piece.iov_base, (uint64_t)piece.iov_base + piece.iov_len);
}

/* Buffers for one received message, or several. */
static void open_messages(uint64_t messages, uint64_t count, uint64_t apart) {
    enum { MOST_MESSAGES = 1024 };
    struct msghdr message;
    for (uint64_t i = 0; i < count && i < MOST_MESSAGES; i++) {
        if (system_copy(&message, messages + i * apart, sizeof message) != sizeof message)
            return;
        open_pieces((uint64_t)message.msg_iov, message.msg_iovlen);
        written_open((uint64_t)message.msg_control, (uint64_t)message.msg_control + message.msg_controllen);
        written_open((uint64_t)message.msg_name, (uint64_t)message.msg_name + message.msg_namelen);
    }
}

static void open_what_they_lead_to(const struct registers *call) {
    switch (call->rax) {
    case SYS_readv:
    case SYS_preadv:
    case SYS_preadv2:
    case SYS_process_vm_readv:
    case SYS_vmsplice:
        open_pieces(call->rsi, call->rdx);
        break;
    case SYS_process_vm_writev: /* possibly to itself */
        open_pieces(call->r10, call->r8);
        break;
    case SYS_recvmsg:
        open_messages(call->rsi, 1, sizeof(struct msghdr));
        break;
    case SYS_recvmmsg:
        open_messages(call->rsi, call->rdx, sizeof(struct mmsghdr));
        break;
    default:
        break;
    }
}

/* The argument after an address may be its length. */
static void mappings_open_arguments(const struct registers *call) {
    enum { STRUCT_BYTES = 4096, MOST_BYTES = 1 << 30 };
    const uint64_t arguments[] = {call->rdi, call->rsi, call->rdx, call->r10, call->r8, call->r9, 0};
    if (!written_any_watched())
        return;
    system_lock();
    for (unsigned i = 0; i < 6; i++) {
        const uint64_t low = arguments[i], next = arguments[i + 1],
                       bytes = next > STRUCT_BYTES && next < MOST_BYTES ? next : STRUCT_BYTES;
        written_open(low, low + bytes < low ? ~0ull : low + bytes);
    }
    open_what_they_lead_to(call);
    system_unlock();
}

/* Code that the program changes by system calls. Descriptors are checked only after a file with such a name was
 * opened. */

enum { PATH_BYTES = 4096 };

static bool opened;

static bool ends_in_mem(const char *path, size_t length) {
    return length >= 3 && path[length - 3] == 'm' && path[length - 2] == 'e' && path[length - 1] == 'm' &&
           (length == 3 || path[length - 4] == '/');
}

/* Notes a system call that opens a file with such a name. */
static void own_memory_open(const struct registers *registers) {
    const uint64_t call = registers->rax;
    char path[PATH_BYTES];
    if ((call == SYS_open || call == SYS_openat || call == SYS_openat2) && !opened &&
        system_copy_text(path, call == SYS_open ? registers->rdi : registers->rsi, sizeof path))
        opened = ends_in_mem(path, text_length(path));
}

/* "": not the memory of a process. */
static void syscalls_find_memory(uint64_t descriptor, struct text *out) {
    const long length = opened ? reach_path((uint32_t)descriptor, out->bytes, sizeof out->bytes - 1) : -1;
    out->bytes[system_failed(length) ? 0 : length] = '\0';
    if (!text_starts(out->bytes, "/proc/") || !ends_in_mem(out->bytes, text_length(out->bytes)))
        out->bytes[0] = '\0';
}

static bool syscalls_is_memory(uint64_t descriptor) {
    struct text path;
    syscalls_find_memory(descriptor, &path);
    return path.bytes[0] != '\0';
}

static bool is_memory_of_another(uint64_t descriptor) {
    struct text path, own = {.length = 0};
    syscalls_find_memory(descriptor, &path);
    text_add(&own, "/proc/");
    text_add_number(&own, (uint64_t)SYSTEM_CALL(SYS_getpid, 0), 10);
    text_add(&own, "/");
    return path.bytes[0] != '\0' && !text_starts(path.bytes, own.bytes);
}

/* Whether a system call writes a breakpoint into the code of another process, as debuggers do. */
static bool own_memory_breaks_others(const struct registers *registers) {
    enum { BREAKPOINT = 0xcc };
    uint8_t bytes[sizeof(uint64_t)] = {0};
    size_t count = 0;
    if (registers->rax == SYS_ptrace && (registers->rdi == PTRACE_POKETEXT || registers->rdi == PTRACE_POKEDATA))
        __builtin_memcpy(bytes, &registers->r10, count = sizeof bytes);
    else if ((registers->rax == SYS_write || registers->rax == SYS_pwrite64) && registers->rdx <= sizeof bytes &&
             is_memory_of_another(registers->rdi))
        count = system_copy(bytes, registers->rsi, registers->rdx);
    for (size_t i = 0; i < count; i++)
        if (bytes[i] == BREAKPOINT)
            return true;
    return false;
}

/* Whether a system call may change the process's own memory. */
static bool own_memory_is_written(const struct registers *registers) {
    switch (registers->rax) {
    case SYS_process_vm_writev:
        return true;
    case SYS_sendfile:
        return syscalls_is_memory(registers->rdi);
    case SYS_splice:
    case SYS_copy_file_range:
        return syscalls_is_memory(registers->rdx);
    case SYS_write:
    case SYS_pwrite64:
    case SYS_writev:
    case SYS_pwritev:
    case SYS_pwritev2:
        return syscalls_is_memory(registers->rdi);
    default:
        return false;
    }
}

static struct memory_range syscalls_range_of(const struct iovec *pieces, uint64_t count) {
    struct memory_range range = {~0ull, 0};
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t low = (uint64_t)pieces[i].iov_base, high = low + pieces[i].iov_len;
        range.low = low < range.low ? low : range.low;
        range.high = high > range.high ? high : range.high;
    }
    return range;
}

static struct memory_range own_memory_range(const struct registers *registers) {
    struct memory_range range = {0, ~0ull - 1};
    if (registers->rax == SYS_process_vm_writev)
        return syscalls_range_of((const struct iovec *)registers->r10, registers->r8);
    if (registers->rax == SYS_pwrite64) {
        range.low = registers->r10;
        range.high = range.low + registers->rdx;
    } else if (registers->rax == SYS_write) { /* the file position is after it now */
        range.high = (uint64_t)SYSTEM_CALL(SYS_lseek, registers->rdi, 0, SEEK_CUR);
        range.low = range.high - registers->rdx;
    }
    return range;
}

/* Calls by which the program cuts the counter off: another root or user, limits, and descriptors. */

enum { LANDLOCK_RESTRICT_SELF = 446, MOVE_MOUNT = 429 }; /* missing in older headers */

/* Whether paths may lead elsewhere after this call, or access rights may be lost. */
static bool closes_paths(uint64_t call) {
    static const uint16_t calls[] = {
        SYS_chroot, SYS_pivot_root,         SYS_unshare,   SYS_setns,    SYS_mount,     SYS_umount2,
        MOVE_MOUNT, LANDLOCK_RESTRICT_SELF, SYS_setuid,    SYS_setreuid, SYS_setresuid, SYS_setfsuid,
        SYS_setgid, SYS_setregid,           SYS_setresgid, SYS_setfsgid, SYS_setgroups, SYS_capset};
    for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++)
        if (call == calls[i])
            return true;
    return false;
}

/* Whether the call sets a limit of this kind for this process. */
static bool limits(const struct registers *r, uint64_t resource) {
    const bool own = r->rax == SYS_setrlimit || (r->rax == SYS_prlimit64 && r->rdx != 0 &&
                                                 (r->rdi == 0 || r->rdi == (uint64_t)SYSTEM_CALL(SYS_getpid, 0)));
    return own && (r->rax == SYS_setrlimit ? r->rdi : r->rsi) == resource;
}

/* Closes the range except held descriptors. */
static uint64_t close_range_but_held(const struct registers *r) {
    uint64_t first = (uint32_t)r->rdi;
    const uint64_t last = (uint32_t)r->rsi;
    long result = last < first ? -EINVAL : 0;
    while (result == 0 && first <= last) {
        uint64_t end = ~0ull; /* the next held descriptor */
        for (enum reach_kind kind = 0; kind < REACH_COUNT; kind++) {
            const uint64_t held = (uint64_t)reach_held(kind);
            end = reach_held(kind) >= 0 && held >= first && held < end ? held : end;
        }
        const uint64_t until = end > last ? last : end - 1;
        if (first != end)
            result = SYSTEM_CALL(SYS_close_range, first, until, r->rdx);
        first = end > last ? last + 1 : end + 1;
    }
    return (uint64_t)result;
}

/* Called before each system call: holds what the call would make inaccessible (base/reach.h). `own`: the counted
 * process, not a child that borrows its memory. True: the call would have closed a held descriptor, and was made here
 * without that; its result is in rax. */
static bool closing_call(struct registers *r, bool own) {
    if (own && closes_paths(r->rax))
        dump_hold();
    else if (own && limits(r, RLIMIT_FSIZE))
        dump_hold_room();
    else if (own && limits(r, RLIMIT_NOFILE))
        dump_hold();
    if (!reach_holds())
        return false;
    switch (r->rax) {
    case SYS_close:
        if (!reach_owns(r->rdi))
            return false;
        r->rax = (uint64_t)-EBADF;
        return true;
    case SYS_close_range:
        r->rax = close_range_but_held(r);
        return true;
    case SYS_dup2:
    case SYS_dup3:
        reach_make_way(r->rsi);
        return false;
    default:
        return false;
    }
}

enum { SYSCALL_BYTES = 2 };

/* After a call that was made here: sets the two registers that the CPU changes; returns where to continue. */
static uint64_t syscalls_behind(const struct exit *exit, struct registers *r) {
    r->rcx = exit->next;
    r->r11 = r->flags;
    return exit->resume + SYSCALL_BYTES;
}

/* Makes the call here and continues after it. */
static uint64_t call_here(const struct exit *exit, struct registers *r) {
    r->rax = (uint64_t)system_call((long)r->rax, (long)r->rdi, (long)r->rsi, (long)r->rdx, (long)r->r10, (long)r->r8,
                                   (long)r->r9);
    return syscalls_behind(exit, r);
}

/* Threads that were just created may not be in our list yet. */
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
        /* A thread that ended for us may still be ending in the kernel. */
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

/* A program may have no descriptor left for the report. It ends now, so it can spare one. */
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
        if (!threads_living()) /* still none: none has begun meanwhile */
            dump_write();
        system_unlock();
    }
    return exit->resume;
}

/* A signal meanwhile is for this program: its handler runs first, and then the call is made again. Otherwise the next
 * program would start with all signals blocked. */
static uint64_t syscalls_execute(struct context *context, const struct exit *exit, struct registers *r) {
    enum { BELOW_BYTES = 256 }; /* below the red zone */
    struct passing *passing = &context->passing;
    const bool alternate = passing->masked == PASSING_ALTERNATE, own = process_is_own();
    const uint64_t path = self_path(r->rax == SYS_execve ? r->rdi : r->rsi),
                   mask = mask_of_program(context, passing->mask);
    const struct system_place place = {
        .stack = alternate ? (r->rsp - BELOW_BYTES) & ~15ull : 0, .mask = &mask, .stop = &passing->masked};
    long result;
    passing->masked = alternate ? 0 : passing->masked;
    dump_announce_exec(path, own);
    if (own)
        report();
    mask_hand_over(context);
    if (r->rax == SYS_execve)
        result = exec_counted(path, r->rsi, r->rdx, &place);
    else
        result = exec_call(&place, SYS_execveat,
                           (long[5]){(long)r->rdi, (long)r->rsi, (long)r->rdx, (long)r->r10, (long)r->r8});
    mask_take_back(context);
    dump_withdraw_exec(own);
    if (own)
        dump_go_on();
    if (result == -EINTR && passing->masked)
        return exit->resume - EMIT_EXIT_BYTES;
    passing->masked = alternate ? PASSING_ALTERNATE : passing->masked;
    r->rax = (uint64_t)result;
    return syscalls_behind(exit, r);
}

/* Runs first in a new thread, on the thread's own stack, with the creator's context still in gs. */
static void begin_thread(void) {
    struct context *creator;
    __asm__("mov %%gs:0, %0" : "=r"(creator));
    if (process_is_own()) {
        thread_create(creator, creator->dispatch);
        dump_unfinish(); /* the last known thread may have ended just now */
    } else
        process_forked(creator);
}

static uint64_t syscalls_create(struct context *context, struct exit *exit, struct registers *r) {
    uint64_t flags = 0, stack = 0;
    if (r->rax == SYS_clone) {
        flags = r->rdi;
        stack = r->rsi;
    } else if (r->rax == SYS_clone3) {
        struct clone_args arguments = {.flags = 0};
        system_copy(&arguments, r->rdi, offsetof(struct clone_args, tls));
        flags = arguments.flags;
        stack = arguments.stack;
    }
    /* The parent waits while the child borrows its memory: the child may use the parent's context. */
    if (r->rax == SYS_vfork || ((flags & CLONE_VM) && (flags & CLONE_VFORK)))
        return exit->resume;
    if ((flags & CLONE_VM) && !(flags & CLONE_THREAD))
        fail_program("it creates processes that share its memory without being threads (clone with CLONE_VM); "
                     "`--counters papi` counts it if the CPU's counters can be read",
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

/* Makes the call here, under the lock: code there must not be copied before the call is over. */
static uint64_t change_mappings(const struct exit *exit, struct registers *r, const struct memory_range *range) {
    system_lock();
    if (mappings_leave(r, range))
        threads_forget(range->low, range->high);
    const uint64_t resume = call_here(exit, r);
    system_unlock();
    return resume;
}

/* Makes a call here that writes to the process's own memory and does not wait. Changed code is copied anew. */
static uint64_t syscalls_write_memory(const struct exit *exit, struct registers *r) {
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

/* Calls that matter because they affect memory. */
static uint64_t call_for_memory(const struct exit *exit, struct registers *r) {
    struct memory_range range;
    if (mappings_change(r, &range))
        return change_mappings(exit, r, &range);
    if (own_memory_breaks_others(r))
        fail_program("it puts a breakpoint into the code of another process, which executes copies of that code; "
                     "count that program by itself, without a debugger",
                     0);
    own_memory_open(r);
    return own_memory_is_written(r) ? syscalls_write_memory(exit, r) : exit->resume;
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

/* A call that the program's own filters reject is left to the program: the kernel does the same as without the counter.
 * 0: the filters let it through. */
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
    return done ? syscalls_behind(exit, &context->passing.registers) : exit->resume;
}

static uint64_t change_mask(struct context *context, const struct exit *exit, struct registers *r) {
    if (!process_is_own()) /* it borrows its parent's context */
        return exit->resume;
    r->rax = (uint64_t)mask_change(context, r);
    return syscalls_behind(exit, r);
}

uint64_t syscalls_enter(struct context *context, struct exit *exit) {
    struct registers *r = &context->passing.registers;
    const uint64_t refused = context->filters || context->strict ? filtered(context, exit) : 0;
    if (refused)
        return refused;
    if (filter_is_set_by(r))
        return set_filter(context, exit);
    mappings_open_arguments(r);
    const bool own = process_is_own();
    if (closing_call(r, own) || self_call(r) || (own && pace_call(context, r)))
        return syscalls_behind(exit, r);
    switch (r->rax) {
    case SYS_exit_group:
        return end_process(context, exit);
    case SYS_exit:
        return end_thread(context, exit);
    case SYS_execve:
    case SYS_execveat:
        return syscalls_execute(context, exit, r);
    case SYS_clone:
    case SYS_clone3:
    case SYS_fork:
    case SYS_vfork:
        return syscalls_create(context, exit, r);
    case SYS_rseq:
        restartable_register(context, r);
        return exit->resume;
    case SYS_rt_sigaction:
        r->rax = (uint64_t)signal_set_action(r);
        return syscalls_behind(exit, r);
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
