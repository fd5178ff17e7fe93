/* SPDX-License-Identifier: BSD-3-Clause
 * Other programs while something was measured: how many CPUs they kept busy, and which of them the most. */
#ifndef BENCH_KERNELS_OTHERS_H
#define BENCH_KERNELS_OTHERS_H

#include <stdbool.h>

#include "probe/machine.h"

/* What else ran on the machine meanwhile: a steady load on another core slows shared caches and memory without making
 * the repetitions differ from each other. */

struct activity {
    bool known;      /* false: the system does not tell */
    double wall_s;   /* CLOCK_MONOTONIC */
    double busy_s;   /* of all CPUs together, every program */
    double own_s;    /* of this process, and of those that it started and that have ended */
    double stolen_s; /* that a virtual machine's CPUs wanted and the host gave to others */
};

struct activity activity_now(const char *proc_stat_path);

/* How many CPUs others kept busy on average between the two; 0 where it is not known or the time between them is too
 * short for the system's ticks of 10 ms to tell. */
double activity_of_others(const struct activity *before, const struct activity *after);

/* How many CPUs the host took away on average between the two; 0 likewise. */
double activity_stolen(const struct activity *before, const struct activity *after);

enum { OTHERS_NAME_BYTES = 32 };

/* As many as that, in CPUs, show in a level that is shared. */
#define OTHERS_MATTER 0.2
/* So many are a program that works, not what a system does beside. */
#define OTHERS_WORK 0.5

struct others {
    double cpus;                     /* kept busy on average, of the whole system; 0: none, or not known */
    double allowed_cpus;             /* those of them that this process may use, too */
    double busiest_cpus;             /* of the program that used the most, all of its processes */
    char busiest[OTHERS_NAME_BYTES]; /* its name, as it wants to be called; "": none is seen */
};

/* From when on. */
struct others_watch {
    struct activity all, allowed;
    size_t count;
    struct others_process *processes; /* by their numbers; allocated */
};

/* `root` is put before /proc: "" for this machine. Reads a small file for each process: nothing to be done between
 * repetitions. The caller ends with others_free(). */
void others_begin(struct others_watch *out, const char *root, const struct machine *machine);

/* What others did since then. Who neither began nor ended meanwhile is seen whole; of who has ended only the time. This
 * process and those that it started are no others. */
struct others others_since(const struct others_watch *watch, const char *root, const struct machine *machine);

void others_free(struct others_watch *watch);

#endif
