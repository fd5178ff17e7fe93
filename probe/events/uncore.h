/* SPDX-License-Identifier: BSD-3-Clause
 * Events of the memory controllers, summed over the machine, through the kernel: PAPI's libpfm4 knows them for few
 * products. Names are perf's: "uncore_imc/event=0x05,umask=0xcf/" or "uncore_imc/cas_count_read/", where uncore_imc
 * means each of uncore_imc_0, uncore_imc_1, … */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "events.h"

struct error;

/* Whether a name is of this kind. */
bool uncore_is(const char *event);

enum { UNCORE_MAX_COUNTERS = 1024 };

/* One counter of one unit: a memory channel, an event. */
struct uncore_counter {
    unsigned event; /* index into the names */
    unsigned type;  /* the kernel's number of the unit */
    int cpu;        /* CPU on which it is counted: one per package */
    uint64_t config;
    int fd; /* -1: not open */
};
struct uncore {
    size_t event_count, counter_count;
    struct uncore_counter *counters;
};

/* Finds the counters of these events, not open. `root` as in osfile.h. Errors: the kernel has no such unit, or no
 * such event of it. */
bool uncore_find(struct uncore *out, const char *root, size_t count, const char (*events)[96], struct error *err);

/* The same on this machine, open and counting. Further error: the kernel does not permit it. */
bool uncore_open(struct uncore *out, size_t count, const char (*events)[96], struct error *err);

/* Counts since opening, by event. */
bool uncore_read(const struct uncore *uncore, double *values, struct error *err);

/* May follow a failure, and may be repeated. */
void uncore_close(struct uncore *uncore);

/* DRAM traffic of the whole machine while a program runs, if the memory controllers' counters are readable. */

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
