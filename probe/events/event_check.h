/* SPDX-License-Identifier: BSD-3-Clause
 * Whether libpfm4 knows an event, and whether the kernel counts it here. */
#ifndef PROBE_EVENT_CHECK_H
#define PROBE_EVENT_CHECK_H

#include <stdbool.h>
#include <stdint.h>

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

/* From now on event_check() resolves names of cores that are not this machine's. Before anything that uses libpfm4 or
 * PAPI; by the environment. */
void event_tables_of_all_cores(void);

enum event_state {
    EVENT_COUNTS,    /* opened here */
    EVENT_RESOLVES,  /* a name that is known; it was not tried */
    EVENT_OF_KERNEL, /* the kernel of that machine knows it or not; it was not tried */
    EVENT_NOT_KNOWN, /* the tables do not have it */
    EVENT_NO_PMU,    /* the kernel has no counters for it */
    EVENT_REFUSED,   /* the kernel does not let us */
    EVENT_STATE_COUNT,
};
extern const char *const event_state_names[EVENT_STATE_COUNT + 1]; /* "counts", …; NULL at the end */

struct event_check {
    enum event_state state;
    uint64_t code;    /* as libpfm4 encodes it; 0 where it does not */
    char reason[224]; /* why it does not count; "" */
};

/* `tables`: whose events are meant where the name does not say it ("spr"), chosen before; "": those that libpfm4 takes.
 * `try`: on this machine's kernel, too. Initialises libpfm4, and for a preset PAPI, and leaves them so. */
void event_check(const char *event, const char *tables, bool try, struct event_check *out);

#endif
