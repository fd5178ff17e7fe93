/* SPDX-License-Identifier: BSD-3-Clause
 * Names of events: the core whose tables libpfm4 reads, and whether an event counts on this machine. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "events.h"

/* The core whose tables libpfm4 reads. */
struct event_tables {
    char library[32]; /* "libpfm4 4.13.0" */
    char name[32];    /* "spr"; "" if it has no suitable ones */
    bool forced;      /* by LIBPFM_FORCE_PMU */
    char note[256];   /* why they differ from libpfm4's own choice, and the consequence; "" */
};

/* Chooses tables for the set: the core's own, or its stand-in's. libpfm4 may choose others by itself: it uses the
 * model number, which a hypervisor may mask, or it is older than the CPU. Then, if `force` is set, LIBPFM_FORCE_PMU
 * is set in the environment, for its children, and for this process unless it has already used libpfm4 or PAPI. PAPI
 * then counts with these tables only, so this is not for hybrid CPUs. A variable set by the user remains. */
void event_tables_choose(const struct event_set *set, bool force, struct event_tables *out);

/* From now on, names for cores of other machines resolve too. Works by the environment: call it before any use of
 * libpfm4 or PAPI. */
void event_tables_of_all_cores(void);

/* The code of an event ("spr::FP_ARITH…"), 0 if it has none. Returns NULL, or the fault: no such event. */
const char *event_tables_find(const char *name, uint64_t *code);

/* What the kernel is asked to count. Returns NULL, or the fault: it has no counters for it. */
const char *event_tables_encode(const char *name, uint32_t *type, uint64_t *config);

/* Whether the kernel of this machine counts a native event, of a core or of the memory controllers. Does not use
 * PAPI, which only reports that an event "does not exist". */

enum event_state {
    EVENT_COUNTS,    /* opened on this machine; event_check() opens it as the counting code does */
    EVENT_RESOLVES,  /* a known name; not tried */
    EVENT_OF_KERNEL, /* only the kernel of that machine knows the name; not tried */
    EVENT_NOT_KNOWN, /* the tables do not have it */
    EVENT_NO_PMU,    /* the kernel has no counters for it */
    EVENT_REFUSED,   /* the kernel does not permit it */
    EVENT_STATE_COUNT,
};
extern const char *const event_state_names[EVENT_STATE_COUNT + 1]; /* "counts", …; NULL at the end */

struct event_check {
    enum event_state state;
    uint64_t code;    /* as encoded by libpfm4; 0: not encoded */
    char reason[224]; /* why it does not count; "" */
};

/* `tables`: the core whose events are meant if the name does not include it ("spr"), chosen before; "": libpfm4's
 * own choice. `try`: also tries it on this machine's kernel. Initialises libpfm4 and leaves it initialised. */
void event_native_check(const char *event, const char *tables, bool try, struct event_check *out);

void event_state_say(struct event_check *out, enum event_state state, const char *reason);

/* Whether an event's name is known, and whether it counts on this machine: native events and PAPI's presets. */

/* As event_native_check(), and also for PAPI's presets: for these it initialises PAPI and leaves it initialised. */
void event_check(const char *event, const char *tables, bool try, struct event_check *out);
