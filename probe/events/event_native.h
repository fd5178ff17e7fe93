/* SPDX-License-Identifier: BSD-3-Clause
 * Whether the kernel of this machine counts a native event, of a core or of the memory controllers. Does not use
 * PAPI, which only reports that an event "does not exist". */
#pragma once

#include <stdbool.h>
#include <stdint.h>

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
