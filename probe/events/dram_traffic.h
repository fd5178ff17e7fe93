/* SPDX-License-Identifier: BSD-3-Clause
 * DRAM traffic of the whole machine while a program runs, if the memory controllers' counters are readable. */
#pragma once

#include <stdbool.h>

#include "events.h"
#include "uncore.h"

enum { DRAM_TRAFFIC_EVENTS = 2 * EVENTS_MAX_TERMS };
struct dram_traffic {
    bool counting; /* the events are open; otherwise the other fields have no meaning */
    const struct event_set *events;
    size_t event_count;
    char names[DRAM_TRAFFIC_EVENTS][96];
    double before[DRAM_TRAFFIC_EVENTS];
    struct uncore uncore;
};

/* Not counting, without an error, if the core's row has no such events or the kernel does not permit them. */
void dram_traffic_open(struct dram_traffic *out, const struct event_set *events);
void dram_traffic_begin(struct dram_traffic *dram);
/* Bytes since the begin; false when they are not counted. */
bool dram_traffic_end(struct dram_traffic *dram, double *read_bytes, double *write_bytes);
void dram_traffic_close(struct dram_traffic *dram);
