/* SPDX-License-Identifier: BSD-3-Clause
 * The rows behind events.h: which events each core counts, as formulas in text. Private to events.c. */
#ifndef PROBE_EVENT_TABLE_H
#define PROBE_EVENT_TABLE_H

#include <stdbool.h>

#include "events.h"

/* A core: what several products share. */
struct event_core {
    const char *formulas[METRIC_COUNT]; /* as in a file for events_load(); NULL: it does not count that */
    const char *doubts[METRIC_COUNT];   /* NULL: none */
    const char *source;
};

/* The memory controllers of a product; their events are those of uncore.h. */
struct event_memory {
    const char *read, *write;
    const char *source;
};

enum { EVENT_MAX_MODELS = 4 };
struct event_row {
    const char *pmu;                   /* libpfm4's name */
    const char *product;               /* a row of the microarchitectures, by its product's name */
    unsigned models[EVENT_MAX_MODELS]; /* only these model numbers of it; none: any that no row before it has */
    const char *stand_in;              /* NULL: none */
    bool hybrid;                       /* events carry the PMU's name: the CPU's other cores have others of that name */
    const struct event_core *core;
    const struct event_memory *memory; /* NULL: no event is cited */
};

extern const struct event_row event_rows[];
extern const size_t event_row_count;

/* For CPUs without a row. */
extern const struct event_core event_presets;

#endif
