/* SPDX-License-Identifier: BSD-3-Clause
 * libcarmine-count.so: takes over the program into which it is preloaded; and the dispatcher, which code in the cache
 * enters when it does not know where to continue. */
#include "counter.h"
#include "process.h"
#include "region.h"
#include "signal.h"
#include "slices.h"
#include "threads.h"

#include <asm/prctl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "bench/count/base/dump_file.h"
#include "bench/count/base/fail.h"
#include "bench/count/base/system.h"
#include "bench/count/caches/levels.h"
#include "bench/count/code/cache.h"
#include "bench/count/code/context.h"
#include "bench/count/code/decode.h"
#include "bench/count/code/gone.h"
#include "bench/count/code/links.h"
#include "bench/count/code/marks.h"
#include "bench/count/code/restartable.h"
#include "bench/count/code/stubs.h"
#include "bench/count/code/translate.h"
#include "bench/count/code/written.h"
#include "bench/count/kernel/exec.h"
#include "bench/count/kernel/mask.h"
#include "bench/count/kernel/pace.h"
#include "probe/marks/collector.h"
#include "probe/marks/ranks.h"

/* Counts inside MPI calls are separate: during a call, another context with its own counters is at the thread's gs. */

/* Part of the MPI library, if one is loaded with the program. */
extern void PMPI_Init(void) __attribute__((weak, visibility("default")));

/* Whether the mark belongs to libcarmine-mpi.so. */
static bool mpi_is_mark(uint32_t mark) {
    return mark == MPI_MARK_BEGIN || mark == MPI_MARK_END;
}

/* With signals blocked: a signal in between would be stored in the context that the thread is about to leave. */
static struct context *counter_move(struct context *from, struct context *to) {
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
static struct context *mpi_notice_jump(struct context *context) {
    const uint64_t stack = context->passing.registers.rsp;
    if (!context->outside || stack <= context->mpi_stack ||
        on_signal_stack(stack) != on_signal_stack(context->mpi_stack))
        return context;
    context->mpi_depth = 0;
    context->before_main = false;
    return counter_move(context, context->outside);
}

static struct context *enter_block(struct context *context) {
    struct context *inside = counter_move(context, thread_inside(context));
    inside->mpi_stack = inside->passing.registers.rsp;
    return inside;
}

/* Call when counting begins, before the program's first instruction. If an MPI library is loaded, the constructors of
 * libraries count as inside an MPI call, because some of them measure the speed of a clock. They have ended when the
 * stack is as short as at the program's start, where `argv` lies. */
static void mpi_start(struct context *context, char *const *argv) {
    if (!PMPI_Init)
        return;
    struct context *inside = counter_move(context, thread_inside(context));
    inside->mpi_stack = (uint64_t)(argv - 2); /* argv[-1] is the number of arguments */
    inside->before_main = true;
}

/* The thread has reached a begin or end mark of an MPI call. Returns the context that counts from now on; gs points to
 * it. */
static struct context *mpi_mark(struct context *context, uint32_t mark) {
    if (mark == MPI_MARK_BEGIN && !context->in_mpi)
        return enter_block(context);
    if (mark == MPI_MARK_BEGIN)
        context->mpi_depth++;
    else if (context->mpi_depth > 0)
        context->mpi_depth--;
    else if (context->outside)
        return counter_move(context, context->outside);
    return context;
}

/* Called by counter_dispatch. */
__attribute__((used, visibility("hidden"))) uint64_t counter_decide(struct context *context);
uint64_t counter_decide(struct context *context) {
    context->busy = true;
    mask_on_alternate_stack(context);
    context = mpi_notice_jump(context);
    struct exit *exit = context->passing.exit ? exit_get(context->passing.exit) : NULL;
    uint64_t resume;
    if (!exit || exit->kind <= EXIT_GUESS) {
        resume = follow_exit(context, exit);
    } else if (exit->kind == EXIT_MARK && mpi_is_mark(exit->mark)) {
        context = mpi_mark(context, exit->mark);
        resume = exit->resume;
    } else if (exit->kind == EXIT_MARK) {
        system_lock();
        region_mark(context, threads_first(), exit->mark, (const char *)context->passing.registers.rdi);
        system_unlock();
        resume = exit->resume;
    } else if (exit->kind == EXIT_ABORT) {
        restartable_abort(context, exit);
        resume = follow_exit(context, NULL);
    } else {
        resume = syscalls_enter(context, exit);
    }
    context->busy = false;
    return resume;
}

/* Called by counter_dispatch after a signal came meanwhile: first set the mask, which delivers the signal, then
 * continue. */
__attribute__((used, visibility("hidden"))) void counter_unmask(struct context *context);
void counter_unmask(struct context *context) {
    context->passing.masked = 0;
    context->passing.after = context->passing.resume;
    context->passing.resume = stubs_get()->mask;
}

/* In assembly: the entry from the cache to counter_decide, and the kernel's entry for signals to signal_receive. */
void counter_dispatch(void);
void counter_dispatch_tail(void);
void counter_dispatch_end(void);
void counter_signal(void);

/* Continues in the cache as the program's next instruction; never returns here. */
void counter_take_over(void);

/* Offsets in struct context, for the assembly. */
#define AT_SELF            "0x0"
#define AT_STACK           "0x8"
#define AT_SIGNAL_STACK    "0x18"
#define AT_TARGET          "0x20"
#define AT_EXIT            "0x28"
#define AT_RESUME          "0x30"
#define AT_MASKED          "0x48"
#define AT_REGISTERS       "0x80"
#define AT_ALTERNATE       "0x158"
#define AT_ALTERNATE_LOW   "0x160"
#define AT_ALTERNATE_BYTES "0x168"
#define AT_MASK_BEFORE     "0x170"
#define AT_BLOCKED         "0x178"
_Static_assert(CONTEXT_OFFSET(self) == 0 && CONTEXT_OFFSET(stack) == 0x8 && CONTEXT_OFFSET(signal_stack) == 0x18 &&
                   PASSING_OFFSET(target) == 0x20 && PASSING_OFFSET(exit) == 0x28 && PASSING_OFFSET(resume) == 0x30 &&
                   PASSING_OFFSET(masked) == 0x48 && PASSING_OFFSET(alternate) == 0x158 &&
                   PASSING_OFFSET(alternate_low) == 0x160 && PASSING_OFFSET(alternate_bytes) == 0x168 &&
                   PASSING_OFFSET(alternate_mask) == 0x170 && PASSING_OFFSET(blocked) == 0x178 &&
                   PASSING_OFFSET(registers) == 0x80,
               "the assembly's offsets");

/* Each register with its offset in struct registers. */
#define FOR_REGISTERS(do)                                                                                              \
    do                                                                                                                 \
    ("rax", "0x00") do("rcx", "0x08") do("rdx", "0x10") do("rbx", "0x18") do("rbp", "0x20") do("rsi", "0x28") do(      \
        "rdi", "0x30") do("r8", "0x38") do("r9",                                                                       \
                                           "0x40") do("r10",                                                           \
                                                      "0x48") do("r11",                                                \
                                                                 "0x50") do("r12",                                     \
                                                                            "0x58") do("r13",                          \
                                                                                       "0x60") do("r14",               \
                                                                                                  "0x68") do("r15",    \
                                                                                                             "0x70")
#define PUT_ASIDE(name, place) "mov %" name ", %gs:" AT_REGISTERS "+" place "\n"
#define PUT_BACK(name, place)  "mov %gs:" AT_REGISTERS "+" place ", %" name "\n"
#define AT_SAVED_FLAGS         AT_REGISTERS "+0x78"
#define AT_RSP                 AT_REGISTERS "+0x80"
/* The program may have set the AC flag, which traps unaligned accesses; the counter's own may be unaligned. */
#define ALIGN_AS_USUAL                                                                                                 \
    "pushfq\n"                                                                                                         \
    "testl $0x40000, (%rsp)\n"                                                                                         \
    "jz 1f\n"                                                                                                          \
    "andl $~0x40000, (%rsp)\n"                                                                                         \
    "popfq\n"                                                                                                          \
    "pushfq\n"                                                                                                         \
    "1:\n"                                                                                                             \
    "lea 8(%rsp), %rsp\n"
#define FUNCTION(name) ".globl " #name "\n.hidden " #name "\n" #name ":\n"

/* clang-format off */
__asm__(
    ".text\n"
    FUNCTION(counter_dispatch)
    FOR_REGISTERS(PUT_ASIDE)
    "mov %gs:" AT_ALTERNATE ", %rcx\n"
    "jrcxz 2f\n" /* else see mask_on_alternate_stack(); the flags are still the program's */
    "lahf\n"
    "seto %al\n"
    "mov %rax, %rbx\n"
    "mov %rsp, %rdx\n"
    "sub %gs:" AT_ALTERNATE_LOW ", %rdx\n"
    "cmp %gs:" AT_ALTERNATE_BYTES ", %rdx\n"
    "mov $0, %ecx\n"
    "setbe %cl\n"
    "mov %rbx, %rax\n"
    "add $0x7f, %al\n"
    "sahf\n"
    "jrcxz 2f\n" /* it is not on that stack */
    "lea -128(%rsp), %rsp\n"
    "mov $14, %edi\n" /* rt_sigprocmask: SIG_BLOCK */
    "mov $0, %esi\n"
    "lea all_signals(%rip), %rdx\n"
    "mov %gs:" AT_SELF ", %rcx\n"
    "lea " AT_MASK_BEFORE "(%rcx), %rcx\n"
    "mov $8, %r8d\n"
    "call system_call\n"
    "lea 128(%rsp), %rsp\n"
    "movq $1, %gs:" AT_BLOCKED "\n"
    "2:\n"
    "mov %rsp, %gs:" AT_RSP "\n"
    "mov %gs:" AT_STACK ", %rsp\n"
    "pushfq\n"
    "popq %gs:" AT_SAVED_FLAGS "\n"
    ALIGN_AS_USUAL
    "cld\n"
    FUNCTION(counter_enter) /* all registers are in the context */
    "mov %gs:" AT_STACK ", %rsp\n"
    "mov %gs:" AT_SELF ", %rdi\n"
    "call counter_decide\n"
    "mov %rax, %gs:" AT_RESUME "\n"
    "cmpq $0, %gs:" AT_MASKED "\n"
    FUNCTION(counter_dispatch_tail) /* from here on, a signal changes the address to resume at */
    "je 1f\n"
    "mov %gs:" AT_SELF ", %rdi\n"
    "call counter_unmask\n"
    "1:\n"
    "pushq %gs:" AT_SAVED_FLAGS "\n"
    "popfq\n"
    FOR_REGISTERS(PUT_BACK)
    "mov %gs:" AT_RSP ", %rsp\n"
    "jmp *%gs:" AT_RESUME "\n"
    FUNCTION(counter_dispatch_end)

    /* The kernel has put the arguments for the program's handler into rdi, rsi and rdx, and the frame on its stack. */
    FUNCTION(counter_signal)
    "mov %rsp, %rcx\n"
    "mov %gs:" AT_SELF ", %r8\n"
    "mov %gs:" AT_SIGNAL_STACK ", %rsp\n"
    "push %rcx\n"
    "push %rcx\n"
    ALIGN_AS_USUAL
    "cld\n"
    "call signal_receive\n"
    "test %al, %al\n"
    "jnz counter_enter\n"
    "pop %rdi\n"
    "add $8, %rdi\n"
    "jmp system_return\n"

    FUNCTION(counter_take_over)
    "pop %rcx\n"
    "mov %rcx, %gs:" AT_TARGET "\n"
    "movq $0, %gs:" AT_EXIT "\n"
    "jmp counter_dispatch\n"

    /* The hooks of libcarmine: marks, with the name in rdi. */
    FUNCTION(counter_name_begin)
    "push %rbx\n"
    "mov $0xca41, %ebx\n"
    ".byte 0x64, 0x67, 0x90\n"
    "pop %rbx\n"
    "ret\n"
    FUNCTION(counter_name_end)
    "push %rbx\n"
    "mov $0xca42, %ebx\n"
    ".byte 0x64, 0x67, 0x90\n"
    "pop %rbx\n"
    "ret\n"

    /* The hooks of adapters. */
    FUNCTION(counter_region_begin)
    "push %rbx\n"
    "mov $0xca43, %ebx\n"
    ".byte 0x64, 0x67, 0x90\n"
    "pop %rbx\n"
    "ret\n"
    FUNCTION(counter_region_end)
    "push %rbx\n"
    "mov $0xca44, %ebx\n"
    ".byte 0x64, 0x67, 0x90\n"
    "pop %rbx\n"
    "ret\n");
/* clang-format on */
_Static_assert(MARK_NAME_BEGIN == 0xca41 && MARK_NAME_END == 0xca42 && MARK_REGION_BEGIN == 0xca43 &&
                   MARK_REGION_END == 0xca44,
               "the hooks' marks");

void counter_name_begin(const char *name);
void counter_name_end(const char *name);
void counter_region_begin(const char *name);
void counter_region_end(const char *name);
#define EXPORTED __attribute__((visibility("default")))
EXPORTED extern const struct carmine_collector carmine_collector, carmine_regions;
const struct carmine_collector carmine_collector = {COLLECTOR_VERSION, counter_name_begin, counter_name_end};
const struct carmine_collector carmine_regions = {COLLECTOR_VERSION, counter_region_begin, counter_region_end};

/* From ThreadSanitizer, if the program contains it. */
extern void __tsan_init(void) __attribute__((weak, visibility("default"))); // NOLINT(*-reserved-identifier,cert-dcl*)

bool counter_prepare(const char *folder, char **environment) {
    dump_prepare(folder, rank_find(environment));
    if (!dump_start())
        return false;
    if (__tsan_init)
        fail_program("it contains ThreadSanitizer, which records each access by address and would wait for ever here; "
                     "measure a build without -fsanitize=thread",
                     0);
    dump_withdraw_exec(false); /* from the program of a vfork child */
    pace_prepare(rank_variable(environment, COLLECTOR_FAST) != NULL);
    vector_state_prepare();
    cache_prepare();
    links_prepare();
    gone_prepare();
    written_prepare();
    landing_prepare();
    levels_prepare(folder);
    region_prepare();
    slices_prepare(rank_variable(environment, COLLECTOR_EVERY));
    dump_write_prepare();
    decode_prepare();
    marks_prepare(rank_variable(environment, COLLECTOR_MARKS));
    process_start();
    stubs_make((uint64_t)counter_dispatch);
    signal_prepare((uint64_t)counter_signal, (uint64_t)counter_dispatch_tail, (uint64_t)counter_dispatch_end);
    thread_create(NULL, (uint64_t)counter_dispatch);
    endings_prepare((uint64_t)counter_signal);
    return true;
}

/* A counted dynamic loader that runs the program loads us once more, beside the program. valgrind loads us into the
 * program that it executes, but is itself counted with that program. */
static bool counts_already(char **environment) {
    uint64_t gs = 0;
    SYSTEM_CALL(SYS_arch_prctl, ARCH_GET_GS, &gs);
    return gs || text_holds(rank_variable(environment, "LD_PRELOAD"), "/vgpreload_");
}

__attribute__((constructor)) static void start(int argc, char **argv, char **environment) {
    (void)argc;
    const char *folder = rank_variable(environment, COLLECTOR_FOLDER);
    if (!folder || !*folder || counts_already(environment))
        return;
    exec_prepare(rank_variable(environment, "LD_PRELOAD"), folder);
    if (exec_is_counter(argv[0]))
        return;
    if (!counter_prepare(folder, environment))
        return; /* the report's folder says why, or `carmine app` finds nothing there */
    restartable_begin(threads_first());
    mpi_start(threads_first(), argv);
    counter_take_over();
}
