/* SPDX-License-Identifier: BSD-3-Clause
 * Handlers that change where and with what the program goes on, while counting: preempted WAY. Each way does work of
 * known flop in region "work", and prints what it has computed. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "carmine.h"

enum { SIGNALS = 3000, TURNS = 100000 };
static volatile long calls, flop;
static volatile int ended;

/* Preemption as Go has it: the handler makes it look as if the interrupted function had called preempt(), which puts
 * all registers aside and does something else. A turn of the loop is three blocks: flags are needed by the next one,
 * and all registers by their sum. A flop each. */
__asm__(".text\n"
        "sum_turns:\n"
        "push %rbx; push %rbp; mov %rdi, %rcx; xor %eax, %eax; xor %edx, %edx; xor %esi, %esi; xor %r8d, %r8d; clc\n"
        "first_of_turn:\n"
        "adc %rcx, %rax; inc %rsi; lea 3(%rsi), %r9; mov %rsi, %rbx; jmp 2f\n"
        "2: adc $0, %rdx; mulsd %xmm1, %xmm0; jc 3f; lea (%rbx,%r9), %rbp\n"
        "3: cmp %r8, %rsi; mov %rbp, %r10; lea (%r8,%r10), %r8; jb 4f; xor %r8, %rdx\n"
        "4: call 5f; dec %rcx; jnz first_of_turn; jmp behind_turns\n"
        "5: lea (%rax,%rbp), %rax; ret\n"
        "behind_turns:\n"
        "xor %rdx, %rax; pop %rbp; pop %rbx; ret\n"
        "preempt:\n"
        "pushfq; push %rax; push %rcx; push %rdx; push %rbx; push %rbp; push %rsi; push %rdi; push %r8; push %r9; push "
        "%r10\n"
        "push %r11; push %r12; push %r13; push %r14; push %r15; cld; mov %rsp, %rbp; sub $528, %rsp; and $-64, %rsp\n"
        "fxsave64 (%rsp); call be_preempted; fxrstor64 (%rsp); mov %rbp, %rsp\n"
        "pop %r15; pop %r14; pop %r13; pop %r12; pop %r11; pop %r10; pop %r9; pop %r8; pop %rdi; pop %rsi; pop %rbp; "
        "pop %rbx\n"
        "pop %rdx; pop %rcx; pop %rax; popfq; ret\n");
uint64_t sum_turns(uint64_t turns);
extern const char first_of_turn[], behind_turns[], preempt[];

__attribute__((used)) void be_preempted(void);
void be_preempted(void) {
    __asm__ volatile("addsd %%xmm2, %%xmm2; pxor %%xmm0, %%xmm0; pxor %%xmm1, %%xmm1" ::: "xmm0", "xmm1", "xmm2");
    calls++;
}

static void handle_preempting(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)info;
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    if (registers[REG_RIP] < (greg_t)first_of_turn || registers[REG_RIP] >= (greg_t)behind_turns)
        return;
    registers[REG_RSP] -= 8;
    *(greg_t *)registers[REG_RSP] = registers[REG_RIP];
    registers[REG_RIP] = (greg_t)preempt;
}

static void *send_signals(void *thread) {
    while (!ended)
        pthread_kill(*(pthread_t *)thread, SIGURG);
    return NULL;
}

static void be_preempted_often(void) {
    pthread_t self = pthread_self(), sender;
    const uint64_t expected = sum_turns(TURNS);
    unsigned wrong = 0;
    pthread_create(&sender, NULL, send_signals, &self);
    for (flop += TURNS; calls < SIGNALS; flop += TURNS)
        wrong += sum_turns(TURNS) != expected;
    ended = 1;
    pthread_join(sender, NULL);
    flop += calls;
    printf("wrong sums: %u\n", wrong);
}

/* Waits in loops, each for another part of its context to change. */
__asm__(".text\n"
        "wait_for_changes:\n"
        "push %rbx; xor %eax, %eax; xor %ebx, %ebx; pxor %xmm1, %xmm1; pcmpeqd %xmm2, %xmm2\n"
        "waits_for_register: test %rbx, %rbx; jz waits_for_register; clc\n"
        "waits_for_carry: nop; nop; jnc waits_for_carry\n"
        "waits_for_vector: movq %xmm1, %rcx; lea (%rcx), %rdx; jrcxz waits_for_vector\n"
        "waits_for_jump: jmp waits_for_jump\n"
        "behind_waits: lea (%rbx,%rcx), %rax; pop %rbx; ret\n");
uint64_t wait_for_changes(void);
extern const char waits_for_register[], waits_for_carry[], waits_for_vector[], waits_for_jump[], behind_waits[];

static void handle_changing(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)info;
    ucontext_t *interrupted = context;
    greg_t *registers = interrupted->uc_mcontext.gregs;
    const char *rip = (const char *)registers[REG_RIP];
    if (rip < waits_for_register || rip >= behind_waits)
        return;
    if (rip < waits_for_carry)
        registers[REG_RBX] = 40;
    else if (rip < waits_for_vector)
        registers[REG_EFL] |= 1;
    else if (rip < waits_for_jump)
        interrupted->uc_mcontext.fpregs->_xmm[1].element[0] = 2;
    else
        registers[REG_RIP] = (greg_t)behind_waits;
}

static void change(void) {
    pthread_t self = pthread_self(), sender;
    pthread_create(&sender, NULL, send_signals, &self);
    printf("the sum of what was waited for: %lu\n", (unsigned long)wait_for_changes());
    ended = 1;
    pthread_join(sender, NULL);
}

/* Jumps to where there is no code, and a load behind which the handler goes on with a value of its own. */
static void handle_emulating(int signal, siginfo_t *info, void *context) {
    (void)signal;
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    calls += info->si_addr == (void *)registers[REG_RIP] || info->si_addr == (void *)registers[REG_RCX];
    registers[REG_RIP] = registers[REG_R12];
    registers[REG_RAX] = 7;
}

static void emulate(void) {
    long sum = 0;
    for (int i = 0; i < TURNS / 100; i++) {
        long value = 0;
        __asm__ volatile("lea 1f(%%rip), %%r12; addsd %%xmm0, %%xmm0; jmp *%1; 1: lea 2f(%%rip), %%r12; add %%rax, %2\n"
                         "mov (%%rcx), %%rax; addsd %%xmm0, %%xmm0; 2: add %%rax, %2"
                         : "=&a"(value)
                         : "r"(16L), "r"(sum), "c"(24L)
                         : "r12", "xmm0", "cc");
        __asm__ volatile("" : "+r"(sum));
        flop += 1;
    }
    if (syscall(SYS_rt_sigaction, SIGUSR1, (void *)16, NULL, 8) == -1 && errno == EFAULT) /* no handler is there */
        printf("faults with their addresses: %ld\n", calls);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(void);
        void (*handler)(int, siginfo_t *, void *);
        int signal;
    } ways[] = {{"preempt", be_preempted_often, handle_preempting, SIGURG},
                {"change", change, handle_changing, SIGURG},
                {"emulate", emulate, handle_emulating, SIGSEGV}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (argc > 1 && strcmp(argv[1], ways[i].name) != 0)
            continue;
        struct sigaction action = {.sa_sigaction = ways[i].handler, .sa_flags = SA_SIGINFO | SA_RESTART};
        sigaction(ways[i].signal, &action, NULL);
        calls = 0;
        ended = 0;
        carmine_region_begin("work");
        ways[i].run();
        carmine_region_end("work");
    }
    printf("region \"work\" flop %ld\n", flop);
    return 0;
}
