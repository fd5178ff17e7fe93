/* SPDX-License-Identifier: BSD-3-Clause
 * Runs a program until enough is known of it: natively for its time, and once more for exact counts, perhaps with
 * simulated caches. bench/programs/app_points.c makes points of the results. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "app_events.h"
#include "app_point.h"
#include "app_samples.h"
#include "program.h"
#include "levels_geometry.h"
#include "regions.h"

#include "bench/profile/profile.h"
#include "probe/events/events.h"
#include "probe/events/uncore.h"
#include "probe/marks/ranks.h"

struct core;
struct machine;

enum app_counters { APP_AUTO, APP_COUNT, APP_PAPI };
extern const char *const app_counters_names[]; /* "auto", …; NULL at the end */

struct app_runs;

/* The measurement, and its options. */
struct app_request {
    char *const *argv;
    char name[64];     /* prefix of its points' names */
    bool named;        /* by the user */
    char command[256]; /* as typed */
    unsigned repeat;   /* native runs */
    double budget_s;   /* budget, after at least three runs; 0: no limit */
    enum app_counters counters;
    enum app_by by;
    double every_s;    /* of phases: the length of the timeline's intervals */
    const char *marks; /* systems whose marks make regions, as for mark_systems_check(); NULL: all that are found */
    double stated_flop, stated_bytes; /* for a single point; 0: not stated */
    struct levels_choice levels;      /* caches to simulate while counting */
    struct rank rank;                 /* carmine's own rank: then the program can run only once */
    const char *collectors;           /* the folder with the collectors */
    int out;                 /* the first run's standard output. Its errors go to ours; other runs are silent */
    bool force;              /* points also of a counted run with another output */
    const char *result_path; /* written during the measurement, and not by the program; NULL: none */
    const struct machine *machine;
    const struct core_measured *core;   /* of this machine, from `carmine core`; NULL: none */
    uint64_t llc_bytes;                 /* measured size of one last-level cache; 0: as detected */
    const struct event_set *events;     /* of this CPU, with the user's replacements */
    const struct event_set *own_events; /* the user's alone, which need no counters of the CPU; NULL: none */
    void (*progress)(const char *what, unsigned run, unsigned runs); /* before each run; NULL after the last */
    /* About every second while the program is counted: elapsed seconds, and the expected range. NULL: no reports */
    void (*waiting)(const char *what, double seconds, const double expected_s[2]);
    void (*save)(void *context, const struct app_runs *runs); /* after each run with enough data for points */
    void *context;
};

/* One native run. */
struct app_run {
    double seconds, cpu_s, kernel_s; /* of the process, from outside; kernel_s: part of cpu_s */
    double delay_s;                  /* time its first thread waited for a CPU; 0: unknown */
    uint64_t page_faults;
    struct waits waits;
    double waits_s;         /* the time that `waits` are of */
    double outside_ready_s; /* before and after the report's time: ready to run without a CPU; 0: unknown */
    struct wait_course wait_course;
    bool has_dram; /* the memory controllers' counters were readable */
    double dram_read_bytes, dram_write_bytes;
    bool reported; /* the collector left its report */
    struct regions_report report;
    struct app_samples samples;
};

struct app_runs {
    struct program program;
    char name[64]; /* the points' prefix, if not the request's: a launcher's program; "" */
    char started_utc[32];
    int status; /* as from waitpid(); of the first run, and all others are equal unless app_measure() fails */
    size_t run_count;
    struct app_run *runs;
    unsigned wanted_runs;      /* more than were done if the budget was spent */
    bool enough;               /* for points; without it no point is made */
    char no_report[512];       /* why only the time from outside is known; "" */
    char marks_elsewhere[256]; /* variables that send marks to another tool, "" */
    bool counted;
    struct profile profile;
    double counted_cpu_s; /* of the counted run */
    bool counted_again;   /* if it looks at the time: with time twice as fast, in `again` */
    bool again_differs;   /* that run ended differently */
    struct profile again;
    char other_output[512];            /* how the counted run's output differs from the native ones'; "" */
    char varying_output[256];          /* that a part of it differs from run to run; "" */
    char not_counted[1024];            /* why exact counting failed, if tried; "" */
    struct app_events events;          /* events counted in the native runs */
    const struct event_set *event_set; /* and their meaning */
    bool p_cores_only;                 /* all runs were kept on these, since the events of E cores lack flop */
    double fault_s;                    /* CPU time of a page fault */
    struct levels_geometry levels;     /* the simulated caches; no levels if not requested */
};

/* Errors: it cannot be started; it was killed (see `status`); it ended differently the second time; it wrote something
 * else when it was counted (unless forced); it cannot be counted; interrupted (child_stopped()). After an error the
 * runs so far make points if `enough` is set. */
bool app_measure(const struct app_request *request, struct app_runs *out, struct error *err);

/* The only run of a rank, for its time or its counts. Errors as above; it cannot be counted. */
bool app_measure_once(const struct app_request *request, bool timed, struct app_runs *out, struct error *err);

void app_runs_free(struct app_runs *runs);
