/* SPDX-License-Identifier: BSD-3-Clause
 * Queries libpfm4 and the kernel about native events (see event_tables.h). */
#include "event_tables.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "perf.h"
#include "uncore.h"
#include "probe/error.h"

const char *const event_state_names[EVENT_STATE_COUNT + 1] = {
    "counts", "resolves", "of the kernel", "not known", "no pmu", "refused",
};

void event_state_say(struct event_check *out, enum event_state state, const char *reason) {
    out->state = state;
    snprintf(out->reason, sizeof out->reason, "%.223s", reason);
}

/* `event` is a list of one name: the counting code takes a list. */
static void check_uncore(const char (*event)[96], bool try, struct event_check *out) {
    struct uncore uncore;
    struct error err;
    if (!try) {
        event_state_say(out, EVENT_OF_KERNEL, "named by the kernel of that machine, not by libpfm4");
        return;
    }
    if (!uncore_find(&uncore, "", 1, event, &err)) {
        event_state_say(out, EVENT_NO_PMU, err.text);
        return;
    }
    uncore_close(&uncore);
    if (uncore_open(&uncore, 1, event, &err))
        out->state = EVENT_COUNTS;
    else
        event_state_say(out, EVENT_REFUSED, err.text);
    uncore_close(&uncore);
}

static void check_core(const char *event, const char *tables, bool try, struct event_check *out) {
    char name[160];
    uint32_t type;
    uint64_t config;
    snprintf(name, sizeof name, "%.31s%s%.96s", tables, *tables ? "::" : "", event);
    const char *fault = event_tables_find(name, &out->code);
    if (fault) {
        event_state_say(out, EVENT_NOT_KNOWN, fault);
        return;
    }
    out->state = EVENT_RESOLVES;
    if (!try)
        return;
    fault = event_tables_encode(name, &type, &config);
    if (fault) {
        event_state_say(out, EVENT_NO_PMU, fault);
        return;
    }
    const int descriptor = perf_open(type, config, -1);
    if (descriptor >= 0) {
        close(descriptor);
        out->state = EVENT_COUNTS;
        return;
    }
    int error = errno;
    if (type != PERF_TYPE_SOFTWARE && perf_lacks_pmu(""))
        error = ENOENT; /* regardless of the error that a filter of system calls returned first */
    out->state = error == ENOENT || error == ENODEV || error == EOPNOTSUPP ? EVENT_NO_PMU : EVENT_REFUSED;
    perf_refusal(error, false, out->reason, sizeof out->reason);
}

void event_native_check(const char *event, const char *tables, bool try, struct event_check *out) {
    char name[1][96];
    snprintf(*name, sizeof *name, "%s", event);
    *out = (struct event_check){0};
    if (uncore_is(*name))
        check_uncore((const char(*)[96])name, try, out);
    else
        check_core(*name, strstr(event, "::") ? "" : tables, try, out);
}
