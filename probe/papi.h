/* SPDX-License-Identifier: BSD-3-Clause
 * PAPI: whether hardware counters can be used here, and if not, why. */
#ifndef PROBE_PAPI_H
#define PROBE_PAPI_H

#include <stdbool.h>

struct papi_status {
    bool library;           /* PAPI initialises */
    bool counters;          /* the core's hardware counters count; only tried if the library initialises */
    unsigned counter_count; /* at once, as PAPI tells it; 0 when they do not count */
    char version[16];       /* "7.0.1" */
    char reason[192];       /* why one of the above is not so; "" */
};

/* Initialises the library, and leaves it so, and counts cycles for a moment: PAPI lists counters and events also where
 * the system has none. */
void papi_probe(struct papi_status *out);

/* The calling thread's core cycles, where they can be counted. */
struct papi_cycles {
    bool counting;
    int set; /* PAPI's event set */
};
struct papi_cycles papi_cycles_open(void);
long long papi_cycles_read(const struct papi_cycles *cycles); /* since it was opened; 0: not counting */
void papi_cycles_close(struct papi_cycles *cycles);

#endif
