/* SPDX-License-Identifier: BSD-3-Clause
 * Without PAPI nothing is counted by hardware (see papi.h, event_tables.h). */
#include "event_tables.h"
#include "papi.h"

#include <stdio.h>
#include <string.h>

#include "probe/error.h"

bool papi_start(struct error *err) {
    return error_set(err, BUILT_WITHOUT);
}

void papi_probe(struct papi_status *out) {
    *out = (struct papi_status){.reason = BUILT_WITHOUT};
}

struct papi_cycles papi_cycles_open(void) {
    return (struct papi_cycles){.counting = false};
}
long long papi_cycles_read(const struct papi_cycles *cycles) {
    (void)cycles;
    return 0;
}
void papi_cycles_close(struct papi_cycles *cycles) {
    (void)cycles;
}

bool papi_events_open(struct papi_events *out, size_t count, const char (*names)[96], struct error *err) {
    (void)count, (void)names;
    *out = (struct papi_events){0};
    return papi_start(err);
}
bool papi_events_fit(size_t count, const char (*names)[96]) {
    (void)count, (void)names;
    return false;
}
bool papi_events_start(struct papi_events *events, struct error *err) {
    (void)events;
    return papi_start(err);
}
bool papi_events_stop(struct papi_events *events, double *values, struct error *err) {
    (void)events, (void)values;
    return papi_start(err);
}
void papi_events_close(struct papi_events *events) {
    (void)events;
}

/* An event that the kernel counts is not counted without PAPI. */
void event_check(const char *event, const char *tables, bool try, struct event_check *out) {
    *out = (struct event_check){0};
    if (strncmp(event, "PAPI_", 5) != 0)
        event_native_check(event, tables, false, out);
    if (try || strncmp(event, "PAPI_", 5) == 0)
        event_state_say(out, EVENT_NOT_KNOWN, BUILT_WITHOUT);
}
