/* SPDX-License-Identifier: BSD-3-Clause
 * Starting the program that is measured, and waiting for it. What stops carmine stops the program too. */
#ifndef BENCH_PROGRAMS_CHILD_H
#define BENCH_PROGRAMS_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "probe/error.h"

struct child_variable {
    const char *name, *value;
};
struct child {
    const char *path; /* of the file that is executed */
    char *const *argv;
    const char *preload;                    /* a library that comes before those of LD_PRELOAD; NULL: none */
    const struct child_variable *variables; /* in its environment, in place of those of the same name */
    size_t variable_count;
    int in, out, err;                            /* descriptors; -1: /dev/null */
    void (*tick)(void *context, double seconds); /* about every second, since its start; NULL */
    void *context;
};
struct child_end {
    int status;           /* as waitpid tells it */
    double seconds;       /* from its start to its end */
    double cpu_s;         /* of all its threads, and of its children that it waited for */
    double kernel_s;      /* of that in the kernel */
    double delay_s;       /* that its first thread was ready to run, and other programs had the CPU; 0: not known */
    uint64_t page_faults; /* of these, too */
    double written_bytes; /* of these, by system calls into files, pipes and terminals; NAN: not known */
};

/* Error: it cannot be started. How it ends is no error. When this process ends, however that happens, the program is
 * killed (PR_SET_PDEATHSIG: when the thread that called ends, so this is the main thread's); what it started itself is
 * not, and where it runs with other rights than ours (setuid), it is not. */
bool child_run(const struct child *child, struct child_end *out, struct error *err);

/* Starts one of several programs that run at a time; its `tick` is not called. The caller waits for it (waitpid()), and
 * signals are the caller's affair. Error and end of this process: as of child_run(). */
bool child_start(const struct child *child, pid_t *pid, struct error *err);

/* A copy of this process does `work` beside it, and ends; what it leaves is in memory that is shared. What stops
 * carmine stops it, as child_catch_signals() says; it is killed when this process ends. `slot`, below
 * CHILD_COPIES_MOST, is its own until child_copy_wait() returns that. False: there can be no more processes. */
enum { CHILD_COPIES_MOST = 512 };
bool child_copy_start(unsigned slot, void (*work)(void *context), void *context);
/* Waits until a copy has ended, however it did. CHILD_COPIES_MOST: there is none. */
unsigned child_copy_wait(void);

/* The last line of what a program said, whose line ends at its end go. */
const char *child_last_line(char *text);

/* In a process that `parent` has just forked: it is killed when that ends. */
void child_end_with(pid_t parent);

/* "exit status 3", "killed by signal 11 (Segmentation fault)". */
const char *child_status_text(int status, char *out, size_t size);

/* The exit status that a shell would give: 128 + number after a signal. */
int child_exit_status(int status);

/* From now on a file that grows beyond `ulimit -f` is an error for carmine, as a full disk is, and for the program what
 * it was before (SIGXFSZ). To be called first. */
void child_ignore_file_limit(void);

/* From now on SIGINT, SIGTERM, SIGHUP and SIGQUIT do not end carmine: the first is left to the program (and passed on
 * to it, where the terminal has not sent it already), a second one but SIGHUP kills it, and so do five
 * seconds after SIGTERM. A write to a closed pipe is an
 * error for carmine, and for the program what it was before. */
void child_catch_signals(void);
extern volatile sig_atomic_t child_stop; /* number of the first such signal; 0: none */

#endif
