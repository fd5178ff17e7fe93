/* SPDX-License-Identifier: BSD-3-Clause
 * How long a region took that several processes were in.
 *
 * Of processes that lived at the same time, the one that was in the region longest gives its time; those that lived one
 * after the other add up. Events add up, unless they are the machine's, which every process sees: those go with the
 * times. */
#ifndef BENCH_PROGRAMS_REGION_INTERVALS_H
#define BENCH_PROGRAMS_REGION_INTERVALS_H

#include "regions.h"

struct region_interval { /* of a process in a region */
    size_t region;
    uint64_t start_ns, end_ns; /* of the process */
    double seconds, events[REGIONS_MAX_EVENTS];
    unsigned rank;      /* that the process is; 0, too, where there are none */
    double mpi_seconds; /* of its seconds, in calls of MPI */
    uint64_t mpi_calls;
};
struct region_intervals {
    size_t count, room;
    struct region_interval *all;
};

bool region_intervals_add(struct region_intervals *intervals,
                          const struct region_interval *interval); /* false: no memory */

/* Into the report's regions. */
void region_intervals_sum(struct region_intervals *intervals, const bool of_machine[REGIONS_MAX_EVENTS],
                          struct regions_report *report);
void region_intervals_free(struct region_intervals *intervals);

#endif
