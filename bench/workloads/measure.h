/* SPDX-License-Identifier: BSD-3-Clause
 * Repetitions of a workload, timed and marked. Each is a number of runs, with the caches prepared before it. */
#pragma once

#include "probe/clock.h"
#include "caches.h"

struct measuring {
    const struct clock *clock;
    bool clock_wanted; /* the core clock is read after each repetition */
    bool counted;      /* waiting threads sleep: instructions of spinning would count as work */
    bool simulated;    /* the caches are simulated: warm data gets an uncounted run before */
    bool unseen;       /* the counted runs use a second copy of the data, which a library's threads have not seen */
    struct data *data;
    struct caches *caches;
    uint64_t runs;        /* per repetition; 0: chosen by measure_runs() */
    double repetition_s;  /* minimum time of a repetition */
    unsigned repetitions; /* number of marked ones; reduced when the budget is spent */
    double budget_s;      /* 0: no limit */
    double once_s;        /* time of the last run of measure_once() */
    double round_s;       /* time of all runs of the last uncounted repetition; 0: there was none */
    uint64_t since_flush; /* runs since all copies were flushed */
    uint64_t turn;        /* index of the copy for the next run */
};

/* All threads run the workload once on the first copy, untimed. Error: as team_run(). */
bool measure_once(struct measuring *measuring, struct error *err);

/* Chooses the number of runs, unless it is given, by uncounted repetitions. It skips them if a single run takes so
 * long that not all repetitions fit the budget. Error: as team_run(). */
bool measure_runs(struct measuring *measuring, struct error *err);

/* For repetition i: seconds[i] per run, from the first thread's start to the last one's end, and clock_hz[i] (0: not
 * known), the mean of the threads' core clocks directly after it. Each thread marks only its runs, as a region with
 * the workload's name. Error: as team_run(). */
bool measure_repetitions(struct measuring *measuring, double *seconds, double *clock_hz, struct error *err);
