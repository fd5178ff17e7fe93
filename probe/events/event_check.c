/* SPDX-License-Identifier: BSD-3-Clause
 * Checks events of either sort (see event_tables.h); queries PAPI's presets. */
#include "event_tables.h"

#include <papi.h>
#include <stdio.h>
#include <string.h>

#include "papi.h"
#include "perf.h"
#include "uncore.h"
#include "probe/error.h"

static void check_preset(const char (*event)[96], bool try, struct event_check *out) {
    struct papi_events counted;
    struct error err;
    int code;
    if (!papi_start(&err)) {
        event_state_say(out, EVENT_NOT_KNOWN, err.text);
    } else if (PAPI_event_name_to_code(*event, &code) != PAPI_OK) {
        event_state_say(out, EVENT_NOT_KNOWN, "PAPI has no preset of that name");
    } else if (PAPI_query_event(code) != PAPI_OK) {
        event_state_say(out, EVENT_NOT_KNOWN, "PAPI does not define it for this core");
    } else if (!try) {
        out->state = EVENT_RESOLVES;
    } else if (papi_events_open(&counted, 1, event, &err)) {
        out->state = EVENT_COUNTS;
        papi_events_close(&counted);
    } else {
        event_state_say(out, perf_has_pmu("") ? EVENT_REFUSED : EVENT_NO_PMU, err.text);
    }
}

/* PAPI may be unable to open an event that the kernel counts: without libpfm4's table of the core it opens no perf
 * event. */
static void confirm_by_papi(const char (*event)[96], struct event_check *out) {
    struct papi_events counted;
    struct error err;
    if (papi_events_open(&counted, 1, event, &err))
        papi_events_close(&counted);
    else
        event_state_say(out, EVENT_REFUSED, err.text);
}

void event_check(const char *event, const char *tables, bool try, struct event_check *out) {
    char name[1][96];
    snprintf(*name, sizeof *name, "%s", event);
    *out = (struct event_check){0};
    if (strncmp(*name, "PAPI_", 5) == 0)
        check_preset((const char(*)[96])name, try, out);
    else
        event_native_check(event, tables, try, out);
    if (out->state == EVENT_COUNTS && !uncore_is(*name))
        confirm_by_papi((const char(*)[96])name, out);
}
