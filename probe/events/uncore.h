/* SPDX-License-Identifier: BSD-3-Clause
 * Events of the memory controllers, summed over the machine, through the kernel: PAPI's libpfm4 knows them for few
 * products. Names are perf's: "uncore_imc/event=0x05,umask=0xcf/" or "uncore_imc/cas_count_read/", where uncore_imc
 * means each of uncore_imc_0, uncore_imc_1, … */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
