/* SPDX-License-Identifier: BSD-3-Clause
 * The reports of libcarmine-papi.so: time and counted events of each region in one run. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;

enum { REGIONS_MAX_EVENTS = 32 };
/* A chain of this many cycles tells the core clock. The no-ops beside it take 1.5 µs if a core renames 6 per cycle. */
enum { REGIONS_PACE_CYCLES = 15120, REGIONS_NOOP_PIECES = 60 };

struct region_times {
    char name[64]; /* the whole program comes first, named "" */
    uint64_t calls;
    unsigned threads;                  /* threads that marked it; of the whole program, all that existed */
    double seconds;                    /* the longest thread's, all calls together; sum over consecutive processes */
    double events[REGIONS_MAX_EVENTS]; /* of all threads; in the order of the report's `events` */
    unsigned open, mismatched;         /* marks without their counterpart */
    double mpi_seconds;                /* sum over processes, in MPI calls */
    uint64_t mpi_calls;                /* of all threads */
};
struct rank_times { /* one rank in one region */
    unsigned rank, region;
    double seconds, mpi_seconds; /* as in the region; mpi_seconds: part in MPI calls */
    uint64_t mpi_calls;
};
struct sampled_place { /* a place with CPU time samples */
    char object[256];  /* path; for code that the process wrote itself COLLECTOR_WRITTEN (probe/marks/collector.h) */
    uint64_t file_offset;
    unsigned hits;
    unsigned region; /* innermost open one of the sampled thread: index into `regions` */
    uint32_t pid;    /* of the process */
};
struct sampled_tick {                   /* a sample in time, with COLLECTOR_EVERY */
    uint64_t wall_ns, cpu_ns, delay_ns; /* CLOCK_MONOTONIC; of the thread: CPU time, time ready to run without a CPU */
    uint32_t rank, pid, tid;
    uint32_t place; /* 1 + index into `places`; 0: begin or end of the thread */
};
struct sampled_clock { /* beside a sample: the core clock, and the time of an independent no-op */
    double hz, noop_cycles;
};
struct regions_report {
    uint64_t begin_ns, end_ns; /* CLOCK_MONOTONIC: of the first process's begin and the last one's end; 0: unknown */
    unsigned process_count;
    unsigned killed_count; /* program images that left no times; not in process_count */
    unsigned event_count;
    char events[REGIONS_MAX_EVENTS][96]; /* native names */
    bool multiplexed;                    /* not all events at once: values are scaled up */
    char failure[256];                   /* why events were not counted; "": they were, or none were requested */
    char unsampled[256];                 /* why samples were not taken, or not all */
    unsigned ranks;    /* of a program that was started as so many; 0: none. Else the rest is of ranks alone */
    char program[256]; /* of the first of them, the path; else "" */
    size_t rank_time_count;
    struct rank_times *rank_times; /* by rank and region; none for regions that a rank never entered */
    size_t region_count, place_count, tick_count, clock_count;
    struct region_times *regions;
    struct sampled_place *places;
    struct sampled_clock *clocks;
    struct sampled_tick *ticks; /* by rank, process and thread, and a thread's in order */
};

/* Adds up all complete reports in the folder. If some are of ranks, only those: the launcher is not part of the
 * program. Errors: no report, none complete (the program was killed), damaged. */
bool regions_read(const char *folder, struct regions_report *out, struct error *err);
void regions_free(struct regions_report *report);

/* Whether all threads were sampled in time; false without a report (zero). */
bool regions_in_time(const struct regions_report *report);

/* The median of the readings of the core clock; 0: none. */
double regions_clock_hz(const struct regions_report *report);

/* Adds up the readings beside a neighbour, which uses the same core: no-ops took clearly longer than `best_cycles`. */
struct neighbour_looks {
    size_t looks, beside;
};
void regions_neighbour_add(const struct regions_report *report, double best_cycles, struct neighbour_looks *looks);

/* NULL: the rank never entered the region. */
const struct rank_times *regions_rank(const struct regions_report *report, unsigned rank, unsigned region);
