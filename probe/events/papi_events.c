/* SPDX-License-Identifier: BSD-3-Clause
 * PAPI event sets from lists of names (see papi.h). PAPI requires one set per component. */
#include <papi.h>
#include <string.h>

#include "event_tables.h"
#include "papi.h"
#include "probe/error.h"

/* Why PAPI counts none of perf's events; else PAPI's own error text. */
static const char *why_not(int status) {
    const int component = PAPI_get_component_index("perf_event");
    const PAPI_component_info_t *info = component < 0 ? NULL : PAPI_get_component_info(component);
    return info && info->disabled && *info->disabled_reason ? info->disabled_reason : PAPI_strerror(status);
}

/* PAPI's own messages are vague: an event that cannot be counted "does not exist". */
static bool refuse(struct error *err, const char *name, int status) {
    struct event_check check;
    const bool vague = status == PAPI_ENOEVNT || status == PAPI_ECMP || status == PAPI_ENOSUPP ||
                       status == PAPI_EPERM || status == PAPI_ESYS || status == PAPI_ECMP_DISABLED;
    if (vague && strncmp(name, "PAPI_", 5) != 0 && strncmp(name, "sde:::", 6) != 0) {
        event_native_check(name, "", true, &check);
        return check.state == EVENT_COUNTS
                   ? error_set(err, "%s: the kernel counts it, but PAPI does not: %s", name, why_not(status))
                   : error_set(err, "%s: %s", name, check.reason);
    }
    return error_set(err, "%s: %s", name, PAPI_strerror(status));
}

static int set_create(struct papi_set *set, bool multiplex) {
    set->set = PAPI_NULL;
    int status = PAPI_create_eventset(&set->set);
    if (status == PAPI_OK)
        status = PAPI_assign_eventset_component(set->set, set->component);
    if (status == PAPI_OK && multiplex)
        status = PAPI_set_multiplex(set->set);
    return status;
}

static void set_destroy(struct papi_set *set) {
    if (set->set == PAPI_NULL)
        return;
    PAPI_cleanup_eventset(set->set);
    PAPI_destroy_eventset(&set->set);
    set->set = PAPI_NULL;
}

/* The same events again, taking turns; PAPI_OK, or PAPI's error. */
static int set_multiplex(struct papi_set *set, const char (*names)[96]) {
    set_destroy(set);
    int status = set_create(set, true);
    for (unsigned i = 0; i < set->count && status == PAPI_OK; i++)
        status = PAPI_add_named_event(set->set, names[set->event[i]]);
    return status;
}

static struct papi_set *set_of(struct papi_events *events, int component, struct error *err) {
    for (unsigned i = 0; i < events->set_count; i++)
        if (events->sets[i].component == component)
            return &events->sets[i];
    if (events->set_count == PAPI_MAX_SETS) {
        error_set(err, "events of more than %d of PAPI's components", PAPI_MAX_SETS);
        return NULL;
    }
    struct papi_set *set = &events->sets[events->set_count++];
    *set = (struct papi_set){.component = component};
    const int status = set_create(set, false);
    if (status == PAPI_OK)
        return set;
    error_set(err, "PAPI cannot create an event set: %s", PAPI_strerror(status));
    return NULL;
}

static bool event_add(struct papi_events *events, unsigned index, const char (*names)[96], struct error *err) {
    const char *name = names[index];
    for (unsigned i = 0; i < index; i++)
        if (strcmp(names[i], name) == 0)
            return error_set(err, "%s is listed twice", name);
    int code, status = PAPI_event_name_to_code(name, &code);
    if (status != PAPI_OK)
        return refuse(err, name, status);
    struct papi_set *set = set_of(events, PAPI_get_event_component(code), err);
    if (!set)
        return false;
    status = PAPI_add_event(set->set, code);
    set->event[set->count++] = index;
    /* For more events than hardware counters. Components other than the cores' cannot take turns. */
    if (status == PAPI_ECNFLCT || status == PAPI_ECOUNT) {
        status = set_multiplex(set, names);
        events->multiplexed = true;
        if (status != PAPI_OK)
            return error_set(err, "%s: more events than there are counters, and they cannot take turns: %s", name,
                             PAPI_strerror(status));
    }
    return status == PAPI_OK || refuse(err, name, status);
}

bool papi_events_open(struct papi_events *out, size_t count, const char (*names)[96], struct error *err) {
    *out = (struct papi_events){0};
    if (count == 0 || count > PAPI_MAX_EVENTS)
        return error_set(err, "%zu events at once; 1 to %d are possible", count, PAPI_MAX_EVENTS);
    if (!papi_start(err))
        return false;
    /* Otherwise PAPI 7.0 follows a null pointer when a thread other than the first looks up a name. */
    const int status = PAPI_register_thread();
    if (status != PAPI_OK)
        return error_set(err, "PAPI cannot register this thread: %s", PAPI_strerror(status));
    for (unsigned i = 0; i < count; i++)
        if (!event_add(out, i, names, err)) {
            papi_events_close(out);
            return false;
        }
    out->count = (unsigned)count;
    return true;
}

bool papi_events_fit(size_t count, const char (*names)[96]) {
    struct papi_events events;
    struct error err;
    if (!papi_events_open(&events, count, names, &err))
        return count == 1; /* no other group helps an event that cannot be counted */
    papi_events_close(&events);
    return !events.multiplexed;
}

bool papi_events_start(struct papi_events *events, struct error *err) {
    for (unsigned i = 0; i < events->set_count; i++) {
        const int status = PAPI_start(events->sets[i].set);
        if (status == PAPI_OK)
            continue;
        while (i-- > 0)
            PAPI_stop(events->sets[i].set, NULL);
        return error_set(err, "PAPI cannot start counting: %s", PAPI_strerror(status));
    }
    return true;
}

bool papi_events_stop(struct papi_events *events, double *values, struct error *err) {
    for (unsigned i = 0; i < events->set_count; i++) {
        const struct papi_set *set = &events->sets[i];
        long long counts[PAPI_MAX_EVENTS];
        const int status = PAPI_stop(set->set, counts);
        if (status != PAPI_OK)
            return error_set(err, "PAPI cannot read its counters: %s", PAPI_strerror(status));
        for (unsigned e = 0; e < set->count; e++)
            values[set->event[e]] = (double)counts[e];
    }
    return true;
}

void papi_events_close(struct papi_events *events) {
    for (unsigned i = 0; i < events->set_count; i++) {
        int state;
        if (PAPI_state(events->sets[i].set, &state) == PAPI_OK && state & PAPI_RUNNING)
            PAPI_stop(events->sets[i].set, NULL);
        set_destroy(&events->sets[i]);
    }
    *events = (struct papi_events){.multiplexed = events->multiplexed};
}
