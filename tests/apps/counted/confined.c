/* SPDX-License-Identifier: BSD-3-Clause
 * Programs that give up rights, and then work: confined WAY. What they are refused afterwards they say; their flop is
 * printed first. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "carmine.h"
#include "work.h"

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define ON(call, action)                                                                                               \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), 0, 1), BPF_STMT(BPF_RET | BPF_K, (uint32_t)(action))
#define ELSE(action) BPF_STMT(BPF_RET | BPF_K, (uint32_t)(action))
#define REFUSED      (SECCOMP_RET_ERRNO | EPERM)

static void set_filter(const struct sock_filter *code, size_t count, unsigned flags) {
    const struct sock_fprog program = {.len = (unsigned short)count, .filter = (struct sock_filter *)(uintptr_t)code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program)) {
        printf("no filters here\n");
        exit(77);
    }
}
#define SET_FILTER(flags, ...)                                                                                         \
    do {                                                                                                               \
        const struct sock_filter code[] = {LOAD(nr), __VA_ARGS__};                                                     \
        set_filter(code, sizeof code / sizeof *code, flags);                                                           \
    } while (0)

static const char *outcome(long result) {
    return result >= 0 ? "done" : strerror(errno);
}

/* Nothing but what it needs to write and to end: none of the counter's calls. */
static void allow_little(void) {
    SET_FILTER(0, ON(SYS_write, SECCOMP_RET_ALLOW), ON(SYS_exit_group, SECCOMP_RET_ALLOW),
               ELSE(SECCOMP_RET_KILL_PROCESS));
    work(50);
    _exit(3);
}

static void strictly(void) {
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 1, NULL) == 0) /* libseccomp asks so */
        printf("wrong flags are taken\n");
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
    work(50);
    if (write(1, "strict\n", 7) == 7)
        syscall(SYS_exit, 4);
}

static void strictly_and_return(void) {
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
    work(50);
    exit(0); /* which makes a call that is not allowed */
}

static void *in_thread(void *unused) {
    work(25);
    printf("from a thread: %s\n", outcome(syscall(SYS_getppid)));
    return unused;
}

/* Calls that the counter makes for the program, or has a part in, are refused as natively. */
static void refuse(void) {
    pthread_t thread;
    SET_FILTER(0, ON(SYS_execve, REFUSED), ON(SYS_fork, REFUSED), ON(SYS_vfork, REFUSED), ON(SYS_rt_sigaction, REFUSED),
               ON(SYS_getppid, REFUSED), ON(SYS_open, REFUSED), ON(SYS_openat, REFUSED), ON(SYS_gettid, REFUSED),
               ON(SYS_rt_sigprocmask, SECCOMP_RET_ALLOW), ELSE(SECCOMP_RET_ALLOW));
    printf("execve: %s\n", outcome(execl("/bin/true", "true", NULL)));
    printf("fork: %s\n", outcome(syscall(SYS_fork)));
    printf("sigaction: %s\n", outcome(signal(SIGUSR1, SIG_IGN) == SIG_ERR ? -1 : 0));
    printf("open: %s\n", fopen("/dev/null", "r") ? "done" : strerror(errno));
    if (pthread_create(&thread, NULL, in_thread, NULL) == 0)
        pthread_join(thread, NULL);
    work(25);
}

static volatile sig_atomic_t trapped;
static void trap(int number, siginfo_t *info, void *context) {
    ucontext_t *interrupted = context;
    trapped += number == SIGSYS && info->si_syscall == interrupted->uc_mcontext.gregs[REG_RAX] &&
               info->si_call_addr == (void *)interrupted->uc_mcontext.gregs[REG_RIP];
    interrupted->uc_mcontext.gregs[REG_RAX] = 40 + info->si_syscall - SYS_getppid;
}

/* A handler answers in the kernel's place, as browsers have it. */
static void answer(void) {
    const struct sigaction action = {.sa_sigaction = trap, .sa_flags = SA_SIGINFO};
    sigaction(SIGSYS, &action, NULL);
    SET_FILTER(0, ON(SYS_getppid, SECCOMP_RET_TRAP), ON(SYS_rt_sigaction, SECCOMP_RET_TRAP), ELSE(SECCOMP_RET_ALLOW));
    printf("getppid: %ld\n", syscall(SYS_getppid));
    printf("sigaction: %ld\n", syscall(SYS_rt_sigaction, SIGUSR2, NULL, NULL, 8) - SYS_rt_sigaction + SYS_getppid);
    work(50);
    printf("%d trapped\n", (int)trapped);
}

static void *until_allowed(void *unused) {
    while (syscall(SYS_getppid) >= 0)
        usleep(1000);
    work(20);
    return unused;
}

/* One thread sets a filter for all. */
static void for_all(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, until_allowed, NULL);
    SET_FILTER(SECCOMP_FILTER_FLAG_TSYNC, ON(SYS_getppid, REFUSED), ON(SYS_execve, REFUSED), ELSE(SECCOMP_RET_ALLOW));
    pthread_join(thread, NULL);
    work(30);
    printf("execve: %s\n", outcome(execl("/bin/true", "true", NULL)));
}

/* A second filter, with jumps and sums; children inherit both. */
static void twice(void) {
    int status;
    SET_FILTER(0, ON(SYS_getppid, REFUSED), ELSE(SECCOMP_RET_ALLOW));
    SET_FILTER(0, BPF_STMT(BPF_ALU | BPF_ADD | BPF_K, 7), BPF_STMT(BPF_ST, 3),
               BPF_STMT(BPF_LD | BPF_IMM, SYS_getuid + 7), BPF_STMT(BPF_MISC | BPF_TAX, 0),
               BPF_STMT(BPF_LD | BPF_MEM, 3), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_X, 0, 0, 1),
               BPF_STMT(BPF_JMP | BPF_JA, 1), ELSE(SECCOMP_RET_ALLOW), ELSE(REFUSED));
    fflush(stdout);
    if (fork() == 0) {
        work(20);
        _exit((syscall(SYS_getppid) < 0) + 2 * (syscall(SYS_getuid) < 0) + 4 * (syscall(SYS_getgid) < 0));
    }
    wait(&status);
    work(30);
    printf("refused: %d\n", WEXITSTATUS(status));
}

/* The kernel ends it. */
static void violate(void) {
    SET_FILTER(0, ON(SYS_getppid, SECCOMP_RET_KILL_PROCESS), ELSE(SECCOMP_RET_ALLOW));
    work(50);
    syscall(SYS_getppid);
}

/* Work in a process of its own; 0: it ended well. */
static int work_in_child(long flop) {
    int status = -1;
    fflush(stdout);
    if (fork() == 0) {
        work(flop);
        _exit(0);
    }
    wait(&status);
    return status;
}

/* Code that was not reached before, in libraries that the program has. */
static void reach_new_code(void) {
    printf("%.3f %s\n", cos(0.5), strerror(EPERM));
}

static void need(int result, const char *what) {
    if (result == 0)
        return;
    printf("%s: %s\n", what, strerror(errno));
    exit(77);
}

/* Where no path leads to the report, nor to /proc. */
static void change_root(void) {
    char empty[] = "empty.XXXXXX";
    if (!mkdtemp(empty) || chroot(empty) != 0 || chdir("/") != 0) {
        rmdir(empty);
        need(-1, "chroot");
    }
    work(20);
    reach_new_code();
    printf("child %d, open: %s\n", work_in_child(30), fopen("/proc/self/maps", "r") ? "done" : strerror(errno));
}

/* As a user who may not write where the report is. */
static void change_user(void) {
    need(setgid(65534) || setuid(65534), "setuid");
    work(10);
    printf("child %d\n", work_in_child(20));
    fflush(stdout);
    execl("/proc/self/exe", "confined", "work", "20", NULL);
    printf("exec: %s\n", strerror(errno));
}

static void limit(int resource, rlim_t most) {
    const struct rlimit limit = {most, most};
    need(setrlimit(resource, &limit), "setrlimit");
}

static void limit_files(void) {
    limit(RLIMIT_NOFILE, 0);
    work(50);
    reach_new_code();
    printf("open: %s\n", fopen("/dev/null", "r") ? "done" : strerror(errno));
}

static void limit_bytes(void) {
    limit(RLIMIT_FSIZE, 0);
    work(50);
}

/* A child cannot leave its counts then; that is said. */
static void limit_child(void) {
    limit(RLIMIT_FSIZE, 0);
    work(20);
    printf("child %d\n", work_in_child(30));
}

/* What is held must not be in the way of numbers that the program wants. */
static void close_all(void) {
    need(setgid(getgid()), "setgid");
    for (int i = 3; i < 1024; i++)
        if (dup2(1, i) != i)
            printf("%d is not to be had\n", i);
    for (int i = 3; i < 1024; i += 2)
        close(i);
    syscall(SYS_close_range, 3U, ~0U, 0);
    work(20);
    printf("child %d, the next is %d\n", work_in_child(30), dup(1));
}

static const struct {
    const char *name;
    void (*run)(void);
} ways[] = {{"little", allow_little}, {"strict", strictly},   {"strict-exit", strictly_and_return},
            {"refuse", refuse},       {"answer", answer},     {"all", for_all},
            {"twice", twice},         {"violate", violate},   {"root", change_root},
            {"user", change_user},    {"files", limit_files}, {"bytes", limit_bytes},
            {"child", limit_child},   {"closed", close_all}};

int main(int argc, char **argv) {
    if (argc > 2) { /* a part of another's work, which it has printed */
        work(atol(argv[2]));
        return 0;
    }
    for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof *ways; i++)
        if (strcmp(argv[1], ways[i].name) == 0) {
            work(50);
            printf("region \"\" flop 100\n");
            fflush(stdout);
            ways[i].run();
            return 0;
        }
    return 2;
}
