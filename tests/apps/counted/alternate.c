/* SPDX-License-Identifier: BSD-3-Clause
 * alternate WAY: handlers on the alternate signal stack, which other signals interrupt. A handler compares its own
 * frame with a copy after it has done something that takes a counter long: started a process, failed to execute a
 * program, switched to another stack and back, slept, set a filter of system calls. Prints what is left whole. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { TIMES = 100, STACK_BYTES = 1 << 16 };
static char alternate[STACK_BYTES], other[STACK_BYTES];
static ucontext_t here, there;
static volatile int ticks, whole;

static void tick(int number) {
    ticks += number == SIGALRM;
}

static void fork_child(void) {
    const pid_t child = fork();
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
}

static void vfork_child(void) {
    const pid_t child = vfork();
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
}

static void fail_to_execute(void) {
    char *const arguments[] = {"nothing", NULL};
    execv("/nothing/of/this/name", arguments);
}

static void come_back(void) {
    for (;;)
        swapcontext(&there, &here);
}

/* With all signals blocked: natively, too, one would come to the stack that the handler has left for a while. */
static void switch_stacks(void) {
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    swapcontext(&here, &there);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

static void rest(void) {
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

/* A filter without effect; each handler sets another. */
static void set_filter(void) {
    struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    const struct sock_fprog program = {.len = 1, .filter = &allow};
    if (whole < 4 && (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)))
        _exit(77);
}

static const struct way {
    const char *name;
    void (*act)(void);
} ways[] = {{"fork", fork_child},      {"vfork", vfork_child}, {"execute", fail_to_execute},
            {"switch", switch_stacks}, {"sleep", rest},        {"filter", set_filter}};
static const struct way *way;

static void handle(int number, siginfo_t *info, void *context) {
    const ucontext_t *frame = context, copy = *frame;
    const siginfo_t told = *info;
    way->act();
    for (volatile int i = 0; i < 2000; i++)
        ;
    whole += number == SIGUSR1 && memcmp(&told, info, sizeof told) == 0 &&
             memcmp(&copy.uc_mcontext.gregs, &frame->uc_mcontext.gregs, sizeof copy.uc_mcontext.gregs) == 0 &&
             memcmp(&copy.uc_sigmask, &frame->uc_sigmask, sizeof(long)) == 0;
}

int main(int argc, char **argv) {
    for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof *ways; i++)
        way = strcmp(argv[1], ways[i].name) == 0 ? &ways[i] : way;
    if (!way)
        return 2;
    getcontext(&there);
    there.uc_stack.ss_sp = other;
    there.uc_stack.ss_size = sizeof other;
    sigfillset(&there.uc_sigmask); /* swapcontext() sets it */
    makecontext(&there, come_back, 0);
    sigaltstack(&(stack_t){.ss_sp = alternate, .ss_size = sizeof alternate}, NULL);
    sigaction(SIGUSR1, &(struct sigaction){.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK}, NULL);
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = tick, .sa_flags = SA_ONSTACK | SA_RESTART}, NULL);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 1000}, {0, 1000}}, NULL);
    for (int i = 0; i < TIMES; i++)
        raise(SIGUSR1);
    sigset_t blocked;
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    printf("%d of %d frames whole, %s mask\n", whole, TIMES, sigisemptyset(&blocked) ? "empty" : "another");
    return 0;
}
