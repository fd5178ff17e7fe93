/* SPDX-License-Identifier: BSD-3-Clause
 * Whether the kernel counts a native event, of a core or of the memory controllers, here: without PAPI, which only says
 * that an event "does not exist". */
#ifndef PROBE_EVENT_NATIVE_H
#define PROBE_EVENT_NATIVE_H

#include <stdbool.h>
#include <stdint.h>

enum event_state {
    EVENT_COUNTS,    /* opened here; by event_check() as what counts opens it */
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
 * `try`: on this machine's kernel, too. Initialises libpfm4, and leaves it so. */
void event_native_check(const char *event, const char *tables, bool try, struct event_check *out);

void event_state_say(struct event_check *out, enum event_state state, const char *reason);

#endif
