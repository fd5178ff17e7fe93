/* SPDX-License-Identifier: BSD-3-Clause
 * Starts a program and waits for it (see child.h). */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/error.h"
#include "probe/need.h"
#include "probe/now.h"

extern char **environ;

enum { CANNOT_START = 127, ENDING_S = 5 };

static const int STOPPING[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { STOPPING_COUNT = sizeof STOPPING / sizeof STOPPING[0] };

/* Signals of a failed write. For carmine the failure is an error, so results are still stored; the program gets the
 * original handling. */
static const int FAILING[] = {SIGPIPE, SIGXFSZ};
enum { PIPE, FILE_SIZE, FAILING_COUNT };
static bool failing_ignored[FAILING_COUNT] = {true, true}; /* by carmine's parent */

/* Handlers of signals run on any thread, and pass them on to the first one, which starts programs and reaps them. */
static atomic_int child_stop, running;       /* the first signal; the program's process; 0: none */
static atomic_int copies[CHILD_COPIES_MOST]; /* copies of this process, by slot; 0: none */
_Static_assert(ATOMIC_INT_LOCK_FREE == 2 && sizeof(pid_t) == sizeof(int), "a signal handler waits for no lock");

static int child_load(const atomic_int *number) {
    return atomic_load_explicit(number, memory_order_relaxed);
}
static void child_store(atomic_int *number, int value) {
    atomic_store_explicit(number, value, memory_order_relaxed);
}

int child_stopped(void) {
    return child_load(&child_stop);
}
void child_continue(void) {
    child_store(&child_stop, 0);
}

/* The signal's origin travels as its value. */
static bool passed_to_first_thread(int number, const siginfo_t *info) {
    const int saved_errno = errno;
    const pid_t first = getpid();
    siginfo_t queued = {.si_signo = number, .si_code = SI_QUEUE};
    queued.si_pid = first;
    queued.si_value.sival_int = info->si_code;
    const bool passed = gettid() != first && syscall(SYS_rt_tgsigqueueinfo, first, first, number, &queued) == 0;
    errno = saved_errno;
    return passed;
}
static int signal_origin(const siginfo_t *info) {
    return info->si_code == SI_QUEUE && info->si_pid == getpid() ? info->si_value.sival_int : info->si_code;
}

/* The program's time to end is over. */
static void on_alarm(int number, siginfo_t *info, void *context) {
    (void)context;
    const pid_t program = child_load(&running);
    if (!passed_to_first_thread(number, info) && program)
        kill(program, SIGKILL);
}

static void on_signal(int number, siginfo_t *info, void *context) {
    (void)context;
    if (passed_to_first_thread(number, info))
        return;
    const pid_t program = child_load(&running);
    bool first = child_load(&child_stop) == 0,
         from_terminal = signal_origin(info) == SI_KERNEL; /* it signals the program, too */
    bool second = !first && number != SIGHUP;              /* a closing terminal sends it, and its shell once more */
    if (first)
        child_store(&child_stop, number);
    if (first && number == SIGTERM)
        alarm(ENDING_S);
    if (program && second)
        kill(program, SIGKILL);
    else if (program && !from_terminal)
        kill(program, number);
    for (unsigned i = 0; i < CHILD_COPIES_MOST; i++) { /* they handle it as we do */
        const pid_t copy = child_load(&copies[i]);
        if (copy && !from_terminal)
            kill(copy, number);
    }
}

static void ignore(unsigned failing) {
    failing_ignored[failing] = signal(FAILING[failing], SIG_IGN) == SIG_IGN;
}

void child_ignore_file_limit(void) {
    ignore(FILE_SIZE);
}

void child_catch_signals(void) {
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART}, ending = action, was;
    ending.sa_sigaction = on_alarm;
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < STOPPING_COUNT; i++)
        if (sigaction(STOPPING[i], NULL, &was) == 0 && was.sa_handler != SIG_IGN) /* nohup stays in effect */
            sigaction(STOPPING[i], &action, NULL);
    sigaction(SIGALRM, &ending, NULL);
    ignore(PIPE);
    signal(SIGCHLD, SIG_DFL); /* if the parent ignored it, the exit status would be lost */
}

/* The environment with the child's variables; free_environment() frees it and its own texts. */
struct environment_copy {
    char **all;
    char **own;
    size_t own_count;
};

static bool names(const char *entry, const char *name) {
    size_t length = strlen(name);
    return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

static void add_own(struct environment_copy *copy, size_t *count, const char *name, const char *value,
                    const char *rest) {
    size_t bytes = strlen(name) + strlen(value) + strlen(rest) + 3;
    char *entry = need_malloc(bytes);
    snprintf(entry, bytes, "%s=%s%s%s", name, value, *rest ? ":" : "", rest);
    copy->own[copy->own_count++] = entry;
    copy->all[(*count)++] = entry;
}

static struct environment_copy copy_environment(const struct child *child) {
    size_t inherited = 0, count = 0;
    while (environ[inherited])
        inherited++;
    struct environment_copy copy = {.all = need_calloc(inherited + child->variable_count + 2, sizeof *copy.all),
                                    .own = need_calloc(child->variable_count + 1, sizeof *copy.own)};
    const char *preloaded = "";
    for (size_t i = 0; i < inherited; i++) {
        bool replaced = false;
        if (child->preload && names(environ[i], "LD_PRELOAD")) {
            preloaded = strchr(environ[i], '=') + 1;
            replaced = true;
        }
        for (size_t v = 0; v < child->variable_count; v++)
            replaced |= names(environ[i], child->variables[v].name);
        if (!replaced)
            copy.all[count++] = environ[i];
    }
    if (child->preload)
        add_own(&copy, &count, "LD_PRELOAD", child->preload, preloaded);
    for (size_t v = 0; v < child->variable_count; v++)
        add_own(&copy, &count, child->variables[v].name, child->variables[v].value, "");
    return copy;
}

static void free_environment(struct environment_copy *copy) {
    for (size_t i = 0; i < copy->own_count; i++)
        free(copy->own[i]);
    free(copy->own);
    free(copy->all);
}

void child_end_with(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it had ended before */
        _exit(CANNOT_START);
}

static bool connect_to(int from, int to, int flags) {
    if (from == to)
        return fcntl(to, F_SETFD, 0) == 0;
    const int opened = from < 0 ? open("/dev/null", flags) : from;
    if (opened < 0 || (opened != to && dup2(opened, to) < 0))
        return false;
    return from >= 0 || opened == to || close(opened) == 0;
}

/* Runs in memory shared with the parent process: it must change nothing, and run none of our handlers. */
static void drop_handlers(void) {
    for (int number = 1; number < NSIG; number++) {
        struct sigaction action;
        if (sigaction(number, NULL, &action) != 0)
            continue;
        bool handled = action.sa_handler != SIG_IGN && action.sa_handler != SIG_DFL;
        for (size_t i = 0; i < FAILING_COUNT; i++)
            handled |= number == FAILING[i] && !failing_ignored[i];
        if (handled)
            signal(number, SIG_DFL);
    }
}

/* Makes the new process the program; returns errno on failure. */
static int become(const struct child *child, char **environment, pid_t parent, const sigset_t *signals) {
    drop_handlers();
    child_end_with(parent);
    if (!connect_to(child->in, STDIN_FILENO, O_RDONLY) || !connect_to(child->out, STDOUT_FILENO, O_WRONLY) ||
        !connect_to(child->err, STDERR_FILENO, O_WRONLY))
        return errno;
    sigprocmask(SIG_SETMASK, signals, NULL);
    execve(child->path, child->argv, environment);
    return errno;
}

/* 0, or errno. vfork() does not copy the page tables of a benchmark's memory; posix_spawn() cannot tie the program's
 * end to ours. Signals are blocked until `known` holds the process, so none of them misses it; NULL: no signals are
 * forwarded. */
static int spawn(const struct child *child, pid_t *pid, atomic_int *known) {
    sigset_t all, before;
    volatile int reason = 0;
    const pid_t parent = getpid();
    struct environment_copy environment = copy_environment(child);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    *pid = vfork();
    if (*pid == 0) {
        reason = become(child, environment.all, parent, &before);
        _exit(CANNOT_START);
    }
    if (*pid < 0)
        reason = errno;
    else if (reason)
        while (waitpid(*pid, NULL, 0) < 0 && errno == EINTR)
            ;
    if (known)
        child_store(known, reason == 0 ? *pid : 0);
    sigprocmask(SIG_SETMASK, &before, NULL);
    free_environment(&environment);
    return reason;
}

static double child_seconds_of(struct timeval time) {
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

/* Advice for an errno at the program's start; "" if it is obvious. */
static const char *start_remedy(int reason) {
    switch (reason) {
    case EAGAIN:
        return "; raise `ulimit -u`, or the control group's pids.max";
    case EMFILE:
        return "; raise `ulimit -n`";
    default:
        return "";
    }
}

/* Waits for the end. Before Linux 5.3 `tick` is not called. */
static void wait_for(pid_t pid, const struct child *child, double started_s) {
    int tick_ms = 1;
    siginfo_t info;
    const int process = child->tick ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
    for (int ended = 0; process >= 0 && ended == 0;) {
        struct pollfd end = {.fd = process, .events = POLLIN};
        ended = poll(&end, 1, tick_ms);
        if (ended == 0)
            tick_ms = child->tick(child->context, pid, now_s() - started_s);
        else if (ended < 0 && errno == EINTR)
            ended = 0;
    }
    if (process >= 0)
        close(process);
    while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
        ;
}

/* Of a process that has ended and was not reaped. The file has nanoseconds of the first thread: on a CPU, and waiting
 * for one. */
static double child_delay_of(pid_t pid) {
    char path[64];
    unsigned long long ran_ns = 0, delay_ns = 0;
    snprintf(path, sizeof path, "/proc/%d/schedstat", (int)pid);
    FILE *file = fopen(path, "re");
    const bool known = file && fscanf(file, "%llu %llu", &ran_ns, &delay_ns) == 2;
    if (file)
        fclose(file);
    return known ? 1e-9 * (double)delay_ns : 0;
}

static bool cannot_start(const struct child *child, int reason, struct error *err) {
    return error_set(err, "%s: cannot be started: %s%s", child->path, strerror(reason), start_remedy(reason));
}

bool child_start(const struct child *child, pid_t *pid, struct error *err) {
    const int reason = spawn(child, pid, NULL);
    return reason == 0 || cannot_start(child, reason, err);
}

bool child_run(const struct child *child, struct child_end *out, struct error *err) {
    pid_t pid;
    *out = (struct child_end){0};
    double started_s = now_s();
    int reason = spawn(child, &pid, &running);
    if (reason)
        return cannot_start(child, reason, err);
    /* Reap only after the last signal: later the number may be another process's. */
    wait_for(pid, child, started_s);
    out->seconds = now_s() - started_s;
    child_store(&running, 0);
    out->delay_s = child_delay_of(pid);
    struct rusage usage;
    while (wait4(pid, &out->status, 0, &usage) < 0 && errno == EINTR)
        ;
    out->kernel_s = child_seconds_of(usage.ru_stime);
    out->cpu_s = child_seconds_of(usage.ru_utime) + out->kernel_s;
    out->page_faults = (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt;
    return true;
}

static void copy_begins(pid_t parent, const sigset_t *signals) {
    child_store(&running, 0);
    for (unsigned i = 0; i < CHILD_COPIES_MOST; i++)
        child_store(&copies[i], 0);
    child_end_with(parent);
    sigprocmask(SIG_SETMASK, signals, NULL);
}

bool child_copy_start(unsigned slot, void (*work)(void *context), void *context) {
    sigset_t all, before;
    const pid_t parent = getpid();
    fflush(stdout); /* otherwise both would write the buffered text */
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    const pid_t pid = fork();
    if (pid == 0) {
        copy_begins(parent, &before);
        work(context);
        _exit(0);
    }
    child_store(&copies[slot], pid > 0 ? pid : 0);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (pid > 0 && child_stopped()) /* the terminal sent it before the copy existed */
        kill(pid, child_stopped());
    return pid > 0;
}

unsigned child_copy_wait(void) {
    for (;;) {
        siginfo_t info = {0};
        while (waitid(P_ALL, 0, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
            ;
        unsigned slot = 0;
        while (slot < CHILD_COPIES_MOST && (info.si_pid == 0 || child_load(&copies[slot]) != info.si_pid))
            slot++;
        if (slot < CHILD_COPIES_MOST)
            child_store(&copies[slot], 0); /* before its number can be reused */
        if (info.si_pid == 0)
            return CHILD_COPIES_MOST;
        waitpid(info.si_pid, NULL, 0);
        if (slot < CHILD_COPIES_MOST) /* otherwise a child of the program that executed carmine */
            return slot;
    }
}

const char *child_status_text(int status, char *out, size_t size) {
    if (WIFSIGNALED(status))
        snprintf(out, size, "killed by signal %d (%s)%s", WTERMSIG(status), strsignal(WTERMSIG(status)),
                 WTERMSIG(status) == SIGXFSZ ? "; raise `ulimit -f`" : "");
    else
        snprintf(out, size, "exit status %d", WEXITSTATUS(status));
    return out;
}

const char *child_last_line(char *text) {
    for (char *end = text + strlen(text); end > text && end[-1] == '\n';)
        *--end = '\0';
    const char *before = strrchr(text, '\n');
    return before ? before + 1 : text;
}

int child_exit_status(int status) {
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
