/* SPDX-License-Identifier: BSD-3-Clause
 * Starts the measured program and waits for it. A signal that stops carmine stops the program too. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct error;

struct child_variable {
    const char *name, *value;
};
struct child {
    const char *path; /* the file to execute */
    char *const *argv;
    const char *preload;                    /* loaded before those of LD_PRELOAD; NULL: none */
    const struct child_variable *variables; /* replace variables of the same name in its environment */
    size_t variable_count;
    int in, out, err; /* descriptors; -1: /dev/null */
    /* After a millisecond, and again after the milliseconds that it returns, with the time since the start; NULL */
    int (*tick)(void *context, pid_t process, double seconds);
    void *context;
};
struct child_end {
    int status;           /* as from waitpid() */
    double seconds;       /* from its start to its end */
    double cpu_s;         /* of all its threads, and of its children that it waited for */
    double kernel_s;      /* of that in the kernel */
    double delay_s;       /* time its first thread was ready while other programs had the CPU; 0: unknown */
    uint64_t page_faults; /* of these, too */
};

/* Error: it cannot be started. No way of ending is an error. When this process ends, for any reason, the program is
 * killed (PR_SET_PDEATHSIG: when the calling thread ends, so call it from the main thread). The program's own children
 * are not killed, and neither is a program with other rights than ours (setuid). */
bool child_run(const struct child *child, struct child_end *out, struct error *err);

/* Starts one of several programs that run at the same time; `tick` is not called. The caller waits for it (waitpid())
 * and handles signals. Errors and the end of this process: as for child_run(). */
bool child_start(const struct child *child, pid_t *pid, struct error *err);

/* A copy of this process runs `work` beside it, and ends; results are in shared memory. Signals that stop carmine stop
 * the copy, as for child_catch_signals(). It is killed when this process ends. `slot`, below CHILD_COPIES_MOST, is in
 * use until child_copy_wait() returns it. False: no more processes are possible. */
enum { CHILD_COPIES_MOST = 512 };
bool child_copy_start(unsigned slot, void (*work)(void *context), void *context);
/* Waits until a copy has ended, in any way. CHILD_COPIES_MOST: there is none. */
unsigned child_copy_wait(void);

/* The last line of a program's output; removes the line breaks at the end. */
const char *child_last_line(char *text);

/* In a process that `parent` has just forked: kills it when the parent ends. */
void child_end_with(pid_t parent);

/* "exit status 3", "killed by signal 11 (Segmentation fault)". */
const char *child_status_text(int status, char *out, size_t size);

/* The exit status that a shell would give: 128 + signal number. */
int child_exit_status(int status);

/* Afterwards a file that exceeds `ulimit -f` is an error for carmine, like a full disk. The program keeps the original
 * handling (SIGXFSZ). To be called first. */
void child_ignore_file_limit(void);

/* Afterwards SIGINT, SIGTERM, SIGHUP and SIGQUIT do not end carmine. The first one is left to the program, and
 * forwarded unless the terminal has sent it there. A second one, except SIGHUP, kills the program; so do five seconds
 * after SIGTERM. A write to a closed pipe is an error for carmine; the program keeps the original handling. */
void child_catch_signals(void);

/* The number of the first such signal; 0: none since child_continue(). */
int child_stopped(void);
void child_continue(void);
