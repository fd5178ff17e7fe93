/* SPDX-License-Identifier: BSD-3-Clause
 * Other programs during a measurement: how many CPUs they kept busy, and which program used most. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct machine;

/* Activity of the whole machine. A steady load on another core slows shared caches and memory, but the repetitions do
 * not differ. */

struct activity {
    bool known;      /* false: the system does not report it */
    double wall_s;   /* CLOCK_MONOTONIC */
    double busy_s;   /* of all programs, over all CPUs */
    double own_s;    /* of this process and its ended children */
    double stolen_s; /* wanted by a virtual machine's CPUs, and given to others by the host */
};

struct activity activity_now(const char *proc_stat_path);

/* The average number of CPUs that others kept busy between the two; 0 if unknown, or if the time between them is too
 * short for the system's ticks of 10 ms. */
double activity_of_others(const struct activity *before, const struct activity *after);

/* The average number of CPUs that the host took away between the two; 0 likewise. */
double activity_stolen(const struct activity *before, const struct activity *after);

/* Whether other programs kept CPUs busy lately: sets `*busy` and moves `*from` on to `now` if the time between them is
 * long enough for the system's ticks, which a visit is not. Too long ago is no longer lately. */
void activity_sample(struct activity *from, const struct activity *now, bool *busy);

enum { OTHERS_NAME_BYTES = 32 };

struct others {
    double cpus;                     /* average CPUs kept busy on the whole system; 0: none or unknown */
    double allowed_cpus;             /* the part on CPUs that this process may use */
    double busiest_cpus;             /* of the busiest program, over all its processes */
    char busiest[OTHERS_NAME_BYTES]; /* its name as in /proc; "": no program is visible */
};

/* The start of a watch. */
struct others_watch {
    struct activity all, allowed;
    size_t count;
    struct others_process *processes; /* sorted by number; allocated */
};

/* `root` is a prefix of /proc: "" for this machine. Reads a small file per process: do not call between repetitions.
 * The caller ends with others_free(). */
void others_begin(struct others_watch *out, const char *root, const struct machine *machine);

/* The others' activity since the watch began. Processes that ended meanwhile count only in the total time. This process
 * and its descendants do not count. */
struct others others_since(const struct others_watch *watch, const char *root, const struct machine *machine);

void others_free(struct others_watch *watch);
