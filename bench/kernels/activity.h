/* SPDX-License-Identifier: BSD-3-Clause
 * What else ran on the machine meanwhile: a steady load on another core slows shared caches and memory without making
 * the repetitions differ from each other. */
#ifndef BENCH_KERNELS_ACTIVITY_H
#define BENCH_KERNELS_ACTIVITY_H

#include <stdbool.h>

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

#endif
