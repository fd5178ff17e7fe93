/* SPDX-License-Identifier: BSD-3-Clause
 * PAPI: whether hardware counters are usable, and if not, why; and counting events of a thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct error;

struct papi_status {
    bool library;     /* PAPI initialises */
    bool counters;    /* the core's hardware counters count; only tried if the library initialises */
    char version[16]; /* "7.0.1" */
    char reason[192]; /* why one of the above is false; "" */
};

/* Initialises the library for threads, once in a process, with the tables of events that fit this CPU (event_tables.h).
 * Error: it does not initialise. */
bool papi_start(struct error *err);

/* Starts the library and counts cycles for a moment: PAPI lists counters and events even if the system has none. */
void papi_probe(struct papi_status *out);

/* The calling thread's core cycles, if countable. */
struct papi_cycles {
    bool counting;
    int set; /* PAPI's event set */
};
struct papi_cycles papi_cycles_open(void);
long long papi_cycles_read(const struct papi_cycles *cycles); /* value when it was opened; 0: not counting */
void papi_cycles_close(struct papi_cycles *cycles);

/* Events by name, for the thread that opens them. */
enum { PAPI_MAX_EVENTS = 32, PAPI_MAX_SETS = 4 };
struct papi_events {
    unsigned count;
    bool multiplexed; /* more events than counters: they take turns, and values are scaled up */
    unsigned set_count;
    struct papi_set { /* a set holds events of one PAPI component */
        int set, component;
        unsigned count, event[PAPI_MAX_EVENTS]; /* its events, as indices into the names */
    } sets[PAPI_MAX_SETS];
};

/* Error: the event, and why it cannot be counted: unknown, no counters, not permitted, duplicate, too many. Then
 * nothing is open. */
bool papi_events_open(struct papi_events *out, size_t count, const char (*names)[96], struct error *err);
/* Whether the kernel counts them all at once. PAPI's own number of counters does not tell: it adds the fixed ones, and
 * knows neither of pairs nor of counters in use. Also true if an event cannot be opened for another reason, which
 * papi_events_open() tells. */
bool papi_events_fit(size_t count, const char (*names)[96]);
bool papi_events_start(struct papi_events *events, struct error *err);                /* from zero */
bool papi_events_stop(struct papi_events *events, double *values, struct error *err); /* in the order of the names */
void papi_events_close(struct papi_events *events); /* started or not; may be repeated; leaves `multiplexed` */
