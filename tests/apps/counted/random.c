/* SPDX-License-Identifier: BSD-3-Clause
 * random FILE [WAY]: executes the random programs of a file (random_code.h) and prints a hash of what each leaves in
 * registers, flags, memory and stack, and of what its signal handlers see. "written": the code is written to memory
 * instead of mapped. "timer": signals arrive at any time. "words": prints all that is hashed. */
#include <cpuid.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include "random_code.h"

enum { REGISTERS = 16, STATE_BYTES = 16384, FLAGS = 0xcd5, STATE = 0xe7 }; /* x87 to AVX-512: not AMX, not keys */

/* Registers by number, then flags. */
__attribute__((used)) static uint64_t given[REGISTERS + 1], left[REGISTERS + 1], entry, own_stack;
__attribute__((used, aligned(64))) static uint8_t state[STATE_BYTES], state_left[STATE_BYTES];
void run(void);
extern char leave[];

#define SSC(number) "mov $" number ", %ebx; .byte 0x64, 0x67, 0x90\n"
__asm__(
    ".text\n"
    "run: push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n"
    "mov %rsp, own_stack(%rip)\n" SSC(
        "0x111") "cmpl $0, has_xsave(%rip); je 1f\n"
                 "mov $0xe7, %eax; xor %edx, %edx; xrstor64 state(%rip); jmp 2f\n"
                 "1: fxrstor64 state(%rip)\n"
                 "2: pushq given+128(%rip); popfq\n"
                 "mov given(%rip), %rax; mov given+8(%rip), %rcx; mov given+16(%rip), %rdx; mov given+24(%rip), %rbx\n"
                 "mov given+40(%rip), %rbp; mov given+48(%rip), %rsi; mov given+56(%rip), %rdi; mov given+64(%rip), "
                 "%r8\n"
                 "mov given+72(%rip), %r9; mov given+80(%rip), %r10; mov given+88(%rip), %r11; mov given+96(%rip), "
                 "%r12\n"
                 "mov given+104(%rip), %r13; mov given+112(%rip), %r14; mov given+120(%rip), %r15; mov given+32(%rip), "
                 "%rsp\n"
                 "jmp *entry(%rip)\n"
                 "leave: mov %rax, left(%rip); mov %rcx, left+8(%rip); mov %rdx, left+16(%rip); mov %rbx, "
                 "left+24(%rip)\n"
                 "mov %rsp, left+32(%rip); mov %rbp, left+40(%rip); mov %rsi, left+48(%rip); mov %rdi, left+56(%rip)\n"
                 "mov %r8, left+64(%rip); mov %r9, left+72(%rip); mov %r10, left+80(%rip); mov %r11, left+88(%rip)\n"
                 "mov %r12, left+96(%rip); mov %r13, left+104(%rip); mov %r14, left+112(%rip); mov %r15, "
                 "left+120(%rip)\n"
                 "mov own_stack(%rip), %rsp; pushfq; popq left+128(%rip); cld\n"
                 "cmpl $0, has_xsave(%rip); je 1f\n"
                 "mov $0xe7, %eax; xor %edx, %edx; xsave64 state_left(%rip); jmp 2f\n"
                 "1: fxsave64 state_left(%rip)\n"
                 "2: fninit\n" SSC("0x222") "pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx; ret\n");
__attribute__((used)) static int has_xsave; /* the states that it knows */

static uint64_t hash, random_state;
static const char *way = "";
static volatile sig_atomic_t alarms;

static void mix(const char *name, uint64_t value) {
    if (strcmp(way, "words") == 0)
        printf("  %s %#" PRIx64 "\n", name, value);
    hash = (hash ^ value) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
}

static void mix_bytes(const char *name, const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, (const uint8_t *)bytes + i, count - i < sizeof word ? count - i : sizeof word);
        mix(name, word);
    }
}

static uint64_t next(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * 0x2545f4914f6cdd1d;
}

/* As fxsave stores it, without the addresses of the last x87 instruction and its operand, which tell the copy's place.
 */
static void mix_legacy(const uint8_t *saved) {
    mix_bytes("x87 control", saved, 5);
    mix_bytes("mxcsr", saved + 24, 4);
    for (unsigned i = 0; i < 8; i++)
        mix_bytes("st", saved + 32 + 16 * i, 10);
    mix_bytes("xmm", saved + 160, 256);
}

static void on_alarm(int number) {
    static volatile double sum[8];
    (void)number;
    for (unsigned i = 0; i < 8; i++) /* other flags, vectors and x87 registers */
        sum[i] = sum[i] * 0.5 + (double)(long double)alarms;
    alarms++;
}

/* What a handler sees is hashed. The program continues after ud2 and int3, and ends after other faults. */
static void on_fault(int number, siginfo_t *info, void *context) {
    ucontext_t *at = context;
    greg_t *registers = at->uc_mcontext.gregs;
    mix("signal", (uint64_t)number);
    mix("its address", number == SIGSEGV ? (uint64_t)info->si_addr : 0);
    for (int i = REG_R8; i <= REG_RIP; i++)
        mix("register", (uint64_t)registers[i]);
    mix("flags", (uint64_t)registers[REG_EFL] & FLAGS);
    mix_legacy((const uint8_t *)at->uc_mcontext.fpregs);
    const uint8_t *code = (const uint8_t *)registers[REG_RIP];
    if (number == SIGILL && code[0] == 0x0f && code[1] == 0x0b)
        registers[REG_RIP] += 2;
    else if (number != SIGTRAP)
        registers[REG_RIP] = (greg_t)leave;
}

static void *map(uint64_t address, size_t bytes, int protection, int file, uint64_t at) {
    void *mapped = mmap((void *)address, bytes, protection,
                        MAP_PRIVATE | MAP_FIXED_NOREPLACE | (file < 0 ? MAP_ANONYMOUS : 0), file, (off_t)at);
    if (mapped == (void *)address)
        return mapped;
    fprintf(stderr, "random: the addresses of the code are taken\n");
    exit(77);
}

/* Half of the words are what vectors of f64 or f32 may hold, the others anything. */
static void fill(void *bytes, size_t count) {
    uint64_t *words = bytes;
    for (size_t i = 0; i < count / sizeof *words; i++) {
        const uint64_t number = next();
        words[i] = number % 4 == 0   ? 0x3ff0000000000000 | number >> 12
                   : number % 4 == 1 ? 0x3f8000003f800000 | (number >> 9 & 0x007fffff007fffff)
                                     : number;
    }
}

static void execute(const struct random_header *header, uint64_t seed, uint64_t program) {
    hash = 0;
    random_state = (seed + 1) * 0x9e3779b97f4a7c15 | 1;
    fill((void *)header->memory, RANDOM_MEMORY_BYTES);
    fill((void *)header->stack, RANDOM_STACK_BYTES);
    fill(state, sizeof state);
    memset(state + 512, 0, 64); /* the header of xsave */
    state[512] = (uint8_t)(has_xsave & STATE);
    memcpy(state, (const uint8_t[]){0x7f, 0x03, 0, (uint8_t)(next() & 0x38), 0xff}, 5);
    memset(state + 5, 0, 19);
    const uint32_t control = 0x1f80 | (uint32_t)(next() & 3) << 13, all = 0xffff;
    memcpy(state + 24, &control, sizeof control);
    memcpy(state + 28, &all, sizeof all);
    memset(state_left, 0, sizeof state_left);
    for (unsigned i = 0; i < REGISTERS; i++)
        given[i] = next() >> (next() & 56);
    given[4] = header->stack + RANDOM_STACK_BYTES / 2;
    given[REGISTERS] = 0x202 | (next() & FLAGS & ~0x400u);
    entry = program;
    run();
    for (unsigned i = 0; i < REGISTERS; i++)
        mix("left", left[i]);
    mix("flags", left[REGISTERS] & FLAGS);
    mix_legacy(state_left);
    mix_bytes("wide", state_left + 576, sizeof state_left - 576);
    mix_bytes("memory", (void *)header->memory, RANDOM_MEMORY_BYTES);
    if (left[4] >= header->stack && left[4] <= header->stack + RANDOM_STACK_BYTES)
        mix_bytes("stack", (void *)left[4], header->stack + RANDOM_STACK_BYTES - left[4]);
    printf("%" PRIu64 " %016" PRIx64 "\n", seed, hash);
}

static void handle_signals(void) {
    static uint8_t stack[1 << 17];
    static const int faults[] = {SIGILL, SIGSEGV, SIGBUS, SIGFPE, SIGTRAP};
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++)
        sigaction(faults[i], &action, NULL);
    action = (struct sigaction){.sa_handler = on_alarm, .sa_flags = SA_ONSTACK};
    sigaction(SIGALRM, &action, NULL);
    if (strcmp(way, "timer") == 0)
        setitimer(ITIMER_REAL, &(struct itimerval){{0, 200}, {0, 200}}, NULL);
}

/* The state that xsave knows here, as its bits; 0: there is no xsave. */
static int find_xsave(void) {
    unsigned a, b, c, d, low = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) && (c & bit_OSXSAVE))
        __asm__("xgetbv" : "=a"(low) : "c"(0) : "edx");
    return (int)low;
}

int main(int argc, char **argv) {
    struct random_header header;
    setvbuf(stdout, NULL, _IOLBF, 0); /* what was done until it crashed */
    const int file = argc > 1 ? open(argv[1], O_RDONLY) : -1;
    if (file < 0 || read(file, &header, sizeof header) != sizeof header) {
        fprintf(stderr, "random: usage: random FILE [WAY]\n");
        return 2;
    }
    way = argc > 2 ? argv[2] : "";
    const bool written = strcmp(way, "written") == 0;
    uint64_t *programs = malloc(header.programs * sizeof *programs);
    if (!programs || read(file, programs, header.programs * sizeof *programs) < 0)
        return 2;
    has_xsave = find_xsave();
    uint8_t *code = map(header.code, header.code_bytes, PROT_READ | PROT_EXEC | (written ? PROT_WRITE : 0),
                        written ? -1 : file, written ? 0 : header.code_at);
    if (written && pread(file, code, header.code_bytes, (off_t)header.code_at) < 0)
        return 2;
    uint8_t *memory = map(header.memory, RANDOM_MEMORY_BYTES + RANDOM_PAGE_BYTES, PROT_READ | PROT_WRITE, -1, 0);
    for (uint64_t i = 0; i < RANDOM_INDICES; i++)
        memcpy(memory + RANDOM_MEMORY_BYTES + 8 * i, &(uint64_t){i * 37 % 256}, 8);
    memcpy(memory + RANDOM_EXIT_AT, &(uint64_t){(uint64_t)leave}, 8);
    mprotect(memory + RANDOM_MEMORY_BYTES, RANDOM_PAGE_BYTES, PROT_READ);
    map(header.stack, RANDOM_STACK_BYTES, PROT_READ | PROT_WRITE, -1, 0);
    handle_signals();
    for (uint64_t i = 0; i < header.programs; i++)
        execute(&header, header.first_seed + i, programs[i]);
    fprintf(stderr, "random: %d signals of the timer\n", (int)alarms);
    return 0;
}
