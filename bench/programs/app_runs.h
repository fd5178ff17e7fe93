/* SPDX-License-Identifier: BSD-3-Clause
 * The runs of a program: whether they did the same work, as ranks, and on which cores. */
#pragma once

#include <sched.h>
#include <stdbool.h>

#include "app.h"
#include "regions.h"

struct machine;

/* Whether the counted work is the timed work: runs of a program may differ, by time or by chance. Pure. */

struct app_work {
    bool flop, bytes; /* known for the timed runs */
    double scale;     /* factor for the counts */
};

/* Whether time may have influenced the counted run. Two readings of a clock only measure a duration, and ranks read it
 * while they wait for each other. */
bool app_work_may_be_timed(const struct profile *profile);

/* For a region ("": the program) that the timed runs entered so often. */
struct app_work app_work_find(const struct app_runs *runs, const char *region, uint64_t timed_calls);

/* The count, scaled to the timed runs. */
struct count app_work_scale(const struct count *count, double scale);

/* Removes unknown work from a point, and adds the doubt. */
void app_work_apply(const struct app_work *work, struct app_point *point);

/* A program that a launcher such as mpirun started as ranks: its name, a point for each rank, and the values of all
 * together. */

/* The name of its points: that of the ranks' program, found in the launcher's arguments. "" if the runs have no
 * ranks. */
void app_ranks_name(char *const *argv, const struct regions_report *report, char out[64]);

/* Error: ranks left no report because they were killed or ran on other nodes. */
bool app_ranks_complete(const struct regions_report *report, struct error *err);

/* Sets the values of all ranks in a region's point ("": the program): their number, MPI time and imbalance. Pure. */
void app_ranks_describe(const struct app_runs *runs, const char *region, struct app_point *point);

/* The point of one rank in the program or in a region. `whole` is the point of all ranks. Pure. */
struct app_point app_ranks_point(const struct app_runs *runs, const struct app_point *whole, unsigned rank);

/* The slowest rank against the median one; 0 if there is only one. Sorts the times. Pure. */
double app_ranks_imbalance(double *seconds, size_t count);

/* Its counts; NULL: none. */
const struct profile_rank *app_ranks_counted(const struct app_runs *runs, const char *region, unsigned rank);

/* The cores that a program runs on while the CPU's events are counted. On a hybrid CPU the events of flop are those of
 * the P cores, and the E cores have none: what they did would be missing without a word. So the program is kept on the
 * P cores, and a program that leaves them is refused. */

struct app_cores {
    bool p_only;     /* this thread, and the processes that it starts, are kept on the P cores; otherwise on all */
    cpu_set_t all;   /* before */
    char strays[96]; /* the event to count besides: instructions on E cores; "" none is known */
};

/* Error: only E cores are allowed. */
bool app_cores_keep(const struct machine *machine, struct app_cores *out, struct error *err);

/* Error: a run that counted `strays` left the P cores. */
bool app_cores_kept(const struct app_cores *cores, const struct regions_report *report, struct error *err);

void app_cores_release(struct app_cores *cores);
