/* SPDX-License-Identifier: BSD-3-Clause
 * interrupt LIBRARY FOLDER PROGRAM [ARGUMENT…]: checks the states that a signal handler sees in a counted program.
 * First the program runs natively, in single steps, which gives all its states in order. Then it is counted. It stops
 * twice at each of a sample of instructions, of the copies and of the counter, to receive a signal. Each context that
 * its handler shows must be one of those states, in that order; contexts of faults must be equal one by one. Prints the
 * differences. FOLDER/steps gets the native execution count of each instruction, in the format of `expand FOLDER whole`
 * for the counted run. Status 77: programs cannot be traced here. */
#include "interrupt.h"

#include <cpuid.h>
#include <elf.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum {
    CANNOT_TRACE = 77,
    VISITS = 2,
    MAX_STATES = 1 << 14,
    MAX_SHOWN = 1 << 15,
    PLACES = 1 << 18,
    MAX_EXECUTED = 1 << 10
};

static struct interrupt_context *states, *shown, *faults; /* native: at each step and fault; counted: all shown */
static size_t state_count, shown_count, fault_count;
static struct {
    uint64_t address;
    int visits;
} places[PLACES];
static struct executed { /* an instruction, natively */
    uint64_t address, count, iterations;
    bool repeats; /* it has a rep prefix, so it iterates */
} executed[MAX_EXECUTED];
static size_t executed_count;
static bool leaves;                                /* the handler makes the program continue elsewhere */
static uint64_t library_low, library_high, sample; /* the counter's own code, and the seed of the instruction sample */
static pid_t child;
static bool in_call, recorded; /* `recorded`: states are stored for comparison */

static _Noreturn void fail(int status, const char *what) {
    fprintf(stderr, "interrupt: %s\n", what);
    if (child)
        kill(child, SIGKILL);
    exit(status);
}

static struct user_regs_struct registers_now(void) {
    struct user_regs_struct registers;
    if (ptrace(PTRACE_GETREGS, child, NULL, &registers) != 0)
        fail(2, "the registers cannot be read");
    return registers;
}

static void take_state(struct interrupt_context *out) {
    const struct user_regs_struct r = registers_now();
    const uint64_t registers[] = {r.r8,  r.r9,  r.r10, r.r11, r.r12, r.r13, r.r14, r.r15, r.rdi,
                                  r.rsi, r.rbp, r.rbx, r.rdx, r.rax, r.rcx, r.rsp, r.rip, r.eflags};
    struct iovec state = {out->state, sizeof out->state};
    memset(out, 0, sizeof *out);
    memcpy(out->registers, registers, sizeof registers);
    if (ptrace(PTRACE_GETREGSET, child, NT_X86_XSTATE, &state) != 0)
        fail(2, "the vector registers cannot be read");
}

/* Continues it to the next stop; returns the signal (system calls: with 0x80 added). */
static int go_on(enum __ptrace_request how, int signal) {
    int status;
    if (ptrace(how, child, NULL, (void *)(intptr_t)signal) != 0 || waitpid(child, &status, 0) != child)
        fail(2, "the program is lost");
    if (!WIFSTOPPED(status)) {
        child = 0;
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            fail(WIFEXITED(status) && WEXITSTATUS(status) == CANNOT_TRACE ? CANNOT_TRACE : 2, "the program failed");
        return 0;
    }
    return WSTOPSIG(status);
}

static void read_shown(uint64_t address, bool native) {
    if (!recorded)
        return;
    struct interrupt_context context;
    struct iovec to = {&context, sizeof context}, from = {(void *)address, sizeof context};
    if (process_vm_readv(child, &to, 1, &from, 1, 0) != sizeof context)
        fail(2, "its handler's output cannot be read");
    if (shown_count == MAX_SHOWN || fault_count == MAX_SHOWN)
        fail(2, "it was interrupted too often");
    if (native)
        faults[fault_count++] = context;
    else
        shown[shown_count++] = context;
}

/* Delivers a signal, and stops where the handler has returned to. */
static void deliver(int signal, bool native) {
    bool returns = false;
    for (;;) {
        signal = go_on(PTRACE_SYSCALL, signal);
        if (signal == 0)
            fail(2, "the program ended in a handler");
        if (signal != (SIGTRAP | 0x80))
            continue;
        signal = 0;
        in_call = !in_call;
        const struct user_regs_struct registers = registers_now();
        if (in_call && registers.orig_rax == INTERRUPT_SHOW)
            read_shown(registers.rdi, native);
        if (in_call && registers.orig_rax == SYS_rt_sigreturn)
            returns = true;
        if (!in_call && returns)
            return;
    }
}

/* Whether a signal is due here. The arguments decide which instructions are sampled: one of 16 of the counter's
 * own, and, where each signal makes the counter look its block up anew, one of four of the copies. */
static bool visit(uint64_t address) {
    enum { OF_COUNTER = 16, OF_COPIES = 4 };
    const uint64_t hash = (address ^ sample) * 0x9e3779b97f4a7c15;
    size_t i = address * 0x9e3779b97f4a7c15 >> 46;
    const bool counters = address >= library_low && address < library_high;
    if ((hash >> 32) % (counters ? OF_COUNTER : leaves ? OF_COPIES : 1) != 0)
        return false;
    while (places[i].address && places[i].address != address)
        i = (i + 1) % PLACES;
    places[i].address = address;
    return ++places[i].visits <= VISITS;
}

/* One instruction; `registers` are those before it, and then those after it. The trap flag for it must not remain:
 * pushfq pushes it, and at a popfq the kernel forgets that it has set the flag itself. */
static int step(struct user_regs_struct *registers) {
    enum { PUSHFQ = 0x9c, TRAP_FLAG = 0x100, PUSHED_BYTES = 8 };
    const struct user_regs_struct before = *registers;
    const int signal = go_on(PTRACE_SINGLESTEP, 0);
    if (signal == 0)
        return 0;
    *registers = registers_now();
    if (signal == SIGTRAP && registers->rip == before.rip + 1 && registers->rsp == before.rsp - PUSHED_BYTES &&
        (ptrace(PTRACE_PEEKTEXT, child, (void *)before.rip, NULL) & 0xff) == PUSHFQ) {
        long flags = ptrace(PTRACE_PEEKDATA, child, (void *)registers->rsp, NULL);
        ptrace(PTRACE_POKEDATA, child, (void *)registers->rsp, (void *)(flags & ~(long)TRAP_FLAG));
    }
    if (registers->eflags & TRAP_FLAG) {
        registers->eflags &= ~(unsigned long long)TRAP_FLAG;
        ptrace(PTRACE_SETREGS, child, NULL, registers);
    }
    return signal;
}

static struct executed *find_executed(uint64_t address) {
    enum { REPEATS = 0xf2, STRINGS = 0xa4, LAST_STRING = 0xaf };
    size_t i = 0;
    while (i < executed_count && executed[i].address != address)
        i++;
    if (i == MAX_EXECUTED)
        fail(2, "it has too many instructions");
    if (i == executed_count) {
        const uint64_t code = (uint64_t)ptrace(PTRACE_PEEKTEXT, child, (void *)address, NULL);
        const unsigned opcode = (code >> 8 & 0xf0) == 0x40 ? code >> 16 & 0xff : code >> 8 & 0xff; /* after REX */
        executed[executed_count++] = (struct executed){
            .address = address, .repeats = (code & 0xfe) == REPEATS && opcode >= STRINGS && opcode <= LAST_STRING};
    }
    return &executed[i];
}

/* A repeated instruction takes one step per iteration. */
static void note_step(const struct user_regs_struct *before, const struct user_regs_struct *after) {
    struct executed *instruction = find_executed(before->rip);
    instruction->count += !instruction->repeats || after->rip != before->rip;
    instruction->iterations += instruction->repeats ? before->rcx - after->rcx : 0;
}

static void print_executed(const char *folder) {
    char path[4096], line[4096 + 256], object[4096];
    unsigned long low, high, file_offset;
    snprintf(path, sizeof path, "%s/steps", folder);
    FILE *out = fopen(path, "w");
    snprintf(path, sizeof path, "/proc/%d/maps", child);
    FILE *maps = fopen(path, "r");
    if (!out || !maps)
        fail(2, "the executed instructions cannot be written");
    while (fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx %*s %lx %*s %*s %4095s", &low, &high, &file_offset, object) == 4)
            for (size_t i = 0; i < executed_count; i++) {
                const struct executed *e = &executed[i];
                if (e->address < low || e->address >= high || e->count == 0)
                    continue;
                fprintf(out, "%s %#" PRIx64 " %" PRIu64, object, e->address - low + file_offset, e->count);
                fprintf(out, e->repeats ? " %" PRIu64 "\n" : "\n", e->iterations);
            }
    fclose(maps);
    if (fclose(out) != 0)
        fail(2, "the executed instructions cannot be written");
}

/* Where the counter's own code is. */
static void find_library(const char *library) {
    char path[4096], line[4096 + 256], object[4096];
    unsigned long low, high;
    snprintf(path, sizeof path, "/proc/%d/maps", child);
    FILE *maps = fopen(path, "r");
    while (maps && fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx r-x%*s %*s %*s %*s %4095s", &low, &high, object) == 3 && strcmp(object, library) == 0)
            library_low = low, library_high = high;
    if (!maps || !library_low)
        fail(2, "the library's code is not found");
    fclose(maps);
}

/* From after the begin mark to after the end mark. */
static void step_kind(bool native) {
    struct user_regs_struct registers = registers_now();
    for (int signal = SIGTRAP;;) {
        if (registers.orig_rax == INTERRUPT_END && signal == SIGTRAP)
            return;
        if (native && recorded && signal == SIGTRAP) {
            if (state_count == MAX_STATES)
                fail(2, "it takes too many steps");
            take_state(&states[state_count++]);
        }
        if (signal != SIGTRAP) {
            deliver(signal, native);
            registers = registers_now();
            signal = SIGTRAP;
            continue;
        }
        if (!native && visit(registers.rip)) {
            deliver(SIGUSR1, native);
            registers = registers_now();
        }
        const struct user_regs_struct before = registers;
        signal = step(&registers);
        if (signal == 0)
            fail(2, "the program ended before its interruption");
        if (native && signal == SIGTRAP)
            note_step(&before, &registers);
    }
}

static void start(char **command, const char *library, const char *folder) {
    child = fork();
    if (child == 0) {
        if (library) {
            setenv("LD_PRELOAD", library, 1);
            setenv("CARMINE_COLLECT_FOLDER", folder, 1);
        }
        dup2(STDERR_FILENO, STDOUT_FILENO);
        personality(ADDR_NO_RANDOMIZE);
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0)
            execvp(command[0], command);
        _exit(CANNOT_TRACE);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) {
        child = 0;
        fail(CANNOT_TRACE, "programs cannot be traced here");
    }
    ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
}

/* Each kind begins twice: the first pass makes the copies, and natively takes as many steps. */
static void trace(char **command, const char *library, const char *folder) {
    unsigned begins = 0;
    start(command, library, folder);
    in_call = false;
    for (int signal = 0; (signal = go_on(PTRACE_SYSCALL, signal)) != 0;) {
        if (signal != (SIGTRAP | 0x80))
            continue;
        signal = 0;
        in_call = !in_call;
        if (in_call || registers_now().orig_rax != INTERRUPT_BEGIN)
            continue;
        recorded = ++begins % 2 == 0;
        if (library && recorded)
            find_library(library);
        if (recorded || !library)
            step_kind(!library);
        if (recorded && !library)
            print_executed(folder);
    }
    if (begins < 2)
        fail(CANNOT_TRACE, "it did not begin");
}

/* The place of a component in xsave's format, and whether it is in its initial state. */
static const uint8_t *component(const uint8_t *state, unsigned number, uint32_t *bytes, bool *initial) {
    enum { XSAVE_LEAF = 0xd, HEADER_AT = 512 };
    uint64_t present;
    uint32_t ebx = 0, ecx, edx;
    memcpy(&present, state + HEADER_AT, sizeof present);
    *initial = !(present >> number & 1);
    __cpuid_count(XSAVE_LEAF, number, *bytes, ebx, ecx, edx);
    return state + ebx;
}

static bool same_component(const uint8_t *a, const uint8_t *b, unsigned number) {
    uint32_t bytes;
    bool a_initial, b_initial;
    const uint8_t *in_a = component(a, number, &bytes, &a_initial), *in_b = component(b, number, &bytes, &b_initial);
    for (uint32_t i = 0; i < bytes; i++)
        if ((a_initial ? 0 : in_a[i]) != (b_initial ? 0 : in_b[i]))
            return false;
    return true;
}

/* Whether the address of the last x87 instruction is the same. Some hypervisors lose its upper half: natively, on
 * Zen 5, in 11 to 58 of 200,000 signals. */
static bool same_instruction(const uint8_t *a, const uint8_t *b) {
    enum { INSTRUCTION_AT = 8 };
    uint64_t in_a, in_b;
    memcpy(&in_a, a + INSTRUCTION_AT, sizeof in_a);
    memcpy(&in_b, b + INSTRUCTION_AT, sizeof in_b);
    return in_a == in_b || in_a == (uint32_t)in_b || in_b == (uint32_t)in_a;
}

/* The first component that differs, or NULL. CPUs report the last x87 instruction only for faults. */
static const char *differing_state(const uint8_t *a, const uint8_t *b) {
    enum { STATUS_AT = 2, FAULT = 0x80, MXCSR_AT = 24, VECTORS_AT = 160, LEGACY_BYTES = 416 };
    static const uint8_t x87_at[] = {0, 1, 2, 3, 4}; /* control, status, tags */
    static const struct {
        unsigned number;
        const char *name;
    } WIDER[] = {{2, "AVX"}, {5, "opmask"}, {6, "upper ZMM"}, {7, "ZMM16 to 31"}};
    bool a_initial, b_initial;
    uint32_t bytes;
    component(a, 0, &bytes, &a_initial);
    component(b, 0, &bytes, &b_initial);
    for (unsigned i = 0; i < sizeof x87_at && !a_initial && !b_initial; i++)
        if (a[x87_at[i]] != b[x87_at[i]])
            return "x87 status";
    if (!a_initial && !b_initial && memcmp(a + 32, b + 32, 128) != 0)
        return "x87 registers";
    if (!a_initial && (a[STATUS_AT] & FAULT) && !same_instruction(a, b))
        return "x87 instruction";
    component(a, 1, &bytes, &a_initial);
    component(b, 1, &bytes, &b_initial);
    for (unsigned i = VECTORS_AT; i < LEGACY_BYTES; i++)
        if ((a_initial ? 0 : a[i]) != (b_initial ? 0 : b[i]))
            return "SSE";
    if (memcmp(a + MXCSR_AT, b + MXCSR_AT, 4) != 0)
        return "MXCSR";
    for (unsigned i = 0; i < sizeof WIDER / sizeof *WIDER; i++)
        if (!same_component(a, b, WIDER[i].number))
            return WIDER[i].name;
    return NULL;
}

/* Without the trap and resume flags, which single steps set, also in the r11 of a system call. */
static uint64_t register_of(const struct interrupt_context *context, unsigned number) {
    const uint64_t hidden = number == REG_EFL ? 0x10100 : number == REG_R11 ? 0x100 : 0;
    return context->registers[number] & ~hidden;
}

static unsigned differing_registers(const struct interrupt_context *a, const struct interrupt_context *b) {
    unsigned count = 0;
    for (unsigned i = 0; i <= REG_EFL; i++)
        count += register_of(a, i) != register_of(b, i);
    return count;
}

static bool same(const struct interrupt_context *a, const struct interrupt_context *b) {
    return differing_registers(a, b) == 0 && !differing_state(a->state, b->state);
}

static void explain(const struct interrupt_context *seen, const struct interrupt_context *native) {
    static const char *const names[] = {"r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15", "rdi",
                                        "rsi", "rbp", "rbx", "rdx", "rax", "rcx", "rsp", "rip", "flags"};
    printf("signal %d at %#" PRIx64 ":", seen->signal, seen->registers[REG_RIP]);
    for (unsigned i = 0; native && i <= REG_EFL; i++)
        if (register_of(seen, i) != register_of(native, i))
            printf(" %s %#" PRIx64 " instead of %#" PRIx64, names[i], register_of(seen, i), register_of(native, i));
    const char *state = native ? differing_state(seen->state, native->state) : NULL;
    printf("%s%s%s\n", native ? "" : " never there", state ? " other state: " : "", state ? state : "");
}

/* The recorded state that it may equal. */
static const struct interrupt_context *likeliest(const struct interrupt_context *seen, size_t from) {
    const struct interrupt_context *best = NULL;
    for (size_t i = 0; i < state_count; i++)
        if (states[i].registers[REG_RIP] == seen->registers[REG_RIP] &&
            (!best || differing_registers(seen, &states[i]) < differing_registers(seen, best) || i == from))
            best = &states[i];
    return best;
}

static bool compare(void) {
    size_t from = 0, fault = 0, wrong = 0;
    for (size_t i = 0; i < shown_count; i++) {
        const struct interrupt_context *seen = &shown[i];
        if (seen->signal != SIGUSR1) {
            const struct interrupt_context *native = fault < fault_count ? &faults[fault] : NULL;
            if (!native || !same(native, seen) || native->address != seen->address || native->code != seen->code ||
                native->signal != seen->signal) {
                explain(seen, native);
                if (native)
                    printf("    code %d instead of %d, address %#" PRIx64 " instead of %#" PRIx64 "\n", seen->code,
                           native->code, seen->address, native->address);
                wrong++;
            }
            fault++;
            continue;
        }
        size_t found = from;
        while (found < state_count && !same(&states[found], seen))
            found++;
        if (found < state_count)
            from = found;
        else if (++wrong < 20)
            explain(seen, likeliest(seen, from));
    }
    printf("%zu steps, %zu contexts, %zu faults, %zu wrong\n", state_count, shown_count, fault_count, wrong);
    return wrong == 0 && fault == fault_count && shown_count > 0;
}

int main(int argc, char **argv) {
    if (argc < 4)
        fail(2, "usage: interrupt LIBRARY FOLDER PROGRAM [ARGUMENT…]");
    states = calloc(MAX_STATES, sizeof *states);
    faults = calloc(MAX_SHOWN, sizeof *faults);
    shown = calloc(MAX_SHOWN, sizeof *shown);
    if (!states || !faults || !shown)
        fail(2, "there is no memory");
    leaves = strcmp(argv[argc - 1], "leave") == 0;
    for (char **word = argv + 3; *word; word++)
        for (const char *c = *word; *c; c++)
            sample = sample * 31 + (unsigned char)*c;
    trace(argv + 3, NULL, argv[2]);
    trace(argv + 3, argv[1], argv[2]);
    return compare() ? 0 : 1;
}
