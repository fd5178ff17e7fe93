/* SPDX-License-Identifier: BSD-3-Clause
 * Wraps the C library's functions that start threads, end the process without its destructors, replace it, or use
 * the samples' signal: the program's calls arrive here first. */
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

#include "process.h"
#include "real.h"
#include "samples.h"
#include "threads.h"

#define EXPORTED __attribute__((visibility("default")))

static void *enter(void *argument) {
    struct thread *thread = argument;
    thread_begin(thread);
    return thread->start(thread->argument);
}

EXPORTED int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    NEXT(pthread_create)
    struct thread *thread = collecting() ? thread_new(thread_self()) : NULL;
    if (!thread)
        return real(id, attributes, start, argument);
    thread->start = start;
    thread->argument = argument;
    const int status = real(id, attributes, enter, thread);
    if (status != 0)
        thread_discard(thread);
    return status;
}

static int enter_c11(void *argument) {
    struct thread *thread = argument;
    thread_begin(thread);
    return thread->start_c11(thread->argument);
}

EXPORTED int thrd_create(thrd_t *id, thrd_start_t start, void *argument) {
    NEXT(thrd_create)
    struct thread *thread = collecting() ? thread_new(thread_self()) : NULL;
    if (!thread)
        return real(id, start, argument);
    thread->start_c11 = start;
    thread->argument = argument;
    const int status = real(id, enter_c11, thread);
    if (status != thrd_success)
        thread_discard(thread);
    return status;
}

EXPORTED void _exit(int status) {
    process_end();
    for (;;)
        syscall(SYS_exit_group, status);
}
EXPORTED void _Exit(int status) {
    _exit(status);
}

/* Writes the report before an exec, since this code is gone afterwards. */
EXPORTED int execve(const char *path, char *const *arguments, char *const *environment) {
    NEXT(execve)
    process_report();
    const int status = real(path, arguments, environment);
    process_stays();
    return status;
}
EXPORTED int execvpe(const char *name, char *const *arguments, char *const *environment) {
    NEXT(execvpe)
    process_report();
    const int status = real(name, arguments, environment);
    process_stays();
    return status;
}
EXPORTED int fexecve(int file, char *const *arguments, char *const *environment) {
    NEXT(fexecve)
    process_report();
    const int status = real(file, arguments, environment);
    process_stays();
    return status;
}
EXPORTED int execveat(int folder, const char *path, char *const *arguments, char *const *environment, int flags) {
    NEXT(execveat)
    process_report();
    const int status = real(folder, path, arguments, environment, flags);
    process_stays();
    return status;
}
EXPORTED int execv(const char *path, char *const *arguments) {
    return execve(path, arguments, environ);
}
EXPORTED int execvp(const char *name, char *const *arguments) {
    return execvpe(name, arguments, environ);
}

/* Defines a function that takes arguments one by one up to a NULL, and passes them on as an array. */
#define EXEC_LIST(name, call)                                                                                          \
    EXPORTED int name(const char *path, const char *argument, ...) {                                                   \
        va_list list;                                                                                                  \
        size_t count = 1;                                                                                              \
        va_start(list, argument);                                                                                      \
        while (va_arg(list, char *))                                                                                   \
            count++;                                                                                                   \
        va_end(list);                                                                                                  \
        char *arguments[count + 1];                                                                                    \
        va_start(list, argument);                                                                                      \
        arguments[0] = (char *)argument;                                                                               \
        for (size_t i = 1; i <= count; i++)                                                                            \
            arguments[i] = va_arg(list, char *);                                                                       \
        int status = call;                                                                                             \
        va_end(list);                                                                                                  \
        return status;                                                                                                 \
    }
EXEC_LIST(execl, execve(path, arguments, environ))
EXEC_LIST(execlp, execvpe(path, arguments, environ))
EXEC_LIST(execle, execve(path, arguments, va_arg(list, char *const *)))

static const char *const OWN_USE = "the program handles SIGPROF itself";

EXPORTED int sigaction(int signal, const struct sigaction *action, struct sigaction *old) {
    if (signal == SIGPROF && action)
        samples_give_way(OWN_USE);
    const int status = real_sigaction(signal, action, old);
    if (signal == SIGPROF && old && status == 0 && samples_running())
        *old = (struct sigaction){.sa_handler = SIG_DFL};
    return status;
}
EXPORTED sighandler_t signal(int number, sighandler_t handler) {
    NEXT(signal)
    if (number == SIGPROF)
        samples_give_way(OWN_USE);
    return real(number, handler);
}
