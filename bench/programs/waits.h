/* SPDX-License-Identifier: BSD-3-Clause
 * What the threads of a running program do: they run, or wait in the kernel for something. Sampled from outside: the
 * kernel shows the system call of each waiting thread of our descendants in /proc/PID/task/TID/syscall. The program
 * itself does nothing for it. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Each thread is in one of these at a time. From WAIT_CPU on it has no CPU. */
enum wait_kind {
    WAIT_RUNS,   /* in its own code */
    WAIT_FAULTS, /* runs in the kernel for page faults */
    WAIT_KERNEL, /* runs in the kernel for anything else */
    WAIT_CPU,    /* ready to run */
    WAIT_LOCKS,  /* futex: locks, barriers, ends of threads */
    WAIT_SLEEP,
    WAIT_FILES, /* and disks */
    WAIT_PIPES,
    WAIT_SOCKETS,
    WAIT_DEVICES, /* terminals, too */
    WAIT_EVENTS,  /* poll, epoll, select, signals */
    WAIT_CHILDREN,
    WAIT_PAGES, /* page faults that wait: for a disk, or for another thread's change of the memory map */
    WAIT_OTHER, /* other system calls */
    WAIT_KINDS
};
extern const char *const wait_kind_names[WAIT_KINDS + 1]; /* "running", …; NULL at the end */

enum { WAITS_LEAST_SAMPLES = 5 }; /* fewer prove nothing */
struct waits {
    unsigned samples;        /* how often all threads were looked at; 0: what they do is unknown */
    double interval_s;       /* between two samples, on average */
    uint64_t ns[WAIT_KINDS]; /* time of all threads in one run; the sum is threads × time */
};

/* The kind from a line of /proc/PID/syscall; WAIT_KINDS: the thread has ended. If the file that it reads or writes
 * decides, `*descriptor` is its number, and wait_kind_of_file() tells by st_mode; else -1. */
enum wait_kind wait_kind_of_call(const char *line, int *descriptor);
enum wait_kind wait_kind_of_file(unsigned mode);

/* What had been seen by the time of a sample. */
struct wait_moment { /* of nothing but double: see on_line() */
    double seconds, ran_ns, ready_ns, ns[WAIT_KINDS];
    double kernel_ns, page_faults; /* in ticks of the kernel; of ended threads up to their last sample */
};

/* A run, sample by sample. */
struct wait_course {
    double began_s; /* by CLOCK_MONOTONIC */
    size_t count;
    struct wait_moment *moments; /* to be freed */
};

/* Samples of a run so far; starts as zero, or with `course`. */
struct wait_watch {
    struct waits sum;
    struct wait_course *course;    /* its moments are added; NULL: not wanted */
    double often_s;                /* wanted between samples, which may then cost more; 0: nothing special */
    double last_s;                 /* time of the last sample, since the program's start */
    double ran_ns, ready_ns;       /* on CPUs, and waiting for one */
    double kernel_ns, page_faults; /* with `often_s` */
    unsigned newest;               /* of the process numbers examined */
    double refused_ns;             /* of living threads that the kernel does not show */
    pid_t *processes;              /* the program, and its living descendants */
    struct wait_thread *threads;   /* of these, and free entries */
    size_t process_count, thread_count;
    long kept_files; /* of threads, open between samples */
};

/* Takes a sample, `seconds` after the start of the program `pid`. Returns the milliseconds until the next one: so
 * samples use about half a per cent of one CPU, with `often_s` two. For struct child's `tick`. */
int wait_watch_look(void *watch, pid_t pid, double seconds);

/* The same milliseconds, for a sample that took `cost_s`. */
int waits_next_ms(const struct wait_watch *watch, double seconds, double cost_s);

/* The result for a run of `seconds`, without the kernel's part. Frees the rest. */
struct waits wait_watch_end(struct wait_watch *watch, double seconds);

/* Adds what was seen between two times, in seconds after `began_s`. Of an interval between two samples it takes a part
 * in proportion. */
struct waits_part {
    struct waits waits; /* without the kernel's kinds, which waits_split_kernel() adds */
    double kernel_s, page_faults;
};
void waits_add_between(const struct wait_course *course, double from_s, double to_s, struct waits_part *sum);

/* Moves the kernel's share of the running time to its kinds. `fault_s`: of a page fault. */
void waits_split_kernel(struct waits *waits, double cpu_s, double kernel_s, double page_faults, double fault_s);

/* Of all threads: threads × time. */
double waits_sum_s(const struct waits *waits);

/* CPU time for the first touch of a small page on this machine, now. */
double waits_fault_seconds(void);
