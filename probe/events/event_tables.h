/* SPDX-License-Identifier: BSD-3-Clause
 * Whose tables of events libpfm4 is to read. */
#ifndef PROBE_EVENT_TABLES_H
#define PROBE_EVENT_TABLES_H

#include <stdbool.h>

#include "events.h"

/* Whose tables libpfm4 reads events from. */
struct event_tables {
    char library[32]; /* "libpfm4 4.13.0" */
    char name[32];    /* "spr"; "" where it knows none that fit */
    bool forced;      /* by LIBPFM_FORCE_PMU */
    char note[256];   /* why they are not the ones that libpfm4 takes by itself, and what that means; "" */
};

/* Chooses tables for the set: the core's own, or its stand-in's. Where libpfm4 would not take them by itself (it goes
 * by the model number, which a hypervisor may mask, or is older than the CPU) and `force` is set, LIBPFM_FORCE_PMU is
 * put into the environment, for this process, unless it has used libpfm4 or PAPI before, and for its children: PAPI
 * then counts with these tables and no others, so not for hybrid CPUs. A variable that the user set stays. */
void event_tables_choose(const struct event_set *set, bool force, struct event_tables *out);

/* From now on names of cores that are not this machine's resolve, too. Before anything that uses libpfm4 or PAPI; by
 * the environment. */
void event_tables_of_all_cores(void);

#endif
