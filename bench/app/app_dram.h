/* SPDX-License-Identifier: BSD-3-Clause
 * DRAM traffic of the whole machine while a program runs, where the memory controllers' counters may be read. */
#ifndef BENCH_APP_DRAM_H
#define BENCH_APP_DRAM_H

#include <stdbool.h>

#include "probe/events/events.h"
#include "probe/events/uncore.h"

enum { APP_DRAM_EVENTS = 2 * EVENTS_MAX_TERMS };
struct app_dram {
    bool counting; /* the events are open; else nothing below has a meaning */
    const struct event_set *events;
    size_t event_count;
    char names[APP_DRAM_EVENTS][96];
    double before[APP_DRAM_EVENTS];
    struct uncore uncore;
};

/* Not counting where the core's row has no such events, or the kernel does not permit them: that is no error. */
void app_dram_open(struct app_dram *out, const struct event_set *events);
void app_dram_begin(struct app_dram *dram);
/* Bytes since the begin; false when they are not counted. */
bool app_dram_end(struct app_dram *dram, double *read_bytes, double *write_bytes);
void app_dram_close(struct app_dram *dram);

#endif
