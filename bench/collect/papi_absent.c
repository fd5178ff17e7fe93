/* SPDX-License-Identifier: BSD-3-Clause
 * Without PAPI the collector measures times alone (see papi.h). */
#include "papi.h"

#include <stddef.h>

static bool requested;

bool papi_prepare(const char *list) {
    requested = *list;
    return false;
}
void papi_open(struct papi_sets *counters, bool of_machine) {
    (void)of_machine;
    counters->set_count = 0;
}
void papi_close(struct papi_sets *counters) {
    (void)counters;
}
void papi_read(const struct papi_sets *counters, long long values[REGIONS_MAX_EVENTS]) {
    (void)counters, (void)values;
}
void papi_after_fork(void) {
}
unsigned papi_event_count(void) {
    return 0;
}
const char *papi_event(unsigned event, bool *of_machine) {
    (void)event;
    *of_machine = false;
    return "";
}
bool papi_multiplexed(void) {
    return false;
}
void papi_fail(const char *format, ...) {
    (void)format;
}
const char *papi_failure(void) {
    return requested ? BUILT_WITHOUT : "";
}
