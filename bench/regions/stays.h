/* SPDX-License-Identifier: BSD-3-Clause
 * How long a region took that several processes were in.
 *
 * Of processes that lived at the same time, the one that was in the region longest gives its time; those that lived one
 * after the other add up. Events add up, unless they are the machine's, which every process sees: those go with the
 * times. */
#ifndef BENCH_STAYS_H
#define BENCH_STAYS_H

#include "regions.h"

struct stay { /* of a process in a region */
    size_t region;
    uint64_t start_ns, end_ns; /* of the process */
    double seconds, events[REGIONS_MOST_EVENTS];
};
struct stays {
    size_t count, room;
    struct stay *all;
};

bool stays_add(struct stays *stays, const struct stay *stay); /* false: no memory */

/* Into the report's regions. */
void stays_sum(struct stays *stays, const bool of_machine[REGIONS_MOST_EVENTS], struct regions_report *report);
void stays_free(struct stays *stays);

#endif
