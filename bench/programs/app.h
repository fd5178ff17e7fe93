/* SPDX-License-Identifier: BSD-3-Clause
 * Running a program until enough is known of it: natively for its time, and once more for exact counts, perhaps with
 * simulated caches. What the runs left is made into points by bench/programs/app_points.c. */
#ifndef BENCH_PROGRAMS_APP_H
#define BENCH_PROGRAMS_APP_H

#include <stdbool.h>
#include <stddef.h>

#include "app_events.h"
#include "app_point.h"
#include "app_samples.h"
#include "program.h"
#include "levels_geometry.h"
#include "regions.h"
#include "scratch.h"

#include "bench/profile/profile.h"
#include "probe/events/dram_traffic.h"
#include "probe/events/events.h"
#include "probe/machine.h"
#include "probe/marks/ranks.h"

enum app_counters { APP_AUTO, APP_COUNT, APP_PAPI };
extern const char *const app_counters_names[]; /* "auto", …; NULL at the end */

struct app_runs;

/* What is to be measured, and how. */
struct app_request {
    char *const *argv;
    char name[64];     /* of its points */
    bool named;        /* by the user */
    char command[256]; /* as it was typed */
    unsigned repeat;   /* native runs */
    double budget_s;   /* after which three runs are enough; 0: no limit */
    enum app_counters counters;
    enum app_by by;
    const char *marks; /* whose make regions, as mark_systems_check() takes it; NULL: all that are found */
    double stated_flop, stated_bytes; /* of the one point that there is then; 0: not stated */
    struct levels_choice levels;      /* simulated caches, while it is counted */
    struct rank rank;                 /* that carmine itself is: then the program can be run but once */
    const char *collectors;           /* the folder that holds the collectors */
    int out;                          /* the first run's standard output. Its errors are ours; other runs are silent */
    const struct machine *machine;
    uint64_t llc_bytes;                 /* of one instance of the last cache, as found; 0: as detected */
    const struct event_set *events;     /* of this CPU, with the user's in their places */
    const struct event_set *own_events; /* the user's alone, which need no counters of the CPU; NULL: none */
    void (*progress)(const char *what, unsigned run, unsigned runs); /* before each run; NULL after the last */
    /* About every second while it is counted: since how long, and how long it takes, from … to …. NULL: nobody asks */
    void (*waiting)(const char *what, double seconds, const double expected_s[2]);
    void (*save)(void *context, const struct app_runs *runs); /* after each run with which there is enough for points */
    void *context;
};

/* One native run. */
struct app_run {
    double seconds, cpu_s, kernel_s; /* of the process, from outside; kernel_s: of cpu_s */
    double delay_s;                  /* that its first thread waited for a CPU; 0: not known */
    uint64_t page_faults;
    double written_bytes; /* by its own system calls, into whatever file; NAN: not known */
    bool has_dram;        /* the memory controllers' counters could be read */
    double dram_read_bytes, dram_write_bytes;
    bool reported; /* the collector left its report */
    struct regions_report report;
    struct app_samples samples;
};

struct app_runs {
    struct program program;
    char name[64]; /* of the points, where that is not the request's: a launcher's program; "" */
    char started_utc[32];
    int status; /* as of waitpid; of the first run, and of all that follow unless app_measure fails */
    size_t run_count;
    struct app_run *runs;
    unsigned wanted_runs;      /* more than were done where the budget was spent */
    bool enough;               /* is known for points; without it none are made */
    char no_report[512];       /* why time is known from outside alone; "" */
    char marks_elsewhere[256]; /* variables by which marks go to another tool, "" */
    bool counted;
    struct profile profile;
    double counted_cpu_s;         /* of that run */
    double counted_written_bytes; /* likewise, as app_run.written_bytes */
    bool counted_again;           /* where it looks at the time: with time twice as fast, in `again` */
    bool again_differs;           /* that run ended otherwise */
    struct profile again;
    char not_counted[1024];            /* why it was not counted exactly, where it was tried; "" */
    struct app_events events;          /* that were counted in the native runs */
    const struct event_set *event_set; /* and their meaning */
    struct levels_geometry levels;     /* that were simulated at all levels; none where that was not asked for */
};

/* Errors: it cannot be started; it was killed (`status` says so); it ended otherwise the second time; it cannot be
 * counted; interrupted (child_stop). The runs until then are points all the same where that is `enough`. */
bool app_measure(const struct app_request *request, struct app_runs *out, struct error *err);

/* The one run that a rank can make, for its time or its counts alone. Errors as above; it cannot be counted. */
bool app_measure_once(const struct app_request *request, bool timed, struct app_runs *out, struct error *err);

void app_runs_free(struct app_runs *runs);

#endif
