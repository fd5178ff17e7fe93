/* SPDX-License-Identifier: BSD-3-Clause */
#include "signal.h"
#include "counter.h"
#include "process.h"
#include "slices.h"

#include <sys/syscall.h>

#include "bench/count/base/fail.h"
#include "bench/count/base/system.h"
#include "bench/count/caches/levels.h"
#include "bench/count/code/cache.h"
#include "bench/count/code/decode.h"
#include "bench/count/code/gone.h"
#include "bench/count/code/registers.h"
#include "bench/count/code/stubs.h"
#include "bench/count/code/written.h"
#include "bench/count/kernel/mask.h"
#include "bench/count/kernel/place.h"

/* Blocks that a signal interrupts. A block is counted once for all its instructions: those after the interruption were
 * counted and not run, or those before it were run and not counted yet. A separate block for that part has a count that
 * corrects this. A loop counts a round at its begin; that is corrected, too. */

/* The distance of an instruction from its block's begin, in the program. Adds to `counters` the instructions from
 * `from` on that have their own counter. */
static uint32_t signal_distance_of(const struct block *block, uint32_t from, uint32_t instruction, uint32_t *counters) {
    static struct instruction decoded;
    uint32_t distance = 0;
    for (uint32_t i = 0; i < instruction; i++) {
        const uint8_t *bytes = cache_bytes(block->first_byte) + distance;
        decode_instruction((uint64_t)bytes, ZYDIS_MAX_INSTRUCTION_LENGTH, &decoded);
        *counters += i >= from && decoded.effect.dynamic != DYNAMIC_NONE;
        distance += decoded.decoded.length;
    }
    return distance;
}

/* The counter of a part of a block: instructions [first, last). Each part has one. */
static uint32_t part_counter(const struct block *whole, uint32_t first, uint32_t last) {
    uint32_t counters = 0;
    system_lock();
    const uint32_t start = signal_distance_of(whole, first, first, &counters),
                   end = signal_distance_of(whole, first, last, &counters);
    const struct block *known = whole;
    do
        known = cache_block(known->part);
    while (known != cache_block(0) && (known->original != whole->original + start || known->code_bytes != end - start));
    uint32_t counter = known->counter;
    if (known == cache_block(0)) {
        struct block *part = cache_new_block(whole->original + start, 1);
        part->object = whole->object;
        part->instruction_count = (uint16_t)(last - first);
        for (uint32_t i = 0; i < counters; i++)
            cache_new_counter();
        cache_keep_bytes(part, cache_bytes(whole->first_byte) + start, end - start);
        cache_publish_part(part, whole);
        counter = part->counter;
    }
    system_unlock();
    return counter;
}

/* With sign 1, changes the counts from the whole block to the executed part; with -1 back. */
static void correct(struct context *context, const struct origin *place, uint64_t sign) {
    const struct block *block = place->block;
    if (!block)
        return;
    if (!place->counted && place->executed > 0)
        context->counters[part_counter(block, 0, place->executed)] += sign;
    if (place->counted && place->executed < block->instruction_count) {
        context->counters[part_counter(block, place->executed, block->instruction_count)] -= sign;
        if (gone_follower(block))
            context->counters[gone_follower(block)->counter] -= sign;
    }
    if (place->counted && block->copies > 1)
        context->counters[block->left_out] -= sign * (block->copies - 1 - place->copy);
    if (place->repeat)
        context->counters[place->repeat] -= sign * place->repeat_count;
}

/* Counts only the executed instructions, because the program does not continue here, or not yet. */
static void partial_leave(struct context *context, struct interruption *interruption) {
    if (!interruption->left)
        correct(context, &interruption->place, 1);
    interruption->left = true;
}

/* The program continues there, in the copy: counts the block as if it had not been interrupted. Both functions do
 * nothing if the counts are already so. */
static void partial_resume(struct context *context, struct interruption *interruption) {
    if (interruption->left)
        correct(context, &interruption->place, (uint64_t)-1);
    interruption->left = false;
}

/* The kernel's layout. */
struct action {
    uint64_t handler, flags, restorer, mask;
};
enum { SIGNALS = 65, TRAP_FLAG = 0x100 };
static struct action actions[SIGNALS]; /* the program's own, for signals that the counter receives */

/* Addresses in the assembly (see signal_prepare()). */
static uint64_t signal_entry, dispatch_tail, dispatch_end;

static const uint64_t DEFAULT = 0, IGNORE = 1;

void signal_prepare(uint64_t entry, uint64_t tail, uint64_t end) {
    signal_entry = entry;
    dispatch_tail = tail;
    dispatch_end = end;
}

long signal_set_action(const struct registers *registers) {
    const struct action *wanted = (const struct action *)registers->rsi;
    struct action *old = (struct action *)registers->rdx;
    uint64_t number = registers->rdi;
    if (number == 0 || number >= SIGNALS || !process_is_own() || (wanted && !system_readable(wanted)))
        return SYSTEM_CALL(SYS_rt_sigaction, number, wanted, old, registers->r10);
    struct action previous = actions[number], given = {0};
    const bool handled = wanted && wanted->handler != DEFAULT && wanted->handler != IGNORE;
    const bool watched = wanted && !handled && /* writes to watched code always come to the counter */
                         (number == SIGSEGV || (wanted->handler == DEFAULT && endings_include(number)));
    if (watched) {
        actions[number] = *wanted;
    } else if (wanted) {
        given = *wanted;
        if (handled) {
            actions[number] = *wanted;
            given.handler = signal_entry;
            given.flags &= ~(uint64_t)(SA_RESETHAND | SA_NODEFER);
            given.flags |= SA_SIGINFO; /* else the kernel omits the information */
            given.mask = all_signals;
        }
    }
    long result = watched ? endings_watch(number, old)
                          : SYSTEM_CALL(SYS_rt_sigaction, number, wanted ? &given : NULL, old, registers->r10);
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

/* Back to the dispatcher, with all signals blocked until it returns to the cache. */
static void defer(struct context *context, int number, siginfo_t *info, ucontext_t *interrupted) {
    struct passing *passing = &context->passing;
    uint64_t rip = (uint64_t)interrupted->uc_mcontext.gregs[REG_RIP];
    system_signal_again(number, info);
    passing->mask = *mask_of(interrupted);
    *mask_of(interrupted) = all_signals;
    if (rip >= dispatch_tail && rip < dispatch_end) {
        passing->after = passing->resume;
        passing->resume = stubs_get()->mask;
    } else {
        passing->masked = 1;
        if (system_stop(&rip))
            interrupted->uc_mcontext.gregs[REG_RIP] = (greg_t)rip;
    }
}

/* While the mask is being set, registers hold the arguments of that call: restores the program's registers. */
static void leave_mask_stub(const struct passing *passing, ucontext_t *interrupted) {
    static const int places[] = {REG_RAX, REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_RCX, REG_R11};
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
        interrupted->uc_mcontext.gregs[places[i]] = (greg_t)passing->unmask[i];
    interrupted->uc_mcontext.gregs[REG_RIP] = (greg_t)passing->after;
}

/* Replaces addresses in copies that the kernel reports with the program's addresses. */
static void translate_addresses(siginfo_t *info, ucontext_t *interrupted, uint64_t code) {
    struct _libc_fpstate *floats = interrupted->uc_mcontext.fpregs;
    if (info->si_code > 0 && (uint64_t)info->si_addr == code) /* for SIGSYS, too: si_call_addr */
        info->si_addr = (void *)interrupted->uc_mcontext.gregs[REG_RIP];
    if (floats && cache_holds(floats->rip)) /* the last x87 instruction */
        floats->rip = place_address(floats->rip);
}

static struct interruption *new_interruption(struct context *context) {
    if (context->interruption_count == CONTEXT_SIGNALS) { /* some were left by a jump: the oldest is one */
        partial_leave(context, &context->interruptions[0]);
        for (unsigned i = 1; i < CONTEXT_SIGNALS; i++)
            context->interruptions[i - 1] = context->interruptions[i];
        context->interruption_count--;
    }
    return &context->interruptions[context->interruption_count++];
}

static bool is_on_alternate_stack(const struct passing *passing, uint64_t address) {
    return address - passing->alternate_low < passing->alternate_bytes;
}

/* Enters a handler as the kernel does: with arguments in registers; the others keep the program's values. */
static void enter_handler(struct context *context, int number, siginfo_t *info, ucontext_t *interrupted,
                          uint64_t frame) {
    enum { DIRECTION_TRAP_AND_RESUME = 0x400 | 0x100 | 0x10000 };
    struct passing *passing = &context->passing;
    struct registers *registers = &passing->registers;
    const struct action *action = &actions[number];
    registers_take(interrupted->uc_mcontext.gregs, registers);
    registers->rax = 0;
    registers->rdi = (uint64_t)number;
    registers->rsi = (uint64_t)info;
    registers->rdx = (uint64_t)interrupted;
    registers->rsp = frame;
    registers->flags &= ~(uint64_t)DIRECTION_TRAP_AND_RESUME;
    uint64_t *before = mask_of(interrupted);
    *before = mask_of_program(context, *before);
    const uint64_t own = action->flags & SA_NODEFER ? 0 : 1ull << (number - 1);
    passing->mask = mask_for_kernel(context, *before | action->mask | own);
    passing->masked = 1;
    passing->alternate_low = (uint64_t)interrupted->uc_stack.ss_sp;
    passing->alternate_bytes = interrupted->uc_stack.ss_size;
    passing->alternate = is_on_alternate_stack(passing, frame);
    passing->target = action->handler;
    passing->exit = 0;
    if (action->flags & SA_RESETHAND) {
        const struct action none = {.flags = action->flags, .restorer = action->restorer};
        SYSTEM_CALL(SYS_rt_sigaction, number, &none, NULL, sizeof none.mask);
    }
}

/* Handles a write to copied code. True: it can be repeated now. */
static bool write_to_code(struct context *context, const siginfo_t *info, greg_t *registers) {
    uint32_t instruction;
    system_lock();
    const struct block *block = cache_block_at((uint64_t)registers[REG_RIP], &instruction);
    const uint64_t low = block ? block->original : 0, high = block ? low + block->code_bytes : 0;
    const enum written_fault fault = written_fault((uint64_t)info->si_addr, low, high);
    system_unlock();
    if (fault == WRITTEN_LEAVE) {
        struct interruption middle = {.left = false};
        place_find(context, registers, true, &middle.place);
        partial_leave(context, &middle);
        context->passing.target = middle.place.rip;
        registers[REG_RIP] = (greg_t)stubs_get()->target;
    }
    return fault != WRITTEN_NOT;
}

/* The program has no handler for a SIGSEGV: ends it as the kernel would, or lets it continue. */
static void end_natively(const siginfo_t *info, uint64_t handler) {
    const struct action none = {.handler = DEFAULT};
    const bool sent = !is_fault(SIGSEGV, info);
    if (handler == IGNORE && sent)
        return;
    SYSTEM_CALL(SYS_rt_sigaction, SIGSEGV, &none, NULL, sizeof none.mask);
    if (sent) /* a fault repeats by itself */
        system_signal_again(SIGSEGV, info);
}

/* The counter receives every SIGSEGV. True: it is handled, and the program's handler does not see it. */
static bool receive_ours(siginfo_t *info, ucontext_t *interrupted, struct context *context) {
    greg_t *registers = interrupted->uc_mcontext.gregs;
    const uint64_t handler = actions[SIGSEGV].handler;
    const bool in_cache = cache_holds((uint64_t)registers[REG_RIP]), fault = is_fault(SIGSEGV, info);
    if (in_cache && fault && levels_is_full(context, info, registers))
        return true;
    if (info->si_code == SEGV_ACCERR && in_cache && write_to_code(context, info, registers))
        return true;
    if (context->blocks_faults && !fault)
        mask_postpone(info, mask_of(interrupted));
    else if (context->blocks_faults && !context->busy)
        end_natively(info, DEFAULT);
    else if (handler <= IGNORE && (in_cache || !context->busy))
        end_natively(info, handler);
    else
        return false;
    return true;
}

bool signal_receive(int number, siginfo_t *info, ucontext_t *interrupted, uint64_t frame, struct context *context) {
    const struct stubs *stubs = stubs_get();
    greg_t *registers = interrupted->uc_mcontext.gregs;
    const uint64_t code = (uint64_t)registers[REG_RIP];
    if (slices_receive(context, number, info, code))
        return false;
    if (number == SIGSEGV && receive_ours(info, interrupted, context))
        return false;
    if (cache_holds(code) && actions[number].handler == DEFAULT)
        endings_end(number);
    if (number == SIGTRAP && info->si_code == TRAP_TRACE && registers[REG_EFL] & TRAP_FLAG)
        fail_program("it steps through itself with the trap flag, and copies of its code have more steps; "
                     "`--counters papi` counts it if the CPU's counters can be read",
                     0);
    if (!cache_holds(code)) {
        if (!is_fault(number, info)) {
            defer(context, number, info, interrupted);
            return false;
        }
        if (context->busy)
            fail_program("the counter itself failed, at", code);
    } else if (code >= stubs->mask_set && code <= stubs->mask_end) {
        leave_mask_stub(&context->passing, interrupted);
    }
    struct interruption *interruption = new_interruption(context);
    *interruption = (struct interruption){.frame = frame};
    place_find(context, registers, is_fault(number, info), &interruption->place);
    translate_addresses(info, interrupted, code);
    if (is_fault(number, info))
        partial_leave(context, interruption);
    enter_handler(context, number, info, interrupted, frame);
    vector_state_clear(context);
    return true;
}

/* Where to continue in the cache, for the frame that the program returns from; 0: by the program's address. */
static uint64_t resume_address(struct context *context, uint64_t frame, greg_t *registers) {
    const uint64_t rip = (uint64_t)registers[REG_RIP];
    unsigned i = context->interruption_count;
    while (i > 0 && context->interruptions[i - 1].frame != frame)
        i--;
    if (i == 0)
        return 0;
    for (unsigned inner = context->interruption_count; inner-- > i;) /* left by jumps */
        partial_leave(context, &context->interruptions[inner]);
    struct interruption *interruption = &context->interruptions[i - 1];
    const struct block *block = interruption->place.block;
    context->interruption_count = i - 1;
    if (interruption->place.rip == rip && interruption->place.resume && block->address == block->original) {
        partial_resume(context, interruption);
        if (interruption->place.keeps)
            context->passing.scratch = (uint64_t)*registers_by_number(registers, interruption->place.kept);
        return interruption->place.resume;
    }
    partial_leave(context, interruption);
    return 0;
}

void signal_return(struct context *context) {
    uint64_t stack = context->passing.registers.rsp; /* the frame, without the return address */
    ucontext_t *interrupted = (ucontext_t *)stack;
    greg_t *registers = interrupted->uc_mcontext.gregs, *rip = &registers[REG_RIP];
    *mask_of(interrupted) = mask_for_kernel(context, *mask_of(interrupted));
    SYSTEM_CALL(SYS_rt_sigprocmask, SIG_SETMASK, &all_signals, NULL, sizeof all_signals);
    context->passing.masked = 0;
    context->passing.alternate =
        context->passing.alternate && is_on_alternate_stack(&context->passing, (uint64_t)registers[REG_RSP]);
    context->passing.target = (uint64_t)*rip;
    uint64_t resumed = resume_address(context, stack - 8, registers);
    *rip = (greg_t)(resumed ? resumed : stubs_get()->target);
    context->busy = false;
    system_return(stack);
}

static void leave_all(struct context *context) {
    for (unsigned i = 0; context && i < context->interruption_count; i++)
        partial_leave(context, &context->interruptions[i]);
}

/* A signal while the report is written would make the thread repeat its last call, and the report. */
void signal_end(struct context *context) {
    SYSTEM_CALL(SYS_rt_sigprocmask, SIG_SETMASK, &all_signals, NULL, sizeof all_signals);
    leave_all(context);
    leave_all(context->outside ? context->outside : context->inside);
}
