/* SPDX-License-Identifier: BSD-3-Clause
 * What libcarmine-papi.so leaves behind: time and counted events of each region of one run. */
#ifndef BENCH_PROGRAMS_REGIONS_H
#define BENCH_PROGRAMS_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/error.h"

enum { REGIONS_MAX_EVENTS = 32 };

struct region_times {
    char name[64]; /* "" for the whole program, which comes first */
    uint64_t calls;
    unsigned threads;                  /* that marked it; of the whole program, that existed */
    double seconds;                    /* of the thread that was in it longest, all calls together; of processes one
                                          after the other the sum */
    double events[REGIONS_MAX_EVENTS]; /* of all threads; in the report's order */
    unsigned open, mismatched;         /* marks without their counterpart */
    double mpi_seconds;                /* of the processes together, in calls of MPI */
    uint64_t mpi_calls;                /* of all threads */
};
struct rank_times { /* one rank in one region */
    unsigned rank, region;
    double seconds, mpi_seconds; /* as of a region; of that in calls of MPI */
    uint64_t mpi_calls;
};
struct sampled_place { /* where CPU time was found */
    char object[256];  /* path; of code that the process wrote itself as COLLECTOR_WRITTEN (probe/marks/collector.h) */
    uint64_t file_offset;
    unsigned hits;
    unsigned region; /* innermost open one of the thread that was hit: index into `regions` */
    uint32_t pid;    /* of the process */
};
struct regions_report {
    unsigned process_count;
    unsigned killed_count;    /* program images that left no times, and aren't in the above */
    uint64_t rewritten_bytes; /* of reports, which others took the place of: they are not in the folder any more */
    unsigned event_count;
    char events[REGIONS_MAX_EVENTS][96]; /* native names */
    bool multiplexed;                    /* not all events at once: values are scaled up */
    char failure[256];                   /* why events were not counted; "": they were, or none were asked for */
    char unsampled[256];                 /* why samples were not taken, or not all */
    unsigned ranks;    /* of a program that was started as so many; 0: as none. Then the rest is of its ranks alone */
    char program[256]; /* of the first of them, the path; else "" */
    size_t rank_time_count;
    struct rank_times *rank_times; /* by rank and region; where a rank never was, there is none */
    size_t region_count, place_count;
    struct region_times *regions;
    struct sampled_place *places;
};

/* Sums up all reports in the folder that are complete; where some are of ranks, those: what started them is no part of
 * the program. Errors: none there, none complete (the program was killed), damaged. */
bool regions_read(const char *folder, struct regions_report *out, struct error *err);
void regions_free(struct regions_report *report);

/* NULL: the rank never was in the region. */
const struct rank_times *regions_rank(const struct regions_report *report, unsigned rank, unsigned region);

#endif
