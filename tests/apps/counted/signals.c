/* SPDX-License-Identifier: BSD-3-Clause
 * Signals while counting: signals WAY [TIMES]. Handlers and the interrupted program do work of known flop in region
 * "work"; the sum is printed. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "carmine.h"
#include "work.h"

static volatile long flop; /* expected; volatile, for raise() is a leaf to compilers */
static int times = 300;
static volatile sig_atomic_t calls;
static sigjmp_buf place;
static char *page;
static char other_stack[65536]; /* no malloc in the region, which takes other ways after other calls */

static void count_work(long more) {
    work(more);
    flop += more;
}
static void handle(int signal, void (*handler)(int), int flags) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigaction(signal, &action, NULL);
}
static void handle_work(int signal) {
    (void)signal;
    calls++;
    count_work(100);
}
static void handle_raising(int signal) {
    count_work(10);
    raise(signal == SIGUSR1 ? SIGUSR2 : SIGTERM);
    count_work(10);
}
static void handle_jumping(int signal) {
    count_work(10);
    siglongjmp(place, signal);
}
static void handle_fault(int signal) {
    (void)signal;
    count_work(10);
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
}
static void handle_skipping(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)info;
    count_work(10);
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += 2; /* behind the ud2 */
}
static void land(void) {
    count_work(10);
    siglongjmp(place, 1);
}
static void handle_redirecting(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)info;
    count_work(10);
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    registers[REG_RIP] = (greg_t)land;
    registers[REG_RSP] = (registers[REG_RSP] - 256) / 16 * 16 - 8; /* as at a function's entry */
}

static void raise_plain(void) {
    handle(SIGUSR1, handle_work, 0);
    for (int i = 0; i < times; i++)
        raise(SIGUSR1);
}
static void raise_nested(void) {
    handle(SIGUSR1, handle_raising, 0);
    handle(SIGUSR2, handle_raising, 0);
    handle(SIGTERM, handle_work, 0);
    for (int i = 0; i < times; i++)
        raise(SIGUSR1);
}
static void raise_on_other_stack(void) {
    stack_t stack = {.ss_sp = other_stack, .ss_size = sizeof other_stack};
    sigaltstack(&stack, NULL);
    handle(SIGUSR1, handle_raising, SA_ONSTACK);
    handle(SIGUSR2, handle_jumping, 0);
    for (volatile int i = 0; i < times; i++)
        if (sigsetjmp(place, 1) == 0)
            raise(SIGUSR1);
}
static void jump_out(void) {
    handle(SIGSEGV, handle_jumping, SA_NODEFER);
    for (volatile int i = 0; i < times; i++)
        if (sigsetjmp(place, 1) == 0)
            *(volatile char *)page = 1;
}
static void repair(void) {
    handle(SIGSEGV, handle_fault, 0);
    for (int i = 0; i < times; i++) {
        mprotect(page, 4096, PROT_NONE);
        ((volatile char *)page)[i] = 1;
    }
}
/* A loop of one block with a flop before and one after each store; a fault comes in any of its passes. */
static __attribute__((noinline)) void fill(char *first, long bytes) {
    __asm__ volatile("1: addsd %%xmm0, %%xmm0; movb $1, (%0); addsd %%xmm0, %%xmm0; inc %0; dec %1; jnz 1b"
                     : "+r"(first), "+r"(bytes)
                     :
                     : "xmm0", "cc", "memory");
}
static void fault_in_loop(void) { /* the handler repairs the page, or jumps out */
    page = mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
    page += 4096;
    for (volatile int i = 0; i < times; i++) {
        const volatile int before = i % 50;
        mprotect(page, 4096, PROT_NONE);
        handle(SIGSEGV, i % 2 ? handle_jumping : handle_fault, SA_NODEFER);
        if (sigsetjmp(place, 1) == 0) {
            fill(page - before, 60);
            flop += 2 * 60;
        } else {
            flop += 2 * before + 1;
        }
    }
}
static void skip_instruction(void) {
    struct sigaction action = {.sa_sigaction = handle_skipping, .sa_flags = SA_SIGINFO};
    sigaction(SIGILL, &action, NULL);
    for (int i = 0; i < times; i++)
        __asm__ volatile("ud2");
}
static void redirect(void) {
    struct sigaction action = {.sa_sigaction = handle_redirecting, .sa_flags = SA_SIGINFO};
    sigaction(SIGILL, &action, NULL);
    for (volatile int i = 0; i < times; i++)
        if (sigsetjmp(place, 1) == 0)
            __asm__ volatile("ud2");
}
static void interrupt_often(void) { /* signals come at 1 kHz, in whatever instruction it is just then */
    static char text[1000], copy[1000];
    struct itimerval timer = {{0, 1000}, {0, 1000}};
    handle(SIGALRM, handle_work, SA_RESTART);
    setitimer(ITIMER_REAL, &timer, NULL);
    for (int i = 0; calls < times; i = (i + 1) % 128) {
        memset(text, i, sizeof text);
        __asm__ volatile("rep movsb" ::"S"(text), "D"(copy), "c"(sizeof text) : "memory");
        work(1000);
        sigset_t set, old;
        sigemptyset(&set);
        sigaddset(&set, SIGALRM);
        sigprocmask(SIG_BLOCK, &set, &old); /* `flop` is the handler's too */
        flop += 1000;
        sigprocmask(SIG_SETMASK, &old, NULL);
    }
    memset(&timer, 0, sizeof timer);
    setitimer(ITIMER_REAL, &timer, NULL);
}

/* One flop and eight bytes stored per turn, and a flop more: in a block whose flags are needed, and by a rep-prefixed
 * instruction. */
static __attribute__((noinline)) void mixed(long turns) {
    static char buffer[8];
    __asm__ volatile("1: test %0, %0; jmp 2f; 2: addsd %%xmm0, %%xmm0; jz 3f; dec %0; lea %1, %%rdi; mov $8, %%ecx;"
                     "rep stosb; jmp 1b; 3:"
                     : "+r"(turns), "=m"(buffer)
                     :
                     : "rax", "rcx", "rdi", "xmm0", "cc", "memory");
}
static void handle_mixed(int signal) {
    (void)signal;
    calls++;
    mixed(3);
}
static _Atomic int flooded;
static void *send_signals(void *thread) {
    while (!flooded)
        pthread_kill(*(pthread_t *)thread, SIGUSR1);
    return NULL;
}
static void be_flooded(void) { /* signals as fast as they can come; handlers run the very blocks that they interrupt */
    const time_t began = time(NULL); /* on a busy host one comes per time slice */
    pthread_t self = pthread_self(), sender;
    long turns = 0;
    handle(SIGUSR1, handle_mixed, 0);
    pthread_create(&sender, NULL, send_signals, &self);
    for (; calls < 100 * times && time(NULL) < began + 5; turns += 1000)
        mixed(1000);
    flooded = 1;
    pthread_join(sender, NULL);
    flop += turns + turns / 1000 + 4 * calls;
    printf("function mixed store %ld\n", 8 * (turns + 3 * calls));
}
static void handle_awaited(int signal) { /* one more may come before the timer is off */
    if (calls < times)
        handle_work(signal);
}
static void wait_for_signals(void) { /* system calls that signals interrupt */
    struct itimerval timer = {{0, 1000}, {0, 1000}};
    handle(SIGALRM, handle_awaited, 0);
    setitimer(ITIMER_REAL, &timer, NULL);
    while (calls < times)
        pause();
    memset(&timer, 0, sizeof timer);
    setitimer(ITIMER_REAL, &timer, NULL);
}
static ucontext_t outside, inside;
static void coroutine(void) {
    for (;;) {
        count_work(10);
        swapcontext(&inside, &outside);
    }
}
static void swap_contexts(void) {
    getcontext(&inside);
    inside.uc_stack.ss_sp = other_stack;
    inside.uc_stack.ss_size = sizeof other_stack;
    makecontext(&inside, coroutine, 0);
    for (int i = 0; i < times; i++)
        swapcontext(&outside, &inside);
}

static const struct {
    const char *name;
    void (*run)(void);
} ways[] = {
    {"plain", raise_plain}, {"nested", raise_nested},   {"stack", raise_on_other_stack}, {"jump", jump_out},
    {"repair", repair},     {"loop", fault_in_loop},    {"skip", skip_instruction},      {"timer", interrupt_often},
    {"flood", be_flooded},  {"wait", wait_for_signals}, {"context", swap_contexts},      {"redirect", redirect},
};

int main(int argc, char **argv) {
    if (argc > 2)
        times = atoi(argv[2]);
    page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (argc > 1 && strcmp(argv[1], ways[i].name) != 0)
            continue;
        calls = 0;
        carmine_region_begin("work");
        ways[i].run();
        carmine_region_end("work");
    }
    printf("region \"work\" flop %ld\n", flop);
    return 0;
}
