/* SPDX-License-Identifier: BSD-3-Clause
 * The events of one thread, or of the machine. */
#ifndef BENCH_COLLECT_PAPI_H
#define BENCH_COLLECT_PAPI_H

#include <stdbool.h>

#include "bench/regions/regions.h"

enum { MOST_SETS = 8 }; /* of events: kinds of cores, components */

struct papi_sets { /* PAPI's event sets; none: nothing is counted */
    unsigned set_count;
    int sets[MOST_SETS];
    unsigned first[MOST_SETS]; /* where their values stand among all events */
};

/* `list`: native events, one per line. False: none of them can be counted. */
bool papi_prepare(const char *list);

/* Sets that count from now on: the calling thread, or the machine. Those that can't be opened are left out. */
void papi_open(struct papi_sets *counters, bool of_machine);
void papi_close(struct papi_sets *counters);

/* Values as of now, on any thread; those of other sets stay as they are. */
void papi_read(const struct papi_sets *counters, long long values[REGIONS_MOST_EVENTS]);
void papi_after_fork(void); /* in the child; the parent's sets are lost to it */

unsigned papi_event_count(void);
const char *papi_event(unsigned event, bool *of_machine);
bool papi_multiplexed(void); /* some events take turns */

/* The first failure, for the report; "": none. */
void papi_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *papi_failure(void);

#endif
