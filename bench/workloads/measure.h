/* SPDX-License-Identifier: BSD-3-Clause
 * Repetitions of a workload, timed and marked: each is so many runs, and the caches are prepared before it. */
#ifndef BENCH_WORKLOADS_MEASURE_H
#define BENCH_WORKLOADS_MEASURE_H

#include "probe/clock.h"
#include "caches.h"

struct measuring {
    const struct clock *clock;
    bool clock_wanted; /* the core clock is read after each repetition */
    bool counted;      /* a thread that is done sleeps: what it spun while others work would count as theirs */
    bool simulated;    /* caches are, meanwhile: warm data has a run before that does not count */
    bool unseen; /* the runs that count are on a second copy of the data, which a library's threads have not seen */
    struct data *data;
    struct caches *caches;
    uint64_t runs;        /* of a repetition; 0: chosen by measure_runs() */
    double repetition_s;  /* that a repetition is to take at least */
    unsigned repetitions; /* that are marked; fewer afterwards, where the budget was spent */
    double budget_s;      /* 0: no limit */
    double once_s;        /* that the last run of measure_once() took */
    double round_s;       /* likewise all runs of a repetition that did not count; 0: there was none */
    uint64_t since_flush; /* runs, after all copies were flushed */
    uint64_t turn;        /* of the copies, whose the next run is */
};

/* All threads run the workload once on the first copy, untimed. Error: as team_run(). */
bool measure_once(struct measuring *measuring, struct error *err);

/* Chooses the number of runs, unless it is given, by repetitions that do not count: not where a single run takes so
 * long that the budget has no room for all repetitions. Error: as team_run(). */
bool measure_runs(struct measuring *measuring, struct error *err);

/* seconds[i] and clock_hz[i] (0: not known) are of repetition i: for a single run, from the first thread's start to the
 * last one's end; and the mean of the threads' core clocks straight after it. Each thread marks its runs, and nothing
 * else, as the region that is named like the workload. Error: as team_run(). */
bool measure_repetitions(struct measuring *measuring, double *seconds, double *clock_hz, struct error *err);

#endif
