/* SPDX-License-Identifier: BSD-3-Clause
 * The events of one thread, or of the machine. */
#pragma once

#include <stdbool.h>

#include "bench/programs/regions.h"

enum { MAX_SETS = 8 }; /* event sets: one for each kind of core and each PAPI component */

struct papi_sets {            /* the event sets of one thread, or of the machine */
    unsigned set_count;       /* 0: nothing is counted */
    int sets[MAX_SETS];       /* PAPI's numbers of the sets */
    unsigned first[MAX_SETS]; /* the index, among all events, of the first event of each set */
};

/* Starts PAPI and resolves the events of `list`, native ones, one per line. False: none can be counted. */
bool papi_prepare(const char *list);

/* Opens the sets, which count from now on: the calling thread, or with `of_machine` the machine. Leaves out a set
 * that cannot be opened. */
void papi_open(struct papi_sets *counters, bool of_machine);

/* Ends the sets. */
void papi_close(struct papi_sets *counters);

/* Stores the current values of the sets' events; other entries remain unchanged. Any thread may call it. */
void papi_read(const struct papi_sets *counters, long long values[REGIONS_MAX_EVENTS]);

/* For the child of a fork, in which the parent's sets are lost: starts PAPI again. */
void papi_after_fork(void);

/* Number of counted events. */
unsigned papi_event_count(void);

/* The native name of an event (0 … count - 1), and whether it belongs to the machine instead of a thread. */
const char *papi_event(unsigned event, bool *of_machine);

/* Whether some events take turns on too few counters, so that their values are estimates. */
bool papi_multiplexed(void);

/* Records why events cannot be counted or trusted; only the first call counts. */
void papi_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The reason from papi_fail(), for the report; "": none. */
const char *papi_failure(void);
